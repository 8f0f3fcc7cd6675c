//! FORCE (Aloul, Markov, Sakallah 2003).
//!
//! Each edge sits at the mean position of its vertices, each vertex moves to the mean
//! position of its edges; sort and repeat while the sum of spans falls.

use super::hypergraph::Hypergraph;
use super::metrics::Metrics;
use brine_run::{Pace, Stop};

/// Rounds are cut so that no more arcs than these are looked at.
const WORK: usize = 3_000_000;

/// Improves the order `start`.
pub(super) fn force(h: &Hypergraph, start: &[u32], pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let mut order = start.to_vec();
    let mut best = order.clone();
    let mut best_span = Metrics::new(h, &best).span;
    let mut position = vec![0f64; order.len()];
    let mut patience = 0;
    let arcs: usize = h.edges().iter().map(Vec::len).sum();
    let rounds = (20 + 5 * order.len().max(2).ilog2() as usize).min(WORK / arcs.max(1)).max(3);
    for _ in 0..rounds {
        // Each arc is looked at three times in a round.
        pace.steps(3 * arcs + order.len())?;
        for (i, &v) in order.iter().enumerate() {
            position[v as usize] = i as f64;
        }
        let mean = |e: &Vec<u32>| {
            e.iter().map(|&v| position[v as usize]).sum::<f64>() / e.len().max(1) as f64
        };
        let centre: Vec<f64> = h.edges().iter().map(mean).collect();
        let pull: Vec<f64> = (0..order.len())
            .map(|v| match h.edges_at(v as u32) {
                [] => position[v],
                edges => {
                    edges.iter().map(|&e| centre[e as usize]).sum::<f64>() / edges.len() as f64
                }
            })
            .collect();
        order.sort_by(|&a, &b| pull[a as usize].total_cmp(&pull[b as usize]));
        let span = Metrics::new(h, &order).span;
        if span < best_span {
            best_span = span;
            best.clone_from(&order);
            patience = 0;
        } else {
            patience += 1;
            if patience > 10 {
                break;
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::super::Heuristic;
    use super::*;
    use crate::{Net, NetBuilder, PlaceId, Rng};

    /// Up to 15 places and transitions, each with up to two arcs on either side.
    fn random_net(rng: &mut Rng) -> Net {
        let mut b = NetBuilder::new("random");
        let places = 1 + rng.below(15);
        for i in 0..places {
            b.place(&format!("p{i}"), 1);
        }
        for i in 0..1 + rng.below(15) {
            let [pre, post] = [1 + rng.below(2), rng.below(3)]
                .map(|n| (0..n).map(|_| (PlaceId(rng.below(places)), 1)).collect::<Vec<_>>());
            b.transition(&format!("t{i}"), &pre, &post);
        }
        b.build().expect("ids differ")
    }

    #[test]
    fn force_never_makes_spans_longer() {
        for seed in 0..300 {
            let net = random_net(&mut Rng::new(seed));
            let groups: Vec<_> = net.place_ids().map(|p| vec![p]).collect();
            let control = brine_run::Control::default();
            let mut pace = control.pace();
            let h = Hypergraph::new(&net, &groups, &[], &mut pace).expect("no limits");
            for heuristic in Heuristic::ALL {
                let order = heuristic.order(&h, &mut pace).expect("no limits");
                let before = Metrics::new(&h, &order).span;
                let forced = force(&h, &order, &mut pace).expect("no limits");
                assert!(Metrics::new(&h, &forced).span <= before);
            }
        }
    }
}
