//! Obligations: minimal weak deterministic Büchi automata.
//!
//! A formula is an *obligation* exactly when a weak deterministic Büchi automaton accepts
//! it, and then one on the structure of the [`powerset`](mod@crate::powerset) does (Dax,
//! Eisinger, Klaedtke, ATVA 2007): words that stay in one of its components are all
//! accepted or all rejected. So each component is judged:
//!
//! - no accepting cycle of the automaton runs inside it: it rejects;
//! - all cycles of the automaton inside it accept: it accepts (each of its words has a
//!   run there);
//! - otherwise, look for a cycle whose word is rejected: then the component is mixed and
//!   the formula no obligation. As a last resort the automaton of the negation decides:
//!   the component accepts when no accepting cycle of the negation runs inside it.
//!
//! The result is minimised like a finite automaton after Löding's colouring (IPL 2001),
//! which makes it canonical: it is the smallest deterministic weak automaton, and the
//! classes can be read off it. Safety: the only rejecting cycles are those of the dead
//! state. Guarantee: the only accepting cycles are those of the state that accepts all.

use crate::components::{ComponentId, Components};
use crate::letters::{Lab, Letters};
use crate::powerset::Powerset;
use crate::tgba::{Arc, Tgba, full};
use brine_net::Interner;
use rustc_hash::FxHashMap;

/// A complete weak deterministic Büchi automaton, minimal.
#[derive(Clone, Debug)]
pub(crate) struct Wdba {
    /// Disjoint labels covering the universe, with targets. State 0 is initial.
    out: Vec<Vec<(Lab, u32)>>,
    /// Does staying in the component of this state for ever accept? (Meaningless for
    /// states on no cycle.)
    accepting: Vec<bool>,
}

/// The powerset with a verdict per component: a weak automaton for the language, provided
/// that the components that are not sure accept all their words.
pub(crate) struct JudgedPowerset {
    comps: Components,
    verdicts: Vec<ComponentVerdict>,
}

/// Judges the components of the powerset `p` of `a`; `None` when the language is surely
/// no obligation.
pub(crate) fn obligation(a: &Tgba, p: &Powerset, letters: &mut Letters) -> Option<JudgedPowerset> {
    let comps = Components::new(p.out.len(), |s, i| p.out[s].get(i).map(|x| x.1));
    let product = PowersetProduct::new(a, p, &comps, letters);
    let mut verdicts = vec![ComponentVerdict::Rejects; comps.count()];
    for (c, nodes) in product.by_component(comps.count()).iter().enumerate() {
        verdicts[c] = product.judge(nodes, a, p, letters);
        if verdicts[c] == ComponentVerdict::Mixed {
            return None;
        }
    }
    Some(JudgedPowerset { comps, verdicts })
}

impl JudgedPowerset {
    /// Is the candidate's language known to be the right one?
    pub(crate) fn is_sure(&self) -> bool {
        !self.verdicts.contains(&ComponentVerdict::Unsure)
    }

    /// Does the candidate accept none of the words of `negation`, the automaton of the
    /// complement? If so it is right.
    pub(crate) fn excludes(&self, negation: &Tgba, p: &Powerset, letters: &mut Letters) -> bool {
        let shared = accepted_components(negation, p, &self.comps, letters);
        shared.into_iter().all(|c| self.verdicts[c.index()] == ComponentVerdict::Rejects)
    }

    /// The minimal automaton.
    pub(crate) fn minimise(&self, p: &Powerset, letters: &mut Letters) -> Wdba {
        let accepts =
            |s: usize| self.verdicts[self.comps.of(s).index()] != ComponentVerdict::Rejects;
        let accepting: Vec<bool> = (0..p.out.len()).map(accepts).collect();
        minimise(&p.out, &accepting, &self.comps, letters)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ComponentVerdict {
    Accepts,
    Rejects,
    /// Accepts some words and rejects others: no obligation.
    Mixed,
    /// Accepts some words; whether all is not known.
    Unsure,
}

/// The automaton run along the powerset, inside the components of the latter.
struct PowersetProduct {
    /// (powerset state, automaton state)
    nodes: Vec<(u32, u32)>,
    /// Arcs that stay in the powerset's component: target node, marks, letters.
    succ: Vec<Vec<Arc>>,
    component: Vec<ComponentId>,
    marks: u32,
}

impl PowersetProduct {
    fn new(a: &Tgba, p: &Powerset, comps: &Components, letters: &mut Letters) -> Self {
        let mut nodes = Vec::new();
        let mut first = Vec::with_capacity(p.sets.len());
        for (s, set) in p.sets.iter().enumerate() {
            first.push(nodes.len() as u32);
            nodes.extend(set.iter().map(|&q| (s as u32, q)));
        }
        let mut succ = Vec::with_capacity(nodes.len());
        for &(s, q) in &nodes {
            let mut arcs = Vec::new();
            for &(label, t) in &p.out[s as usize] {
                if comps.of(s as usize) != comps.of(t as usize) {
                    continue;
                }
                for e in &a.out[q as usize] {
                    let both = letters.and(label, e.label);
                    if both != Lab::FALSE {
                        let at = p.sets[t as usize]
                            .binary_search(&e.dst)
                            .expect("the powerset holds every successor");
                        let dst = first[t as usize] + at as u32;
                        arcs.push(Arc { dst, marks: e.marks, label: both });
                    }
                }
            }
            succ.push(arcs);
        }
        let component = nodes.iter().map(|n| comps.of(n.0 as usize)).collect();
        PowersetProduct { nodes, succ, component, marks: a.marks }
    }

    /// The nodes of each component of the powerset.
    fn by_component(&self, count: usize) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); count];
        for (v, c) in self.component.iter().enumerate() {
            all[c.index()].push(v);
        }
        all
    }

    /// The components of the subgraph on `nodes` without arcs that carry `avoid`.
    fn part(&self, nodes: &[usize], avoid: u64) -> (Components, FxHashMap<u32, u32>) {
        let local: FxHashMap<u32, u32> =
            nodes.iter().enumerate().map(|(i, &v)| (v as u32, i as u32)).collect();
        let succ: Vec<Vec<u32>> = nodes
            .iter()
            .map(|&v| {
                let arcs = self.succ[v].iter().filter(|e| e.marks & avoid == 0);
                arcs.map(|e| local[&e.dst]).collect()
            })
            .collect();
        (Components::new(nodes.len(), |v, i| succ[v].get(i).copied()), local)
    }

    fn judge(
        &self,
        nodes: &[usize],
        a: &Tgba,
        p: &Powerset,
        letters: &mut Letters,
    ) -> ComponentVerdict {
        let (comps, local) = self.part(nodes, 0);
        let arcs = nodes.iter().enumerate().flat_map(|(i, &v)| {
            let local = &local;
            self.succ[v].iter().map(move |e| (i, local[&e.dst], e.marks))
        });
        let marks = comps.inner_marks(arcs);
        if !marks.contains(&Some(full(self.marks))) {
            return ComponentVerdict::Rejects;
        }
        let mut sure = true;
        for m in 0..self.marks {
            let Some(cycle) = self.cycle_avoiding(nodes, 1 << m) else { continue };
            sure = false;
            let word: Vec<u64> = cycle.1.iter().filter_map(|&l| letters.pick(l)).collect();
            let set = &p.sets[self.nodes[cycle.0].0 as usize];
            if !accepts_loop(a, set, &word, letters) {
                return ComponentVerdict::Mixed;
            }
        }
        if sure { ComponentVerdict::Accepts } else { ComponentVerdict::Unsure }
    }

    /// A cycle without arcs that carry `avoid`: where it starts and its labels.
    fn cycle_avoiding(&self, nodes: &[usize], avoid: u64) -> Option<(usize, Vec<Lab>)> {
        let (comps, local) = self.part(nodes, avoid);
        let stays = |v: usize, e: &Arc| {
            e.marks & avoid == 0 && comps.inside(local[&(v as u32)] as usize, local[&e.dst])
        };
        // Any node with an arc inside its component lies on a cycle: search back to it.
        let start = *nodes.iter().find(|&&v| self.succ[v].iter().any(|e| stays(v, e)))?;
        let mut parent: FxHashMap<usize, (usize, Lab)> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(v) = queue.pop_front() {
            for e in self.succ[v].iter().filter(|e| stays(v, e)) {
                let w = e.dst as usize;
                if w == start {
                    let mut labels = vec![e.label];
                    let mut at = v;
                    while at != start {
                        let (before, label) = parent[&at];
                        labels.push(label);
                        at = before;
                    }
                    labels.reverse();
                    return Some((start, labels));
                }
                parent.entry(w).or_insert_with(|| {
                    queue.push_back(w);
                    (v, e.label)
                });
            }
        }
        None
    }
}

/// Does the automaton, started in any state of `set`, accept `word` repeated for ever?
fn accepts_loop(a: &Tgba, set: &[u32], word: &[u64], letters: &mut Letters) -> bool {
    let n = word.len();
    let mut nodes: Interner<(usize, u32)> = set.iter().map(|&q| (0, q)).collect();
    let mut succ: Vec<Vec<(u32, u64)>> = Vec::new();
    while succ.len() < nodes.len() {
        let (i, q) = nodes[succ.len()];
        let mut arcs = Vec::new();
        for e in &a.out[q as usize] {
            if letters.contains(e.label, word[i]) {
                arcs.push((nodes.intern(((i + 1) % n, e.dst)), e.marks));
            }
        }
        succ.push(arcs);
    }
    let (_, marks) = Components::with_marks(&succ);
    marks.contains(&Some(a.all_marks()))
}

/// The components of the powerset inside which `b` has an accepting cycle.
fn accepted_components(
    b: &Tgba,
    p: &Powerset,
    comps: &Components,
    letters: &mut Letters,
) -> Vec<ComponentId> {
    let mut nodes: Interner<(u32, u32)> = Interner::new();
    nodes.intern((0, b.initial));
    let mut succ: Vec<Vec<(u32, u64)>> = Vec::new();
    while succ.len() < nodes.len() {
        let (s, q) = nodes[succ.len()];
        let mut arcs = Vec::new();
        for &(label, t) in &p.out[s as usize] {
            for e in &b.out[q as usize] {
                if letters.meets(label, e.label) {
                    arcs.push((nodes.intern((t, e.dst)), e.marks));
                }
            }
        }
        succ.push(arcs);
    }
    let (c, marks) = Components::with_marks(&succ);
    // A cycle of the product stays in one component of the powerset.
    let mut found: Vec<ComponentId> = (0..nodes.len())
        .filter(|&v| marks[c.of(v).index()] == Some(b.all_marks()))
        .map(|v| comps.of(nodes[v].0 as usize))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Löding's colours: the least numbers that never grow along arcs, even exactly for
/// accepting components; states on no cycle take the largest colour after them.
fn colours(out: &[Vec<(Lab, u32)>], accepting: &[bool], comps: &Components) -> Vec<u32> {
    let mut order: Vec<usize> = (0..out.len()).collect();
    order.sort_unstable_by_key(|&s| comps.of(s));
    let mut colour = vec![0; comps.count()];
    let mut cyclic = vec![None; comps.count()];
    for &s in &order {
        let c = comps.of(s).index();
        for &(_, t) in &out[s] {
            let d = comps.of(t as usize).index();
            if c == d {
                cyclic[c] = Some(accepting[s]);
            } else {
                let reached = settle(colour[d], cyclic[d]);
                colour[c] = colour[c].max(reached);
            }
        }
    }
    (0..out.len()).map(|s| comps.of(s).index()).map(|c| settle(colour[c], cyclic[c])).collect()
}

/// The least colour from `least` on that fits a component: even when it accepts, odd when
/// it rejects, anything when it has no cycle.
fn settle(least: u32, cyclic: Option<bool>) -> u32 {
    match cyclic {
        Some(accepts) if least.is_multiple_of(2) != accepts => least + 1,
        _ => least,
    }
}

/// Moore's partition refinement, started from the colours.
fn minimise(
    out: &[Vec<(Lab, u32)>],
    accepting: &[bool],
    comps: &Components,
    letters: &mut Letters,
) -> Wdba {
    let colour = colours(out, accepting, comps);
    let mut class = colour.iter().map(|c| c % 2).collect::<Vec<u32>>();
    let mut count = 0;
    loop {
        let mut classes: Interner<(u32, Vec<(u32, Lab)>)> = Interner::new();
        let mut next = Vec::with_capacity(out.len());
        for (s, arcs) in out.iter().enumerate() {
            next.push(classes.intern((class[s], by_target(arcs, &class, letters))));
        }
        let found = classes.len();
        class = next;
        if found == count {
            break;
        }
        count = found;
    }
    let mut new = Wdba { out: vec![Vec::new(); count], accepting: vec![false; count] };
    let mut done = vec![false; count];
    for (s, arcs) in out.iter().enumerate() {
        let c = class[s] as usize;
        if !std::mem::replace(&mut done[c], true) {
            let arcs = by_target(arcs, &class, letters);
            new.out[c] = arcs.into_iter().map(|(t, label)| (label, t)).collect();
            new.accepting[c] = colour[s].is_multiple_of(2);
        }
    }
    // State 0 was numbered first.
    debug_assert_eq!(class[0], 0);
    new
}

/// The arcs as (class of the target, letters), one per class.
fn by_target(arcs: &[(Lab, u32)], class: &[u32], letters: &mut Letters) -> Vec<(u32, Lab)> {
    let mut all: Vec<(u32, Lab)> = arcs.iter().map(|&(l, t)| (class[t as usize], l)).collect();
    all.sort_unstable();
    let mut merged: Vec<(u32, Lab)> = Vec::with_capacity(all.len());
    for (t, l) in all {
        match merged.last_mut() {
            Some(last) if last.0 == t => last.1 = letters.or(last.1, l),
            _ => merged.push((t, l)),
        }
    }
    merged
}

impl Wdba {
    /// The automaton of the complement.
    pub(crate) fn complement(&self) -> Wdba {
        Wdba { out: self.out.clone(), accepting: self.accepting.iter().map(|a| !a).collect() }
    }

    /// As a trimmed generalised Büchi automaton with at most one mark.
    pub(crate) fn to_tgba(&self) -> Tgba {
        let comps = self.components();
        let arc = |s: usize, &(label, dst): &(Lab, u32)| {
            let inside = comps.inside(s, dst) && self.accepting[s];
            Arc { dst, marks: u64::from(inside), label }
        };
        let out = self
            .out
            .iter()
            .enumerate()
            .map(|(s, arcs)| arcs.iter().map(|x| arc(s, x)).collect())
            .collect();
        let mut a = Tgba { out, initial: 0, marks: 1 };
        a.trim();
        a
    }

    fn components(&self) -> Components {
        Components::new(self.out.len(), |s, i| self.out[s].get(i).map(|x| x.1))
    }

    /// Is every cycle with the given verdict the loop of a state with no way out?
    fn only_final(&self, accepting: bool) -> bool {
        let comps = self.components();
        self.out.iter().enumerate().all(|(s, arcs)| {
            let cyclic = arcs.iter().any(|&(_, t)| comps.inside(s, t));
            self.accepting[s] != accepting || !cyclic || arcs.iter().all(|&(_, t)| t as usize == s)
        })
    }

    /// Is the language a safety property?
    pub(crate) fn is_safety(&self) -> bool {
        self.only_final(false)
    }

    /// Is the language a guarantee property?
    pub(crate) fn is_guarantee(&self) -> bool {
        self.only_final(true)
    }
}

#[cfg(test)]
impl Wdba {
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Do any two states accept different words? They do exactly when, reading the same
    /// letters from both, a cycle is reached that accepts on one side and not on the other.
    pub(crate) fn is_minimal(&self, letters: &mut Letters) -> bool {
        let n = self.out.len();
        let mut succ: Vec<Vec<u32>> = Vec::with_capacity(n * n);
        for (s, t) in (0..n * n).map(|v| (v / n, v % n)) {
            let pairs = self.out[s].iter().flat_map(|x| self.out[t].iter().map(move |y| (x, y)));
            let read = pairs.filter(|(x, y)| letters.meets(x.0, y.0));
            succ.push(read.map(|(x, y)| x.1 * n as u32 + y.1).collect());
        }
        let c = Components::new(n * n, |v, i| succ[v].get(i).copied());
        let differs = |v: usize| self.accepting[v / n] != self.accepting[v % n];
        let mut apart = vec![false; c.count()];
        for (v, arcs) in succ.iter().enumerate() {
            apart[c.of(v).index()] |= differs(v) && arcs.iter().any(|&w| c.inside(v, w));
        }
        let apart = c.leading_to(apart, |v, i| succ[v].get(i).copied());
        (0..n * n).all(|v| v / n == v % n || apart[c.of(v).index()])
    }
}
