//! Which part of a net is drawn.
//!
//! A drawing of thousands of nodes shows nothing. Of a whole net at most [`DRAWN`] nodes are drawn:
//! the marked places and what is near them. A net that is the part a run touches was chosen
//! already, so more of it is drawn.

use crate::data::DrawnNet;
use crate::layout::Neighbours;

/// Nodes of a whole net that are drawn; larger nets show only a part.
pub const DRAWN: usize = 300;
/// Nodes that are drawn of the part that a run touches.
const DRAWN_OF_RUN: usize = 1500;

/// The neighbours of all nodes: places by their number, then transitions.
pub(crate) fn graph_of(net: &DrawnNet) -> Neighbours {
    let mut graph = vec![Vec::new(); net.places.len() + net.transitions.len()];
    for (t, transition) in net.transitions.iter().enumerate() {
        let t = net.places.len() + t;
        for &(p, _) in transition.takes.iter().chain(&transition.puts) {
            graph[t].push(p);
            graph[p].push(t);
        }
    }
    for neighbours in &mut graph {
        neighbours.sort_unstable();
        neighbours.dedup();
    }
    graph
}

/// The nodes that are drawn, in order: breadth first from the marked places.
pub(crate) fn drawn(net: &DrawnNet, graph: &Neighbours) -> Vec<usize> {
    let limit = if net.is_whole { DRAWN } else { DRAWN_OF_RUN };
    if graph.len() <= limit {
        return (0..graph.len()).collect();
    }
    let mut seen = vec![false; graph.len()];
    let marked = (0..net.places.len()).filter(|&p| net.places[p].tokens > 0);
    let mut nodes: Vec<usize> = marked.take(limit).collect();
    if nodes.is_empty() {
        nodes.push(0);
    }
    nodes.iter().for_each(|&n| seen[n] = true);
    let mut at = 0;
    while at < nodes.len() && nodes.len() < limit {
        for &next in &graph[nodes[at]] {
            if nodes.len() < limit && !std::mem::replace(&mut seen[next], true) {
                nodes.push(next);
            }
        }
        at += 1;
    }
    nodes.sort_unstable();
    nodes
}
