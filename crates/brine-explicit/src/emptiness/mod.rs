//! The emptiness checks of SE05, one file each, over one graph interface.
//!
//! | name | file | acceptance | reports a cycle |
//! |---|---|---|---|
//! | `couvreur` | `couvreur` | any | when its last transition is explored |
//! | `couvreur-state` | `couvreur_state` | state-based | when its last transition is explored |
//! | `gv` | `gv` | state-based | when its last transition is explored |
//! | `tarjan` | `tarjan` | any | when its component is complete |
//! | `ndfs` | `ndfs` | state-based | in the blue or the red search |
//! | `hpy`, `gmz` | `hpy`, `gmz` | state-based | in the red search (GMZ: sometimes in the blue one) |
//! | `dfs-weak` | `dfs_weak` | weak automata | when its last transition is explored |
//! | `reach` | `reach` | terminal automata | when an accepting state is reached |
//!
//! A check is a value that is advanced step by step ([`CycleSearch`]), so a search can be left
//! between two steps, when its work is done, and taken up again. One that anything else ended may
//! have been in the middle of a step: it is of no use any more.

pub mod couvreur;
pub mod couvreur_state;
pub mod dfs_weak;
pub mod gmz;
pub mod gv;
pub mod hpy;
mod lasso;
pub mod ndfs;
mod nested;
mod numbers;
pub mod reach;
pub mod tarjan;

use crate::graph::{Graph, GraphStateId, Lasso, SearchStats};
use brine_run::Stop;
use couvreur::Couvreur;
use couvreur_state::CouvreurState;
use dfs_weak::DfsWeak;
use gmz::Gmz;
use gv::Gv;
use hpy::Hpy;
pub use lasso::shorten;
use ndfs::Ndfs;
pub(crate) use numbers::{NEW, Numbers, REMOVED};
use reach::Reach;
use std::ops::ControlFlow;
use tarjan::Tarjan;

/// An emptiness check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Emptiness {
    /// Couvreur's, transition-based and generalised.
    Couvreur,
    /// Couvreur's, state-based (SE05 figure 5).
    CouvreurState,
    /// The new nested search (SE05 figure 3).
    Ndfs,
    /// The nested search of Holzmann, Peled and Yannakakis.
    Hpy,
    /// The nested search of Gastin, Moro and Zeitoun.
    Gmz,
    /// Geldenhuys and Valmari's.
    Gv,
    /// Tarjan's.
    Tarjan,
    /// One depth-first search.
    DfsWeak,
    /// Reachability of an accepting state.
    Reach,
}

/// The automata that a check can deal with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// Any number of acceptance sets, on transitions.
    Generalised,
    /// One acceptance set, on states.
    StateBased,
    /// Weak automata: no component has both accepting and other states.
    Weak,
    /// Terminal automata: accepting states accept whatever follows.
    Terminal,
}

impl Emptiness {
    /// All checks.
    pub const ALL: [Emptiness; 9] = [
        Emptiness::Couvreur,
        Emptiness::CouvreurState,
        Emptiness::Ndfs,
        Emptiness::Hpy,
        Emptiness::Gmz,
        Emptiness::Gv,
        Emptiness::Tarjan,
        Emptiness::DfsWeak,
        Emptiness::Reach,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Emptiness::Couvreur => "couvreur",
            Emptiness::CouvreurState => "couvreur-state",
            Emptiness::Ndfs => "ndfs",
            Emptiness::Hpy => "hpy",
            Emptiness::Gmz => "gmz",
            Emptiness::Gv => "gv",
            Emptiness::Tarjan => "tarjan",
            Emptiness::DfsWeak => "dfs-weak",
            Emptiness::Reach => "reach",
        }
    }

    /// The check of that name.
    pub fn from_name(name: &str) -> Option<Emptiness> {
        Emptiness::ALL.into_iter().find(|e| e.name() == name)
    }

    /// The automata that the check can deal with.
    pub fn accepts(self) -> Accepts {
        match self {
            Emptiness::Couvreur | Emptiness::Tarjan => Accepts::Generalised,
            Emptiness::DfsWeak => Accepts::Weak,
            Emptiness::Reach => Accepts::Terminal,
            _ => Accepts::StateBased,
        }
    }

    /// A search from the initial state of a graph.
    pub fn begin(self, initial: GraphStateId) -> CycleSearch {
        match self {
            Emptiness::Couvreur => CycleSearch::Couvreur(Couvreur::new(initial)),
            Emptiness::CouvreurState => CycleSearch::CouvreurState(CouvreurState::new(initial)),
            Emptiness::Ndfs => CycleSearch::Ndfs(Ndfs::new(initial)),
            Emptiness::Hpy => CycleSearch::Hpy(Hpy::new(initial)),
            Emptiness::Gmz => CycleSearch::Gmz(Gmz::new(initial)),
            Emptiness::Gv => CycleSearch::Gv(Gv::new(initial)),
            Emptiness::Tarjan => CycleSearch::Tarjan(Tarjan::new(initial)),
            Emptiness::DfsWeak => CycleSearch::DfsWeak(DfsWeak::new(initial)),
            Emptiness::Reach => CycleSearch::Reach(Reach::new(initial)),
        }
    }

    /// Searches for an accepting cycle; `stats` also holds when the search is stopped.
    pub fn search<G: Graph>(
        self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Option<Lasso>, Stop> {
        let initial = graph.initial()?;
        self.begin(initial).advance(graph, stats)
    }
}

/// Whether a search goes on, or what it found.
type Progress = ControlFlow<Option<Lasso>>;

/// One of the checks on its way.
trait Check {
    /// One step: at most one edge is followed, and what is complete after it is completed.
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop>;

    /// Steps until the end of the search, or of the work.
    #[inline]
    fn advance<G: Graph>(
        &mut self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Option<Lasso>, Stop> {
        loop {
            graph.meter().pause()?;
            if let ControlFlow::Break(found) = self.step(graph, stats)? {
                return Ok(found);
            }
        }
    }
}

/// A search for an accepting cycle, as far as it has come.
#[derive(Debug)]
#[allow(missing_docs, reason = "the variants are those of `Emptiness`")]
pub enum CycleSearch {
    Couvreur(Couvreur),
    CouvreurState(CouvreurState),
    Ndfs(Ndfs),
    Hpy(Hpy),
    Gmz(Gmz),
    Gv(Gv),
    Tarjan(Tarjan),
    DfsWeak(DfsWeak),
    Reach(Reach),
}

impl CycleSearch {
    /// Goes on, in the graph in which it began, until it has found a cycle, or knows that there
    /// is none, or the work of the graph's meter is done. Only after [`Stop::Work`] may it be
    /// advanced again.
    pub fn advance<G: Graph>(
        &mut self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Option<Lasso>, Stop> {
        match self {
            CycleSearch::Couvreur(check) => check.advance(graph, stats),
            CycleSearch::CouvreurState(check) => check.advance(graph, stats),
            CycleSearch::Ndfs(check) => check.advance(graph, stats),
            CycleSearch::Hpy(check) => check.advance(graph, stats),
            CycleSearch::Gmz(check) => check.advance(graph, stats),
            CycleSearch::Gv(check) => check.advance(graph, stats),
            CycleSearch::Tarjan(check) => check.advance(graph, stats),
            CycleSearch::DfsWeak(check) => check.advance(graph, stats),
            CycleSearch::Reach(check) => check.advance(graph, stats),
        }
    }
}
