//! From a question to what is told about it: the steps that the command and the library share.
//!
//! What is [`Asked`] about a model (a net, a coloured net, a model that is none) is answered by an
//! [`Answerer`] in three steps: decide (which replays), shorten the run (which replays), annotate
//! it. Several questions take turns: a [`Turn`] says how far the search for one of them may go, and
//! a search that was left waits for the next one. A question that is alone has one turn with all
//! that there is ([`Turn::only`]).
//!
//! `auto` can be left, on plain and coloured nets, and so can CTL; automata, single engines and
//! models that are no nets are done in their first turn.

mod coloured;
mod model;
mod net;

pub use coloured::ColouredAnswerer;
pub use model::ModelAnswerer;
pub use net::NetAnswerer;

use crate::budget::{Budget, Schedule};
use crate::decide::{DecideError, Decision};
use crate::shorten::Effort;
use crate::show::{Trace, vacuity_note};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{
    Automaton, Ctl, Formula, Formulas, ParseError, Query, Symbols, parse, parse_query,
};
use brine_net::Net;
use std::collections::BTreeMap;
use std::time::Instant;

/// A question with a verdict.
#[derive(Clone, Debug)]
pub enum Asked {
    /// All runs satisfy it.
    Formula(Formula),
    /// Not all runs satisfy it: the negation of what some run is to satisfy.
    SomeRun(Formula),
    /// The initial marking satisfies it.
    Branching(Ctl),
    /// It accepts no run.
    Automaton(Box<Automaton>),
}

/// Why a query is no question with a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoVerdict {
    /// It asks for a number.
    Number,
    /// It is about a whole net.
    Whole,
}

impl Asked {
    /// What a query asks.
    pub fn of(query: Query, formulas: &mut Formulas) -> Result<Asked, NoVerdict> {
        match query {
            Query::AllRuns(formula) => Ok(Asked::Formula(formula)),
            Query::SomeRun(formula) => Ok(Asked::SomeRun(formulas.not(formula))),
            Query::Branching(ctl) => Ok(Asked::Branching(ctl)),
            Query::Bound(_) => Err(NoVerdict::Number),
            Query::Whole(_) => Err(NoVerdict::Whole),
        }
    }

    /// The formula about runs, if it is one.
    pub fn formula(&self) -> Option<Formula> {
        match self {
            Asked::Formula(formula) | Asked::SomeRun(formula) => Some(*formula),
            Asked::Automaton(_) | Asked::Branching(_) => None,
        }
    }

    /// What was asked, given a decision about all runs.
    fn about(&self, decision: Decision) -> Decision {
        match self {
            Asked::SomeRun(_) => decision.for_some_run(),
            _ => decision,
        }
    }
}

/// Questions given as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    /// A formula that all runs are to satisfy.
    Ltl,
    /// `EF` or `AG` of a formula about one moment.
    Reach,
    /// A formula of CTL.
    Ctl,
}

impl TextKind {
    /// Reads a text of this kind.
    pub fn read(
        self,
        text: &str,
        formulas: &mut Formulas,
        symbols: &mut Symbols,
    ) -> Result<Query, ParseError> {
        if self == TextKind::Ltl {
            return parse(text, formulas, symbols).map(Query::AllRuns);
        }
        let query = parse_query(text, formulas, symbols)?;
        if self == TextKind::Reach && !query.is_reachability(formulas) {
            let message = "expected EF f or AG f, where f is about one moment; CTL takes more";
            return Err(ParseError::new(text, 0, message));
        }
        Ok(query)
    }
}

/// How far the search for an answer may go this time.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The question's number.
    pub number: usize,
    /// What it may use, without a limit of work.
    pub budget: Budget,
    /// Work in all its turns; `None` if nobody waits for it.
    pub work: Option<u64>,
    /// Bytes that its search may hold afterwards.
    pub held: u64,
    /// Whether a shortest run is sought as long as the budget lasts.
    pub shortest: bool,
}

impl Turn {
    /// The only turn of the only question.
    pub fn only(budget: Budget, shortest: bool) -> Turn {
        Turn { number: 0, budget, work: None, held: u64::MAX, shortest }
    }

    /// The budget of a search that can be left.
    fn limited(&self) -> Budget {
        let schedule = Schedule { ticks: self.work, ..self.budget.schedule };
        Budget { schedule, ..self.budget.clone() }
    }

    /// What is left of it for a short run, if the turn began at `start`.
    fn effort(&self, start: Instant) -> Effort {
        Effort { shortest: self.shortest, budget: self.budget.since(start) }
    }
}

/// Answers questions about one model, in turns.
pub trait Answerer {
    /// Goes on with a question, and shortens the run of its answer.
    fn advance(&mut self, asked: &Asked, turn: &Turn) -> Result<Decision, DecideError>;

    /// The run of an answer with what the formula says along it, if there is a run.
    fn trace(&self, asked: &Asked, decision: &Decision) -> Option<Trace>;

    /// The formulas and names of the questions.
    fn wording(&self) -> (&Formulas, &Symbols);

    /// The net on which the run of an answer is drawn, and whether it is the whole net of the
    /// model.
    fn drawn<'d>(&'d self, decision: &'d Decision) -> Option<(&'d Net, bool)>;

    /// What is worth knowing beside the verdict.
    fn notes(&self, decision: &Decision) -> Vec<String> {
        let (formulas, symbols) = self.wording();
        decision.vacuous.iter().map(|&f| vacuity_note(formulas, f, symbols)).collect()
    }
}

/// Whether a search has done the work of its turn, and no more.
pub fn waits(decision: &Decision) -> bool {
    decision.verdict == Verdict::Unknown(Reason::Steps)
}

/// Searches that wait for their next turn, by the numbers of their questions.
struct Waiting<C> {
    searches: BTreeMap<usize, C>,
}

impl<C> Default for Waiting<C> {
    fn default() -> Self {
        Waiting { searches: BTreeMap::new() }
    }
}

impl<C> Waiting<C> {
    /// The search for this question: the one that waits, or a new one.
    fn take(&mut self, turn: &Turn, begin: impl FnOnce() -> C) -> C {
        self.searches.remove(&turn.number).unwrap_or_else(begin)
    }

    /// Keeps a search if it has to wait.
    fn keep(&mut self, turn: &Turn, search: C, decision: &Decision) {
        if waits(decision) {
            self.searches.insert(turn.number, search);
        }
    }
}
