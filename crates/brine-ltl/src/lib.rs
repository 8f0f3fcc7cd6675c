//! LTL formulas, Büchi automata, HOA.
//!
//! Text or contest XML becomes a hash-consed [`Formula`] in a [`Formulas`] store.

mod acceptance;
mod atom;
mod automaton;
mod error;
mod formula;
mod lasso;
mod letters;
mod lexer;
mod mcc;
mod nnf;
mod parse;
mod print;
mod simulation;
mod symbols;
mod tableau;
mod tgba;
mod translate;
mod word;

pub use atom::{Atom, Comparison, Expression, Linear, Overflow};
pub use automaton::{Automaton, Class, Cube, Edge, Label, LabelId, MAX_ATOMS, MAX_MARKS, StateId};
pub use error::{Error, ParseError};
pub use formula::{AtomId, Binary, Formula, Formulas, ListId, Node};
pub use lasso::holds_on_lasso;
pub use mcc::{Property, read_mcc};
pub use parse::parse;
pub use symbols::{NameError, Symbols};
pub use translate::{Limits, translate};
