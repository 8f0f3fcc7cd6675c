//! Constant places: every transition puts back what it takes.
//!
//! *Applies* to a place p that no transition changes. *Does*: transitions that take more than
//! the initial marking of p are removed, then p is. In the property its tokens are a number.
//! *Preserves* all of LTL and `deadlock`.
//!
//! *Why*: p holds its initial marking for ever. A transition that needs more is never enabled;
//! for all others p is no condition, so the two nets enable the same transitions in every
//! reachable marking, and every marking has the same letter.

use super::Rule;
use super::draft::{Draft, PlaceFate};
use brine_net::PlaceId;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.changes(p).iter().any(|&(_, change)| change != 0) {
        return false;
    }
    let tokens = draft.initial(p);
    for t in draft.takers(p).to_vec() {
        if draft.arcs(t).takes(p) > tokens {
            draft.remove_transition(t);
            draft.count(Rule::DeadTransition);
        }
    }
    draft.remove_place(p, PlaceFate::Constant(tokens));
    draft.count(Rule::ConstantPlace);
    true
}
