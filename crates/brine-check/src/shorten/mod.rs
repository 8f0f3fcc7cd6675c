//! Short runs: what found a violation did not look for a short one.
//!
//! A run that is to be shown goes through three passes, each of which only ever replaces it by a
//! shorter one:
//!
//! 1. `fold`: the same run in fewer words. `a (b c a)` is `(a b c)`, a cycle that is a power is
//!    replaced by its root, stretches between equal markings are cut out;
//! 2. `drop_steps`: steps are left out, and with them whatever is no longer enabled without
//!    them;
//! 3. `shortest`: a breadth-first search for a shorter one. If it ends, the run is proved
//!    shortest.
//!
//! If the formula is violated whatever follows after some step, the rest of the run explains
//! nothing: the beginning is shortened by itself ([`brine_replay::replay_beginning`] judges it),
//! and how a run goes on from there is found by walking (`continuation`), so that scripts still
//! get a whole run. The length of a run is that of what is shown: its beginning, or prefix and
//! cycle.
//!
//! *Invariant:* every run that replaces another one has been replayed, by the same code that
//! judges engines, and is shorter. So nothing here has to be trusted. *Cost:* work is counted, so
//! the result is the same on every machine; by the clock it ends after `LEAST_TIME`, or what
//! the verdict took if that is more, with what was found until then.

mod continuation;
mod drop_steps;
mod fold;
mod judge;
mod shortest;

use crate::auto::Tried;
use crate::automaton::Violations;
use crate::budget::Budget;
use crate::coloured::ColouredProperty;
use crate::decide::{Decision, Property, Translated};
use crate::model::{ModelProperty, ReplayedModel};
use crate::verdict::Verdict;
use brine_coloured::part_of;
use brine_ltl::{Automaton, Options};
use brine_net::{Net, Run, TransitionId};
use brine_pins::Pins;
use brine_replay::Replayable;
use brine_run::Control;
use judge::{Asked, ColouredJudge, Judge, WholeJudge};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Shortening may take so long, or what the verdict took if that is more.
const LEAST_TIME: Duration = Duration::from_secs(1);
/// Arcs looked at by folding and dropping.
const DROP_WORK: u64 = 20_000_000;
/// Arcs and places looked at by the search, unless a shortest run is asked for.
const SEARCH_WORK: u64 = 8_000_000;
/// Bytes of the markings that the search keeps, unless a budget says less.
const SEARCH_BYTES: u64 = 1 << 28;

/// Whether a run is a shortest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shortest {
    /// Nobody knows.
    #[default]
    Open,
    /// No run that replay would accept is shorter.
    Proved,
}

/// What is known about a run that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunFacts {
    /// Steps of the run as it was found, prefix and cycle.
    pub found: usize,
    /// After so many steps the formula is violated whatever follows.
    pub violated_after: Option<usize>,
    /// Whether a shorter one exists.
    pub shortest: Shortest,
    /// Nobody says how it goes on after the last step: the beginning of a run, as by hand or by
    /// chance.
    pub open: bool,
}

impl RunFacts {
    /// How many steps of the run are to be shown.
    pub fn shown(&self, run: &Run) -> usize {
        self.violated_after.unwrap_or(run.len())
    }
}

/// How much is done for a short run.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Search for a shortest one as long as the budget lasts.
    pub shortest: bool,
    /// What is left for the question.
    pub budget: Budget,
}

/// Shortens the run of a decision about a net, if it has one.
///
/// ```
/// use brine_check::shorten::{Effort, Shortest};
/// use brine_check::{Budget, ExplicitEngine, Property, Verdict, decide, shorten};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("two lamps");
/// let (x, y, done) = (b.place("x", 1), b.place("y", 1), b.place("done", 0));
/// b.transition("fiddle", &[(x, 1)], &[(x, 1)]);
/// let go = b.transition("go", &[(y, 1)], &[(done, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("G done = 0", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let structure = Structure::new(&net);
/// let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
/// let property = Property { net: &net, formulas: &formulas, formula };
/// let mut decision = decide(&mut engine, property, &Budget::default()).unwrap();
/// let effort = Effort { shortest: false, budget: Budget::default() };
/// shorten::shorten(property, &mut decision, &effort);
/// let facts = decision.run_facts.unwrap();
/// let Verdict::Violated(Some(run)) = decision.verdict else { panic!() };
/// assert_eq!((run.step(0), facts.violated_after), (go, Some(1)));
/// assert_eq!(facts.shortest, Shortest::Proved);
/// ```
pub fn shorten(property: Property<'_>, decision: &mut Decision, effort: &Effort) {
    let Property { net, formulas, formula } = property;
    shorten_formula(
        net,
        formulas,
        formula,
        decision,
        effort,
        &Options { net: Some(net), ..Options::default() },
    );
}

/// The same for a model that is no net.
pub fn shorten_model(property: ModelProperty<'_>, decision: &mut Decision, effort: &Effort) {
    let ModelProperty { model, formulas, formula } = property;
    let options = Options::default();
    shorten_formula(&ReplayedModel { model }, formulas, formula, decision, effort, &options);
}

fn shorten_formula(
    model: &dyn Replayable,
    formulas: &brine_ltl::Formulas,
    formula: brine_ltl::Formula,
    decision: &mut Decision,
    effort: &Effort,
    options: &Options<'_>,
) {
    let Verdict::Violated(Some(run)) = &decision.verdict else { return };
    let judge = WholeJudge { model, asked: Asked::Formula(formulas, formula) };
    let start = Instant::now();
    let budget = effort.time(decision.time);
    let translated = Translated::negation_of(formulas, formula, options, &budget, start);
    let automaton = translated.as_ref().ok().map(Translated::violations);
    let control = effort.control(decision.time.max(LEAST_TIME).saturating_sub(start.elapsed()));
    let (run, facts) = shortened(&judge, automaton, run.clone(), effort.shortest, &control);
    settle(decision, run, facts, start);
}

/// The same for a question that is an automaton.
pub fn shorten_automaton(
    net: &Net,
    violations: &Violations,
    decision: &mut Decision,
    effort: &Effort,
) {
    shorten_accepted(net, violations, decision, effort);
}

/// The same for one about a model that is no net.
pub fn shorten_model_automaton(
    model: &dyn Pins,
    violations: &Violations,
    decision: &mut Decision,
    effort: &Effort,
) {
    shorten_accepted(&ReplayedModel { model }, violations, decision, effort);
}

fn shorten_accepted(
    model: &dyn Replayable,
    violations: &Violations,
    decision: &mut Decision,
    effort: &Effort,
) {
    let Verdict::Violated(Some(run)) = &decision.verdict else { return };
    let automaton = violations.automaton();
    let judge = WholeJudge { model, asked: Asked::Automaton(automaton) };
    let start = Instant::now();
    let control = effort.control(decision.time.max(LEAST_TIME));
    let (run, facts) = shortened(&judge, Some(automaton), run.clone(), effort.shortest, &control);
    settle(decision, run, facts, start);
}

/// The same for a coloured net. The steps that the run has are dropped and folded; others are not
/// searched for.
pub fn shorten_coloured(property: ColouredProperty<'_>, decision: &mut Decision, effort: &Effort) {
    let Verdict::Violated(Some(run)) = &decision.verdict else { return };
    let (Some(part), Some(coloured)) = (&decision.run_net, &decision.coloured_run) else { return };
    let start = Instant::now();
    let judge = ColouredJudge::new(property, part, run, coloured);
    let control = effort.control(decision.time.max(LEAST_TIME));
    let (short, facts) = shortened(&judge, None, run.clone(), false, &control);
    let coloured = judge.coloured(&short);
    // Numbers of steps change with the part; what does not fit any more stays as it was.
    let Some((part, run)) = part_of(property.net, &coloured) else { return };
    decision.run_net = Some(Arc::new(part));
    decision.coloured_run = Some(coloured);
    settle(decision, run, facts, start);
}

/// Writes down what came of it, and how long it took.
fn settle(decision: &mut Decision, run: Run, facts: RunFacts, start: Instant) {
    let proof = if facts.shortest == Shortest::Proved { ", none is shorter" } else { "" };
    let outcome = format!("{} to {} steps{proof}", facts.found, facts.shown(&run));
    let what = "short run".to_owned();
    let tried = Tried { what, start: decision.time, time: start.elapsed(), outcome };
    decision.timeline.push(tried);
    decision.verdict = Verdict::Violated(Some(run));
    decision.run_facts = Some(facts);
}

impl Effort {
    fn time(&self, verdict: Duration) -> Budget {
        let time = verdict.max(LEAST_TIME);
        let time = self.budget.time.map_or(time, |left| left.min(time));
        Budget { time: Some(time), ..self.budget.clone() }
    }

    /// What folding, dropping and the short search may use; with `shortest` the whole budget.
    fn control(&self, time: Duration) -> Control {
        let control = self.budget.control();
        if self.shortest { control } else { control.at_most(time) }
    }
}

/// A run and how much of it is shown.
#[derive(Clone, Debug)]
struct Shown {
    run: Run,
    violated_after: Option<usize>,
}

impl Shown {
    fn new(judge: &dyn Judge, run: Run) -> Self {
        let violated_after = judge.violated_after_in(&run);
        Shown { run, violated_after }
    }

    fn len(&self) -> usize {
        self.violated_after.unwrap_or(self.run.len())
    }

    /// What is shown, if that is a beginning.
    fn beginning(&self) -> Option<Vec<TransitionId>> {
        self.violated_after.map(|k| self.run.steps().take(k).collect())
    }
}

/// All passes.
fn shortened(
    judge: &dyn Judge,
    automaton: Option<&Automaton>,
    run: Run,
    shortest: bool,
    control: &Control,
) -> (Run, RunFacts) {
    let found = run.len();
    let mut best = Shown::new(judge, run);
    let drop_control = Control { work: Some(DROP_WORK), ..control.clone() };
    best = without_waste(judge, best, &drop_control);
    let mut facts = RunFacts { found, ..RunFacts::default() };
    if let Some(automaton) = automaton {
        let work = (!shortest).then_some(SEARCH_WORK);
        let charged = Some(control.memory_left().min(match shortest {
            true => u64::MAX,
            false => SEARCH_BYTES,
        }));
        let control = Control { work, charged, ..control.clone() };
        let (shorter, proved) = shortest::search(judge, automaton, best.len(), &control);
        best = shorter.unwrap_or(best);
        facts.shortest = if proved { Shortest::Proved } else { Shortest::Open };
    }
    debug_assert!(judge.violates(&best.run), "every step of the way was replayed");
    facts.violated_after = best.violated_after;
    (best.run, facts)
}

/// Folds and drops: first the whole run, then its beginning by itself, if that is what is shown.
fn without_waste(judge: &dyn Judge, mut best: Shown, control: &Control) -> Shown {
    let mut pace = control.pace();
    if let Some(beginning) = best.beginning() {
        let short = drop_steps::beginning(judge, beginning, &mut pace);
        if short.len() < best.len()
            && let Some(whole) = continuation::complete(judge, &short, &best.run, &mut pace)
        {
            best = whole;
        }
        return best;
    }
    let run = fold::folded(judge, best.run.clone(), &mut pace);
    let run = drop_steps::lasso(judge, run, &mut pace);
    let run = fold::folded(judge, run, &mut pace);
    let short = Shown::new(judge, run);
    if short.len() < best.len() { short } else { best }
}
