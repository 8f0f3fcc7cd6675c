//! The one clock of a command, and its memory: when everything in it has to stop.
//!
//! The budget of a command begins with the command: loading counts. `brine check` gives each
//! property as much; the first one pays for loading, so that a single property is decided within
//! the budget, and several within so many times as much.

use crate::limits::LimitArgs;
use crate::watchdog::Fence;
use brine_run::{Control, resident_bytes};
use std::time::{Duration, Instant};

/// How far the watchdog lets a command pass its time at least; else a fortieth of it.
const GRACE: Duration = Duration::from_millis(500);
/// The same for memory, in bytes.
const MEMORY_GRACE: u64 = 16 << 20;
/// What a process takes beside its tables, in bytes: what was freed but not given back.
const BESIDE: u64 = 8 << 20;

/// The budget of one command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
    timeout: Option<Duration>,
    memory: Option<u64>,
    /// Bytes that may lie in memory, with those of a process that has nothing to do.
    resident: Option<u64>,
}

impl Clock {
    /// The budget begins.
    pub(crate) fn start(limits: &LimitArgs) -> Self {
        let memory = limits.memory_bytes();
        let resident = memory.map(|b| b.saturating_add(BESIDE + resident_bytes() as u64));
        Clock { start: Instant::now(), timeout: limits.timeout, memory, resident }
    }

    /// When it began.
    pub(crate) fn began(&self) -> Instant {
        self.start
    }

    /// Seconds since then.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Bytes of the process that may lie in memory.
    pub(crate) fn resident(&self) -> Option<u64> {
        self.resident
    }

    /// Bytes that may be used beside those in use now.
    pub(crate) fn memory_left(&self) -> Option<u64> {
        let left = self.resident.map(|most| most.saturating_sub(resident_bytes() as u64));
        [self.memory, left].into_iter().flatten().min()
    }

    /// Of several questions, what the `number`th from 0 has used before it begins: the first one
    /// pays for loading.
    pub(crate) fn used_before(&self, number: usize) -> Duration {
        if number == 0 { self.start.elapsed() } else { Duration::ZERO }
    }

    /// How much time a question has left that has used so much.
    pub(crate) fn time_after(&self, used: Duration) -> Option<Duration> {
        self.timeout.map(|t| t.saturating_sub(used))
    }

    /// Bytes that may be used.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// When everything has to stop.
    pub(crate) fn control(&self) -> Control {
        Control {
            deadline: self.timeout.and_then(|t| self.start.checked_add(t)),
            resident: self.resident,
            ..Control::default()
        }
    }

    /// When the process must end, with so many questions begun.
    pub(crate) fn fence(&self, questions: u32) -> Fence {
        let moment = self.timeout.and_then(|t| {
            let all = t.checked_mul(questions)?.checked_add(GRACE.max(t / 40))?;
            self.start.checked_add(all)
        });
        let memory = self.resident.map(|most| most.saturating_add(MEMORY_GRACE.max(most / 40)));
        Fence { moment, memory, tight: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_comes_after_the_budget_and_before_the_rule_is_broken() {
        for seconds in [0, 1, 5, 20, 100, 3600] {
            let timeout = Duration::from_secs(seconds);
            let limits = LimitArgs { timeout: Some(timeout), memory: Some(1000) };
            let clock = Clock::start(&limits);
            let end = clock.start + timeout;
            let moment = clock.fence(1).moment.unwrap();
            assert!(moment > end && clock.control().deadline == Some(end));
            assert!(moment < end + Duration::from_secs(1).max(timeout / 20));
            let memory = clock.fence(1).memory.unwrap();
            assert!(Some(memory) > clock.resident());
            assert_eq!(clock.fence(3).moment, Some(moment + 2 * timeout));
        }
    }

    #[test]
    fn the_first_question_pays_for_what_came_before() {
        let limits = LimitArgs { timeout: Some(Duration::from_secs(3600)), memory: None };
        let clock = Clock::start(&limits);
        std::thread::sleep(Duration::from_millis(2));
        let first = |clock: Clock, number| clock.time_after(clock.used_before(number));
        assert!(first(clock, 0) < limits.timeout);
        assert_eq!(first(clock, 1), limits.timeout);
        assert_eq!(first(Clock { timeout: None, ..clock }, 0), None);
        assert_eq!(clock.time_after(Duration::from_secs(3_000)), Some(Duration::from_secs(600)));
        assert_eq!(clock.time_after(Duration::from_secs(4_000)), Some(Duration::ZERO));
    }
}
