//! The symbolic engines behind the common interface.
//!
//! The order of levels decides everything and cannot be known beforehand, so a question is
//! tried with several orders in turns of growing length ([`first_to_finish`]). The order that
//! answered goes first next time: properties of one net share it. Diagrams are not shared:
//! what one property leaves behind would only weigh on the next.

use crate::budget::{Budget, run_time};
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Reason, Stats, Verdict, Witness};
use brine_dd::{Abort, Limits, resident_bytes};
use brine_net::order::{Candidate, OrderSpec};
use brine_net::{Net, Structure};
use brine_sat::{Done, Trials, first_to_finish};
use brine_scc::{Answer, Method, check};
use std::time::Instant;

/// Symbolic search over the product.
#[derive(Debug)]
pub struct SymbolicEngine<'n> {
    name: &'static str,
    net: &'n Net,
    structure: &'n Structure,
    method: Method,
    /// The orders to try, the most promising first.
    candidates: Vec<Candidate>,
    /// Memory of the process before the first question.
    resident: usize,
}

impl<'n> SymbolicEngine<'n> {
    /// An engine for one net that tries the orders `candidates`, the first ones first.
    pub fn new(
        name: &'static str,
        net: &'n Net,
        structure: &'n Structure,
        method: Method,
        candidates: Vec<Candidate>,
    ) -> Self {
        let resident = resident_bytes();
        SymbolicEngine { name, net, structure, method, candidates, resident }
    }
}

impl Engine for SymbolicEngine<'_> {
    fn name(&self) -> &'static str {
        self.name
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
        Ok(conclude(done))
    }
}

/// What one order led to.
type Outcome = (Answer, brine_scc::Stats);

impl SymbolicEngine<'_> {
    /// One round of a competition of orders, the first of which are this engine's.
    pub(crate) fn round(
        &self,
        question: Question<'_>,
        trials: &mut Trials,
        budget: &Budget,
    ) -> (Verdict, Stats) {
        let run =
            |candidate: &Candidate, limits: &Limits| self.try_order(question, candidate, limits);
        match trials.round(&budget.diagram_limits(self.resident), budget.threads, run) {
            Ok(Some(done)) => conclude(done),
            Ok(None) => (Verdict::Unknown(Reason::Steps), Stats::default()),
            Err(abort) => (Verdict::Unknown(reason(abort)), Stats::default()),
        }
    }

    fn try_order(
        &self,
        question: Question<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Outcome, Abort> {
        let asked = brine_scc::Question {
            net: self.net,
            violations: question.violations,
            bounds: &self.structure.bounds,
        };
        let start = Instant::now();
        check(asked, &candidate.layout, self.method, limits, || witness_limits(limits, start))
    }
}

/// Moves the candidate with this order to the front: it answered, and goes first next time.
pub(crate) fn prefer(candidates: &mut [Candidate], order: OrderSpec) {
    if let Some(at) = candidates.iter().position(|c| c.spec == order) {
        candidates[..=at].rotate_right(1);
    }
}

/// Limits for finding the run of a violation, with a search that began at `start`. At most half
/// of the time that is left goes into it. The verdict is known by then: ticks no longer matter.
pub(crate) fn witness_limits(search: &Limits, start: Instant) -> Limits {
    let now = Instant::now();
    let left = search.deadline.map(|d| d.saturating_duration_since(now) / 2);
    let time = run_time(start.elapsed());
    let deadline = now.checked_add(left.map_or(time, |left| left.min(time)));
    Limits { deadline, ticks: u64::MAX, ..search.clone() }
}

fn conclude(done: Done<Outcome>) -> (Verdict, Stats) {
    let (answer, figures) = done.result;
    let verdict = match answer {
        Answer::None => Verdict::Holds,
        Answer::Violation(Ok(run)) => {
            Verdict::Violated(Some(Witness { prefix: run.prefix, cycle: run.cycle }))
        }
        Answer::Violation(Err(_)) => Verdict::Violated(None),
    };
    let stats = Stats {
        product_states: figures.product_states,
        peak_nodes: Some(figures.peak_nodes),
        order: Some(done.order),
        scc: Some(figures.scc),
        ..Stats::default()
    };
    (verdict, stats)
}

/// The reason that users get.
pub(crate) fn reason(abort: Abort) -> Reason {
    match abort {
        Abort::Timeout | Abort::Ticks => Reason::Timeout,
        Abort::Memory => Reason::Memory,
        Abort::Cancelled => Reason::Cancelled,
        Abort::Overflow => Reason::Unsupported("a place with more than 4294967295 tokens".into()),
    }
}
