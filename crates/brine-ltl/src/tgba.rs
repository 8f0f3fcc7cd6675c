//! The automaton under construction: adjacency lists with numbered labels.
//!
//! Same meaning as [`crate::Automaton`], but easy to change. Here also: strongly
//! connected components (Tarjan, iterative) and *trimming*, which keeps the states that
//! are reachable and lie on some accepting run.

use crate::letters::{Lab, Letters};

/// An edge under construction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Arc {
    pub(crate) dst: u32,
    pub(crate) marks: u64,
    pub(crate) label: Lab,
}

/// A transition-based generalised Büchi automaton under construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tgba {
    pub(crate) out: Vec<Vec<Arc>>,
    pub(crate) initial: u32,
    pub(crate) marks: u32,
}

/// Strongly connected components.
pub(crate) struct Components {
    /// The component of each state; successors' components have smaller numbers.
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

impl Components {
    /// Is the arc from `src` to `dst` inside a component?
    pub(crate) fn inside(&self, src: usize, dst: u32) -> bool {
        self.of[src] == self.of[dst as usize]
    }
}

impl Tgba {
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
        components(self.len(), |q, i| self.out[q].get(i).map(|a| a.dst))
    }

    /// For each component: the union of the marks on its inner arcs, `None` when it has
    /// no inner arc.
    pub(crate) fn inner_marks(&self, components: &Components) -> Vec<Option<u64>> {
        let mut inner = vec![None; components.count];
        for (q, arcs) in self.out.iter().enumerate() {
            for a in arcs.iter().filter(|a| components.inside(q, a.dst)) {
                *inner[components.of[q] as usize].get_or_insert(0) |= a.marks;
            }
        }
        inner
    }

    /// For each component: does it hold an accepting cycle?
    pub(crate) fn accepting(&self, components: &Components) -> Vec<bool> {
        let all = self.all_marks();
        self.inner_marks(components).into_iter().map(|m| m == Some(all)).collect()
    }

    /// States from which some word is accepted.
    pub(crate) fn live(&self, components: &Components) -> Vec<bool> {
        // Components are numbered successors first.
        let mut live = self.accepting(components);
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|&q| components.of[q]);
        for q in order {
            let c = components.of[q] as usize;
            live[c] |= self.out[q].iter().any(|a| live[components.of[a.dst as usize] as usize]);
        }
        (0..self.len()).map(|q| live[components.of[q] as usize]).collect()
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
    }

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

/// Tarjan's algorithm with an explicit stack; `succ(q, i)` is the i-th successor of q.
/// Components are numbered successors first.
pub(crate) fn components(n: usize, succ: impl Fn(usize, usize) -> Option<u32>) -> Components {
    const NEW: u32 = u32::MAX;
    let mut of = vec![NEW; n];
    let mut low = vec![NEW; n];
    let (mut path, mut open) = (Vec::<(usize, usize, u32)>::new(), Vec::new());
    let (mut time, mut count) = (0, 0);
    for root in 0..n {
        if low[root] != NEW {
            continue;
        }
        low[root] = time;
        path.push((root, 0, time));
        open.push(root);
        time += 1;
        while let Some(top) = path.last_mut() {
            let (q, entered) = (top.0, top.2);
            let next = succ(q, top.1);
            top.1 += 1;
            match next.map(|r| r as usize) {
                Some(r) if low[r] == NEW => {
                    low[r] = time;
                    path.push((r, 0, time));
                    open.push(r);
                    time += 1;
                }
                // Not yet in a component: on the stack of open states.
                Some(r) if of[r] == NEW => low[q] = low[q].min(low[r]),
                Some(_) => {}
                None => {
                    path.pop();
                    if low[q] == entered {
                        while let Some(r) = open.pop() {
                            of[r] = count;
                            if r == q {
                                break;
                            }
                        }
                        count += 1;
                    }
                    if let Some(&(parent, _, _)) = path.last() {
                        low[parent] = low[parent].min(low[q]);
                    }
                }
            }
        }
    }
    Components { of, count: count as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every graph on four states: components are mutual reachability, successors first.
    #[test]
    fn components_are_mutual_reachability() {
        for code in 0..1u32 << 16 {
            let succ: Vec<Vec<u32>> =
                (0..4).map(|q| (0..4).filter(|r| code >> (4 * q + r) & 1 == 1).collect()).collect();
            let mut reach = [[false; 4]; 4];
            for q in 0..4 {
                reach[q][q] = true;
                succ[q].iter().for_each(|&r| reach[q][r as usize] = true);
            }
            for (k, i, j) in (0..64).map(|x| (x / 16, x / 4 % 4, x % 4)) {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
            let c = components(4, |q, i| succ[q].get(i).copied());
            for (i, j) in (0..16).map(|x| (x / 4, x % 4)) {
                assert_eq!(c.of[i] == c.of[j], reach[i][j] && reach[j][i], "{succ:?}");
                assert!(!reach[i][j] || c.of[i] >= c.of[j], "{succ:?}");
            }
        }
    }
}
