//! Traps: sets of places that stay marked once they are marked.
//!
//! A set Q is a trap if every live transition that takes from Q also puts into Q. Firing
//! such a transition leaves a token in Q, and no other transition takes one away. So a trap
//! that is marked at the start satisfies: the sum of its tokens is at least 1.
//!
//! The largest trap inside a set of places is what is left after removing, until nothing
//! changes, every place from which a transition takes without putting into the set. Cost:
//! linear in the arcs, per search.

use super::{Constraint, StateEquation};
use brine_net::PlaceId;

/// A value below this counts as an empty place.
const EMPTY: f64 = 1e-6;

impl StateEquation<'_> {
    /// A trap that is marked at the start and empty in the given real-valued marking, as the
    /// constraint that it stays marked.
    pub(super) fn unmarked_trap(&self, marking: &[f64]) -> Option<Constraint> {
        let mut inside: Vec<bool> = marking.iter().map(|&tokens| tokens < EMPTY).collect();
        self.shrink_to_trap(&mut inside);
        let places = || self.net.place_ids().filter(|p| inside[p.index()]);
        let marked = places().any(|p| self.net.place(p).initial > 0);
        let terms = places().map(|p| (p, -1)).collect();
        marked.then_some(Constraint { terms, bound: -1 })
    }

    /// Keeps the largest trap of the set.
    fn shrink_to_trap(&self, inside: &mut [bool]) {
        let inputs = |t: usize| self.net.transition(self.live[t]).pre.iter();
        let outputs = |t: usize| self.net.transition(self.live[t]).post.iter();
        // How many output places each transition has in the set, and who puts where.
        let mut keeps = vec![0_u32; self.live.len()];
        let mut producers: Vec<Vec<u32>> = vec![Vec::new(); inside.len()];
        for (t, keeps) in keeps.iter_mut().enumerate() {
            for &(p, _) in outputs(t) {
                producers[p.index()].push(t as u32);
                *keeps += u32::from(inside[p.index()]);
            }
        }
        let mut drains: Vec<usize> = (0..self.live.len()).filter(|&t| keeps[t] == 0).collect();
        while let Some(t) = drains.pop() {
            for &(p, _) in inputs(t) {
                if std::mem::take(&mut inside[p.index()]) {
                    for &u in &producers[p.index()] {
                        keeps[u as usize] -= 1;
                        if keeps[u as usize] == 0 {
                            drains.push(u as usize);
                        }
                    }
                }
            }
        }
        debug_assert!(self.is_trap(inside));
    }

    fn is_trap(&self, inside: &[bool]) -> bool {
        let touches = |arcs: &[(PlaceId, u32)]| arcs.iter().any(|(p, _)| inside[p.index()]);
        self.live.iter().all(|&t| {
            let t = self.net.transition(t);
            !touches(t.pre) || touches(t.post)
        })
    }
}
