//! Found invariants against their definition and against enumeration on small nets.

use brine_net::invariants::*;
use brine_net::{Incidence, Net, NetBuilder, PlaceId, Rng};
use brine_oracle::RandomNets;

fn cases() -> u64 {
    std::env::var("BRINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

fn random_nets() -> impl Iterator<Item = (u64, Net)> {
    (0..cases()).map(|seed| {
        let mut rng = Rng::new(seed);
        let kind = RandomNets {
            max_places: 5,
            max_weight: 1 + rng.below(3),
            max_arcs: 1 + rng.below(3),
            ..RandomNets::default()
        };
        (seed, kind.net(&mut rng))
    })
}

/// The change of the weighted sum by each transition.
fn changes(net: &Net, incidence: &Incidence, weight: impl Fn(PlaceId) -> i64) -> Vec<i64> {
    let change = |t| incidence.effect(t).iter().map(|&(p, e)| weight(p) * e).sum();
    net.transition_ids().map(change).collect()
}

#[test]
fn every_semiflow_is_one() {
    for (seed, net) in random_nets() {
        let incidence = Incidence::new(&net);
        // Small limits, so that unfinished searches are tested too.
        for limit in [10, 100, 1_000_000] {
            for flow in semiflows(&net, &incidence, limit).flows {
                let weight = |p| flow.weights.iter().find(|w| w.0 == p).map_or(0, |w| w.1 as i64);
                let changes = changes(&net, &incidence, weight);
                assert!(!flow.weights.is_empty() && flow.weights.iter().all(|w| w.1 > 0));
                assert!(changes.iter().all(|&c| c <= 0), "seed {seed}: {flow:?}");
                assert_eq!(flow.falls, changes.iter().any(|&c| c < 0), "seed {seed}: {flow:?}");
                let value: u64 =
                    flow.weights.iter().map(|&(p, w)| w * u64::from(net.place(p).initial)).sum();
                assert_eq!(flow.value, value, "seed {seed}");
            }
        }
    }
}

/// The supports of all invariants with weights up to 4, as bit sets, minimal ones only.
fn minimal_supports(net: &Net, incidence: &Incidence) -> Vec<u32> {
    let places = net.places().len() as u32;
    let mut supports: Vec<u32> = Vec::new();
    for code in 1..5_u64.pow(places) {
        let weight = |p: PlaceId| (code / 5_u64.pow(p.0) % 5) as i64;
        if changes(net, incidence, weight).iter().all(|&c| c == 0) {
            supports.push(net.place_ids().filter(|&p| weight(p) > 0).map(|p| 1 << p.0).sum());
        }
    }
    supports.sort_unstable();
    supports.dedup();
    let all = supports.clone();
    supports.retain(|&s| !all.iter().any(|&o| o != s && o & s == o));
    supports
}

#[test]
fn complete_means_all_minimal_supports() {
    for (seed, net) in random_nets().take(300) {
        let incidence = Incidence::new(&net);
        let found = semiflows(&net, &incidence, 1_000_000);
        assert!(found.complete, "seed {seed}");
        let supports: Vec<u32> = found
            .flows
            .iter()
            .map(|flow| flow.weights.iter().map(|(p, _)| 1 << p.0).sum())
            .collect();
        // A minimal support is found itself; what is minimal only among small weights
        // has a part that is found.
        for support in minimal_supports(&net, &incidence) {
            let found = supports.iter().any(|s| s & support == *s);
            assert!(found, "seed {seed}: {support:b} not in {supports:?}");
        }
    }
}

/// The rank of the incidence matrix modulo a large prime.
fn rank(net: &Net, incidence: &Incidence) -> usize {
    const PRIME: i128 = 2_147_483_647;
    let mut matrix: Vec<Vec<i128>> = net
        .transition_ids()
        .map(|t| {
            let mut row = vec![0; net.places().len()];
            incidence.effect(t).iter().for_each(|&(p, e)| row[p.index()] = i128::from(e));
            row
        })
        .collect();
    let mut rank = 0;
    for column in 0..net.places().len() {
        let Some(pivot) = (rank..matrix.len()).find(|&r| matrix[r][column] % PRIME != 0) else {
            continue;
        };
        matrix.swap(rank, pivot);
        let pivot = matrix[rank].clone();
        for row in &mut matrix[rank + 1..] {
            let factor = row[column];
            for (x, y) in row.iter_mut().zip(&pivot) {
                *x = (*x * pivot[column] - y * factor) % PRIME;
            }
        }
        rank += 1;
    }
    rank
}

#[test]
fn flows_are_a_basis() {
    for (seed, net) in random_nets() {
        let incidence = Incidence::new(&net);
        let found = flows(&net, &incidence, 1_000_000);
        assert!(found.complete);
        assert_eq!(found.flows.len(), net.places().len() - rank(&net, &incidence), "seed {seed}");
        for flow in &found.flows {
            let weight = |p| flow.weights.iter().find(|w| w.0 == p).map_or(0, |w| w.1);
            assert!(changes(&net, &incidence, weight).iter().all(|&c| c == 0), "seed {seed}");
            assert!(flow.weights[0].1 > 0);
        }
    }
}

#[test]
fn a_chain_of_growing_weights_overflows_cleanly() {
    // p0 -> 2^31 p1 -> 2^62 p2 -> ...: the weights of the invariant pass i64.
    let mut b = NetBuilder::new("overflow");
    let places: Vec<PlaceId> = (0..5).map(|i| b.place(&format!("p{i}"), 1)).collect();
    for i in 0..4 {
        b.transition(&format!("t{i}"), &[(places[i], 1)], &[(places[i + 1], 1 << 31)]);
    }
    let net = b.build().expect("valid");
    let incidence = Incidence::new(&net);
    let semi = semiflows(&net, &incidence, 1_000_000);
    assert!(!semi.complete);
    assert!(semi.flows.iter().all(|f| f.falls), "{:?}", semi.flows);
    assert!(!flows(&net, &incidence, 1_000_000).complete);
}

#[test]
fn many_semiflows_stop_at_the_limit() {
    // A ladder: 2^n semiflows, each a choice of one side per rung.
    let mut b = NetBuilder::new("ladder");
    let mut before: Option<[PlaceId; 2]> = None;
    for i in 0..40 {
        let rung = [b.place(&format!("l{i}"), 0), b.place(&format!("r{i}"), 0)];
        if let Some(old) = before {
            let both = |r: [PlaceId; 2]| [(r[0], 1), (r[1], 1)];
            b.transition(&format!("t{i}"), &both(old), &both(rung));
        }
        before = Some(rung);
    }
    let net = b.build().expect("valid");
    let found = semiflows(&net, &Incidence::new(&net), 1_000_000);
    assert!(!found.complete);
    assert!(found.work <= 1_000_000);
    let mut covered: Vec<PlaceId> = found.flows.iter().flat_map(|f| f.room_for_one()).collect();
    covered.sort_unstable();
    covered.dedup();
    assert_eq!(covered.len(), 80, "the narrow pass covers every place");
}
