//! The skeleton: the plain net that is left when colours are forgotten.
//!
//! It has the places and transitions of the coloured net, with the same numbers. A place
//! holds its tokens of all colours, an arc weighs as many tokens as its expression has
//! (`cardinality`), guards are dropped. An expression whose number of tokens depends on the
//! binding, or does not fit 32 bits, makes its place *unknown*: unknown places have no arcs
//! here and stay empty.
//!
//! *Forgetting.* A coloured marking forgets to the marking that has, in each known place, the
//! number of its tokens, and nothing in the unknown ones. The initial marking forgets to the
//! initial one. If a binding of `t` is enabled, every known input place holds at least as many
//! tokens as the arc takes, so `t` is enabled in the skeleton; and firing it changes each
//! known place by what the arcs weigh. So **every run of the coloured net forgets to a firing
//! sequence of the skeleton**. The converse is false: tokens of the wrong colours, or a guard,
//! may keep a transition from firing, and a marking may be dead although its skeleton is not.
//!
//! *Exact transitions.* Of some transitions enough is known for the converse: `t` is exact if
//! it has no guard and takes from every input place a sum of single tokens, each of which may
//! have any colour: its components are variables that occur nowhere else in the input arcs,
//! may have every value of their sort and are seen through a function that goes round, or
//! belong to sorts with one value only. In a marking that holds enough tokens in every input
//! place, choose any of them and read the values of the variables off: a binding is
//! enabled. (Variables of output arcs alone have some value.) So an exact transition is enabled
//! if and only if the skeleton enables it.
//!
//! Cost: that of the cardinalities, linear in the net as it is written.

use crate::cardinality::Scope;
use crate::guards::{Conjunct, GuardOp};
use crate::net::{ColouredArc, ColouredNet, ColouredTransition};
use crate::terms::{BagOp, Component, Map};
use brine_net::{Net, NetBuilder, NetError, PlaceId, TransitionId};
use brine_run::Control;

/// A coloured net without its colours, and how much of it that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skeleton {
    net: Net,
    known: Vec<bool>,
    exact: Vec<bool>,
}

impl Skeleton {
    /// Forgets the colours.
    pub fn new(net: &ColouredNet, control: &Control) -> Result<Skeleton, NetError> {
        let mut pace = control.pace();
        let counts = TokenCounts::new(net);
        pace.steps(net.places.len() + net.arcs)?;
        let known = counts.known_places(net);
        let mut builder = NetBuilder::new(&net.name);
        for (i, place) in net.places.iter().enumerate() {
            let tokens = counts.initial[i].filter(|_| known[i]).unwrap_or(0);
            builder.named_place(&place.id, &place.name, tokens);
        }
        let mut exact = Vec::with_capacity(net.transitions.len());
        for (transition, (inputs, outputs)) in net.transitions.iter().zip(&counts.arcs) {
            let arcs = |arcs: &[ColouredArc], weights: &[Option<u32>]| {
                let known = arcs.iter().zip(weights).filter(|(arc, _)| known[arc.place]);
                let weighted = |(arc, w): (&ColouredArc, &Option<u32>)| {
                    Some((PlaceId(arc.place as u32), (*w)?))
                };
                known.filter_map(weighted).collect::<Vec<_>>()
            };
            builder.named_transition(
                &transition.id,
                &transition.name,
                &arcs(&transition.inputs, inputs),
                &arcs(&transition.outputs, outputs),
            );
            let complete = transition.inputs.iter().all(|arc| known[arc.place]);
            exact.push(complete && takes_any_tokens(net, transition));
        }
        let skeleton = Skeleton { net: builder.build_within(control)?, known, exact };
        debug_assert!(skeleton.unknown_places_are_isolated());
        Ok(skeleton)
    }

    /// The plain net. What is true of it need not be true of the coloured net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Does the skeleton count the tokens of this place?
    pub fn knows(&self, p: PlaceId) -> bool {
        self.known[p.index()]
    }

    /// Has the transition an enabled binding if, not only when, the skeleton enables it?
    pub fn is_exact(&self, t: TransitionId) -> bool {
        self.exact[t.index()]
    }

    fn unknown_places_are_isolated(&self) -> bool {
        let mut arcs = self.net.transitions().flat_map(|t| t.pre.iter().chain(t.post));
        arcs.all(|&(p, _)| self.knows(p))
    }
}

/// The weights of a transition's input and output arcs.
type ArcWeights = (Vec<Option<u32>>, Vec<Option<u32>>);

/// How many tokens every expression of a net has; `None` where that is not known.
struct TokenCounts {
    initial: Vec<Option<u32>>,
    arcs: Vec<ArcWeights>,
}

impl TokenCounts {
    fn new(net: &ColouredNet) -> Self {
        let fits = |count: Option<u64>| count.and_then(|count| u32::try_from(count).ok());
        let start = Scope::start(&net.sorts);
        let initial = net.places.iter().map(|place| match &place.initial {
            Some(bag) => fits(start.cardinality(bag)),
            None => Some(0),
        });
        let arcs = net.transitions.iter().map(|transition| {
            let scope = Scope::of(&net.sorts, transition);
            let weights = |arcs: &[ColouredArc]| {
                arcs.iter().map(|arc| fits(scope.cardinality(&arc.bag))).collect()
            };
            (weights(&transition.inputs), weights(&transition.outputs))
        });
        TokenCounts { initial: initial.collect(), arcs: arcs.collect() }
    }

    /// The places with no expression whose number of tokens is not known.
    fn known_places(&self, net: &ColouredNet) -> Vec<bool> {
        let mut known: Vec<bool> = self.initial.iter().map(Option::is_some).collect();
        for (transition, (inputs, outputs)) in net.transitions.iter().zip(&self.arcs) {
            let arcs = transition.inputs.iter().zip(inputs);
            for (arc, weight) in arcs.chain(transition.outputs.iter().zip(outputs)) {
                known[arc.place] &= weight.is_some();
            }
        }
        known
    }
}

/// Has it an enabled binding wherever its input places hold enough tokens, of any colours?
fn takes_any_tokens(net: &ColouredNet, transition: &ColouredTransition) -> bool {
    let is_true = |conjunct: &Conjunct| matches!(conjunct[..], [GuardOp::Constant(true)]);
    let mut used = vec![false; transition.variables.len()];
    transition.guard.iter().all(is_true)
        && transition.variables.iter().all(|variable| variable.choices() > 0)
        && transition.inputs.iter().all(|arc| is_any_sum(net, transition, arc, &mut used))
}

/// Is the arc a sum of single tokens of any colours? Marks the variables in `used`.
fn is_any_sum(
    net: &ColouredNet,
    transition: &ColouredTransition,
    arc: &ColouredArc,
    used: &mut [bool],
) -> bool {
    let single = |i: usize| net.sorts.get(arc.bag.sort[i]).size() == 1;
    if (0..arc.bag.sort.len()).all(single) {
        return true;
    }
    let mut any_value = |component: &Component| match component {
        Component::Variable { variable, map: Map::Shift { .. } } => {
            transition.variables[*variable].part.is_none()
                && !std::mem::replace(&mut used[*variable], true)
        }
        _ => false,
    };
    arc.bag.ops.iter().all(|op| match op {
        BagOp::Empty | BagOp::Add(_) | BagOp::Push { count: 0, .. } => true,
        BagOp::Push { count: 1, offset: 0, colour } => {
            colour.iter().enumerate().all(|(i, component)| single(i) || any_value(component))
        }
        _ => false,
    })
}
