//! Budgets inside a search: bytes are counted before they are allocated, the clock
//! and the cancel flag are looked at every 1,024 steps, more often in a large net, where a
//! step takes longer.
//!
//! Every container that grows with the number of states grows through [`Meter::push`],
//! [`Meter::reserve`] or [`Meter::charge`], so a search that would pass its memory budget
//! ends with [`Stop::Memory`] instead of being killed, and an allocation that the system
//! refuses ends the same way.

pub use brine_run::Stop;
use brine_run::{Control, resident_bytes};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many [`Meter::tick`]s pass between two looks at the clock, in a small net.
const TICKS_PER_LOOK: u32 = 1024;
/// A step may cost as much as there are nodes in the net; so many of these may pass.
const NODES_PER_LOOK: usize = 1 << 20;
/// How many looks pass between two looks at the memory of the process.
const LOOKS_PER_RESIDENT: u32 = 64;

/// What a search may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The moment at which the search must have ended.
    pub deadline: Option<Instant>,
    /// Bytes that the search's own structures may take.
    pub memory: Option<u64>,
    /// Bytes of the whole process that may lie in memory.
    pub resident: Option<u64>,
    /// Set from outside to make the search give up.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Steps of work after which to stop. Unlike a deadline, this ends a search at the same
    /// point on every machine (within a look's distance).
    pub steps: Option<u64>,
}

impl Limits {
    /// The same for passes that count no bytes.
    pub fn control(&self) -> Control {
        let Limits { deadline, resident, cancel, .. } = self.clone();
        Control { deadline, resident, cancel, ..Control::default() }
    }
}

/// Keeps account of a search's memory and time.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    used: u64,
    peak: u64,
    /// Since the last look.
    ticks: u32,
    /// From one look to the next.
    stride: u32,
    /// Up to the last look.
    steps: u64,
    looks: u32,
}

impl Meter {
    /// A meter at zero.
    pub fn new(limits: Limits) -> Self {
        Meter { limits, used: 0, peak: 0, ticks: 0, stride: TICKS_PER_LOOK, steps: 0, looks: 0 }
    }

    /// For the next search over a store that lives on: new limits, and an account that holds
    /// nothing but the `used` bytes of that store.
    pub fn restart(&mut self, limits: Limits, used: u64) {
        *self = Meter { limits, used, peak: used, ticks: 0, steps: 0, ..*self };
    }

    /// Looks more often where a step may take as long as that many nodes do.
    pub fn set_nodes(&mut self, nodes: usize) {
        let stride = (NODES_PER_LOOK / nodes.max(1)).clamp(1, TICKS_PER_LOOK as usize);
        self.stride = stride as u32;
    }

    /// The answer is known and only its presentation is missing: at least one more second.
    pub fn grace(&mut self) {
        self.limits.steps = None;
        if let Some(deadline) = &mut self.limits.deadline {
            *deadline = (*deadline).max(Instant::now() + Duration::from_secs(1));
        }
    }

    /// One step of work; looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks < self.stride {
            return Ok(());
        }
        self.look()
    }

    /// Looks at the clock and the cancel flag.
    #[cold]
    pub fn look(&mut self) -> Result<(), Stop> {
        self.steps += u64::from(self.ticks);
        self.ticks = 0;
        if self.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Stop::Cancelled);
        }
        if self.limits.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Stop::Timeout);
        }
        if self.limits.steps.is_some_and(|most| self.steps >= most) {
            return Err(Stop::Work);
        }
        self.looks = self.looks.wrapping_add(1);
        match self.limits.resident {
            Some(most)
                if self.looks % LOOKS_PER_RESIDENT == 1 && resident_bytes() as u64 > most =>
            {
                Err(Stop::Memory)
            }
            _ => Ok(()),
        }
    }

    /// The limits for passes that count no bytes.
    pub fn control(&self) -> Control {
        self.limits.control()
    }

    /// Bytes in use by counted structures.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The largest number of bytes that were in use at one time.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Bytes left before the budget is used up.
    pub fn left(&self) -> u64 {
        self.limits.memory.map_or(u64::MAX, |m| m.saturating_sub(self.used))
    }

    /// The memory budget, if there is one.
    pub fn budget(&self) -> Option<u64> {
        self.limits.memory
    }

    /// Whether more than half of the memory budget is in use.
    pub fn is_half_used(&self) -> bool {
        self.limits.memory.is_some_and(|m| self.used > m / 2)
    }

    /// Accounts for bytes that are about to be allocated.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.left() {
            return Err(Stop::Memory);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Accounts for bytes that were given back.
    pub fn refund(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Makes room for `more` further elements, growing by half when it must grow.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        if vec.capacity() - vec.len() >= more { Ok(()) } else { self.grow(vec, more) }
    }

    #[cold]
    fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        let size = std::mem::size_of::<T>().max(1) as u64;
        let need = (vec.len() + more - vec.capacity()) as u64;
        let comfort = (vec.capacity() as u64 / 2).max(16);
        let extra = need.max(comfort.min(self.left() / size));
        self.charge(extra * size)?;
        let target = vec.capacity() + extra as usize;
        if vec.try_reserve_exact(target - vec.len()).is_err() {
            self.refund(extra * size);
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Appends one element within the budget.
    #[inline]
    pub fn push<T>(&mut self, vec: &mut Vec<T>, value: T) -> Result<(), Stop> {
        self.reserve(vec, 1)?;
        vec.push(value);
        Ok(())
    }

    /// Empties a vector and gives its memory back.
    pub fn release<T>(&mut self, vec: &mut Vec<T>) {
        self.refund((vec.capacity() * std::mem::size_of::<T>()) as u64);
        *vec = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_stops_at_the_budget_and_not_before() {
        let mut meter = Meter::new(Limits { memory: Some(8_000), ..Limits::default() });
        let mut vec: Vec<u64> = Vec::new();
        let pushed = (0..2_000).take_while(|&i| meter.push(&mut vec, i).is_ok()).count();
        assert_eq!(pushed, 1_000, "exactly 8,000 bytes hold 1,000 words");
        assert_eq!(meter.used(), 8_000);
        meter.release(&mut vec);
        assert_eq!(meter.used(), 0);
        assert_eq!(meter.peak(), 8_000);
    }

    #[test]
    fn the_cancel_flag_and_the_deadline_are_seen() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(flag.clone()), ..Limits::default() };
        let mut meter = Meter::new(limits);
        assert!((0..5_000).all(|_| meter.tick().is_ok()));
        flag.store(true, Ordering::Relaxed);
        assert!((0..5_000).any(|_| meter.tick() == Err(Stop::Cancelled)));
        meter.restart(Limits { deadline: Some(Instant::now()), ..Limits::default() }, 0);
        assert_eq!(meter.look(), Err(Stop::Timeout));
    }

    #[test]
    fn steps_end_at_the_same_point_every_time() {
        let limits = Limits { steps: Some(5_000), ..Limits::default() };
        let mut meter = Meter::new(limits);
        let steps = (0..).take_while(|_| meter.tick().is_ok()).count();
        assert_eq!(steps, 5 * TICKS_PER_LOOK as usize - 1);
        meter.grace();
        assert!((0..5_000).all(|_| meter.tick().is_ok()), "the answer may be presented");
    }
}
