//! Wasteful transitions: they only take tokens away, and nobody sees it.
//!
//! *Applies* in a net with an idle transition, to an invisible transition that puts nothing
//! but what it took and is not watched. *Does*: it is removed. *Preserves* stutter-invariant
//! properties without `deadlock`.
//!
//! *Why*: a run of the reduced net is one of the net. Conversely leave out the wasteful steps
//! of a run: whatever follows has more tokens than before, so it is a run with the same trace
//! up to stuttering; if it is finite, it ends with idle steps for ever.

use super::Rule;
use super::arcs::TransitionArcs;
use super::draft::Draft;

/// Looks at all transitions; true if one was removed.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    let before = draft.counts[Rule::WastefulTransition as usize];
    if !draft.is_idle {
        return false;
    }
    for t in draft.live_transitions() {
        let arcs = draft.arcs(t);
        let wasteful = arcs.only_takes() && *arcs != TransitionArcs::default();
        if wasteful && !draft.is_watched(t) && draft.is_invisible(t) {
            draft.lifting.drop_transition(t);
            draft.remove_transition(t);
            draft.count(Rule::WastefulTransition);
        }
    }
    draft.counts[Rule::WastefulTransition as usize] > before
}
