//! Random guarded-command models: the parser and every way of exploring against an
//! interpreter of its own. BRINE_CASES sets the number of models, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

mod common;

use brine_net::Rng;
use brine_oracle::commands::RandomCommands;
use brine_oracle::number;
use brine_pins::{Dependency, GroupId, Pins, audit, gcl};
use common::check_model;

#[test]
fn random_models_have_the_same_states_as_by_brute_force() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 4_000));
    let (mut seen, mut large, mut may_writes, mut collections) = (0, 0, 0, 0);
    let mut seed = first;
    while seen < count {
        let mut rng = Rng::new(seed);
        let commands = RandomCommands::new(&mut rng);
        seed += 1;
        let Some(states) = commands.states(400) else { continue };
        let text = commands.text();
        let model = gcl::parse(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        let audit = audit(&model, 400).unwrap();
        assert!(audit.complete && audit.violation.is_none(), "{audit:?} in\n{text}");
        assert_eq!(audit.states, states.len(), "BRINE_SEED={}\n{text}", seed - 1);
        large += u64::from(states.len() > 20);
        let may =
            |g: u32| model.row(GroupId(g)).combined().iter().any(|e| e.1 == Dependency::MayWrite);
        may_writes += u64::from((0..model.groups() as u32).any(may));
        collections += check_model(&model, states, &mut rng, seed - 1);
        seen += 1;
    }
    println!("seeds {first}..{seed}: {large} of {count} large, {may_writes} with may-writes");
    if count >= 1_000 {
        assert!(large > count / 20 && may_writes > count / 10 && collections > count);
    }
}
