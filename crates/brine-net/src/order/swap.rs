//! Column swaps by the read-before-write cost of MKBP14 (Algorithms 1 and 2).
//!
//! The cost of an order is the number of triples (transition, level written without
//! being read, level read below it): a read that comes after a write makes the diagrams
//! of a relation wide. The paper tries all swaps of two columns. Swapping *neighbours*
//! changes the cost only for transitions that touch both, so a pass over all
//! neighbouring pairs costs as much as there are such pairs with a transition in
//! common; passes are repeated while the cost falls. We start from Sloan's order, which
//! keeps spans short: the cost itself does not see distances.

use rustc_hash::FxHashMap;

use super::hypergraph::Hypergraph;
use super::sloan;
use brine_run::{Pace, Stop};

/// More passes than this have never lowered the cost by a percent.
const PASSES: usize = 50;
/// Transitions of more levels are left out of the pair table, which is quadratic in them.
const WIDEST: usize = 64;

/// Orders the vertices of the hypergraph.
pub(super) fn swap(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let mut order = sloan::sloan(h, pace)?;
    let cost = pair_costs(h, pace)?;
    let cost_of = |above: u32, below: u32| cost.get(&(above, below)).copied().unwrap_or(0);
    for _ in 0..PASSES {
        let mut improved = false;
        for i in 1..order.len() {
            pace.step()?;
            let (above, below) = (order[i - 1], order[i]);
            if cost_of(below, above) < cost_of(above, below) {
                order.swap(i - 1, i);
                improved = true;
            }
        }
        if !improved {
            break;
        }
    }
    Ok(order)
}

/// For pairs (w, r): how many transitions write `w` without reading it, and read `r`.
fn pair_costs(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<FxHashMap<(u32, u32), u32>, Stop> {
    let mut costs = FxHashMap::default();
    for e in 0..h.edges().len() as u32 {
        let (reads, posts) = (h.pre(e), h.post(e));
        if h.edges()[e as usize].len() > WIDEST {
            continue;
        }
        pace.steps(1 + reads.len() * posts.len())?;
        for &w in posts.iter().filter(|w| reads.binary_search(w).is_err()) {
            for &r in reads {
                *costs.entry((w, r)).or_default() += 1;
            }
        }
    }
    Ok(costs)
}
