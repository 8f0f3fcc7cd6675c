//! The state space of a net, told as soon as each part of it is known; what `brine states`
//! and `brine mcc` share.

use crate::pins::{self, Explored, Figures, PinsArgs};
use brine_dd::{Dd, NodeId};
use brine_net::order::Candidate;
use brine_net::{Net, Structure, find_growth_within};
use brine_pins::{Failure, NetModel};
use brine_pnml::Model;
use brine_run::{Control, Stop};
use brine_sat::{Found, StateSpace, first_to_finish, measure, reach_with_best};
use num_bigint::BigUint;

/// How the state space is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way<'a> {
    /// Saturation over events.
    Saturation,
    /// Through the state-vector interface.
    Pins(&'a PinsArgs),
}

/// How to search for the reachable markings.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    pub(crate) way: Way<'a>,
    /// The orders to try, the most promising first.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) control: &'a Control,
}

/// The reachable markings, and how they were found.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) states: BigUint,
    pub(crate) order: String,
    pub(crate) trials: usize,
    pub(crate) levels: usize,
    pub(crate) nodes: usize,
    pub(crate) dd: brine_dd::DdStats,
    /// What the state-vector interface tells.
    pub(crate) pins: Option<Figures>,
}

impl Reached {
    fn new(dd: &Dd, reached: NodeId, order: String, trials: usize, levels: usize) -> Self {
        Reached {
            states: dd.count(reached),
            order,
            trials,
            levels,
            nodes: dd.node_count(reached),
            dd: dd.stats(),
            pins: None,
        }
    }
}

/// What becomes known on the way.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// The reachable markings, and so their number.
    Found(&'a Reached),
    /// Edges and token numbers.
    Measured(StateSpace),
    /// The budget ended here.
    GaveUp(Stop),
}

/// Whether a growing run of the net was found (and replayed).
pub(crate) fn is_unbounded(
    net: &Net,
    structure: &Structure,
    control: &Control,
) -> Result<bool, Stop> {
    if structure.bounds.max().is_some() {
        return Ok(false);
    }
    Ok(find_growth_within(net, control)?.is_some_and(|g| g.replays(net)))
}

/// Computes the state space of a model. Tokens of a coloured net that never move are not in
/// its unfolded net, but they are counted.
pub(crate) fn compute(
    model: &Model,
    structure: &Structure,
    search: Search<'_>,
    mut tell: impl FnMut(Step<'_>),
) {
    let measured = match search.way {
        Way::Saturation => by_saturation(&model.net, &search, &mut tell),
        Way::Pins(args) => by_pins(&model.net, structure, args, &search, &mut tell),
    };
    match measured {
        Ok(mut space) => {
            space.max_in_place = space.max_in_place.max(model.most_idle_tokens());
            space.max_in_marking = space.max_in_marking.saturating_add(model.idle_tokens());
            tell(Step::Measured(space));
        }
        Err(stop) => tell(Step::GaveUp(stop)),
    }
}

fn by_saturation(
    net: &Net,
    search: &Search<'_>,
    tell: &mut impl FnMut(Step<'_>),
) -> Result<StateSpace, Stop> {
    let Found { engine, reached, order, trials } =
        reach_with_best(net, &search.candidates, search.control)?;
    let levels = engine.model.level_count();
    tell(Step::Found(&Reached::new(&engine.dd, reached, order.to_string(), trials, levels)));
    measure(&engine.dd, &engine.model, reached)
}

fn by_pins(
    net: &Net,
    structure: &Structure,
    args: &PinsArgs,
    search: &Search<'_>,
    tell: &mut impl FnMut(Step<'_>),
) -> Result<StateSpace, Stop> {
    let model = NetModel::new(net, &structure.bounds);
    let run = |candidate: &Candidate, control: &Control| {
        let order = pins::slots(&candidate.layout);
        pins::explore(&model, args, order, control).map_err(|failure| match failure {
            Failure::Stop(stop) => stop,
            // The only thing that can go wrong with a net.
            Failure::Model(_) => Stop::Overflow,
        })
    };
    let orders = args.orders(&search.candidates, search.control)?;
    let done = first_to_finish(&orders, search.control, run)?;
    let explored: Explored<'_> = done.result;
    let (dd, levels) = (&explored.explorer.dd, explored.plan.order.len());
    let mut found = Reached::new(dd, explored.reached, done.order.to_string(), done.trials, levels);
    found.pins = Some(Figures::new(&explored, &model, args));
    tell(Step::Found(&found));
    let levels = brine_sat::Model::new(net, &pins::layout(&explored.plan));
    measure(dd, &levels, explored.reached)
}
