//! The symbolic engines behind the common interface; orders compete in [`crate::diagrams`].

use crate::budget::Budget;
use crate::diagrams::{Orders, reason, witness_limits};
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Reason, Stats, Verdict, Witness};
use brine_dd::{Limits, Stop};
use brine_net::order::Candidate;
use brine_net::{Net, Structure};
use brine_sat::{Done, Trials};
use brine_scc::{Answer, Method, check};
use std::time::Instant;

/// Symbolic search over the product.
#[derive(Debug)]
pub struct SymbolicEngine<'n> {
    name: &'static str,
    search: Search<'n>,
    orders: Orders,
}

/// What is asked with every order.
#[derive(Debug)]
struct Search<'n> {
    net: &'n Net,
    structure: &'n Structure,
    method: Method,
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
        let search = Search { net, structure, method };
        SymbolicEngine { name, search, orders: Orders::new(candidates) }
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
        let search = &self.search;
        let run = |candidate: &Candidate, limits: &Limits| search.run(question, candidate, limits);
        Ok(match self.orders.compete(budget, run) {
            Ok(done) => conclude(done),
            Err(reason) => (Verdict::Unknown(reason), Stats::default()),
        })
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
        let search = &self.search;
        let run = |candidate: &Candidate, limits: &Limits| search.run(question, candidate, limits);
        match trials.round(&self.orders.limits(budget), budget.threads, run) {
            Ok(Some(done)) => conclude(done),
            Ok(None) => (Verdict::Unknown(Reason::Steps), Stats::default()),
            Err(abort) => (Verdict::Unknown(reason(abort)), Stats::default()),
        }
    }
}

impl Search<'_> {
    fn run(
        &self,
        question: Question<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Outcome, Stop> {
        let asked = brine_scc::Question {
            net: self.net,
            violations: question.violations,
            bounds: &self.structure.bounds,
        };
        let start = Instant::now();
        check(asked, &candidate.layout, self.method, limits, || witness_limits(limits, start))
    }
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
