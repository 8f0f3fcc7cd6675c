//! What every long computation obeys: one clock, one memory budget, one way to be called off.
//!
//! A [`Control`] says when to stop; a [`Pace`] looks at it now and then while one pass works;
//! a [`Stop`] says why it stopped. Nothing here knows nets, formulas or diagrams.
//!
//! What can be left and taken up again is a [`Search`]; several of them take turns of growing
//! length under a [`Deepening`]. Beside them: several attempts at once ([`side_by_side`]), stacks
//! for deep recursion ([`with_deep_stack`]), the memory of the process ([`resident_bytes`]), and
//! what a search that outlives its maker holds on to ([`Shared`]).

mod control;
mod deepening;
mod memory;
mod pace;
mod search;
mod shared;
mod shelf;
mod side_by_side;
mod stack;
mod stop;

pub use control::{Control, Progress, Stage, Upkeep, Watch};
pub use deepening::{Deepening, GROWTH, Standing, Turn, grown};
pub use memory::{peak_resident_bytes, recent_resident_bytes, resident_bytes, usable_bytes};
pub use pace::Pace;
pub use search::Search;
pub use shared::Shared;
pub use shelf::Shelf;
pub use side_by_side::{Attempt, side_by_side};
pub use stack::with_deep_stack;
pub use stop::Stop;
