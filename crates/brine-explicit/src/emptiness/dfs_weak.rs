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

use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum WeakColour {
    #[default]
    White,
    Cyan,
    Done,
}

/// The check on its way.
#[derive(Debug)]
pub struct DfsWeak {
    colour: Notes<WeakColour>,
    stack: EdgeFrames,
    entering: Option<GraphStateId>,
}

impl DfsWeak {
    pub(super) fn new(initial: GraphStateId) -> Self {
        DfsWeak { colour: Notes::new(), stack: EdgeFrames::new(), entering: Some(initial) }
    }
}

impl Check for DfsWeak {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if let Some(s) = self.entering.take() {
            self.colour.set(s, WeakColour::Cyan, graph.meter())?;
            stats.state();
            self.stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        let Some(edge) = self.stack.next(graph, stats)? else {
            self.colour.set(s, WeakColour::Done, graph.meter())?;
            self.stack.leave();
            return Ok(Continue(()));
        };
        debug_assert!(
            self.colour.get(edge.target) != WeakColour::Cyan
                || graph.accepting(s) == graph.accepting(edge.target),
            "accepting is constant on cycles"
        );
        match self.colour.get(edge.target) {
            WeakColour::Cyan if graph.accepting(s) && graph.accepting(edge.target) => {
                Ok(Break(Some(Lasso::closing(self.stack.states(), [], edge.target))))
            }
            WeakColour::White => {
                self.entering = Some(edge.target);
                Ok(Continue(()))
            }
            _ => Ok(Continue(())),
        }
    }
}

/// Searches for an accepting cycle that is reachable from `start`, however much work it is; the
/// lasso begins there.
pub(super) fn search_from<G: Graph>(
    graph: &mut G,
    start: GraphStateId,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let mut check = DfsWeak::new(start);
    loop {
        if let Break(found) = check.step(graph, stats)? {
            return Ok(found);
        }
    }
}
