//! LTL formulas, Büchi automata, HOA.
//!
//! Text becomes a hash-consed [`Formula`] in a [`Formulas`] store;
//! [`translate`] makes an [`Automaton`] of it, a plain value for engines. A [`Translator`]
//! answers further questions about the same formula. For model checking, translate the
//! negation. How it works and how it is tested: `docs/ltl.md`.
//!
//! ```
//! use brine_ltl::{Formulas, Options, Symbols, parse, translate};
//! let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
//! let property = parse("G(request -> F grant)", &mut formulas, &mut symbols).unwrap();
//! let violations = formulas.not(property);
//! let automaton = translate(&formulas, violations, &Options::default()).unwrap();
//! assert_eq!(automaton.num_states(), 2);
//! ```

mod acceptance;
mod analysis;
mod atom;
mod automaton;
mod bounded;
mod components;
mod constant;
mod cover;
mod ctl;
mod degeneralise;
mod error;
mod formula;
mod hints;
mod hoa;
mod hoa_atoms;
mod hoa_read;
mod implication;
mod knowledge;
mod language;
mod lasso;
mod letters;
mod lexer;
mod nnf;
mod options;
mod parse;
mod powerset;
mod prefix;
mod print;
mod progress;
mod reading;
mod rules_boolean;
mod rules_temporal;
mod simplify;
mod simulation;
#[cfg(test)]
mod small;
mod stutter;
mod substitute;
mod symbols;
mod syntactic;
mod tableau;
mod tgba;
mod translate;
mod translations;
mod wdba;
mod word;

pub use analysis::{Analysis, Class, Cycles};
pub use atom::{Atom, Comparison, Expression, Linear, Overflow};
pub use automaton::{Automaton, Cube, Edge, Label, LabelId, MAX_ATOMS, MAX_MARKS, StateId};
pub use components::ComponentId;
pub use constant::ConstantWords;
pub use ctl::{Ctl, CtlBuilder, CtlId, CtlNode, Quantifiers, Query, WholeNet};
pub use error::{Error, ParseError};
pub use formula::{AtomId, Binary, Formula, Formulas, ListId, Node};
pub use hoa_read::read_hoa;
pub use language::KnownLanguage;
pub use lasso::{holds_on_lasso, values_on_lasso};
pub use options::{Conjunction, Options};
pub use parse::{parse, parse_query};
pub use prefix::{values_on_prefix, violated_after};
pub use reading::Reading;
pub use symbols::{NameError, NameKind, Named, Symbols};
pub use syntactic::pure_classes;
pub use translate::{Language, Translator, is_stutter_invariant, translate};
pub use translations::{TranslationCounts, Translations};
