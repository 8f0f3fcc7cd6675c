//! Variable orders: which places form which level of a diagram.
//!
//! An order is computed on a [`Hypergraph`]: its vertices are *groups* of places (each
//! group becomes one level), its edges say which groups a transition touches. All
//! heuristics return a permutation of the groups, top level first.

mod candidates;
mod cuthill_mckee;
mod force;
mod graph;
mod hypergraph;
mod louvain;
mod metrics;
mod noack;
mod sloan;
mod spec;
mod swap;

pub use candidates::{Candidate, candidates, candidates_of_hypergraph, candidates_within};
pub use hypergraph::Hypergraph;
pub use metrics::Metrics;
pub use spec::{Grouping, OrderSpec, UnknownOrder};

use crate::net::{Net, PlaceId};
use brine_run::{Pace, Stop};

/// Which places form which level, lowest level first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// `levels[i]` are the places of level `i + 1`.
    pub levels: Vec<Vec<PlaceId>>,
}

impl Layout {
    /// One place a level, the first place of the net at the top.
    pub fn as_given(net: &Net) -> Layout {
        Layout { levels: net.place_ids().rev().map(|p| vec![p]).collect() }
    }

    /// The groups in the order of `permutation`, top level first.
    pub fn new(groups: &[Vec<PlaceId>], permutation: &[u32]) -> Layout {
        Layout { levels: permutation.iter().rev().map(|&g| groups[g as usize].clone()).collect() }
    }
}

/// A heuristic for ordering groups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// In the order of the file.
    Given,
    /// FORCE: hyperedges pull their vertices together (Aloul, Markov, Sakallah 2003).
    Force,
    /// Sloan's profile reduction on the bipartite graph of groups and transitions.
    Sloan,
    /// Noack's greedy order: next comes the place most tied to those already placed.
    Noack,
    /// Cuthill-McKee bandwidth reduction on the bipartite graph.
    CuthillMcKee,
    /// Sloan's order with column swaps by the read-before-write cost of MKBP14.
    Swap,
    /// Clusters by the method of Louvain, each kept together.
    Louvain,
}

impl Heuristic {
    /// Those that take part in trials, one after the other. Clusters do not: with them the panel of
    /// state spaces took as long and no more was counted (docs/experiments/orders.md).
    pub(crate) const CANDIDATES: [Heuristic; 6] = [
        Heuristic::Given,
        Heuristic::Force,
        Heuristic::Sloan,
        Heuristic::Noack,
        Heuristic::CuthillMcKee,
        Heuristic::Swap,
    ];

    /// All heuristics.
    pub const ALL: [Heuristic; 7] = [
        Heuristic::Given,
        Heuristic::Force,
        Heuristic::Sloan,
        Heuristic::Noack,
        Heuristic::CuthillMcKee,
        Heuristic::Swap,
        Heuristic::Louvain,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Given => "given",
            Heuristic::Force => "force",
            Heuristic::Sloan => "sloan",
            Heuristic::Noack => "noack",
            Heuristic::CuthillMcKee => "cuthill-mckee",
            Heuristic::Swap => "swap",
            Heuristic::Louvain => "louvain",
        }
    }

    /// Orders the vertices of the hypergraph, top level first.
    pub fn order(self, h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
        let order = match self {
            Heuristic::Given => Ok(given(h)),
            Heuristic::Force => force::force(h, &given(h), pace),
            Heuristic::Sloan => sloan::sloan(h, pace),
            Heuristic::Noack => noack::noack(h, pace),
            Heuristic::CuthillMcKee => cuthill_mckee::cuthill_mckee(h, pace),
            Heuristic::Swap => swap::swap(h, pace),
            Heuristic::Louvain => louvain::louvain(h, pace),
        }?;
        debug_assert!(is_permutation(&order, h.vertex_count()), "{} lost a group", self.name());
        Ok(order)
    }
}

/// Is each number below `n` there, once?
fn is_permutation(order: &[u32], n: usize) -> bool {
    let mut seen = vec![false; n];
    order.len() == n && order.iter().all(|&v| !std::mem::replace(&mut seen[v as usize], true))
}

/// The vertices as they come.
fn given(h: &Hypergraph) -> Vec<u32> {
    (0..h.vertex_count() as u32).collect()
}
