//! The properties of one `brine check` take turns ([`crate::rounds`]).
//!
//! A turn goes on with the search for one property ([`Answerer`]), within the time that this property
//! has left: the time of others does not count.
//!
//! What searches hold while they wait may be what another one lacks. So a property that runs out of
//! memory beside others begins anew when they have their answers: the verdict is the one that it has
//! by itself.
//!
//! Answers are printed in the order of the properties ([`super::sheet`]).

use super::sheet::{Answer, Sheet};
use super::{Args, CheckQuestion, answer, exit_of, explain};
use crate::exit::Exit;
use crate::progress::PropertyLine;
use crate::rounds::{Share, play};
use crate::watchdog::Watchdog;
use anyhow::bail;
use brine_check::{Answerer, Budget, DecideError, Decision, Reason, Turn, Verdict, waits};
use std::time::Duration;

/// What is asked, and how answers are told.
struct Asking<'a, A> {
    args: &'a Args,
    dog: &'a Watchdog<Sheet>,
    model: &'a str,
    answerer: &'a mut A,
    /// Told what a turn may use when it begins.
    begin: &'a dyn Fn(&Budget),
    line: PropertyLine,
    /// Whether searches can be left.
    can_wait: bool,
    /// Properties that have no answer.
    open: usize,
    /// Those of them whose searches wait.
    waiting: Vec<usize>,
    /// Those that ran out of memory beside others, and the time of their searches.
    short_of_memory: Vec<(usize, Duration)>,
}

/// Has each question decided, and prints what comes of it.
pub(super) fn ask_all(
    args: &Args,
    dog: &Watchdog<Sheet>,
    model: &str,
    questions: &[CheckQuestion],
    answerer: &mut impl Answerer,
    begin: &dyn Fn(&Budget),
) -> anyhow::Result<Exit> {
    dog.words().ask(model, questions.iter().map(|q| q.name.clone()));
    let mut asking = Asking {
        args,
        dog,
        model,
        answerer,
        begin,
        line: PropertyLine::start(args.quiet, questions.len()),
        can_wait: args.engine.spec()?.is_auto() && !crate::model::is_language(&args.model),
        open: questions.len(),
        waiting: Vec::new(),
        short_of_memory: Vec::new(),
    };
    let members = (0..questions.len()).collect();
    play(members, || true, |&mut number, work| asking.turn(number, &questions[number], work))?;
    for (number, earlier) in std::mem::take(&mut asking.short_of_memory) {
        asking.alone(number, &questions[number], earlier)?;
    }
    drop(asking);
    let sheet = dog.finish();
    sheet.write_runs()?;
    Ok(sheet.exit)
}

impl<A: Answerer> Asking<'_, A> {
    /// One turn of a property in a round; whether it stays open.
    fn turn(&mut self, number: usize, question: &CheckQuestion, work: u64) -> anyhow::Result<bool> {
        let memory = self.dog.words().clock().memory();
        self.waiting.retain(|&other| other != number);
        let share = match self.can_wait {
            true => Share::new(self.open, work, memory),
            false => Share::alone(),
        };
        let result = self.go_on(number, question, share);
        if let Ok(decision) = &result {
            if share.work.is_some() && waits(decision) {
                self.waiting.push(number);
                return Ok(true);
            }
            if decision.verdict == Verdict::Unknown(Reason::Memory) && !self.waiting.is_empty() {
                self.short_of_memory.push((number, decision.time));
                return Ok(false);
            }
        }
        self.tell(number, question, &result)?;
        Ok(false)
    }

    /// The property again, from the start and by itself; `earlier` is what its first search took.
    fn alone(
        &mut self,
        number: usize,
        question: &CheckQuestion,
        earlier: Duration,
    ) -> anyhow::Result<()> {
        let mut result = self.go_on(number, question, Share::alone());
        if let Ok(decision) = &mut result {
            decision.time += earlier;
        }
        self.tell(number, question, &result)
    }

    /// Has a property decided as far as its share goes.
    fn go_on(
        &mut self,
        number: usize,
        question: &CheckQuestion,
        share: Share,
    ) -> Result<Decision, DecideError> {
        let (used, clock) = {
            let mut sheet = self.dog.words();
            (sheet.begin(self.dog, number), sheet.clock())
        };
        self.line.turn(&question.name, used);
        let budget = Budget { progress: self.line.stages(), ..self.args.budget(&clock, used) };
        (self.begin)(&budget);
        let Share { work, held } = share;
        let turn = Turn { number, budget, work, held, shortest: self.args.runs.shortest() };
        let mut result = self.answerer.advance(&question.asked, &turn);
        let used = self.dog.words().pause();
        if let Ok(decision) = &mut result
            && waits(decision)
            && clock.time_after(used).is_some_and(|left| left.is_zero())
        {
            decision.verdict = Verdict::Unknown(Reason::Timeout);
        }
        result
    }

    /// Writes an answer down.
    fn tell(
        &mut self,
        number: usize,
        question: &CheckQuestion,
        result: &Result<Decision, DecideError>,
    ) -> anyhow::Result<()> {
        self.open -= 1;
        match result {
            Err(DecideError::BadOption(option)) => bail!("{}: {option}", question.name),
            Err(DecideError::Model(error)) => {
                // What was found before stands.
                self.dog.finish().write_runs()?;
                bail!("{}: {error}", self.args.model.display());
            }
            _ => (),
        }
        let (trace, notes) = match result {
            Ok(decision) => {
                let trace = self.answerer.trace(&question.asked, decision);
                if let Some(trace) = &trace {
                    self.dog.words().draw(self.answerer.drawn(decision), trace);
                }
                (trace, self.answerer.notes(decision))
            }
            Err(_) => (None, Vec::new()),
        };
        let text = answer(self.args, trace.as_ref(), self.model, question, result, &notes)?;
        let mut sheet = self.dog.words();
        let shown = match (&mut sheet.page, result) {
            (Some(page), Ok(decision)) => {
                Some(page.answer(&question.name, trace.as_ref(), decision))
            }
            _ => None,
        };
        let answer = Answer { text, exit: exit_of(result), trace, shown };
        self.line.answered();
        self.line.aside(|| sheet.settle(number, answer))?;
        drop(sheet);
        if let (true, Ok(decision)) = (self.args.explain, result) {
            self.line.aside(|| explain(&question.name, decision));
        }
        crate::output::ensure()
    }
}
