//! Cheap predictors of how good an order is.
//!
//! Events want short spans: an image copies what lies between the highest and the
//! lowest level that it touches. Places of one P-semiflow want to be close, too: a
//! diagram must remember, at every level between the first and the last of them, how
//! many tokens are still to come (the idea behind the iRank metric of Amparore,
//! Ciardo, Donatelli and Miner, TACAS 2019). Their product predicts better than either:
//! `docs/experiments/orders.md`.

use super::hypergraph::Hypergraph;
use crate::invariants::Semiflow;
use crate::net::PlaceId;

/// Sums over all events; smaller is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Metrics {
    /// Sum of event spans: levels from the highest to the lowest one touched.
    pub span: u64,
    /// Sum of top levels, counted from the bottom.
    pub tops: u64,
}

impl Metrics {
    /// Measures the order `permutation` (top level first).
    pub fn new(h: &Hypergraph, permutation: &[u32]) -> Metrics {
        let n = permutation.len();
        let mut level = vec![0u64; n];
        for (i, &v) in permutation.iter().enumerate() {
            level[v as usize] = (n - i) as u64;
        }
        let mut m = Metrics { span: 0, tops: 0 };
        for edge in h.edges() {
            let top = edge.iter().map(|&v| level[v as usize]).max();
            let bottom = edge.iter().map(|&v| level[v as usize]).min();
            if let (Some(top), Some(bottom)) = (top, bottom) {
                m.span += top - bottom + 1;
                m.tops += top;
            }
        }
        m
    }
}

/// Semiflows beyond this many are not looked at: they cost time and tell little new.
const FLOWS: usize = 2000;

/// Mean span of the semiflows when `groups` come in this order, relative to the number of
/// levels; 1 when there are none.
pub(super) fn flow_span(groups: &[Vec<PlaceId>], order: &[u32], flows: &[Semiflow]) -> f64 {
    let places = groups.iter().map(Vec::len).sum();
    let mut level_of = vec![0usize; places];
    for (level, &group) in order.iter().rev().enumerate() {
        groups[group as usize].iter().for_each(|p| level_of[p.index()] = level);
    }
    let spans = flows.iter().take(FLOWS).filter_map(|flow| {
        let at = || flow.weights.iter().map(|w| level_of[w.0.index()]);
        Some(at().max()? - at().min()? + 1)
    });
    let (count, sum) = spans.fold((0, 0), |(count, sum), span| (count + 1, sum + span));
    if count == 0 { 1.0 } else { sum as f64 / (count * order.len()) as f64 }
}
