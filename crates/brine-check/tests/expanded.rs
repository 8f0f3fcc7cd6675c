//! Reduce, count, expand: all four numbers against brute force and against plain saturation.
//!
//! BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, SetupError, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep, state_space,
};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Structure};
use brine_oracle::{RandomNets, count_states, grown_net};
use brine_reduce::markings::{MarkingOptions, MarkingRule, reduce_markings};
use brine_sat::StateSpace;
use std::collections::BTreeMap;

const MARKINGS_MAX: usize = 3_000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The numbers, and what was told by equations before the edges were known.
/// And whether the net fell into parts.
fn numbers(
    net: &Net,
    spec: &SpaceSpec,
) -> Result<(SpaceSize, Option<StateSpace>, bool), SetupError> {
    let (structure, budget) = (Structure::new(net), Budget::default());
    let question =
        SpaceQuestion { net, structure: &structure, spec, budget: &budget, progress: None };
    let (mut told, mut divided) = (None, false);
    let size = state_space(&question, &mut |step| match step {
        SpaceStep::Measured(space) => told = Some(space.clone()),
        SpaceStep::Divided { .. } => divided = true,
        _ => (),
    })?;
    Ok((size, told, divided))
}

fn some_net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    match seed % 8 {
        0 => RandomNets { balanced: 100, ..RandomNets::default() }.net(&mut rng),
        1 => {
            let [a, b] = [(); 2].map(|()| grown_net(&mut rng, 4));
            side_by_side(&[&a, &b, &a][..2 + usize::from(seed % 16 == 1)], &mut rng)
        }
        n => grown_net(&mut rng, 4 + 2 * n as u32),
    }
}

/// Nets that have nothing in common but places that no transition changes.
fn side_by_side(nets: &[&Net], rng: &mut Rng) -> Net {
    let mut b = NetBuilder::new("parts");
    let still = b.place("still", 1 + rng.below(2));
    let look = [(still, 1 + rng.below(3))];
    b.transition("look", &look, &look);
    for (i, net) in nets.iter().enumerate() {
        let initial = net.initial_marking();
        let places: Vec<_> =
            initial.iter().enumerate().map(|(p, &n)| b.place(&format!("p{i}_{p}"), n)).collect();
        for (t, transition) in net.transitions().enumerate() {
            let arcs = |arcs: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
                arcs.iter().map(|&(p, n)| (places[p.index()], n)).collect()
            };
            let (mut pre, mut post) = (arcs(transition.pre), arcs(transition.post));
            if rng.chance(10) {
                pre.extend(look);
                post.extend(look);
            }
            b.transition(&format!("t{i}_{t}"), &pre, &post);
        }
    }
    let number_of_places = 1 + nets.iter().map(|net| net.places().len()).sum::<usize>();
    for i in 0..2 {
        let mut look = Vec::new();
        for p in (0..number_of_places).map(|p| PlaceId(p as u32)) {
            if rng.chance(15) {
                look.push((p, 1 + rng.below(2)));
            }
        }
        b.transition(&format!("look{i}"), &look, &look);
    }
    b.build().unwrap()
}

#[test]
fn equal_brute_force_and_plain_saturation() {
    let (first, cases) = (number("BRINE_SEED", 24_000_000), number("BRINE_CASES", 3_000));
    let mut applied: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut compared, mut smaller, mut without_edges, mut parts) = (0, 0, 0, 0);
    for seed in first..first + cases {
        let net = some_net(seed);
        let Some(expected) = count_states(&net, MARKINGS_MAX) else { continue };
        let expected = StateSpace {
            states: expected.states.into(),
            edges: Some(expected.edges.into()),
            max_in_place: expected.max_token_in_place,
            max_in_marking: expected.max_token_per_marking,
        };
        let reduction = reduce_markings(&net, &MarkingOptions::default()).unwrap();
        for (rule, times) in reduction.counts() {
            *applied.entry(rule.name()).or_default() += u64::from(times > 0);
        }
        smaller += u64::from(reduction.is_smaller());
        let spec = SpaceSpec::default();
        let plain = spec.clone().without_reduction().unwrap();
        // Who names an order gets a diagram of the reduced net.
        let ordered = SpaceSpec::Symbolic { order: Some("given".parse().unwrap()), reduce: true };
        for spec in [spec, ordered, plain] {
            let (size, told, divided) = numbers(&net, &spec).unwrap();
            parts += u64::from(divided);
            let SpaceSize::Finite(space) = size else { panic!("seed {seed}: unbounded") };
            assert_eq!(space, expected, "BRINE_SEED={seed} {spec:?}\n{net:?}");
            if let Some(told) = told {
                without_edges += 1;
                assert_eq!(told, StateSpace { edges: None, ..expected.clone() }, "seed {seed}");
            }
        }
        compared += 1;
    }
    println!(
        "{compared} nets compared, {smaller} smaller, {without_edges} without edges, \
         {parts} in parts, {applied:?}"
    );
    if cases >= 3_000 {
        assert!(compared > cases / 3 && smaller > compared / 2, "{compared} {smaller}");
        assert!(parts > cases / 100, "{parts}");
        assert!(without_edges > 0 && without_edges < smaller / 10, "{without_edges}");
        let rules = MarkingRule::ALL.map(|rule| applied[rule.name()]);
        assert!(rules.iter().all(|&n| n > 10), "{applied:?}");
    }
}

/// Tokens that move among places in a chain and a ring, and a place that counts some of them.
#[test]
fn a_net_becomes_nothing() {
    let mut b = NetBuilder::new("n");
    let (p, q, r) = (b.place("p", 100), b.place("q", 0), b.place("r", 0));
    let (up, down) = (b.place("up", 7), b.place("down", 0));
    b.transition("t", &[(p, 1)], &[(q, 1)]);
    b.transition("u", &[(q, 1)], &[(r, 1)]);
    b.transition("v", &[(up, 1)], &[(down, 1)]);
    b.transition("w", &[(down, 1)], &[(up, 1)]);
    let net = b.build().unwrap();
    let (SpaceSize::Finite(space), None, _) = numbers(&net, &SpaceSpec::default()).unwrap() else {
        panic!("it is bounded, and its edges are known");
    };
    // 102 * 101 / 2 ways for p, q, r; 8 for up and down.
    assert_eq!(space.states, 41_208u32.into());
    assert_eq!(space.edges, Some((2 * 5_050 * 8 + 2 * 7 * 5_151u32).into()));
    assert_eq!((space.max_in_place, space.max_in_marking), (100, 107));
    let reduction = reduce_markings(&net, &MarkingOptions::default()).unwrap();
    assert_eq!(reduction.net.places().len(), 0);
}
