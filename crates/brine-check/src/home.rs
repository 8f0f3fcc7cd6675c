//! Whether the initial marking can always be reached again, proved without finding all markings.
//!
//! Where it can, every marking leads to every other: what some run can reach from one of them, some
//! run can reach from all, so `EF f` is the same everywhere, and a net in which every transition can
//! fire is live. Two proofs are tried:
//!
//! 1. Every transition is undone by another one, which takes what it puts and puts what it takes.
//! 2. There is a way home. Each place has a distance d: 0 if it is marked initially, or else the
//!    least, over the transitions that take from it, of 1 + the distances of all that these put. Let
//!    f(m) be the sum of m(p) d(p), and H the transitions that make f smaller, and the pairs of
//!    transitions, fired one after the other, of which the first provides for the second and which
//!    make f smaller together. If each reachable marking in which no member of H is enabled is the
//!    initial one, that can be reached from everywhere: f never is negative, so members of H can be
//!    fired only so often, and then the marking is the initial one. Whether this is so for each
//!    reachable marking is a question about all runs, `G (fireable(H) | m = initial)`, which is
//!    mostly proved by the state equation.
//!
//! What is not proved may still be true. Cost: linear in the net, but for the question.

use crate::auto::{Auto, Stages};
use crate::budget::Budget;
use crate::decide::{DecideError, Property};
use crate::verdict::Verdict;
use brine_ltl::{Comparison, Expression, Formula, Formulas};
use brine_net::{Net, PlaceId, Structure, Transition, TransitionId};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Deref;

/// Nets with more places are not asked about: the question names them all.
const MOST_PLACES: usize = 2_000;
/// Pairs of transitions that are looked at, and those that the question names.
const MOST_LOOKED_AT: usize = 1_000_000;
const MOST_PAIRS: usize = 200;
/// Distances beyond this are none.
const FARTHEST: u64 = 1 << 32;

/// Whether it is proved that the initial marking can be reached from every reachable one.
pub fn always_returns(
    net: &Net,
    structure: &dyn Deref<Target = Structure>,
    stages: Stages,
    budget: &Budget,
) -> Result<bool, DecideError> {
    if all_undone(net) {
        return Ok(true);
    }
    if net.places().len() > MOST_PLACES {
        return Ok(false);
    }
    let Some(distances) = distances(net) else { return Ok(false) };
    let home = Homeward::new(net, &distances);
    let mut fs = Formulas::new();
    let Some(formula) = ends_at_home(&mut fs, net, &home) else { return Ok(false) };
    let property = Property { net, formulas: &fs, formula };
    let decision = Auto::of(net, structure, stages).decide(property, budget)?;
    Ok(decision.verdict == Verdict::Holds)
}

/// Whether every transition is undone by another one.
fn all_undone(net: &Net) -> bool {
    let arcs = |t: Transition<'_>| (t.pre.to_vec(), t.post.to_vec());
    let all: FxHashSet<_> = net.transitions().map(arcs).collect();
    net.transitions().all(|t| t.pre == t.post || all.contains(&arcs(t.reversed())))
}

/// How far each place is from home: with the least distances first, as in Dijkstra's algorithm. `None`
/// if some place is at no distance.
fn distances(net: &Net) -> Option<Vec<u64>> {
    let mut distances: Vec<Option<u64>> = vec![None; net.places().len()];
    let mut producers: Vec<Vec<TransitionId>> = vec![Vec::new(); net.places().len()];
    for t in net.transition_ids() {
        net.transition(t).post.iter().for_each(|&(p, _)| producers[p.index()].push(t));
    }
    // Places that a transition puts on and whose distance is not known.
    let mut missing: Vec<usize> = net.transitions().map(|t| t.post.len()).collect();
    let mut open: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    let marked = net.place_ids().filter(|&p| net.place(p).initial > 0);
    open.extend(marked.map(|p| Reverse((0, p.0))));
    for t in net.transition_ids().filter(|t| missing[t.index()] == 0) {
        open.extend(net.transition(t).pre.iter().map(|&(p, _)| Reverse((1, p.0))));
    }
    while let Some(Reverse((distance, p))) = open.pop() {
        if distances[p as usize].is_some() {
            continue;
        }
        distances[p as usize] = Some(distance);
        for &t in &producers[p as usize] {
            missing[t.index()] -= 1;
            if missing[t.index()] > 0 {
                continue;
            }
            let sum = net.transition(t).post.iter().try_fold(1_u64, |sum, &(p, weight)| {
                sum.checked_add(distances[p.index()]?.checked_mul(u64::from(weight))?)
            });
            let Some(sum) = sum.filter(|&sum| sum < FARTHEST) else { continue };
            open.extend(net.transition(t).pre.iter().map(|&(p, _)| Reverse((sum, p.0))));
        }
    }
    distances.into_iter().collect()
}

/// What makes the sum of distances smaller.
struct Homeward {
    transitions: Vec<TransitionId>,
    /// What pairs of transitions need.
    pairs: Vec<Vec<(PlaceId, u32)>>,
}

impl Homeward {
    fn new(net: &Net, distances: &[u64]) -> Self {
        let far = |arcs: &[(PlaceId, u32)]| -> i128 {
            arcs.iter().map(|&(p, w)| i128::from(distances[p.index()]) * i128::from(w)).sum()
        };
        let change = |t: TransitionId| far(net.transition(t).post) - far(net.transition(t).pre);
        let all = net.transition_ids();
        let (transitions, others): (Vec<_>, Vec<_>) = all.partition(|&t| change(t) < 0);
        let mut pairs = Vec::new();
        let others =
            if transitions.len() * others.len() > MOST_LOOKED_AT { Vec::new() } else { others };
        for &second in transitions.iter().filter(|&&t| net.transition(t).pre.len() > 1) {
            for &first in &others {
                let provides = |&(p, _): &(PlaceId, u32)| {
                    net.transition(second).pre.iter().any(|&(q, _)| p == q)
                };
                if pairs.len() < MOST_PAIRS
                    && change(first) + change(second) < 0
                    && net.transition(first).post.iter().any(provides)
                {
                    pairs.push(needed(net.transition(first), net.transition(second)));
                }
            }
        }
        Homeward { transitions, pairs }
    }
}

/// The tokens that two transitions need to be fired one after the other.
fn needed(first: Transition<'_>, second: Transition<'_>) -> Vec<(PlaceId, u32)> {
    let mut needed: BTreeMap<PlaceId, u32> = first.pre.iter().copied().collect();
    for &(p, weight) in second.pre {
        let put = first.post.iter().find(|(q, _)| *q == p).map_or(0, |(_, weight)| *weight);
        let more = needed.entry(p).or_insert(0);
        *more = more.saturating_add(weight.saturating_sub(put));
    }
    needed.into_iter().filter(|(_, weight)| *weight > 0).collect()
}

/// `G (fireable(H) | m = initial)`
fn ends_at_home(fs: &mut Formulas, net: &Net, home: &Homeward) -> Option<Formula> {
    let place = |p: PlaceId| Expression::places(&[p]);
    let mut same = Vec::with_capacity(net.places().len());
    for p in net.place_ids() {
        let initial = Expression::constant(i64::from(net.place(p).initial));
        same.push(fs.compare(place(p), Comparison::Eq, initial).ok()?);
    }
    let mut any = vec![fs.and(same)];
    if !home.transitions.is_empty() {
        any.push(fs.fireable(home.transitions.clone()));
    }
    for needed in &home.pairs {
        let mut all = Vec::with_capacity(needed.len());
        for &(p, weight) in needed {
            let least = Expression::constant(i64::from(weight));
            all.push(fs.compare(place(p), Comparison::Ge, least).ok()?);
        }
        any.push(fs.and(all));
    }
    let either = fs.or(any);
    Some(fs.g(either))
}
