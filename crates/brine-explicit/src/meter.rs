//! The account of one search: its work, and bytes that are counted before they are allocated.
//!
//! A [`Meter`] is to a search what a [`brine_run::Pace`] is to a pass. It differs in two things.
//! It charges bytes: every container that grows with the number of states grows through
//! [`Meter::push`], [`Meter::reserve`] or [`Meter::charge`], so a search that would pass its
//! memory budget ends with [`Stop::Memory`] instead of being killed, and an allocation that the
//! system refuses ends the same way. And it outlives a single [`Control`]: a search that stopped
//! is taken up again with the next one ([`Meter::resume`]).
//!
//! Work is counted in steps ([`Meter::tick`]). The clock, the cancel flag and the resident memory
//! are looked at every 1,024 steps, more often in a large net, where a step takes longer, and end
//! a search anywhere. Work ends it only between two steps of its own ([`Meter::pause`]), where
//! it can be taken up again: so neither what it finds nor what it counts depends on where it paused.

use brine_run::{Control, Pace, Stop};
use std::time::{Duration, Instant};

/// How many [`Meter::tick`]s pass between two looks at the clock, in a small net.
const TICKS_PER_LOOK: u64 = 1024;
/// A step may cost as much as there are nodes in the net; so many of these may pass.
const NODES_PER_LOOK: usize = 1 << 20;
/// How many looks pass between two looks at the memory of the process.
const LOOKS_PER_RESIDENT: u32 = 64;

/// Keeps account of a search's memory, work and time.
#[derive(Debug)]
pub struct Meter {
    control: Control,
    used: u64,
    peak: u64,
    /// Steps since the search began.
    work: u64,
    /// Steps after which it pauses: those of the control.
    most: u64,
    /// When to look next.
    next_look: u64,
    /// From one look to the next.
    stride: u64,
    looks: u32,
}

impl Meter {
    /// A meter at zero.
    pub fn new(control: Control) -> Self {
        let (stride, next_look) = (TICKS_PER_LOOK, TICKS_PER_LOOK);
        let most = control.work.unwrap_or(u64::MAX);
        Meter { control, used: 0, peak: 0, work: 0, most, next_look, stride, looks: 0 }
    }

    /// For the next search over a store that lives on: a new control, and an account that holds
    /// nothing but the `used` bytes of that store.
    pub fn restart(&mut self, control: Control, used: u64) {
        let (stride, looks) = (self.stride, self.looks);
        *self = Meter { used, peak: used, next_look: stride, stride, looks, ..Meter::new(control) };
    }

    /// For the same search, which goes on under a new control.
    pub fn resume(&mut self, control: Control) {
        self.most = control.work.unwrap_or(u64::MAX);
        self.control = control;
        self.next_look = self.work;
    }

    /// Looks more often where a step may take as long as that many nodes do.
    pub fn set_nodes(&mut self, nodes: usize) {
        let stride = (NODES_PER_LOOK / nodes.max(1)).clamp(1, TICKS_PER_LOOK as usize);
        self.stride = stride as u64;
        self.next_look = self.work + self.stride;
    }

    /// The answer is known and only its presentation is missing: at least one more second.
    pub fn grace(&mut self) {
        self.most = u64::MAX;
        if let Some(deadline) = &mut self.control.deadline {
            *deadline = (*deadline).max(Instant::now() + Duration::from_secs(1));
        }
    }

    /// One step of work; looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.work += 1;
        if self.work < self.next_look { Ok(()) } else { self.look() }
    }

    /// The place between two steps of a search where it can be left: stops when the work is done.
    #[inline]
    pub fn pause(&self) -> Result<(), Stop> {
        if self.work < self.most { Ok(()) } else { Err(Stop::Work) }
    }

    /// Looks at the clock and the cancel flag, and now and then at the resident memory.
    #[cold]
    pub fn look(&mut self) -> Result<(), Stop> {
        self.next_look = self.work + self.stride;
        self.looks = self.looks.wrapping_add(1);
        if self.looks % LOOKS_PER_RESIDENT == 1 {
            self.control.look()
        } else {
            self.control.look_at_clock()
        }
    }

    /// Steps of the search so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The control for passes that count neither bytes nor the search's work.
    pub fn control(&self) -> Control {
        self.control.without_work()
    }

    /// A counter for one pass within the search.
    pub fn pace(&self) -> Pace<'_> {
        self.control.pace()
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
        self.control.charged.map_or(u64::MAX, |m| m.saturating_sub(self.used))
    }

    /// The memory budget, if there is one.
    pub fn budget(&self) -> Option<u64> {
        self.control.charged
    }

    /// Whether more than half of the memory budget is in use.
    pub fn is_half_used(&self) -> bool {
        self.control.charged.is_some_and(|m| self.used > m / 2)
    }

    /// Accounts for bytes that are about to be allocated.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.left() {
            return Err(Stop::Memory);
        }
        self.used += bytes;
        debug_assert!(self.control.charged.is_none_or(|most| self.used <= most), "kept");
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Accounts for bytes that were given back.
    pub fn refund(&mut self, bytes: u64) {
        debug_assert!(bytes <= self.used, "only what was charged is given back");
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn growth_stops_at_the_budget_and_not_before() {
        let mut meter = Meter::new(Control { charged: Some(8_000), ..Control::default() });
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
        let mut meter = Meter::new(Control { cancel: Some(flag.clone()), ..Control::default() });
        assert!((0..5_000).all(|_| meter.tick().is_ok()));
        flag.store(true, Ordering::Relaxed);
        assert!((0..5_000).any(|_| meter.tick() == Err(Stop::Cancelled)));
        meter.restart(Control { deadline: Some(Instant::now()), ..Control::default() }, 0);
        assert_eq!(meter.look(), Err(Stop::Timeout));
    }

    #[test]
    fn work_pauses_at_the_same_point_every_time_and_goes_on() {
        let most = |work| Control { work: Some(work), ..Control::default() };
        let steps = |meter: &mut Meter| {
            (0..).take_while(|_| meter.pause().is_ok() && meter.tick().is_ok()).count()
        };
        let mut meter = Meter::new(most(5_000));
        assert_eq!(steps(&mut meter), 5_000);
        meter.resume(most(5_010));
        assert_eq!((steps(&mut meter), meter.work()), (10, 5_010), "the work in all");
        meter.grace();
        let presents = |_| meter.pause().is_ok() && meter.tick().is_ok();
        assert!((0..5_000).all(presents), "the answer may be presented");
    }
}
