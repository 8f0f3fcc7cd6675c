//! Progress on stderr: only on a terminal, only for what takes longer than a second.

use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A line that says what is going on.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    quiet: bool,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Silent for the first second, or for ever.
    pub(crate) fn new(quiet: bool) -> Self {
        ProgressLine { quiet, start: Instant::now(), bar: None }
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

/// A line with a clock for work that cannot report by itself; gone when dropped.
#[derive(Debug)]
pub(crate) struct Ticker {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Shows the message once a second has passed, if stderr is a terminal.
    pub(crate) fn start(quiet: bool, message: String) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Ticker { done: None, thread: None };
        }
        let (done, wait) = channel::<()>();
        let thread = std::thread::spawn(move || {
            if wait.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner();
            let start = Instant::now();
            loop {
                bar.set_message(format!("{message} ({} s)", start.elapsed().as_secs() + 1));
                bar.tick();
                if wait.recv_timeout(Duration::from_millis(200)) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            bar.finish_and_clear();
        });
        Ticker { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // Dropping the sender wakes the thread.
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
