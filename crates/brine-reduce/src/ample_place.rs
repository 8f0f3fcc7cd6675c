//! Ample places: always enough tokens for everybody who takes some.
//!
//! *Applies* to a place p whose tokens are not counted by the property, from which no
//! transition takes more than it puts back, and whose initial marking is enough for every
//! transition that takes from it. Sinks, from which nothing takes, are the common case.
//! *Does*: p is removed. *Preserves* all of LTL and `deadlock`.
//!
//! *Why*: the tokens in p never become fewer, so p never keeps a transition from firing, and
//! the two nets have the same runs. A watched transition that takes from p is enabled in the
//! same markings without p.
//!
//! *Lifting*: nothing to do, but a cycle that fills p leads back only without p.

use super::Rule;
use super::draft::{Draft, PlaceFate};
use brine_net::PlaceId;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    if draft.is_observed(p) {
        return false;
    }
    let tokens = draft.initial(p);
    let ample =
        draft.changes(p).iter().all(|&(t, change)| change >= 0 && draft.arcs(t).takes(p) <= tokens);
    if ample {
        draft.remove_place(p, PlaceFate::Lost);
        draft.count(Rule::AmplePlace);
    }
    ample
}
