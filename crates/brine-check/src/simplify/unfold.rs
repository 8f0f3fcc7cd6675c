//! The first steps of all runs.
//!
//! Markings that are a few steps from the initial one are few, and their letters are known
//! exactly. So the automaton is run along all beginnings of runs at once: level by level,
//! each marking with the automaton states that some beginning leads to. If no state is left,
//! no run of the net is accepted. That decides formulas about the next few positions,
//! such as `X a` or `X X F a`, and is given up early otherwise: this is no search.
//!
//! ```text
//! level := { initial marking: initial state }
//! until level is empty or too large, or too many levels:
//!     next := {}
//!     for marking m with states Q in level:
//!         P := successors of Q under the letter of m
//!         if P is not empty: add P to every successor of m (m itself if m is dead) in next
//!     level := next
//! ```

use super::knowledge::Knowledge;
use brine_ltl::{Automaton, StateId};
use brine_net::TransitionId;
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
        let mut level = Level::from_iter([(self.initial.clone(), start)]);
        for _ in 0..LEVELS {
            match self.next_level(automaton, &level) {
                Some(next) if next.is_empty() => return true,
                Some(next) => level = next,
                None => return false,
            }
        }
        false
    }

    /// `None` if it is too large.
    fn next_level(&self, automaton: &Automaton, level: &Level) -> Option<Level> {
        let mut next = Level::default();
        for (marking, states) in level {
            let letter = automaton.letter(self.net, marking);
            let after: BTreeSet<StateId> =
                states.iter().flat_map(|&q| automaton.after(q, letter)).collect();
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

    /// The markings after one step; a dead marking is followed by itself. `None` if tokens
    /// pass `u32`.
    fn successors(&self, marking: &[u32]) -> Option<Vec<Vec<u32>>> {
        let enabled = |t: &TransitionId| self.net.is_enabled(*t, marking);
        let fire = |t: TransitionId| self.net.fire(t, marking);
        let fired: Vec<Vec<u32>> =
            self.net.transition_ids().filter(enabled).map(fire).collect::<Option<_>>()?;
        Some(if fired.is_empty() { vec![marking.to_vec()] } else { fired })
    }
}
