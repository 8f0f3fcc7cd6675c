//! The extra search that turns "this component is accepting" into a cycle (SE05 section 4.2).
//!
//! Breadth first inside the component: from the start to the nearest edge that carries a mark
//! still missing, from its target to the next one, and in the end the nearest way back to the
//! start. Each leg is shortest, so the cycle is short though not always shortest.
//! Cost: (number of marks + 1) times the component.

use crate::graph::{Cursor, Edge, Graph, Lasso, Marks, StateId};
use crate::meter::Stop;
use rustc_hash::FxHashMap;

/// Bytes charged for each entry of the breadth-first search's table and queue.
const BYTES_PER_ENTRY: u64 = 24;

impl Lasso {
    /// The lasso of a nested search: an edge leads from the end of `stack`, prolonged by
    /// `tail`, back to the state `to` of the stack.
    pub(crate) fn closing(
        stack: impl IntoIterator<Item = StateId>,
        tail: impl IntoIterator<Item = StateId>,
        to: StateId,
    ) -> Lasso {
        let mut prefix: Vec<StateId> = stack.into_iter().collect();
        let at = prefix.iter().rposition(|&s| s == to).unwrap_or(0);
        let mut cycle = prefix.split_off(at);
        cycle.extend(tail);
        Lasso { prefix, cycle }
    }
}

/// A cycle from `start` to itself, through states that pass `inside`, whose edges carry all
/// of `marks`. Such a cycle must exist.
pub(super) fn accepting_cycle<G: Graph>(
    graph: &mut G,
    start: StateId,
    marks: Marks,
    inside: &dyn Fn(StateId) -> bool,
) -> Result<Vec<StateId>, Stop> {
    let mut cycle = Vec::new();
    let (mut at, mut missing) = (start, marks);
    while missing != 0 {
        let wanted = |e: Edge| e.marks & missing != 0;
        let Some(edge) = walk(graph, at, inside, &wanted, &mut cycle)? else { break };
        missing &= !edge.marks;
        at = edge.target;
    }
    // Already back, by at least one edge: done. Otherwise walk home.
    if at != start || cycle.is_empty() {
        let home = |e: Edge| e.target == start;
        let last = walk(graph, at, inside, &home, &mut cycle)?;
        debug_assert!(last.is_some(), "the component is not strongly connected");
    }
    Ok(cycle)
}

/// Appends to `path` the states from `from` to the source of the nearest wanted edge that
/// stays inside, and returns that edge.
fn walk<G: Graph>(
    graph: &mut G,
    from: StateId,
    inside: &dyn Fn(StateId) -> bool,
    wanted: &dyn Fn(Edge) -> bool,
    path: &mut Vec<StateId>,
) -> Result<Option<Edge>, Stop> {
    let mut parent: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut queue = vec![from];
    parent.insert(from, from);
    let mut found = None;
    let mut next = 0;
    'search: while next < queue.len() {
        let s = queue[next];
        let mut cursor = Cursor::default();
        while let Some(edge) = graph.next(s, &mut cursor)? {
            if !inside(edge.target) {
                continue;
            }
            if wanted(edge) {
                found = Some((s, edge));
                break 'search;
            }
            if let std::collections::hash_map::Entry::Vacant(e) = parent.entry(edge.target) {
                graph.meter().charge(BYTES_PER_ENTRY)?;
                e.insert(s);
                queue.push(edge.target);
            }
        }
        next += 1;
    }
    graph.meter().refund(BYTES_PER_ENTRY * (queue.len() as u64 - 1));
    let Some((mut s, edge)) = found else { return Ok(None) };
    let first = path.len();
    path.push(s);
    while s != from {
        s = parent[&s];
        path.push(s);
    }
    path[first..].reverse();
    Ok(Some(edge))
}
