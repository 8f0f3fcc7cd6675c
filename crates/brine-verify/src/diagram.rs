//! Sets of markings as diagrams: `levels P ..`, `dd V:N ..`, `set S L N`.
//!
//! `levels` lists every place once. Node 0 is the empty set, node 1 the set of the empty vector; a
//! further node lists values with the nodes of what follows, all of them one level below it. A
//! node of the top level is a set of markings, tokens in the order of the levels.
//!
//! `set S L N`: the markings of node N with automaton state S have layer L or a lower one.
//! [`crate::product`] asks one thing: does a step lead from the markings of one node that satisfy
//! some literals into those of another node?
//!
//! ```text
//! included(d, step, literals, e):  all m in d with the literals true and the step enabled:
//!                                  the marking after the step is in e
//! ```
//!
//! A counterexample is a path: values of d from the top to the bottom, along which the step stays
//! enabled, the literals come out true, and the path of the values after the step leaves e. So all
//! pairs of nodes that such a beginning of a path leads to are visited, once each together with
//! what is left of the literals (sums so far, transitions that may still be enabled); there is no
//! recursion. Where both nodes are the same and the step changes nothing below, the answer is
//! yes. The step `None` is that of dead markings, which stay: then "nothing is enabled" is one more
//! literal.

use crate::formula::Claim;
use crate::system::{Step, System, tokens};
use crate::tableau::Literal;
use crate::text::Words;
use crate::{Refusal, refuse};
use rustc_hash::{FxHashMap, FxHashSet};

/// The empty set.
pub(crate) const EMPTY: u32 = 0;
/// The set of the empty vector.
pub(crate) const UNIT: u32 = 1;

#[derive(Debug)]
struct DdNode {
    /// How many levels are above it; of node 0, none is meant.
    depth: u32,
    /// Values, ascending, with nodes of the next level.
    arcs: Vec<(u32, u32)>,
}

/// The diagrams of a certificate.
#[derive(Default, Debug)]
pub(crate) struct Diagrams {
    /// The place of each level.
    order: Vec<u32>,
    /// The level of each place.
    level: Vec<u32>,
    nodes: Vec<DdNode>,
}

impl Diagrams {
    /// The line `levels`.
    pub(crate) fn read_levels(
        &mut self,
        words: &mut Words<'_>,
        system: &System,
    ) -> Result<(), Refusal> {
        let order: Vec<u32> = words.numbers("a place")?;
        let mut level = vec![u32::MAX; system.initial.len()];
        if order.len() != level.len() || !self.order.is_empty() || !self.nodes.is_empty() {
            return refuse("levels lists each place once, and comes once");
        }
        for (i, &p) in order.iter().enumerate() {
            match level.get_mut(p as usize) {
                Some(slot) if *slot == u32::MAX => *slot = i as u32,
                _ => return refuse("levels lists each place once"),
            }
        }
        let depth = order.len() as u32;
        (self.order, self.level) = (order, level);
        self.nodes = [depth, depth].map(|depth| DdNode { depth, arcs: Vec::new() }).into();
        Ok(())
    }

    /// One line `dd`.
    pub(crate) fn read_node(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let arcs: Vec<(u32, u32)> = words.pairs("VALUE:NODE")?;
        let below = |&(_, n): &(u32, u32)| self.nodes.get(n as usize).filter(|_| n != EMPTY);
        let Some(depth) = arcs.first().and_then(below).and_then(|n| n.depth.checked_sub(1)) else {
            return refuse("the node has nothing below it, or stands above the top");
        };
        if !arcs.is_sorted_by(|a, b| a.0 < b.0)
            || !arcs.iter().all(|a| below(a).is_some_and(|n| n.depth == depth + 1))
        {
            return refuse("the node's values do not ascend, or its nodes are not one level below");
        }
        self.nodes.push(DdNode { depth, arcs });
        Ok(())
    }

    /// Whether it is a node of the top level.
    pub(crate) fn is_set(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|n| n.depth == 0)
    }

    /// Whether a set contains a marking.
    pub(crate) fn contains(&self, set: u32, marking: &[(u32, u32)]) -> bool {
        let mut at = set;
        for &p in &self.order {
            match self.child(at, tokens(marking, p)) {
                EMPTY => return false,
                below => at = below,
            }
        }
        at == UNIT
    }

    fn child(&self, node: u32, value: u32) -> u32 {
        let arcs = &self.nodes[node as usize].arcs;
        arcs.binary_search_by_key(&value, |a| a.0).map_or(EMPTY, |i| arcs[i].1)
    }
}

/// What is left of the literals on the way down: for each a sum, or the number of a list of
/// transitions; or that it is true.
type Left = Vec<i128>;

/// The literal is true whatever follows.
const TRUE: i128 = i128::MIN;

/// Literals, seen level by level.
pub(crate) struct Watch<'d> {
    diagrams: &'d Diagrams,
    system: &'d System,
    literals: Vec<Watched<'d>>,
    /// Lists of transitions that may still be enabled, by number.
    lists: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
    /// The last level at which a transition takes something.
    last_take: Vec<u32>,
}

enum Watched<'d> {
    /// Coefficients by place; at most the bound, or not.
    Sum(&'d [(u32, i64)], i128, bool),
    /// One of some transitions is enabled, or none.
    Enabled(bool),
}

impl<'d> Watch<'d> {
    /// The literals of a cover; `dead`: nothing is enabled, too.
    pub(crate) fn new(
        diagrams: &'d Diagrams,
        system: &'d System,
        atoms: &'d [Claim],
        literals: &[Literal],
        dead: bool,
    ) -> (Self, Option<Left>) {
        let level = |p: u32| diagrams.level.get(p as usize).copied().unwrap_or(0);
        let last = |s: &Step| s.take.iter().map(|a| level(a.0)).max().unwrap_or(0);
        let mut watch = Watch {
            diagrams,
            system,
            literals: Vec::new(),
            lists: Vec::new(),
            numbers: FxHashMap::default(),
            last_take: system.steps.iter().map(last).collect(),
        };
        let all: Vec<u32> = (0..system.steps.len() as u32).collect();
        let mut left = Some(Vec::new());
        let mut add = |watched: Watched<'d>, ts: &[u32]| {
            let begin = match watched {
                Watched::Sum(..) => Some(0),
                Watched::Enabled(wanted) => watch.enabling(ts.to_vec(), wanted),
            };
            watch.literals.push(watched);
            match (&mut left, begin) {
                (Some(left), Some(begin)) => left.push(begin),
                _ => left = None,
            }
        };
        for &(atom, value) in literals {
            match &atoms[atom as usize] {
                Claim::AtMost(terms, bound) => {
                    add(Watched::Sum(terms, i128::from(*bound), value), &[]);
                }
                Claim::Fireable(ts) => add(Watched::Enabled(value), ts),
                Claim::Deadlock => add(Watched::Enabled(!value), &all),
            }
        }
        if dead {
            add(Watched::Enabled(false), &all);
        }
        (watch, left)
    }

    /// What is left of "one of these is enabled" (or not), before the first level or after one at
    /// which they all were looked at; `None`: it is false.
    fn enabling(&mut self, ts: Vec<u32>, wanted: bool) -> Option<i128> {
        if ts.iter().any(|&t| self.system.steps[t as usize].take.is_empty()) {
            return wanted.then_some(TRUE);
        }
        self.listed(ts, wanted)
    }

    fn listed(&mut self, ts: Vec<u32>, wanted: bool) -> Option<i128> {
        if ts.is_empty() {
            return (!wanted).then_some(TRUE);
        }
        let next = self.lists.len() as u32;
        let number = *self.numbers.entry(ts.clone()).or_insert(next);
        if number == next {
            self.lists.push(ts);
        }
        Some(number.into())
    }

    /// What is left after a level whose place holds so many tokens; `None`: a literal is false.
    fn step(&mut self, left: &Left, level: u32, value: u32) -> Option<Left> {
        let p = self.diagrams.order[level as usize];
        let mut after = Vec::with_capacity(left.len());
        for (i, &before) in left.iter().enumerate() {
            let next = match self.literals[i] {
                _ if before == TRUE => TRUE,
                Watched::Sum(terms, ..) => {
                    let c = terms.binary_search_by_key(&p, |t| t.0).map_or(0, |k| terms[k].1);
                    // Products of 64 and 32 bits; fewer than 2^31 of them fit.
                    before + i128::from(c) * i128::from(value)
                }
                Watched::Enabled(wanted) => {
                    let mut enabled = false;
                    let mut rest = Vec::new();
                    for &t in &self.lists[before as usize] {
                        let take = &self.system.steps[t as usize].take;
                        if tokens(take, p) > value {
                            continue;
                        }
                        enabled |= self.last_take[t as usize] == level;
                        rest.push(t);
                    }
                    match enabled {
                        true => wanted.then_some(TRUE)?,
                        false => self.listed(rest, wanted)?,
                    }
                }
            };
            after.push(next);
        }
        Some(after)
    }

    /// Whether the literals are true, after the last level.
    fn are_true(&self, left: &Left) -> bool {
        self.literals.iter().zip(left).all(|(literal, &left)| match *literal {
            _ if left == TRUE => true,
            Watched::Sum(_, bound, value) => (left <= bound) == value,
            // Every list is empty or decided at the last level that a transition looks at.
            Watched::Enabled(_) => false,
        })
    }

    /// Whether the step leads from the markings of `from` with these literals into `to`.
    pub(crate) fn included(&mut self, begin: &Left, from: u32, step: Option<u32>, to: u32) -> bool {
        let (diagrams, system) = (self.diagrams, self.system);
        let step = step.map(|t| &system.steps[t as usize]);
        let level = |p: u32| diagrams.level[p as usize];
        let last = step.and_then(|s| {
            let touched = s.take.iter().map(|a| level(a.0));
            touched.chain(s.effect.iter().map(|e| level(e.0))).max()
        });
        let mut seen: FxHashSet<(u32, u32, Left)> = FxHashSet::default();
        let mut open = vec![(from, to, begin.clone())];
        while let Some((d, e, left)) = open.pop() {
            let depth = diagrams.nodes[d as usize].depth;
            if d == EMPTY || d == e && last.is_none_or(|last| last < depth) {
                continue;
            }
            if d == UNIT {
                if e != UNIT && self.are_true(&left) {
                    return false;
                }
                continue;
            }
            if !seen.insert((d, e, left.clone())) {
                continue;
            }
            let p = diagrams.order[depth as usize];
            let take = step.map_or(0, |s| tokens(&s.take, p));
            let effect = step.map_or(&[][..], |s| &s.effect);
            let change = effect.binary_search_by_key(&p, |c| c.0).map_or(0, |i| effect[i].1);
            for &(value, below) in &diagrams.nodes[d as usize].arcs {
                if value < take {
                    continue;
                }
                let Some(left) = self.step(&left, depth, value) else { continue };
                // A value that does not fit is in no set.
                let after = u32::try_from(i64::from(value) + change);
                let target = after.map_or(EMPTY, |after| diagrams.child(e, after));
                open.push((below, target, left));
            }
        }
        true
    }
}
