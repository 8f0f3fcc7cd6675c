//! The first steps of all runs.
//!
//! Markings that are a few steps from the initial one are few, and their letters are known. So the automaton is run along all beginnings of runs at once: level by level,
//! each marking with the automaton states that some beginning leads to. If no state is left,
//! no run of the net is accepted. That decides formulas about the next few positions,
//! such as `X a` or `X X F a`, and is given up early otherwise: this is no search.
//!
//! ```text
//! level := { initial marking: initial state }
//! until level is empty or too large, or too many levels:
//!     next := {}
//!     for marking m with states Q in level:
//!         P := successors of Q under the letters that m may have
//!         if P is not empty: add P to every successor of m (to m itself if it may be dead) in next
//!     level := next
//! ```

use super::knowledge::Knowledge;
use brine_ltl::{Automaton, Cube, StateId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Levels, markings of one level, and numbers in all markings of one level.
const LEVELS: usize = 8;
const MARKINGS: usize = 400;
const CELLS: usize = 1 << 19;

type Level = FxHashMap<Vec<u32>, BTreeSet<StateId>>;

impl Knowledge<'_> {
    /// Is there no beginning of a run along which the automaton can go on?
    pub(super) fn dies_out(&self, automaton: &Automaton) -> bool {
        let start = BTreeSet::from([automaton.initial()]);
        let mut level = Level::from_iter([(self.view.initial().to_vec(), start)]);
        let first = self.view.letters_at_start(automaton);
        for i in 0..LEVELS {
            let letters = |marking: &[u32]| match i {
                0 => first,
                _ => self.view.letters(automaton, marking),
            };
            match self.next_level(automaton, &level, letters) {
                Some(next) if next.is_empty() => return true,
                Some(next) => level = next,
                None => return false,
            }
        }
        false
    }

    /// `None` if it is too large.
    fn next_level(
        &self,
        automaton: &Automaton,
        level: &Level,
        letters: impl Fn(&[u32]) -> Cube,
    ) -> Option<Level> {
        let mut next = Level::default();
        for (marking, states) in level {
            let letters = letters(marking);
            let after: BTreeSet<StateId> =
                states.iter().flat_map(|&q| automaton.after_some(q, letters)).collect();
            if after.is_empty() {
                continue;
            }
            for successor in self.successors(marking)? {
                next.entry(successor).or_default().extend(&after);
            }
            if next.len() > MARKINGS || next.len() * marking.len() > CELLS {
                return None;
            }
        }
        Some(next)
    }

    /// The markings after one step; one that is dead, or may be, is followed by itself. `None`
    /// if tokens pass `u32`.
    fn successors(&self, marking: &[u32]) -> Option<Vec<Vec<u32>>> {
        let net = self.view.net();
        let mut goes_on = false;
        let mut successors = Vec::new();
        for t in net.transition_ids().filter(|&t| net.is_enabled(t, marking)) {
            goes_on |= self.view.is_exact(t);
            successors.push(net.fire(t, marking)?);
        }
        if !goes_on {
            successors.push(marking.to_vec());
        }
        Some(successors)
    }
}
