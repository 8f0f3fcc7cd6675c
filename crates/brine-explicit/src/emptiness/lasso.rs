//! The extra search that turns "this component is accepting" into a cycle (SE05 section 4.2).
//!
//! Breadth first inside the component: from the start to the nearest edge that carries a mark
//! still missing, from its target to the next one, and in the end the nearest way back to the
//! start. Each leg is shortest, so the cycle is short though not always shortest.
//! Cost: (number of marks + 1) times the component.
//!
//! The same breadth-first walk shortens a lasso that is already known, within a limit on the
//! number of states it may look at.

use crate::graph::{Cursor, Edge, Graph, GraphStateId, Lasso};
use brine_run::Stop;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Bytes charged for each entry of the breadth-first search's table and queue.
const BYTES_PER_ENTRY: u64 = 24;

impl Lasso {
    /// The lasso of a nested search: an edge leads from the end of `stack`, prolonged by
    /// `tail`, back to the state `to` of the stack.
    pub(crate) fn closing(
        stack: impl IntoIterator<Item = GraphStateId>,
        tail: impl IntoIterator<Item = GraphStateId>,
        to: GraphStateId,
    ) -> Lasso {
        let mut prefix: Vec<GraphStateId> = stack.into_iter().collect();
        let at = prefix.iter().rposition(|&s| s == to).unwrap_or(0);
        let mut cycle = prefix.split_off(at);
        cycle.extend(tail);
        Lasso { prefix, cycle }
    }
}

/// What a walk may look at.
#[derive(Clone, Copy)]
struct CycleWalk<'f> {
    inside: &'f dyn Fn(GraphStateId) -> bool,
    /// Most states to see in one leg.
    limit: usize,
}

/// A cycle from `start` to itself, through states that pass `inside`, whose edges carry all
/// of `marks`. Such a cycle must exist.
pub(super) fn accepting_cycle<G: Graph>(
    graph: &mut G,
    start: GraphStateId,
    marks: u64,
    inside: &dyn Fn(GraphStateId) -> bool,
) -> Result<Vec<GraphStateId>, Stop> {
    let cycle = find_cycle(graph, start, marks, CycleWalk { inside, limit: usize::MAX })?;
    debug_assert!(cycle.is_some(), "the component is not strongly connected");
    Ok(cycle.unwrap_or_default())
}

fn find_cycle<G: Graph>(
    graph: &mut G,
    start: GraphStateId,
    marks: u64,
    walk: CycleWalk<'_>,
) -> Result<Option<Vec<GraphStateId>>, Stop> {
    let mut cycle = Vec::new();
    let (mut at, mut missing) = (start, marks);
    while missing != 0 {
        let wanted = |e: Edge| e.marks & missing != 0;
        let Some(edge) = walk.leg(graph, at, &wanted, &mut cycle)? else { return Ok(None) };
        missing &= !edge.marks;
        at = edge.target;
    }
    // Already back, by at least one edge: done. Otherwise walk home.
    if at != start || cycle.is_empty() {
        let home = |e: Edge| e.target == start;
        if walk.leg(graph, at, &home, &mut cycle)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(cycle))
}

/// Tries to make a lasso shorter: a shortest way to one of its states, and a shorter cycle
/// through that state, each looked for among at most `limit` states. With `weak`, acceptance
/// is that of the states (see `dfs_weak`), else that of the marks on edges.
pub fn shorten<G: Graph>(
    graph: &mut G,
    mut lasso: Lasso,
    weak: bool,
    limit: usize,
) -> Result<Lasso, Stop> {
    let on_cycle: FxHashMap<GraphStateId, usize> =
        lasso.cycle.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    // The prefix may run along the cycle already.
    if let Some(first) = lasso.prefix.iter().position(|s| on_cycle.contains_key(s)) {
        let home = on_cycle[&lasso.prefix[first]];
        lasso.prefix.truncate(first);
        lasso.cycle.rotate_left(home);
    }
    let on_cycle: FxHashMap<GraphStateId, usize> =
        lasso.cycle.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    if !lasso.prefix.is_empty() {
        let initial = graph.initial()?;
        let mut way = Vec::new();
        let arrives = |e: Edge| on_cycle.contains_key(&e.target);
        let walk = CycleWalk { inside: &|_| true, limit };
        if let Some(edge) = walk.leg(graph, initial, &arrives, &mut way)?
            && way.len() < lasso.prefix.len()
        {
            lasso.prefix = way;
            lasso.cycle.rotate_left(on_cycle[&edge.target]);
        }
    }
    let marks = if weak { 0 } else { graph.all_marks() };
    let walk = CycleWalk { inside: &|_| true, limit };
    let shorter = find_cycle(graph, lasso.cycle[0], marks, walk)?;
    if let Some(cycle) = shorter.filter(|c| c.len() < lasso.cycle.len()) {
        lasso.cycle = cycle;
    }
    Ok(lasso)
}

impl CycleWalk<'_> {
    /// Appends to `path` the states from `from` to the source of the nearest wanted edge that
    /// stays inside, and returns that edge.
    fn leg<G: Graph>(
        self,
        graph: &mut G,
        from: GraphStateId,
        wanted: &dyn Fn(Edge) -> bool,
        path: &mut Vec<GraphStateId>,
    ) -> Result<Option<Edge>, Stop> {
        let mut parent: FxHashMap<GraphStateId, GraphStateId> = FxHashMap::default();
        parent.insert(from, from);
        let found = self.breadth_first(graph, from, wanted, &mut parent);
        graph.meter().refund(BYTES_PER_ENTRY * (parent.len() as u64 - 1));
        let Some((mut s, edge)) = found? else { return Ok(None) };
        let first = path.len();
        path.push(s);
        while s != from {
            s = parent[&s];
            path.push(s);
        }
        path[first..].reverse();
        Ok(Some(edge))
    }

    fn breadth_first<G: Graph>(
        self,
        graph: &mut G,
        from: GraphStateId,
        wanted: &dyn Fn(Edge) -> bool,
        parent: &mut FxHashMap<GraphStateId, GraphStateId>,
    ) -> Result<Option<(GraphStateId, Edge)>, Stop> {
        let mut queue = vec![from];
        let mut next = 0;
        while next < queue.len() && queue.len() < self.limit {
            let s = queue[next];
            let mut cursor = Cursor::default();
            while let Some(edge) = graph.next(s, &mut cursor)? {
                if !(self.inside)(edge.target) {
                    continue;
                }
                if wanted(edge) {
                    return Ok(Some((s, edge)));
                }
                if let Entry::Vacant(entry) = parent.entry(edge.target) {
                    graph.meter().charge(BYTES_PER_ENTRY)?;
                    entry.insert(s);
                    queue.push(edge.target);
                }
            }
            next += 1;
        }
        Ok(None)
    }
}
