//! Implied places: enough tokens whenever another place has enough.
//!
//! *Applies* to a place p, whose tokens are not counted by the property, beside a place q and
//! a factor k >= 1 such that every transition changes p by at least k times what it changes q,
//! and with c = m(p) - k m(q) for the initial marking m, every transition that takes a from p
//! and b from q has a <= k b + c. Parallel places are the common case. *Does*: p is removed.
//! *Preserves* all of LTL and `deadlock`.
//!
//! *Why*: M(p) >= k M(q) + c in every reachable marking M, by induction. If a transition is
//! enabled as far as all places but p are concerned, then M(q) >= b, so M(p) >= k b + c >= a,
//! and p does not stand in its way either. So both nets have the same runs, and watched
//! transitions are enabled in the same markings.
//!
//! *Cost*: for q only the other places are tried from which one transition takes, the one with
//! the fewest arcs of those that take from p; at most [`MAX_CANDIDATES`].

use super::Rule;
use super::draft::{Draft, PlaceFate};
use brine_net::PlaceId;

/// Places that are tried for one place.
const MAX_CANDIDATES: usize = 8;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.is_observed(p) {
        return false;
    }
    let takers = draft.takers(p).to_vec();
    let Some(&t) = takers.iter().min_by_key(|&&t| draft.arcs(t).pre.len()) else { return false };
    let needed = draft.arcs(t).takes(p);
    let candidates: Vec<(PlaceId, u32)> =
        draft.arcs(t).pre.iter().copied().filter(|&(q, _)| q != p).take(MAX_CANDIDATES).collect();
    for (q, weight) in candidates {
        let ratio = needed / weight;
        let factors = [1, ratio];
        let tried = if ratio > 1 { &factors[..] } else { &factors[..1] };
        if tried.iter().any(|&k| implies(draft, q, i64::from(k), p)) {
            draft.remove_place(p, PlaceFate::Lost);
            draft.count(Rule::ImpliedPlace);
            return true;
        }
    }
    false
}

/// `p` has enough tokens whenever `q` has: the condition above. Numbers are below 2^33 and
/// factors below 2^32, so products fit.
fn implies(draft: &mut Draft, q: PlaceId, k: i64, p: PlaceId) -> bool {
    let surplus = i128::from(draft.initial(p)) - i128::from(k) * i128::from(draft.initial(q));
    let keeps_up = |draft: &Draft, t| {
        i128::from(draft.arcs(t).change(p)) >= i128::from(k) * i128::from(draft.arcs(t).change(q))
    };
    let suffices = |draft: &Draft, t| {
        let (a, b) = (draft.arcs(t).takes(p), draft.arcs(t).takes(q));
        a == 0 || i128::from(a) <= i128::from(k) * i128::from(b) + surplus
    };
    // Transitions that touch neither place change both by nothing.
    let takers = draft.takers(p).to_vec();
    if !takers.iter().all(|&t| keeps_up(draft, t) && suffices(draft, t)) {
        return false;
    }
    // Those that only put into p raise it; q must not be raised by anybody else.
    let fillers = draft.givers(q).to_vec();
    fillers.iter().all(|&t| keeps_up(draft, t))
}
