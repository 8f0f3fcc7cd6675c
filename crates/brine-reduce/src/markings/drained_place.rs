//! Drained places: tokens that can vanish one by one, and never come.
//!
//! *Applies* to a place p with k tokens in the initial marking such that every transition at p
//! either is a *drain* (takes one token from p and does nothing else; there is one) or leaves
//! p's tokens as they are and takes at most k of them. *Does*: p and its drains are removed,
//! with the equation k = p + s for a number s >= 0 of tokens that are gone.
//!
//! *Exact*: p never holds more than k, and any reachable marking stays reachable without p if
//! drains are left out of the run. Conversely take a run of the reduced net; fire it in the net
//! with all k tokens still in p, which stands in nobody's way then, and drain as many as wanted
//! afterwards. The marking of the reduced net is that of the other places. *Cost*: the arcs of p.

use super::{Ledger, MarkingRule, is_drain};
use crate::draft::PlaceFate;
use brine_net::PlaceId;

pub(super) fn apply(ledger: &mut Ledger, p: PlaceId) -> bool {
    let draft = &mut ledger.draft;
    let tokens = draft.initial(p);
    let changes = draft.changes(p);
    let drains: Vec<_> = changes.iter().map(|c| c.0).filter(|&t| is_drain(draft, t, p)).collect();
    let fits = |t, change| is_drain(draft, t, p) || change == 0 && draft.arcs(t).takes(p) <= tokens;
    if drains.is_empty() || !changes.iter().all(|&(t, change)| fits(t, change)) {
        return false;
    }
    drains.into_iter().for_each(|t| draft.remove_transition(t));
    draft.remove_place(p, PlaceFate::Lost);
    ledger.equations.drain(p, tokens);
    ledger.count(MarkingRule::DrainedPlace);
    true
}
