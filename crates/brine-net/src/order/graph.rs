//! The bipartite graph of a hypergraph, and breadth-first layers on it.

use super::hypergraph::Hypergraph;
use brine_run::{Pace, Stop};

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

    /// Two vertices far apart in the part that holds `start` (George and Liu's
    /// pseudo-peripheral pair).
    pub(super) fn far_pair(
        &self,
        start: u32,
        search: &mut BreadthFirst,
        pace: &mut Pace<'_>,
    ) -> Result<(u32, u32), Stop> {
        let mut from = start;
        let mut depth = 0;
        loop {
            search.run(self, from, pace)?;
            let BreadthFirst { layers, distance } = &*search;
            let last = layers.last().map_or(0, |&v| distance[v as usize]);
            let end = layers
                .iter()
                .rev()
                .take_while(|&&v| distance[v as usize] == last)
                .min_by_key(|&&v| (self.degree(v), v))
                .copied()
                .unwrap_or(from);
            if last <= depth && depth > 0 {
                return Ok((from, end));
            }
            if last == 0 {
                return Ok((from, from));
            }
            depth = last;
            from = end;
        }
    }
}

/// Breadth-first search, whose tables serve many starts: a net may fall into thousands of parts,
/// and each must cost no more than itself.
pub(super) struct BreadthFirst {
    /// What was reached last, nearest first.
    pub(super) layers: Vec<u32>,
    /// How far it is from the start; `u32::MAX` elsewhere.
    pub(super) distance: Vec<u32>,
}

impl BreadthFirst {
    pub(super) fn new(vertices: usize) -> Self {
        BreadthFirst { layers: Vec::new(), distance: vec![u32::MAX; vertices] }
    }

    /// Searches the part that holds `start`.
    pub(super) fn run(
        &mut self,
        graph: &Bipartite<'_>,
        start: u32,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        let BreadthFirst { layers, distance } = self;
        layers.drain(..).for_each(|v| distance[v as usize] = u32::MAX);
        distance[start as usize] = 0;
        layers.push(start);
        let mut next = 0;
        while next < layers.len() {
            let v = layers[next];
            next += 1;
            pace.steps(1 + graph.degree(v))?;
            for n in graph.neighbours(v) {
                if distance[n as usize] == u32::MAX {
                    distance[n as usize] = distance[v as usize] + 1;
                    layers.push(n);
                }
            }
        }
        Ok(())
    }
}
