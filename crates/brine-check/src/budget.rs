//! What one question may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time, memory, and a flag by which the caller can call the search off.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for the engine's own structures.
    pub memory: Option<u64>,
    /// Set by the caller to cancel.
    pub cancel: Arc<AtomicBool>,
}

impl Budget {
    /// The moment at which the time is up, counted from `start`.
    pub fn deadline(&self, start: Instant) -> Option<Instant> {
        self.time.and_then(|t| start.checked_add(t))
    }

    /// Whether the caller has called the search off.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
