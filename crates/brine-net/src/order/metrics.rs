//! Cheap predictors of how good an order is.

use super::hypergraph::Hypergraph;

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
