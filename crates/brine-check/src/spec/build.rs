//! From a description to an engine for one net, or for a model of guarded commands.

use super::{EngineSpec, PinsSpec};
use crate::auto::{Auto, Stages};
use crate::automaton::{Violations, decide_automaton};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, FairProperty, decide_fair};
use crate::engine::{BadOption, Engine};
use crate::explicit::ExplicitEngine;
use crate::hunt::HuntEngine;
use crate::model::ModelEngine;
use crate::pins::PinsEngine;
use crate::symbolic::SymbolicEngine;
use brine_explicit::hunt::HuntOptions;
use brine_net::order::{Candidate, Grouping, Heuristic, Layout, OrderSpec, candidates_within};
use brine_net::{Net, Structure};
use brine_pins::MatrixOperation;
use brine_run::{Control, Stop};
use std::ops::Deref;

/// Who decides the properties of a net.
pub enum Decider<'n> {
    /// One engine.
    Engine(Box<dyn Engine + 'n>),
    /// All of them.
    Auto(Box<Auto<'n>>),
}

impl<'n> Decider<'n> {
    /// Decides a property of the net, of all its runs or of the fair ones.
    pub fn decide(
        &mut self,
        property: impl Into<FairProperty<'n>>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        match self {
            Decider::Engine(engine) => decide_fair(&mut **engine, property.into(), budget),
            Decider::Auto(auto) => auto.decide(property, budget),
        }
    }

    /// Decides that an automaton accepts no run of the net.
    pub fn decide_automaton(
        &mut self,
        net: &Net,
        violations: &Violations,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        match self {
            Decider::Engine(engine) => decide_automaton(&mut **engine, net, violations, budget),
            Decider::Auto(auto) => auto.decide_automaton(violations, budget),
        }
    }
}

/// Why an engine could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// An option does not fit the net.
    #[error(transparent)]
    BadOption(#[from] BadOption),
    /// A budget ended before all was ready.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl EngineSpec {
    /// The engine for a net; orders of levels may take long to find.
    ///
    /// The structure may be one that is worked out when it is first looked at: the hunt does
    /// without.
    pub fn build<'n>(
        &self,
        net: &'n Net,
        structure: &'n impl Deref<Target = Structure>,
        control: &Control,
    ) -> Result<Decider<'n>, SetupError> {
        let engine: Box<dyn Engine + 'n> = match self {
            EngineSpec::Auto { stages, order } => {
                if order.is_some() {
                    // An order that the net cannot have is a mistake here, too.
                    candidates_of(*order, net, structure, control)?;
                }
                let auto = Auto::new(net, structure, *stages).with_order(*order);
                return Ok(Decider::Auto(Box::new(auto)));
            }
            EngineSpec::Explicit { emptiness, seed, por } => {
                let engine = ExplicitEngine::new(net, structure, *emptiness, *seed);
                Box::new(engine.with_por(*por))
            }
            EngineSpec::Hunt { seed } => {
                let options = HuntOptions { seed: *seed, ..HuntOptions::default() };
                Box::new(HuntEngine::new(net, options))
            }
            EngineSpec::Symbolic { method, order } => {
                let candidates = candidates_of(*order, net, structure, control)?;
                let name = self.name().name();
                Box::new(SymbolicEngine::new(name, net, structure, *method, candidates))
            }
            EngineSpec::Pins { pins, order } => {
                let candidates = candidates_of(*order, net, structure, control)?;
                let orders = pins.orders(&candidates, control)?;
                let (strategy, matrix) = (pins.strategy, pins.matrix.clone());
                Box::new(PinsEngine::new(net, structure, strategy, matrix, orders))
            }
        };
        Ok(Decider::Engine(engine))
    }

    /// The engine for a model that is no net; `explicit` says what `auto` is.
    pub fn build_for_model(&self, explicit: bool) -> Result<ModelEngine, BadOption> {
        let refuse = |message: &str| Err(BadOption(message.to_owned()));
        let (pins, order) = match self {
            EngineSpec::Auto { stages, .. } if *stages != Stages::default() => {
                return refuse("--without needs a net");
            }
            EngineSpec::Auto { order: None, .. } if explicit => {
                return Ok(ModelEngine::explicit(None));
            }
            EngineSpec::Explicit { emptiness, seed, por } => {
                return Ok(ModelEngine::explicit(*emptiness).with_por(*por, *seed));
            }
            EngineSpec::Auto { order, .. } => (PinsSpec::default(), order),
            EngineSpec::Pins { pins, order } => (pins.clone(), order),
            _ => {
                return refuse("this engine needs a net; models have --engine pins and explicit");
            }
        };
        if order.is_some() {
            return refuse("--order is for nets; --regroup orders the variables of models");
        }
        Ok(ModelEngine::new(pins.strategy, pins.matrix))
    }
}

/// The orders to try, the most promising first: the one that was named, or all.
pub(crate) fn candidates_of(
    order: Option<OrderSpec>,
    net: &Net,
    structure: &Structure,
    control: &Control,
) -> Result<Vec<Candidate>, SetupError> {
    let Some(spec) = order else { return Ok(candidates_within(net, structure, control)?) };
    let layout = spec.layout_within(net, structure, control)?.ok_or_else(|| {
        BadOption(format!("--order {spec}: this net has no such groups; try places/"))
    })?;
    Ok(vec![Candidate { spec, layout, score: 0.0 }])
}

impl PinsSpec {
    /// Orders of levels with one place each: slots are places. When the matrix says where its
    /// columns go, the orders to start from do not matter, and one is enough.
    pub(crate) fn orders(
        &self,
        candidates: &[Candidate],
        control: &Control,
    ) -> Result<Vec<Candidate>, Stop> {
        let single = |candidate: &Candidate| {
            let places = candidate.layout.levels.iter().flatten();
            let layout = Layout { levels: places.map(|&p| vec![p]).collect() };
            Candidate { layout, ..candidate.clone() }
        };
        let sorted = self.matrix.regroup.0.contains(&MatrixOperation::ColumnSort);
        let count = if sorted { 1 } else { candidates.len() };
        let mut orders: Vec<Candidate> = Vec::new();
        for candidate in candidates.iter().take(count) {
            control.look()?;
            orders.push(single(candidate));
        }
        // The scores were made for groups of places. Authors write places in an order that
        // makes sense, so theirs is the second to be tried (Vasy2003 is done by no other).
        let given = OrderSpec {
            grouping: Some(Grouping::Places),
            heuristic: Heuristic::Given,
            force: false,
            reversed: false,
        };
        if let Some(at) = orders.iter().skip(1).position(|c| c.spec == given) {
            orders[1..=at + 1].rotate_right(1);
        }
        Ok(orders)
    }
}
