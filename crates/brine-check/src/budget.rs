//! What one question may use.
//!
//! A [`Budget`] is what callers give: a length of time, which begins to run when a question is
//! asked. From then on it is a [`Control`], which has a moment at which the time is up.

use brine_run::{Control, Progress, Upkeep};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time for finding the run of a violation, at least.
const RUN_TIME: Duration = Duration::from_secs(2);
/// Else, so many times what the verdict took.
const RUN_SHARE: u32 = 4;

/// Time for finding the run of a violation that is known, given how long the verdict took:
/// nobody waits for an hour to see what was known after a second.
pub(crate) fn run_time(verdict: Duration) -> Duration {
    RUN_TIME.max(verdict.saturating_mul(RUN_SHARE))
}

/// Time, memory, threads, and a flag by which the caller can call the search off.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for the engine's own structures.
    pub memory: Option<u64>,
    /// Bytes of the whole process that may lie in memory. Everything looks at it, but what
    /// counts its own structures.
    pub resident: Option<u64>,
    /// Set by the caller to cancel.
    pub cancel: Arc<AtomicBool>,
    /// How much may be done at a time. 0 and 1 both mean one thing after another.
    pub threads: usize,
    /// How decision diagrams are kept. Campaigns make rare things common with it.
    pub schedule: Schedule,
    /// Where to tell the stage of the search.
    pub progress: Option<Arc<Progress>>,
}

/// When searches give up, and decision diagrams collect garbage and forget; `None` is what suits
/// most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// Give up after so much work: the same on every machine, unlike time.
    pub ticks: Option<u64>,
    /// Collect garbage after so many new nodes.
    pub gc_interval: Option<usize>,
    /// Most entries of each cache.
    pub cache_entries: Option<usize>,
}

impl Budget {
    /// The moment at which the time is up, counted from `start`.
    pub fn deadline(&self, start: Instant) -> Option<Instant> {
        self.time.and_then(|t| start.checked_add(t))
    }

    /// The same from now on, but for the work: that of a search is not that of preparations.
    pub fn control(&self) -> Control {
        let Schedule { gc_interval, cache_entries, .. } = self.schedule;
        Control {
            deadline: self.deadline(Instant::now()),
            resident: self.resident,
            charged: self.memory,
            cancel: Some(self.cancel.clone()),
            threads: self.threads,
            upkeep: Upkeep { gc_interval, cache_entries },
            progress: self.progress.clone(),
            ..Control::default()
        }
    }

    /// The same for a search that begins now, with its work.
    pub fn search_control(&self) -> Control {
        Control { work: self.schedule.ticks, ..self.control() }
    }

    /// What a control allows from now on.
    pub(crate) fn of(control: &Control) -> Budget {
        let Upkeep { gc_interval, cache_entries } = control.upkeep;
        Budget {
            time: control.time_left(),
            memory: control.charged,
            resident: control.resident,
            cancel: control.cancel.clone().unwrap_or_default(),
            threads: control.threads,
            schedule: Schedule { ticks: None, gc_interval, cache_entries },
            progress: control.progress.clone(),
        }
    }

    /// A part of the time, at most so long, and as much work as it takes.
    pub(crate) fn share(&self, part: u32, most: Duration) -> Budget {
        let schedule = Schedule { ticks: None, ..self.schedule };
        let time = self.time.map_or(most, |time| (time / part).min(most));
        Budget { time: Some(time), schedule, ..self.clone() }
    }

    /// The same budget with the time that is left of it, counted from `start`.
    pub fn since(&self, start: Instant) -> Budget {
        Budget { time: self.time.map(|t| t.saturating_sub(start.elapsed())), ..self.clone() }
    }

    /// Tells whether the time, which runs from now, is up, or the search was called off.
    pub(crate) fn watch(&self) -> impl Fn() -> bool + '_ {
        let deadline = self.deadline(Instant::now());
        move || self.cancelled() || deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Whether the caller has called the search off.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
