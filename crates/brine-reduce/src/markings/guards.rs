//! What original transitions take: conditions on original places that decide whether they are
//! enabled, as far as others do not imply them.
//!
//! Edges of the marking graph are counted by these conditions. When a place p becomes a sum of
//! others, p = S + c, a condition on it can be forgotten if the other conditions of the same
//! transition see to S having enough; for transitions of the draft that is always so, and for
//! those that were removed (idle or dominated ones) it is looked at here. What cannot be
//! forgotten is translated later, or the edges cannot be told ([`super::expansion`]).
//!
//! *Invariant*: in every reachable marking of the original net a transition is enabled iff its
//! conditions hold. *Why*: a condition p >= w goes only if the others imply S >= w - c.
//! *Cost*: the arcs of what is removed.

use super::equations::{Equations, Node};
use crate::draft::Draft;
use brine_net::{Net, PlaceId, TransitionId};

/// The conditions of all transitions that are not dead.
#[derive(Clone, Debug)]
pub(super) struct Guards {
    /// Per original transition; `None` if it is dead.
    pub(super) of: Vec<Option<Vec<(PlaceId, u32)>>>,
    /// The transitions that take from each original place.
    takers: Vec<Vec<TransitionId>>,
    /// The place of the draft in which the tokens of an original place are added up; a chain of
    /// these ends at one that is its own.
    whole: Vec<PlaceId>,
}

impl Guards {
    pub(super) fn new(net: &Net, draft: &Draft) -> Self {
        let mut takers = vec![Vec::new(); net.places().len()];
        let mut of = Vec::with_capacity(net.transitions().len());
        for (t, transition) in net.transition_ids().zip(net.transitions()) {
            of.push(draft.is_live(t).then(|| transition.pre.to_vec()));
            for &(p, _) in transition.pre {
                takers[p.index()].push(t);
            }
        }
        Guards { of, takers, whole: net.place_ids().collect() }
    }

    /// The first place now stands for all of them.
    pub(super) fn unite(&mut self, places: &[PlaceId]) {
        places.iter().for_each(|&p| self.whole[p.index()] = places[0]);
    }

    fn whole(&self, p: PlaceId) -> PlaceId {
        let mut p = p;
        while self.whole[p.index()] != p {
            p = self.whole[p.index()];
        }
        p
    }

    /// Forgets conditions on `p`, which is the sum of `terms` and `offset`, where other
    /// conditions imply them.
    pub(super) fn imply(
        &mut self,
        equations: &Equations,
        p: PlaceId,
        terms: &[(PlaceId, u32)],
        offset: i64,
    ) {
        if equations.node(p) != Node(p.0) {
            return; // Conditions are on what is below it.
        }
        for t in std::mem::take(&mut self.takers[p.index()]) {
            let Some(conditions) = &self.of[t.index()] else { continue };
            let mut sum = i128::from(offset);
            let mut needed = 0;
            for &(q, w) in conditions {
                if q == p {
                    needed = w;
                    continue;
                }
                let whole = self.whole(q);
                let factor = terms.iter().find(|&&(r, _)| r == whole).map_or(0, |r| r.1);
                sum += i128::from(factor) * i128::from(w);
            }
            if i128::from(needed) <= sum {
                let conditions = self.of[t.index()].iter_mut();
                conditions.for_each(|all| all.retain(|&(q, _)| q != p));
            }
        }
    }
}
