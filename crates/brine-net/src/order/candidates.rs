//! Candidate orders for one net, the most promising first.

use super::metrics::flow_span;
use super::{Grouping, Heuristic, Hypergraph, Layout, Metrics, OrderSpec};
use crate::net::{Net, PlaceId};
use crate::structure::Structure;
use brine_run::{Control, Pace, Stop};

/// One way to lay out a net, with a prediction of how good it is.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The order.
    pub spec: OrderSpec,
    /// The levels.
    pub layout: Layout,
    /// Mean event span times mean semiflow span, both relative to the number of levels;
    /// smaller is better, but only comparable within one grouping.
    pub score: f64,
}

/// All candidates, the most promising first.
///
/// Scores of different groupings cannot be compared, so the groupings take turns, each
/// with its next best order and its reverse. No score that we tried tells which of these
/// two is better (185 : 180 in the development set), yet they often differ a
/// thousandfold.
pub fn candidates(net: &Net, structure: &Structure) -> Vec<Candidate> {
    // Nothing stops it.
    candidates_within(net, structure, &Control::default()).unwrap_or_default()
}

/// The same under a control.
///
/// Orders are kept as permutations until all of them are known: layouts of a large net are
/// millions of small lists, which take long to make, and to free when a budget ends.
pub fn candidates_within(
    net: &Net,
    structure: &Structure,
    control: &Control,
) -> Result<Vec<Candidate>, Stop> {
    let mut pace = control.pace();
    let mut by_grouping = Vec::new();
    for grouping in Grouping::ALL {
        if let Some(groups) = grouping.groups(net, structure) {
            let orders = orders_of(net, structure, grouping, &groups, &mut pace)?;
            by_grouping.push((groups, orders.into_iter()));
        }
    }
    let mut all: Vec<Candidate> = Vec::new();
    loop {
        let before = all.len();
        for (groups, orders) in &mut by_grouping {
            let Some(ScoredOrder { spec, mut order, score }) = orders.next() else { continue };
            pace.look()?;
            let straight = Candidate { spec, layout: Layout::new(groups, &order), score };
            order.reverse();
            let spec = OrderSpec { reversed: true, ..spec };
            let reversed = Candidate { spec, layout: Layout::new(groups, &order), score };
            all.extend([reversed, straight]);
        }
        if all.len() == before {
            return Ok(all);
        }
    }
}

/// A candidate before it is laid out, top level first.
struct ScoredOrder {
    spec: OrderSpec,
    order: Vec<u32>,
    score: f64,
}

/// Every heuristic on one grouping, best score first.
fn orders_of(
    net: &Net,
    structure: &Structure,
    grouping: Grouping,
    groups: &[Vec<PlaceId>],
    pace: &mut Pace<'_>,
) -> Result<Vec<ScoredOrder>, Stop> {
    let h = Hypergraph::new(net, groups, &structure.facts.dead_transitions, pace)?;
    let flows = |order: &[u32]| flow_span(groups, order, &structure.semiflows.flows);
    scored_orders(&h, grouping, &flows, pace)
}

/// Candidates for any hypergraph whose vertices are levels: the order as given first, then the
/// others and their reverses, the shortest spans of edges first. Vertices stand for places
/// of the same numbers.
pub fn candidates_of_hypergraph(h: &Hypergraph, control: &Control) -> Result<Vec<Candidate>, Stop> {
    let orders = scored_orders(h, Grouping::Places, &|_| 1.0, &mut control.pace())?;
    let single: Vec<Vec<PlaceId>> =
        (0..h.vertex_count() as u32).map(|v| vec![PlaceId(v)]).collect();
    let mut all = Vec::new();
    for ScoredOrder { spec, mut order, score } in orders {
        control.look()?;
        all.push(Candidate { spec, layout: Layout::new(&single, &order), score });
        order.reverse();
        let spec = OrderSpec { reversed: true, ..spec };
        all.push(Candidate { spec, layout: Layout::new(&single, &order), score });
    }
    let given = |c: &Candidate| c.spec.heuristic == Heuristic::Given && !c.spec.reversed;
    if let Some(at) = all.iter().position(given) {
        all[..=at].rotate_right(1);
    }
    Ok(all)
}

/// Every heuristic on one hypergraph, best score first: the mean span of edges, relative to the
/// number of levels, times what `weigh` says.
fn scored_orders(
    h: &Hypergraph,
    grouping: Grouping,
    weigh: &dyn Fn(&[u32]) -> f64,
    pace: &mut Pace<'_>,
) -> Result<Vec<ScoredOrder>, Stop> {
    let mut orders = Vec::new();
    for heuristic in Heuristic::CANDIDATES {
        let plain = heuristic.order(h, pace)?;
        for force in [true, false] {
            if force && matches!(heuristic, Heuristic::Force | Heuristic::Given) {
                continue;
            }
            let spec = OrderSpec { grouping: Some(grouping), heuristic, force, reversed: false };
            let order = spec.improve(h, plain.clone(), pace)?;
            // Measuring is linear.
            pace.look()?;
            let span = Metrics::new(h, &order).span as f64;
            let span = span / (h.edges().len().max(1) * h.vertex_count().max(1)) as f64;
            let score = span * weigh(&order);
            orders.push(ScoredOrder { spec, order, score });
        }
    }
    orders.sort_by(|a, b| a.score.total_cmp(&b.score));
    Ok(orders)
}
