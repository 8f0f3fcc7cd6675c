//! The symbolic engines behind the common interface; orders are tried by [`crate::diagrams`].

use crate::diagrams::{Orders, witness_control};
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Stats, Verdict};
use brine_net::order::{Candidate, OrderSpec};
use brine_net::{Net, Structure};
use brine_run::{Control, Search, Shared};
use brine_sat::Done;
use brine_scc::{Method, SymbolicAnswer, check};
use std::time::Instant;

/// Symbolic search over the product.
#[derive(Debug)]
pub struct SymbolicEngine<'n> {
    name: &'static str,
    net: Shared<'n, Net>,
    structure: Shared<'n, Structure>,
    method: Method,
    orders: Orders,
    question: Option<Question>,
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
        let (net, structure) = (net.into(), structure.into());
        SymbolicEngine {
            name,
            net,
            structure,
            method,
            orders: Orders::new(candidates),
            question: None,
        }
    }

    /// The usual one, which tries the orders of the net, or the one that is wanted.
    pub(crate) fn of_net(
        net: Shared<'n, Net>,
        structure: Shared<'n, Structure>,
        wanted: Option<OrderSpec>,
    ) -> Self {
        let (method, orders) = (Method::default(), Orders::of_net(wanted));
        SymbolicEngine { name: "symbolic", net, structure, method, orders, question: None }
    }
}

impl Search for SymbolicEngine<'_> {
    type Outcome = (Verdict, Stats);

    fn advance(&mut self, control: &Control) -> (Verdict, Stats) {
        let SymbolicEngine { net, structure, method, .. } = self;
        let Some(question) = &self.question else { return (Verdict::Holds, Stats::default()) };
        let run = |candidate: &Candidate, control: &Control| {
            let asked = brine_scc::SymbolicQuestion {
                net,
                violations: &question.violations,
                bounds: &structure.bounds,
            };
            let start = Instant::now();
            check(asked, &candidate.layout, *method, control, || witness_control(control, start))
        };
        match self.orders.advance(net, structure, control, run) {
            Ok(done) => conclude(done),
            Err(stop) => (Verdict::Unknown(stop.into()), Stats::default()),
        }
    }
}

impl Engine for SymbolicEngine<'_> {
    fn name(&self) -> &'static str {
        self.name
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

fn conclude(done: Done<(SymbolicAnswer, brine_scc::SymbolicStats)>) -> (Verdict, Stats) {
    let (answer, figures) = done.result;
    let verdict = match answer {
        SymbolicAnswer::None => Verdict::Holds,
        SymbolicAnswer::Violation(run) => Verdict::Violated(run.ok()),
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
