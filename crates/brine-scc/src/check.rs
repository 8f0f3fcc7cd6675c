//! One question about one product, with one order of levels.

use brine_dd::{Control, Dd, NodeId, Stop, with_deep_stack};
use brine_ltl::Automaton;
use brine_net::order::Layout;
use brine_net::{Bounds, Net, Run};
use brine_sat::LevelModel;
use brine_sat::product::{ControlStates, Filter, Halt, Product};
use num_bigint::BigUint;
use std::time::Instant;

use crate::detect::detect;
use crate::hull::{Hull, hull};
use crate::incremental::{FoundViolation, Ideas, Incremental, SccStats};
use crate::lasso::lasso;

/// How accepting cycles are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// While the product grows.
    OnTheFly(Ideas),
    /// The same fixpoint once, on the complete product.
    AtTheEnd,
    /// A hull of the complete product.
    Hull(Hull),
}

impl Default for Method {
    fn default() -> Self {
        Method::OnTheFly(Ideas::default())
    }
}

/// A question: has the net a run that the automaton accepts?
#[derive(Clone, Copy, Debug)]
pub struct SymbolicQuestion<'a> {
    /// The net.
    pub net: &'a Net,
    /// Accepts exactly the violations.
    pub violations: &'a Automaton,
    /// Proven bounds of the places.
    pub bounds: &'a Bounds,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolicAnswer {
    /// There is no such run.
    None,
    /// There is one; the run itself, unless finding it took too long.
    Violation(Result<Run, Stop>),
}

/// Figures of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SymbolicStats {
    /// Of the search for cycles.
    pub scc: SccStats,
    /// Product states, if the whole product was built.
    pub product_states: Option<BigUint>,
    /// Most nodes at any time.
    pub peak_nodes: u64,
}

/// Answers the question with the levels of `layout`. `search` limits the search itself,
/// `witness` gives the limits for finding the run once a violation is known.
pub fn check(
    question: SymbolicQuestion<'_>,
    layout: &Layout,
    method: Method,
    search: &Control,
    witness: impl FnOnce() -> Control + Send,
) -> Result<(SymbolicAnswer, SymbolicStats), Stop> {
    let run = || {
        let SymbolicQuestion { net, violations, bounds } = question;
        let model = LevelModel::within(net, layout, &search.without_work())?;
        let control = ControlStates::new(violations);
        let mut product = Product::new(net, model, bounds, control, Dd::new(search.clone()));
        let mut stats = SymbolicStats::default();
        let found = find(&mut product, method, &mut stats)?;
        let answer = found.map_or(SymbolicAnswer::None, |found| {
            product.dd.set_control(witness());
            SymbolicAnswer::Violation(lasso(&mut product, &found))
        });
        stats.peak_nodes = product.dd.stats().peak_nodes as u64;
        Ok((answer, stats))
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(layout.levels.len(), run).unwrap_or(Err(Stop::Memory))
}

/// Searches the product for a violation.
fn find(
    product: &mut Product<'_>,
    method: Method,
    stats: &mut SymbolicStats,
) -> Result<Option<FoundViolation>, Stop> {
    let initial = product.initial()?;
    product.dd.protect(initial);
    let whole = product.whole();
    if product.has(initial, Filter::UNIVERSAL, whole.level) {
        return Ok(Some(FoundViolation::Universal));
    }
    let reached = match method {
        Method::OnTheFly(ideas) => {
            let mut observer = Incremental::new(ideas);
            let result = product.saturate(&mut observer, whole, initial);
            stats.scc = observer.stats;
            match result {
                Ok(reached) => reached,
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Enough) => {
                    product.abandon();
                    return Ok(observer.found);
                }
            }
        }
        Method::AtTheEnd | Method::Hull(_) => product.closure(whole, initial)?,
    };
    product.dd.protect(reached);
    stats.product_states = Some(product.dd.count(reached));
    let states = product.dead_violations(reached, &[])?;
    if states != NodeId::EMPTY {
        product.dd.protect(states);
        return Ok(Some(FoundViolation::Dead { above: Vec::new(), states }));
    }
    let start = Instant::now();
    let found = match method {
        Method::OnTheFly(_) if stats.scc.put_off == 0 => None,
        Method::OnTheFly(_) | Method::AtTheEnd => at_the_end(product, reached)?,
        Method::Hull(kind) => {
            let targets = hull(product, kind, whole, reached)?;
            let found = FoundViolation::Cycle { above: Vec::new(), region: whole, targets };
            (targets != NodeId::EMPTY).then_some(found)
        }
    };
    if stats.scc.put_off > 0 || !matches!(method, Method::OnTheFly(_)) {
        stats.scc.calls += 1;
        stats.scc.time += start.elapsed();
    }
    if let Some(FoundViolation::Cycle { targets, .. }) = found {
        product.dd.protect(targets);
    }
    Ok(found)
}

/// [`detect`] with every step as a new one.
fn at_the_end(product: &mut Product<'_>, reached: NodeId) -> Result<Option<FoundViolation>, Stop> {
    let whole = product.whole();
    let region = product.inner(whole);
    let start = product.select(reached, Filter::INNER, region.level)?;
    let targets = detect(product, region, start, |product, sources, targets| {
        let image = product.image(region, sources)?;
        product.dd.intersect(image, targets)
    })?;
    Ok(targets.map(|targets| FoundViolation::Cycle { above: Vec::new(), region, targets }))
}
