//! The LTL examinations: all properties of a file on one net, none starving the others.

use super::Contest;
use super::answers::Question;
use super::schedule::Schedule;
use crate::entry::WitnessFile;
use crate::properties::{self, Named};
use brine_check::{Budget, DecideError, Decision, Engine, Property, Reason, Verdict, decide};
use brine_ltl::{Formulas, Symbols};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What came of one slice.
#[derive(PartialEq, Eq, Debug)]
enum Outcome {
    /// The contest's word for the verdict.
    Answered(&'static str),
    /// More time may help.
    TooShort,
    /// Nothing more can be done.
    Hopeless,
}

/// Answers the properties of a file.
pub(super) fn run(contest: &Contest<'_>, file: &Path) -> anyhow::Result<()> {
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_model(contest.model);
    let named = properties::from_mcc(file, &mut formulas, &mut symbols)?;
    let questions: Vec<Question> =
        named.iter().map(|p| Question::Formula(p.name.clone())).collect();
    contest.watchdog.answers().ask(questions.iter().cloned());
    let mut witnesses = contest.args.witness.as_deref().map(WitnessFile::new);
    let mut engine = contest.args.engine.build(contest.net, &contest.structure)?;
    let mut schedule = Schedule::new(named.len(), contest.watchdog.time_left());
    while let Some((i, slice)) = schedule.next(contest.watchdog.time_left()) {
        let property =
            Property { net: contest.net, formulas: &formulas, formula: named[i].formula };
        let result = attempt(contest, &mut *engine, property, slice);
        if contest.args.stats {
            eprintln!("{}", attempt_line(&named[i], slice, &result));
        }
        if let (Ok(decision), Some(file)) = (&result, &mut witnesses) {
            file.add(contest.net, &named[i].name, decision)?;
        }
        match outcome(&result) {
            Outcome::Answered(word) => {
                let techniques = contest.techniques(result.map_or("", |d| d.engine));
                contest.watchdog.answers().answer(&questions[i], word, &techniques);
            }
            Outcome::TooShort => schedule.retry(i),
            Outcome::Hopeless => {
                contest.watchdog.answers().give_up(&questions[i]);
                // Whatever it holds, the next property needs the memory more.
                engine = contest.args.engine.build(contest.net, &contest.structure)?;
            }
        }
    }
    witnesses.map_or(Ok(()), |file| file.write())
}

/// One property, for one slice of the time.
fn attempt(
    contest: &Contest<'_>,
    engine: &mut dyn Engine,
    property: Property<'_>,
    slice: Duration,
) -> Result<Decision, DecideError> {
    let cancel = contest.watchdog.cancel();
    // What called the last property off has ended with it.
    cancel.store(false, Ordering::Relaxed);
    let memory = Some(contest.watchdog.confinement().memory_left());
    decide(engine, property, &Budget { time: Some(slice), memory, cancel })
}

fn outcome(result: &Result<Decision, DecideError>) -> Outcome {
    match result.as_ref().map(|d| &d.verdict) {
        Ok(Verdict::Holds) => Outcome::Answered("TRUE"),
        Ok(Verdict::Violated(_)) => Outcome::Answered("FALSE"),
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
