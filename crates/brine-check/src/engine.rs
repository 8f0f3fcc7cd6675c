//! The interface of engines.

use crate::verdict::{Reason, Stats, Verdict};
use brine_ltl::{Automaton, Formula, Formulas};
use brine_net::Fairness;
use brine_run::Search;
use std::sync::Arc;

/// One question, prepared for engines: does the net have a run that the automaton accepts? The
/// automaton reads markings, and all runs count; anything else is a [`FairQuestion`].
#[derive(Clone, Debug)]
pub struct Question {
    /// Accepts exactly the words that violate the property.
    pub violations: Arc<Automaton>,
    /// Whether that language is stutter-invariant; `None` if it is not known.
    pub stutter_invariant: Option<bool>,
    /// Whether the property is `G f`, where f is about one moment: does every reachable marking
    /// satisfy f?
    pub reachability: bool,
}

/// One question about events or fair runs, prepared for engines: does the net have a fair run that
/// the automaton, which may read events, accepts?
///
/// A type of its own, so that an engine, a reduction or a shortcut that knows nothing of events and
/// fairness cannot be handed one by mistake.
#[derive(Clone, Debug)]
pub struct FairQuestion {
    /// Accepts exactly the words that violate the property.
    pub violations: Arc<Automaton>,
    /// Which runs count.
    pub fairness: Arc<Fairness>,
    /// The store of the property.
    pub formulas: Arc<Formulas>,
    /// The property, for engines that put it in other words.
    pub formula: Formula,
}

/// A way to answer questions about one net, one at a time.
///
/// An engine takes up a question by [`Engine::begin`] and answers it by [`Search::advance`]. After
/// [`Reason::Steps`](crate::Reason::Steps) it can be advanced again with more work, and goes on
/// with what it has; after another reason it begins the same question anew. It may keep what it
/// learned about the net from one question to the next.
pub trait Engine: Search<Outcome = (Verdict, Stats)> {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Takes up a question. `Err` means that the engine's options do not fit the question: a
    /// mistake of the user, to be told to them.
    fn begin(&mut self, question: Question) -> Result<(), BadOption>;

    /// Takes up a question about events or fair runs. `Err` if the engine, or its options, know
    /// nothing of them: an answer would be a guess.
    fn begin_fair(&mut self, _question: FairQuestion) -> Result<(), Reason> {
        Err(Reason::without_events(self.name()))
    }

    /// Bytes that a search holds while it is left; `None` for an engine that holds none, and whose
    /// memory is that of the whole process: what others hold is in its way.
    fn held(&self) -> Option<u64> {
        None
    }

    /// Gives them back; the search begins anew.
    fn release(&mut self) {}
}

/// An option that does not fit the question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOption(pub String);
