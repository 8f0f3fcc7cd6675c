//! From transition-based generalised acceptance to accepting states.
//!
//! Inside an accepting component the marks are collected one after the other in a fixed
//! order; a copy (q, l) of state q means that l marks of the current round have been
//! seen, and with all of them the state is accepting and a new round begins. A mark that
//! all arcs out of q carry counts on arrival already.
//!
//! Only what runs for ever in a component matters, so a component is replaced by one
//! *bottom* component of its copies (the smallest over all orders tried) and is entered
//! at a level that lies in it; components without accepting cycles are not copied at all,
//! nor are those in which every cycle accepts.
//!
//! The language does not change: a round completes infinitely often exactly when every
//! mark is met infinitely often, wherever the first round began.

use crate::automaton::{Automaton, Edge, LabelId, StateId};
use crate::components::Components;
use crate::tgba::{Arc, Tgba};
use brine_net::Interner;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The copies of states, as (state, level); their numbers are the new states.
type Copies = Interner<(u32, u32)>;

/// An equivalent automaton with one mark, carried by all arcs that leave a state or none.
pub(crate) fn degeneralise<L: Copy>(a: &Tgba<L>) -> Tgba<L> {
    let comps = a.components();
    let accepting = a.accepting(&comps);
    let members = comps.members();
    let mut copies = Copies::new();
    let mut entry = vec![0; a.len()];
    let mut plans: Vec<Option<CopyPlan>> = Vec::with_capacity(comps.count());
    for c in 0..comps.count() {
        let plan = accepting[c].then(|| CopyPlan::best(a, &comps, &members[c]));
        for &q in &members[c] {
            let mut levels = vec![0];
            if let Some(plan) = &plan {
                levels = plan.levels[&(q as u32)].clone();
            }
            entry[q] = levels[0];
            for l in levels {
                copies.intern((q as u32, l));
            }
        }
        plans.push(plan);
    }
    let copy = |q: u32, l: u32| copies.find(&(q, l)).expect("a plan is closed under its steps");
    let out = copies
        .iter()
        .map(|&(q, l)| {
            let plan = plans[comps.of(q as usize).index()].as_ref();
            let accepts = plan.is_some_and(|p| l as usize == p.order.len());
            a.out[q as usize]
                .iter()
                .map(|e| {
                    let level = match plan {
                        Some(plan) if comps.inside(q as usize, e.dst) => plan.step(l, e),
                        _ => entry[e.dst as usize],
                    };
                    Arc { dst: copy(e.dst, level), marks: u64::from(accepts), ..*e }
                })
                .collect()
        })
        .collect();
    let initial = copy(a.initial, entry[a.initial as usize]);
    let mut result = Tgba { out, initial, marks: 1 };
    result.trim();
    if result.num_arcs() == 0 {
        result.marks = 1;
    }
    result
}

impl Automaton {
    /// An equivalent automaton with at most one mark, carried by all edges that leave a state
    /// or by none: the automaton itself, if it is like that.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Options, Symbols, parse, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("G F a & G F b", &mut fs, &mut symbols).unwrap();
    /// let tgba = translate(&fs, f, &Options::default()).unwrap();
    /// assert_eq!((tgba.num_states(), tgba.num_marks()), (1, 2));
    /// let ba = tgba.degeneralised();
    /// assert!(ba.is_state_based() && ba.num_marks() == 1);
    /// ```
    pub fn degeneralised(&self) -> Cow<'_, Automaton> {
        if self.num_marks() <= 1 && self.is_state_based() {
            return Cow::Borrowed(self);
        }
        let arc = |e: &Edge| Arc { dst: e.dst.0, marks: e.marks, label: e.label };
        let out = self.states().map(|q| self.edges_of(q).iter().map(arc).collect()).collect();
        let (initial, marks) = (self.initial().0, self.num_marks());
        let b = degeneralise(&Tgba::<LabelId> { out, initial, marks });
        let edge = |src: StateId, e: &Arc<LabelId>| {
            let Arc { dst, label, marks } = *e;
            Edge { src, dst: StateId(dst), label, marks }
        };
        let sources = (0..b.len() as u32).map(StateId).zip(&b.out);
        let edges = sources.flat_map(|(q, arcs)| arcs.iter().map(move |e| edge(q, e))).collect();
        let (atoms, labels) = (self.atoms().to_vec(), self.labels().to_vec());
        let (states, initial) = (b.len() as u32, StateId(b.initial));
        let new = Automaton::new(atoms, labels, states, initial, b.marks, edges);
        debug_assert!(new.is_state_based() && new.num_marks() <= 1);
        Cow::Owned(new)
    }
}

/// How one component is copied.
struct CopyPlan {
    /// The marks in the order in which they are collected.
    order: Vec<u32>,
    /// For each state the marks that all its arcs inside the component carry.
    common: FxHashMap<u32, u64>,
    /// The levels at which each state has a copy.
    levels: FxHashMap<u32, Vec<u32>>,
}

impl CopyPlan {
    /// The plan with the fewest copies.
    fn best<L: Copy>(a: &Tgba<L>, comps: &Components, states: &[usize]) -> CopyPlan {
        let mut common: FxHashMap<u32, u64> = FxHashMap::default();
        let mut everywhere = a.all_marks();
        for &q in states {
            let inner = a.out[q].iter().filter(|e| comps.inside(q, e.dst));
            let marks = inner.fold(a.all_marks(), |all, e| all & e.marks);
            common.insert(q as u32, marks);
            everywhere &= marks;
        }
        let needed: Vec<u32> = (0..a.marks).filter(|&m| everywhere >> m & 1 == 0).collect();
        orders(&needed)
            .into_iter()
            .map(|order| {
                let mut plan =
                    CopyPlan { order, common: common.clone(), levels: FxHashMap::default() };
                let size = plan.choose(a, comps, states);
                (size, plan)
            })
            .min_by_key(|(size, _)| *size)
            .expect("there is at least one order")
            .1
    }

    /// The level after arc `e` taken at level `l`.
    fn step<L>(&self, l: u32, e: &Arc<L>) -> u32 {
        let k = self.order.len() as u32;
        let collect = |mut l: u32, marks: u64| {
            while l < k && marks >> self.order[l as usize] & 1 == 1 {
                l += 1;
            }
            l
        };
        let l = collect(if l == k { 0 } else { l }, e.marks);
        collect(l, self.common[&e.dst])
    }

    /// Picks the smallest bottom component of the copies; returns its size.
    fn choose<L: Copy>(&mut self, a: &Tgba<L>, comps: &Components, states: &[usize]) -> usize {
        let width = self.order.len() as u32 + 1;
        let local: FxHashMap<u32, u32> =
            states.iter().enumerate().map(|(i, &q)| (q as u32, i as u32)).collect();
        let succ: Vec<Vec<u32>> = (0..states.len() as u32 * width)
            .map(|v| {
                let (q, l) = (states[(v / width) as usize], v % width);
                let inner = a.out[q].iter().filter(|e| comps.inside(q, e.dst));
                inner.map(|e| local[&e.dst] * width + self.step(l, e)).collect()
            })
            .collect();
        let parts = Components::new(succ.len(), |v, i| succ[v].get(i).copied());
        let mut size = vec![0; parts.count()];
        let mut bottom = vec![true; parts.count()];
        for (v, arcs) in succ.iter().enumerate() {
            size[parts.of(v).index()] += 1;
            if arcs.iter().any(|&w| !parts.inside(v, w)) {
                bottom[parts.of(v).index()] = false;
            }
        }
        let best = (0..parts.count())
            .filter(|&c| bottom[c])
            .min_by_key(|&c| size[c])
            .expect("a finite graph has a bottom component");
        for (v, _) in succ.iter().enumerate().filter(|&(v, _)| parts.of(v).index() == best) {
            let q = states[v / width as usize] as u32;
            self.levels.entry(q).or_default().push(v as u32 % width);
        }
        size[best]
    }
}

/// The orders in which marks are collected that are worth trying: all of them for up to
/// four marks, forwards and backwards for more.
fn orders(marks: &[u32]) -> Vec<Vec<u32>> {
    if marks.len() > 4 {
        return vec![marks.to_vec(), marks.iter().rev().copied().collect()];
    }
    let mut all = vec![Vec::new()];
    for _ in marks {
        all = all
            .into_iter()
            .flat_map(|order: Vec<u32>| {
                let rest: Vec<u32> = marks.iter().copied().filter(|m| !order.contains(m)).collect();
                rest.into_iter().map(move |m| {
                    let mut longer = order.clone();
                    longer.push(m);
                    longer
                })
            })
            .collect();
    }
    all
}
