//! The interface of engines.

use crate::budget::Budget;
use crate::verdict::{Stats, Verdict};
use brine_ltl::Automaton;
use brine_net::Net;

/// One question, prepared for engines: does the net have a run that the automaton accepts?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The net.
    pub net: &'a Net,
    /// Accepts exactly the words that violate the property.
    pub violations: &'a Automaton,
    /// Whether that language is stutter-invariant; `None` if it is not known.
    pub stutter_invariant: Option<bool>,
}

/// A way to answer questions about one net.
///
/// An engine may keep what it learned about the net from one question to the next.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Answers one question within the budget. `Err` means that the engine's options do not
    /// fit the question: a mistake of the user, to be told to them.
    fn answer(
        &mut self,
        question: Question<'_>,
        budget: &Budget,
    ) -> Result<(Verdict, Stats), BadOption>;
}

/// An option that does not fit the question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOption(pub String);
