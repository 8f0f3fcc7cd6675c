//! Node-wise abstraction (MVDBM16 section 6.2): the arcs of one node as a small graph.
//!
//! The vertices are the local states of a saturated node of level k; there is an arc from
//! i to i' if events with top k led from states with i to states with i'. A cycle of the
//! product that uses such events projects to a cycle of this graph (an event that leaves
//! the local state alone is a loop). So if the graph has no cycle, the node has none that its
//! children did not have (Theorem 3); and only steps along arcs inside strongly connected
//! components of the graph can lie on one (Corollary 3).

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// A strongly connected component of the abstraction that has an arc inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LocalComponent {
    /// Its local states, ascending.
    pub(crate) values: Vec<u32>,
}

/// The candidates among the arcs `(from, to)`, in the order of their smallest members.
pub(crate) fn candidates(arcs: &[(u32, u32)]) -> Vec<LocalComponent> {
    let mut graph = DiGraph::<u32, ()>::new();
    let mut index: FxHashMap<u32, NodeIndex> = FxHashMap::default();
    let mut loops: Vec<u32> = Vec::new();
    for &(from, to) in arcs {
        if from == to {
            loops.push(from);
        }
        let mut vertex = |v: u32| *index.entry(v).or_insert_with(|| graph.add_node(v));
        let (from, to) = (vertex(from), vertex(to));
        graph.add_edge(from, to, ());
    }
    let mut found: Vec<LocalComponent> = kosaraju_scc(&graph)
        .into_iter()
        .map(|component| {
            let mut values: Vec<u32> = component.into_iter().map(|n| graph[n]).collect();
            values.sort_unstable();
            LocalComponent { values }
        })
        .filter(|c| c.values.len() > 1 || loops.contains(&c.values[0]))
        .collect();
    found.sort_unstable_by(|a, b| a.values.cmp(&b.values));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(arcs: &[(u32, u32)]) -> Vec<Vec<u32>> {
        candidates(arcs).into_iter().map(|c| c.values).collect()
    }

    #[test]
    fn cycles_and_loops_are_candidates_and_nothing_else() {
        assert!(values(&[]).is_empty());
        assert!(values(&[(0, 1), (1, 2), (0, 2)]).is_empty());
        assert_eq!(values(&[(3, 3)]), [[3]]);
        assert_eq!(
            values(&[(2, 0), (0, 1), (1, 2), (2, 5), (5, 5), (5, 6)]),
            [vec![0, 1, 2], vec![5]]
        );
    }
}
