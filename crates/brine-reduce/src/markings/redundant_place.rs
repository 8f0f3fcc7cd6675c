//! Redundant places: a sum of other places that never stands in the way.
//!
//! *Applies* to a place p beside a multiset S of other places such that every transition
//! changes p by exactly what it changes S, and with c = m(p) - m(S) for the initial marking m,
//! every transition that takes a from p and b from S has a <= b + c. (All of S added up, each
//! place as often as it is in S.) Parallel places are the common case. *Does*: p is removed,
//! with the equation p = S + c. If the tokens of p are distributed among older places, S must
//! consist of one place: what the tokens of a single place are worth can be counted beside it
//! ([`super::expansion`]), what those of a sum are worth cannot.
//!
//! *Exact*: p = S + c in every reachable marking of the net, by induction. If a transition is
//! enabled as far as all other places are concerned, S has b tokens, so p has b + c >= a. So
//! both nets have the same runs. The marking of the reduced net is that of the other places.
//!
//! *Search*: S starts empty and grows where a condition fails: if t changes S by too little or
//! too much, a place must join that t raises or lowers; if t may find too little in p, a place
//! from which it takes. Places with few arcs are tried first, others afterwards. *Cost*: at
//! most [`MAX_PLACES`] in S and [`MAX_ARCS`] arcs looked at.

use super::{Ledger, MarkingRule};
use crate::draft::{Draft, PlaceFate};
use brine_net::{PlaceId, TransitionId};
use rustc_hash::FxHashMap;

const MAX_PLACES: usize = 12;
const MAX_ARCS: usize = 600;
/// Places that are tried where there is a choice.
const MAX_CHOICES: usize = 4;

pub(super) fn apply(ledger: &mut Ledger, p: PlaceId) -> bool {
    let most = if ledger.equations.is_distributed(p) { 1 } else { MAX_PLACES };
    let mut search = SumSearch::new(&mut ledger.draft, p, most);
    if !search.run(&mut ledger.draft) {
        return false;
    }
    let SumSearch { sum, surplus, .. } = search;
    let mut terms: Vec<(PlaceId, u32)> = Vec::new();
    for q in sum {
        match terms.iter_mut().find(|(r, _)| *r == q) {
            Some((_, times)) => *times += 1,
            None => terms.push((q, 1)),
        }
    }
    ledger.guards.imply(&ledger.equations, p, &terms, surplus);
    ledger.draft.remove_place(p, PlaceFate::Lost);
    ledger.equations.sum(p, &terms, surplus);
    ledger.count(MarkingRule::RedundantPlace);
    true
}

/// The multiset S and what transitions do to it.
struct SumSearch {
    place: PlaceId,
    /// Different places that S may have.
    most: usize,
    sum: Vec<PlaceId>,
    /// m(p) - m(S)
    surplus: i64,
    /// For transitions around p and S: taken from p, change of p, taken from S, change of S.
    around: FxHashMap<TransitionId, [i64; 4]>,
    arcs: usize,
}

impl SumSearch {
    fn new(draft: &mut Draft, place: PlaceId, most: usize) -> Self {
        let changes = draft.changes(place);
        let taken = |t| i64::from(draft.arcs(t).takes(place));
        SumSearch {
            place,
            most,
            sum: Vec::new(),
            surplus: i64::from(draft.initial(place)),
            arcs: changes.len(),
            around: changes.into_iter().map(|(t, change)| (t, [taken(t), change, 0, 0])).collect(),
        }
    }

    /// True if S is found. Recurses once for each place that joins, at most [`MAX_PLACES`] deep.
    fn run(&mut self, draft: &mut Draft) -> bool {
        let Some((t, [_, wanted, _, change])) = self.failing() else { return true };
        if self.sum.len() == MAX_PLACES || self.arcs > MAX_ARCS {
            return false;
        }
        let fits = |q: PlaceId| match wanted.cmp(&change) {
            std::cmp::Ordering::Greater => draft.arcs(t).change(q) > 0,
            std::cmp::Ordering::Less => draft.arcs(t).change(q) < 0,
            std::cmp::Ordering::Equal => draft.arcs(t).takes(q) > 0,
        };
        let is_allowed = |q: &PlaceId| {
            *q != self.place && (self.sum.is_empty() || self.most > 1 || self.sum[0] == *q)
        };
        let mut choices: Vec<PlaceId> =
            draft.arcs(t).places().filter(is_allowed).filter(|&q| fits(q)).collect();
        choices.sort_unstable();
        choices.dedup();
        choices.sort_by_cached_key(|&q| (draft.takers(q).len() + draft.givers(q).len(), q));
        for q in choices.into_iter().take(MAX_CHOICES) {
            self.join(draft, q, 1);
            if self.run(draft) {
                return true;
            }
            self.join(draft, q, -1);
        }
        false
    }

    /// A transition for which a condition fails, the one with the least number: the same in
    /// every run.
    fn failing(&self) -> Option<(TransitionId, [i64; 4])> {
        let fails = |&[taken, change, from_sum, of_sum]: &[i64; 4]| {
            (
                2 * i32::from(change != of_sum),
                i32::from(taken > from_sum + self.surplus && taken > 0),
            )
        };
        let weighed = self.around.iter().map(|(&t, n)| (fails(n), t, *n)).filter(|w| w.0 != (0, 0));
        let worst = weighed.min_by_key(|&((wrong, short), t, _)| (-(wrong + short), t));
        worst.map(|(_, t, numbers)| (t, numbers))
    }

    /// Puts a place into S (`sign` 1) or takes it out again (-1).
    fn join(&mut self, draft: &mut Draft, q: PlaceId, sign: i64) {
        if sign > 0 {
            self.sum.push(q);
        } else {
            self.sum.pop();
        }
        self.surplus -= sign * i64::from(draft.initial(q));
        let changes = draft.changes(q);
        self.arcs += changes.len();
        for (t, change) in changes {
            let entry = self.around.entry(t).or_insert([0; 4]);
            entry[2] += sign * i64::from(draft.arcs(t).takes(q));
            entry[3] += sign * change;
        }
    }
}
