//! State spaces without a search of the net: by its invariants, or by reduce, count and expand.
//!
//! If all solutions of the invariants are reachable, they are counted ([`by_invariants`],
//! [`brine_reduce::solutions`]). Otherwise ([`by_equations`]) the net is made smaller by rules that keep its markings recoverable
//! ([`brine_reduce::markings`]), the smaller net is saturated, and the numbers of the original
//! net are read off its diagram with weights ([`brine_sat::Weighting`]). Edges that the
//! equations do not tell are left to saturation of the net itself, by the caller.

use crate::space::{Reached, SpaceQuestion, SpaceStep};
use crate::spec::SetupError;
use brine_net::Structure;
use brine_net::order::OrderSpec;
use brine_reduce::markings::{ExpandedGuard, Expansion, Linear, MarkingOptions, reduce_markings};
use brine_reduce::solutions::{MOST_PROOF_WORK, SolutionNumbers, SolutionSpace};
use brine_run::Stop;
use brine_sat::{
    ReachedSpace, StateSpace, Weighting, measure_weighted, place_maxima, reach_with_best,
    weighted_count,
};

/// The numbers of a net whose reachable markings are proved to be the solutions of its invariants.
pub(crate) fn by_invariants(
    question: &SpaceQuestion<'_>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<Option<StateSpace>, SetupError> {
    let control = question.budget.control().without_work();
    let (net, structure) = (question.net, question.structure);
    let solutions = SolutionSpace::prove(net, structure, MOST_PROOF_WORK, &control)?;
    let Some(solutions) = solutions else { return Ok(None) };
    let numbers = match solutions.count(&[], &control) {
        Ok(states) => {
            tell(SpaceStep::Solved { states: &states, invariants: solutions.invariants() });
            solutions.numbers(states, &control)
        }
        Err(stop) => Err(stop),
    };
    match numbers {
        // Numbers too large for tables: without them it may still be possible.
        Err(Stop::Memory | Stop::Overflow) => Ok(None),
        numbers => {
            let SolutionNumbers { states, edges, max_in_place, max_in_marking } = numbers?;
            Ok(Some(StateSpace { states, edges: Some(edges), max_in_place, max_in_marking }))
        }
    }
}

/// The numbers of a net by its equations, if it can be reduced. The edges may be missing; then
/// the others were told.
pub(crate) fn by_equations(
    question: &SpaceQuestion<'_>,
    order: Option<OrderSpec>,
    tell: &mut dyn FnMut(SpaceStep<'_>),
) -> Result<Option<StateSpace>, SetupError> {
    let control = question.budget.control().without_work();
    let options = MarkingOptions { control: control.clone(), ..MarkingOptions::default() };
    let reduction = reduce_markings(question.net, &options)?;
    if !reduction.is_smaller() {
        return Ok(None);
    }
    let structure = Structure::within(&reduction.net, &control);
    let smaller = SpaceQuestion { net: &reduction.net, structure: &structure, ..question.clone() };
    let (candidates, control) = match smaller.diagrams(order) {
        // The order is one of the net, but not of the smaller one.
        Err(SetupError::BadOption(_)) => return Ok(None),
        other => other?,
    };
    let ReachedSpace { engine, reached, order, trials } =
        reach_with_best(smaller.net, &candidates, &control)?;
    let (dd, model) = (&engine.dd, &engine.model);
    let maxima = place_maxima(dd, model, reached);
    let weighting = match reduction.expand(&maxima, &control.without_work()) {
        // Numbers too large for tables: without equations it may still be possible.
        Err(Stop::Memory | Stop::Overflow) => return Ok(None),
        expansion => weighting(expansion?),
    };
    let states = weighted_count(dd, model, reached, &weighting)?;
    let found = Reached::new(dd, reached, Some(order), trials, model.level_count());
    tell(SpaceStep::Found(&Reached { states: states.clone(), ..found }));
    let space = measure_weighted(dd, model, reached, &weighting, states, &maxima)?;
    if space.edges.is_none() {
        tell(SpaceStep::Measured(&space));
    }
    Ok(Some(space))
}

fn weighting(expansion: Expansion) -> Weighting {
    let Expansion { factor, weights, guards, all_tokens, tokens_of_places } = expansion;
    let linear = |f: Linear| (f.offset, f.terms);
    let tells_edges = guards.is_some();
    let (excess, guards): (Vec<_>, Vec<_>) =
        guards.into_iter().flatten().partition(|g| g.is_excess);
    let plain = |all: Vec<ExpandedGuard>| all.into_iter().map(|g| (g.times, g.tables)).collect();
    Weighting {
        factor,
        weights,
        tells_edges,
        guards: plain(guards),
        excess: plain(excess),
        all_tokens: linear(all_tokens),
        tokens_of_places: tokens_of_places.into_iter().map(linear).collect(),
    }
}
