//! Making the runs of a campaign that are still missing.

use crate::cores::Cores;
use crate::launch::launch;
use crate::origin::{self, Origin};
use crate::plan::Limits;
use crate::pool;
use crate::results::{ResultRow, Word};
pub use crate::resume::Retry;
use crate::resume::{Sorted, sort_out};
use crate::runs::PlannedRun;
use crate::store::Store;
use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A campaign: its whole list of runs, and how to make them.
#[derive(Debug)]
pub struct Campaign {
    /// The program whose `check` is run.
    pub program: PathBuf,
    /// All of its runs, made already or not.
    pub runs: Vec<PlannedRun>,
    /// What each run may use.
    pub limits: Limits,
    /// Runs at a time.
    pub jobs: usize,
    /// Whether to show no progress.
    pub quiet: bool,
    /// Whether to make runs again whose rows were made from something else.
    pub rerun_changed: bool,
    /// Which other rows to make again.
    pub retry: Option<Retry>,
}

/// What all jobs share.
struct SharedByJobs<'a> {
    bar: &'a ProgressBar,
    state: Mutex<JobsState<'a>>,
}

struct JobsState<'a> {
    store: &'a mut Store,
    counts: VerdictCounts,
    /// Errors that were told already.
    told: HashSet<String>,
}

/// The counts beside the progress bar; a wrong verdict is counted as that alone.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct VerdictCounts {
    holds: usize,
    violated: usize,
    unknown: usize,
    wrong: usize,
}

impl VerdictCounts {
    fn add(&mut self, row: &ResultRow) {
        match row.verdict {
            _ if row.wrong() => self.wrong += 1,
            Word::Holds => self.holds += 1,
            Word::Violated => self.violated += 1,
            Word::Unknown => self.unknown += 1,
        }
    }

    fn text(self) -> String {
        let VerdictCounts { holds, violated, unknown, wrong } = self;
        format!("{holds} hold, {violated} violated, {unknown} unknown, {wrong} wrong")
    }
}

/// What ends a campaign in good order.
#[cfg(unix)]
const ENDING: &[i32] = &[SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const ENDING: &[i32] = &[SIGINT, SIGTERM];

impl Campaign {
    /// Makes all missing runs. Whether it got to the end; `false` if it was interrupted.
    pub fn run(&self, store: &mut Store) -> anyhow::Result<bool> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for &signal in ENDING {
            signal_hook::flag::register(signal, interrupted.clone())?;
        }
        let version = origin::version(&self.program)?;
        let origin = |run: &PlannedRun| {
            let version = run.tool.as_ref().map_or(&version, |tool| &tool.version);
            Origin::of(run, version, &self.limits)
        };
        let origins: Vec<Origin> = self.runs.iter().map(origin).collect();
        let todo = self.prepare(store, &origins)?;
        let bar = self.bar(todo.len());
        let mut counts = VerdictCounts::default();
        store.rows.iter().for_each(|row| counts.add(row));
        bar.set_message(counts.text());
        let state = JobsState { store: &mut *store, counts, told: HashSet::new() };
        let shared = SharedByJobs { bar: &bar, state: Mutex::new(state) };
        let cores = Cores::new(self.limits.cores, self.jobs)?;
        let result = pool::each(self.jobs, todo, &interrupted, |i| {
            let (run, limits) = (&self.runs[i], &self.limits);
            let mine = cores.take();
            let bound = mine.clone();
            let made = launch(&self.program, run, limits, &origins[i], bound, &interrupted);
            cores.give_back(mine);
            match made? {
                Some((row, message)) => shared.keep(row, message),
                None => Ok(()),
            }
        });
        bar.finish_and_clear();
        result?;
        if interrupted.load(Ordering::Relaxed) {
            return Ok(false);
        }
        self.sort(store)?;
        Ok(true)
    }

    /// Keeps the rows that count, makes room for those that are made again, and lists what is
    /// to be done. Before it refuses, nothing is written.
    fn prepare(&self, store: &mut Store, origins: &[Origin]) -> anyhow::Result<Vec<usize>> {
        let sorted = sort_out(&self.runs, origins, &store.rows, self.retry);
        if !sorted.changed.is_empty() {
            let told = sorted.told(&store.rows);
            if !self.rerun_changed {
                bail!(
                    "{}: these rows were not made by this plan and this program as they are now:\n\
                     {told}--rerun-changed makes them again; another output file keeps them",
                    store.path().display()
                );
            }
            if !self.quiet {
                crate::tell(&format!("made again:\n{}", told.trim_end()));
            }
        }
        let Sorted { kept, dropped, missing, .. } = sorted;
        for (row, run) in store.rows.iter_mut().zip(&kept) {
            // What is expected is not measured: a file of verdicts may have come since.
            if let Some(expected) = run.and_then(|i| self.runs[i].expected) {
                row.expect(expected);
            }
        }
        store.drop_rows(&dropped)?;
        Ok(missing)
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
            ranks.entry(run.key()).or_insert(i);
        }
        store.sort(|row| {
            let key = [row.model.as_str(), &row.property, &row.config];
            (ranks.get(&key).copied().unwrap_or(usize::MAX), row.repetition)
        })
    }
}

impl SharedByJobs<'_> {
    /// Writes a row down, and tells what cannot wait.
    fn keep(&self, row: ResultRow, message: Option<String>) -> anyhow::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.counts.add(&row);
        let counts = state.counts;
        if row.wrong() {
            self.tell(&row.complaint());
        }
        if let Some(message) = message.filter(|_| row.failed())
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::row;

    #[test]
    fn counts_are_told() {
        let mut counts = VerdictCounts::default();
        counts.add(&row(["m", "p", "c"], Word::Violated, 1.0));
        counts.add(&ResultRow { correct: Some(false), ..row(["m", "p", "c"], Word::Holds, 1.0) });
        assert_eq!(counts.text(), "0 hold, 1 violated, 0 unknown, 1 wrong");
    }
}
