//! Pre-agglomeration: what fills a place is fired right before what takes from it.
//!
//! *Applies* to an invisible place p, empty at the beginning, with transitions H, not empty,
//! that put into it and F, not empty, that take from it, if
//! 1. every h in H puts v tokens into p and nothing anywhere else, and takes something, not
//!    from p,
//! 2. every h in H is invisible,
//! 3. only transitions of H take from places from which H takes (nobody can make use of the
//!    tokens in the meantime); or every f in F takes v tokens from p and nothing else (they
//!    can always be taken),
//! 4. every f in F takes a multiple of v from p, and if it is not v itself, H has one element.
//!
//! *Does*: every pair (h, f) becomes one transition. *Preserves* stutter-invariant properties
//! without `deadlock`.
//!
//! *Why*: given a run of the net, delay each h until its tokens are taken, and leave it out if
//! they never are. Until then there are only more tokens for others; nobody misses what h
//! puts, since only F takes it. So this is a run of the reduced net with the same trace up to
//! stuttering (2). It is infinite if the run was: steps of H alone only use tokens up (1).
//! Suppose the run ends in a dead marking M. If p is empty there, M is reached in the reduced
//! net, and no pair is enabled as no h is; so it is if F takes from p alone (3). Otherwise
//! only H takes what H takes, the tokens wait where they are, and the reduced net is in the
//! marking M' with the tokens of j >= 1 steps of H not yet taken. Others than the pairs see no
//! difference, so they are not enabled. If a pair (h, f) with k steps of h were enabled in M',
//! then k <= j (if k > 1 then H = {h}, and M' has tokens for exactly j steps, as h is not
//! enabled in M), so f would be enabled in M. Hence M' is dead. Conversely a run of the
//! reduced net is spelled out in the net. Where it ends, H may be enabled (but not if F takes
//! from p alone: then a pair would be, too); it comes to rest after finitely many invisible
//! steps, which enable nothing but F, and no f, since then a pair would have been enabled.
//!
//! *Lifting*: those last steps of H are found by the search for a completion. *Size*: only if
//! there are not more pairs than transitions before.

use super::Rule;
use super::agglomerate::Neighbourhood;
use super::draft::Draft;
use brine_net::PlaceId;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.is_visible(p) || draft.initial(p) > 0 {
        return false;
    }
    let around = Neighbourhood::new(draft, p);
    if around.before.is_empty() || around.after.is_empty() || !around.is_small(draft) {
        return false;
    }
    if !around.is_apart(draft) || !takes_something(draft, &around) {
        return false;
    }
    let Some(bundle) = bundle(draft, &around) else { return false };
    let always_taken = around.after.iter().all(|&f| draft.arcs(f).pre == [(p, bundle)]);
    if !always_taken && !is_private(draft, &around) {
        return false;
    }
    let pairs = around.pairs(draft, |_, f| (draft.arcs(f).takes(p) / bundle, 1));
    let Some(pairs) = pairs else { return false };
    around.commit(draft, pairs);
    draft.count(Rule::PreAgglomeration);
    true
}

fn takes_something(draft: &Draft, around: &Neighbourhood) -> bool {
    around.before.iter().all(|&h| !draft.arcs(h).pre.is_empty())
}

/// The number v of conditions 1, 2 and 4, if they hold (but that H takes something).
pub(super) fn bundle(draft: &mut Draft, around: &Neighbourhood) -> Option<u32> {
    let p = around.place;
    let v = draft.arcs(*around.before.first()?).puts(p);
    for &h in &around.before {
        let arcs = draft.arcs(h);
        let moves = arcs.post == [(p, v)] && arcs.takes(p) == 0;
        if !moves || !draft.is_invisible(h) {
            return None;
        }
    }
    let single = around.before.len() == 1;
    let fits = |w: u32| w == v || (single && w.is_multiple_of(v));
    around.after.iter().all(|&f| fits(draft.arcs(f).takes(p))).then_some(v)
}

/// Condition 3.
fn is_private(draft: &mut Draft, around: &Neighbourhood) -> bool {
    let places: Vec<PlaceId> =
        around.before.iter().flat_map(|&h| draft.arcs(h).pre.iter().map(|&(q, _)| q)).collect();
    places
        .into_iter()
        .all(|q| draft.takers(q).iter().all(|t| around.before.binary_search(t).is_ok()))
}
