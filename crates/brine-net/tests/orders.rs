//! What every order must be, and what a few must find.

use brine_models::{philosophers, token_ring};
use brine_net::order::{Grouping, Heuristic, Hypergraph, Metrics, OrderSpec, candidates};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Structure};
use brine_oracle::RandomNets;
use brine_run::Control;

fn hypergraph(net: &Net, groups: &[Vec<PlaceId>]) -> Hypergraph {
    Hypergraph::new(net, groups, &[], &mut Control::default().pace()).expect("not stopped")
}

fn order(heuristic: Heuristic, h: &Hypergraph) -> Vec<u32> {
    heuristic.order(h, &mut Control::default().pace()).expect("not stopped")
}

/// Every place stands in exactly one level.
fn assert_partition(net: &Net, spec: &OrderSpec, levels: &[Vec<brine_net::PlaceId>]) {
    let mut places: Vec<_> = levels.iter().flatten().copied().collect();
    places.sort_unstable();
    assert!(places.into_iter().eq(net.place_ids()), "{spec} of {net:?}");
}

#[test]
fn every_order_of_every_net_places_each_place_once() {
    for seed in 0..500 {
        let net = RandomNets { max_places: 12, ..RandomNets::default() }.net(&mut Rng::new(seed));
        let structure = Structure::new(&net);
        let all = candidates(&net, &structure);
        assert!(all.len() >= 20, "places alone give ten orders and their reverses");
        for c in &all {
            assert_partition(&net, &c.spec, &c.layout.levels);
            // A name leads to the very order that it names.
            let spec: OrderSpec = c.spec.to_string().parse().unwrap();
            assert_eq!(spec.layout(&net, &structure).as_ref(), Some(&c.layout), "{spec}");
        }
    }
}

#[test]
fn lying_units_are_not_used_and_true_ones_are() {
    let mut b = NetBuilder::new("n");
    let (p, q) = (b.place("p", 1), b.place("q", 0));
    b.transition("t", &[(p, 1)], &[(q, 1)]);
    let unit = |places| brine_net::Unit { id: "u".into(), places, subunits: vec![] };
    let mut twice = b.clone();
    twice.nupn(brine_net::Nupn { units: vec![unit(vec![p, q, p])], root: 0, safe: true });
    let net = twice.build().unwrap();
    assert_eq!(Grouping::Nupn.groups(&net, &Structure::new(&net)), None);
    b.nupn(brine_net::Nupn { units: vec![unit(vec![p, q])], root: 0, safe: true });
    let net = b.build().unwrap();
    let groups = Grouping::Nupn.groups(&net, &Structure::new(&net));
    assert_eq!(groups, Some(vec![vec![p, q]]));
}

/// A chain of places whose file lists them shuffled: a good order undoes the shuffle.
#[test]
fn bandwidth_orders_find_a_chain() {
    let n = 40u32;
    let mut b = NetBuilder::new("chain");
    let shuffled: Vec<u32> = (0..n).map(|i| i * 17 % n).collect();
    let mut at = vec![None; n as usize];
    for &i in &shuffled {
        at[i as usize] = Some(b.place(&format!("p{i}"), u32::from(i == 0)));
    }
    let at: Vec<_> = at.into_iter().flatten().collect();
    for i in 1..n as usize {
        b.transition(&format!("t{i}"), &[(at[i - 1], 1)], &[(at[i], 1)]);
    }
    let net = b.build().unwrap();
    let groups: Vec<_> = net.place_ids().map(|p| vec![p]).collect();
    let h = hypergraph(&net, &groups);
    let shortest = 2 * (u64::from(n) - 1);
    for heuristic in [Heuristic::Sloan, Heuristic::CuthillMcKee, Heuristic::Noack] {
        let span = Metrics::new(&h, &order(heuristic, &h)).span;
        assert_eq!(span, shortest, "{}", heuristic.name());
    }
    assert!(Metrics::new(&h, &order(Heuristic::Given, &h)).span > 4 * shortest);
}

#[test]
fn swaps_put_reads_above_writes() {
    // Three transitions read a and write b: a belongs above b, whatever the file says.
    let mut b = NetBuilder::new("n");
    let (out, inp) = (b.place("b", 0), b.place("a", 3));
    for i in 0..3 {
        b.transition(&format!("t{i}"), &[(inp, 1)], &[(out, 1)]);
    }
    let net = b.build().unwrap();
    let groups: Vec<_> = net.place_ids().map(|p| vec![p]).collect();
    let h = hypergraph(&net, &groups);
    assert_eq!(order(Heuristic::Swap, &h), [inp.0, out.0]);
}

#[test]
fn neighbours_stay_near_in_rings() {
    for net in [philosophers(50), token_ring(30)] {
        let structure = Structure::new(&net);
        let best = &candidates(&net, &structure)[0];
        assert!(best.score < 0.05, "{}: {}", best.spec, best.score);
    }
}
