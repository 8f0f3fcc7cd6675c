//! What was tried, for how long, and what came of it.

use crate::decide::DecideError;
use crate::verdict::Verdict;
use std::fmt;
use std::time::{Duration, Instant};

/// One thing that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What, for people.
    pub what: String,
    /// Since the question was asked.
    pub start: Duration,
    /// How long it took.
    pub time: Duration,
    /// What came of it, for people.
    pub outcome: String,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, time) = (self.start.as_secs_f64(), self.time.as_secs_f64());
        write!(f, "{start:>8.3} s  {:<28} {time:>8.3} s  {}", self.what, self.outcome)
    }
}

/// Collects steps.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    start: Instant,
    steps: Vec<Tried>,
}

impl Timeline {
    pub(crate) fn new(start: Instant) -> Self {
        Timeline { start, steps: Vec::new() }
    }

    /// Something that began at `begin` has come to its end.
    pub(crate) fn add(&mut self, what: impl Into<String>, begin: Instant, outcome: String) {
        self.add_timed(what, begin, begin.elapsed(), outcome);
    }

    /// The same for something that took `time`.
    pub(crate) fn add_timed(
        &mut self,
        what: impl Into<String>,
        begin: Instant,
        time: Duration,
        outcome: String,
    ) {
        let start = begin.saturating_duration_since(self.start);
        self.steps.push(Tried { what: what.into(), start, time, outcome });
    }

    /// Steps of a question that was begun at `begin`, and whose own steps begin then. Only those
    /// that were not there before are added.
    pub(crate) fn append(&mut self, begin: Instant, steps: &[Tried]) {
        let start = begin.saturating_duration_since(self.start);
        let later = |step: &Tried| Tried { start: start + step.start, ..step.clone() };
        self.steps.extend(steps.iter().map(later));
    }

    pub(crate) fn steps(&self) -> Vec<Tried> {
        self.steps.clone()
    }
}

/// A verdict in few words.
pub(crate) fn words(verdict: &Result<Verdict, DecideError>) -> String {
    match verdict {
        Ok(Verdict::Holds) => "holds".to_owned(),
        Ok(Verdict::Violated(Some(w))) => {
            format!("violated, a run of {} steps", w.prefix.len() + w.cycle.len())
        }
        Ok(Verdict::Violated(None)) => "violated".to_owned(),
        Ok(Verdict::Unknown(reason)) => format!("open, {reason}"),
        Err(error) => error.to_string(),
    }
}
