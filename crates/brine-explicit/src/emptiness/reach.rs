//! Reachability, for terminal automata (SE05 section 5.1).
//!
//! In a terminal automaton whatever is read from an accepting state is accepted, and every
//! marking has a successor (a dead one stutters). So the language is nonempty exactly when
//! an accepting product state is reachable. The search is breadth first: the way there is a
//! shortest one. From the accepting state on, any infinite run will do; a depth-first walk
//! closes the cycle.
//!
//! Memory: a parent per state and the queue. Every transition is generated once.

use super::dfs_weak;
use crate::graph::{Cursor, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

/// Searches for an accepting state, and completes the run that leads there.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    // Parents are stored plus one; 0 means not seen.
    let mut parent: Notes<u32> = Notes::new();
    let mut queue: Vec<StateId> = Vec::new();
    let initial = graph.initial()?;
    parent.set(initial, initial + 1, graph.meter())?;
    graph.meter().push(&mut queue, initial)?;
    stats.state();
    let mut next = 0;
    while next < queue.len() {
        let s = queue[next];
        if graph.accepting(s) {
            return complete(graph, s, &parent);
        }
        let mut cursor = Cursor::default();
        while let Some(edge) = graph.next(s, &mut cursor)? {
            stats.transitions += 1;
            if parent.get(edge.target) == 0 {
                parent.set(edge.target, s + 1, graph.meter())?;
                graph.meter().push(&mut queue, edge.target)?;
                stats.state();
                stats.reached_stack(queue.len() - next);
            }
        }
        next += 1;
    }
    Ok(None)
}

/// The way to `s`, followed by an accepting lasso from `s`.
fn complete<G: Graph>(
    graph: &mut G,
    s: StateId,
    parent: &Notes<u32>,
) -> Result<Option<Lasso>, Stop> {
    let mut prefix = Vec::new();
    let mut at = s;
    while parent.get(at) - 1 != at {
        at = parent.get(at) - 1;
        prefix.push(at);
    }
    prefix.reverse();
    let Some(rest) = dfs_weak::search_from(graph, s, &mut SearchStats::default())? else {
        return Ok(None);
    };
    prefix.extend(rest.prefix);
    Ok(Some(Lasso { prefix, cycle: rest.cycle }))
}
