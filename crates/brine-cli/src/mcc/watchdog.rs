//! The last line of defence of the confinement.
//!
//! Engines keep their budgets themselves. What they cannot know, a thread watches: the
//! moment at which the run must have ended, and the memory of the whole process. When
//! memory gets scarce, the property at hand is called off, so that the others get their
//! chance. When time or memory is all but gone, the open questions get their
//! `CANNOT_COMPUTE` and the process ends in good order, wherever its engine is.

use super::answers::Answers;
use super::confinement::Confinement;
use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(25);

/// A thread that ends the run in time, and what it shares with the examination.
#[derive(Debug)]
pub(crate) struct Watchdog {
    start: Instant,
    confinement: Confinement,
    /// Set when the property at hand takes too much memory.
    cancel: Arc<AtomicBool>,
    answers: Arc<Mutex<Answers>>,
    done: Arc<AtomicBool>,
}

impl Watchdog {
    /// Starts the clock.
    pub(crate) fn start(confinement: Confinement) -> Self {
        let dog = Watchdog {
            start: Instant::now(),
            confinement,
            cancel: Arc::default(),
            answers: Arc::default(),
            done: Arc::default(),
        };
        let (start, cancel) = (dog.start, dog.cancel.clone());
        let (answers, done) = (dog.answers.clone(), dog.done.clone());
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                match look(&confinement, start.elapsed(), brine_dd::resident_bytes() as u64) {
                    State::Fine => {}
                    State::Tight => cancel.store(true, Ordering::Relaxed),
                    State::Over => end(&answers, &done),
                }
            }
        });
        dog
    }

    /// The lines printed so far and the questions open.
    pub(crate) fn answers(&self) -> MutexGuard<'_, Answers> {
        lock(&self.answers)
    }

    /// The flag that calls the property at hand off.
    pub(crate) fn cancel(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    /// The limits.
    pub(crate) fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// The working time that is left.
    pub(crate) fn time_left(&self) -> Duration {
        self.confinement.working_time().saturating_sub(self.start.elapsed())
    }

    /// Stops watching: the examination has come to its end.
    pub(crate) fn finish(&self) -> MutexGuard<'_, Answers> {
        let answers = self.answers();
        self.done.store(true, Ordering::Relaxed);
        answers
    }
}

/// How the run stands to its confinement.
#[derive(PartialEq, Eq, Debug)]
enum State {
    Fine,
    /// Memory is nearly gone.
    Tight,
    /// Time or memory is gone.
    Over,
}

fn look(confinement: &Confinement, elapsed: Duration, resident: u64) -> State {
    let memory = confinement.memory_bytes();
    if elapsed >= confinement.last_moment() || resident >= memory - memory / 50 {
        State::Over
    } else if resident >= memory - memory / 25 {
        State::Tight
    } else {
        State::Fine
    }
}

/// Ends the process, unless the examination has just ended by itself.
fn end(answers: &Mutex<Answers>, done: &AtomicBool) {
    let mut answers = lock(answers);
    if !done.load(Ordering::Relaxed) {
        answers.close();
        std::process::exit(Exit::Unknown as i32);
    }
}

/// A panic elsewhere does not make printed answers wrong.
fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        confinement: Confinement,
    }

    #[test]
    fn memory_first_gets_tight_and_time_ends_everything() {
        let c = Cli::parse_from(["x", "--timeout", "60", "--memory", "1000"]).confinement;
        let at = |seconds, mib: u64| look(&c, Duration::from_secs(seconds), mib << 20);
        assert_eq!(at(0, 0), State::Fine);
        assert_eq!(at(57, 950), State::Fine);
        assert_eq!(at(57, 961), State::Tight);
        assert_eq!(at(1, 981), State::Over);
        assert_eq!(at(59, 0), State::Over);
    }
}
