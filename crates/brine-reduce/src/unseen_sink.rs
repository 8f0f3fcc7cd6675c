//! Unseen sinks: transitions that only take tokens which nobody else wants.
//!
//! *Applies* to a set D of transitions and the set Q of places that they change, such that
//! every transition of D puts nothing but what it took, takes more than it puts, and every
//! place of Q is invisible and only transitions of D take from it. *Does*: removes D; the
//! places of Q are then ample. *Preserves* stutter-invariant properties without `deadlock`.
//!
//! *Why*: transitions of D change only Q, and no other transition depends on Q. From a run of
//! the net, leave out the steps of D: what is left is a run of the reduced net with the same
//! trace up to stuttering. It is infinite if the run was, since D alone cannot fire for ever
//! (each step takes tokens away); and if the run ended in a dead marking, nothing outside of D
//! is enabled there. Conversely a run of the reduced net is one of the net; where it ends,
//! only D may be enabled, and comes to rest after finitely many invisible steps.
//!
//! *Lifting*: D is fired where a cycle would not lead back. *Cost*: linear; the largest D is
//! found by taking transitions away that spoil the condition.

use super::Rule;
use super::draft::Draft;
use brine_net::{PlaceId, TransitionId};

/// Looks at all transitions; true if one was removed.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    let live = draft.live_transitions();
    let mut member = vec![false; draft.live.len()];
    let mut some = false;
    for &t in &live {
        let arcs = draft.arcs(t);
        let takes = arcs.only_takes() && arcs.pre != arcs.post;
        member[t.index()] = takes && !draft.is_watched(t) && draft.is_invisible(t);
        some |= member[t.index()];
    }
    if !some {
        return false;
    }
    // Places from which others take, too, spoil all members that change them.
    let outsiders = live.iter().filter(|t| !member[t.index()]);
    let mut spoilt: Vec<PlaceId> =
        outsiders.flat_map(|&t| draft.arcs(t).pre.iter().map(|&(p, _)| p)).collect();
    let mut done = vec![false; draft.fate.len()];
    while let Some(p) = spoilt.pop() {
        if std::mem::replace(&mut done[p.index()], true) {
            continue;
        }
        for t in draft.takers(p).to_vec() {
            if member[t.index()] && draft.arcs(t).change(p) != 0 {
                member[t.index()] = false;
                spoilt.extend(draft.arcs(t).pre.iter().map(|&(p, _)| p));
            }
        }
    }
    let sinks: Vec<TransitionId> = live.into_iter().filter(|t| member[t.index()]).collect();
    debug_assert!(take_alone(draft, &sinks), "only D takes from Q");
    for &t in &sinks {
        draft.lifting.drop_transition(t);
        draft.remove_transition(t);
        draft.count(Rule::UnseenSink);
    }
    !sinks.is_empty()
}

/// Whether these transitions (sorted) alone take from the places that they change.
fn take_alone(draft: &Draft, sinks: &[TransitionId]) -> bool {
    let mut changed = vec![false; draft.fate.len()];
    for &t in sinks {
        draft.arcs(t).effect().iter().for_each(|(p, _)| changed[p.index()] = true);
    }
    let mut others = draft.live_transitions();
    others.retain(|t| sinks.binary_search(t).is_err());
    others.iter().all(|&t| draft.arcs(t).pre.iter().all(|(p, _)| !changed[p.index()]))
}
