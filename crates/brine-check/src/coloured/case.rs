//! One question about a coloured net on its way through the stages.
//!
//! 1. what the skeleton decides, or simplifies: microseconds, whatever the colours;
//! 2. a short hunt for a violation on coloured markings, which needs no unfolding;
//! 3. rounds of growing work: a longer hunt on coloured markings, and the stages of `auto` on the
//!    plain net ([`super::model`]), if there is one.
//!
//! Like the case of a plain net it is a [`Search`]: many questions take turns, and all of them get
//! the first two stages before anything is unfolded for one of them. A run is replayed on the coloured
//! net, by code that shares nothing with what found it, whatever stage it comes from.

use super::hunt::ColouredHunt;
use super::model::{ColouredModel, PlainNet};
use super::skeleton::SkeletonSimplifier;
use super::{ColouredProperty, unfolded};
use crate::auto::{Auto, Case, Stages, Timeline};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Property, Translated, guarded};
use crate::engine::Question;
use crate::simplify::SimplifiedFormula;
use crate::verdict::{Reason, Stats, Verdict};
use brine_coloured::{ColouredRun, part_of};
use brine_explicit::hunt::HuntOptions;
use brine_ltl::{Conjunction, Formula, Formulas, Options, Translations};
use brine_net::{Net, Run};
use brine_replay::{ReplayError, replay_coloured};
use brine_run::{Control, Deepening, GROWTH, Search, Standing};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The work of the first hunt.
const FIRST_WORK: u64 = 60_000;
/// A large net is not unfolded before the hunt has had so much work.
const LARGE_WORK: u64 = FIRST_WORK * GROWTH * GROWTH;
/// Simplification takes at most this part of the time, and at most this long.
const SIMPLIFY_SHARE: u32 = 4;
const SIMPLIFY_MOST: Duration = Duration::from_secs(5);
/// Without a limit of time, a net that cannot be unfolded is hunted in for so many rounds.
const ROUNDS_OF_HUNTING: u32 = 8;
/// Rounds that are spent on finding any run at all, if every run violates the formula.
const ROUNDS_FOR_ANY_RUN: u32 = 2;

/// A question, with room for what it becomes on the plain net.
#[derive(Debug)]
pub struct ColouredQuestion<'a> {
    property: ColouredProperty<'a>,
    plain: OnceLock<(Formulas, Formula)>,
}

impl<'a> ColouredQuestion<'a> {
    /// A question.
    pub fn new(property: ColouredProperty<'a>) -> Self {
        ColouredQuestion { property, plain: OnceLock::new() }
    }
}

/// Answers questions about one coloured net. What one question learns about it serves the next.
#[derive(Clone)]
pub struct ColouredAuto<'n> {
    model: &'n ColouredModel,
    stages: Stages,
    /// For the plain net, once there is one.
    plain: Rc<OnceCell<Auto<'n>>>,
    translations: Arc<Translations>,
    /// What the skeleton tells, once it was asked.
    simplifier: Rc<RefCell<Option<SkeletonSimplifier<'n>>>>,
    hunt: Rc<RefCell<Option<SharedHunt<'n>>>>,
    /// So many questions were asked.
    asked: Rc<Cell<u64>>,
}

/// The hunt of all questions. An initial marking of 100,000 tokens is loaded once; a question whose
/// turn comes after another's begins anew, with what is known of the markings.
struct SharedHunt<'n> {
    hunt: ColouredHunt<'n>,
    /// Whose turn was last.
    question: u64,
}

impl<'n> ColouredAuto<'n> {
    /// For questions about a coloured net.
    pub fn new(model: &'n ColouredModel, stages: Stages) -> Self {
        ColouredAuto {
            model,
            stages,
            plain: Rc::default(),
            translations: Arc::default(),
            simplifier: Rc::default(),
            hunt: Rc::default(),
            asked: Rc::default(),
        }
    }

    /// A turn of the hunt for a question of this number.
    fn hunt(&self, number: u64, question: Question, control: &Control) -> Turned {
        let mut kept = self.hunt.borrow_mut();
        // Taken out, so that a panic leaves nothing half-done behind.
        let mut shared = match kept.take() {
            Some(shared) if shared.question == number => shared,
            Some(mut shared) => {
                shared.hunt.begin(question);
                SharedHunt { question: number, ..shared }
            }
            None => {
                let net = self.model.working_net(control);
                let mut hunt = ColouredHunt::new(net, HuntOptions::default());
                hunt.begin(question);
                SharedHunt { hunt, question: number }
            }
        };
        let (run, stats) = shared.hunt.advance(control);
        *kept = Some(shared);
        let verdict = match run {
            Ok(None) => ColouredVerdict::Holds,
            Ok(Some(run)) => ColouredVerdict::Violated(Some(run)),
            Err(stop) => ColouredVerdict::Unknown(stop.into()),
        };
        Turned { engine: "hunt", verdict, stats }
    }

    /// Gives back what the hunt holds while it is left, if that is more.
    fn hold_at_most(&self, bytes: u64) {
        if let Some(shared) = &mut *self.hunt.borrow_mut()
            && shared.hunt.held() > bytes
        {
            shared.hunt.release();
        }
    }

    /// Simplifies by the skeleton; `None` if there is no time to begin.
    fn simplify(
        &self,
        property: ColouredProperty<'_>,
        control: &Control,
    ) -> Option<SimplifiedFormula> {
        let mut kept = self.simplifier.borrow_mut();
        // Taken out, so that a panic leaves no half-learned one behind.
        let mut simplifier = match kept.take() {
            Some(simplifier) => simplifier,
            None => {
                let known = self.model.skeleton(control)?;
                let (skeleton, structure) = (&known.skeleton, &known.structure);
                let initially = |t| known.initially(t);
                SkeletonSimplifier::within(skeleton, structure, initially, control)
                    .ok()?
                    .with_translations(self.translations.clone())
            }
        };
        let simplified = simplifier.simplify(property, &Budget::of(control));
        *kept = Some(simplifier);
        Some(simplified)
    }

    /// The left sides of implications that the skeleton is known to make true nowhere, if it was
    /// asked about the formula.
    fn never_true(&self, property: ColouredProperty<'_>) -> Vec<Formula> {
        let mut kept = self.simplifier.borrow_mut();
        let Some(mut simplifier) = kept.take() else { return Vec::new() };
        let never = simplifier.never_true(property);
        *kept = Some(simplifier);
        never
    }

    /// The search that decides a property of the net.
    pub fn case(&self, question: &'n ColouredQuestion<'n>) -> ColouredCase<'n> {
        let timeline = Timeline::new(Instant::now());
        let number = self.asked.replace(self.asked.get() + 1);
        ColouredCase {
            auto: self.clone(),
            number,
            question,
            prepared: None,
            timeline,
            spent: Duration::ZERO,
        }
    }

    /// Decides a property of the net.
    pub fn decide(
        &self,
        question: &'n ColouredQuestion<'n>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        self.case(question).advance(&budget.search_control())
    }
}

/// A question, and how far it has come.
pub struct ColouredCase<'n> {
    auto: ColouredAuto<'n>,
    number: u64,
    question: &'n ColouredQuestion<'n>,
    prepared: Option<Prepared<'n>>,
    timeline: Timeline,
    /// Time spent on this question.
    spent: Duration,
}

/// The question as it is put to the members.
struct Prepared<'n> {
    translated: Translated,
    /// The formula that the skeleton left, over coloured nodes.
    simplified: (Formulas, Formula),
    every_run_violates: bool,
    members: Deepening<Member<'n>>,
    /// Why members left.
    gone: Option<Reason>,
}

/// Who takes turns.
enum Member<'n> {
    /// The hunt on coloured markings, which all questions share.
    Hunt,
    /// The stages of `auto` on the plain net; none before it is first needed.
    Plain(Option<Box<PlainCase<'n>>>),
}

/// The question on the plain net.
struct PlainCase<'n> {
    case: Case<'n>,
    begun: Instant,
    /// So many of its steps were told.
    told: usize,
}

/// What a turn came to.
struct Turned {
    engine: &'static str,
    verdict: ColouredVerdict,
    stats: Stats,
}

impl Turned {
    fn open(reason: Reason) -> Self {
        let (verdict, stats) = (ColouredVerdict::Unknown(reason), Stats::default());
        Turned { engine: "auto", verdict, stats }
    }

    fn decides(&self) -> bool {
        !matches!(self.verdict, ColouredVerdict::Unknown(_))
    }

    /// A member that cannot go on leaves.
    fn standing(&self) -> Standing {
        match &self.verdict {
            ColouredVerdict::Unknown(Reason::Steps) => Standing::Open,
            ColouredVerdict::Unknown(Reason::Memory | Reason::Unsupported(_)) => Standing::Out,
            _ => Standing::Decided,
        }
    }

    fn words(&self) -> String {
        match &self.verdict {
            ColouredVerdict::Holds => "holds".to_owned(),
            ColouredVerdict::Violated(Some(run)) => {
                format!("violated, a run of {} steps", run.steps().count())
            }
            ColouredVerdict::Violated(None) => "violated".to_owned(),
            ColouredVerdict::Unknown(reason) => format!("open, {reason}"),
        }
    }
}

/// A verdict with a coloured run.
enum ColouredVerdict {
    Holds,
    Violated(Option<ColouredRun>),
    Unknown(Reason),
}

impl Prepared<'_> {
    /// Whether nobody is left who could decide, or it was tried long enough.
    fn is_over(&self, control: &Control) -> bool {
        let rounds = self.members.rounds();
        if self.every_run_violates && rounds >= ROUNDS_FOR_ANY_RUN {
            return true;
        }
        let hunted = self.gone.is_some() && control.deadline.is_none();
        self.members.members().is_empty() || hunted && rounds >= ROUNDS_OF_HUNTING
    }

    /// Nothing was decided for this reason.
    fn open(&self, reason: Reason) -> Decision {
        let (verdict, automaton) = (Verdict::Unknown(reason), Some(self.translated.facts()));
        Decision { verdict, automaton, ..Decision::open("auto") }
    }

    /// If every run violates the formula, only a run to show is missing. When that is not found
    /// soon, or the budget is over, the verdict stands without it.
    fn or_any_run(&self, decision: Decision) -> Decision {
        let steps = decision.verdict == Verdict::Unknown(Reason::Steps);
        let open = matches!(decision.verdict, Verdict::Unknown(_));
        let enough = !steps || self.members.rounds() >= ROUNDS_FOR_ANY_RUN;
        if !self.every_run_violates || !open || !enough {
            return decision;
        }
        let verdict = Verdict::Violated(None);
        Decision { verdict, automaton: decision.automaton, ..Decision::open("skeleton") }
    }
}

impl Search for ColouredCase<'_> {
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
            let property = self.question.property;
            decision.vacuous = guarded("auto", || Ok(self.auto.never_true(property)))?;
        }
        Ok(decision)
    }
}

impl<'n> ColouredCase<'n> {
    /// Gives back what its searches hold while it is left, if that is more.
    pub fn hold_at_most(&mut self, bytes: u64) {
        let members = self.prepared.iter_mut().flat_map(|p| p.members.members_mut());
        for member in members {
            match member {
                Member::Hunt => self.auto.hold_at_most(bytes),
                Member::Plain(Some(case)) => case.case.hold_at_most(bytes),
                Member::Plain(None) => (),
            }
        }
    }

    fn rounds(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let mut prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => match self.prepare(&control.without_work())? {
                Ok(prepared) => prepared,
                Err(decision) => return Ok(*decision),
            },
        };
        let decision = self.play(&mut prepared, control)?;
        let decision = prepared.or_any_run(decision);
        self.prepared = Some(prepared);
        Ok(decision)
    }

    /// Rounds until one decides, or the work is done.
    fn play(
        &mut self,
        prepared: &mut Prepared<'n>,
        control: &Control,
    ) -> Result<Decision, DecideError> {
        loop {
            if prepared.is_over(control) {
                return Ok(prepared.open(prepared.gone.clone().unwrap_or(Reason::Memory)));
            }
            if control.work.is_some_and(|most| prepared.members.next_work() > most) {
                return Ok(prepared.open(Reason::Steps));
            }
            let mut members = std::mem::replace(&mut prepared.members, Deepening::new(vec![], 0));
            let turns = members.one_by_one(
                |member, turn| self.turn(prepared, member, turn.work, control),
                |turned| turned.as_ref().map_or(Standing::Decided, Turned::standing),
            );
            prepared.members = members;
            for turned in turns {
                let turned = turned?;
                match &turned.verdict {
                    ColouredVerdict::Unknown(Reason::Steps) => (),
                    ColouredVerdict::Unknown(
                        reason @ (Reason::Memory | Reason::Unsupported(_)),
                    ) => {
                        prepared.gone.get_or_insert(reason.clone());
                    }
                    ColouredVerdict::Unknown(reason) => {
                        let reason = prepared.gone.clone().unwrap_or_else(|| reason.clone());
                        return Ok(prepared.open(reason));
                    }
                    _ => return self.conclude(&prepared.translated, turned, control),
                }
            }
        }
    }

    /// One member's turn, and what it told.
    fn turn(
        &mut self,
        prepared: &Prepared<'n>,
        member: &mut Member<'n>,
        work: u64,
        control: &Control,
    ) -> Result<Turned, DecideError> {
        let control = Control { work: Some(work), ..control.clone() };
        match member {
            Member::Hunt => {
                let begun = Instant::now();
                control.enter("coloured hunt", None);
                let question = prepared.translated.question();
                let turned = self.auto.hunt(self.number, question, &control);
                self.timeline.add("coloured hunt", begun, turned.words());
                Ok(turned)
            }
            Member::Plain(case) => self.plain_turn(prepared, case, &control),
        }
    }

    /// The turn of `auto` on the plain net, which is made first if there is none.
    fn plain_turn(
        &mut self,
        prepared: &Prepared<'n>,
        case: &mut Option<Box<PlainCase<'n>>>,
        control: &Control,
    ) -> Result<Turned, DecideError> {
        let begun = Instant::now();
        let model = self.auto.model;
        if model.is_large(control) && control.work.is_some_and(|work| work < LARGE_WORK) {
            return Ok(Turned::open(Reason::Steps));
        }
        control.enter("unfolding", None);
        let plain = match model.plain(control) {
            Ok(plain) => plain,
            Err(reason) => {
                let turned = Turned::open(reason);
                self.timeline.add("unfolding", begun, turned.words());
                return Ok(turned);
            }
        };
        let case = match case {
            Some(case) => case,
            None => {
                self.timeline.add("unfolding", begun, plain.size());
                let Some(property) = self.plain_property(prepared, plain) else {
                    let what = "a sum with numbers of more than 64 bits".to_owned();
                    return Ok(Turned::open(Reason::Unsupported(what)));
                };
                let stages = self.auto.stages;
                let auto = self.auto.plain.get_or_init(|| plain.auto(stages));
                let new = PlainCase { case: auto.case(property), begun, told: 0 };
                case.insert(Box::new(new))
            }
        };
        let decision = case.case.advance(control)?;
        self.timeline.append(case.begun, &decision.timeline[case.told..]);
        case.told = decision.timeline.len();
        let coloured = |run: Run| plain.unfolded.run(&run);
        let verdict = match decision.verdict {
            Verdict::Holds => ColouredVerdict::Holds,
            Verdict::Violated(run) => ColouredVerdict::Violated(run.map(coloured)),
            Verdict::Unknown(reason) => ColouredVerdict::Unknown(reason),
        };
        Ok(Turned { engine: decision.engine, verdict, stats: decision.stats })
    }

    /// The question on the plain net; `None` if it has numbers that are too large.
    fn plain_property(&self, prepared: &Prepared<'n>, plain: &'n PlainNet) -> Option<Property<'n>> {
        let (formulas, formula) = &prepared.simplified;
        let net = self.auto.model.net();
        let property = ColouredProperty { net, formulas, formula: *formula };
        let restated = unfolded::restate(property, &plain.unfolded.groups).ok()?;
        let (formulas, formula) = self.question.plain.get_or_init(|| restated);
        Some(Property { net: &plain.unfolded.net, formulas, formula: *formula })
    }

    /// The skeleton, and a short hunt on coloured markings. `Err` is a decision.
    fn prepare(
        &mut self,
        control: &Control,
    ) -> Result<Result<Prepared<'n>, Box<Decision>>, DecideError> {
        let ColouredProperty { formulas, formula, .. } = self.question.property;
        let stages = self.auto.stages;
        control.enter("simplification", None);
        let mut simplified = (formulas.clone(), formula);
        let mut excluded = Vec::new();
        if stages.simplification
            && let Some(done) = self.simplify(control)
        {
            if done.formula == Formula::TRUE {
                let verdict = Verdict::Holds;
                return Ok(Err(Box::new(Decision { verdict, ..Decision::open("skeleton") })));
            }
            simplified = (done.formulas, done.formula);
            excluded = done.excluded;
        }
        let translated = match self.translate(&simplified.0, simplified.1, &excluded, control) {
            Ok(translated) => translated,
            Err(decision) => return Ok(Err(decision)),
        };
        if stages.hunt {
            let begun = Instant::now();
            control.enter("coloured hunt", None);
            let first = Control { work: Some(FIRST_WORK), ..control.clone() };
            let turned = self.auto.hunt(self.number, translated.question(), &first);
            self.timeline.add("coloured hunt, at once", begun, turned.words());
            if turned.decides() {
                return Ok(Err(Box::new(self.conclude(&translated, turned, control)?)));
            }
        }
        let every_run_violates = simplified.1 == Formula::FALSE;
        let hunt = stages.hunt.then_some(Member::Hunt);
        // Nothing is unfolded for a run that is only to be shown.
        let plain = (!every_run_violates || !stages.hunt).then_some(Member::Plain(None));
        let members = hunt.into_iter().chain(plain).collect();
        let members = Deepening::new(members, GROWTH * FIRST_WORK);
        Ok(Ok(Prepared { translated, simplified, every_run_violates, members, gone: None }))
    }

    /// Simplifies by the skeleton.
    fn simplify(&mut self, control: &Control) -> Option<SimplifiedFormula> {
        let begun = Instant::now();
        let formula = self.question.property.formula;
        let share = control.time_left().map_or(SIMPLIFY_MOST, |t| t / SIMPLIFY_SHARE);
        let control = control.at_most(share.min(SIMPLIFY_MOST));
        let done = self.auto.simplify(self.question.property, &control);
        let outcome = match &done {
            None => "no time to begin".to_owned(),
            Some(done) => match done.formula {
                Formula::TRUE => "holds".to_owned(),
                Formula::FALSE => "violated by every run".to_owned(),
                now if now == formula && done.findings.is_empty() => "nothing new".to_owned(),
                _ => format!("{} facts used", done.findings.len()),
            },
        };
        self.timeline.add("skeleton", begun, outcome);
        done
    }

    fn translate(
        &mut self,
        formulas: &Formulas,
        formula: Formula,
        excluded: &[Conjunction],
        control: &Control,
    ) -> Result<Translated, Box<Decision>> {
        let start = Instant::now();
        let kept = Some(&*self.auto.translations);
        let options = Options { excluded, kept, ..Options::default() };
        let budget = Budget::of(control);
        Translated::negation_of(formulas, formula, &options, &budget, start).map_err(|reason| {
            Box::new(Decision { verdict: Verdict::Unknown(reason), ..Decision::open("auto") })
        })
    }

    /// The decision that a verdict is; its run is replayed, and made ready to be shown.
    fn conclude(
        &self,
        translated: &Translated,
        turned: Turned,
        control: &Control,
    ) -> Result<Decision, DecideError> {
        let Turned { engine, verdict, stats, .. } = turned;
        let automaton = Some(translated.facts());
        let mut decision = Decision { automaton, stats, ..Decision::open(engine) };
        decision.verdict = match verdict {
            ColouredVerdict::Holds => Verdict::Holds,
            ColouredVerdict::Unknown(reason) => Verdict::Unknown(reason),
            ColouredVerdict::Violated(None) => Verdict::Violated(None),
            ColouredVerdict::Violated(Some(run)) => match self.shown(engine, run, control)? {
                Some((part, run, coloured)) => {
                    decision.run_net = Some(Arc::new(part));
                    decision.coloured_run = Some(coloured);
                    Verdict::Violated(Some(run))
                }
                None => Verdict::Violated(None),
            },
        };
        Ok(decision)
    }
}

impl ColouredCase<'_> {
    /// A run of the working net as a run of the net itself, replayed there, with the part of the
    /// unfolded net that it touches. `None` if it is not found, or too wide to be shown.
    fn shown(
        &self,
        engine: &'static str,
        run: ColouredRun,
        control: &Control,
    ) -> Result<Option<(Net, Run, ColouredRun)>, DecideError> {
        let ColouredProperty { net, formulas, formula } = self.question.property;
        let Some(run) = self.auto.model.lift(run, control) else { return Ok(None) };
        match replay_coloured(net, formulas, formula, &run) {
            Ok(()) => Ok(part_of(net, &run).map(|(part, plain)| (part, plain, run))),
            // Not judged, so not shown.
            Err(ReplayError::CannotTell(_)) => Ok(None),
            Err(error) => Err(DecideError::Replay { engine, error }),
        }
    }
}
