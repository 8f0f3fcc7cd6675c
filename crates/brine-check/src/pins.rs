//! The state-vector interface behind the common interface of engines.
//!
//! The net becomes a [`NetModel`] whose labels are the automaton's atoms; orders of levels
//! compete as for the symbolic engines ([`crate::diagrams`]).

use crate::budget::Budget;
use crate::diagrams::{Orders, witness_limits};
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Reason, Stats, Verdict, Witness};
use brine_dd::{Limits, Stop};
use brine_net::order::Candidate;
use brine_net::{Net, Structure, TransitionId};
use brine_pins::ltl::{Answer, Figures, Question as Asked, check};
use brine_pins::{Failure, GroupId, MatrixOptions, ModelError, NetModel, SlotId, Strategy};
use std::time::Instant;

/// Symbolic search with a relation that is learned on the fly.
#[derive(Debug)]
pub struct PinsEngine<'n> {
    search: Search<'n>,
    /// One place a level.
    orders: Orders,
}

/// What is asked with every order.
#[derive(Debug)]
struct Search<'n> {
    net: &'n Net,
    structure: &'n Structure,
    strategy: Strategy,
    matrix: MatrixOptions,
}

/// What one order led to: an answer, or a reason why the engine has none for any order.
type Outcome = Result<(Answer, Figures), String>;

impl<'n> PinsEngine<'n> {
    /// An engine for one net that tries the orders `candidates`, the first ones first.
    pub fn new(
        net: &'n Net,
        structure: &'n Structure,
        strategy: Strategy,
        matrix: MatrixOptions,
        candidates: Vec<Candidate>,
    ) -> Self {
        let search = Search { net, structure, strategy, matrix };
        PinsEngine { search, orders: Orders::new(candidates) }
    }
}

impl Search<'_> {
    fn run(
        &self,
        question: Question<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Outcome, Stop> {
        let model = NetModel::new(self.net, &self.structure.bounds)
            .with_labels(question.violations.atoms());
        let asked = Asked { model: &model, violations: question.violations };
        let levels = candidate.layout.levels.iter().rev().flatten();
        let order = levels.map(|p| SlotId(p.0)).collect();
        let start = Instant::now();
        let witness = || witness_limits(limits, start);
        match check(&asked, order, &self.matrix, self.strategy, limits, witness) {
            Ok(result) => Ok(Ok(result)),
            Err(Failure::Stop(abort)) => Err(abort),
            Err(Failure::Model(error)) => Ok(Err(error.to_string())),
        }
    }
}

impl Engine for PinsEngine<'_> {
    fn name(&self) -> &'static str {
        "pins"
    }

    fn answer(
        &mut self,
        question: Question<'_>,
        budget: &Budget,
    ) -> Result<(Verdict, Stats), BadOption> {
        let search = &self.search;
        let run = |candidate: &Candidate, limits: &Limits| search.run(question, candidate, limits);
        let done = match self.orders.compete(budget, run) {
            Ok(done) => done,
            Err(reason) => return Ok((Verdict::Unknown(reason), Stats::default())),
        };
        let (answer, figures) = match done.result {
            Ok(found) => found,
            Err(message) => {
                return Ok((Verdict::Unknown(Reason::Unsupported(message)), Stats::default()));
            }
        };
        let (verdict, stats) = match conclude(answer, figures) {
            Ok(conclusion) => conclusion,
            Err(error) => unreachable!("a net does what its matrix says, but: {error}"),
        };
        Ok((verdict, Stats { order: Some(done.order), ..stats }))
    }
}

/// The answer in the words that all engines use; group *n* is transition *n*.
///
/// A violation whose run took too long stands without it. One whose run contradicts the model
/// is none: the matrix or the engine is wrong.
pub(crate) fn conclude(answer: Answer, figures: Figures) -> Result<(Verdict, Stats), ModelError> {
    let transitions = |groups: Vec<GroupId>| groups.iter().map(|g| TransitionId(g.0)).collect();
    let verdict = match answer {
        Answer::None => Verdict::Holds,
        Answer::Violation(Ok(run)) => Verdict::Violated(Some(Witness {
            prefix: transitions(run.prefix),
            cycle: transitions(run.cycle),
        })),
        Answer::Violation(Err(Failure::Stop(_))) => Verdict::Violated(None),
        Answer::Violation(Err(Failure::Model(error))) => return Err(error),
    };
    let stats = Stats {
        product_states: Some(figures.product_states),
        peak_nodes: Some(figures.peak_nodes),
        ..Stats::default()
    };
    Ok((verdict, stats))
}
