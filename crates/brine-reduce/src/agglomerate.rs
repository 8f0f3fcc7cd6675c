//! What both agglomerations do once their conditions hold.
//!
//! A place p is removed together with the transitions H that put into it and F that take from
//! it; for each pair (h, f) there is a new transition that fires h and f one after the other,
//! as often as it takes for p to be as before.

use super::arcs::TransitionArcs;
use super::draft::{Draft, PlaceFate};
use brine_net::{PlaceId, TransitionId};

/// A place with the transitions around it.
pub(super) struct Neighbourhood {
    pub(super) place: PlaceId,
    /// H: they put into the place.
    pub(super) before: Vec<TransitionId>,
    /// F: they take from the place.
    pub(super) after: Vec<TransitionId>,
}

/// Arcs that there may be for each one before.
const MAX_GROWTH: usize = 2;

impl Neighbourhood {
    pub(super) fn new(draft: &mut Draft, place: PlaceId) -> Self {
        let before = draft.givers(place).to_vec();
        let after = draft.takers(place).to_vec();
        debug_assert!(before.is_sorted() && after.is_sorted(), "rules search in them");
        Neighbourhood { place, before, after }
    }

    /// No transition both takes and puts.
    pub(super) fn is_apart(&self, draft: &Draft) -> bool {
        self.after.iter().all(|&f| draft.arcs(f).puts(self.place) == 0)
    }

    /// There would not be more transitions than there were, and not many more arcs. (Three more
    /// were tried: no more places go in the contest's development set.)
    pub(super) fn is_small(&self, draft: &Draft) -> bool {
        let (h, f) = (self.before.len(), self.after.len());
        // The arcs of the place itself go.
        let size = |t: &TransitionId| draft.arcs(*t).places().count() - 1;
        let arcs = |list: &[TransitionId]| list.iter().map(size).sum::<usize>();
        let (left, right) = (arcs(&self.before), arcs(&self.after));
        h.saturating_mul(f) <= h + f && left * f + right * h <= MAX_GROWTH * (left + right + h + f)
    }

    /// The new transitions, with the words they stand for. `times(h, f)` tells how often
    /// each of both fires. `None` if a weight passes 32 bits.
    pub(super) fn pairs(
        &self,
        draft: &Draft,
        times: impl Fn(TransitionId, TransitionId) -> (u32, u32),
    ) -> Option<Vec<JoinedPair>> {
        let mut pairs = Vec::with_capacity(self.before.len() * self.after.len());
        for &h in &self.before {
            for &f in &self.after {
                let (m, n) = times(h, f);
                let arcs = draft.arcs(h).times(m)?.then(&draft.arcs(f).times(n)?)?;
                debug_assert!(
                    arcs.takes(self.place) == 0 && arcs.puts(self.place) == 0,
                    "what one puts into the place, the other takes"
                );
                pairs.push(JoinedPair { arcs, first: h, word: vec![(h, m), (f, n)] });
            }
        }
        Some(pairs)
    }

    /// Replaces the transitions around the place by their pairs and removes the place.
    /// If the property asks whether one of H is enabled, its pairs must be enabled in
    /// the same markings.
    pub(super) fn commit(self, draft: &mut Draft, pairs: Vec<JoinedPair>) {
        debug_assert!(!draft.is_visible(self.place), "nobody may see the place");
        for JoinedPair { arcs, first, word } in pairs {
            let new = draft.agglomerate(arcs, word);
            if draft.is_live(first) && draft.is_watched(first) {
                draft.replace_transition(first, new);
            }
        }
        for &t in self.before.iter().chain(&self.after) {
            if draft.is_live(t) {
                draft.remove_transition(t);
            }
        }
        draft.remove_place(self.place, PlaceFate::Lost);
    }
}

/// A new transition.
pub(super) struct JoinedPair {
    arcs: TransitionArcs,
    first: TransitionId,
    word: Vec<(TransitionId, u32)>,
}
