//! Budgets: when an operation has to stop.
//!
//! Work is counted in *ticks* (nodes looked up in the unique table). Every
//! [`Limits::POLL`] ticks the clock, the cancel flag and the process's resident memory
//! (`/proc/self/statm`) are looked at, so limits hold within a fraction of a second
//! at a cost that cannot be measured. Tick limits are deterministic: the order chooser
//! gives each candidate so many ticks, and chooses the same one on every machine.

pub use brine_run::Stop as Abort;
use brine_run::{Control, resident_bytes};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How far a long computation has come, for progress displays.
#[derive(Debug, Default)]
pub struct Progress {
    /// Nodes alive.
    pub nodes: AtomicU64,
    /// Ticks so far.
    pub ticks: AtomicU64,
    /// The level that the computation last reached from below.
    pub level: AtomicU64,
    /// Which attempt this is, when several are made.
    pub trial: AtomicU64,
}

/// The limits under which a [`Dd`](crate::Dd) works.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Resident bytes of the whole process.
    pub memory: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Ticks after which to stop.
    pub ticks: u64,
    /// Stop when this is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Where to report.
    pub progress: Option<Arc<Progress>>,
    /// Collect garbage after so many new nodes, instead of when enough are dead. Tests use it to make
    /// collections happen everywhere.
    pub gc_interval: Option<usize>,
    /// Most entries of each cache. Tests use it to make caches forget.
    pub cache_entries: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            memory: usize::MAX,
            deadline: None,
            ticks: u64::MAX,
            cancel: None,
            progress: None,
            gc_interval: None,
            cache_entries: None,
        }
    }
}

impl Limits {
    /// Ticks between two looks at the clock.
    pub const POLL: u64 = 1 << 15;

    /// The same for passes that make no nodes.
    pub fn control(&self) -> Control {
        Control {
            deadline: self.deadline,
            resident: (self.memory != usize::MAX).then_some(self.memory as u64),
            cancel: self.cancel.clone(),
            ..Control::default()
        }
    }

    /// Looks at everything that may end the computation.
    pub fn poll(&self, ticks: u64, nodes: usize) -> Result<(), Abort> {
        if let Some(progress) = &self.progress {
            progress.nodes.store(nodes as u64, Ordering::Relaxed);
            progress.ticks.store(ticks, Ordering::Relaxed);
        }
        if ticks >= self.ticks {
            return Err(Abort::Work);
        }
        if self.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Abort::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Abort::Timeout);
        }
        if self.memory != usize::MAX && resident_bytes() > self.memory {
            return Err(Abort::Memory);
        }
        Ok(())
    }
}
