//! What the two nested searches that colour states share: `ndfs` and `gmz`.
//!
//! White: not seen. Cyan: on the blue stack. Blue: left by the blue search, not yet by a red
//! one. Red: left by both. Black (`gmz` alone): left by the blue search, and known to start no
//! accepting run.
//!
//! ```text
//! red(s):
//!   for t in post(s):
//!     if t cyan: report
//!     if t blue: t red; red(t)
//! ```
//!
//! The seed is the top of the blue stack and stays cyan during its red search, so no variable
//! for it is needed: every cyan state reaches the seed.

use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Colour {
    #[default]
    White,
    Cyan,
    Blue,
    Red,
    Black,
}

/// The blue search comes to a white state.
pub(super) fn enter_blue<G: Graph>(
    graph: &mut G,
    s: StateId,
    colour: &mut Notes<Colour>,
    blue: &mut Frames,
    stats: &mut SearchStats,
) -> Result<(), Stop> {
    colour.set(s, Colour::Cyan, graph.meter())?;
    stats.state();
    blue.enter(s, graph.meter(), stats)
}

/// Searches from an accepting seed, which is the top of the blue stack.
pub(super) fn red_search<G: Graph>(
    graph: &mut G,
    seed: StateId,
    colour: &mut Notes<Colour>,
    blue: &Frames,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let mut red = Frames::new();
    red.enter(seed, graph.meter(), stats)?;
    while red.top().is_some() {
        let Some(edge) = red.next(graph, stats)? else {
            red.leave();
            continue;
        };
        match colour.get(edge.target) {
            Colour::Cyan => {
                let tail = red.states().skip(1);
                return Ok(Some(Lasso::closing(blue.states(), tail, edge.target)));
            }
            Colour::Blue => {
                colour.set(edge.target, Colour::Red, graph.meter())?;
                red.enter(edge.target, graph.meter(), stats)?;
                stats.reached_depth(blue.len() + red.len());
            }
            _ => (),
        }
    }
    Ok(None)
}
