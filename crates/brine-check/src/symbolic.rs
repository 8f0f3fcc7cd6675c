//! The symbolic engines behind the common interface; orders are tried by [`crate::diagrams`].

use crate::budget::Budget;
use crate::decide::{FairProperty, Property, Translated};
use crate::diagrams::{Orders, witness_control};
use crate::engine::{BadOption, Engine, FairQuestion, Question};
use crate::event_net::EventNet;
use crate::verdict::{Reason, Stats, Verdict};
use brine_ltl::{Automaton, Options};
use brine_net::order::{Candidate, OrderSpec};
use brine_net::{Bounds, Net, Structure};
use brine_run::{Control, Search, Shared};
use brine_sat::Done;
use brine_scc::{FairSet, FairSymbolicQuestion, Method, SymbolicAnswer, check, check_fair};
use std::sync::Arc;
use std::time::Instant;

/// Symbolic search over the product.
#[derive(Debug)]
pub struct SymbolicEngine<'n> {
    name: &'static str,
    net: Shared<'n, Net>,
    structure: Shared<'n, Structure>,
    method: Method,
    orders: Orders,
    question: Option<SymbolicTask>,
}

/// What was asked last.
#[derive(Debug)]
enum SymbolicTask {
    Plain(Question),
    /// About events or fair runs; prepared when it is first worked on.
    Fair(FairQuestion, Option<Box<PreparedFair>>),
}

/// A question about fair runs, as the product reads it.
#[derive(Debug)]
struct PreparedFair {
    events: EventNet,
    violations: Arc<Automaton>,
    bounds: Bounds,
    fair: Vec<FairSet>,
}

impl PreparedFair {
    fn new(
        net: &Net,
        structure: &Structure,
        question: &FairQuestion,
        control: &Control,
    ) -> Result<Self, Reason> {
        let FairQuestion { fairness, formulas, formula, .. } = question;
        let property = Property { net, formulas, formula: *formula };
        let events = EventNet::new(FairProperty { property, fairness })
            .ok_or_else(|| Reason::Unsupported("too many transitions to remember".to_owned()))?;
        let restated = events.net(net);
        let options = Options { net: Some(restated), ..Options::default() };
        let (budget, now) = (Budget::of(&control.without_work()), Instant::now());
        let translated =
            Translated::negation_of(&events.formulas, events.formula, &options, &budget, now)?;
        let bounds = events.bounds(net, &structure.bounds);
        let of = |strong| {
            let list = if strong { fairness.strong() } else { fairness.weak() };
            list.iter().map(move |&t| (t, strong))
        };
        let set = |(t, strong)| FairSet { copies: events.copies(t), strong };
        let fair = of(false).chain(of(true)).map(set).collect();
        let violations = translated.question().violations;
        Ok(PreparedFair { events, violations, bounds, fair })
    }
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

impl SymbolicEngine<'_> {
    fn advance_fair(&mut self, control: &Control) -> (Verdict, Stats) {
        let SymbolicEngine { net, structure, orders, question, .. } = self;
        let Some(SymbolicTask::Fair(question, prepared)) = question else {
            unreachable!("only questions about fair runs come here")
        };
        if prepared.is_none() {
            match PreparedFair::new(net, structure, question, control) {
                Ok(new) => *prepared = Some(Box::new(new)),
                Err(reason) => return (Verdict::Unknown(reason), Stats::default()),
            }
        }
        let Some(prepared) = prepared.as_deref() else { unreachable!("prepared above") };
        let run = |candidate: &Candidate, control: &Control| {
            let PreparedFair { events, violations, bounds, fair } = prepared;
            let asked = FairSymbolicQuestion { net: events.net(net), violations, bounds, fair };
            let start = Instant::now();
            let layout = events.layout(&candidate.layout);
            check_fair(asked, &layout, control, || witness_control(control, start))
        };
        let (mut verdict, stats) = match orders.advance(net, structure, control, run) {
            Ok(done) => conclude(done),
            Err(stop) => return (Verdict::Unknown(stop.into()), Stats::default()),
        };
        if let Verdict::Violated(Some(run)) = &mut verdict {
            *run = prepared.events.lift(std::mem::take(run));
        }
        (verdict, stats)
    }
}

impl Search for SymbolicEngine<'_> {
    type Outcome = (Verdict, Stats);

    fn advance(&mut self, control: &Control) -> (Verdict, Stats) {
        let SymbolicEngine { net, structure, method, .. } = self;
        let question = match &self.question {
            None => return (Verdict::Holds, Stats::default()),
            Some(SymbolicTask::Fair(..)) => return self.advance_fair(control),
            Some(SymbolicTask::Plain(question)) => question,
        };
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
        self.question = Some(SymbolicTask::Plain(question));
        self.orders.begin();
        Ok(())
    }

    /// Fair cycles are looked for on the complete product, by a hull of their own.
    fn begin_fair(&mut self, question: FairQuestion) -> Result<(), Reason> {
        if ![Method::default(), Method::AtTheEnd].contains(&self.method) {
            return Err(Reason::without_events(self.name));
        }
        self.question = Some(SymbolicTask::Fair(question, None));
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
