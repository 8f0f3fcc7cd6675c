//! One question, one verdict.
//!
//! [`decide`] turns a [`Property`] into a [`Decision`] with any [`Engine`] under a
//! [`Budget`]. Engines are never trusted: each violation is replayed by [`replay()`], which
//! shares nothing with them but the types of nets and formulas, and panics are caught.

mod auto;
mod budget;
mod decide;
mod diagrams;
mod engine;
mod explicit;
mod first_steps;
mod hunt;
mod model;
mod pins;
mod reduced;
mod replay;
pub mod show;
mod simplify;
mod symbolic;
mod verdict;

pub use auto::{Auto, Case, Stages, Tried};
pub use budget::{Budget, Schedule};
pub use decide::{AutomatonFacts, DecideError, Decision, Property, decide};
pub use engine::{BadOption, Engine, Question};
pub use explicit::ExplicitEngine;
pub use first_steps::FirstSteps;
pub use hunt::HuntEngine;
pub use model::{ModelEngine, ModelProperty, ModelSearch, replay_model};
pub use pins::PinsEngine;
pub use reduced::{ReducedProperty, class_of};
pub use replay::{ReplayError, replay};
pub use simplify::{Finding, Impossibility, Simplified, Simplifier};
pub use symbolic::SymbolicEngine;
pub use verdict::{Reason, Stats, Verdict, Witness};
