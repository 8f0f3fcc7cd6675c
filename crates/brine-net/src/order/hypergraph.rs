//! Groups of places as vertices, transitions as hyperedges; or the slots of a model and its
//! steps.

use crate::net::{Net, PlaceId, TransitionId};
use brine_run::{Pace, Stop};

/// Which groups each transition reads and writes.
#[derive(Clone, Debug)]
pub struct Hypergraph {
    /// Groups touched by each transition, ascending; one edge per live transition.
    edges: Vec<Vec<u32>>,
    /// Of each edge, the groups that the transition takes from and puts into.
    pre: Vec<Vec<u32>>,
    post: Vec<Vec<u32>>,
    /// Edges at each vertex.
    at: Vec<Vec<u32>>,
}

impl Hypergraph {
    /// The hypergraph of a net over a partition of its places. Transitions in `dead` can
    /// never fire and have no say.
    pub fn new(
        net: &Net,
        groups: &[Vec<PlaceId>],
        dead: &[TransitionId],
        pace: &mut Pace<'_>,
    ) -> Result<Hypergraph, Stop> {
        let mut alive = vec![true; net.transitions().len()];
        dead.iter().for_each(|t| alive[t.index()] = false);
        let mut group_of = vec![0u32; net.places().len()];
        for (g, places) in groups.iter().enumerate() {
            for p in places {
                group_of[p.index()] = g as u32;
            }
        }
        let touched = |arcs: &[(PlaceId, u32)]| {
            let mut groups: Vec<u32> = arcs.iter().map(|a| group_of[a.0.index()]).collect();
            groups.sort_unstable();
            groups.dedup();
            groups
        };
        let mut h = Hypergraph::without_edges(groups.len());
        for (t, _) in net.transitions().zip(alive).filter(|(_, alive)| *alive) {
            pace.steps(1 + t.pre.len() + t.post.len())?;
            h.add_edge(touched(t.pre), touched(t.post));
        }
        Ok(h)
    }

    /// Vertices and no edges.
    pub fn without_edges(vertices: usize) -> Hypergraph {
        Hypergraph {
            edges: Vec::new(),
            pre: Vec::new(),
            post: Vec::new(),
            at: vec![Vec::new(); vertices],
        }
    }

    /// Adds a step that reads and writes these vertices; both lists ascend.
    pub fn add_edge(&mut self, pre: Vec<u32>, post: Vec<u32>) {
        let ascends = |list: &[u32]| list.windows(2).all(|w| w[0] < w[1]);
        debug_assert!(ascends(&pre) && ascends(&post), "lists of vertices ascend");
        let mut edge: Vec<u32> = pre.iter().chain(&post).copied().collect();
        edge.sort_unstable();
        edge.dedup();
        for &v in &edge {
            self.at[v as usize].push(self.edges.len() as u32);
        }
        self.edges.push(edge);
        self.pre.push(pre);
        self.post.push(post);
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.at.len()
    }

    /// The vertices of each edge, ascending.
    pub fn edges(&self) -> &[Vec<u32>] {
        &self.edges
    }

    /// The edges at a vertex, ascending.
    pub fn edges_at(&self, v: u32) -> &[u32] {
        &self.at[v as usize]
    }

    /// The vertices that an edge takes tokens from.
    pub fn pre(&self, edge: u32) -> &[u32] {
        &self.pre[edge as usize]
    }

    /// The vertices that an edge puts tokens into.
    pub fn post(&self, edge: u32) -> &[u32] {
        &self.post[edge as usize]
    }
}
