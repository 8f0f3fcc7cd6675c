//! Making the runs of a campaign that are still missing.

use crate::launch::{Finished, launch};
use crate::plan::Limits;
use crate::results::{Row, Word};
use crate::runs::Run;
use crate::store::Store;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A campaign: its whole list of runs, and how to make them.
#[derive(Debug)]
pub struct Campaign {
    /// All of its runs, made already or not.
    pub runs: Vec<Run>,
    /// What each run may use.
    pub limits: Limits,
    /// Runs at a time.
    pub jobs: usize,
    /// Whether to show no progress.
    pub quiet: bool,
}

/// What all jobs share.
struct Shared<'a> {
    campaign: &'a Campaign,
    program: PathBuf,
    interrupted: Arc<AtomicBool>,
    bar: ProgressBar,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    todo: std::vec::IntoIter<&'a Run>,
    store: &'a mut Store,
    counts: Counts,
    /// Errors that were told already.
    told: HashSet<String>,
}

/// The counts beside the progress bar.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    holds: usize,
    violated: usize,
    unknown: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        match row.verdict {
            Word::Holds => self.holds += 1,
            Word::Violated => self.violated += 1,
            Word::Unknown => self.unknown += 1,
        }
        self.wrong += usize::from(row.wrong());
    }

    fn text(self) -> String {
        let Counts { holds, violated, unknown, wrong } = self;
        format!("{holds} hold, {violated} violated, {unknown} unknown, {wrong} wrong")
    }
}

/// The runs without a row: the n-th row of a kind is the n-th repetition of its run.
fn missing<'a>(runs: &'a [Run], rows: &[Row]) -> Vec<&'a Run> {
    let mut done: HashMap<[&str; 3], usize> = HashMap::new();
    for row in rows {
        *done.entry([&row.model, &row.property, &row.config]).or_default() += 1;
    }
    let mut missing = Vec::new();
    for run in runs {
        match done.get_mut(&[run.model.as_str(), &run.property, &run.config]) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.push(run),
        }
    }
    missing
}

impl Campaign {
    /// Makes all missing runs. Whether it got to the end; `false` if it was interrupted.
    pub fn run(&self, store: &mut Store) -> anyhow::Result<bool> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, interrupted.clone())?;
        }
        let todo = missing(&self.runs, &store.rows);
        let bar = self.bar(todo.len());
        let mut counts = Counts::default();
        store.rows.iter().for_each(|row| counts.add(row));
        bar.set_message(counts.text());
        let state =
            State { todo: todo.into_iter(), store: &mut *store, counts, told: HashSet::new() };
        let shared = Shared {
            campaign: self,
            program: std::env::current_exe().context("cannot find this program")?,
            interrupted,
            bar,
            state: Mutex::new(state),
        };
        let result = std::thread::scope(|scope| {
            let jobs: Vec<_> = (0..self.jobs).map(|_| scope.spawn(|| shared.work())).collect();
            jobs.into_iter().try_for_each(|job| {
                job.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        shared.bar.finish_and_clear();
        result?;
        if shared.interrupted.load(Ordering::Relaxed) {
            return Ok(false);
        }
        drop(shared);
        self.sort(store)?;
        Ok(true)
    }

    fn bar(&self, todo: usize) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(self.runs.len() as u64);
        let style = ProgressStyle::with_template(
            "{bar:24} {pos}/{len}  {elapsed_precise}, {eta} to go  {msg}",
        );
        if let Ok(style) = style {
            bar.set_style(style);
        }
        // What was done earlier says nothing about the speed now.
        bar.with_position((self.runs.len() - todo) as u64).with_elapsed(std::time::Duration::ZERO)
    }

    /// Puts the rows into the plan's order; rows of other plans come last.
    fn sort(&self, store: &mut Store) -> anyhow::Result<()> {
        let mut ranks: HashMap<[&str; 3], usize> = HashMap::new();
        for (i, run) in self.runs.iter().enumerate() {
            ranks.entry([&run.model, &run.property, &run.config]).or_insert(i);
        }
        store.sort(|row| {
            let key = [row.model.as_str(), &row.property, &row.config];
            ranks.get(&key).copied().unwrap_or(usize::MAX)
        })
    }
}

impl<'a> Shared<'a> {
    /// What each job does. An error of one job ends all.
    fn work(&self) -> anyhow::Result<()> {
        let stop = |error| {
            self.interrupted.store(true, Ordering::Relaxed);
            Err(error)
        };
        while !self.interrupted.load(Ordering::Relaxed) {
            let Some(run) = self.state().todo.next() else { break };
            match launch(&self.program, run, &self.campaign.limits, &self.interrupted) {
                Ok(Some(finished)) => self.keep(finished).or_else(stop)?,
                Ok(None) => break,
                Err(error) => return stop(error),
            }
        }
        Ok(())
    }

    /// Writes a row down, and tells what cannot wait.
    fn keep(&self, finished: Finished) -> anyhow::Result<()> {
        let Finished { row, message } = finished;
        let mut state = self.state();
        state.counts.add(&row);
        let counts = state.counts;
        if row.wrong() {
            self.tell(&row.complaint());
        }
        let failed = matches!(row.reason.as_deref(), Some("error" | "crash"));
        if let Some(message) = message.filter(|_| failed)
            && state.told.insert(message.clone())
        {
            self.tell(&format!("{} {} [{}]: {message}", row.model, row.property, row.config));
        }
        state.store.append(row)?;
        self.bar.inc(1);
        self.bar.set_message(counts.text());
        Ok(())
    }

    fn tell(&self, message: &str) {
        self.bar.suspend(|| crate::tell(message));
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::row;

    fn run(property: &str) -> Run {
        Run {
            model: "m".to_owned(),
            property: property.to_owned(),
            config: "c".to_owned(),
            expected: None,
            args: Vec::new(),
        }
    }

    #[test]
    fn only_missing_repetitions_are_made() {
        let runs: Vec<Run> = ["p", "p", "q", "q", "r"].map(run).into();
        let rows = ["p", "q", "q", "x"].map(|p| row(["m", p, "c"], Word::Holds, 1.0));
        let left: Vec<&str> = missing(&runs, &rows).iter().map(|r| r.property.as_str()).collect();
        assert_eq!(left, ["p", "r"]);
        assert_eq!(missing(&runs, &[]).len(), 5);
        let other = [row(["m", "p", "d"], Word::Holds, 1.0)];
        assert_eq!(missing(&runs, &other).len(), 5, "another configuration's row");
    }

    #[test]
    fn counts_are_told() {
        let mut counts = Counts::default();
        counts.add(&row(["m", "p", "c"], Word::Violated, 1.0));
        counts.add(&Row { correct: Some(false), ..row(["m", "p", "c"], Word::Holds, 1.0) });
        assert_eq!(counts.text(), "1 hold, 1 violated, 0 unknown, 1 wrong");
    }
}
