//! Perpetual parts: tokens that can always move on, unseen.
//!
//! *Applies* to a set S of invisible places, one of them marked, such that something takes
//! from each, and whatever takes from one of them takes one token there and nothing else, and
//! puts one token into a place of S and nothing else. *Does*: an idle transition is added.
//! *Preserves* stutter-invariant properties without `deadlock`.
//!
//! *Why*: a token in S stays in S and can always be moved, by invisible transitions. So every
//! run may stop changing what is seen at any point by moving it for ever; idle steps add
//! nothing new up to stuttering. (Not even the number of steps changes, but then idle steps
//! could not be lifted as easily.) The point is what other rules make of it: often S itself is
//! irrelevant then.
//!
//! *Lifting*: idle steps stand for nothing; where a run stops with them, the search for a
//! completion finds the moves. *Cost*: linear.

use super::Rule;
use super::arcs::TransitionArcs;
use super::draft::Draft;
use brine_net::{PlaceId, TransitionId};

/// Looks at the whole net; true if an idle transition was added.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    if draft.is_idle {
        return false;
    }
    let places: Vec<PlaceId> = (0..draft.fate.len() as u32).map(PlaceId).collect();
    let mut member: Vec<bool> = places.iter().map(|&p| is_candidate(draft, p)).collect();
    // Places from which a token may leave the set are taken out, and those before them.
    let leaves = |draft: &Draft, member: &[bool], t: TransitionId| {
        draft.arcs(t).post.iter().any(|&(q, _)| !member[q.index()])
    };
    let mut doubtful = draft.live_transitions();
    while let Some(t) = doubtful.pop() {
        let from = draft.arcs(t).pre.first().map(|&(p, _)| p);
        let Some(p) = from.filter(|p| member[p.index()]) else { continue };
        if leaves(draft, &member, t) {
            member[p.index()] = false;
            doubtful.extend_from_slice(draft.givers(p));
        }
    }
    let marked = |&p: &PlaceId| member[p.index()] && draft.initial(p) > 0;
    if !places.iter().any(marked) {
        return false;
    }
    debug_assert!(
        draft.live_transitions().into_iter().all(|t| {
            let inside = draft.arcs(t).pre.iter().any(|(p, _)| member[p.index()]);
            !inside || !leaves(draft, &member, t)
        }),
        "no token leaves the set"
    );
    draft.agglomerate(TransitionArcs::default(), Vec::new());
    draft.is_idle = true;
    draft.count(Rule::PerpetualPart);
    true
}

/// Something takes from the place, and only one token, for one token elsewhere.
fn is_candidate(draft: &mut Draft, p: PlaceId) -> bool {
    if !draft.is_kept(p) || draft.is_visible(p) {
        return false;
    }
    let takers = draft.takers(p).to_vec();
    let moves = |&t: &TransitionId| {
        let arcs = draft.arcs(t);
        arcs.pre == [(p, 1)] && matches!(arcs.post.as_slice(), [(_, 1)])
    };
    !takers.is_empty() && takers.iter().all(moves)
}
