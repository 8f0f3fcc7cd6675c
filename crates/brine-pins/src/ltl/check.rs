//! One question about one product.

use brine_dd::{Control, NodeId, Stop, with_deep_stack};
use brine_ltl::Automaton;
use brine_net::Run;
use num_bigint::BigUint;

use super::hull::hull;
use super::lasso::Tracer;
use super::product::PinsProduct;
use crate::explorer::Explorer;
use crate::interface::{Pins, PinsStop, SlotId};
use crate::plan::Plan;
use crate::reach::Strategy;
use crate::regroup::MatrixOptions;

/// A question: has the model a run that the automaton accepts?
pub struct PinsQuestion<'a> {
    /// The model; its labels are the automaton's atoms, in the same order.
    pub model: &'a dyn Pins,
    /// Accepts exactly the violations.
    pub violations: &'a Automaton,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PinsAnswer {
    /// There is no such run.
    None,
    /// There is one; the run itself, unless finding it took too long.
    Violation(Result<Run, PinsStop>),
}

/// Figures of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PinsSearchFigures {
    /// Reachable product states.
    pub product_states: BigUint,
    /// Most nodes at any time.
    pub peak_nodes: u64,
    /// Next-state calls.
    pub next_state: u64,
    /// LDD-Next calls.
    pub ldd_next: u64,
}

/// Answers the question with the model's slots in `order`, top level first; those of the
/// product come below them. `search` limits the search itself, `witness` gives the limits for
/// finding the run once a violation is known.
pub fn check(
    question: &PinsQuestion<'_>,
    order: Vec<SlotId>,
    matrix: &MatrixOptions,
    strategy: Strategy,
    search: &Control,
    witness: impl FnOnce() -> Control + Send,
) -> Result<(PinsAnswer, PinsSearchFigures), PinsStop> {
    let product = PinsProduct::new(question.model, question.violations);
    // The phase above the automaton: steps of the model end there.
    let order = [order, vec![product.phase_slot(), product.control_slot()]].concat();
    search.look().map_err(PinsStop::Stop)?;
    let plan = matrix.plan(&product, order);
    search.look().map_err(PinsStop::Stop)?;
    let run = || answer(&product, &plan, strategy, search, witness);
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(product.slots(), run).unwrap_or(Err(PinsStop::Stop(Stop::Memory)))
}

fn answer(
    product: &PinsProduct<'_>,
    plan: &Plan,
    strategy: Strategy,
    search: &Control,
    witness: impl FnOnce() -> Control,
) -> Result<(PinsAnswer, PinsSearchFigures), PinsStop> {
    let mut explorer = Explorer::new(product, plan, search.clone());
    let reached = explorer.reach(strategy)?;
    let whole = whole_states(&mut explorer, product, reached)?;
    let product_states = explorer.dd.count(whole);
    let dead = dead_violations(&mut explorer, product, whole)?;
    explorer.dd.protect(dead);
    let cycles = match dead {
        NodeId::EMPTY => hull(&mut explorer, product, strategy, reached)?,
        _ => NodeId::EMPTY,
    };
    let answer = if dead == NodeId::EMPTY && cycles == NodeId::EMPTY {
        PinsAnswer::None
    } else {
        explorer.dd.set_control(witness());
        let mut tracer = Tracer { explorer: &mut explorer, product, strategy };
        PinsAnswer::Violation(match dead {
            NodeId::EMPTY => tracer.run_to_cycle(cycles),
            _ => tracer.run_to_dead(dead),
        })
    };
    let figures = PinsSearchFigures {
        product_states,
        peak_nodes: explorer.dd.stats().peak_nodes as u64,
        next_state: explorer.counters().next_state.iter().sum(),
        ldd_next: explorer.counters().ldd_next,
    };
    Ok((answer, figures))
}

/// The states of `set` that are states of the product: those in which the automaton reads.
fn whole_states(
    explorer: &mut Explorer<'_>,
    product: &PinsProduct<'_>,
    set: NodeId,
) -> Result<NodeId, PinsStop> {
    explorer.filter(set, &[product.phase_slot()], |v| Ok(PinsProduct::is_whole(v[0])))
}

/// The states of `whole` that are dead in the model and whose automaton accepts what it then
/// reads for ever.
fn dead_violations(
    explorer: &mut Explorer<'_>,
    product: &PinsProduct<'_>,
    whole: NodeId,
) -> Result<NodeId, PinsStop> {
    let dead = explorer.without_steps(whole, product.model)?;
    let slots = product.letter_slots();
    explorer.filter(dead, &slots, |values| product.accepts_for_ever(&slots, values))
}
