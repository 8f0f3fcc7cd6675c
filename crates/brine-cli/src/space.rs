//! The state space of a net, told as soon as each part of it is known; what `brine states`
//! and `brine mcc` share.

use brine_dd::{Abort, Limits};
use brine_net::order::{Candidate, OrderSpec, UnknownOrder, candidates};
use brine_net::{Net, Structure, find_growth};
use brine_sat::{Found, StateSpace, measure, reach_with_best};

/// `--order` of the commands that compute state spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// Try the promising ones.
    Auto,
    /// This one alone.
    Named(OrderSpec),
}

/// Reads the value of `--order`.
pub(crate) fn order(text: &str) -> Result<Order, UnknownOrder> {
    if text == "auto" { Ok(Order::Auto) } else { text.parse().map(Order::Named) }
}

impl Order {
    /// The candidates for a net. An order that needs groups the net lacks is an error.
    pub(crate) fn candidates(
        self,
        net: &Net,
        structure: &Structure,
    ) -> anyhow::Result<Vec<Candidate>> {
        let Order::Named(spec) = self else { return Ok(candidates(net, structure)) };
        let layout = spec.layout(net, structure).ok_or_else(|| {
            anyhow::anyhow!("--order {spec}: this net has no such groups; try units/ or places/")
        })?;
        Ok(vec![Candidate { spec, layout, score: 0.0 }])
    }
}

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

/// Computes the state space of a net.
pub(crate) fn compute(
    net: &Net,
    candidates: &[Candidate],
    limits: &Limits,
    mut tell: impl FnMut(Step<'_>),
) {
    match reach_with_best(net, candidates, limits, |_| ()) {
        Err(abort) => tell(Step::GaveUp(abort)),
        Ok(found) => {
            tell(Step::Found(&found));
            match measure(&found.engine.dd, &found.engine.model, found.reached) {
                Ok(space) => tell(Step::Measured(space)),
                Err(abort) => tell(Step::GaveUp(abort)),
            }
        }
    }
}
