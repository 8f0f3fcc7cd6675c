//! Must-abstraction (MVDBM16 section 6.2): cycles that are certain.
//!
//! An event that touches one level alone is enabled whatever the levels below are, and leaves
//! them as they are. In the product it moves the automaton as well; so a cycle of such events is a
//! real one only if the automaton goes along and accepts. That can be seen in a small
//! explicit graph over (local state, control state) wherever the letter read is known
//! already, that is, depends neither on the levels below nor on their atoms.
//!
//! *Why it is right.* A path of this graph from (i, q) is a path of the product from every
//! state (i, x, q) of the node, with the same x throughout: saturated nodes are closed, so all its
//! states are in the node. A strongly connected component of the graph that meets every fair
//! set and is reachable from a state that exists is therefore an accepting cycle.

use brine_dd::{NodeId, Stop};
use brine_sat::product::{ControlState, Filter, Product, Region};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;
use rustc_hash::FxHashMap;

use crate::abstraction::LocalComponent;

/// A local state and a control state.
type LocalPair = (u32, ControlState);

/// States of `node` on accepting cycles of events that touch its level alone, above one of
/// the candidates; empty if there is no such cycle.
pub(crate) fn certain_cycle(
    product: &mut Product<'_>,
    region: Region,
    node: NodeId,
    candidates: &[LocalComponent],
) -> Result<NodeId, Stop> {
    for candidate in candidates {
        let graph = local_graph(product, region, candidate)?;
        if graph.edge_count() == 0 {
            continue;
        }
        if let Some((value, q)) = accepting_pair(product, region, node, &graph) {
            let below = product.dd.child(node, value).unwrap_or(NodeId::EMPTY);
            let below = product.select(below, Filter::state(q), region.level.below())?;
            debug_assert!(below != NodeId::EMPTY, "a saturated node is closed");
            return product.dd.make_node(value, below, NodeId::EMPTY);
        }
    }
    Ok(NodeId::EMPTY)
}

/// The graph of the steps that are certain.
fn local_graph(
    product: &mut Product<'_>,
    region: Region,
    candidate: &LocalComponent,
) -> Result<DiGraph<LocalPair, ()>, Stop> {
    let mut graph = DiGraph::new();
    let mut index: FxHashMap<LocalPair, NodeIndex> = FxHashMap::default();
    for &from in &candidate.values {
        product.certain_moves(region, from, |to, successors| {
            if candidate.values.binary_search(&to).is_err() {
                return;
            }
            for (q, targets) in successors.iter().enumerate() {
                for &r in targets {
                    let mut vertex =
                        |p: LocalPair| *index.entry(p).or_insert_with(|| graph.add_node(p));
                    let (a, b) = (vertex((from, ControlState(q as u32))), vertex((to, r)));
                    graph.update_edge(a, b, ());
                }
            }
        })?;
    }
    Ok(graph)
}

/// A pair that exists in the node and lies on an accepting cycle of the graph, or is led to
/// by one that exists.
fn accepting_pair(
    product: &mut Product<'_>,
    region: Region,
    node: NodeId,
    graph: &DiGraph<LocalPair, ()>,
) -> Option<LocalPair> {
    let sets = product.control.fair_sets();
    let accepting = kosaraju_scc(graph).into_iter().filter(|component| {
        let cyclic = component.len() > 1 || graph.find_edge(component[0], component[0]).is_some();
        let meets =
            |j| component.iter().any(|&v| product.control.is_in(graph[v].1, Filter::fair(j)));
        cyclic && (0..sets).all(meets)
    });
    let goals: Vec<NodeIndex> = accepting.flatten().collect();
    if goals.is_empty() {
        return None;
    }
    for start in graph.node_indices() {
        let (value, q) = graph[start];
        let below = product.dd.child(node, value).unwrap_or(NodeId::EMPTY);
        if !product.has(below, Filter::state(q), region.level.below()) {
            continue;
        }
        let mut dfs = Dfs::new(graph, start);
        while let Some(v) = dfs.next(graph) {
            if goals.contains(&v) {
                return Some(graph[v]);
            }
        }
    }
    None
}
