//! One automaton against one model: choose a search, run it, name the run it found.

use crate::product::VectorProduct;
use crate::vectors::Vectors;
use brine_explicit::check::{fits, prepared, suggested};
use brine_explicit::emptiness::{Accepts, Emptiness, shorten};
use brine_explicit::graph::{Graph, Lasso, SearchStats};
use brine_explicit::{Misfit, Stop};
use brine_ltl::Automaton;
use brine_net::{Run, TransitionId};
use brine_pins::{Labelled, Pins, PinsStop};
use brine_run::Control;
use std::sync::Arc;

/// Lassos up to this length are short enough.
const SHORT: usize = 10;
/// A longer lasso is shortened by looking at so many states.
const SHORTEN: usize = 100_000;

/// What a search found.
#[derive(Debug)]
pub struct VectorAnswer {
    /// A run that the automaton accepts, or none if there is none, or why it is not known.
    pub run: Result<Option<Run>, PinsStop>,
    /// The emptiness check.
    pub search: &'static str,
    /// What it counted.
    pub stats: SearchStats,
    /// States of the model that were stored.
    pub states: u64,
    /// The most bytes that were in use.
    pub peak_bytes: u64,
}

/// Searches for a run of a model that an automaton accepts. Group *n* of the model is
/// transition *n* of the run; atoms of the automaton speak of the model as [`Labelled`] says.
pub fn check(
    model: &dyn Pins,
    automaton: &Arc<Automaton>,
    emptiness: Option<Emptiness>,
    control: Control,
) -> Result<VectorAnswer, Misfit> {
    let emptiness = emptiness.unwrap_or(suggested(automaton.class()));
    fits(emptiness, automaton.class())?;
    let labelled = Labelled::new(model, automaton.atoms());
    let (automaton, accepting) = prepared(automaton, emptiness);
    let mut answer = VectorAnswer {
        run: Ok(None),
        search: emptiness.name(),
        stats: SearchStats::default(),
        states: 0,
        peak_bytes: 0,
    };
    let vectors = match Vectors::new(&labelled, control) {
        Ok(vectors) => vectors,
        Err(stop) => return Ok(VectorAnswer { run: Err(stop), ..answer }),
    };
    let mut product = VectorProduct::new(vectors, automaton, accepting);
    let found = search(&mut product, emptiness, &mut answer.stats);
    answer.run = match found {
        Ok(None) => Ok(None),
        Ok(Some(lasso)) => run_of(&mut product, &lasso).map(Some),
        Err(stop) => Err(product.wrong().map_or(PinsStop::Stop(stop), PinsStop::Model)),
    };
    answer.states = product.vectors().store().len() as u64;
    answer.peak_bytes = product.vectors().meter.peak();
    Ok(answer)
}

fn search(
    product: &mut VectorProduct<'_>,
    emptiness: Emptiness,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let Some(lasso) = emptiness.search(product, stats)? else { return Ok(None) };
    product.meter().grace();
    if lasso.prefix.len() + lasso.cycle.len() <= SHORT {
        return Ok(Some(lasso));
    }
    let weak = matches!(emptiness.accepts(), Accepts::Weak | Accepts::Terminal);
    Ok(Some(shorten(product, lasso.clone(), weak, SHORTEN).unwrap_or(lasso)))
}

/// The groups along a lasso of the product.
fn run_of(product: &mut VectorProduct<'_>, lasso: &Lasso) -> Result<Run, PinsStop> {
    let states = lasso.prefix.iter().chain(&lasso.cycle).chain(lasso.cycle.first());
    let states: Vec<_> = states.map(|&s| product.state_of(s)).collect();
    let mut run = Run::default();
    for (i, pair) in states.windows(2).enumerate() {
        // A dead state repeats, and the run ends there.
        let Some(group) = product.group_between(pair[0], pair[1])? else { break };
        let part = if i < lasso.prefix.len() { &mut run.prefix } else { &mut run.cycle };
        part.push(TransitionId(group.0));
    }
    Ok(run)
}
