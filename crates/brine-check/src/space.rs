//! The state space of a net: how many markings, how many edges, how many tokens.
//!
//! [`state_space`] stands beside [`crate::decide`]: the same nets, budgets and engines, another
//! question. Each number is told as soon as it is known, since the next may take longer than
//! the budget: the markings may be few diagrams, and their edges many.

use crate::budget::Budget;
use crate::engine::BadOption;
use crate::expanded::{by_equations, by_invariants};
use crate::parts::{KindSpace, Parts};
use crate::spec::{EngineName, EngineOptions, EngineSpec, PinsSpec, SetupError, candidates_of};
use brine_dd::{Dd, DdStats, NodeId, resident_bytes, with_deep_stack};
use brine_enumerate::explore::{explore as enumerate, explore_reduced};
use brine_enumerate::vectors::Vectors;
use brine_explicit::explore::{Exploration, explore};
use brine_explicit::markings::Markings;
use brine_explicit::provisos::Proviso;
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::stubborn::Choice;
use brine_net::order::{
    Candidate, Grouping, Heuristic, Hypergraph, Layout, OrderSpec, candidates_of_hypergraph,
};
use brine_net::{Net, PlaceId, Structure, find_growth_within};
use brine_pins::{Explorer, GroupId, NetModel, Pins, PinsStop, Plan, SlotId};
use brine_run::{Control, Progress, Stop};
use brine_sat::{ReachedSpace, StateSpace, first_to_finish, measure, reach_with_best};
use num_bigint::BigUint;
use std::sync::Arc;

/// How a state space is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpaceSpec {
    /// By saturation over events.
    Symbolic {
        /// The order of levels.
        order: Option<OrderSpec>,
        /// Whether the net is reduced first, and its markings counted by equations.
        reduce: bool,
    },
    /// One marking at a time.
    Explicit,
    /// Through the state-vector interface.
    Pins {
        /// How it is searched.
        pins: PinsSpec,
        /// The order of levels.
        order: Option<OrderSpec>,
    },
}

impl Default for SpaceSpec {
    fn default() -> Self {
        SpaceSpec::Symbolic { order: None, reduce: true }
    }
}

impl SpaceSpec {
    /// The engines that compute state spaces, with a line about each.
    pub const ENGINES: [(EngineName, &'static str); 4] = [
        (EngineName::Auto, "Symbolic for nets, pins for guarded commands"),
        (EngineName::Symbolic, "Saturation over the net's own events"),
        (EngineName::Explicit, "One marking at a time, as brine explore does"),
        (EngineName::Pins, "Relations learned through the state-vector interface"),
    ];

    /// What the options of `brine states` describe.
    pub fn new(options: &EngineOptions) -> Result<SpaceSpec, BadOption> {
        let order = options.order;
        let refuse = |message: String| Err(BadOption(message));
        match (options.engine.unwrap_or(EngineName::Auto), options.of_pins()) {
            (EngineName::Pins, _) => Ok(SpaceSpec::Pins { pins: options.pins(), order }),
            (_, Some(option)) => refuse(format!("{option} needs --engine pins")),
            (EngineName::Auto | EngineName::Symbolic, _) => {
                Ok(SpaceSpec::Symbolic { order, reduce: true })
            }
            (EngineName::Explicit, _) if order.is_some() => {
                refuse("--order is for decision diagrams; --engine explicit has none".to_owned())
            }
            (EngineName::Explicit, _) => Ok(SpaceSpec::Explicit),
            (other, _) => refuse(format!("--engine {} computes no state space", other.name())),
        }
    }

    /// The same on the net as it is.
    pub fn without_reduction(self) -> Result<SpaceSpec, BadOption> {
        match self {
            SpaceSpec::Symbolic { order, .. } => Ok(SpaceSpec::Symbolic { order, reduce: false }),
            other => Err(BadOption(format!(
                "--no-reduction is for --engine symbolic; --engine {} reduces no net",
                other.name()
            ))),
        }
    }

    /// The engine's name.
    pub fn name(&self) -> &'static str {
        match self {
            SpaceSpec::Symbolic { .. } => EngineName::Symbolic.name(),
            SpaceSpec::Explicit => EngineName::Explicit.name(),
            SpaceSpec::Pins { .. } => EngineName::Pins.name(),
        }
    }
}

impl EngineSpec {
    /// How a state space is computed where properties are checked with this engine.
    pub fn space(&self) -> SpaceSpec {
        match self {
            EngineSpec::Pins { pins, order } => {
                SpaceSpec::Pins { pins: pins.clone(), order: *order }
            }
            EngineSpec::Auto { order, .. } | EngineSpec::Symbolic { order, .. } => {
                SpaceSpec::Symbolic { order: *order, reduce: true }
            }
            EngineSpec::Explicit { .. } | EngineSpec::Hunt { .. } => SpaceSpec::default(),
        }
    }
}

/// What is asked about a net.
#[derive(Clone, Debug)]
pub struct SpaceQuestion<'a> {
    /// The net.
    pub net: &'a Net,
    /// Its structure.
    pub structure: &'a Structure,
    /// How to compute.
    pub spec: &'a SpaceSpec,
    /// What it may use.
    pub budget: &'a Budget,
    /// Where decision diagrams show how far they are.
    pub progress: Option<Arc<Progress>>,
}

/// What becomes known on the way.
#[derive(Debug)]
pub enum SpaceStep<'a> {
    /// Explicit search has come so far.
    Counting(&'a Exploration),
    /// The edges by explicit search, before the tokens are known.
    Counted(&'a Exploration),
    /// The reachable markings are the solutions of so many invariants, and this is their number.
    Solved {
        /// How many markings.
        states: &'a BigUint,
        /// How many equations.
        invariants: usize,
    },
    /// The net fell into parts, which are known now.
    Divided {
        /// How many markings.
        states: &'a BigUint,
        /// How many parts.
        parts: usize,
        /// How many of them differ, and were searched.
        kinds: usize,
    },
    /// The reachable markings as a diagram, and so their number.
    Found(&'a Reached),
    /// All numbers that the equations of a reduced net tell; the edges are still missing.
    Measured(&'a StateSpace),
}

/// The reachable markings as a diagram, and how they were found.
#[derive(Debug)]
pub struct Reached {
    /// How many.
    pub states: BigUint,
    /// The order of levels that did it; guarded commands have none with a name.
    pub order: Option<OrderSpec>,
    /// Orders that were tried.
    pub trials: usize,
    /// Levels of the diagram.
    pub levels: usize,
    /// Nodes of the diagram.
    pub nodes: usize,
    /// Nodes of each level, from the root down.
    pub widths: Vec<usize>,
    /// How many nodes there were, by the work done until then.
    pub growth: Vec<(u64, usize)>,
    /// What the diagrams did.
    pub dd: DdStats,
    /// What the state-vector interface tells.
    pub pins: Option<PinsFigures>,
}

impl Reached {
    pub(crate) fn new(
        dd: &Dd,
        reached: NodeId,
        order: Option<OrderSpec>,
        trials: usize,
        levels: usize,
    ) -> Self {
        let widths = dd.widths(reached);
        Reached {
            states: dd.count(reached),
            order,
            trials,
            levels,
            nodes: widths.iter().sum(),
            widths,
            growth: dd.growth(),
            dd: dd.stats(),
            pins: None,
        }
    }
}

/// The columns of MKBP14 Table 4.
#[derive(Clone, Debug)]
pub struct PinsFigures {
    /// The strategy's name.
    pub strategy: &'static str,
    /// Rows of the matrix that was searched with.
    pub groups: usize,
    /// Its columns.
    pub slots: usize,
    /// How often the model was asked for successors.
    pub next_state_calls: u64,
    /// Calls of `LDD-Next`.
    pub ldd_next_calls: u64,
    /// Nodes of all projections.
    pub projection_nodes: usize,
    /// Nodes of all relations.
    pub relation_nodes: usize,
    /// The group that depends on most slots, the first one if there are several.
    pub widest: Option<WidestGroup>,
}

/// The group that depends on most slots.
#[derive(Clone, Debug)]
pub struct WidestGroup {
    /// Its name.
    pub group: String,
    /// Slots that it depends on.
    pub slots: usize,
    /// Slots that it reads.
    pub reads: usize,
    /// How often it was asked for successors.
    pub next_state_calls: u64,
}

/// What the numbers come to.
#[derive(Clone, Debug)]
pub enum SpaceSize {
    /// A growing run of the net was found, and replayed.
    Unbounded,
    /// All of them.
    Finite(StateSpace),
}

/// Computes the state space of a net.
///
/// ```
/// use brine_check::{Budget, SpaceSize, SpaceQuestion, SpaceSpec, state_space};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let (structure, budget) = (Structure::new(&net), Budget::default());
/// let spec = SpaceSpec::default();
/// let question = SpaceQuestion {
///     net: &net, structure: &structure, spec: &spec, budget: &budget, progress: None,
/// };
/// let SpaceSize::Finite(space) = state_space(&question, &mut |_| ()).unwrap() else { panic!() };
/// assert_eq!(space.states, 2u32.into());
/// ```
pub fn state_space(
    question: &SpaceQuestion<'_>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<SpaceSize, SetupError> {
    let SpaceQuestion { net, structure, spec, budget, .. } = *question;
    if structure.bounds.max().is_none() {
        let growth = find_growth_within(net, &budget.control())?;
        if growth.is_some_and(|run| run.grows(net)) {
            return Ok(SpaceSize::Unbounded);
        }
    }
    let space = match spec {
        SpaceSpec::Symbolic { order, reduce } => symbolically(question, *order, *reduce, tell)?,
        SpaceSpec::Explicit => one_by_one(question, tell)?,
        SpaceSpec::Pins { pins, order } => by_pins(question, pins, *order, tell)?,
    };
    Ok(SpaceSize::Finite(space))
}

fn symbolically(
    question: &SpaceQuestion<'_>,
    order: Option<OrderSpec>,
    reduce: bool,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<StateSpace, SetupError> {
    let mut space = None;
    // Who names an order asks for a diagram of the net.
    if reduce && order.is_none() {
        space = by_invariants(question, tell)?;
        if space.is_none() {
            space = by_parts(question, tell)?;
        }
    }
    if reduce && space.is_none() {
        space = by_equations(question, order, tell)?;
    }
    match space {
        Some(space) if space.edges.is_some() => Ok(space),
        counted => {
            let full = by_saturation(question, order, tell)?;
            let agrees = |s: &StateSpace| StateSpace { edges: None, ..full.clone() } == *s;
            debug_assert!(counted.as_ref().is_none_or(agrees), "{counted:?}, {full:?}");
            Ok(full)
        }
    }
}

/// If the net falls into parts, their numbers put together; one search for parts that are equal.
fn by_parts(
    question: &SpaceQuestion<'_>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<Option<StateSpace>, SetupError> {
    let Some(parts) = Parts::of(question.net, &question.structure.incidence)? else {
        return Ok(None);
    };
    // All of them together have the time of one.
    let whole = question.budget.control();
    let search = |net: &Net| {
        let budget = Budget { time: whole.time_left(), ..question.budget.clone() };
        let structure = Structure::within(net, &whole.without_work());
        let part =
            SpaceQuestion { net, structure: &structure, budget: &budget, ..question.clone() };
        symbolically(&part, None, true, &mut |_| ())
    };
    let mut spaces = Vec::with_capacity(parts.kinds.len());
    for kind in &parts.kinds {
        let looking = kind.looking.iter().map(|(_, net)| search(net));
        let looking = looking.collect::<Result<_, _>>()?;
        spaces.push(KindSpace { space: search(&kind.net)?, looking });
    }
    let space = parts.together(&spaces);
    let (states, kinds) = (&space.states, parts.kinds.len());
    tell(SpaceStep::Divided { states, parts: parts.count(), kinds });
    Ok(Some(space))
}

impl SpaceQuestion<'_> {
    /// The orders to try, and the control of the diagrams.
    pub(crate) fn diagrams(
        &self,
        order: Option<OrderSpec>,
    ) -> Result<(Vec<Candidate>, Control), SetupError> {
        let control = self.budget.search_control().resident_beyond(resident_bytes());
        let control = Control { progress: self.progress.clone(), ..control };
        Ok((candidates_of(order, self.net, self.structure, &control.without_work())?, control))
    }
}

fn by_saturation(
    question: &SpaceQuestion<'_>,
    order: Option<OrderSpec>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<StateSpace, SetupError> {
    let (candidates, control) = question.diagrams(order)?;
    let ReachedSpace { engine, reached, order, trials } =
        reach_with_best(question.net, &candidates, &control)?;
    let levels = engine.model.level_count();
    tell(SpaceStep::Found(&Reached::new(&engine.dd, reached, Some(order), trials, levels)));
    Ok(measure(&engine.dd, &engine.model, reached)?)
}

/// Counts markings and edges, and then looks at all markings once more for their tokens.
fn one_by_one(
    question: &SpaceQuestion<'_>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<StateSpace, Stop> {
    let SpaceQuestion { net, structure, budget, .. } = *question;
    let bounds = place_bounds(net, &structure.bounds);
    let mut markings = Markings::new(net, &bounds, &firing_order(net, 0), budget.control())?;
    let counts = explore(&mut markings, &mut |e| tell(SpaceStep::Counting(e)))?;
    tell(SpaceStep::Counted(&counts));
    let (mut most, mut sum) = (0, 0);
    for id in markings.store().ids() {
        markings.meter.tick()?;
        let marking = markings.marking(id);
        most = most.max(marking.iter().copied().max().map_or(0, u64::from));
        sum = sum.max(marking.iter().map(|&tokens| u64::from(tokens)).sum());
    }
    Ok(StateSpace {
        states: counts.states.into(),
        edges: Some(counts.transitions.into()),
        max_in_place: most,
        max_in_marking: sum,
    })
}

fn by_pins(
    question: &SpaceQuestion<'_>,
    pins: &PinsSpec,
    order: Option<OrderSpec>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<StateSpace, SetupError> {
    let SpaceQuestion { net, structure, .. } = *question;
    let model = NetModel::new(net, &structure.bounds);
    let (candidates, control) = question.diagrams(order)?;
    let run = |candidate: &Candidate, control: &Control| {
        explored(&model, pins, slots(&candidate.layout), control).map_err(|stop| match stop {
            PinsStop::Stop(stop) => stop,
            // The only thing that can go wrong with a net.
            PinsStop::Model(_) => Stop::Overflow,
        })
    };
    let orders = pins.orders(&candidates, &control.without_work())?;
    let done = first_to_finish(&orders, &control, run)?;
    let found: Explored<'_> = done.result;
    tell(SpaceStep::Found(&found.told(&model, pins, Some(done.order), done.trials)));
    let levels = brine_sat::LevelModel::new(net, &layout(&found.plan));
    Ok(measure(&found.explorer.dd, &levels, found.reached)?)
}

/// The slots of a layout with one place a level, top level first.
fn slots(layout: &Layout) -> Vec<SlotId> {
    layout.levels.iter().rev().flatten().map(|p| SlotId(p.0)).collect()
}

/// The layout of a plan for a net.
fn layout(plan: &Plan) -> Layout {
    Layout { levels: plan.order.iter().rev().map(|s| vec![PlaceId(s.0)]).collect() }
}

/// A finished exploration through the state-vector interface.
struct Explored<'m> {
    explorer: Explorer<'m>,
    reached: NodeId,
    plan: Plan,
}

/// Explores a model whose slots come in `order`, top level first.
fn explored<'m>(
    model: &'m dyn Pins,
    pins: &PinsSpec,
    order: Vec<SlotId>,
    control: &Control,
) -> Result<Explored<'m>, PinsStop> {
    control.look().map_err(PinsStop::Stop)?;
    let plan = pins.matrix.plan(model, order);
    control.look().map_err(PinsStop::Stop)?;
    let run = || {
        let mut explorer = Explorer::new(model, &plan, control.clone());
        let reached = explorer.reach(pins.strategy)?;
        Ok((explorer, reached))
    };
    // A thread that the system refuses is a lack of memory.
    let (explorer, reached) =
        with_deep_stack(model.slots(), run).unwrap_or(Err(PinsStop::Stop(Stop::Memory)))?;
    Ok(Explored { explorer, reached, plan })
}

impl Explored<'_> {
    fn told(
        &self,
        model: &dyn Pins,
        pins: &PinsSpec,
        order: Option<OrderSpec>,
        trials: usize,
    ) -> Reached {
        let Explored { explorer, reached, plan } = self;
        let found = Reached::new(&explorer.dd, *reached, order, trials, plan.order.len());
        let (counters, sizes) = (explorer.counters(), explorer.sizes());
        let groups = plan.groups.iter().zip(&counters.next_state).rev();
        let widest = groups.max_by_key(|(g, _)| g.entries.len()).map(|(g, &calls)| WidestGroup {
            group: g.members.first().map_or_else(String::new, |&m: &GroupId| model.group_name(m)),
            slots: g.entries.len(),
            reads: g.entries.iter().filter(|e| e.1.reads()).count(),
            next_state_calls: calls,
        });
        let figures = PinsFigures {
            strategy: pins.strategy.name(),
            groups: plan.groups.len(),
            slots: plan.order.len(),
            next_state_calls: counters.next_state.iter().sum(),
            ldd_next_calls: counters.ldd_next,
            projection_nodes: sizes.projections,
            relation_nodes: sizes.relations,
            widest,
        };
        Reached { pins: Some(figures), ..found }
    }
}

/// The states of a model that is no net, one at a time, and the steps between them. What
/// the model's text forbids is counted.
pub fn explored_space(
    model: &dyn Pins,
    seed: u64,
    control: Control,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<ExplicitSpace, PinsStop> {
    let mut vectors = Vectors::ordered(model, seed, control)?;
    let counts = enumerate(&mut vectors, &mut |e| tell(SpaceStep::Counting(e)))?;
    tell(SpaceStep::Counted(&counts));
    Ok(ExplicitSpace {
        counts,
        bytes: vectors.store().bytes(),
        words: vectors.store().words(),
        complaint: vectors.complaint(),
    })
}

/// What partial-order reduction leaves of the states of a model that is no net; `seed` shuffles its
/// groups (0: as they are).
pub fn reduced_space(
    model: &dyn Pins,
    (proviso, choice): (Proviso, Choice),
    seed: u64,
    control: Control,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<ExplicitSpace, PinsStop> {
    let vectors = Vectors::ordered(model, seed, control)?;
    let mut watch = |e: &Exploration| tell(SpaceStep::Counting(e));
    let (vectors, counts) = explore_reduced(vectors, proviso, choice, &mut watch);
    let counts = counts?;
    tell(SpaceStep::Counted(&counts));
    let (bytes, words) = (vectors.store().bytes(), vectors.store().words());
    Ok(ExplicitSpace { counts, bytes, words, complaint: None })
}

/// A model's states as explicit search found them.
#[derive(Clone, Debug)]
pub struct ExplicitSpace {
    /// What was counted.
    pub counts: Exploration,
    /// Bytes of the stored states.
    pub bytes: u64,
    /// Words of a stored state.
    pub words: usize,
    /// What the model's text forbids, if it was met: in how many states, and what first.
    pub complaint: Option<(u64, String)>,
}

/// The orders to try for a model that is no net: the one that is named, or several, the model's
/// own first. When the matrix says where its columns go, the model's own is enough.
pub fn model_orders(
    model: &dyn Pins,
    pins: &PinsSpec,
    order: Option<OrderSpec>,
    control: &Control,
) -> Result<Vec<Candidate>, SetupError> {
    let mut h = Hypergraph::without_edges(model.slots());
    for group in (0..model.groups() as u32).map(GroupId) {
        let row = model.row(group);
        let of = |slots: &[SlotId]| slots.iter().map(|s| s.0).collect::<Vec<u32>>();
        h.add_edge(of(row.read()), of(row.may_write()));
    }
    let given = OrderSpec {
        grouping: Some(Grouping::Places),
        heuristic: Heuristic::Given,
        force: false,
        reversed: false,
    };
    let sorted = pins.matrix.regroup.0.iter().any(|o| o.moves_columns());
    let spec = match order {
        Some(spec) if matches!(spec.grouping, Some(Grouping::Nupn | Grouping::Units)) => {
            let message = format!("--order {spec}: models that are no nets have no units");
            return Err(BadOption(message).into());
        }
        Some(spec) => spec,
        None if sorted => given,
        None => return Ok(candidates_of_hypergraph(&h, control)?),
    };
    let permutation = spec.permutation(&h, &mut control.pace())?;
    let levels = permutation.iter().rev().map(|&v| vec![PlaceId(v)]).collect();
    Ok(vec![Candidate { spec, layout: Layout { levels }, score: 0.0 }])
}

/// The state space of a model that is no net, by diagrams: the number of its edges. Orders are
/// tried in turns of growing length.
pub fn model_space(
    model: &dyn Pins,
    pins: &PinsSpec,
    orders: &[Candidate],
    control: &Control,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<BigUint, PinsStop> {
    let run = |candidate: &Candidate, control: &Control| {
        match explored(model, pins, slots(&candidate.layout), control) {
            Ok(found) => Ok(Ok(found)),
            Err(PinsStop::Stop(stop)) => Err(stop),
            // It goes wrong whatever the order: the end of all trials.
            Err(PinsStop::Model(error)) => Ok(Err(error)),
        }
    };
    let done = first_to_finish(orders, control, run)?;
    let mut found = done.result?;
    tell(SpaceStep::Found(&found.told(model, pins, Some(done.order), done.trials)));
    let Explored { explorer, reached, .. } = &mut found;
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(model.slots(), || explorer.edges(*reached))
        .unwrap_or(Err(PinsStop::Stop(Stop::Memory)))
}
