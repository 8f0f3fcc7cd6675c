//! Reachability, for terminal automata (SE05 section 5.1).
//!
//! In a terminal automaton whatever is read from an accepting state is accepted, and every
//! marking has a successor (a dead one stutters). So the language is nonempty exactly when
//! an accepting product state is reachable. From that state on any infinite run will do; a
//! second depth-first search, which meets accepting states only, closes the cycle.
//!
//! The order is depth first: breadth first would give a shortest way, but violations that
//! are near are found by the probe before this search starts, and what is far away is better
//! looked for in another order than the probe's.
//!
//! One bit a state; every transition is generated once.

use super::{Check, Progress, dfs_weak};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

/// The check on its way.
#[derive(Debug)]
pub struct Reach {
    seen: Notes<bool>,
    stack: EdgeFrames,
    entering: Option<GraphStateId>,
}

impl Reach {
    pub(super) fn new(initial: GraphStateId) -> Self {
        Reach { seen: Notes::new(), stack: EdgeFrames::new(), entering: Some(initial) }
    }
}

impl Check for Reach {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if let Some(s) = self.entering.take() {
            self.seen.set(s, true, graph.meter())?;
            stats.state();
            self.stack.enter(s, graph.meter(), stats)?;
            if graph.accepting(s) {
                return complete(graph, s, &self.stack).map(Break);
            }
        }
        if self.stack.top().is_none() {
            return Ok(Break(None));
        }
        match self.stack.next(graph, stats)? {
            Some(edge) if !self.seen.get(edge.target) => self.entering = Some(edge.target),
            Some(_) => (),
            None => drop(self.stack.leave()),
        }
        Ok(Continue(()))
    }
}

/// The way to `s`, the top of the stack, followed by an accepting lasso from `s`.
fn complete<G: Graph>(
    graph: &mut G,
    s: GraphStateId,
    stack: &EdgeFrames,
) -> Result<Option<Lasso>, Stop> {
    let mut prefix: Vec<GraphStateId> = stack.states().take(stack.len() - 1).collect();
    let rest = dfs_weak::search_from(graph, s, &mut SearchStats::default())?;
    Ok(rest.map(|rest| {
        prefix.extend(rest.prefix);
        Lasso { prefix, cycle: rest.cycle }
    }))
}
