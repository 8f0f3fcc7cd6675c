//! Progress on stderr: only on a terminal, only for what takes longer than a second.

use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// A line that says what is going on.
#[derive(Debug)]
pub(crate) struct Progress {
    quiet: bool,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Silent for the first second, or for ever.
    pub(crate) fn new(quiet: bool) -> Self {
        Progress { quiet, start: Instant::now(), bar: None }
    }

    /// Shows a message (hidden by indicatif when stderr is no terminal).
    pub(crate) fn say(&mut self, message: impl FnOnce() -> String) {
        if self.quiet || self.start.elapsed() < Duration::from_secs(1) {
            return;
        }
        let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
        bar.set_message(message());
        bar.tick();
    }

    /// Removes the line.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
