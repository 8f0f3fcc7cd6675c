//! What one question may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time, memory, threads, and a flag by which the caller can call the search off.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for the engine's own structures.
    pub memory: Option<u64>,
    /// Set by the caller to cancel.
    pub cancel: Arc<AtomicBool>,
    /// How much may be done at a time. 0 and 1 both mean one thing after another.
    pub threads: usize,
}

impl Budget {
    /// The moment at which the time is up, counted from `start`.
    pub fn deadline(&self, start: Instant) -> Option<Instant> {
        self.time.and_then(|t| start.checked_add(t))
    }

    /// The same budget with the time that is left of it, counted from `start`.
    pub fn since(&self, start: Instant) -> Budget {
        Budget { time: self.time.map(|t| t.saturating_sub(start.elapsed())), ..self.clone() }
    }

    /// Whether the caller has called the search off.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
