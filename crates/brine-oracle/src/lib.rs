//! What tests of engines share: an oracle, and random questions to put to it.
//!
//! [`Kripke`], [`holds`] and [`reachable_markings`] are brute force that is too simple to be
//! wrong, [`holds_fairly`] is the same for events and fairness, and [`QuestionGraph`] is the same for CTL, bounds and properties of whole nets. [`nets`], [`commands`], [`mod@dve`] and [`formulas`] draw what is asked, [`mod@shrink`] makes a question that fails
//! small enough to be understood, [`mod@mutate`] damages files. Everything is drawn from one
//! seed, the same on every machine.

pub mod commands;
pub mod dve;
mod fair;
pub mod formulas;
mod grown;
pub mod mutate;
pub mod nets;
mod oracle;
mod pairs;
mod questions;
mod random;
mod reach;
pub mod shrink;

pub use fair::{fair_formula, holds_fairly, random_fairness};
pub use grown::grown_net;
pub use oracle::{Kripke, holds};
pub use pairs::{AnsweredPair, FairPair, random_fair_pairs, random_pairs};
pub use questions::{BranchingTree, QuestionGraph, QuestionGroups};
pub use random::RandomNets;
pub use reach::{StateCounts, count_states, reachable_markings};

/// A number from the environment: `BRINE_CASES` scales campaigns, `BRINE_SEED` replays.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}
