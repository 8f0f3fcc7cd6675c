//! The automaton under construction: adjacency lists with numbered labels.
//!
//! Same meaning as [`crate::Automaton`], but easy to change. Here also: strongly
//! connected components (Tarjan, iterative) and *trimming*, which keeps the states that
//! are reachable and lie on some accepting run.

use crate::components::Components;
use crate::letters::{Lab, Letters};

/// An edge under construction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Arc<L = Lab> {
    pub(crate) dst: u32,
    pub(crate) marks: u64,
    pub(crate) label: L,
}

/// A transition-based generalised Büchi automaton under construction. Where labels are only
/// passed on, they may be anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tgba<L = Lab> {
    pub(crate) out: Vec<Vec<Arc<L>>>,
    pub(crate) initial: u32,
    pub(crate) marks: u32,
}

impl<L: Copy> Tgba<L> {
    /// One state, no edges: the empty language.
    pub(crate) fn empty() -> Self {
        Tgba { out: vec![Vec::new()], initial: 0, marks: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn num_arcs(&self) -> usize {
        self.out.iter().map(Vec::len).sum()
    }

    pub(crate) fn all_marks(&self) -> u64 {
        full(self.marks)
    }

    pub(crate) fn components(&self) -> Components {
        Components::new(self.len(), |q, i| self.successor(q, i))
    }

    fn successor(&self, q: usize, i: usize) -> Option<u32> {
        self.out[q].get(i).map(|a| a.dst)
    }

    /// All arcs, as (source, target, marks).
    pub(crate) fn arcs(&self) -> impl Iterator<Item = (usize, u32, u64)> + '_ {
        let out = self.out.iter().enumerate();
        out.flat_map(|(q, arcs)| arcs.iter().map(move |a| (q, a.dst, a.marks)))
    }

    /// For each component: does it hold an accepting cycle?
    pub(crate) fn accepting(&self, components: &Components) -> Vec<bool> {
        let all = self.all_marks();
        components.inner_marks(self.arcs()).into_iter().map(|m| m == Some(all)).collect()
    }

    /// States from which some word is accepted.
    pub(crate) fn live(&self, components: &Components) -> Vec<bool> {
        let accepting = self.accepting(components);
        let live = components.leading_to(accepting, |q, i| self.successor(q, i));
        (0..self.len()).map(|q| live[components.of(q).index()]).collect()
    }

    /// Removes states that are unreachable or accept nothing (the initial state stays).
    pub(crate) fn trim(&mut self) {
        let components = self.components();
        let live = self.live(&components);
        let mut number = vec![u32::MAX; self.len()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = 0;
        let mut next = 0;
        while let Some(&q) = order.get(next) {
            next += 1;
            for a in &self.out[q as usize] {
                if live[a.dst as usize] && number[a.dst as usize] == u32::MAX {
                    number[a.dst as usize] = order.len() as u32;
                    order.push(a.dst);
                }
            }
        }
        let out = order
            .iter()
            .map(|&q| {
                let arcs = std::mem::take(&mut self.out[q as usize]).into_iter();
                arcs.filter(|a| live[a.dst as usize])
                    .map(|a| Arc { dst: number[a.dst as usize], ..a })
                    .collect()
            })
            .collect();
        self.out = out;
        self.initial = 0;
        if self.num_arcs() == 0 {
            *self = Tgba::empty();
        }
        debug_assert!(self.num_arcs() == 0 || !self.live(&self.components()).contains(&false));
    }
}

impl Tgba {
    /// Joins arcs with equal ends and marks; drops arcs no letter can take.
    pub(crate) fn merge_arcs(&mut self, letters: &mut Letters) {
        for arcs in &mut self.out {
            merge(arcs, letters);
        }
    }
}

/// Joins arcs with equal ends and marks; drops arcs no letter can take; sorts.
pub(crate) fn merge(arcs: &mut Vec<Arc>, letters: &mut Letters) {
    arcs.sort_unstable();
    let mut merged: Vec<Arc> = Vec::with_capacity(arcs.len());
    for &a in arcs.iter().filter(|a| a.label != Lab::FALSE) {
        match merged.last_mut() {
            Some(last) if last.dst == a.dst && last.marks == a.marks => {
                last.label = letters.or(last.label, a.label);
            }
            _ => merged.push(a),
        }
    }
    *arcs = merged;
}

/// The set of the first `marks` marks.
pub(crate) fn full(marks: u32) -> u64 {
    if marks >= 64 { u64::MAX } else { (1 << marks) - 1 }
}
