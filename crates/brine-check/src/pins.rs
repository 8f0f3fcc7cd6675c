//! The state-vector interface behind the common interface of engines.
//!
//! The net becomes a [`NetModel`] whose labels are the automaton's atoms; orders of levels
//! are tried as for the symbolic engines ([`crate::diagrams`]).

use crate::diagrams::{Orders, witness_control};
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Reason, Stats, Verdict};
use brine_net::order::Candidate;
use brine_net::{Net, Structure};
use brine_pins::ltl::{PinsAnswer, PinsQuestion, PinsSearchFigures, check};
use brine_pins::{MatrixOptions, ModelError, NetModel, PinsStop, SlotId, Strategy};
use brine_run::{Control, Search};
use std::time::Instant;

/// Symbolic search with a relation that is learned on the fly.
#[derive(Debug)]
pub struct PinsEngine<'n> {
    net: &'n Net,
    structure: &'n Structure,
    strategy: Strategy,
    matrix: MatrixOptions,
    /// One place a level.
    orders: Orders,
    question: Option<Question>,
}

impl<'n> PinsEngine<'n> {
    /// An engine for one net that tries the orders `candidates`, the first ones first.
    pub fn new(
        net: &'n Net,
        structure: &'n Structure,
        strategy: Strategy,
        matrix: MatrixOptions,
        candidates: Vec<Candidate>,
    ) -> Self {
        let orders = Orders::new(candidates);
        PinsEngine { net, structure, strategy, matrix, orders, question: None }
    }
}

impl Search for PinsEngine<'_> {
    type Outcome = (Verdict, Stats);

    fn advance(&mut self, control: &Control) -> (Verdict, Stats) {
        let PinsEngine { net, structure, strategy, matrix, .. } = self;
        let Some(question) = &self.question else { return (Verdict::Holds, Stats::default()) };
        let run = |candidate: &Candidate, control: &Control| {
            let violations = &question.violations;
            let model = NetModel::new(net, &structure.bounds).with_labels(violations.atoms());
            let asked = PinsQuestion { model: &model, violations };
            let levels = candidate.layout.levels.iter().rev().flatten();
            let order = levels.map(|p| SlotId(p.0)).collect();
            let start = Instant::now();
            let witness = || witness_control(control, start);
            match check(&asked, order, matrix, *strategy, control, witness) {
                Ok(result) => Ok(Ok(result)),
                Err(PinsStop::Stop(stop)) => Err(stop),
                // A reason why the engine has no answer for any order.
                Err(PinsStop::Model(error)) => Ok(Err(error.to_string())),
            }
        };
        let unknown = |reason| (Verdict::Unknown(reason), Stats::default());
        let done = match self.orders.advance(net, structure, control, run) {
            Ok(done) => done,
            Err(stop) => return unknown(stop.into()),
        };
        let (answer, figures) = match done.result {
            Ok(found) => found,
            Err(message) => return unknown(Reason::Unsupported(message)),
        };
        let (verdict, stats) = match conclude(answer, figures) {
            Ok(conclusion) => conclusion,
            Err(error) => unreachable!("a net does what its matrix says, but: {error}"),
        };
        (verdict, Stats { order: Some(done.order), ..stats })
    }
}

impl Engine for PinsEngine<'_> {
    fn name(&self) -> &'static str {
        "pins"
    }

    fn begin(&mut self, question: Question) -> Result<(), BadOption> {
        self.question = Some(question);
        self.orders.begin();
        Ok(())
    }

    /// Orders that ran out of memory are tried again.
    fn release(&mut self) {
        self.orders.begin();
    }
}

/// The answer in the words that all engines use.
///
/// A violation whose run took too long stands without it. One whose run contradicts the model
/// is none: the matrix or the engine is wrong.
pub(crate) fn conclude(
    answer: PinsAnswer,
    figures: PinsSearchFigures,
) -> Result<(Verdict, Stats), ModelError> {
    let verdict = match answer {
        PinsAnswer::None => Verdict::Holds,
        PinsAnswer::Violation(Ok(run)) => Verdict::Violated(Some(run)),
        PinsAnswer::Violation(Err(PinsStop::Stop(_))) => Verdict::Violated(None),
        PinsAnswer::Violation(Err(PinsStop::Model(error))) => return Err(error),
    };
    let stats = Stats {
        product_states: Some(figures.product_states),
        peak_nodes: Some(figures.peak_nodes),
        ..Stats::default()
    };
    Ok((verdict, stats))
}
