//! The net while it is being reduced.
//!
//! Places and transitions keep their numbers; what is removed is marked. An agglomeration adds
//! a transition with a new number and remembers of which older ones it consists. The lists of
//! arcs seen from the places are repaired when they are read: they may hold transitions that
//! are gone, never ones without the arc. Everything that changes is put on work lists.

use super::arcs::{TransitionArcs, Weights, covers, is_in_order};
use super::fusion::Fusion;
use super::lift::Lifting;
use super::{Observed, Rule};
use brine_net::{Net, PlaceId, TransitionId};
use brine_run::{Pace, Stop};

/// What became of the tokens of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceFate {
    /// Still there.
    Kept,
    /// Removed; it always held this number of tokens (in its present unit).
    Constant(u32),
    /// Removed; its tokens can no longer be told.
    Lost,
}

/// A numbered set of things to look at again, each at most once.
#[derive(Debug, Default)]
pub(super) struct WorkList {
    items: Vec<u32>,
    waiting: Vec<bool>,
}

impl WorkList {
    pub(super) fn push(&mut self, item: u32) {
        let i = item as usize;
        if self.waiting.len() <= i {
            self.waiting.resize(i + 1, false);
        }
        if !std::mem::replace(&mut self.waiting[i], true) {
            self.items.push(item);
        }
    }

    /// Takes everything, in ascending order.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let mut items = std::mem::take(&mut self.items);
        items.sort_unstable();
        items.iter().for_each(|&i| self.waiting[i as usize] = false);
        items
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// The net under reduction.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) initial: Vec<u32>,
    /// Tokens of the original place = factor * tokens now + offset.
    pub(super) unit: Vec<(u32, u32)>,
    pub(super) fate: Vec<PlaceFate>,
    observed: Vec<bool>,
    /// How many watched transitions take from the place.
    guards: Vec<u32>,
    takers: Vec<Vec<TransitionId>>,
    givers: Vec<Vec<TransitionId>>,
    pub(super) arcs: Vec<TransitionArcs>,
    pub(super) live: Vec<bool>,
    watched: Vec<bool>,
    /// For a watched transition that is gone: who is enabled when it would have been.
    pub(super) stand_in: Vec<Option<TransitionId>>,
    /// Places and transitions around which something changed.
    pub(super) places: WorkList,
    pub(super) transitions: WorkList,
    pub(super) lifting: Lifting,
    /// Some transition without arcs is left: a run may stop anywhere.
    pub(super) is_idle: bool,
    /// The idle transition that was lent, and goes away in the end. It may not stand in for
    /// another one.
    pub(super) lent: Option<TransitionId>,
    /// Elementary steps so far.
    pub(super) work: u64,
    pub(super) counts: [u64; Rule::ALL.len()],
}

impl Draft {
    pub(super) fn new(net: &Net, seen: &Observed, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let (places, transitions) = (net.places().len(), net.transitions().len());
        let mut draft = Draft {
            initial: net.initial_marking(),
            unit: vec![(1, 0); places],
            fate: vec![PlaceFate::Kept; places],
            observed: seen.places.clone(),
            guards: vec![0; places],
            takers: vec![Vec::new(); places],
            givers: vec![Vec::new(); places],
            arcs: Vec::with_capacity(transitions),
            live: Vec::with_capacity(transitions),
            watched: Vec::with_capacity(transitions),
            stand_in: Vec::with_capacity(transitions),
            places: WorkList::default(),
            transitions: WorkList::default(),
            lifting: Lifting::new(transitions),
            is_idle: false,
            lent: None,
            work: 0,
            counts: [0; Rule::ALL.len()],
        };
        for (t, transition) in net.transition_ids().zip(net.transitions()) {
            let arcs =
                TransitionArcs { pre: transition.pre.to_vec(), post: transition.post.to_vec() };
            pace.steps(1 + arcs.pre.len() + arcs.post.len())?;
            draft.push(arcs);
            if seen.transitions[t.index()] {
                draft.watch(t);
            }
        }
        draft.touch_everything();
        Ok(draft)
    }

    /// Puts all places and transitions on the work lists.
    pub(super) fn touch_everything(&mut self) {
        (0..self.fate.len() as u32).for_each(|p| self.places.push(p));
        (0..self.arcs.len() as u32).for_each(|t| self.transitions.push(t));
    }

    pub(super) fn count(&mut self, rule: Rule) {
        self.counts[rule as usize] += 1;
    }

    pub(super) fn is_kept(&self, p: PlaceId) -> bool {
        self.fate[p.index()] == PlaceFate::Kept
    }

    pub(super) fn is_live(&self, t: TransitionId) -> bool {
        self.live[t.index()]
    }

    pub(super) fn arcs(&self, t: TransitionId) -> &TransitionArcs {
        &self.arcs[t.index()]
    }

    pub(super) fn initial(&self, p: PlaceId) -> u32 {
        self.initial[p.index()]
    }

    /// The transitions that are left, in order.
    pub(super) fn live_transitions(&self) -> Vec<TransitionId> {
        (0..self.live.len() as u32).map(TransitionId).filter(|&t| self.is_live(t)).collect()
    }

    /// The tokens of the place occur in the property.
    pub(super) fn is_observed(&self, p: PlaceId) -> bool {
        self.observed[p.index()]
    }

    /// The truth of some atom may depend on the place.
    pub(super) fn is_visible(&self, p: PlaceId) -> bool {
        self.observed[p.index()] || self.guards[p.index()] > 0
    }

    /// Firing the transition changes no visible place, hence the truth of no atom.
    pub(super) fn is_invisible(&mut self, t: TransitionId) -> bool {
        let arcs = &self.arcs[t.index()];
        self.work += (arcs.pre.len() + arcs.post.len()) as u64;
        arcs.effect().iter().all(|&(p, _)| !self.is_visible(p))
    }

    /// The property asks whether the transition is enabled.
    pub(super) fn is_watched(&self, t: TransitionId) -> bool {
        self.watched[t.index()]
    }

    fn watch(&mut self, t: TransitionId) {
        if !std::mem::replace(&mut self.watched[t.index()], true) {
            for i in 0..self.arcs[t.index()].pre.len() {
                let p = self.arcs[t.index()].pre[i].0;
                self.guards[p.index()] += 1;
            }
        }
    }

    /// The transitions that take from the place.
    pub(super) fn takers(&mut self, p: PlaceId) -> &[TransitionId] {
        let live = &self.live;
        let list = &mut self.takers[p.index()];
        self.work += list.len() as u64;
        list.retain(|t| live[t.index()]);
        debug_assert!(list.iter().all(|t| self.arcs[t.index()].takes(p) > 0), "with the arc");
        list
    }

    /// The transitions that put into the place.
    pub(super) fn givers(&mut self, p: PlaceId) -> &[TransitionId] {
        let live = &self.live;
        let list = &mut self.givers[p.index()];
        self.work += list.len() as u64;
        list.retain(|t| live[t.index()]);
        debug_assert!(list.iter().all(|t| self.arcs[t.index()].puts(p) > 0), "with the arc");
        list
    }

    /// The changes that transitions make to the place, each transition once, zeros included.
    pub(super) fn changes(&mut self, p: PlaceId) -> Vec<(TransitionId, i64)> {
        let takers = self.takers(p).to_vec();
        let givers = self.givers(p).to_vec();
        let puts_only = givers.into_iter().filter(|&t| self.arcs(t).takes(p) == 0);
        takers.into_iter().chain(puts_only).map(|t| (t, self.arcs(t).change(p))).collect()
    }

    /// Adds a transition without history; see [`Draft::agglomerate`].
    fn push(&mut self, arcs: TransitionArcs) -> TransitionId {
        debug_assert!(is_in_order(&arcs.pre) && is_in_order(&arcs.post), "{arcs:?}");
        let t = TransitionId(self.arcs.len() as u32);
        self.work += (arcs.pre.len() + arcs.post.len()) as u64;
        arcs.pre.iter().for_each(|(p, _)| self.takers[p.index()].push(t));
        arcs.post.iter().for_each(|(p, _)| self.givers[p.index()].push(t));
        self.arcs.push(arcs);
        self.live.push(true);
        self.watched.push(false);
        self.stand_in.push(None);
        self.touch(t);
        t
    }

    /// Adds the transition that fires these, one after the other, so many times each.
    pub(super) fn agglomerate(
        &mut self,
        arcs: TransitionArcs,
        parts: Vec<(TransitionId, u32)>,
    ) -> TransitionId {
        self.lifting.add_word(parts);
        self.push(arcs)
    }

    /// Something changed at this transition.
    fn touch(&mut self, t: TransitionId) {
        self.transitions.push(t.0);
        for p in self.arcs[t.index()].places() {
            self.places.push(p.0);
        }
    }

    /// Removes a transition that is never enabled, or whose being enabled nobody asks for.
    pub(super) fn remove_transition(&mut self, t: TransitionId) {
        debug_assert!(self.is_live(t), "removed twice");
        self.touch(t);
        self.live[t.index()] = false;
        if std::mem::take(&mut self.watched[t.index()]) {
            for i in 0..self.arcs[t.index()].pre.len() {
                let p = self.arcs[t.index()].pre[i].0;
                self.guards[p.index()] -= 1;
            }
        }
    }

    /// Removes a transition that is enabled exactly when `other` is.
    pub(super) fn replace_transition(&mut self, t: TransitionId, other: TransitionId) {
        debug_assert!(!self.is_watched(t) || self.arcs(t).pre == self.arcs(other).pre);
        if self.is_watched(t) {
            assert!(self.lent != Some(other), "what is lent cannot stand in for a transition");
            self.watch(other);
            self.stand_in[t.index()] = Some(other);
        }
        self.remove_transition(t);
    }

    /// Removes a place and its arcs.
    pub(super) fn remove_place(&mut self, p: PlaceId, fate: PlaceFate) {
        debug_assert!(!self.is_observed(p) || matches!(fate, PlaceFate::Constant(_)));
        debug_assert!(self.is_kept(p), "removed twice");
        self.fate[p.index()] = fate;
        for t in self.takers(p).to_vec() {
            self.touch(t);
            self.arcs[t.index()].pre.retain(|&(q, _)| q != p);
        }
        for t in self.givers(p).to_vec() {
            self.touch(t);
            self.arcs[t.index()].post.retain(|&(q, _)| q != p);
        }
        self.guards[p.index()] = 0;
        self.takers[p.index()] = Vec::new();
        self.givers[p.index()] = Vec::new();
    }

    /// Gives one transition new arcs; the places must be the same ones or fewer.
    pub(super) fn set_weights(&mut self, t: TransitionId, p: PlaceId, takes: u32, puts: u32) {
        let arcs = &mut self.arcs[t.index()];
        let set = |side: &mut Vec<(PlaceId, u32)>, w: u32| {
            side.iter_mut().filter(|(q, _)| *q == p).for_each(|(_, old)| *old = w);
            side.retain(|&(_, w)| w > 0);
        };
        let (took, put) = (arcs.takes(p) > 0, arcs.puts(p) > 0);
        set(&mut arcs.pre, takes);
        set(&mut arcs.post, puts);
        if took && takes == 0 {
            self.takers[p.index()].retain(|&u| u != t);
            if self.watched[t.index()] {
                self.guards[p.index()] -= 1;
            }
        }
        if put && puts == 0 {
            self.givers[p.index()].retain(|&u| u != t);
        }
        self.touch(t);
    }

    /// Where the transition moves a single token from and to, if it does nothing else.
    pub(super) fn as_move(&self, t: TransitionId) -> Option<(PlaceId, PlaceId)> {
        let arcs = self.arcs(t);
        match (arcs.pre.as_slice(), arcs.post.as_slice()) {
            (&[(from, 1)], &[(to, 1)]) => Some((from, to)),
            _ => None,
        }
    }

    /// Makes one place, the first, of several, whose tokens may be moved among them: how is the
    /// caller's affair, and runs can be lifted only if moves connect them strongly.
    /// False, and nothing is done, if a number would pass 32 bits.
    pub(super) fn fuse(&mut self, places: &[PlaceId]) -> bool {
        debug_assert!(places.is_sorted() && !places.iter().any(|&p| self.is_visible(p)));
        let sum = places.iter().try_fold(0_u32, |n, &p| n.checked_add(self.initial(p)));
        let (Some(sum), Some(&first)) = (sum, places.first()) else { return false };
        let mut around: Vec<TransitionId> = Vec::new();
        for &p in places {
            around.extend_from_slice(self.takers(p));
            around.extend_from_slice(self.givers(p));
        }
        around.sort_unstable();
        around.dedup();
        let fused: Option<Vec<TransitionArcs>> = around
            .iter()
            .map(|&t| {
                let TransitionArcs { pre, post } = self.arcs(t);
                Some(TransitionArcs {
                    pre: fuse_side(pre, places)?,
                    post: fuse_side(post, places)?,
                })
            })
            .collect();
        let Some(fused) = fused else { return false };
        self.lifting.add_fusion(Fusion::new(self, places, &around));
        self.initial[first.index()] = sum;
        for &p in places {
            self.takers[p.index()].clear();
            self.givers[p.index()].clear();
        }
        for (&t, arcs) in around.iter().zip(fused) {
            if arcs.takes(first) > 0 {
                self.takers[first.index()].push(t);
            }
            if arcs.puts(first) > 0 {
                self.givers[first.index()].push(t);
            }
            self.arcs[t.index()] = arcs;
            self.touch(t);
        }
        places[1..].iter().for_each(|p| self.fate[p.index()] = PlaceFate::Lost);
        true
    }

    /// Looks for a transition without arcs. It stays until another one dominates it.
    pub(super) fn find_idle(&mut self) {
        self.is_idle |= self
            .live
            .iter()
            .zip(&self.arcs)
            .any(|(live, arcs)| *live && *arcs == TransitionArcs::default());
    }

    /// `a` is enabled whenever `b` is.
    pub(super) fn is_easier(&self, a: TransitionId, b: TransitionId) -> bool {
        covers(&self.arcs(b).pre, &self.arcs(a).pre)
    }
}

/// The weights with those of all `places` (sorted) added up at the first of them.
fn fuse_side(side: &Weights, places: &[PlaceId]) -> Option<Weights> {
    let inside = |p: &PlaceId| places.binary_search(p).is_ok();
    let mut sum = 0_u32;
    for &(_, w) in side.iter().filter(|(p, _)| inside(p)) {
        sum = sum.checked_add(w)?;
    }
    let mut result: Weights = side.iter().copied().filter(|(p, _)| !inside(p)).collect();
    if sum > 0 {
        let first = places[0];
        let at = result.partition_point(|&(p, _)| p < first);
        result.insert(at, (first, sum));
    }
    debug_assert!(is_in_order(&result));
    Some(result)
}
