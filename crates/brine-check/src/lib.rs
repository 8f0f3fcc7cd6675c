//! One question, one verdict.
//!
//! [`decide`] turns a [`Property`] into a [`Decision`] with any [`Engine`] under a
//! [`Budget`]; [`state_space`] counts markings in the same ways. Which engine and with which
//! options is said by an [`EngineSpec`]. Engines are never trusted: each violation is replayed
//! by [`brine_replay`], which shares nothing with them but the types of nets and formulas, and
//! panics are caught.
//! Questions are restated before they are asked, and runs lifted back ([`Chain`]).

pub mod analysis;
mod answerer;
mod ask;
mod auto;
mod automaton;
mod branching;
mod budget;
mod certify;
pub mod coloured;
mod decide;
mod diagrams;
mod engine;
mod expanded;
mod explicit;
mod first_steps;
mod follow;
mod home;
mod hunt;
mod model;
mod parts;
mod pins;
mod reduced;
mod restate;
pub mod shorten;
pub mod show;
mod simplify;
mod space;
mod spec;
mod symbolic;
mod verdict;

pub use brine_replay::{ReplayError, replay};

pub use answerer::{
    Answerer, Asked, ColouredAnswerer, ModelAnswerer, NetAnswerer, NoVerdict, TextKind, Turn, waits,
};
pub use ask::{
    Asker, BoundCase, ColouredAsker, PlainAsked, PlainAsker, QueryAnswer, QueryCase, StoredFormula,
};
pub use auto::{Auto, Case, Stages, Tried};
pub use automaton::{Violations, decide_automaton};
pub use branching::{
    AllMarkings, MarkingsAnswer, MarkingsQuestion, MarkingsWays, RecurrenceQuestion,
};
pub use budget::{Budget, Schedule};
pub use certify::{
    Certificate, CertificateFigures, CertifyOptions, NoCertificate, certify, certify_with,
};
pub use decide::{
    AutomatonFacts, DecideError, Decision, Property, RunQuestion, decide, decide_restated,
};
pub use engine::{BadOption, Engine, Question};
pub use explicit::ExplicitEngine;
pub use first_steps::FirstSteps;
pub use follow::{Candidate, FollowedNode};
pub use home::always_returns;
pub use hunt::HuntEngine;
pub use model::{ModelEngine, ModelProperty, ModelSearch, ReplayedModel, replay_model};
pub use pins::PinsEngine;
pub use reduced::{ReducedProperty, class_of};
pub use restate::{Chain, Restatement};
pub use simplify::{Finding, Impossibility, Simplified, SimplifiedFormula, Simplifier};
pub use space::{
    ExplicitSpace, PinsFigures, Reached, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep,
    WidestGroup, explored_space, model_orders, model_space, reduced_space, state_space,
};
pub use spec::{
    Decider, EngineName, EngineOptions, EngineSpec, PinsSpec, SetupError, StageName, UnknownOption,
    parse_emptiness, parse_strategy, parse_strength,
};
pub use symbolic::SymbolicEngine;
pub use verdict::{Reason, Stats, Verdict};
