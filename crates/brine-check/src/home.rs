//! Whether the initial marking can always be reached again, proved without finding all markings.
//!
//! Where it can, every marking leads to every other: what some run can reach from one of them, some
//! run can reach from all, so `EF f` is the same everywhere, and a net in which every transition can
//! fire is live. Two proofs are tried:
//!
//! 1. Every transition is undone by another one, which takes what it puts and puts what it takes.
//! 2. There is a way home. Each place has a distance d: 0 if it is marked initially, or else the
//!    least, over the transitions that take from it, of 1 + the distances of all that these put. Let
//!    f(m) be the sum of m(p) d(p), and H the transitions that make f smaller. If each reachable
//!    marking in which no transition of H is enabled is the initial one, that can be reached from
//!    everywhere: f never is negative, so transitions of H can be fired only so often, and then the
//!    marking is the initial one. Whether this is so for each reachable marking is a question about
//!    all runs, `G (fireable(H) | m = initial)`, which is mostly proved by the state equation.
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
use std::collections::BinaryHeap;
use std::ops::Deref;

/// Nets with more places are not asked about: the question names them all.
const MOST_PLACES: usize = 2_000;
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
    let home: Vec<TransitionId> = homeward(net, &distances);
    let mut fs = Formulas::new();
    let Some(formula) = ends_at_home(&mut fs, net, home) else { return Ok(false) };
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

/// The transitions that make the sum of distances smaller.
fn homeward(net: &Net, distances: &[u64]) -> Vec<TransitionId> {
    let far = |arcs: &[(PlaceId, u32)]| -> u128 {
        arcs.iter().map(|&(p, w)| u128::from(distances[p.index()]) * u128::from(w)).sum()
    };
    let nearer = |t: &TransitionId| {
        let t = net.transition(*t);
        far(t.post) < far(t.pre)
    };
    net.transition_ids().filter(nearer).collect()
}

/// `G (fireable(H) | m = initial)`
fn ends_at_home(fs: &mut Formulas, net: &Net, home: Vec<TransitionId>) -> Option<Formula> {
    let mut same = Vec::with_capacity(net.places().len());
    for p in net.place_ids() {
        let initial = Expression::constant(i64::from(net.place(p).initial));
        same.push(fs.compare(Expression::places(&[p]), Comparison::Eq, initial).ok()?);
    }
    let initial = fs.and(same);
    let goes_on = if home.is_empty() { Formula::FALSE } else { fs.fireable(home) };
    let either = fs.or([goes_on, initial]);
    Some(fs.g(either))
}
