//! One question about one product, with one order of levels.

use brine_dd::{Control, Dd, NodeId, Stop, with_deep_stack};
use brine_ltl::Automaton;
use brine_net::order::Layout;
use brine_net::{Bounds, Net};
use brine_sat::Model;
use brine_sat::product::{self, Filter, Halt, Product};
use num_bigint::BigUint;
use std::time::Instant;

use crate::detect::detect;
use crate::hull::{Hull, hull};
use crate::incremental::{Found, Ideas, Incremental, SccStats};
use crate::lasso::{Lasso, lasso};

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
        Method::OnTheFly(Ideas { recurring: true, abstraction: true })
    }
}

/// A question: has the net a run that the automaton accepts?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The net.
    pub net: &'a Net,
    /// Accepts exactly the violations.
    pub violations: &'a Automaton,
    /// Proven bounds of the places.
    pub bounds: &'a Bounds,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is no such run.
    None,
    /// There is one; the run itself, unless finding it took too long.
    Violation(Result<Lasso, Stop>),
}

/// Figures of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
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
    question: Question<'_>,
    layout: &Layout,
    method: Method,
    search: &Control,
    witness: impl FnOnce() -> Control + Send,
) -> Result<(Answer, Stats), Stop> {
    let run = || {
        let Question { net, violations, bounds } = question;
        let model = Model::within(net, layout, &search.without_work())?;
        let control = product::Control::new(violations);
        let mut product = Product::new(net, model, bounds, control, Dd::new(search.clone()));
        let mut stats = Stats::default();
        let found = find(&mut product, method, &mut stats)?;
        let answer = found.map_or(Answer::None, |found| {
            product.dd.set_control(witness());
            Answer::Violation(lasso(&mut product, &found))
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
    stats: &mut Stats,
) -> Result<Option<Found>, Stop> {
    let initial = product.initial()?;
    product.dd.protect(initial);
    let whole = product.whole();
    if product.has(initial, Filter::UNIVERSAL, whole.level) {
        return Ok(Some(Found::Universal));
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
        return Ok(Some(Found::Dead { above: Vec::new(), states }));
    }
    let start = Instant::now();
    let found = match method {
        Method::OnTheFly(_) => None,
        Method::AtTheEnd => at_the_end(product, reached)?,
        Method::Hull(kind) => {
            let targets = hull(product, kind, whole, reached)?;
            let found = Found::Cycle { above: Vec::new(), region: whole, targets };
            (targets != NodeId::EMPTY).then_some(found)
        }
    };
    if method == Method::AtTheEnd || matches!(method, Method::Hull(_)) {
        stats.scc.calls = 1;
        stats.scc.time = start.elapsed();
    }
    if let Some(Found::Cycle { targets, .. }) = found {
        product.dd.protect(targets);
    }
    Ok(found)
}

/// [`detect`] with every step as a new one.
fn at_the_end(product: &mut Product<'_>, reached: NodeId) -> Result<Option<Found>, Stop> {
    let whole = product.whole();
    let region = product.inner(whole);
    let start = product.select(reached, Filter::INNER, region.level)?;
    let targets = detect(product, region, start, |product, sources, targets| {
        let image = product.image(region, sources)?;
        product.dd.intersect(image, targets)
    })?;
    Ok(targets.map(|targets| Found::Cycle { above: Vec::new(), region, targets }))
}
