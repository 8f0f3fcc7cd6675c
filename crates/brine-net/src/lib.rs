//! Petri nets: the data type every other crate reads, PNML input, structure.

mod net;

pub use net::{Net, NetBuilder, NetError, Nupn, Place, PlaceId, Transition, TransitionId, Unit};
