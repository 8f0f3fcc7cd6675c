//! Summed places: enough tokens whenever some other places have enough together.
//!
//! *Applies* to a place p, whose tokens are not counted by the property, beside a set S of
//! other places such that every transition changes p by at least what it changes S, and with c
//! = m(p) - m(S) for the initial marking m, every transition that takes a from p and b from S
//! has a <= b + c. (All of S added up.) *Does*: p is removed. *Preserves* all of LTL and
//! `deadlock`.
//!
//! *Why*: as for implied places, with M(S) in the place of k M(q): M(p) >= M(S) + c in every
//! reachable marking, so a transition that finds its b tokens in S finds a <= b + c in p.
//!
//! *Search*: S starts empty and grows where a condition fails. If t finds too little in p, a
//! place must join from which t takes; if t raises S by more than p, a place must join that t
//! lowers. Where there is a choice, the place with the fewest arcs joins. *Cost*: at most
//! [`MAX_PLACES`] in S, [`MAX_ARCS`] arcs looked at.

use super::Rule;
use super::draft::{Draft, PlaceFate};
use brine_net::{PlaceId, TransitionId};
use rustc_hash::FxHashMap;

const MAX_PLACES: usize = 12;
const MAX_ARCS: usize = 300;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.is_observed(p) || draft.takers(p).len() > MAX_ARCS {
        return false;
    }
    let found = SumSearch::new(draft, p).run(draft);
    if found {
        draft.remove_place(p, PlaceFate::Lost);
        draft.count(Rule::SummedPlace);
    }
    found
}

/// The set S and what transitions do to it.
struct SumSearch {
    place: PlaceId,
    takers: Vec<TransitionId>,
    sum: Vec<PlaceId>,
    /// m(p) - m(S)
    surplus: i64,
    /// For transitions around S: tokens taken from S, change of S.
    around: FxHashMap<TransitionId, (i64, i64)>,
    /// Those that may raise S by more than p.
    doubtful: Vec<TransitionId>,
    arcs: usize,
}

impl SumSearch {
    fn new(draft: &mut Draft, place: PlaceId) -> Self {
        let takers = draft.takers(place).to_vec();
        SumSearch {
            place,
            surplus: i64::from(draft.initial(place)),
            around: FxHashMap::default(),
            sum: Vec::new(),
            arcs: takers.len(),
            doubtful: takers.clone(),
            takers,
        }
    }

    /// True if S is found.
    fn run(mut self, draft: &mut Draft) -> bool {
        loop {
            let Some(t) = self.raised_too_much(draft).or_else(|| self.short(draft)) else {
                debug_assert!(!self.around.keys().any(|&t| self.raises(draft, t)), "S keeps up");
                return true;
            };
            let lowers = self.raises(draft, t);
            let Some(q) = self.candidate(draft, t, lowers) else { return false };
            if self.sum.len() == MAX_PLACES || !self.join(draft, q) {
                return false;
            }
        }
    }

    fn raises(&self, draft: &Draft, t: TransitionId) -> bool {
        let change = self.around.get(&t).map_or(0, |&(_, change)| change);
        change > draft.arcs(t).change(self.place)
    }

    /// A transition that raises S by more than p.
    fn raised_too_much(&mut self, draft: &Draft) -> Option<TransitionId> {
        while let Some(&t) = self.doubtful.last() {
            if self.raises(draft, t) {
                return Some(t);
            }
            self.doubtful.pop();
        }
        None
    }

    /// A transition that may find too little in p.
    fn short(&self, draft: &Draft) -> Option<TransitionId> {
        self.takers.iter().copied().find(|&t| {
            let taken = self.around.get(&t).map_or(0, |&(taken, _)| taken);
            i64::from(draft.arcs(t).takes(self.place)) > taken + self.surplus
        })
    }

    /// A place for S from which `t` takes, and that it lowers if `lowers`.
    fn candidate(&self, draft: &mut Draft, t: TransitionId, lowers: bool) -> Option<PlaceId> {
        let arcs = draft.arcs(t);
        let fits = |q: PlaceId| {
            q != self.place && !self.sum.contains(&q) && (!lowers || arcs.change(q) < 0)
        };
        let inputs: Vec<PlaceId> = arcs.pre.iter().map(|&(q, _)| q).filter(|&q| fits(q)).collect();
        let mut size = |q: PlaceId| draft.takers(q).len() + draft.givers(q).len();
        inputs.into_iter().min_by_key(|&q| (size(q), q))
    }

    /// Puts a place into S. False if that is too much work.
    fn join(&mut self, draft: &mut Draft, q: PlaceId) -> bool {
        self.sum.push(q);
        self.surplus -= i64::from(draft.initial(q));
        let changes = draft.changes(q);
        self.arcs += changes.len();
        for (t, change) in changes {
            let entry = self.around.entry(t).or_default();
            entry.0 += i64::from(draft.arcs(t).takes(q));
            entry.1 += change;
            self.doubtful.push(t);
        }
        self.arcs <= MAX_ARCS
    }
}
