//! Petri nets: the data type every other crate reads, PNML input, structure.

mod net;
pub mod order;

pub use net::{Net, NetBuilder, NetError, Nupn, Place, PlaceId, Transition, TransitionId, Unit};
