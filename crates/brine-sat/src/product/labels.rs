//! The labels of the automaton, partially evaluated.
//!
//! As the levels of a marking become known from the top down, so do atoms, and the labels
//! of the automaton's edges shrink: cubes lose literals that hold and fall away when one
//! does not. A *label state* lists which labels are true and what is left of the open ones.
//! It is hash-consed; once nothing is open it *is* the letter class: the relation on
//! control states by which the automaton moves.
//!
//! Hand-made on cubes, not on BDDs: states are only ever restricted, met lazily, and have to be
//! plain values that serve as keys of caches.

use brine_ltl::{Automaton, Cube};
use brine_net::Interner;
use rustc_hash::FxHashMap;

/// A label state; equal ones have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LabelState(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct LabelEntry {
    /// Labels that are true.
    taken: Box<[u32]>,
    /// Labels that are not decided, with what is left of them.
    open: Box<[(u32, Box<[Cube]>)]>,
}

/// All label states met so far.
#[derive(Debug)]
pub(crate) struct LabelStates {
    entries: Interner<LabelEntry>,
    restricted: FxHashMap<(LabelState, u32, bool), LabelState>,
}

impl LabelStates {
    /// The table, and the state in which nothing is known.
    pub(crate) fn new(automaton: &Automaton) -> (Self, LabelState) {
        let mut states = LabelStates { entries: Interner::new(), restricted: FxHashMap::default() };
        let mut used: Vec<u32> = automaton.edges().iter().map(|e| e.label.0).collect();
        used.sort_unstable();
        used.dedup();
        let labels = automaton.labels();
        let start = states
            .build(Vec::new(), used.into_iter().map(|l| (l, labels[l as usize].cubes.clone())));
        (states, start)
    }

    /// The state without labels.
    pub(crate) fn nothing(&mut self) -> LabelState {
        LabelState(self.entries.intern(LabelEntry { taken: Box::default(), open: Box::default() }))
    }

    fn build(
        &mut self,
        mut taken: Vec<u32>,
        labels: impl Iterator<Item = (u32, Vec<Cube>)>,
    ) -> LabelState {
        let mut open = Vec::new();
        for (label, cubes) in labels {
            if cubes.contains(&Cube::default()) {
                taken.push(label);
            } else if !cubes.is_empty() {
                open.push((label, minimal(cubes)));
            }
        }
        taken.sort_unstable();
        debug_assert!(taken.is_sorted_by(|a, b| a < b), "a label is taken once");
        debug_assert!(open.iter().all(|(l, _)| taken.binary_search(l).is_err()), "taken and open");
        LabelState(self.entries.intern(LabelEntry { taken: taken.into(), open: open.into() }))
    }

    /// What is left once atom `atom` is known.
    pub(crate) fn restrict(&mut self, state: LabelState, atom: u32, holds: bool) -> LabelState {
        if let Some(&r) = self.restricted.get(&(state, atom, holds)) {
            return r;
        }
        let bit = 1u64 << atom;
        let rest = |c: &Cube| {
            let excluded = if holds { c.neg } else { c.pos };
            (excluded & bit == 0).then_some(Cube { pos: c.pos & !bit, neg: c.neg & !bit })
        };
        let entry = self.entries[state.0 as usize].clone();
        let open =
            entry.open.iter().map(|(l, cubes)| (*l, cubes.iter().filter_map(rest).collect()));
        let result = self.build(entry.taken.to_vec(), open);
        debug_assert!(self.support(result) & bit == 0, "an atom that is known matters no more");
        self.restricted.insert((state, atom, holds), result);
        result
    }

    /// The state without the labels that `keep` does not name.
    pub(crate) fn project(&mut self, state: LabelState, keep: &[bool]) -> LabelState {
        let LabelEntry { taken, open } = self.entries[state.0 as usize].clone();
        let taken = taken.iter().copied().filter(|&l| keep[l as usize]).collect();
        let open = open.into_iter().filter(|(l, _)| keep[*l as usize]);
        self.build(taken, open.map(|(l, cubes)| (l, cubes.into_vec())))
    }

    /// The atoms that still matter, as bits.
    pub(crate) fn support(&self, state: LabelState) -> u64 {
        let cubes = self.entries[state.0 as usize].open.iter().flat_map(|(_, cubes)| cubes.iter());
        cubes.fold(0, |all, c| all | c.pos | c.neg)
    }

    /// True when no label is true or can become so: the automaton cannot move.
    pub(crate) fn is_stuck(&self, state: LabelState) -> bool {
        let entry = &self.entries[state.0 as usize];
        entry.taken.is_empty() && entry.open.is_empty()
    }

    /// The labels that are true.
    pub(crate) fn taken(&self, state: LabelState) -> &[u32] {
        &self.entries[state.0 as usize].taken
    }
}

/// Drops cubes that are contained in others, and sorts the rest.
fn minimal(mut cubes: Vec<Cube>) -> Box<[Cube]> {
    cubes.sort_unstable();
    cubes.dedup();
    let within = |c: &Cube, d: &Cube| c != d && c.pos & d.pos == d.pos && c.neg & d.neg == d.neg;
    let kept = cubes.iter().filter(|c| !cubes.iter().any(|d| within(c, d)));
    kept.copied().collect()
}
