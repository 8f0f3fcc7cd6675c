//! Reachability with one order, or with the one of several that works.

use brine_dd::{Control, Dd, NodeId, Stop, with_deep_stack};
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
    control: &Control,
) -> Result<(Saturation, NodeId), Stop> {
    let run = || {
        let model = LevelModel::within(net, layout, &control.without_work())?;
        let mut engine = Saturation::new(model, Dd::new(control.clone()));
        let reached = engine.reach()?;
        Ok((engine, reached))
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(layout.levels.len(), run).unwrap_or(Err(Stop::Memory))
}

/// Computes the reachable markings with the first candidate that gets done.
pub fn reach_with_best(
    net: &Net,
    candidates: &[Candidate],
    control: &Control,
) -> Result<ReachedSpace, Stop> {
    let run =
        |candidate: &Candidate, control: &Control| reach_with(net, &candidate.layout, control);
    let done = first_to_finish(candidates, control, run)?;
    let (engine, reached) = done.result;
    Ok(ReachedSpace { engine, reached, order: done.order, trials: done.trials })
}
