//! Idle transitions: firing them changes nothing.
//!
//! *Applies* to a transition that puts back what it takes. *Does*: removes it; no equation.
//! *Exact*, since the reachable markings are those without it. How many edges it has is told by
//! what it takes ([`super::guards`]). *Cost*: linear.

use super::super::draft::Draft;

/// Looks at all transitions where something changed.
pub(super) fn sweep(draft: &mut Draft) {
    for t in draft.live_transitions() {
        draft.work += 1;
        let arcs = draft.arcs(t);
        if arcs.pre.len() == arcs.post.len() && arcs.pre == arcs.post {
            draft.remove_transition(t);
        }
    }
}
