//! Dead transitions: never enabled in any reachable marking.
//!
//! *Applies* to transitions that [`Dead`] proves dead in the original net, to those that the
//! caller knows to be dead, and to those that take more from a place than it ever holds: no
//! transition raises the place, and the initial marking is too small. *Does*: removes them; in
//! the property they are never fireable. *Preserves* all of LTL and `deadlock`.
//!
//! *Why*: a transition that is never enabled takes part in no run, and is not what keeps a
//! marking from being dead.

use super::Rule;
use super::draft::Draft;
use brine_net::{Bounds, Dead, Incidence, Net, PlaceId, TransitionId};

/// Transitions that are dead in the original net, and more that the caller knows of.
pub(super) fn start(draft: &mut Draft, net: &Net, known: &[TransitionId]) {
    let incidence = Incidence::new(net);
    let dead = Dead::new(net, &incidence, &Bounds::new(net, &incidence, &[]), &[]);
    let found = net.transition_ids().filter(|&t| dead.is_dead(t));
    for t in found.chain(known.iter().copied()) {
        if draft.is_live(t) {
            draft.remove_transition(t);
            draft.count(Rule::DeadTransition);
        }
    }
}

/// What can never take from `p`.
pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    let changes = draft.changes(p);
    if changes.iter().any(|&(_, change)| change > 0) {
        return false;
    }
    let tokens = draft.initial(p);
    let mut removed = false;
    for (t, _) in changes {
        if draft.arcs(t).takes(p) > tokens {
            draft.remove_transition(t);
            draft.count(Rule::DeadTransition);
            removed = true;
        }
    }
    removed
}
