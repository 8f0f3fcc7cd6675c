//! The language DVE behind the state-vector interface (`docs/dve.md`).
//!
//! - `lexer`, `parse`, `expression`, `resolve`: from text to a `syntax` tree.
//! - `groups`: which steps there are. `code`, `compile`: what they do, for engines. `guards`: their
//!   conditions one by one, for partial-order reduction.
//! - `interpret`: what they mean, for replay; it shares nothing with the former.
//! - `formula`, `property`: what is asked about a model.
//! - `model`: the [`brine_pins::Pins`] side.

mod code;
mod compile;
mod error;
mod expression;
mod fault;
mod formula;
mod groups;
mod guards;
mod interpret;
mod lexer;
mod model;
mod parse;
mod property;
mod resolve;
mod syntax;

pub use error::DveError;
pub use model::{DveModel, parse};
