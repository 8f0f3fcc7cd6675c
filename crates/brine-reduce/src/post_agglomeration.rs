//! Post-agglomeration: what takes from a place is fired right after what fills it.
//!
//! *Applies* to an invisible place p with transitions H that put into it and F, not empty,
//! that take from it, no transition being both, if
//! 1. every f in F takes v tokens from p and nothing from any other place,
//! 2. every f in F is invisible,
//! 3. every h in H puts a multiple of v into p, and if it is not v itself, F has one element;
//!    the same goes for the tokens of p at the beginning (a remainder below v is allowed).
//!
//! *Does*: tokens that are there at the beginning are moved on by f; then every pair (h, f)
//! becomes one transition. *Preserves* stutter-invariant properties without `deadlock`.
//!
//! *Why*: bundles of v tokens in p can always be taken, by F alone. Given a run of the net,
//! let each bundle be taken as soon as it is put: by the f that takes it later on, or by any f
//! if it stays for ever. Steps of F that come earlier, or are added, give more tokens to
//! others and change nothing visible, so this is a run of the net with the same trace up to
//! stuttering, and of the reduced net. It is infinite if the run was (infinitely many steps
//! are not in F, since each bundle is taken once); a dead marking has no bundle in p, so it is
//! dead in the reduced net: a pair (h, f) takes what h takes. Conversely a run of the reduced
//! net is spelled out in the net, and where it ends, neither H nor F is enabled. A watched h
//! is enabled iff (h, f) is, for any f.
//!
//! *Size*: only if there are not more pairs than transitions before.

use super::Rule;
use super::agglomerate::Neighbourhood;
use super::draft::Draft;
use brine_net::{PlaceId, TransitionId};

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.is_visible(p) {
        return false;
    }
    let around = Neighbourhood::new(draft, p);
    let Some(&f) = around.after.first() else { return false };
    let bundle = draft.arcs(f).takes(p);
    let bundles = draft.initial(p) / bundle;
    let useless = around.before.is_empty() && bundles == 0;
    if useless
        || !around.is_small(draft)
        || !around.is_apart(draft)
        || !is_free(draft, &around, bundle)
    {
        return false;
    }
    let puts: Vec<u32> = around.before.iter().map(|&h| draft.arcs(h).puts(p)).collect();
    let single = around.after.len() == 1;
    let fits = |&w: &u32| w == bundle || (single && w % bundle == 0);
    if !puts.iter().all(fits) || (bundles > 0 && !single) {
        return false;
    }
    let pairs = around.pairs(draft, |h, _| (1, draft.arcs(h).puts(p) / bundle));
    let Some(pairs) = pairs else { return false };
    if !move_on(draft, f, bundles) {
        return false;
    }
    around.commit(draft, pairs);
    draft.count(Rule::PostAgglomeration);
    true
}

/// Conditions 1 and 2.
fn is_free(draft: &mut Draft, around: &Neighbourhood, bundle: u32) -> bool {
    around
        .after
        .iter()
        .all(|&f| draft.arcs(f).pre == [(around.place, bundle)] && draft.is_invisible(f))
}

/// Fires `f` in the initial marking. False, and nothing is done, if there are too many tokens.
fn move_on(draft: &mut Draft, f: TransitionId, times: u32) -> bool {
    if times == 0 {
        return true;
    }
    let Some(moved) = draft.arcs(f).times(times) else { return false };
    let room = moved.post.iter().all(|&(q, w)| draft.initial(q).checked_add(w).is_some());
    if room {
        moved.post.iter().for_each(|&(q, w)| draft.initial[q.index()] += w);
        draft.lifting.add_start(f, times);
    }
    room
}
