//! One question on its way through the stages.
//!
//! A case is a [`Search`] and can be left after each round, so that many questions take
//! turns: none waits for a hard one. The first time it is advanced it is prepared (simplified,
//! translated, reduced), which is not counted as work.

use super::Auto;
use super::rounds::{FIRST_WORK, RoundAnswer, Rounds};
use super::timeline::{Timeline, words};
use crate::budget::Budget;
use crate::decide::{
    AutomatonFacts, DecideError, Decision, FairProperty, FairTranslated, Property, Translated,
    guarded,
};
use crate::engine::Engine;
use crate::first_steps::FirstSteps;
use crate::hunt::HuntEngine;
use crate::reduced::{ReducedProperty, class_of};
use crate::restate::{Chain, Restatement, check_fair_run, check_run};
use crate::simplify::{Simplified, left_sides};
use crate::verdict::{Reason, Verdict};
use brine_explicit::hunt::HuntOptions;
use brine_ltl::{Conjunction, Formula, Options};
use brine_net::{Fairness, Net, Structure};
use brine_reduce::ReduceOptions;
use brine_run::{Control, Search, Shared};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Simplification takes at most this part of the time, and at most this long.
const SIMPLIFY_SHARE: u32 = 4;
const SIMPLIFY_MOST: Duration = Duration::from_secs(5);
/// Of a net with more places and transitions than this, at most so long: a linear program over
/// so many variables does not end in the time that it has, and what needs none takes less.
const HUGE: usize = 200_000;
const SIMPLIFY_HUGE: Duration = Duration::from_secs(1);

/// Places and transitions of a net whose structure is known in no time.
const SMALL: usize = 500;

/// Rounds that are spent on finding any run at all.
const ROUNDS_FOR_ANY_RUN: u32 = 4;

/// A question, and how far it has come.
pub struct Case<'a> {
    auto: Auto<'a>,
    property: Property<'a>,
    fairness: &'a Fairness,
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
    /// Simplification says so.
    every_run_violates: bool,
    automaton: AutomatonFacts,
    rounds: Rounds<'a>,
}

impl Prepared<'_> {
    /// What an engine's answer says about the question before it was restated.
    fn conclude(
        &self,
        asked: FairProperty<'_>,
        answer: RoundAnswer,
        control: &Control,
    ) -> Result<Decision, DecideError> {
        let RoundAnswer { engine, verdict, stats } = answer;
        let original = asked.property;
        let verdict = self.chain.conclude(original, engine, verdict, &Budget::of(control))?;
        if !asked.is_plain() {
            check_fair_run(asked, engine, &verdict)?;
        }
        let automaton = Some(self.automaton.clone());
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
        let automaton = Some(self.automaton.clone());
        let verdict = Verdict::Violated(None);
        Some(Decision { verdict, automaton, ..Decision::open("simplification") })
    }
}

impl Search for Case<'_> {
    type Outcome = Result<Decision, DecideError>;

    /// Plays rounds up to the work of the control. A decision is final, unless it says that the
    /// steps or the time are used up.
    fn advance(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let result = guarded("auto", || self.rounds(control));
        self.spent += start.elapsed();
        let mut decision = result?;
        decision.time = self.spent;
        decision.timeline = self.timeline.steps();
        if decision.verdict == Verdict::Holds {
            decision.vacuous = guarded("auto", || Ok(self.never_true(control)))?;
        }
        Ok(decision)
    }
}

impl<'a> Case<'a> {
    /// A new question.
    pub(super) fn new(auto: Auto<'a>, asked: FairProperty<'a>) -> Self {
        let timeline = Timeline::new(Instant::now());
        let FairProperty { property, fairness } = asked;
        Case { auto, property, fairness, prepared: None, timeline, spent: Duration::ZERO }
    }

    /// What is asked.
    fn asked(&self) -> FairProperty<'a> {
        FairProperty { property: self.property, fairness: self.fairness }
    }

    /// Lets its searches hold so many bytes while it is left; with more, they start over.
    pub fn hold_at_most(&mut self, bytes: u64) {
        if let Some(prepared) = &mut self.prepared
            && prepared.rounds.held() > bytes
        {
            prepared.rounds.release();
        }
    }

    /// What makes a formula that holds hold for an empty reason, as far as it is known by now
    /// or the net is so small that asking costs nothing.
    fn never_true(&self, control: &Control) -> Vec<Formula> {
        let auto = &self.auto;
        let Property { net, formulas, formula } = self.property;
        let small = size_of(net) <= SMALL;
        let known = auto.has_simplifier() || small;
        if !auto.stages.simplification
            || !known
            || !self.asked().is_plain()
            || left_sides(formulas, formula).is_empty()
        {
            return Vec::new();
        }
        let never =
            auto.with_simplifier(&control.without_work(), |s| s.never_true(formulas, formula));
        never.unwrap_or_default()
    }

    /// Rounds until one decides, or the work is done.
    fn rounds(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let mut prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => match self.prepare(&control.without_work()) {
                Ok(prepared) => prepared,
                Err(decision) => {
                    check_run(self.property, decision.engine, &decision.verdict)?;
                    return Ok(*decision);
                }
            },
        };
        let asked = self.asked();
        let decided = loop {
            if control.work.is_some_and(|most| prepared.rounds.next_work() > most) {
                break Decision {
                    verdict: Verdict::Unknown(Reason::Steps),
                    automaton: Some(prepared.automaton.clone()),
                    ..Decision::open("auto")
                };
            }
            let answer = prepared.rounds.play(control, &mut self.timeline);
            let conclude = |answer| prepared.conclude(asked, answer, control);
            let decision = answer.map(conclude).transpose()?;
            if let Some(decision) = prepared.or_any_run(decision) {
                break decision;
            }
        };
        self.prepared = Some(prepared);
        Ok(decided)
    }

    /// Simplifies, translates, reduces, translates again. `Err` is a decision.
    fn prepare(&mut self, control: &Control) -> Result<Prepared<'a>, Box<Decision>> {
        let auto = self.auto.clone();
        if !self.asked().is_plain() {
            return self.prepare_fair(&auto, control);
        }
        if auto.stages.hunt && !auto.hunted {
            self.hunt_at_once(&auto, control)?;
        }
        let (mut chain, mut excluded) = (Chain::default(), Vec::new());
        if let Some(simplified) = self.simplify(&auto, control) {
            excluded.clone_from(&simplified.excluded);
            chain.push(simplified);
        }
        let formula = chain.property(self.property).formula;
        if formula == Formula::TRUE {
            let verdict = Verdict::Holds;
            return Err(Box::new(Decision { verdict, ..Decision::open("simplification") }));
        }
        let simplified = chain.property(self.property);
        let mut translated = self.translate(&auto, simplified, &excluded, control)?;
        let mut structure = None;
        if auto.stages.reduction {
            structure = self.restate(&auto, &mut chain, &mut translated, control)?;
        }
        let (net, structure) = match structure {
            Some(structure) => {
                let net = chain.property(self.property).net.clone();
                (Arc::new(net).into(), Arc::new(structure).into())
            }
            None => (self.property.net.into(), Shared::from(&**auto.structure)),
        };
        let question = translated.question();
        let rounds = Rounds::new(auto.stages, auto.order, &net, &structure, &question);
        let rounds = rounds.unwrap_or_else(|error| {
            unreachable!("the engines of auto have no options, but: {error}")
        });
        let every_run_violates = formula == Formula::FALSE;
        let automaton = translated.facts();
        Ok(Prepared { chain, every_run_violates, automaton, rounds })
    }

    /// A question about events or fair runs is translated, no more.
    fn prepare_fair(
        &mut self,
        auto: &Auto<'a>,
        control: &Control,
    ) -> Result<Prepared<'a>, Box<Decision>> {
        let start = Instant::now();
        control.enter("automaton", None);
        let options = Options { kept: Some(&auto.translations), ..Options::default() };
        let translated = FairTranslated::new(self.asked(), &options, &Budget::of(control), start);
        let outcome = match &translated {
            Ok(translated) => format!("{} states", translated.facts().states),
            Err(reason) => words(&Ok(Verdict::Unknown(reason.clone()))),
        };
        self.timeline.add("automaton", start, outcome);
        let translated = translated.map_err(|reason: Reason| {
            Box::new(Decision { verdict: Verdict::Unknown(reason), ..Decision::open("auto") })
        })?;
        let (net, structure) = (self.property.net.into(), Shared::from(&**auto.structure));
        let question = translated.question();
        let rounds = Rounds::fair(auto.stages, auto.order, &net, &structure, &question);
        let (chain, automaton) = (Chain::default(), translated.facts());
        Ok(Prepared { chain, every_run_violates: false, automaton, rounds })
    }

    /// Takes the first steps if they stand in the way of a reduction, and reduces the net.
    /// Returns the structure of the last net, if it is another one.
    fn restate(
        &mut self,
        auto: &Auto<'a>,
        chain: &mut Chain<'a>,
        translated: &mut Translated,
        control: &Control,
    ) -> Result<Option<Structure>, Box<Decision>> {
        let start = Instant::now();
        let before = chain.len();
        let steps = match translated.facts().stutter_invariant {
            Some(false) => FirstSteps::new(chain.property(self.property), &Budget::of(control)),
            _ => None,
        };
        if let Some(steps) = steps {
            self.timeline.add("first steps", start, "stutter-invariant after them".to_owned());
            *translated = self.translate(auto, steps.property(), &[], control)?;
            chain.push(steps);
        }
        let property = chain.property(self.property);
        if let Some(reduced) = self.reduce(auto, property, translated, control) {
            *translated = self.translate(auto, reduced.property(), &[], control)?;
            chain.push(reduced);
        }
        let net = chain.property(self.property).net;
        Ok((chain.len() > before).then(|| Structure::within(net, control)))
    }

    /// Most violations are close, and found before anything is known about the net.
    fn hunt_at_once(&mut self, auto: &Auto<'a>, control: &Control) -> Result<(), Box<Decision>> {
        let start = Instant::now();
        control.enter("hunt", None);
        let options = Options { kept: Some(&auto.translations), ..Options::default() };
        let budget = Budget::of(control);
        let Ok(translated) = Translated::new(self.property, &options, &budget, start) else {
            return Ok(());
        };
        let mut hunt = HuntEngine::new(self.property.net, HuntOptions::default());
        if hunt.begin(translated.question()).is_err() {
            return Ok(());
        }
        let first_round = Control { work: Some(FIRST_WORK), ..control.clone() };
        let (verdict, stats) = hunt.advance(&first_round);
        self.timeline.add("hunt, at once", start, words(&Ok(verdict.clone())));
        if matches!(verdict, Verdict::Unknown(_)) {
            return Ok(());
        }
        let automaton = Some(translated.facts());
        Err(Box::new(Decision { verdict, automaton, stats, ..Decision::open("hunt") }))
    }

    fn simplify(&mut self, auto: &Auto<'a>, control: &Control) -> Option<Simplified<'a>> {
        let Property { formulas, formula, .. } = self.property;
        if !auto.stages.simplification {
            return None;
        }
        let start = Instant::now();
        control.enter("simplification", None);
        let most = if size_of(self.property.net) > HUGE { SIMPLIFY_HUGE } else { SIMPLIFY_MOST };
        let share = control.time_left().map_or(most, |t| t / SIMPLIFY_SHARE);
        // The structure, which is worked out now if it was not needed before, is not counted.
        let _ = &**auto.structure;
        let control = control.at_most(share.min(most));
        let done = auto.with_simplifier(&control, |simplifier| {
            simplifier.simplify(formulas, formula, &Budget::of(&control))
        });
        let Ok(done) = done else {
            self.timeline.add("simplification", start, "no time to begin".to_owned());
            return None;
        };
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
        control: &Control,
    ) -> Result<Translated, Box<Decision>> {
        let start = Instant::now();
        control.enter("automaton", None);
        let options = Options { excluded, kept: Some(&auto.translations), ..Options::default() };
        let translated = Translated::new(property, &options, &Budget::of(control), start);
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
        control: &Control,
    ) -> Option<ReducedProperty> {
        let start = Instant::now();
        control.enter("reduction", None);
        let facts = translated.facts();
        let options = ReduceOptions {
            control: control.clone(),
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

/// Places and transitions.
fn size_of(net: &Net) -> usize {
    net.places().len() + net.transitions().len()
}
