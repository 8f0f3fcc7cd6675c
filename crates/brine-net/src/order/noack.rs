//! Noack's greedy order (1999), with the refinement of Tovchigrechko.
//!
//! The next place is the one most strongly tied to the places already ordered: for
//! each transition around it we score the part of the transition's inputs and outputs
//! that is placed already, and divide by the number of transitions around the place.
//! The first place chosen goes to the bottom.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hypergraph::Hypergraph;
use brine_run::{Pace, Stop};

/// Orders the vertices of the hypergraph.
pub(super) fn noack(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let n = h.vertex_count();
    let mut placed = vec![false; n];
    // How many inputs and outputs of each edge are placed.
    let mut placed_pre = vec![0u32; h.edges().len()];
    let mut placed_post = vec![0u32; h.edges().len()];
    let mut version = vec![0u32; n];
    let mut heap = BinaryHeap::new();
    let score = |v: u32, placed_pre: &[u32], placed_post: &[u32]| -> u64 {
        let edges = h.edges_at(v);
        let mut sum = 0.0;
        for &e in edges {
            let (pre, post) = (h.pre(e), h.post(e));
            let (in_pre, in_post) = (pre.binary_search(&v).is_ok(), post.binary_search(&v).is_ok());
            let part = |placed: u32, all: usize, least: f64| {
                if all == 0 { 0.0 } else { f64::from(placed).max(least) / all as f64 }
            };
            let a = part(placed_pre[e as usize], pre.len(), 0.1);
            let b = part(placed_post[e as usize], post.len(), 0.2);
            if in_post {
                sum += a + b;
            }
            if in_pre {
                sum += a + 2.0 * b;
            }
        }
        (sum / edges.len().max(1) as f64 * 1e9) as u64
    };
    for v in 0..n as u32 {
        pace.steps(1 + h.edges_at(v).len())?;
        heap.push((score(v, &placed_pre, &placed_post), Reverse(v), 0u32));
    }
    let mut order = Vec::with_capacity(n);
    while let Some((_, Reverse(v), stamp)) = heap.pop() {
        pace.step()?;
        if placed[v as usize] || stamp != version[v as usize] {
            continue;
        }
        placed[v as usize] = true;
        order.push(v);
        let mut touched = Vec::new();
        for &e in h.edges_at(v) {
            pace.steps(h.edges()[e as usize].len())?;
            placed_pre[e as usize] += u32::from(h.pre(e).binary_search(&v).is_ok());
            placed_post[e as usize] += u32::from(h.post(e).binary_search(&v).is_ok());
            touched.extend(h.edges()[e as usize].iter().copied().filter(|&u| !placed[u as usize]));
        }
        touched.sort_unstable();
        touched.dedup();
        for u in touched {
            pace.steps(1 + h.edges_at(u).len())?;
            version[u as usize] += 1;
            heap.push((score(u, &placed_pre, &placed_post), Reverse(u), version[u as usize]));
        }
    }
    order.reverse();
    Ok(order)
}
