//! Circling places: tokens move freely among them.
//!
//! *Applies* to a set C of at least two places that are strongly connected by moves (transitions
//! that take one token from one place and put one into another, and nothing else). *Does*: C
//! becomes one place a with all arcs, and the equation a = sum of C.
//!
//! *Exact*: a run of the net is one of the reduced net with the tokens of C added up.
//! Conversely, before each step of a run of the reduced net tokens are moved where they are
//! needed; there are enough. In the end they are moved anywhere. The marking of the reduced net
//! is determined: a is the sum. *Cost*: linear.

use super::{Ledger, MarkingRule};
use crate::fused_places::components;

/// Looks at the whole net; true if places were united.
pub(super) fn sweep(ledger: &mut Ledger) -> bool {
    let mut applied = false;
    for places in components(&ledger.draft) {
        if ledger.unite(&places) {
            ledger.count(MarkingRule::CirclingPlaces);
            applied = true;
        }
    }
    applied
}
