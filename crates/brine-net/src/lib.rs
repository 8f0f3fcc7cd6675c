//! Petri nets: the data type every other crate reads, PNML input, structure.
//!
//! [`read_pnml`] gives a [`Net`] (coloured nets are unfolded); [`Structure::new`] says what its structure tells: arcs
//! seen from the places, place invariants, bounds, units. Everything in [`Structure`] is
//! proved, so engines may rely on it; a file's own claims (NUPN) are not.

mod bounds;
mod coloured;
mod dead;
mod dependency;
mod dot;
mod facts;
pub mod generate;
mod growth;
mod incidence;
pub mod invariants;
mod model;
mod net;
mod nupn;
pub mod order;
pub mod pnml;
mod reach;
pub mod reduce;
pub mod state_equation;
mod structure;
#[cfg(test)]
mod structure_tests;
mod units;
pub mod xml;

pub use bounds::Bounds;
pub use coloured::UnfoldLimits;
pub use dead::Dead;
pub use dependency::{Dependency, dependencies};
pub use dot::write_dot;
pub use facts::Facts;
pub use growth::{Growth, find_growth, find_growth_within};
pub use incidence::Incidence;
pub use model::{Coloured, Model, PlaceGroup, TransitionGroup};
pub use net::{Net, NetBuilder, NetError, Nupn, Place, PlaceId, Transition, TransitionId, Unit};
pub use nupn::{NupnCheck, NupnProblem, UnitSafety, check_nupn, nupn_grouping};
pub use pnml::{
    ReadError, read_model, read_model_from, read_model_from_within, read_model_within, read_pnml,
    read_pnml_from, write_pnml,
};
pub use reach::{StateCounts, count_states, reachable_markings};
pub use structure::Structure;
pub use units::{UnitSource, Units, nupn_units, semiflow_units};
