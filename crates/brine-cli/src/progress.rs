//! Progress on stderr: only on a terminal, only for what takes longer than a second.

use brine_run::{Progress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// How a command with several properties stands.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Standing {
    of: usize,
    answered: usize,
    /// The property whose turn it is, and the time that it had used before.
    now: Option<(String, Duration)>,
    since: Instant,
}

impl Standing {
    /// The line about it.
    fn words(&self, stage: Option<Stage>) -> String {
        let Standing { of, answered, now, since } = self;
        let Some((name, before)) = now else { return format!("{answered} of {of} answered") };
        let stage = stage.map_or_else(|| "starting".to_owned(), |stage| stage.to_string());
        let seconds = (*before + since.elapsed()).as_secs();
        format!("{answered} of {of} answered; {}: {stage} ({seconds} s)", short(name))
    }
}

/// Names that are longer are cut in the line.
const NAME: usize = 40;

fn short(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A line that tells which property is worked on, how many are answered, and what is done: on a
/// terminal, once a second has passed, and gone when dropped. Searches tell their stage as it
/// begins, and a thread of its own looks at it.
#[derive(Debug)]
pub(crate) struct PropertyLine(Option<Watcher>);

#[derive(Debug)]
struct Watcher {
    bar: ProgressBar,
    standing: Arc<Mutex<Standing>>,
    stages: Arc<Progress>,
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl PropertyLine {
    /// For so many properties; nothing if it is not wanted or stderr is no terminal.
    pub(crate) fn start(quiet: bool, of: usize) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return PropertyLine(None);
        }
        let standing = Standing { of, answered: 0, now: None, since: Instant::now() };
        let standing = Arc::new(Mutex::new(standing));
        let stages = Arc::new(Progress::default());
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (done, wait) = channel::<()>();
        let (shown, watched, told) = (bar.clone(), standing.clone(), stages.clone());
        let line = move || {
            let mut pause = Duration::from_secs(1);
            while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                if pause > TICK {
                    shown.set_style(ProgressStyle::default_spinner());
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    pause = TICK;
                }
                let words = lock(&watched).words(told.stage());
                shown.set_message(words);
                shown.tick();
            }
            shown.finish_and_clear();
        };
        // Without a thread for it, there is no progress to be seen.
        let thread = std::thread::Builder::new().spawn(line).ok();
        PropertyLine(Some(Watcher { bar, standing, stages, done: Some(done), thread }))
    }

    /// Where a search tells its stage, if anybody looks.
    pub(crate) fn stages(&self) -> Option<Arc<Progress>> {
        self.0.as_ref().map(|watcher| watcher.stages.clone())
    }

    /// The turn of a property that has used so much time begins.
    pub(crate) fn turn(&self, name: &str, used: Duration) {
        let Some(watcher) = &self.0 else { return };
        watcher.stages.leave_stage();
        let mut standing = lock(&watcher.standing);
        (standing.now, standing.since) = (Some((name.to_owned(), used)), Instant::now());
    }

    /// One more is answered.
    pub(crate) fn answered(&self) {
        if let Some(watcher) = &self.0 {
            lock(&watcher.standing).answered += 1;
        }
    }

    /// Does something that prints, with the line out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(watcher) => watcher.bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Dropping the sender wakes the thread.
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// A panic elsewhere does not make the line wrong.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_is_going_on() {
        let mut standing = Standing { of: 5, answered: 2, now: None, since: Instant::now() };
        assert_eq!(standing.words(None), "2 of 5 answered");
        standing.now = Some(("mutex".to_owned(), Duration::from_millis(12_000)));
        assert_eq!(standing.words(None), "2 of 5 answered; mutex: starting (12 s)");
        let stage = Stage { name: "explicit", round: Some(3) };
        let said = standing.words(Some(stage));
        assert_eq!(said, "2 of 5 answered; mutex: explicit, round 3 (12 s)");
        assert_eq!(short(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
