//! Petri nets: the data type every other crate reads, PNML input, structure.

mod net;
pub mod order;
pub mod pnml;
pub mod xml;

pub use net::{Net, NetBuilder, NetError, Nupn, Place, PlaceId, Transition, TransitionId, Unit};
pub use pnml::{ReadError, read_pnml, read_pnml_from};
