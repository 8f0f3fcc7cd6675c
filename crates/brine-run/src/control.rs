//! When a computation has to stop.
//!
//! One [`Control`] is made where a command or a question begins, and is handed down to every
//! pass. It only ever *ends* things: what a pass computes does not depend on it, so the same
//! input gives the same result unless a budget runs out. Each pass says in its head what it
//! gives back when it is stopped: nothing (`Err(Stop)`), or what it has so far, where each part
//! is right by itself and the whole says that it is not complete.
//!
//! There are two ways to count memory. *Resident* is what the system says of the whole process;
//! it is looked at here. *Charged* is what a search counts before it allocates (the meter of
//! the explicit engine); it is exact, and knows only that search. Whoever counts no bytes of its
//! own turns the second into the first ([`Control::resident_beyond`]).
//!
//! *Work* is counted by each pass and each search in its own units. Unlike time it ends a
//! computation at the same point on every machine. For a [`Search`](crate::Search) it is the
//! work in all, since the search began, not since it was last advanced.

use crate::memory::{recent_resident_bytes, usable_bytes};
use crate::pace::Pace;
use crate::stop::Stop;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When to stop. The default is never.
///
/// ```
/// use brine_run::{Control, Stop};
/// use std::time::{Duration, Instant};
/// let control = Control { deadline: Some(Instant::now()), ..Control::default() };
/// let mut pace = control.pace();
/// let sum: Result<u64, Stop> = (0..1_000_000).map(|i| pace.step().map(|()| i)).sum();
/// assert_eq!(sum, Err(Stop::Timeout));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// The moment at which the time is up.
    pub deadline: Option<Instant>,
    /// Bytes of the whole process that may lie in memory.
    pub resident: Option<u64>,
    /// Bytes that the structures of a search that counts them may take.
    pub charged: Option<u64>,
    /// Set from outside to make the computation give up.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Units of work after which to stop.
    pub work: Option<u64>,
    /// How much may be done at a time. 0 and 1 both mean one thing after another.
    pub threads: usize,
    /// Where to report.
    pub progress: Option<Arc<Progress>>,
    /// Called at every look.
    pub watch: Option<Watch>,
    /// How tables are kept.
    pub upkeep: Upkeep,
}

/// When tables collect garbage and what caches hold; `None` is what suits most. Results do not
/// depend on it: campaigns make rare things common with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Upkeep {
    /// Collect garbage after so many new nodes.
    pub gc_interval: Option<usize>,
    /// Most entries of each cache.
    pub cache_entries: Option<usize>,
}

/// What a long computation shows to whoever watches it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Units of work so far.
    pub work: AtomicU64,
    /// Nodes alive.
    pub nodes: AtomicU64,
    /// The level that the computation last reached from below.
    pub level: AtomicU64,
    /// Which attempt this is, when several are made.
    pub trial: AtomicU64,
    /// The stage that began last.
    stage: Mutex<Option<Stage>>,
}

/// A part of a computation, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// What it is called.
    pub name: &'static str,
    /// Which round of it this is, from 1, if there are several.
    pub round: Option<u32>,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.round {
            Some(round) => write!(f, "{}, round {round}", self.name),
            None => f.write_str(self.name),
        }
    }
}

impl Progress {
    /// The stage that began last, of those that run.
    pub fn stage(&self) -> Option<Stage> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is a new question, which is in no stage yet.
    pub fn leave_stage(&self) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Something that is told of every look at a [`Control`].
#[derive(Clone)]
pub struct Watch(pub Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl Control {
    /// Looks at everything that may end a computation, apart from its work.
    pub fn look(&self) -> Result<(), Stop> {
        self.look_at_clock()?;
        match self.resident {
            Some(most) if recent_resident_bytes() as u64 > most => Err(Stop::Memory),
            _ => Ok(()),
        }
    }

    /// The part of [`Control::look`] that costs next to nothing.
    pub fn look_at_clock(&self) -> Result<(), Stop> {
        if let Some(watch) = &self.watch {
            watch.0();
        }
        if self.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    /// The bytes that may still be taken: what the control allows beyond what the process has
    /// now, and what the system has left.
    pub fn memory_left(&self) -> u64 {
        let left = |most: u64| most.saturating_sub(recent_resident_bytes() as u64);
        let allowed = [self.resident.map(left), self.charged, usable_bytes()];
        allowed.into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    /// The same for a preparation, whose work is not that of the search it is for.
    pub fn without_work(&self) -> Control {
        Control { work: None, ..self.clone() }
    }

    /// The same for a search that charges no bytes: what it could charge is what the process may
    /// take beyond the `base` that it takes already.
    pub fn resident_beyond(&self, base: usize) -> Control {
        let charged = self.charged.map(|bytes| (base as u64).saturating_add(bytes));
        let resident = [self.resident, charged].into_iter().flatten().min();
        Control { resident, charged: None, ..self.clone() }
    }

    /// The same within a share of what may be done at a time: one of `of` that share threads and
    /// the bytes that may be charged, and can be called off by themselves.
    pub fn share(&self, of: usize, cancel: Option<Arc<AtomicBool>>) -> Control {
        let of = of.max(1);
        Control {
            charged: self.charged.map(|bytes| bytes / of as u64),
            threads: self.threads / of,
            cancel: cancel.or_else(|| self.cancel.clone()),
            ..self.clone()
        }
    }

    /// Tells whoever watches that a stage begins. Costs nothing if nobody does.
    pub fn enter(&self, name: &'static str, round: Option<u32>) {
        if let Some(progress) = &self.progress {
            let stage = Some(Stage { name, round });
            *progress.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        }
    }

    /// Whether somebody set the cancel flag.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed))
    }

    /// Whether it is time to stop.
    pub fn is_over(&self) -> bool {
        self.look().is_err()
    }

    /// A counter for one pass.
    pub fn pace(&self) -> Pace<'_> {
        Pace::new(self)
    }

    /// The time that is left; `None` if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// The same, with at most so much time from now on.
    pub fn at_most(&self, time: Duration) -> Control {
        let end = Instant::now().checked_add(time);
        let deadline = [self.deadline, end].into_iter().flatten().min();
        Control { deadline, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_budget_has_its_name() {
        assert_eq!(Control::default().look(), Ok(()));
        let now = Control { deadline: Some(Instant::now()), ..Control::default() };
        assert_eq!(now.look(), Err(Stop::Timeout));
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control { cancel: Some(flag.clone()), ..Control::default() };
        assert_eq!(control.look(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(control.look(), Err(Stop::Cancelled));
        let tiny = Control { resident: Some(1), ..Control::default() };
        assert_eq!(tiny.look(), Err(Stop::Memory));
        let large = Control { resident: Some(u64::MAX), ..Control::default() };
        assert_eq!(large.look(), Ok(()));
    }

    #[test]
    fn bytes_to_charge_become_bytes_of_the_process() {
        let control = Control { charged: Some(100), ..Control::default() };
        assert_eq!(control.resident_beyond(30).resident, Some(130));
        let tight = Control { resident: Some(120), ..control.clone() };
        assert_eq!(tight.resident_beyond(30).resident, Some(120));
        assert_eq!(Control::default().resident_beyond(30).resident, None);
        let half = Control { threads: 5, ..control }.share(2, None);
        assert_eq!((half.charged, half.threads), (Some(50), 2));
    }

    #[test]
    fn who_watches_sees_the_last_stage() {
        let progress = Arc::new(Progress::default());
        let control = Control { progress: Some(progress.clone()), ..Control::default() };
        assert_eq!(progress.stage(), None);
        control.enter("hunt", None);
        assert_eq!(progress.stage().map(|s| s.to_string()).as_deref(), Some("hunt"));
        control.enter("explicit", Some(2));
        let said = progress.stage().map(|s| s.to_string());
        assert_eq!(said.as_deref(), Some("explicit, round 2"));
        progress.leave_stage();
        assert_eq!(progress.stage(), None);
        Control::default().enter("hunt", None);
    }

    #[test]
    fn a_share_of_the_time_never_ends_later() {
        let hour = Duration::from_secs(3600);
        let control = Control::default().at_most(hour);
        let left = control.time_left();
        assert!(left.is_some_and(|t| t <= hour && t > hour / 2), "{left:?}");
        assert_eq!(control.at_most(2 * hour).deadline, control.deadline);
        assert!(control.at_most(Duration::ZERO).is_over());
    }
}
