//! The last line of defence of budgets.
//!
//! Everything that may take long looks at its budget by itself, and this thread should have
//! nothing to do. What slips through, it ends: at the last moment, a little after the budget, or
//! when the process holds more memory than it may, it says what there is to say ([`LastWords`])
//! and ends the process where it stands, without freeing anything.
//!
//! An interrupt (Ctrl-C), where a command listens for it, ends it in the same way, with the exit code
//! that shells give.
//!
//! The words are behind a lock, which the command takes while it prints: so whatever is printed
//! is printed whole, and once. The process may end by the command or by the watchdog, but not by
//! both: who ends it holds the lock, and `done` is set under it.

use crate::exit::Exit;
use brine_run::{Stop, resident_bytes};
use signal_hook::consts::SIGINT;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(10);

/// What is said when a budget ends a command from outside.
pub(crate) trait LastWords: Send + 'static {
    /// Prints what is known and what is not; the exit code.
    fn speak(&mut self, stop: Stop) -> Exit;
}

/// When the process must end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fence {
    /// The last moment.
    pub(crate) moment: Option<Instant>,
    /// Bytes that lie in memory.
    pub(crate) memory: Option<u64>,
    /// Above so many bytes what is going on is called off ([`Watchdog::cancel`]).
    pub(crate) tight: Option<u64>,
}

impl Fence {
    fn look(&self, now: Instant, resident: u64) -> WatchdogState {
        let over = |limit: Option<u64>| limit.is_some_and(|most| resident >= most);
        if self.moment.is_some_and(|moment| now >= moment) {
            WatchdogState::Over(Stop::Timeout)
        } else if over(self.memory) {
            WatchdogState::Over(Stop::Memory)
        } else if over(self.tight) {
            WatchdogState::Tight
        } else {
            WatchdogState::Fine
        }
    }
}

/// How the process stands to its fence.
#[derive(PartialEq, Eq, Debug)]
enum WatchdogState {
    Fine,
    /// Memory is nearly gone.
    Tight,
    /// Time or memory is gone.
    Over(Stop),
}

/// A thread that ends the process in time, and what it shares with the command.
#[derive(Debug)]
pub(crate) struct Watchdog<W> {
    shared: Arc<WatchState<W>>,
}

#[derive(Debug)]
struct WatchState<W> {
    words: Mutex<W>,
    fence: Mutex<Fence>,
    cancel: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    done: AtomicBool,
}

impl<W: LastWords> Watchdog<W> {
    /// Begins to watch.
    pub(crate) fn start(fence: Fence, words: W) -> Self {
        let shared = Arc::new(WatchState {
            words: Mutex::new(words),
            fence: Mutex::new(fence),
            cancel: Arc::default(),
            interrupted: Arc::default(),
            done: AtomicBool::new(false),
        });
        let watched = shared.clone();
        // Without a thread for it, budgets are as good as what is watched by itself.
        let _ = std::thread::Builder::new().spawn(move || watch(&watched));
        Watchdog { shared }
    }

    /// What was said and what is open. Whoever prints holds it.
    pub(crate) fn words(&self) -> MutexGuard<'_, W> {
        lock(&self.shared.words)
    }

    /// The flag that is set when memory gets tight.
    pub(crate) fn cancel(&self) -> Arc<AtomicBool> {
        self.shared.cancel.clone()
    }

    /// From now on an interrupt has the words spoken.
    pub(crate) fn listen_for_interrupts(&self) {
        // Where that is impossible, an interrupt just ends the process.
        let _ = signal_hook::flag::register(SIGINT, self.shared.interrupted.clone());
    }

    /// Sets another last moment.
    pub(crate) fn postpone(&self, moment: Option<Instant>) {
        lock(&self.shared.fence).moment = moment;
    }

    /// Stops watching: the command has come to its end, and says the rest itself.
    pub(crate) fn finish(&self) -> MutexGuard<'_, W> {
        let words = self.words();
        self.shared.done.store(true, Ordering::Relaxed);
        words
    }
}

impl<W> Drop for Watchdog<W> {
    fn drop(&mut self) {
        let _words = lock(&self.shared.words);
        self.shared.done.store(true, Ordering::Relaxed);
    }
}

fn watch<W: LastWords>(shared: &WatchState<W>) {
    while !shared.done.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        if shared.interrupted.load(Ordering::Relaxed) {
            end(shared, Stop::Cancelled, |_| Exit::Interrupted);
            return;
        }
        let fence = *lock(&shared.fence);
        match fence.look(Instant::now(), resident_bytes() as u64) {
            WatchdogState::Fine => {}
            WatchdogState::Tight => shared.cancel.store(true, Ordering::Relaxed),
            WatchdogState::Over(stop) => end(shared, stop, |exit| exit),
        }
    }
}

/// Ends the process, unless the command has just ended by itself.
fn end<W: LastWords>(shared: &WatchState<W>, stop: Stop, code: fn(Exit) -> Exit) {
    let mut words = lock(&shared.words);
    if !shared.done.load(Ordering::Relaxed) {
        let exit = code(words.speak(stop));
        std::process::exit(crate::exit::code_after_output(exit));
    }
}

/// A panic elsewhere does not make printed words wrong.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_first_gets_tight_and_time_ends_everything() {
        let start = Instant::now();
        let fence = Fence {
            moment: Some(start + Duration::from_secs(59)),
            memory: Some(980),
            tight: Some(960),
        };
        let at = |seconds, bytes| fence.look(start + Duration::from_secs(seconds), bytes);
        assert_eq!(at(0, 0), WatchdogState::Fine);
        assert_eq!(at(57, 950), WatchdogState::Fine);
        assert_eq!(at(57, 961), WatchdogState::Tight);
        assert_eq!(at(1, 981), WatchdogState::Over(Stop::Memory));
        assert_eq!(at(59, 0), WatchdogState::Over(Stop::Timeout));
        assert_eq!(Fence::default().look(start, u64::MAX), WatchdogState::Fine);
    }

    /// Counts what it is asked to say.
    struct Silent;

    impl LastWords for Silent {
        fn speak(&mut self, _: Stop) -> Exit {
            unreachable!("the command has ended by itself")
        }
    }

    #[test]
    fn a_command_that_has_ended_is_left_alone() {
        let dog = Watchdog::start(Fence::default(), Silent);
        drop(dog.finish());
        dog.postpone(Some(Instant::now()));
        std::thread::sleep(5 * TICK);
        drop(dog);
    }
}
