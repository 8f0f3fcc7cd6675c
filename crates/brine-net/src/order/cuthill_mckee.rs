//! Cuthill-McKee bandwidth reduction (1969).
//!
//! Breadth-first from a peripheral vertex, neighbours in order of their degree.

use super::graph::Bipartite;
use super::hypergraph::Hypergraph;

/// Orders the vertices of the hypergraph.
pub(super) fn cuthill_mckee(h: &Hypergraph) -> Vec<u32> {
    let graph = Bipartite::new(h);
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::new();
    for seed in 0..h.vertex_count() as u32 {
        if seen[seed as usize] {
            continue;
        }
        let (start, _) = graph.far_pair(seed);
        let mut queue = vec![start];
        seen[start as usize] = true;
        let mut next = 0;
        while next < queue.len() {
            let v = queue[next];
            next += 1;
            let mut fresh: Vec<u32> = graph.neighbours(v).filter(|&n| !seen[n as usize]).collect();
            fresh.sort_by_key(|&n| (graph.degree(n), n));
            fresh.iter().for_each(|&n| seen[n as usize] = true);
            queue.extend(fresh);
        }
        order.extend(queue.into_iter().filter(|&v| graph.is_vertex(v)));
    }
    order
}
