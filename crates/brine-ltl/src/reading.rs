//! Which letter an edge of the automaton reads when a system moves.
//!
//! The word of a run `s0 s1 s2 ...` of a system is `L(s0) L(s1) L(s2) ...`: one letter for
//! each state, the first one included. A product pairs states of the system with states of an
//! automaton and moves both at once, so it has to say which end of the system's step is read:
//!
//! ```text
//! Source:  (s, q) -> (s', q')  if s -> s' and q -> q' under L(s);   starts in (s0, initial)
//! Target:  (s, q) -> (s', q')  if s -> s' and q -> q' under L(s');  starts in (s0, q) for each
//!                                                            q with initial -> q under L(s0)
//! ```
//!
//! Reading the source, q has read everything before s; reading the target, it has read s as
//! well. *Why both are right.* If the automaton goes `q0 q1 q2 ...` over the word, the product
//! that reads sources goes `(s0, q0) (s1, q1) ...` and the one that reads targets goes
//! `(s0, q1) (s1, q2) ...`: its runs are the others', one automaton step ahead, with the same
//! edges and marks but for the first. A dead state repeats for ever, so under both readings
//! `(s, q)` with s dead is accepted iff q accepts `L(s) L(s) ...`
//! ([`Automaton::accepts_constant`]).
//!
//! The explicit product and that of `brine-pins` read the source: known as soon as a state is
//! visited, before its successors are. The symbolic product reads the target: what is left of
//! the labels then speaks of the marking that is being built, level by level.

use crate::automaton::{Automaton, Cube, StateId};

/// The end of a system's step whose letter the automaton reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// The letter of the state that is left.
    Source,
    /// The letter of the state that is arrived at.
    Target,
}

impl Reading {
    /// What is read by a step, of the two ends of it.
    #[inline]
    pub fn read<T>(self, source: T, target: T) -> T {
        match self {
            Reading::Source => source,
            Reading::Target => target,
        }
    }

    /// The states in which the automaton stands beside the initial state of a system, whose
    /// letter is `first`.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Options, Reading, Symbols, parse, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("a & X b", &mut fs, &mut symbols).unwrap();
    /// let automaton = translate(&fs, f, &Options::default()).unwrap();
    /// assert_eq!(Reading::Source.start(&automaton, 0), [automaton.initial()]);
    /// assert!(Reading::Target.start(&automaton, 0).is_empty());
    /// ```
    pub fn start(self, automaton: &Automaton, first: u64) -> Vec<StateId> {
        match self {
            Reading::Source => vec![automaton.initial()],
            Reading::Target => automaton.after(automaton.initial(), first).collect(),
        }
    }
}

impl Automaton {
    /// The states that `q` leads to under a letter, edge by edge.
    pub fn after(&self, q: StateId, letter: u64) -> impl Iterator<Item = StateId> + '_ {
        let edges = self.edges_of(q).iter();
        edges.filter(move |e| self.label(e.label).accepts(letter)).map(|e| e.dst)
    }

    /// The states that `q` leads to under some letter of a cube, edge by edge.
    pub fn after_some(&self, q: StateId, letters: Cube) -> impl Iterator<Item = StateId> + '_ {
        let edges = self.edges_of(q).iter();
        edges.filter(move |e| self.label(e.label).meets(letters)).map(|e| e.dst)
    }
}
