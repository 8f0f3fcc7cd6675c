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

use super::dfs_weak;
use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

/// Searches for an accepting state, and completes the run that leads there.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut seen: Notes<bool> = Notes::new();
    let mut stack = Frames::new();
    let mut entering = Some(graph.initial()?);
    loop {
        if let Some(s) = entering.take() {
            seen.set(s, true, graph.meter())?;
            stats.state();
            stack.enter(s, graph.meter(), stats)?;
            if graph.accepting(s) {
                return complete(graph, s, &stack);
            }
        }
        if stack.top().is_none() {
            return Ok(None);
        }
        match stack.next(graph, stats)? {
            Some(edge) if !seen.get(edge.target) => entering = Some(edge.target),
            Some(_) => (),
            None => drop(stack.leave()),
        }
    }
}

/// The way to `s`, the top of the stack, followed by an accepting lasso from `s`.
fn complete<G: Graph>(graph: &mut G, s: StateId, stack: &Frames) -> Result<Option<Lasso>, Stop> {
    let mut prefix: Vec<StateId> = stack.states().take(stack.len() - 1).collect();
    let rest = dfs_weak::search_from(graph, s, &mut SearchStats::default())?;
    Ok(rest.map(|rest| {
        prefix.extend(rest.prefix);
        Lasso { prefix, cycle: rest.cycle }
    }))
}
