//! One plain depth-first search, for weak automata (SE05 section 5.1).
//!
//! ```text
//! dfs(s): cyan
//!   for t in post(s):
//!     if t cyan and s, t accepting: report
//!     if t white: dfs(t)
//!   s done
//! ```
//!
//! In a weak automaton every cycle lies in one part whose states are all accepting or all
//! not, so the red search of the nested algorithm never finds anything that the blue one
//! did not. It reports a cycle as soon as all its transitions are explored: the accepting
//! state that closes it is either cyan or belongs to a part that has no accepting cycle.
//!
//! [`Graph::accepting`] must be constant on cycles. Every transition is generated once.

use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Colour {
    #[default]
    White,
    Cyan,
    Done,
}

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let initial = graph.initial()?;
    search_from(graph, initial, stats)
}

/// Searches for an accepting cycle that is reachable from `start`; the lasso begins there.
pub(super) fn search_from<G: Graph>(
    graph: &mut G,
    start: StateId,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let mut colour: Notes<Colour> = Notes::new();
    let mut stack = Frames::new();
    enter(graph, start, &mut colour, &mut stack, stats)?;
    while let Some(s) = stack.top() {
        let Some(edge) = stack.next(graph, stats)? else {
            colour.set(s, Colour::Done, graph.meter())?;
            stack.leave();
            continue;
        };
        match colour.get(edge.target) {
            Colour::Cyan if graph.accepting(s) && graph.accepting(edge.target) => {
                return Ok(Some(Lasso::closing(stack.states(), [], edge.target)));
            }
            Colour::White => enter(graph, edge.target, &mut colour, &mut stack, stats)?,
            _ => (),
        }
    }
    Ok(None)
}

fn enter<G: Graph>(
    graph: &mut G,
    s: StateId,
    colour: &mut Notes<Colour>,
    stack: &mut Frames,
    stats: &mut SearchStats,
) -> Result<(), Stop> {
    colour.set(s, Colour::Cyan, graph.meter())?;
    stats.state();
    stack.enter(s, graph.meter(), stats)
}
