//! Does an automaton accept an ultimately periodic word?
//!
//! The product of the word's positions with the states is a finite graph; the word is
//! accepted when a reachable strongly connected component of the part that stays in the
//! cycle carries every mark. Simple on purpose: tests compare it with
//! [`crate::holds_on_lasso`].

use crate::automaton::{Automaton, StateId};
use crate::components::Components;

impl Automaton {
    /// Is the word `prefix cycle cycle ...` accepted? Bit i of a letter is atom i.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Options, Symbols, parse, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("G F a", &mut fs, &mut symbols).unwrap();
    /// let automaton = translate(&fs, f, &Options::default()).unwrap();
    /// assert!(automaton.accepts(&[0], &[0, 1]));
    /// assert!(!automaton.accepts(&[1, 1], &[0]));
    /// ```
    ///
    /// # Panics
    ///
    /// When the cycle is empty.
    pub fn accepts(&self, prefix: &[u64], cycle: &[u64]) -> bool {
        self.accepts_from(self.initial(), prefix, cycle)
    }

    /// The same, starting in state `q`.
    ///
    /// # Panics
    ///
    /// When the cycle is empty.
    pub fn accepts_from(&self, q: StateId, prefix: &[u64], cycle: &[u64]) -> bool {
        assert!(!cycle.is_empty(), "the cycle of a lasso has at least one position");
        let n = prefix.len() + cycle.len();
        let states = self.num_states();
        let mut succ: Vec<Vec<(u32, u64)>> = vec![Vec::new(); n * states];
        let mut seen = vec![false; n * states];
        let mut todo = vec![q.index()];
        seen[q.index()] = true;
        while let Some(node) = todo.pop() {
            let (i, q) = (node / states, node % states);
            let letter = if i < prefix.len() { prefix[i] } else { cycle[i - prefix.len()] };
            let next = if i + 1 < n { i + 1 } else { prefix.len() };
            for e in self.edges_of(StateId(q as u32)) {
                if self.label(e.label).accepts(letter) {
                    let target = next * states + e.dst.index();
                    succ[node].push((target as u32, e.marks));
                    if !std::mem::replace(&mut seen[target], true) {
                        todo.push(target);
                    }
                }
            }
        }
        // Unreached nodes have no successors, hence no cycles.
        let (_, marks) = Components::with_marks(&succ);
        marks.contains(&Some(self.all_marks()))
    }
}
