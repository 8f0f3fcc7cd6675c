//! Cheap looks at a [`Control`] from inside a pass.
//!
//! A pass counts its work in units: an arc, a node, a row entry; something of nanoseconds to a
//! microsecond. Every [`Pace::UNITS`] of them the clock and the cancel flag are looked at, and
//! the resident memory at every [`LOOKS_PER_RESIDENT`]th look, so a pass ends within
//! milliseconds at a cost that cannot be measured.
//!
//! What a pass does between two counts must be small by itself: allocating and filling one
//! vector per net is as much as may be done uncounted.

use crate::control::Control;
use crate::stop::Stop;

/// Reading `/proc` takes microseconds, looking at the clock a fraction of one.
const LOOKS_PER_RESIDENT: u32 = 16;

/// Counts the work of one pass.
#[derive(Clone, Debug)]
pub struct Pace<'c> {
    control: &'c Control,
    /// Units since the last look.
    since: u64,
    /// Units up to the last look.
    spent: u64,
    looks: u32,
}

impl<'c> Pace<'c> {
    /// Units between two looks.
    pub const UNITS: u64 = 1 << 11;

    /// Looks at the first count, so that what begins too late does not begin.
    pub(crate) fn new(control: &'c Control) -> Self {
        Pace { control, since: Self::UNITS, spent: 0, looks: 0 }
    }

    /// One unit of work.
    #[inline]
    pub fn step(&mut self) -> Result<(), Stop> {
        self.steps(1)
    }

    /// So many units of work.
    #[inline]
    pub fn steps(&mut self, units: usize) -> Result<(), Stop> {
        self.since += units as u64;
        if self.since < Self::UNITS { Ok(()) } else { self.look() }
    }

    /// Looks at the control now.
    #[cold]
    pub fn look(&mut self) -> Result<(), Stop> {
        self.spent += std::mem::take(&mut self.since);
        self.looks = self.looks.wrapping_add(1);
        if self.control.work.is_some_and(|most| self.spent >= most) {
            return Err(Stop::Work);
        }
        if self.looks % LOOKS_PER_RESIDENT == 1 {
            self.control.look()
        } else {
            self.control.look_at_clock()
        }
    }

    /// What is looked at.
    pub fn control(&self) -> &'c Control {
        self.control
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Watch;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn looks_come_at_once_and_then_every_so_many_units() {
        let looks = Arc::new(AtomicU64::new(0));
        let seen = looks.clone();
        let watch = Watch(Arc::new(move || {
            seen.fetch_add(1, Ordering::Relaxed);
        }));
        let control = Control { watch: Some(watch), ..Control::default() };
        let mut pace = control.pace();
        assert_eq!(pace.step(), Ok(()));
        assert_eq!(looks.load(Ordering::Relaxed), 1, "before anything is done");
        assert!((0..10 * Pace::UNITS).all(|_| pace.step().is_ok()));
        assert_eq!(looks.load(Ordering::Relaxed), 11);
        assert_eq!(pace.steps(5 * Pace::UNITS as usize), Ok(()));
        assert_eq!(looks.load(Ordering::Relaxed), 12, "one look for much work at a time");
    }

    #[test]
    fn work_ends_at_the_same_point_every_time() {
        let control = Control { work: Some(10_000), ..Control::default() };
        let steps = |mut pace: Pace<'_>| (0..).take_while(|_| pace.step().is_ok()).count();
        let first = steps(control.pace());
        assert_eq!(steps(control.pace()), first);
        assert!(first < 10_000 + Pace::UNITS as usize, "{first}");
    }
}
