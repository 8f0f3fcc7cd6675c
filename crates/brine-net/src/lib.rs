//! Petri nets: the data type every other crate reads, and its structure.
//!
//! [`NetBuilder`] makes a [`Net`]; [`Structure::new`] says what its structure tells: arcs
//! seen from the places, place invariants, bounds, units. Everything in [`Structure`] is
//! proved, so engines may rely on it; a file's own claims (NUPN) are not.

mod arcs;
mod bounds;
mod builder;
mod connected;
mod dead;
mod dependency;
mod dot;
mod facts;
mod fairness;
mod firing;
mod growth;
mod incidence;
mod interner;
pub mod invariants;
mod names;
mod net;
mod nupn;
pub mod order;
mod recurrence;
mod rng;
mod run;
mod structure;
mod units;

pub use bounds::Bounds;
pub use builder::{NetBuilder, NetError};
pub use connected::{NetNode, one_way};
pub use dead::Dead;
pub use dependency::{PlaceDependency, dependencies};
pub use dot::write_dot;
pub use facts::Facts;
pub use fairness::Fairness;
pub use growth::{find_growth, find_growth_within};
pub use incidence::Incidence;
pub use interner::Interner;
pub use names::NodeNames;
pub use net::{Net, Nupn, Place, PlaceId, Transition, TransitionId, Unit};
pub use nupn::{NupnCheck, NupnProblem, UnitSafety, check_nupn, nupn_grouping};
pub use recurrence::Recurrence;
pub use rng::Rng;
pub use run::Run;
pub use structure::Structure;
pub use units::{UnitSource, Units, nupn_units, semiflow_units};
