//! Free agglomeration: pre-agglomeration where a run may stop anywhere.
//!
//! *Applies* in a net with an idle transition, to an invisible place p, empty at the
//! beginning, under the conditions of pre-agglomeration except for the third: others may want
//! the tokens that H takes. H may also take nothing, but the property must not ask whether a
//! transition of H is enabled. *Does*: every pair (h, f) becomes one transition. *Preserves*
//! stutter-invariant properties without `deadlock`.
//!
//! *Why*: given a run of the net, delay each h until its tokens are taken, and leave it out if
//! they never are. Until then there are only more tokens for others, so this is a run of the
//! reduced net with the same trace up to stuttering; if it is finite, it ends with idle steps
//! for ever. Conversely a run of the reduced net is spelled out; it never ends in a dead
//! marking. Without an idle transition this would lose runs: those in which h takes the tokens
//! that somebody else could have used to go on.

use super::Rule;
use super::agglomerate::Neighbourhood;
use super::draft::Draft;
use super::pre_agglomeration::bundle;
use brine_net::PlaceId;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if !draft.is_idle || draft.is_visible(p) || draft.initial(p) > 0 {
        return false;
    }
    let around = Neighbourhood::new(draft, p);
    if around.before.is_empty() || around.after.is_empty() || !around.is_small(draft) {
        return false;
    }
    if !around.is_apart(draft) || around.before.iter().any(|&h| draft.is_watched(h)) {
        return false;
    }
    let Some(bundle) = bundle(draft, &around) else { return false };
    let pairs = around.pairs(draft, |_, f| (draft.arcs(f).takes(p) / bundle, 1));
    let Some(pairs) = pairs else { return false };
    around.commit(draft, pairs);
    draft.count(Rule::FreeAgglomeration);
    true
}
