//! Proofs and numbers against brute force, on random nets and on known ones.
//!
//! BRINE_CASES sets the number of random nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use super::{MOST_PROOF_WORK, SolutionNumbers, SolutionSpace};
use brine_models::counters;
use brine_net::{Net, NetBuilder, PlaceId, Rng, Structure};
use brine_oracle::{RandomNets, count_states, grown_net, number, reachable_markings};
use brine_run::{Control, Stop};

fn proved(net: &Net) -> Option<SolutionSpace<'_>> {
    let structure = Structure::new(net);
    SolutionSpace::prove(net, &structure, MOST_PROOF_WORK, &Control::default()).unwrap()
}

fn numbers(space: &SolutionSpace<'_>) -> SolutionNumbers {
    let control = Control::default();
    space.numbers(space.count(&[], &control).unwrap(), &control).unwrap()
}

/// A net of machines: tokens that go round, alone or together, and resources that are taken and
/// given back. Invariants bound all of it, and often tell all.
fn machines(rng: &mut Rng) -> Net {
    let mut b = NetBuilder::new("machines");
    let resources: Vec<PlaceId> =
        (0..rng.below(3)).map(|i| b.place(&format!("r{i}"), 1 + rng.below(3))).collect();
    let mut homes: Vec<PlaceId> = Vec::new();
    for line in 0..1 + rng.below(3) {
        let length = 2 + rng.below(3);
        let places: Vec<PlaceId> = (0..length)
            .map(|i| {
                let tokens = if i == 0 || rng.chance(15) { rng.below(4) } else { 0 };
                b.place(&format!("p{line}_{i}"), tokens)
            })
            .collect();
        let mut held: Vec<PlaceId> = Vec::new();
        for i in 0..places.len() {
            let next = (i + 1) % places.len();
            let weight = if rng.chance(15) { 2 } else { 1 };
            let (mut pre, mut post) = (vec![(places[i], weight)], vec![(places[next], weight)]);
            if next != 0 && !resources.is_empty() && rng.chance(50) {
                let r = resources[rng.index(resources.len())];
                pre.push((r, weight));
                held.push(r);
            } else if next == 0 {
                post.extend(held.drain(..).map(|r| (r, weight)));
            }
            if let Some(&home) = homes.first().filter(|_| rng.chance(10)) {
                // Two lines meet.
                pre.push((home, 1));
                post.push((home, 1));
            }
            b.transition(&format!("t{line}_{i}"), &merged(&pre), &merged(&post));
            if rng.chance(20) {
                b.transition(&format!("u{line}_{i}"), &merged(&post), &merged(&pre));
            }
        }
        homes.push(places[0]);
    }
    b.build().unwrap()
}

fn merged(arcs: &[(PlaceId, u32)]) -> Vec<(PlaceId, u32)> {
    let mut merged: Vec<(PlaceId, u32)> = Vec::new();
    for &(p, w) in arcs {
        match merged.iter_mut().find(|arc| arc.0 == p) {
            Some(arc) => arc.1 += w,
            None => merged.push((p, w)),
        }
    }
    merged
}

fn some_net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    match seed % 4 {
        0 => RandomNets { balanced: 100, ..RandomNets::default() }.net(&mut rng),
        1 => grown_net(&mut rng, 4 + (seed % 13) as u32),
        _ => machines(&mut rng),
    }
}

#[test]
fn what_is_proved_is_what_brute_force_finds() {
    let (first, cases) = (number("BRINE_SEED", 31_000_000), number("BRINE_CASES", 1_200));
    let (mut compared, mut equal) = (0, 0);
    for seed in first..first + cases {
        let net = some_net(seed);
        let Some(expected) = count_states(&net, 3_000) else { continue };
        compared += 1;
        let Some(space) = proved(&net) else { continue };
        equal += 1;
        let found = numbers(&space);
        let expected = SolutionNumbers {
            states: expected.states.into(),
            edges: expected.edges.into(),
            max_in_place: expected.max_token_in_place,
            max_in_marking: expected.max_token_per_marking,
        };
        assert_eq!(found, expected, "BRINE_SEED={seed}\n{net:?}");
        conditions_agree(&net, &space, seed);
    }
    println!("{compared} nets compared, {equal} of them proved");
    if cases >= 1_200 {
        assert!(compared > cases / 2 && equal > compared / 5, "{compared} {equal}");
    }
}

/// Numbers of markings with tokens here and there, and the most of random sums.
fn conditions_agree(net: &Net, space: &SolutionSpace<'_>, seed: u64) {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let markings = reachable_markings(net, 3_000).unwrap();
    for _ in 0..3 {
        let places: Vec<PlaceId> = net.place_ids().filter(|_| rng.chance(30)).collect();
        let least: Vec<(PlaceId, u32)> = places.iter().map(|&p| (p, rng.below(4))).collect();
        let has = |m: &&Vec<u32>| least.iter().all(|&(p, n)| m[p.index()] >= n);
        let expected = markings.iter().filter(has).count();
        let found = space.count(&least, &Control::default()).unwrap();
        assert_eq!(found, expected.into(), "BRINE_SEED={seed} {least:?}\n{net:?}");
        let sum: Vec<(PlaceId, u64)> =
            places.iter().map(|&p| (p, u64::from(rng.below(4)))).collect();
        let value =
            |m: &Vec<u32>| -> u64 { sum.iter().map(|&(p, k)| k * u64::from(m[p.index()])).sum() };
        let expected = markings.iter().map(value).max().unwrap();
        let found = space.most(&sum, &Control::default()).unwrap();
        assert_eq!(found, expected, "BRINE_SEED={seed} {sum:?}\n{net:?}");
    }
}

/// Two lines share a buffer; nobody could count these one by one.
#[test]
fn the_number_of_tokens_hardly_matters() {
    let net = |n: u32| {
        let mut b = NetBuilder::new("lines");
        let room = b.place("room", n);
        for line in ["a", "b"] {
            let idle = b.place(&format!("{line}_idle"), n);
            let busy = b.place(&format!("{line}_busy"), 0);
            b.transition(&format!("{line}_take"), &[(idle, 1), (room, 1)], &[(busy, 1)]);
            b.transition(&format!("{line}_give"), &[(busy, 1)], &[(idle, 1), (room, 1)]);
        }
        b.build().unwrap()
    };
    // Both hold i and k with i + k <= n.
    let of = |n: u64| ((n + 1) * (n + 2) / 2).into();
    for n in [1, 2, 7, 100_000] {
        let net = net(n);
        let space = proved(&net).expect("it is proved");
        let found = numbers(&space);
        assert_eq!(found.states, of(u64::from(n)), "{n}");
        // Each of the four transitions is enabled as often as there are ways for one token less.
        assert_eq!(found.edges, num_bigint::BigUint::from(4_u32) * &of(u64::from(n) - 1), "{n}");
        assert_eq!((found.max_in_place, found.max_in_marking), (n.into(), 3 * u64::from(n)));
    }
}

/// A token must be in one of two places for ever, or the number of tokens is even: invariants
/// do not tell.
#[test]
fn nothing_is_claimed_where_invariants_do_not_tell() {
    let mut b = NetBuilder::new("pairs");
    let (p, q) = (b.place("p", 4), b.place("q", 0));
    b.transition("t", &[(p, 2)], &[(q, 2)]);
    b.transition("u", &[(q, 2)], &[(p, 2)]);
    let pairs = b.build().unwrap();
    assert!(proved(&pairs).is_none(), "p = 3, q = 1 is never reached");
    let mut b = NetBuilder::new("one way");
    let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 1));
    b.transition("t", &[(p, 1), (r, 1)], &[(q, 1), (r, 1)]);
    let s = b.place("s", 0);
    b.transition("u", &[(r, 1), (q, 1)], &[(s, 1), (q, 1)]);
    let one_way = b.build().unwrap();
    assert!(proved(&one_way).is_none(), "p = 1, s = 1 is never reached");
}

#[test]
fn a_proof_can_be_called_off_at_any_look() {
    let net = counters(3, 50);
    let structure = Structure::new(&net);
    let mut ends = 0;
    for work in (0..40_000).step_by(2_500) {
        let found = SolutionSpace::prove(&net, &structure, work, &Control::default()).unwrap();
        ends += u64::from(found.is_some());
    }
    assert!(ends > 0, "with enough work it is proved");
    let gone = Control { cancel: Some(Default::default()), ..Control::default() };
    gone.cancel.as_ref().unwrap().store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = SolutionSpace::prove(&net, &structure, MOST_PROOF_WORK, &gone);
    assert_eq!(stopped.err(), Some(Stop::Cancelled));
}
