//! What is known about an automaton: components, the marks inside them, its class, and the
//! states that accept everything. Computed once, with the automaton, for all engines.
//!
//! A cycle of a product projects onto a cycle of the automaton, so it stays inside one
//! strongly connected component there. What can be said about the cycles of a component
//! ([`Cycles`]) therefore holds for the product as well (SE05 section 5.1):
//!
//! - *rejecting*: the marks inside do not make up all marks, so no cycle has all;
//! - *accepting*: no mark can be avoided, so every cycle has all;
//! - *mixed*: some mark can be avoided; the cycle around the whole component accepts, another
//!   one may not.
//!
//! *Universal* states accept every word: the largest set of states that lie in accepting
//! components or on no cycle, such that every letter leads from each of them to one of them.
//! (A run that stays in the set ends in one of its components, which is accepting.) Labels
//! are compared by [`cover`](crate::cover), which may overlook that they hold every letter;
//! then a universal state is not called so, which is never wrong.
//!
//! The *class* follows: *weak* if no component is mixed, *terminal* if moreover all states of
//! accepting components are universal, so that a run which gets there is accepted.
//!
//! Cost: marks + 1 times the edges; for universal states in the worst case edges times states
//! of the largest accepting component.

use crate::automaton::{Automaton, Cube, Edge, StateId};
use crate::components::{ComponentId, Components};
use crate::cover::holds_every_letter;

/// What the cycles inside a component of an automaton are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cycles {
    /// There is none, or none is accepting.
    Rejecting,
    /// There is one, and all are accepting.
    Accepting,
    /// There is an accepting one; others avoid some mark.
    Mixed,
}

/// How hard it is to find an accepting run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Weak, and accepting components accept whatever follows: reachability is enough.
    Terminal,
    /// In each component all cycles are accepting or none is: one depth-first search is enough.
    Weak,
    /// Anything else.
    General,
}

impl Class {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Terminal => "terminal",
            Class::Weak => "weak",
            Class::General => "general",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known about an automaton: see [`Automaton::analysis`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    components: Components,
    /// By component: the union of the marks inside, `None` without an edge inside.
    marks: Vec<Option<u64>>,
    /// By component: the marks that some cycle avoids; none for rejecting ones.
    avoidable: Vec<u64>,
    cycles: Vec<Cycles>,
    /// By state.
    universal: Vec<bool>,
    class: Class,
}

impl Analysis {
    /// That of an automaton without states.
    pub(crate) fn of_nothing() -> Self {
        Analysis {
            components: Components::new(0, |_, _| None),
            marks: Vec::new(),
            avoidable: Vec::new(),
            cycles: Vec::new(),
            universal: Vec::new(),
            class: Class::Terminal,
        }
    }

    pub(crate) fn new(a: &Automaton) -> Self {
        let components = components(a, |_| true);
        let marks = components.inner_marks(arcs(a, |_| true));
        let accepting: Vec<bool> = marks.iter().map(|&m| m == Some(a.all_marks())).collect();
        let avoidable = avoidable_marks(a, &components, &accepting);
        let cycles: Vec<Cycles> = accepting
            .iter()
            .zip(&avoidable)
            .map(|pair| match pair {
                (false, _) => Cycles::Rejecting,
                (true, 0) => Cycles::Accepting,
                (true, _) => Cycles::Mixed,
            })
            .collect();
        let mut new = Analysis { components, marks, avoidable, cycles, ..Analysis::of_nothing() };
        new.universal = new.universal_states(a);
        new.class = new.classify(a);
        debug_assert!(new.is_consistent(a));
        new
    }

    /// The invariants of the head comment that one can see at once.
    fn is_consistent(&self, a: &Automaton) -> bool {
        let by_component = (0..self.num_components()).all(|c| {
            let marks = self.marks[c].unwrap_or(0);
            self.avoidable[c] & !marks == 0
                && (self.cycles[c] == Cycles::Rejecting)
                    == (self.marks[c].is_none() || marks != a.all_marks())
        });
        let stays = |q: StateId| a.edges_of(q).iter().any(|e| self.is_universal(e.dst));
        let by_state = a.states().filter(|&q| self.is_universal(q)).all(|q| {
            let c = self.component(q);
            stays(q) && (self.cycles(c) == Cycles::Accepting || self.marks(c).is_none())
        });
        by_component && by_state
    }

    /// The greatest set as in the head comment, component by component, successors first:
    /// whether states of other components are in it is known by then.
    fn universal_states(&self, a: &Automaton) -> Vec<bool> {
        let mut universal = vec![false; a.num_states()];
        for (c, states) in self.components.members().into_iter().enumerate() {
            if self.cycles[c] != Cycles::Accepting && self.marks[c].is_some() {
                continue;
            }
            states.iter().for_each(|&q| universal[q] = true);
            loop {
                let stuck: Vec<usize> = states
                    .iter()
                    .copied()
                    .filter(|&q| universal[q] && !lets_every_letter_pass(a, q, &universal))
                    .collect();
                if stuck.is_empty() {
                    break;
                }
                stuck.into_iter().for_each(|q| universal[q] = false);
            }
        }
        universal
    }

    fn classify(&self, a: &Automaton) -> Class {
        if self.cycles.contains(&Cycles::Mixed) {
            return Class::General;
        }
        let accepting = |q: &StateId| self.cycles(self.component(*q)) == Cycles::Accepting;
        let terminal = a.states().filter(accepting).all(|q| self.is_universal(q));
        if terminal { Class::Terminal } else { Class::Weak }
    }

    /// The number of strongly connected components.
    pub fn num_components(&self) -> usize {
        self.components.count()
    }

    /// The component of a state. An edge never leads to a component with a larger number.
    pub fn component(&self, q: StateId) -> ComponentId {
        self.components.of(q.index())
    }

    /// Is the edge inside a component, that is, on a cycle?
    pub fn is_inside(&self, e: &Edge) -> bool {
        self.components.inside(e.src.index(), e.dst.0)
    }

    /// The union of the marks on the edges inside a component; `None` if there is no such edge.
    pub fn marks(&self, c: ComponentId) -> Option<u64> {
        self.marks[c.index()]
    }

    /// The marks that some cycle of a component avoids. None if no cycle of it is accepting,
    /// for then no mark matters.
    pub fn avoidable_marks(&self, c: ComponentId) -> u64 {
        self.avoidable[c.index()]
    }

    /// What the cycles inside a component are.
    pub fn cycles(&self, c: ComponentId) -> Cycles {
        self.cycles[c.index()]
    }

    /// Does some accepting cycle run through the state?
    pub fn has_accepting_cycle(&self, q: StateId) -> bool {
        self.cycles(self.component(q)) != Cycles::Rejecting
    }

    /// Is the state on a cycle, and every cycle through it accepting?
    pub fn has_only_accepting_cycles(&self, q: StateId) -> bool {
        self.cycles(self.component(q)) == Cycles::Accepting
    }

    /// Does the state accept every word? Never wrongly yes.
    pub fn is_universal(&self, q: StateId) -> bool {
        self.universal[q.index()]
    }

    /// Terminal, weak or general.
    pub fn class(&self) -> Class {
        self.class
    }
}

impl Automaton {
    /// The class of the automaton.
    ///
    /// ```
    /// use brine_ltl::{Class, Formulas, Options, Symbols, parse, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let mut class = |text: &str| {
    ///     let f = parse(text, &mut fs, &mut symbols).unwrap();
    ///     translate(&fs, f, &Options::default()).unwrap().class()
    /// };
    /// assert_eq!(class("F a"), Class::Terminal);
    /// assert_eq!(class("F G a"), Class::Weak);
    /// assert_eq!(class("G F a"), Class::General);
    /// ```
    pub fn class(&self) -> Class {
        self.analysis().class()
    }
}

/// The components over the edges that `keep` names.
fn components(a: &Automaton, keep: impl Fn(&Edge) -> bool) -> Components {
    let mut succ = vec![Vec::new(); a.num_states()];
    for e in a.edges().iter().filter(|e| keep(e)) {
        succ[e.src.index()].push(e.dst.0);
    }
    Components::new(succ.len(), |q, i| succ[q].get(i).copied())
}

/// The edges that `keep` names, as (source, target, marks).
fn arcs(a: &Automaton, keep: impl Fn(&Edge) -> bool) -> impl Iterator<Item = (usize, u32, u64)> {
    a.edges().iter().filter(move |e| keep(e)).map(|e| (e.src.index(), e.dst.0, e.marks))
}

/// For each accepting component the marks that some cycle of it avoids: without the edges
/// that carry such a mark there is still a cycle.
fn avoidable_marks(a: &Automaton, comps: &Components, accepting: &[bool]) -> Vec<u64> {
    let mut avoidable = vec![0; comps.count()];
    for m in 0..a.num_marks() {
        let without = |e: &Edge| e.marks >> m & 1 == 0;
        let finer = components(a, without);
        for (src, _, _) in arcs(a, without).filter(|&(src, dst, _)| finer.inside(src, dst)) {
            let c = comps.of(src).index();
            if accepting[c] {
                avoidable[c] |= 1 << m;
            }
        }
    }
    avoidable
}

/// Can every letter take an edge from `q` to a state of `targets`?
fn lets_every_letter_pass(a: &Automaton, q: usize, targets: &[bool]) -> bool {
    let edges = a.edges_of(StateId(q as u32)).iter().filter(|e| targets[e.dst.index()]);
    let cubes: Vec<Cube> = edges.flat_map(|e| a.label(e.label).cubes.iter().copied()).collect();
    holds_every_letter(cubes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::Atom;
    use crate::automaton::{Label, LabelId};
    use crate::small::Random;

    /// An automaton over two propositions; labels 0 = true, 1 = a, 2 = !a, 3 = b, 4 = a | b.
    fn automaton(states: u32, marks: u32, edges: &[(u32, u32, u32, u64)]) -> Automaton {
        let cube = |pos, neg| Cube { pos, neg };
        let labels = [
            vec![cube(0, 0)],
            vec![cube(1, 0)],
            vec![cube(0, 1)],
            vec![cube(2, 0)],
            vec![cube(1, 0), cube(2, 0)],
        ];
        let labels = labels.map(|cubes| Label { cubes }).to_vec();
        let edge = |&(src, dst, label, marks): &(u32, u32, u32, u64)| Edge {
            src: StateId(src),
            dst: StateId(dst),
            label: LabelId(label),
            marks,
        };
        let atoms = ["a", "b"].map(|name| Atom::Prop(name.into())).to_vec();
        let edges = edges.iter().map(edge).collect();
        Automaton::new(atoms, labels, states, StateId(0), marks, edges)
    }

    fn universal(a: &Automaton) -> Vec<bool> {
        a.states().map(|q| a.analysis().is_universal(q)).collect()
    }

    #[test]
    fn classes_of_textbook_automata() {
        // F a: wait, then accept everything.
        let eventually = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 0, 1)]);
        assert_eq!(eventually.class(), Class::Terminal);
        assert_eq!(universal(&eventually), [false, true]);
        // The accepting loop split into a and !a still takes every letter.
        let split = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 1, 1), (1, 1, 2, 1)]);
        assert_eq!(split.class(), Class::Terminal);
        // F G a is weak.
        let persist = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 1, 1)]);
        assert_eq!(persist.class(), Class::Weak);
        // G F a is not.
        let recur = automaton(1, 1, &[(0, 0, 1, 1), (0, 0, 2, 0)]);
        assert_eq!(recur.class(), Class::General);
        assert_eq!(recur.analysis().avoidable_marks(recur.analysis().component(StateId(0))), 1);
        // Without marks every infinite run is accepted.
        assert_eq!(automaton(1, 0, &[(0, 0, 1, 0)]).class(), Class::Weak);
        // One mark on every cycle is enough to be weak, also if it is not on every edge.
        assert_eq!(automaton(2, 1, &[(0, 1, 1, 1), (1, 0, 1, 0)]).class(), Class::Weak);
        // Mark 0 is on every edge, mark 1 can be avoided for ever.
        assert_eq!(automaton(1, 2, &[(0, 0, 1, 3), (0, 0, 2, 1)]).class(), Class::General);
    }

    #[test]
    fn letters_may_leave_for_another_universal_state() {
        // 0 takes a to 1 and !a to 2; 1 stays with a and takes !a to 2, which takes everything.
        let edges = [(0, 1, 1, 0), (0, 2, 2, 0), (1, 1, 1, 1), (1, 2, 2, 0), (2, 2, 0, 1)];
        let both = automaton(3, 1, &edges);
        assert_eq!(universal(&both), [true; 3]);
        assert_eq!(both.class(), Class::Terminal);
        // Without the way out it waits for nothing but a.
        let edges = [(0, 1, 1, 0), (0, 2, 2, 0), (1, 1, 1, 1), (2, 2, 0, 1)];
        let one = automaton(3, 1, &edges);
        assert_eq!(universal(&one), [false, false, true]);
        assert_eq!(one.class(), Class::Weak);
    }

    /// The sets of edges of all closed walks of up to `length` edges through each state.
    fn closed_walks(a: &Automaton, length: usize) -> Vec<(StateId, u64, u64)> {
        let mut found = Vec::new();
        for start in a.states() {
            // State, union of marks, union of visited states.
            let mut layer = vec![(start, 0u64, 0u64)];
            for _ in 0..length {
                let step = |&(q, marks, seen): &(StateId, u64, u64)| {
                    let edges = a.edges_of(q).iter();
                    edges.map(move |e| (e.dst, marks | e.marks, seen | 1 << e.dst.0))
                };
                layer = layer.iter().flat_map(step).collect();
                layer.sort_unstable();
                layer.dedup();
                found.extend(layer.iter().filter(|w| w.0 == start));
            }
        }
        found
    }

    /// Random automata of up to four states against definitions by closed walks and words.
    #[test]
    fn against_the_definitions() {
        let mut random = Random(3);
        let mut classes = [0; 3];
        for _ in 0..1500 {
            let (states, marks) = (1 + random.below(4) as u32, random.below(3) as u32);
            let edges: Vec<_> = (0..random.below(2 + 2 * u64::from(states)))
                .map(|_| {
                    let state = |r: &mut Random| r.below(states.into()) as u32;
                    let carried = random.below(4) & ((1 << marks) - 1);
                    let label = [0, 0, 1, 2, 3, 4][random.below(6) as usize];
                    (state(&mut random), state(&mut random), label, carried)
                })
                .collect();
            let a = automaton(states, marks, &edges);
            check_cycles(&a);
            check_universal(&a);
            classes[a.class() as usize] += 1;
        }
        assert!(classes.iter().all(|&n| n > 100), "{classes:?}");
    }

    fn check_cycles(a: &Automaton) {
        let (known, all) = (a.analysis(), a.all_marks());
        // Long enough to go through four states by way of every pair of them.
        let walks = closed_walks(a, 9);
        for q in a.states() {
            let through = || walks.iter().filter(|w| w.0 == q);
            let same: Vec<StateId> =
                a.states().filter(|r| *r == q || through().any(|w| w.2 >> r.0 & 1 == 1)).collect();
            let expected: Vec<StateId> =
                a.states().filter(|&r| known.component(r) == known.component(q)).collect();
            assert_eq!(same, expected, "{a:?}");
            let c = known.component(q);
            assert_eq!(known.marks(c), through().map(|w| w.1).reduce(|x, y| x | y), "{a:?}");
            // Cycles through any state of the component.
            let inside = || walks.iter().filter(|w| known.component(w.0) == c);
            let cycles = match (inside().any(|w| w.1 == all), inside().all(|w| w.1 == all)) {
                (false, _) => Cycles::Rejecting,
                (true, true) => Cycles::Accepting,
                (true, false) => Cycles::Mixed,
            };
            assert_eq!(known.cycles(c), cycles, "{a:?}");
            let avoided = inside().fold(0, |some, w| some | all & !w.1);
            let expected = if cycles == Cycles::Rejecting { 0 } else { avoided };
            assert_eq!(known.avoidable_marks(c), expected, "{a:?}");
        }
    }

    /// Universal states accept all short words. Terminal automata accept only by way of them,
    /// and weak ones whose accepting states all accept all short words are terminal.
    fn check_universal(a: &Automaton) {
        let known = a.analysis();
        let words: Vec<Vec<u64>> = (1..4usize)
            .flat_map(|n| {
                (0..1u64 << (2 * n)).map(move |code| (0..n).map(|i| code >> (2 * i) & 3).collect())
            })
            .collect();
        for q in a.states() {
            let accepts_all = words.iter().all(|w| a.accepts_from(q, &[], w));
            assert!(!known.is_universal(q) || accepts_all, "{q:?} of {a:?}");
            if a.class() == Class::Terminal && known.has_accepting_cycle(q) {
                assert!(known.is_universal(q), "{q:?} of {a:?}");
            }
        }
        let mixed = a.states().any(|q| known.cycles(known.component(q)) == Cycles::Mixed);
        assert_eq!(a.class() == Class::General, mixed, "{a:?}");
        // In a deterministic part nothing is overlooked.
        let accepting = || a.states().filter(|&q| known.has_accepting_cycle(q));
        let one_edge = accepting().all(|q| a.edges_of(q).len() <= 1);
        if a.class() == Class::Weak && one_edge {
            let rejected = |q: StateId| words.iter().any(|w| !a.accepts_from(q, &[], w));
            assert!(accepting().any(rejected), "{a:?}");
        }
    }
}
