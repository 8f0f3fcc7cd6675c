//! Cuthill-McKee bandwidth reduction (1969).
//!
//! Breadth-first from a peripheral vertex, neighbours in order of their degree.

use super::graph::{Bipartite, BreadthFirst};
use super::hypergraph::Hypergraph;
use brine_run::{Pace, Stop};

/// Orders the vertices of the hypergraph.
pub(super) fn cuthill_mckee(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let graph = Bipartite::new(h);
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::new();
    let mut search = BreadthFirst::new(graph.len());
    for seed in 0..h.vertex_count() as u32 {
        if seen[seed as usize] {
            continue;
        }
        let (start, _) = graph.far_pair(seed, &mut search, pace)?;
        let mut queue = vec![start];
        seen[start as usize] = true;
        let mut next = 0;
        while next < queue.len() {
            let v = queue[next];
            next += 1;
            pace.steps(1 + graph.degree(v))?;
            let mut fresh: Vec<u32> = graph.neighbours(v).filter(|&n| !seen[n as usize]).collect();
            fresh.sort_by_key(|&n| (graph.degree(n), n));
            fresh.iter().for_each(|&n| seen[n as usize] = true);
            queue.extend(fresh);
        }
        order.extend(queue.into_iter().filter(|&v| graph.is_vertex(v)));
    }
    Ok(order)
}
