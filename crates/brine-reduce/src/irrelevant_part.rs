//! Irrelevant parts: what cannot influence anything that is seen.
//!
//! *Relevant* are the visible places, the transitions that change a relevant place or are
//! watched, and the places from which relevant transitions take. *Applies* to the rest, if the
//! net has an idle transition, or if the other transitions cannot fire for ever: each lowers
//! some place, and no chain "t raises a place that u lowers" leads from a transition back to
//! itself. *Does*: removes the rest. *Preserves* stutter-invariant properties without
//! `deadlock`.
//!
//! *Why*: irrelevant transitions change no relevant place, and relevant ones do not depend on
//! irrelevant places. Leaving the irrelevant steps out of a run gives a run of the reduced net
//! with the same trace up to stuttering. If it is finite although the run was not, there is an
//! idle transition to end with, since otherwise irrelevant steps alone end (transitions in the
//! order of the chains: the first can fire only finitely often, nobody raises what it lowers;
//! so the second; ...). If the run ended in a dead marking, no relevant transition is enabled
//! there. Conversely a run of the reduced net is one of the net; where it ends, only
//! irrelevant steps can follow, finitely many of them.
//!
//! *Lifting*: irrelevant steps are fired where a cycle would not lead back. *Cost*: linear.

use super::Rule;
use super::arcs::TransitionArcs;
use super::draft::{Draft, PlaceFate};
use brine_net::{PlaceId, TransitionId};

/// Looks at the whole net; true if something was removed.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    let live = draft.live_transitions();
    let (places, transitions) = relevant(draft, &live);
    let rest: Vec<TransitionId> = live
        .into_iter()
        .filter(|&t| !transitions[t.index()] && *draft.arcs(t) != TransitionArcs::default())
        .collect();
    let lost: Vec<PlaceId> = (0..draft.fate.len() as u32)
        .map(PlaceId)
        .filter(|&p| draft.is_kept(p) && !places[p.index()])
        .collect();
    if (rest.is_empty() && lost.is_empty()) || !(draft.is_idle || is_finite(draft, &rest)) {
        return false;
    }
    debug_assert!(
        rest.iter().all(|&t| draft.arcs(t).effect().iter().all(|&(p, _)| !places[p.index()])),
        "irrelevant transitions change no relevant place"
    );
    for &t in &rest {
        draft.lifting.drop_transition(t);
        draft.remove_transition(t);
    }
    lost.iter().for_each(|&p| draft.remove_place(p, PlaceFate::Lost));
    draft.count(Rule::IrrelevantPart);
    true
}

/// What is relevant: a search backwards from the visible places.
fn relevant(draft: &mut Draft, live: &[TransitionId]) -> (Vec<bool>, Vec<bool>) {
    let mut places = vec![false; draft.fate.len()];
    let mut transitions = vec![false; draft.live.len()];
    let mut waiting: Vec<PlaceId> = (0..draft.fate.len() as u32)
        .map(PlaceId)
        .filter(|&p| draft.is_kept(p) && draft.is_visible(p))
        .collect();
    // What watched transitions take from is visible already.
    live.iter().for_each(|&t| transitions[t.index()] = draft.is_watched(t));
    waiting.iter().for_each(|p| places[p.index()] = true);
    while let Some(p) = waiting.pop() {
        for (t, change) in draft.changes(p) {
            if change == 0 || std::mem::replace(&mut transitions[t.index()], true) {
                continue;
            }
            for &(q, _) in &draft.arcs(t).pre {
                if !std::mem::replace(&mut places[q.index()], true) {
                    waiting.push(q);
                }
            }
        }
    }
    (places, transitions)
}

/// These transitions alone cannot fire for ever: take away, again and again, those that
/// lower a place which none of the others raises.
fn is_finite(draft: &mut Draft, transitions: &[TransitionId]) -> bool {
    let mut raised = vec![0_u32; draft.fate.len()];
    let mut left = vec![false; draft.live.len()];
    for &t in transitions {
        left[t.index()] = true;
        for (p, change) in draft.arcs(t).effect() {
            raised[p.index()] += u32::from(change > 0);
        }
    }
    let mut waiting = transitions.to_vec();
    let mut count = transitions.len();
    while let Some(t) = waiting.pop() {
        let effect = draft.arcs(t).effect();
        let ends = effect.iter().any(|&(p, change)| change < 0 && raised[p.index()] == 0);
        if !left[t.index()] || !ends {
            continue;
        }
        left[t.index()] = false;
        count -= 1;
        for &(p, _) in effect.iter().filter(|&&(_, change)| change > 0) {
            raised[p.index()] -= 1;
            if raised[p.index()] == 0 {
                waiting.extend_from_slice(draft.takers(p));
            }
        }
    }
    count == 0
}
