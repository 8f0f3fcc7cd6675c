//! Candidate orders for one net, the most promising first.

use super::{Heuristic, Hypergraph, Layout, Metrics, force};
use crate::net::{Net, PlaceId};
use crate::nupn::nupn_grouping;
use crate::structure::Structure;

/// One way to lay out a net, with a prediction of how good it is.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Grouping, heuristic and direction, as in `units/sloan/reversed`.
    pub name: String,
    /// The levels.
    pub layout: Layout,
    /// Mean event span relative to the number of levels; smaller is better.
    pub score: f64,
}

/// The groupings worth trying: units of the file, units from semiflows, single places.
pub fn groupings(net: &Net, structure: &Structure) -> Vec<(&'static str, Vec<Vec<PlaceId>>)> {
    let mut all: Vec<(&'static str, Vec<Vec<PlaceId>>)> = Vec::new();
    if let (Some(nupn), Some(check)) = (net.nupn(), &structure.nupn)
        && check.problem.is_none()
    {
        all.push(("nupn", nupn_grouping(nupn)));
    }
    if !structure.semiflow_units.groups.is_empty() {
        all.push(("units", structure.semiflow_units.partition(net.places().len())));
    }
    all.push(("places", net.place_ids().map(|p| vec![p]).collect()));
    all
}

/// All candidates, the most promising first.
///
/// Scores of different groupings cannot be compared, so the groupings take turns, each
/// with its next best order. The reversed order comes first: it was better in two
/// thirds of the development set's nets.
pub fn candidates(net: &Net, structure: &Structure) -> Vec<Candidate> {
    let mut by_grouping: Vec<std::vec::IntoIter<[Candidate; 2]>> = Vec::new();
    for (grouping, groups) in groupings(net, structure) {
        let mut pairs = orders_of(net, grouping, &groups);
        pairs.sort_by(|a, b| a[0].score.total_cmp(&b[0].score));
        by_grouping.push(pairs.into_iter());
    }
    let mut all: Vec<Candidate> = Vec::new();
    loop {
        let before = all.len();
        all.extend(by_grouping.iter_mut().filter_map(Iterator::next).flatten());
        if all.len() == before {
            return all;
        }
    }
}

/// Every heuristic on one grouping, each with its reverse, reversed first.
fn orders_of(net: &Net, grouping: &str, groups: &[Vec<PlaceId>]) -> Vec<[Candidate; 2]> {
    let h = Hypergraph::new(net, groups);
    let mut orders: Vec<(String, Vec<u32>)> = Vec::new();
    for heuristic in Heuristic::ALL {
        let order = heuristic.order(&h);
        if heuristic != Heuristic::Force && heuristic != Heuristic::Given {
            orders.push((format!("{}+force", heuristic.name()), force::force(&h, &order)));
        }
        orders.push((heuristic.name().to_owned(), order));
    }
    let pair = |(name, order): (String, Vec<u32>)| {
        let span = Metrics::new(&h, &order).span as f64;
        let score = span / (h.edges().len().max(1) * groups.len().max(1)) as f64;
        let reversed: Vec<u32> = order.iter().rev().copied().collect();
        let candidate =
            |name, order: &[u32]| Candidate { name, layout: Layout::new(groups, order), score };
        [
            candidate(format!("{grouping}/{name}/reversed"), &reversed),
            candidate(format!("{grouping}/{name}"), &order),
        ]
    };
    orders.into_iter().map(pair).collect()
}
