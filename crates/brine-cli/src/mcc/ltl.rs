//! The LTL examinations: all properties of a file on one net, none starving the others.

use super::answers::ContestQuestion;
use super::{Contest, ContestNet};
use crate::engine::plain;
use crate::entry::WitnessFile;
use crate::properties::{self, NamedProperty};
use brine_check::coloured::{
    ColouredAuto, ColouredCase, ColouredModel, ColouredProperty, ColouredQuestion,
};
use brine_check::show::net_trace;
use brine_check::{
    Budget, Case, DecideError, Decider, Decision, Property, Reason, Stages, Verdict, decide,
};
use brine_ltl::{Formula, Formulas};
use brine_net::{Net, NetBuilder};
use brine_pnml::coloured_symbols;
use brine_run::{Deepening, Search, Standing};
use brine_source::Source;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The contest's words for verdicts.
const TRUE: &str = "TRUE";
const FALSE: &str = "FALSE";

/// The work that each property gets in the first round.
const FIRST_WORK: u64 = 60_000;

/// The part of the memory that searches may hold while they wait for their next turn.
const HELD_SHARE: u64 = 8;

/// What came of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TurnOutcome {
    /// The contest's word for the verdict.
    Answered(&'static str),
    /// More time may help.
    TooShort,
    /// Nothing more can be done.
    Hopeless,
}

/// Answers the properties of a file about a plain net, or an unfolded one.
pub(super) fn run(
    contest: &Contest<'_>,
    net: ContestNet<'_>,
    source: &Source,
    file: &str,
) -> anyhow::Result<()> {
    let mut formulas = Formulas::new();
    let mut symbols = net.model.symbols();
    let named = properties::from_text(&source.file_beside(file)?, &mut formulas, &mut symbols)?;
    let sheet = ContestSheet::new(contest, net.net, &named, &mut formulas);
    let decider = contest.decider(net)?;
    sheet.answer(PlainQuestions { contest, net, formulas: &formulas, named: &named, decider })
}

/// The same about a coloured net that is unfolded only where it has to be.
pub(super) fn run_coloured(
    contest: &Contest<'_>,
    model: &ColouredModel,
    stages: Stages,
    source: &Source,
    file: &str,
) -> anyhow::Result<()> {
    let mut formulas = Formulas::new();
    let mut symbols = coloured_symbols(model.net());
    let named = properties::from_text(&source.file_beside(file)?, &mut formulas, &mut symbols)?;
    // Runs come with a net of their own.
    let nothing = NetBuilder::new("").build()?;
    let sheet = ContestSheet::new(contest, &nothing, &named, &mut formulas);
    let property = |formula| ColouredProperty { net: model.net(), formulas: &formulas, formula };
    let asked: Vec<ColouredQuestion<'_>> =
        named.iter().map(|p| ColouredQuestion::new(property(p.formula))).collect();
    sheet.answer(ColouredQuestions { auto: ColouredAuto::new(model, stages), asked: &asked })
}

impl<'a> Contest<'a> {
    /// A new engine.
    fn decider<'n>(&self, net: ContestNet<'n>) -> anyhow::Result<Decider<'n>> {
        let control = self.watchdog.control();
        self.spec.build(net.net, net.structure, &control).map_err(plain)
    }
}

/// Properties of one net, each by its number.
trait Questions {
    /// A search for an answer that is left between two turns.
    type Case;

    /// Goes on with a property; `held` is how much its search may hold while it is left.
    fn advance(
        &mut self,
        i: usize,
        case: &mut Option<Self::Case>,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError>;

    /// Begins anew after a property that was given up: whatever it holds, the next property needs
    /// the memory more.
    fn renew(&mut self) -> anyhow::Result<()>;
}

/// Properties of a plain net. Engines share what they know of the net, and begin a property anew in
/// each turn; the searches of `auto` go on.
struct PlainQuestions<'n> {
    contest: &'n Contest<'n>,
    net: ContestNet<'n>,
    formulas: &'n Formulas,
    named: &'n [NamedProperty],
    decider: Decider<'n>,
}

impl<'n> Questions for PlainQuestions<'n> {
    type Case = Case<'n>;

    fn advance(
        &mut self,
        i: usize,
        case: &mut Option<Case<'n>>,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError> {
        let formula = self.named[i].formula;
        let property = Property { net: self.net.net, formulas: self.formulas, formula };
        match &mut self.decider {
            Decider::Auto(auto) => {
                let case = case.get_or_insert_with(|| auto.case(property));
                let result = case.advance(&budget.search_control());
                case.hold_at_most(held);
                result
            }
            Decider::Engine(engine) => decide(&mut **engine, property, budget),
        }
    }

    fn renew(&mut self) -> anyhow::Result<()> {
        if matches!(self.decider, Decider::Engine(_)) {
            self.decider = self.contest.decider(self.net)?;
        }
        Ok(())
    }
}

/// Properties of a coloured net.
struct ColouredQuestions<'n> {
    auto: ColouredAuto<'n>,
    asked: &'n [ColouredQuestion<'n>],
}

impl<'n> Questions for ColouredQuestions<'n> {
    type Case = ColouredCase<'n>;

    fn advance(
        &mut self,
        i: usize,
        case: &mut Option<ColouredCase<'n>>,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError> {
        let case = case.get_or_insert_with(|| self.auto.case(&self.asked[i]));
        let result = case.advance(&budget.search_control());
        case.hold_at_most(held);
        result
    }

    fn renew(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// A property that is open.
struct Member<C> {
    property: usize,
    /// The search for its answer, once it has begun.
    case: Option<C>,
}

/// The properties and what is known of them.
struct ContestSheet<'a> {
    contest: &'a Contest<'a>,
    /// What runs are runs of, unless they come with a net of their own.
    net: &'a Net,
    named: &'a [NamedProperty],
    negations: Vec<Formula>,
    questions: Vec<ContestQuestion>,
    /// Answered or given up.
    settled: Vec<bool>,
    witnesses: Option<WitnessFile>,
}

impl<'a> ContestSheet<'a> {
    fn new(
        contest: &'a Contest<'a>,
        net: &'a Net,
        named: &'a [NamedProperty],
        formulas: &mut Formulas,
    ) -> Self {
        let negations = named.iter().map(|p| formulas.not(p.formula)).collect();
        let questions: Vec<ContestQuestion> =
            named.iter().map(|p| ContestQuestion::Formula(p.name.clone())).collect();
        contest.watchdog.answers().ask(questions.iter().cloned());
        let witnesses = contest.args.witness.as_deref().map(WitnessFile::new);
        let settled = vec![false; named.len()];
        ContestSheet { contest, net, named, negations, questions, settled, witnesses }
    }

    /// All properties take turns until the time is up.
    fn answer<Q: Questions>(mut self, mut questions: Q) -> anyhow::Result<()> {
        let members = (0..self.named.len()).map(|property| Member { property, case: None });
        let mut open = Deepening::new(members.collect(), FIRST_WORK);
        while !open.members().is_empty() && !self.contest.watchdog.time_left().is_zero() {
            let turns = open.one_by_one(
                |member, turn| self.turn(member, &mut questions, turn.work),
                |result| match result {
                    Ok(TurnOutcome::TooShort) => Standing::Open,
                    Ok(_) => Standing::Out,
                    Err(_) => Standing::Decided,
                },
            );
            turns.into_iter().collect::<anyhow::Result<Vec<TurnOutcome>>>()?;
        }
        self.witnesses.map_or(Ok(()), |file| file.write())
    }

    /// One property gets so much work: the easy ones are answered first.
    fn turn<Q: Questions>(
        &mut self,
        member: &mut Member<Q::Case>,
        questions: &mut Q,
        work: u64,
    ) -> anyhow::Result<TurnOutcome> {
        let i = member.property;
        let left = self.contest.watchdog.time_left();
        if self.settled[i] || left.is_zero() {
            return Ok(TurnOutcome::Hopeless);
        }
        // Turns are equally hard, but not equally long: no property gets more than two shares.
        let open = self.settled.iter().filter(|settled| !**settled).count() as u32;
        let slice = (2 * left / open.max(1)).min(left);
        let mut budget = self.budget(slice);
        // The last one that is open need not make room for others.
        budget.schedule.ticks = (open > 1).then_some(work);
        // All that are left together hold little of the memory.
        let memory = self.contest.watchdog.confinement().memory_bytes();
        let held = memory / HELD_SHARE / u64::from(open);
        let result = questions.advance(i, &mut member.case, &budget, held);
        let outcome = self.settle(i, slice, &result)?;
        if outcome == TurnOutcome::Hopeless {
            questions.renew()?;
        }
        Ok(outcome)
    }

    /// A slice of the time, and the memory that is left.
    fn budget(&self, slice: Duration) -> Budget {
        let watchdog = self.contest.watchdog;
        let cancel = watchdog.cancel();
        // What called the last property off has ended with it.
        cancel.store(false, Ordering::Relaxed);
        let memory = Some(watchdog.confinement().memory_left());
        let threads = self.contest.args.threads.count();
        Budget { time: Some(slice), memory, cancel, threads, ..Budget::default() }
    }

    /// Writes down what came of a slice.
    fn settle(
        &mut self,
        i: usize,
        slice: Duration,
        result: &Result<Decision, DecideError>,
    ) -> anyhow::Result<TurnOutcome> {
        let contest = self.contest;
        if contest.args.stats {
            eprintln!("{}", attempt_line(&self.named[i], slice, result));
        }
        if let (Ok(decision), Some(file)) = (result, &mut self.witnesses) {
            let trace = net_trace(self.net, None, decision);
            file.add(&self.named[i].name, trace.as_ref())?;
        }
        let outcome = outcome(result);
        match outcome {
            TurnOutcome::Answered(word) => {
                let decision = result.as_ref();
                let (engine, steps) = decision.map_or(("", &[][..]), |d| (d.engine, &d.timeline));
                self.answer_all_like(i, word, &contest.techniques(engine, steps));
            }
            TurnOutcome::TooShort => {}
            TurnOutcome::Hopeless => {
                self.settled[i] = true;
                contest.watchdog.answers().give_up(&self.questions[i]);
            }
        }
        Ok(outcome)
    }

    /// Answers a property and those that follow from it: the same formula again, and the
    /// negation of one that holds, which no run satisfies (and a run there is).
    fn answer_all_like(&mut self, i: usize, word: &'static str, techniques: &str) {
        for j in 0..self.named.len() {
            let same = self.named[j].formula == self.named[i].formula;
            let opposite = word == TRUE && self.named[j].formula == self.negations[i];
            if (same || opposite) && !self.settled[j] {
                self.settled[j] = true;
                let word = if same { word } else { FALSE };
                self.contest.watchdog.answers().answer(&self.questions[j], word, techniques);
            }
        }
    }
}

fn outcome(result: &Result<Decision, DecideError>) -> TurnOutcome {
    match result.as_ref().map(|d| &d.verdict) {
        Ok(Verdict::Holds) => TurnOutcome::Answered(TRUE),
        Ok(Verdict::Violated(_)) => TurnOutcome::Answered(FALSE),
        Ok(Verdict::Unknown(Reason::Timeout | Reason::Steps)) => TurnOutcome::TooShort,
        Ok(Verdict::Unknown(_)) | Err(_) => TurnOutcome::Hopeless,
    }
}

fn attempt_line(
    property: &NamedProperty,
    slice: Duration,
    result: &Result<Decision, DecideError>,
) -> String {
    let slice = slice.as_secs_f64();
    match result {
        Err(error) => format!("{}: slice {slice:.2} s: {error}", property.name),
        Ok(decision) => {
            let what = match &decision.verdict {
                Verdict::Holds => "holds".to_owned(),
                Verdict::Violated(_) => "violated".to_owned(),
                Verdict::Unknown(reason) => format!("unknown, {reason}"),
            };
            let time = decision.time.as_secs_f64();
            format!("{}: slice {slice:.2} s, {time:.2} s used: {what}", property.name)
        }
    }
}
