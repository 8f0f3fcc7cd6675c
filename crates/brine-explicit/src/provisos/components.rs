//! Which states belong to finished strongly connected components.
//!
//! As in Couvreur's check (`emptiness::couvreur`): numbers in the order of discovery, a stack
//! of roots, a stack of states whose component is not finished. When the search leaves a root,
//! everything found since then is a component, and dead: no edge found later can be on a cycle
//! with one of its states.

use super::states::{ProvisoState, StackPlace};
use crate::graph::{GraphStateId, Notes};
use crate::meter::Meter;
use brine_run::Stop;

/// The components of the part explored so far.
#[derive(Debug)]
pub(super) struct ProvisoComponents {
    number: Notes<u32>,
    /// The number of the first state of each unfinished component.
    roots: Vec<u32>,
    current: Vec<GraphStateId>,
    count: u32,
}

impl ProvisoComponents {
    pub(super) fn new() -> Self {
        ProvisoComponents { number: Notes::new(), roots: Vec::new(), current: Vec::new(), count: 0 }
    }

    /// A new state: a component of its own for now.
    pub(super) fn open(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<(), Stop> {
        self.count += 1;
        self.number.set(s, self.count, meter)?;
        meter.push(&mut self.roots, self.count)?;
        meter.push(&mut self.current, s)
    }

    /// An edge from the top of the stack to a state that is not dead.
    pub(super) fn join(&mut self, target: GraphStateId) {
        let number = self.number.get(target);
        while self.roots.last().is_some_and(|&root| root > number) {
            self.roots.pop();
        }
    }

    /// The search leaves a state. If it is a root, its component is dead.
    pub(super) fn close(
        &mut self,
        s: GraphStateId,
        states: &mut Notes<ProvisoState>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        if self.roots.last() != Some(&self.number.get(s)) {
            return Ok(());
        }
        self.roots.pop();
        while let Some(t) = self.current.pop() {
            states.set(t, ProvisoState { place: StackPlace::Dead, ..states.get(t) }, meter)?;
            if t == s {
                break;
            }
        }
        Ok(())
    }
}
