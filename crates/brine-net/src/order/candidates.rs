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

/// All candidates, best score first.
pub fn candidates(net: &Net, structure: &Structure) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (grouping, groups) in groupings(net, structure) {
        let h = Hypergraph::new(net, &groups);
        let mut orders: Vec<(String, Vec<u32>)> = Vec::new();
        for heuristic in Heuristic::ALL {
            let order = heuristic.order(&h);
            if heuristic != Heuristic::Force && heuristic != Heuristic::Given {
                orders.push((format!("{}+force", heuristic.name()), force::force(&h, &order)));
            }
            orders.push((heuristic.name().to_owned(), order));
        }
        for (name, order) in orders {
            let span = Metrics::new(&h, &order).span as f64;
            let score = span / (h.edges().len().max(1) * groups.len().max(1)) as f64;
            let reversed: Vec<u32> = order.iter().rev().copied().collect();
            all.push(Candidate {
                name: format!("{grouping}/{name}"),
                layout: Layout::new(&groups, &order),
                score,
            });
            all.push(Candidate {
                name: format!("{grouping}/{name}/reversed"),
                layout: Layout::new(&groups, &reversed),
                score,
            });
        }
    }
    all.sort_by(|a, b| a.score.total_cmp(&b.score));
    all
}
