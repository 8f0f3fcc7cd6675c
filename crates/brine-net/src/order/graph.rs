//! The bipartite graph of a hypergraph, and breadth-first layers on it.

use super::hypergraph::Hypergraph;

/// An undirected graph: vertices of the hypergraph first, then its edges.
pub(super) struct Bipartite<'a> {
    h: &'a Hypergraph,
}

impl<'a> Bipartite<'a> {
    pub(super) fn new(h: &'a Hypergraph) -> Self {
        Bipartite { h }
    }

    pub(super) fn len(&self) -> usize {
        self.h.vertex_count() + self.h.edges().len()
    }

    pub(super) fn is_vertex(&self, v: u32) -> bool {
        (v as usize) < self.h.vertex_count()
    }

    pub(super) fn degree(&self, v: u32) -> usize {
        self.raw(v).len()
    }

    fn raw(&self, v: u32) -> &'a [u32] {
        match (v as usize).checked_sub(self.h.vertex_count()) {
            Some(e) => &self.h.edges()[e],
            None => self.h.edges_at(v),
        }
    }

    pub(super) fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> + use<'a> {
        let shift = if self.is_vertex(v) { self.h.vertex_count() as u32 } else { 0 };
        self.raw(v).iter().map(move |&n| n + shift)
    }

    /// Distances from `start` within its connected part; `u32::MAX` elsewhere.
    pub(super) fn distances(&self, start: u32, layers: &mut Vec<u32>) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.len()];
        distance[start as usize] = 0;
        layers.clear();
        layers.push(start);
        let mut next = 0;
        while next < layers.len() {
            let v = layers[next];
            next += 1;
            for n in self.neighbours(v) {
                if distance[n as usize] == u32::MAX {
                    distance[n as usize] = distance[v as usize] + 1;
                    layers.push(n);
                }
            }
        }
        distance
    }

    /// Two vertices far apart in the part that holds `start` (George and Liu's
    /// pseudo-peripheral pair).
    pub(super) fn far_pair(&self, start: u32) -> (u32, u32) {
        let mut layers = Vec::new();
        let mut from = start;
        let mut depth = 0;
        loop {
            let distance = self.distances(from, &mut layers);
            let last = layers.last().map_or(0, |&v| distance[v as usize]);
            let end = layers
                .iter()
                .rev()
                .take_while(|&&v| distance[v as usize] == last)
                .min_by_key(|&&v| (self.degree(v), v))
                .copied()
                .unwrap_or(from);
            if last <= depth && depth > 0 {
                return (from, end);
            }
            if last == 0 {
                return (from, from);
            }
            depth = last;
            from = end;
        }
    }
}
