//! One question on its way through the stages.
//!
//! A case can be left after each round and taken up again, so that many questions take
//! turns: none waits for a hard one.

use super::Auto;
use super::rounds::{Answer, Rounds, hunt};
use super::timeline::{Timeline, words};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Property, Translated, guarded};
use crate::first_steps::FirstSteps;
use crate::reduced::{ReducedProperty, class_of};
use crate::restate::{Chain, Restatement, check_run};
use crate::simplify::{Simplified, left_sides};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Conjunction, Formula, Options};
use brine_net::Structure;
use brine_reduce::ReduceOptions;
use std::time::{Duration, Instant};

/// Simplification takes at most this part of the time, and at most this long.
const SIMPLIFY_SHARE: u32 = 4;
const SIMPLIFY_MOST: Duration = Duration::from_secs(5);

/// Places and transitions of a net whose structure is known in no time.
const SMALL: usize = 500;

/// Rounds that are spent on finding any run at all.
const ROUNDS_FOR_ANY_RUN: u32 = 4;

/// A question, and how far it has come.
#[derive(Debug)]
pub struct Case<'a> {
    property: Property<'a>,
    prepared: Option<Prepared<'a>>,
    timeline: Timeline,
    /// Time spent on this question.
    spent: Duration,
}

/// The question that is put to engines.
#[derive(Debug)]
struct Prepared<'a> {
    /// How it was restated.
    chain: Chain<'a>,
    /// The structure of the last net, if it is not the original one.
    structure: Option<Structure>,
    /// Simplification says so.
    every_run_violates: bool,
    translated: Translated,
    rounds: Rounds,
}

impl Prepared<'_> {
    /// What an engine's answer says about the question before it was restated.
    fn conclude(
        &self,
        original: Property<'_>,
        answer: Answer,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let Answer { engine, verdict, stats } = answer;
        let verdict = self.chain.conclude(original, engine, verdict, budget)?;
        let automaton = Some(self.translated.facts());
        Ok(Decision { verdict, automaton, stats, ..Decision::open(engine) })
    }

    /// If every run violates the formula, only a run to show is missing. When that is not
    /// found soon, or the budget is over, the verdict stands without it.
    fn or_any_run(&self, decision: Option<Decision>) -> Option<Decision> {
        let open = decision.as_ref().is_none_or(|d| matches!(d.verdict, Verdict::Unknown(_)));
        let enough = decision.is_some() || self.rounds.played() >= ROUNDS_FOR_ANY_RUN;
        if !self.every_run_violates || !open || !enough {
            return decision;
        }
        let automaton = Some(self.translated.facts());
        let verdict = Verdict::Violated(None);
        Some(Decision { verdict, automaton, ..Decision::open("simplification") })
    }
}

impl<'a> Case<'a> {
    /// A new question.
    pub fn new(property: Property<'a>) -> Self {
        let timeline = Timeline::new(Instant::now());
        Case { property, prepared: None, timeline, spent: Duration::ZERO }
    }

    /// Does one round of work. `None`: the question is open, and another round may answer it.
    /// A decision is final, unless it says that the time is up.
    pub fn advance(
        &mut self,
        auto: &mut Auto<'a>,
        budget: &Budget,
    ) -> Result<Option<Decision>, DecideError> {
        let start = Instant::now();
        let result = guarded("auto", || self.step(auto, budget, start));
        self.spent += start.elapsed();
        let Some(mut decision) = result? else { return Ok(None) };
        decision.time = self.spent;
        decision.timeline = self.timeline.steps();
        if decision.verdict == Verdict::Holds {
            let rest = budget.since(start);
            decision.vacuous = guarded("auto", || Ok(self.never_true(auto, &rest)))?;
        }
        Ok(Some(decision))
    }

    /// What makes a formula that holds hold for an empty reason, as far as it is known by now
    /// or the net is so small that asking costs nothing.
    fn never_true(&self, auto: &mut Auto<'a>, budget: &Budget) -> Vec<Formula> {
        let Property { net, formulas, formula } = self.property;
        let small = net.places().len() + net.transitions().len() <= SMALL;
        let known = auto.simplifier.is_some() || small;
        if !auto.stages.simplification || !known || left_sides(formulas, formula).is_empty() {
            return Vec::new();
        }
        let simplifier = auto.simplifier(&budget.control());
        simplifier.map_or_else(|_| Vec::new(), |s| s.never_true(formulas, formula))
    }

    fn step(
        &mut self,
        auto: &mut Auto<'a>,
        budget: &Budget,
        start: Instant,
    ) -> Result<Option<Decision>, DecideError> {
        let mut prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => match self.prepare(auto, budget, start) {
                Ok(prepared) => prepared,
                Err(decision) => {
                    check_run(self.property, decision.engine, &decision.verdict)?;
                    return Ok(Some(*decision));
                }
            },
        };
        let structure = prepared.structure.as_ref().unwrap_or_else(|| auto.structure);
        let question = prepared.translated.question(prepared.chain.property(self.property).net);
        let rest = budget.since(start);
        let answer = prepared.rounds.play(question, structure, &rest, &mut self.timeline)?;
        let rest = budget.since(start);
        let conclude = |answer| prepared.conclude(self.property, answer, &rest);
        let decision = answer.map(conclude).transpose()?;
        let decision = prepared.or_any_run(decision);
        self.prepared = Some(prepared);
        Ok(decision)
    }

    /// Simplifies, translates, reduces, translates again. `Err` is a decision.
    fn prepare(
        &mut self,
        auto: &mut Auto<'a>,
        budget: &Budget,
        start: Instant,
    ) -> Result<Prepared<'a>, Box<Decision>> {
        if auto.stages.hunt {
            self.hunt_at_once(auto, &budget.since(start))?;
        }
        let (mut chain, mut excluded) = (Chain::default(), Vec::new());
        if let Some(simplified) = self.simplify(auto, &budget.since(start)) {
            excluded.clone_from(&simplified.excluded);
            chain.push(simplified);
        }
        let formula = chain.property(self.property).formula;
        if formula == Formula::TRUE {
            let verdict = Verdict::Holds;
            return Err(Box::new(Decision { verdict, ..Decision::open("simplification") }));
        }
        let simplified = chain.property(self.property);
        let mut translated = self.translate(auto, simplified, &excluded, &budget.since(start))?;
        let mut structure = None;
        if auto.stages.reduction {
            let budget = budget.since(start);
            structure = self.restate(auto, &mut chain, &mut translated, &budget)?;
        }
        let every_run_violates = formula == Formula::FALSE;
        let rounds = Rounds::new(auto.stages, auto.order);
        Ok(Prepared { chain, structure, every_run_violates, translated, rounds })
    }

    /// Takes the first steps if they stand in the way of a reduction, and reduces the net.
    /// Returns the structure of the last net, if it is another one.
    fn restate(
        &mut self,
        auto: &Auto<'a>,
        chain: &mut Chain<'a>,
        translated: &mut Translated,
        budget: &Budget,
    ) -> Result<Option<Structure>, Box<Decision>> {
        let start = Instant::now();
        let before = chain.len();
        let steps = match translated.facts().stutter_invariant {
            Some(false) => FirstSteps::new(chain.property(self.property), budget),
            _ => None,
        };
        if let Some(steps) = steps {
            self.timeline.add("first steps", start, "stutter-invariant after them".to_owned());
            *translated = self.translate(auto, steps.property(), &[], &budget.since(start))?;
            chain.push(steps);
        }
        let property = chain.property(self.property);
        if let Some(reduced) = self.reduce(auto, property, translated, &budget.since(start)) {
            *translated = self.translate(auto, reduced.property(), &[], &budget.since(start))?;
            chain.push(reduced);
        }
        let net = chain.property(self.property).net;
        let control = || budget.since(start).control();
        Ok((chain.len() > before).then(|| Structure::within(net, &control())))
    }

    /// Most violations are close, and found before anything is known about the net.
    fn hunt_at_once(&mut self, auto: &Auto<'a>, budget: &Budget) -> Result<(), Box<Decision>> {
        let start = Instant::now();
        let options = Options { kept: Some(&auto.translations), ..Options::default() };
        let Ok(translated) = Translated::new(self.property, &options, budget, start) else {
            return Ok(());
        };
        let question = translated.question(self.property.net);
        let said = hunt(question, 0, &budget.since(start));
        let verdict = said.as_ref().map(|s| s.0.clone()).map_err(Clone::clone);
        self.timeline.add("hunt, at once", start, words(&verdict));
        match said {
            Ok((verdict, stats)) if !matches!(verdict, Verdict::Unknown(_)) => {
                let automaton = Some(translated.facts());
                Err(Box::new(Decision { verdict, automaton, stats, ..Decision::open("hunt") }))
            }
            _ => Ok(()),
        }
    }

    fn simplify(&mut self, auto: &mut Auto<'a>, budget: &Budget) -> Option<Simplified<'a>> {
        let Property { formulas, formula, .. } = self.property;
        if !auto.stages.simplification {
            return None;
        }
        let start = Instant::now();
        let share = budget.time.map_or(SIMPLIFY_MOST, |t| t / SIMPLIFY_SHARE);
        let budget = Budget { time: Some(share.min(SIMPLIFY_MOST)), ..budget.clone() };
        // The structure, which is worked out now if it was not needed before, is not counted.
        let _ = &**auto.structure;
        let share = Instant::now();
        let Ok(simplifier) = auto.simplifier(&budget.control()) else {
            self.timeline.add("simplification", start, "no time to begin".to_owned());
            return None;
        };
        let done = simplifier.simplify(formulas, formula, &budget.since(share));
        let outcome = match done.formula {
            Formula::TRUE => "holds".to_owned(),
            Formula::FALSE => "violated by every run".to_owned(),
            now if now == formula && done.findings.is_empty() => "nothing new".to_owned(),
            _ => format!("{} facts used", done.findings.len()),
        };
        self.timeline.add("simplification", start, outcome);
        Some(done)
    }

    fn translate(
        &mut self,
        auto: &Auto<'a>,
        property: Property<'_>,
        excluded: &[Conjunction],
        budget: &Budget,
    ) -> Result<Translated, Box<Decision>> {
        let start = Instant::now();
        let options = Options { excluded, kept: Some(&auto.translations), ..Options::default() };
        let translated = Translated::new(property, &options, budget, start);
        let outcome = match &translated {
            Ok(t) => format!("{} states", t.facts().states),
            Err(reason) => words(&Ok(Verdict::Unknown(reason.clone()))),
        };
        self.timeline.add("automaton", start, outcome);
        translated.map_err(|reason: Reason| {
            Box::new(Decision { verdict: Verdict::Unknown(reason), ..Decision::open("auto") })
        })
    }

    fn reduce(
        &mut self,
        auto: &Auto<'a>,
        property: Property<'_>,
        translated: &Translated,
        budget: &Budget,
    ) -> Option<ReducedProperty> {
        let start = Instant::now();
        let facts = translated.facts();
        let options = ReduceOptions {
            control: budget.control(),
            // First steps add transitions, but no markings that were not reachable before.
            dead: auto.structure.facts.dead_transitions.clone(),
            ..ReduceOptions::default()
        };
        let class = class_of(facts.stutter_invariant, facts.class);
        let reduced = ReducedProperty::new(property, class, &options);
        let outcome = reduced.as_ref().map_or_else(
            || "nothing to reduce".to_owned(),
            |r| {
                let (old, new) = (property.net, r.property().net);
                format!(
                    "{} of {} places, {} of {} transitions",
                    new.places().len(),
                    old.places().len(),
                    new.transitions().len(),
                    old.transitions().len()
                )
            },
        );
        self.timeline.add("reduction", start, outcome);
        reduced
    }
}
