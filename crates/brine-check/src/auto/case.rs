//! One question on its way through the stages.
//!
//! A case can be left after each round and taken up again, so that many questions take
//! turns: none waits for a hard one.

use super::Stages;
use super::rounds::Rounds;
use super::timeline::{Timeline, words};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Property, Translated, check_witness, guarded};
use crate::verdict::{Reason, Verdict};
use brine_net::Structure;
use brine_net::order::OrderSpec;
use std::time::{Duration, Instant};

/// A question, and how far it has come.
#[derive(Debug)]
pub struct Case<'a> {
    property: Property<'a>,
    structure: &'a Structure,
    stages: Stages,
    order: Option<OrderSpec>,
    prepared: Option<(Translated, Rounds)>,
    timeline: Timeline,
    /// Time spent on this question.
    spent: Duration,
}

impl<'a> Case<'a> {
    /// A new question; `structure` is that of the property's net.
    pub fn new(property: Property<'a>, structure: &'a Structure, stages: Stages) -> Self {
        let timeline = Timeline::new(Instant::now());
        let (order, prepared, spent) = (None, None, Duration::ZERO);
        Case { property, structure, stages, order, prepared, timeline, spent }
    }

    /// The same with one order of levels for the symbolic engine, where the net has it.
    pub fn with_order(self, order: Option<OrderSpec>) -> Self {
        Case { order, ..self }
    }

    /// Goes on until there is a decision. The budget counts from now.
    pub fn decide(&mut self, budget: &Budget) -> Result<Decision, DecideError> {
        let start = Instant::now();
        loop {
            if let Some(decision) = self.advance(&budget.since(start))? {
                return Ok(decision);
            }
        }
    }

    /// Does one round of work. `None`: the question is open, and another round may answer it.
    /// A decision is final, unless it says that the time is up.
    pub fn advance(&mut self, budget: &Budget) -> Result<Option<Decision>, DecideError> {
        let start = Instant::now();
        let result = guarded("auto", || self.step(budget, start));
        self.spent += start.elapsed();
        let Some(mut decision) = result? else { return Ok(None) };
        check_witness(self.property, decision.engine, &decision.verdict)?;
        decision.time = self.spent;
        decision.timeline = self.timeline.steps();
        Ok(Some(decision))
    }

    fn step(&mut self, budget: &Budget, start: Instant) -> Result<Option<Decision>, DecideError> {
        let (translated, mut rounds) = match self.prepared.take() {
            Some(prepared) => prepared,
            None => match self.prepare(budget, start) {
                Ok(translated) => (translated, Rounds::new(self.stages, self.order)),
                Err(reason) => {
                    let verdict = Verdict::Unknown(reason);
                    return Ok(Some(Decision { verdict, ..Decision::open("auto") }));
                }
            },
        };
        let question = translated.question(self.property.net);
        let rest = budget.since(start);
        let result = rounds.play(question, self.structure, &rest, &mut self.timeline)?;
        let facts = translated.facts();
        self.prepared = Some((translated, rounds));
        Ok(result.map(|answer| Decision {
            verdict: answer.verdict,
            automaton: Some(facts),
            stats: answer.stats,
            ..Decision::open(answer.engine)
        }))
    }

    fn prepare(&mut self, budget: &Budget, start: Instant) -> Result<Translated, Reason> {
        let translated = Translated::new(self.property, budget, start);
        let outcome = match &translated {
            Ok(t) => format!("{} states", t.facts().states),
            Err(reason) => words(&Ok(Verdict::Unknown(reason.clone()))),
        };
        self.timeline.add("automaton", start, outcome);
        translated
    }
}
