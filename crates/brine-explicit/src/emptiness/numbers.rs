//! States in the order in which a depth-first search enters them, as the checks that look at
//! components need them (Couvreur's, Tarjan's, and that of Geldenhuys and Valmari).
//!
//! A state is *current* from when it is entered until its component is known to be complete
//! and without an accepting cycle. Invariant: the stack of current states is ordered by
//! number, and a component of the explored part is a contiguous piece of it that begins with
//! the component's root. So a component is removed by popping down to its root.
//!
//! One integer for each state, and four bytes for each current one.

use crate::graph::{GraphStateId, Notes};
use crate::meter::Meter;
use brine_run::Stop;

/// The number of a state that was not entered yet.
pub(crate) const NEW: u32 = 0;
/// The number of a state that is no longer current.
pub(crate) const REMOVED: u32 = u32::MAX;

/// The numbers of all states, and the current ones.
#[derive(Debug)]
pub(crate) struct Numbers {
    number: Notes<u32>,
    current: Vec<GraphStateId>,
    count: u32,
}

impl Numbers {
    pub(crate) fn new() -> Self {
        Numbers { number: Notes::new(), current: Vec::new(), count: 0 }
    }

    /// The number of a state, [`NEW`] or [`REMOVED`].
    pub(crate) fn get(&self, s: GraphStateId) -> u32 {
        self.number.get(s)
    }

    pub(crate) fn is_current(&self, s: GraphStateId) -> bool {
        ![NEW, REMOVED].contains(&self.get(s))
    }

    /// How many states are current.
    pub(crate) fn current(&self) -> usize {
        self.current.len()
    }

    /// The current states from this number on, ascending.
    pub(crate) fn down_to(&self, number: u32) -> &[GraphStateId] {
        let first = self.current.partition_point(|&s| self.get(s) < number);
        &self.current[first..]
    }

    /// Enters a new state; returns its number.
    pub(crate) fn open(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<u32, Stop> {
        debug_assert_eq!(self.get(s), NEW, "a state is entered once");
        self.count += 1;
        self.number.set(s, self.count, meter)?;
        meter.push(&mut self.current, s)?;
        Ok(self.count)
    }

    /// Removes the component whose root is `s`.
    pub(crate) fn remove_down_to(
        &mut self,
        s: GraphStateId,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        debug_assert!(self.is_current(s), "only a component of current states is removed");
        while let Some(t) = self.current.pop() {
            self.number.set(t, REMOVED, meter)?;
            if t == s {
                break;
            }
        }
        Ok(())
    }
}
