//! The LTL examinations: all properties of a file on one net, none starving the others.

use super::Contest;
use super::answers::Question;
use super::schedule::Schedule;
use crate::engine::plain;
use crate::entry::WitnessFile;
use crate::properties::{self, Named};
use brine_check::{Auto, Budget, Case, DecideError, Decider, Decision, Property, Reason, Verdict};
use brine_ltl::{Formula, Formulas};
use brine_source::Source;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The contest's words for verdicts.
const TRUE: &str = "TRUE";
const FALSE: &str = "FALSE";

/// What came of one slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// The contest's word for the verdict.
    Answered(&'static str),
    /// More time may help.
    TooShort,
    /// Nothing more can be done.
    Hopeless,
}

/// Answers the properties of a file.
pub(super) fn run(contest: &Contest<'_>, source: &Source, file: &str) -> anyhow::Result<()> {
    let mut formulas = Formulas::new();
    let mut symbols = contest.model.symbols();
    let named = properties::from_text(&source.file_beside(file)?, &mut formulas, &mut symbols)?;
    let negations = named.iter().map(|p| formulas.not(p.formula)).collect();
    let questions: Vec<Question> =
        named.iter().map(|p| Question::Formula(p.name.clone())).collect();
    contest.watchdog.answers().ask(questions.iter().cloned());
    let witnesses = contest.args.witness.as_deref().map(WitnessFile::new);
    let settled = vec![false; named.len()];
    let mut sheet = Sheet { contest, named: &named, negations, questions, settled, witnesses };
    let property =
        |i: usize| Property { net: contest.net, formulas: &formulas, formula: named[i].formula };
    match contest.decider()? {
        Decider::Auto(auto) => {
            let cases = (0..named.len()).map(|i| (i, Case::new(property(i)))).collect();
            in_turns(&mut sheet, *auto, cases)?;
        }
        engine @ Decider::Engine(_) => in_slices(&mut sheet, engine, property)?,
    }
    sheet.witnesses.map_or(Ok(()), |file| file.write())
}

impl<'a> Contest<'a> {
    /// A new engine.
    fn decider(&'a self) -> anyhow::Result<Decider<'a>> {
        let control = self.watchdog.control();
        self.spec.build(self.net, &self.structure, &control).map_err(plain)
    }
}

/// `auto` does so much work on each property in turn: the easy ones are answered first.
fn in_turns<'n>(
    sheet: &mut Sheet<'_>,
    mut auto: Auto<'n>,
    mut cases: VecDeque<(usize, Case<'n>)>,
) -> anyhow::Result<()> {
    while let Some((i, mut case)) = cases.pop_front() {
        if sheet.settled[i] {
            continue;
        }
        let left = sheet.contest.watchdog.time_left();
        if left.is_zero() {
            break;
        }
        // Rounds are equally hard, but not equally long: nobody gets more than two shares.
        let slice = (2 * left / (cases.len() + 1) as u32).min(left);
        let round = case.advance(&mut auto, &sheet.budget(slice));
        let Some(result) = round.transpose() else {
            cases.push_back((i, case));
            continue;
        };
        if sheet.settle(i, slice, &result)? == Outcome::TooShort {
            cases.push_back((i, case));
        }
    }
    Ok(())
}

/// One engine, started anew with ever longer slices of the time.
fn in_slices<'n>(
    sheet: &mut Sheet<'n>,
    mut engine: Decider<'n>,
    property: impl Fn(usize) -> Property<'n>,
) -> anyhow::Result<()> {
    let contest = sheet.contest;
    let mut schedule = Schedule::new(sheet.named.len(), contest.watchdog.time_left());
    while let Some((i, slice)) = schedule.next(contest.watchdog.time_left()) {
        if sheet.settled[i] {
            continue;
        }
        let result = engine.decide(property(i), &sheet.budget(slice));
        match sheet.settle(i, slice, &result)? {
            Outcome::Answered(_) => {}
            Outcome::TooShort => schedule.retry(i),
            // Whatever it holds, the next property needs the memory more.
            Outcome::Hopeless => {
                engine = contest.decider()?;
            }
        }
    }
    Ok(())
}

/// The properties and what is known of them.
struct Sheet<'a> {
    contest: &'a Contest<'a>,
    named: &'a [Named],
    negations: Vec<Formula>,
    questions: Vec<Question>,
    /// Answered or given up.
    settled: Vec<bool>,
    witnesses: Option<WitnessFile>,
}

impl Sheet<'_> {
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
    ) -> anyhow::Result<Outcome> {
        let contest = self.contest;
        if contest.args.stats {
            eprintln!("{}", attempt_line(&self.named[i], slice, result));
        }
        if let (Ok(decision), Some(file)) = (result, &mut self.witnesses) {
            file.add(contest.net, &self.named[i].name, decision)?;
        }
        let outcome = outcome(result);
        match outcome {
            Outcome::Answered(word) => {
                let engine = result.as_ref().map_or("", |d| d.engine);
                self.answer_all_like(i, word, &contest.techniques(engine));
            }
            Outcome::TooShort => {}
            Outcome::Hopeless => {
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

fn outcome(result: &Result<Decision, DecideError>) -> Outcome {
    match result.as_ref().map(|d| &d.verdict) {
        Ok(Verdict::Holds) => Outcome::Answered(TRUE),
        Ok(Verdict::Violated(_)) => Outcome::Answered(FALSE),
        Ok(Verdict::Unknown(Reason::Timeout)) => Outcome::TooShort,
        Ok(Verdict::Unknown(_)) | Err(_) => Outcome::Hopeless,
    }
}

fn attempt_line(
    property: &Named,
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
