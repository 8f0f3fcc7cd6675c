//! Saturation, its constrained form and the slow references against brute force, on
//! random nets, random layouts and schedules that make rare things common.
//!
//! `BRINE_CASES` scales the number of nets, `BRINE_SEED` replays one.

use std::collections::{BTreeMap, BTreeSet};

use brine_dd::{Dd, NodeId, Stop};
use brine_net::order::{Layout, candidates};
use brine_net::{Net, PlaceId, Rng, Structure};
use brine_oracle::{RandomNets, count_states, reachable_markings};
use brine_sat::{LevelModel, Saturation, measure};

type Markings = BTreeSet<Vec<u32>>;

fn seeds(default: u64) -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    match number("BRINE_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("BRINE_CASES").unwrap_or(default)).collect(),
    }
}

/// Nets of several shapes: safe-looking, weighted, unbalanced.
fn random_net(rng: &mut Rng) -> Net {
    let shape = RandomNets {
        max_places: 6,
        max_transitions: 7,
        max_arcs: 1 + rng.below(3),
        max_weight: 1 + rng.below(3),
        max_tokens: 1 + rng.below(3),
        balanced: [100, 90, 70][rng.below(3) as usize],
    };
    shape.net(rng)
}

/// Any partition of the places in any order.
fn random_layout(net: &Net, rng: &mut Rng) -> Layout {
    let mut levels: Vec<Vec<PlaceId>> = Vec::new();
    for p in net.place_ids() {
        let at = rng.below(levels.len() as u32 + 1) as usize;
        if rng.chance(40) && at < levels.len() {
            levels[at].push(p);
        } else {
            levels.insert(at, vec![p]);
        }
    }
    Layout { levels }
}

fn engine(net: &Net, layout: &Layout, rng: &mut Rng) -> (Saturation, bool) {
    let mut engine = Saturation::new(LevelModel::new(net, layout), Dd::default());
    let happy = rng.chance(60);
    if happy {
        engine.dd.set_gc_interval(1);
    }
    if rng.chance(30) {
        engine.dd.client_cache.set_max_entries(1 << rng.below(6));
    }
    (engine, happy)
}

fn read(engine: &Saturation, set: NodeId) -> Markings {
    engine.dd.vectors(set).map(|v| engine.model.marking(&v)).collect()
}

#[test]
fn every_strategy_finds_the_reachable_markings() {
    let (mut nets, mut collections) = (0, 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let Some(expected) = reachable_markings(&net, 2000) else { continue };
        let expected: Markings = expected.into_iter().collect();
        nets += 1;
        let structure = Structure::new(&net);
        let mut layouts = vec![random_layout(&net, &mut rng), random_layout(&net, &mut rng)];
        let all = candidates(&net, &structure);
        layouts.push(all[rng.below(all.len() as u32) as usize].layout.clone());
        for layout in layouts {
            let (mut sat, happy) = engine(&net, &layout, &mut rng);
            let set = sat.reach().unwrap();
            sat.dd.validate(set);
            assert_eq!(read(&sat, set), expected, "seed {seed}, {layout:?}");
            if happy {
                collections += sat.dd.stats().collections;
            }
            let space = measure(&sat.dd, &sat.model, set).unwrap();
            let counts = count_states(&net, 2000).unwrap();
            assert_eq!(space.states, counts.states.into(), "seed {seed}");
            assert_eq!(space.edges, Some(counts.edges.into()), "seed {seed}");
            assert_eq!(space.max_in_place, counts.max_token_in_place, "seed {seed}");
            assert_eq!(space.max_in_marking, counts.max_token_per_marking, "seed {seed}");
            assert_eq!(sat.saturate_all(set).unwrap(), set, "closed under events, seed {seed}");
            let initial = sat.initial().unwrap();
            assert_eq!(sat.saturate_all(initial).unwrap(), set, "as a whole, seed {seed}");
            assert_eq!(sat.reach_breadth_first().unwrap(), set, "seed {seed}");
            assert_eq!(sat.reach_chaining().unwrap(), set, "seed {seed}");
        }
    }
    assert!(nets > 0 && collections > nets, "{nets} nets, {collections} collections");
}

/// Markings reachable from `from` by steps with targets in `within`, the naive way.
fn naive_within(net: &Net, from: &Markings, within: &Markings) -> Markings {
    let mut seen = from.clone();
    let mut stack: Vec<Vec<u32>> = from.iter().cloned().collect();
    while let Some(m) = stack.pop() {
        for t in net.transitions() {
            if t.pre.iter().any(|&(p, w)| m[p.index()] < w) {
                continue;
            }
            let mut after = m.clone();
            t.pre.iter().for_each(|&(p, w)| after[p.index()] -= w);
            t.post.iter().for_each(|&(p, w)| after[p.index()] += w);
            if within.contains(&after) && seen.insert(after.clone()) {
                stack.push(after);
            }
        }
    }
    seen
}

#[test]
fn constrained_saturation_stays_within_its_constraint() {
    let mut proper = 0;
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        if reachable_markings(&net, 400).is_none() {
            continue;
        }
        let layout = random_layout(&net, &mut rng);
        let (mut sat, _) = engine(&net, &layout, &mut rng);
        let all = sat.reach().unwrap();
        let states: BTreeMap<Vec<u32>, Vec<u32>> =
            sat.dd.vectors(all).map(|v| (sat.model.marking(&v), v)).collect();
        for percent in [30, 60, 90] {
            let mut pick = |percent| -> Markings {
                states.keys().filter(|_| rng.chance(percent)).cloned().collect()
            };
            let (from, within) = (pick(10), pick(percent));
            let mut set = |markings: &Markings| -> NodeId {
                let mut node = NodeId::EMPTY;
                for m in markings {
                    let one = sat.dd.singleton(&states[m]).unwrap();
                    node = sat.dd.union(node, one).unwrap();
                }
                node
            };
            let (from_set, within_set) = (set(&from), set(&within));
            let result = sat.reach_within(from_set, within_set).unwrap();
            let expected = naive_within(&net, &from, &within);
            proper += usize::from(expected.len() > from.len() && expected.len() < states.len());
            assert_eq!(read(&sat, result), expected, "seed {seed}, {layout:?}");
        }
    }
    assert!(proper > 0, "the constraint never mattered");
}

/// A level with so many values that the constraint is looked up in a table.
#[test]
fn a_constraint_with_gaps_in_many_values() {
    let net = brine_models::counters(2, 60);
    let initial: Vec<u32> = net.places().map(|p| p.initial).collect();
    let from = Markings::from([initial]);
    let all: Markings = reachable_markings(&net, 10_000).unwrap().into_iter().collect();
    for gap in [7, 45, 59] {
        let within: Markings =
            all.iter().filter(|m| m.iter().all(|&tokens| tokens != gap)).cloned().collect();
        let (mut sat, _) = engine(&net, &Layout::as_given(&net), &mut Rng::new(u64::from(gap)));
        let mut sets = [NodeId::EMPTY; 2];
        for (set, markings) in sets.iter_mut().zip([&from, &within]) {
            for m in markings {
                let one = sat.dd.singleton(m).unwrap();
                *set = sat.dd.union(*set, one).unwrap();
            }
        }
        let result = sat.reach_within(sets[0], sets[1]).unwrap();
        assert_eq!(read(&sat, result), naive_within(&net, &from, &within), "without {gap}");
    }
}

#[test]
fn catalogue_counts_are_found() {
    use brine_models::CATALOGUE;
    let table =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/states.csv"))
            .unwrap();
    for (entry, line) in CATALOGUE.iter().zip(table.lines().skip(1)) {
        let net = entry.net();
        let structure = Structure::new(&net);
        let found = brine_sat::reach_with_best(
            &net,
            &candidates(&net, &structure),
            &brine_dd::Control::default(),
        );
        let found = found.unwrap();
        let space = measure(&found.engine.dd, &found.engine.model, found.reached).unwrap();
        let fields: Vec<&str> = line.split(',').collect();
        let numbers = format!(
            "{},{},{},{}",
            space.states,
            space.edges.unwrap(),
            space.max_in_place,
            space.max_in_marking
        );
        assert_eq!(fields[4..8].join(","), numbers, "{line}");
    }
}

#[test]
fn an_unbounded_net_never_gets_a_number() {
    let mut b = brine_net::NetBuilder::new("source");
    let p = b.place("p", 0);
    b.transition("make", &[], &[(p, 1)]);
    let net = b.build().unwrap();
    let control = brine_dd::Control { work: Some(300_000), ..Default::default() };
    let result = brine_sat::reach_with(&net, &Layout::as_given(&net), &control);
    assert_eq!(result.err(), Some(Stop::Work));
    // A jump past u32 is noticed too.
    let mut b = brine_net::NetBuilder::new("leap");
    let p = b.place("p", 1);
    b.transition("leap", &[(p, 1)], &[(p, 4_000_000_000)]);
    let net = b.build().unwrap();
    let result =
        brine_sat::reach_with(&net, &Layout::as_given(&net), &brine_dd::Control::default());
    assert_eq!(result.err(), Some(Stop::Overflow));
}

#[test]
fn two_thousand_philosophers_need_no_luck() {
    let net = brine_models::philosophers(2000);
    let structure = Structure::new(&net);
    let all = candidates(&net, &structure);
    let found = brine_sat::reach_with_best(&net, &all, &brine_dd::Control::default()).unwrap();
    let states = measure(&found.engine.dd, &found.engine.model, found.reached).unwrap().states;
    assert_eq!(states, num_bigint::BigUint::from(3u32).pow(2000));
}
