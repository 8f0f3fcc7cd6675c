//! Chained places: one is filled from the other only, token by token.
//!
//! A *move* is a transition that takes one token from one place and puts one into another, and
//! nothing else. *Applies* to a place q, empty in the initial marking, if all transitions that
//! put into q are moves from one and the same place p. *Does*: p and q become one place a with
//! all their arcs, and the equation a = p + q. (The moves now change nothing.)
//!
//! *Exact*: a run of the net is one of the reduced net with the tokens of p and q added up.
//! Conversely take a run of the reduced net. Fire it in the net so that all tokens of a are in
//! p: what puts into a puts into p, since only moves put into q; what takes from p finds its
//! tokens there; before a transition that takes from q, move as many tokens as it takes from q,
//! which leaves those that it takes from p. In the end, move as many as q should have. So all
//! ways to split a occur. The marking of the reduced net is determined: a is the sum.
//!
//! *Cost*: the arcs of q.

use super::{Ledger, MarkingRule};
use brine_net::PlaceId;

pub(super) fn apply(ledger: &mut Ledger, q: PlaceId) -> bool {
    let draft = &mut ledger.draft;
    if draft.initial(q) > 0 {
        return false;
    }
    let givers = draft.givers(q).to_vec();
    let Some((p, _)) = givers.first().and_then(|&t| draft.as_move(t)) else { return false };
    if p == q || !givers.iter().all(|&t| draft.as_move(t) == Some((p, q))) {
        return false;
    }
    let united = ledger.unite(&[p.min(q), p.max(q)]);
    if united {
        ledger.count(MarkingRule::ChainedPlace);
    }
    united
}
