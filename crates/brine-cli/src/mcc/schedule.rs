//! Who may run next, and for how long.
//!
//! One hard property must not starve fifteen easy ones, and nobody knows beforehand which
//! is which. So all get a short slice first; those still open then get four times as much,
//! and so on until the time is used up. Engines start anew in each round. With a factor
//! of four, that repeated work is at most a third of the time spent on a property.
//!
//! A slice that is not clearly longer than the last one cannot bring anything new, so near
//! the end fewer properties get proper slices rather than all of them useless ones.

use std::collections::VecDeque;
use std::time::Duration;

/// How much longer a slice becomes from round to round.
const GROWTH: u32 = 4;
/// A slice that is not at least so many times the last one is not worth its time.
const WORTH: u32 = 2;
/// No slice is planned shorter than this.
const SHORTEST: Duration = Duration::from_millis(100);

/// The open properties of an examination, by number.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Still to run in this round.
    now: VecDeque<usize>,
    /// Ran in this round and stayed open.
    later: VecDeque<usize>,
    /// What each property may use in this round.
    slice: Duration,
    /// What each property has had at least in the last round.
    last: Duration,
}

impl Schedule {
    /// All of `count` properties are open, and `total` is the time there is.
    pub(crate) fn new(count: usize, total: Duration) -> Self {
        let share = total / (8 * count.max(1) as u32);
        Schedule {
            now: (0..count).collect(),
            later: VecDeque::new(),
            slice: share.max(SHORTEST),
            last: Duration::ZERO,
        }
    }

    /// The next property and its slice, with `left` of the time; `None` when nothing is open
    /// or the rest of the time is of no use.
    pub(crate) fn next(&mut self, left: Duration) -> Option<(usize, Duration)> {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
            self.last = self.slice;
            self.slice *= GROWTH;
        }
        if left.is_zero() || left < self.last {
            return None;
        }
        let alone = self.now.len() + self.later.len() == 1;
        let fair = left / self.now.len().max(1) as u32;
        let slice = if alone { left } else { self.slice.min(fair).max(self.last * WORTH) };
        Some((self.now.pop_front()?, slice.min(left)))
    }

    /// The slice was too short: try again in the next round.
    pub(crate) fn retry(&mut self, property: usize) {
        self.later.push_back(property);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs properties that need these milliseconds each; which were solved, and the time used.
    fn simulate(needs: &[u64], total: u64) -> (Vec<usize>, u64) {
        let mut schedule = Schedule::new(needs.len(), Duration::from_millis(total));
        let mut used = 0;
        let mut solved = Vec::new();
        while let Some((i, slice)) = schedule.next(Duration::from_millis(total - used)) {
            let slice = slice.as_millis() as u64;
            if needs[i] <= slice {
                used += needs[i];
                solved.push(i);
            } else {
                used += slice;
                schedule.retry(i);
            }
            assert!(used <= total, "the schedule keeps to the time");
        }
        solved.sort_unstable();
        (solved, used)
    }

    #[test]
    fn a_hard_property_does_not_starve_easy_ones() {
        let mut needs = vec![10; 16];
        needs[0] = 1_000_000;
        let (solved, _) = simulate(&needs, 60_000);
        assert_eq!(solved, (1..16).collect::<Vec<_>>());
    }

    #[test]
    fn a_single_property_gets_everything() {
        assert_eq!(simulate(&[59_000], 60_000), (vec![0], 59_000));
    }

    #[test]
    fn what_is_left_is_spent_on_the_hard_ones() {
        let mut needs = vec![10; 16];
        needs[3] = 30_000;
        assert_eq!(simulate(&needs, 60_000).0.len(), 16);
        (needs[3], needs[9]) = (20_000, 10_000);
        assert_eq!(simulate(&needs, 60_000).0.len(), 16);
    }

    #[test]
    fn middling_ones_all_fit() {
        assert_eq!(simulate(&[1_500; 16], 60_000).0.len(), 16);
    }

    #[test]
    fn it_ends_when_no_slice_can_help() {
        let (solved, used) = simulate(&[1_000_000; 16], 60_000);
        assert!(solved.is_empty());
        assert!(used > 40_000, "most of the time was tried: {used}");
        assert_eq!(simulate(&[], 60_000), (vec![], 0));
        assert_eq!(simulate(&[5], 0), (vec![], 0));
    }
}
