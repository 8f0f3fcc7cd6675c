//! The confinement watched: engines keep their budgets themselves, and what they cannot know, a
//! thread does ([`crate::watchdog`]).
//!
//! When memory gets scarce, the property at hand is called off, so that the others get their
//! chance. When time or memory is all but gone, the open questions get their `CANNOT_COMPUTE`
//! and the process ends in good order, wherever its engine is.

use super::answers::Answers;
use super::confinement::Confinement;
use crate::exit::Exit;
use crate::watchdog::{self, Fence, LastWords};
use brine_run::{Control, Stop};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

/// The clock of an examination, its answers, and who ends it.
#[derive(Debug)]
pub(crate) struct ContestWatchdog {
    start: Instant,
    confinement: Confinement,
    dog: watchdog::Watchdog<Answers>,
}

impl LastWords for Answers {
    fn speak(&mut self, _: Stop) -> Exit {
        self.close();
        Exit::Unknown
    }
}

impl ContestWatchdog {
    /// Starts the clock.
    pub(crate) fn start(confinement: Confinement) -> Self {
        let start = Instant::now();
        let dog = watchdog::Watchdog::start(fence(&confinement, start), Answers::default());
        ContestWatchdog { start, confinement, dog }
    }

    /// The lines printed so far and the questions open.
    pub(crate) fn answers(&self) -> MutexGuard<'_, Answers> {
        self.dog.words()
    }

    /// The flag that calls the property at hand off.
    pub(crate) fn cancel(&self) -> Arc<AtomicBool> {
        self.dog.cancel()
    }

    /// The limits.
    pub(crate) fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// The working time that is left.
    pub(crate) fn time_left(&self) -> Duration {
        self.confinement.working_time().saturating_sub(self.start.elapsed())
    }

    /// The same for what comes before the first property.
    pub(crate) fn control(&self) -> Control {
        Control {
            deadline: self.start.checked_add(self.confinement.working_time()),
            resident: Some(self.confinement.memory_bytes()),
            ..Control::default()
        }
    }

    /// Stops watching: the examination has come to its end.
    pub(crate) fn finish(&self) -> MutexGuard<'_, Answers> {
        self.dog.finish()
    }
}

fn fence(confinement: &Confinement, start: Instant) -> Fence {
    let memory = confinement.memory_bytes();
    Fence {
        moment: start.checked_add(confinement.last_moment()),
        memory: Some(memory - memory / 50),
        tight: Some(memory - memory / 25),
    }
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
    fn memory_first_gets_tight_and_the_end_comes_before_the_limit() {
        let c = Cli::parse_from(["x", "--timeout", "60", "--memory", "1000"]).confinement;
        let start = Instant::now();
        let Fence { moment, memory, tight } = fence(&c, start);
        assert_eq!(moment, Some(start + Duration::from_millis(58_500)));
        assert_eq!((tight, memory), (Some(960 << 20), Some(980 << 20)));
    }
}
