//! Full exploration: how many markings are reachable, over how many edges.
//!
//! Breadth first, and the store is the queue: markings are expanded in the order of their
//! ids. The enabled list of a new marking is derived from its parent's at the moment of
//! discovery (`Firing::enabled_after`) and waits in a first-in-first-out buffer until the
//! marking's turn comes. The buffer is capped; markings found while it is full get their
//! list by testing all transitions instead. All successors of a marking are looked up as one
//! batch.
//!
//! Cost: time linear in edges plus re-tested transitions; memory is the store and the buffer.

use crate::fire::Step;
use crate::markings::Markings;
use crate::provisos::Counts;
use crate::store::MarkingId;
use brine_run::Stop;
use std::collections::VecDeque;

/// Entries of the buffer of waiting enabled lists (4 bytes each).
const WAITING_MAX: usize = 8 << 20;

/// What an exploration counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exploration {
    /// Distinct markings.
    pub states: u64,
    /// Edges, one per enabled transition of each marking.
    pub transitions: u64,
    /// Markings whose successors were generated.
    pub expanded: u64,
    /// Markings without an enabled transition.
    pub deadlocks: u64,
    /// The breadth-first depth: the longest shortest path from the initial marking.
    pub depth: u64,
}

/// Enabled lists of discovered markings that wait for their expansion.
#[derive(Debug)]
struct Waiting {
    /// Length and items of each list, in the order of ids.
    buffer: VecDeque<u32>,
    /// Ids from `first` up to (not including) `end` have a list in the buffer.
    first: MarkingId,
    end: MarkingId,
    max: usize,
}

impl Waiting {
    fn new(max: usize) -> Self {
        let none = MarkingId::INITIAL;
        Waiting { buffer: VecDeque::new(), first: none, end: none, max }
    }

    /// Adds the list of the newest marking, if there is room and no gap before it.
    fn add(&mut self, id: MarkingId, list: &[Step]) {
        if self.first == self.end {
            (self.first, self.end) = (id, id);
        }
        if self.end == id && self.buffer.len() + list.len() < self.max {
            self.buffer.push_back(list.len() as u32);
            self.buffer.extend(list.iter().map(|step| step.0));
            self.end = self.end.next();
        }
    }

    /// Takes the list of a marking; `false` when there is none.
    fn take(&mut self, id: MarkingId, list: &mut Vec<Step>) -> bool {
        if id != self.first || self.first == self.end {
            return false;
        }
        let len = self.buffer.pop_front().unwrap_or(0) as usize;
        list.extend(self.buffer.drain(..len).map(Step));
        self.first = self.first.next();
        true
    }
}

impl From<&Counts> for Exploration {
    /// What a reduced search counted.
    fn from(counts: &Counts) -> Self {
        let &Counts { states, transitions, expanded, deadlocks, depth } = counts;
        Exploration { states, transitions, expanded, deadlocks, depth }
    }
}

/// Generates all reachable markings. `watch` is called with the counts so far now and then, and
/// at the end, whatever that is.
pub fn explore(
    ms: &mut Markings<'_>,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Exploration, Stop> {
    explore_with(ms, WAITING_MAX, watch)
}

fn explore_with(
    ms: &mut Markings<'_>,
    waiting_max: usize,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Exploration, Stop> {
    let mut counts = Exploration::default();
    let result = generate(ms, waiting_max, &mut counts, watch);
    counts.states = ms.store().len() as u64;
    watch(&counts);
    result.map(|()| counts)
}

fn generate(
    ms: &mut Markings<'_>,
    waiting_max: usize,
    counts: &mut Exploration,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<(), Stop> {
    ms.meter.look()?;
    let mut waiting = Waiting::new(waiting_max);
    let (mut enabled, mut child, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let (mut next, mut level_end) = (MarkingId::INITIAL, 1);
    while next.index() < ms.store().len() {
        if next.index() == level_end {
            level_end = ms.store().len();
            counts.depth += 1;
        }
        enabled.clear();
        if !waiting.take(next, &mut enabled) {
            ms.enabled(next, &mut enabled);
        }
        ms.fire_all(next, &enabled, &mut found)?;
        for (&step, &(id, new)) in enabled.iter().zip(&found) {
            if !new {
                continue;
            }
            child.clear();
            ms.enabled_after(&enabled, step, id, &mut child);
            waiting.add(id, &child);
        }
        counts.transitions += enabled.len() as u64;
        counts.deadlocks += u64::from(enabled.is_empty());
        next = next.next();
        counts.expanded = u64::from(next.0);
        ms.meter.tick()?;
        if next.0.is_multiple_of(1 << 15) {
            counts.states = ms.store().len() as u64;
            watch(counts);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Bound, Layout};
    use brine_net::{Net, NetBuilder, PlaceId, TransitionId};
    use brine_run::Control;

    /// `n` philosophers who take both forks at once: a known count, the Lucas numbers.
    fn philosophers(n: usize) -> Net {
        let mut b = NetBuilder::new("phil");
        let fork: Vec<PlaceId> = (0..n).map(|i| b.place(&format!("fork{i}"), 1)).collect();
        for i in 0..n {
            let eat = b.place(&format!("eat{i}"), 0);
            let forks = [(fork[i], 1), (fork[(i + 1) % n], 1)];
            b.transition(&format!("take{i}"), &forks, &[(eat, 1)]);
            b.transition(&format!("put{i}"), &[(eat, 1)], &forks);
        }
        b.build().unwrap()
    }

    fn lucas(n: usize) -> u64 {
        (1..n).fold((2, 1), |(a, b), _| (b, a + b)).1
    }

    #[test]
    fn philosophers_number_the_lucas_sequence_whatever_the_buffer_and_guesses() {
        for n in 3..14 {
            let net = philosophers(n);
            let order: Vec<TransitionId> =
                (0..net.transitions().len() as u32).rev().map(TransitionId).collect();
            let bound = if n % 2 == 0 { Bound::Proven(1) } else { Layout::unknown_bound() };
            let mut all = Vec::new();
            for max in [0, 5, 40, 1 << 20] {
                let bounds = vec![bound; net.places().len()];
                let mut ms = Markings::new(&net, &bounds, &order, Control::default()).unwrap();
                all.push(explore_with(&mut ms, max, &mut |_| ()).unwrap());
            }
            assert_eq!(all[0].states, lucas(n));
            assert!(all.iter().all(|e| *e == all[0]), "{all:?}");
            assert_eq!((all[0].deadlocks, all[0].depth), (0, (n / 2) as u64));
        }
    }
}
