//! LTL through the interface: the product of a model and an automaton is a model again.
//!
//! [`check`] asks whether a model has a run that an automaton of violations accepts. The
//! automaton's state becomes one more slot (`product`), the explorer computes the
//! reachable product states like those of any model, and accepting cycles are looked for in
//! them by a hull. Runs that end in a dead state repeat it for ever. A violation comes with a
//! run.
//!
//! - `product`: the product as a [`crate::Pins`] model.
//! - `hull`: Emerson and Lei's hull of accepting cycles, forward.
//! - `lasso`: from a violation to a run; `predecessor`: one step back.

mod check;
mod hull;
mod lasso;
mod predecessor;
mod product;

pub use check::{PinsAnswer, PinsQuestion, PinsSearchFigures, check};
pub use product::PinsProduct;
