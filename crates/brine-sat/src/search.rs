//! Reachability with one order, or with the one of several that works.

use brine_dd::{Abort, Dd, Limits, NodeId, with_deep_stack};
use brine_net::Net;
use brine_net::order::{Candidate, Layout, OrderSpec};

use crate::model::LevelModel;
use crate::saturate::Saturation;
use crate::trials::first_to_finish;

/// A finished search.
#[derive(Debug)]
pub struct ReachedSpace {
    /// The engine that holds the diagrams.
    pub engine: Saturation,
    /// The reachable markings.
    pub reached: NodeId,
    /// The order that was used.
    pub order: OrderSpec,
    /// How many trials it took.
    pub trials: usize,
}

/// Computes the reachable markings with one given order.
pub fn reach_with(
    net: &Net,
    layout: &Layout,
    limits: &Limits,
) -> Result<(Saturation, NodeId), Abort> {
    let run = || {
        let model = LevelModel::within(net, layout, &limits.control())?;
        let mut engine = Saturation::new(model, Dd::new(limits.clone()));
        let reached = engine.reach()?;
        Ok((engine, reached))
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(layout.levels.len(), run).unwrap_or(Err(Abort::Memory))
}

/// Computes the reachable markings with the first candidate that gets done; at most
/// `threads` of them are tried at a time.
pub fn reach_with_best(
    net: &Net,
    candidates: &[Candidate],
    limits: &Limits,
    threads: usize,
) -> Result<ReachedSpace, Abort> {
    let run = |candidate: &Candidate, limits: &Limits| reach_with(net, &candidate.layout, limits);
    let done = first_to_finish(candidates, limits, threads, run)?;
    let (engine, reached) = done.result;
    Ok(ReachedSpace { engine, reached, order: done.order, trials: done.trials })
}
