//! What one question may use.

use brine_dd::Limits;
use brine_run::Control;
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
}

/// When decision diagrams collect garbage, forget and give up; `None` is what pays.
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

    /// The same for decision diagrams, with the resident bytes of the process that memory is
    /// counted from. The time runs from now.
    pub fn diagram_limits(&self, resident: usize) -> Limits {
        let memory = self.memory.map_or(usize::MAX, |b| resident.saturating_add(b as usize));
        let memory = self.resident.map_or(memory, |most| memory.min(most as usize));
        Limits {
            memory,
            deadline: self.deadline(Instant::now()),
            ticks: self.schedule.ticks.unwrap_or(u64::MAX),
            cancel: Some(self.cancel.clone()),
            progress: None,
            gc_interval: self.schedule.gc_interval,
            cache_entries: self.schedule.cache_entries,
        }
    }

    /// The same for whatever counts nothing of its own. The time runs from now.
    pub fn control(&self) -> Control {
        Control {
            deadline: self.deadline(Instant::now()),
            resident: self.resident,
            cancel: Some(self.cancel.clone()),
            ..Control::default()
        }
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
