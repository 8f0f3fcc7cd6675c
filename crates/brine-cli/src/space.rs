//! The state space of a net, told as soon as each part of it is known; what `brine states`
//! and `brine mcc` share.

use brine_dd::{Abort, Limits};
use brine_net::order::Candidate;
use brine_net::{Model, Net, Structure, find_growth};
use brine_sat::{Found, StateSpace, measure, reach_with_best};

/// What becomes known on the way.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// The reachable markings, and so their number.
    Found(&'a Found),
    /// Edges and token numbers.
    Measured(StateSpace),
    /// The budget ended here.
    GaveUp(Abort),
}

/// Whether a growing run of the net was found (and replayed).
pub(crate) fn is_unbounded(net: &Net, structure: &Structure) -> bool {
    structure.bounds.max().is_none() && find_growth(net).is_some_and(|g| g.replays(net))
}

/// Computes the state space of a model. Tokens of a coloured net that never move are not in
/// its unfolded net, but they are counted.
pub(crate) fn compute(
    model: &Model,
    candidates: &[Candidate],
    limits: &Limits,
    threads: usize,
    mut tell: impl FnMut(Step<'_>),
) {
    match reach_with_best(&model.net, candidates, limits, threads) {
        Err(abort) => tell(Step::GaveUp(abort)),
        Ok(found) => {
            tell(Step::Found(&found));
            match measure(&found.engine.dd, &found.engine.model, found.reached) {
                Ok(mut space) => {
                    space.max_in_place = space.max_in_place.max(model.most_idle_tokens());
                    space.max_in_marking = space.max_in_marking.saturating_add(model.idle_tokens());
                    tell(Step::Measured(space));
                }
                Err(abort) => tell(Step::GaveUp(abort)),
            }
        }
    }
}
