//! What every long computation obeys: one clock, one memory budget, one way to be called off.
//!
//! A [`Control`] says when to stop; a [`Pace`] looks at it now and then while one pass works;
//! a [`Stop`] says why it stopped. Nothing here knows nets, formulas or diagrams. Beside them:
//! several attempts at once ([`side_by_side`]), stacks for deep recursion
//! ([`with_deep_stack`]), and the memory of the process ([`resident_bytes`]).

mod control;
mod memory;
mod pace;
mod side_by_side;
mod stack;
mod stop;

pub use control::{Control, Watch};
pub use memory::{peak_resident_bytes, resident_bytes};
pub use pace::Pace;
pub use side_by_side::{Attempt, side_by_side};
pub use stack::with_deep_stack;
pub use stop::Stop;
