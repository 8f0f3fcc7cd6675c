//! Random nets through the interface: every strategy, order and coarsening against brute
//! force. BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

mod common;

use brine_net::{Rng, Structure};
use brine_oracle::{RandomNets, number, reachable_markings};
use brine_pins::{NetModel, Pins, audit, reachable_states};
use common::check_model;

#[test]
fn random_nets_have_the_same_states_as_by_brute_force() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut seen, mut safe, mut collections) = (0, 0, 0);
    let mut seed = first;
    while seen < count {
        let mut rng = Rng::new(seed);
        let flavour = RandomNets {
            max_weight: 1 + rng.below(2),
            max_tokens: 1 + rng.below(2),
            balanced: [50, 100][rng.below(2) as usize],
            ..RandomNets::default()
        };
        let net = flavour.net(&mut rng);
        seed += 1;
        let Some(markings) = reachable_markings(&net, 400) else { continue };
        let bounds = Structure::new(&net).bounds;
        let model = NetModel::new(&net, &bounds);
        assert_eq!(reachable_states(&model, 400).unwrap().as_ref(), Some(&markings));
        let audit = audit(&model, 400).unwrap();
        assert!(audit.complete && audit.violation.is_none(), "seed {}: {audit:?}", seed - 1);
        collections += check_model(&model, markings, &mut rng, seed - 1);
        seen += 1;
        safe += u64::from(bounds.is_safe() && model.groups() > 1);
    }
    println!("seeds {first}..{seed}: {seen} nets, {safe} safe, {collections} collections");
    if count >= 1_000 {
        assert!(safe > count / 20 && collections > count, "{safe} safe, {collections} collections");
    }
}
