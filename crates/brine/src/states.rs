//! How many states a model has.

use crate::language::LanguageModel;
use crate::model::{Body, PlainNet};
use crate::options::Limits;
use crate::{Error, Model, Options};
use brine_check::{
    EngineName, SetupError, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep, explored_space,
    model_orders, model_space, state_space,
};
use brine_pins::PinsStop;
use brine_run::{Control, Stop, resident_bytes};
use brine_sat::StateSpace;
use num_bigint::BigUint;
use std::fmt;
use std::time::Duration;

/// A number that may be infinite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Size {
    /// This many.
    Finite(BigUint),
    /// A growing run was found, and replayed.
    Unbounded,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Finite(number) => number.fmt(f),
            Size::Unbounded => f.write_str("+inf"),
        }
    }
}

/// The numbers of a state space. What is `None` was not computed: [`States::reason`] says why, or
/// the model is no net and has no tokens.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct States {
    /// Reachable markings.
    pub states: Option<Size>,
    /// Edges of the graph of markings.
    pub transitions: Option<Size>,
    /// The most tokens in a place.
    pub max_token_in_place: Option<Size>,
    /// The most tokens in a marking.
    pub max_token_per_marking: Option<Size>,
    /// Which budget ran out, if one did: `timeout`, `memory`, `cancelled`.
    pub reason: Option<String>,
    /// The engine.
    pub engine: String,
    /// The order of levels, if there are any.
    pub order: Option<String>,
    /// The most nodes of decision diagrams.
    pub peak_nodes: Option<usize>,
    /// How long it took.
    pub time: Duration,
}

impl Model {
    /// Counts the states. A budget that runs out leaves numbers open and says so.
    ///
    /// ```
    /// use brine::{Model, NetBuilder, Options, Size};
    /// let mut net = NetBuilder::new("source");
    /// let p = net.place("p", 0);
    /// net.transition("make", &[], &[(p, 1)]);
    /// let states = Model::from_net(net.build()?)?.states(&Options::new())?;
    /// assert_eq!(states.states, Some(Size::Unbounded));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn states(&self, options: &Options) -> Result<States, Error> {
        let limits = options.start();
        let mut states = States::default();
        let stopped = match self.body() {
            Body::Language(model) => count_model(model, options, &limits, &mut states)?,
            _ => match self.plain(&limits) {
                Ok(plain) => count_net(plain, options, &limits, &mut states)?,
                Err(error) if error.kind == crate::ErrorKind::Stopped => Some(limits.stop()),
                Err(error) => return Err(error),
            },
        };
        states.reason = stopped.map(|stop| stop.word().to_owned());
        states.time = limits.began.elapsed();
        Ok(states)
    }
}

impl States {
    /// Keeps what became known.
    fn learn(&mut self, step: &SpaceStep<'_>) {
        match step {
            SpaceStep::Counting(_) | SpaceStep::Measured(_) => (),
            SpaceStep::Counted(counts) => {
                self.states = Some(Size::Finite(counts.states.into()));
                self.transitions = Some(Size::Finite(counts.transitions.into()));
            }
            SpaceStep::Solved { states, .. } | SpaceStep::Divided { states, .. } => {
                self.states = Some(Size::Finite((*states).clone()));
            }
            SpaceStep::Found(found) => {
                self.states = Some(Size::Finite(found.states.clone()));
                self.order = found.order.map(|order| order.to_string());
                self.peak_nodes = Some(found.dd.peak_nodes);
            }
        }
    }

    /// Takes all numbers of a net. Tokens of a coloured net that never move are not in its unfolded
    /// net, but they are counted.
    fn measure(&mut self, model: &brine_pnml::Model, space: &StateSpace) {
        let in_place = space.max_in_place.max(model.most_idle_tokens());
        let in_marking = space.max_in_marking.saturating_add(model.idle_tokens());
        self.states = Some(Size::Finite(space.states.clone()));
        self.transitions = space.edges.clone().map(Size::Finite);
        self.max_token_in_place = Some(Size::Finite(in_place.into()));
        self.max_token_per_marking = Some(Size::Finite(in_marking.into()));
    }
}

fn count_net(
    plain: &PlainNet,
    options: &Options,
    limits: &Limits,
    states: &mut States,
) -> Result<Option<Stop>, Error> {
    let spec = options.space()?;
    states.engine = spec.name().to_owned();
    let structure = plain.structure(limits.control());
    let budget = limits.budget();
    let budget = match spec {
        // Explicit search counts its own bytes, diagrams those of the process.
        SpaceSpec::Explicit => budget,
        _ => brine_check::Budget { memory: None, ..budget },
    };
    let progress = options.watched();
    let question = SpaceQuestion {
        net: plain.net(),
        structure: &structure,
        spec: &spec,
        budget: &budget,
        progress,
    };
    let size = state_space(&question, &mut |step| match step {
        SpaceStep::Measured(space) => states.measure(&plain.model, space),
        step => states.learn(&step),
    });
    match size {
        Ok(SpaceSize::Finite(space)) => states.measure(&plain.model, &space),
        Ok(SpaceSize::Unbounded) => {
            states.states = Some(Size::Unbounded);
            states.transitions = Some(Size::Unbounded);
            states.max_token_in_place = Some(Size::Unbounded);
            states.max_token_per_marking = Some(Size::Unbounded);
        }
        Err(SetupError::Stop(stop)) => return Ok(Some(stop)),
        Err(SetupError::BadOption(option)) => return Err(option.into()),
    }
    Ok(None)
}

fn count_model(
    model: &LanguageModel,
    options: &Options,
    limits: &Limits,
    states: &mut States,
) -> Result<Option<Stop>, Error> {
    let mut engine = options.engine_options()?;
    if engine.engine.is_none_or(|e| e == EngineName::Auto) {
        let diagrams = engine.of_pins().is_some() || engine.order.is_some();
        let explicit = model.is_dve() && !diagrams;
        engine.engine = Some(if explicit { EngineName::Explicit } else { EngineName::Pins });
    }
    let spec = SpaceSpec::new(&engine)?;
    states.engine = spec.name().to_owned();
    let control = limits.budget().control();
    let control = Control { progress: options.watched(), ..control };
    let result = match &spec {
        SpaceSpec::Explicit => {
            explored_space(model.pins(), 0, control, &mut |step| states.learn(&step)).map(|_| ())
        }
        SpaceSpec::Pins { pins, order } => {
            let control = control.resident_beyond(resident_bytes());
            let orders = match model_orders(model.pins(), pins, *order, &control) {
                Ok(orders) => orders,
                Err(SetupError::Stop(stop)) => return Ok(Some(stop)),
                Err(SetupError::BadOption(option)) => return Err(option.into()),
            };
            let tell = &mut |step: SpaceStep<'_>| states.learn(&step);
            let edges = model_space(model.pins(), pins, &orders, &control, tell);
            edges.map(|edges| states.transitions = Some(Size::Finite(edges)))
        }
        SpaceSpec::Symbolic { .. } => {
            return Err(Error::options("this engine needs a net; models have pins and explicit"));
        }
    };
    match result {
        Ok(()) => Ok(None),
        Err(PinsStop::Stop(stop)) => Ok(Some(stop)),
        Err(PinsStop::Model(error)) => Err(Error::input(error.to_string())),
    }
}
