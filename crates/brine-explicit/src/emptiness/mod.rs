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

use crate::graph::{Graph, Lasso, SearchStats};
use crate::meter::Stop;
pub use lasso::shorten;

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

    /// Searches for an accepting cycle; `stats` also holds when the search is stopped.
    pub fn search<G: Graph>(
        self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Option<Lasso>, Stop> {
        match self {
            Emptiness::Couvreur => couvreur::search(graph, stats),
            Emptiness::CouvreurState => couvreur_state::search(graph, stats),
            Emptiness::Ndfs => ndfs::search(graph, stats),
            Emptiness::Hpy => hpy::search(graph, stats),
            Emptiness::Gmz => gmz::search(graph, stats),
            Emptiness::Gv => gv::search(graph, stats),
            Emptiness::Tarjan => tarjan::search(graph, stats),
            Emptiness::DfsWeak => dfs_weak::search(graph, stats),
            Emptiness::Reach => reach::search(graph, stats),
        }
    }
}
