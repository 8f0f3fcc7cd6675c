//! Dominated transitions: another one has the same effect and needs no more.
//!
//! *Applies* to a transition t beside a transition u that changes every place by the same
//! number and takes at most as much from each. Copies (u = t) and transitions without effect
//! beside less demanding ones are special cases. *Does*: t is removed. If the property asks
//! whether t is enabled, u must take exactly the same, and is asked for instead (u must not be
//! the idle transition that is lent for safety, which does not stay). *Preserves* all of LTL
//! and `deadlock`.
//!
//! *Why*: wherever t is enabled, so is u, and leads to the same marking. So the markings have
//! the same successors, and the same ones are dead.
//!
//! *Cost*: transitions are grouped by their effects; in a group each is compared with up to
//! [`MAX_RIVALS`] that are kept.

use super::Rule;
use super::draft::Draft;
use brine_net::{PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// Kept transitions of one group with which another is compared.
const MAX_RIVALS: usize = 16;

/// Looks at all transitions; true if one was removed.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    let mut groups: FxHashMap<Vec<(PlaceId, i64)>, Vec<TransitionId>> = FxHashMap::default();
    let mut order = draft.live_transitions();
    // The less demanding ones first, so that they are the ones to stay.
    order.sort_by_key(|&t| draft.arcs(t).pre.len());
    let mut removed = false;
    for t in order {
        let effect = draft.arcs(t).effect();
        draft.work += 1 + effect.len() as u64;
        let rivals = groups.entry(effect).or_default();
        let tried = rivals.iter().rev().take(MAX_RIVALS);
        let winner = tried.copied().find(|&u| dominates(draft, u, t));
        match winner {
            Some(u) => {
                draft.replace_transition(t, u);
                draft.count(Rule::DominatedTransition);
                removed = true;
            }
            None => rivals.push(t),
        }
        draft.work += MAX_RIVALS.min(rivals.len()) as u64;
    }
    removed
}

/// `t` is not needed beside `u`, given that their effects are the same.
fn dominates(draft: &Draft, u: TransitionId, t: TransitionId) -> bool {
    if draft.is_watched(t) {
        // What is lent will be taken back, and nobody would be left to ask.
        draft.lent != Some(u) && draft.arcs(u).pre == draft.arcs(t).pre
    } else {
        draft.is_easier(u, t)
    }
}
