//! The state-vector interface behind the common interface of engines.
//!
//! The net becomes a [`NetModel`] whose labels are the automaton's atoms; orders of levels are
//! tried in turns of growing length, as for the symbolic engines.

use crate::budget::Budget;
use crate::engine::{BadOption, Engine, Question};
use crate::symbolic::{prefer, reason, witness_limits};
use crate::verdict::{Reason, Stats, Verdict, Witness};
use brine_dd::{Abort, Limits, resident_bytes};
use brine_net::order::Candidate;
use brine_net::{Net, Structure, TransitionId};
use brine_pins::ltl::{Answer, Figures, Question as Asked, check};
use brine_pins::{GroupId, MatrixOptions, ModelError, NetModel, SlotId, Stop, Strategy};
use brine_sat::first_to_finish;
use std::time::Instant;

/// Symbolic search with a relation that is learned on the fly.
#[derive(Debug)]
pub struct PinsEngine<'n> {
    net: &'n Net,
    structure: &'n Structure,
    strategy: Strategy,
    matrix: MatrixOptions,
    /// The orders to try, the most promising first; one place a level.
    candidates: Vec<Candidate>,
    /// Memory of the process before the first question.
    resident: usize,
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
        PinsEngine { net, structure, strategy, matrix, candidates, resident: resident_bytes() }
    }

    fn try_order(
        &self,
        question: Question<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Outcome, Abort> {
        let model = NetModel::new(self.net, &self.structure.bounds)
            .with_labels(question.violations.atoms());
        let asked = Asked { model: &model, violations: question.violations };
        let levels = candidate.layout.levels.iter().rev().flatten();
        let order = levels.map(|p| SlotId(p.0)).collect();
        let start = Instant::now();
        let witness = || witness_limits(limits, start);
        match check(&asked, order, &self.matrix, self.strategy, limits, witness) {
            Ok(result) => Ok(Ok(result)),
            Err(Stop::Abort(abort)) => Err(abort),
            Err(Stop::Model(error)) => Ok(Err(error.to_string())),
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
        let limits = budget.diagram_limits(self.resident);
        let run =
            |candidate: &Candidate, limits: &Limits| self.try_order(question, candidate, limits);
        let done = match first_to_finish(&self.candidates, &limits, budget.threads, run) {
            Ok(done) => done,
            Err(abort) => return Ok((Verdict::Unknown(reason(abort)), Stats::default())),
        };
        prefer(&mut self.candidates, done.order);
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
        Answer::Violation(Err(Stop::Abort(_))) => Verdict::Violated(None),
        Answer::Violation(Err(Stop::Model(error))) => return Err(error),
    };
    let stats = Stats {
        product_states: Some(figures.product_states),
        peak_nodes: Some(figures.peak_nodes),
        ..Stats::default()
    };
    Ok((verdict, stats))
}
