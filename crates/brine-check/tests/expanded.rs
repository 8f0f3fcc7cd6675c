//! Reduce, count, expand: all four numbers against brute force and against plain saturation.
//!
//! BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, SetupError, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep, state_space,
};
use brine_net::{Net, NetBuilder, Rng, Structure};
use brine_oracle::{RandomNets, count_states, grown_net};
use brine_reduce::markings::{MarkingOptions, MarkingRule, reduce_markings};
use brine_sat::StateSpace;
use std::collections::BTreeMap;

const MARKINGS_MAX: usize = 3_000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The numbers, and what was told by equations before the edges were known.
fn numbers(net: &Net, spec: &SpaceSpec) -> Result<(SpaceSize, Option<StateSpace>), SetupError> {
    let (structure, budget) = (Structure::new(net), Budget::default());
    let question =
        SpaceQuestion { net, structure: &structure, spec, budget: &budget, progress: None };
    let mut told = None;
    let size = state_space(&question, &mut |step| {
        if let SpaceStep::Measured(space) = step {
            told = Some(space.clone());
        }
    })?;
    Ok((size, told))
}

fn some_net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    match seed % 8 {
        0 => RandomNets { balanced: 100, ..RandomNets::default() }.net(&mut rng),
        n => grown_net(&mut rng, 4 + 2 * n as u32),
    }
}

#[test]
fn equal_brute_force_and_plain_saturation() {
    let (first, cases) = (number("BRINE_SEED", 24_000_000), number("BRINE_CASES", 3_000));
    let mut applied: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut compared, mut smaller, mut without_edges) = (0, 0, 0);
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
        for spec in [spec, plain] {
            let (size, told) = numbers(&net, &spec).unwrap();
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
        "{compared} nets compared, {smaller} smaller, {without_edges} without edges, {applied:?}"
    );
    if cases >= 3_000 {
        assert!(compared > cases / 3 && smaller > compared / 2, "{compared} {smaller}");
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
    let (SpaceSize::Finite(space), None) = numbers(&net, &SpaceSpec::default()).unwrap() else {
        panic!("it is bounded, and its edges are known");
    };
    // 102 * 101 / 2 ways for p, q, r; 8 for up and down.
    assert_eq!(space.states, 41_208u32.into());
    assert_eq!(space.edges, Some((2 * 5_050 * 8 + 2 * 7 * 5_151u32).into()));
    assert_eq!((space.max_in_place, space.max_in_marking), (100, 107));
    let reduction = reduce_markings(&net, &MarkingOptions::default()).unwrap();
    assert_eq!(reduction.net.places().len(), 0);
}
