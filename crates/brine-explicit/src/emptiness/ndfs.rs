//! The new nested depth-first search (SE05 figure 3): four colours, which take two bits
//! of a byte for each state.
//!
//! ```text
//! blue(s): cyan                                      red(s):
//!   for t in post(s):                                  for t in post(s):
//!     if t cyan and (s or t accepting): report           if t cyan: report
//!     if t white: blue(t)                                if t blue: t red; red(t)
//!   if s accepting: red(s); s red
//!   else: s blue
//! ```
//!
//! White: not seen. Cyan: on the blue stack. Blue: left by the blue search, not yet by a red
//! one. Red: left by both. The seed stays cyan during its red search, so no variable for it
//! is needed. Invariant: no accepting run starts in a red state.
//!
//! State-based acceptance. Every transition is generated at most twice.

use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Colour {
    #[default]
    White,
    Cyan,
    Blue,
    Red,
}

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut colour: Notes<Colour> = Notes::new();
    let mut blue = Frames::new();
    let initial = graph.initial()?;
    enter_blue(graph, initial, &mut colour, &mut blue, stats)?;
    while let Some(s) = blue.top() {
        if let Some(edge) = blue.next(graph, stats)? {
            match colour.get(edge.target) {
                Colour::Cyan if graph.accepting(s) || graph.accepting(edge.target) => {
                    return Ok(Some(Lasso::closing(blue.states(), [], edge.target)));
                }
                Colour::White => enter_blue(graph, edge.target, &mut colour, &mut blue, stats)?,
                _ => (),
            }
            continue;
        }
        let mut done = Colour::Blue;
        if graph.accepting(s) {
            if let Some(lasso) = red_search(graph, s, &mut colour, &blue, stats)? {
                return Ok(Some(lasso));
            }
            done = Colour::Red;
        }
        colour.set(s, done, graph.meter())?;
        blue.leave();
    }
    Ok(None)
}

fn enter_blue<G: Graph>(
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
fn red_search<G: Graph>(
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
