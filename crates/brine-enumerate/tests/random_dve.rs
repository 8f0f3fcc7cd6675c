//! Random DVE programs: the parser, both successor functions, the matrix, explicit and symbolic
//! exploration against an interpreter of its own. BRINE_CASES sets the number of programs,
//! BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_enumerate::explore::explore;
use brine_enumerate::vectors::Vectors;
use brine_net::Rng;
use brine_oracle::dve::{DveSpace, RandomDve};
use brine_oracle::number;
use brine_pins::{Explorer, MatrixOptions, Pins, PinsStop, SlotId, Strategy, audit};
use brine_run::Control;
use std::collections::BTreeSet;

/// States that programs have at most.
const LIMIT: usize = 400;

#[test]
fn random_programs_have_the_same_states_as_by_brute_force() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut seen, mut large, mut wrong, mut seed) = (0, 0, 0, first);
    while seen < count {
        let mut rng = Rng::new(seed);
        let program = RandomDve::new(&mut rng);
        seed += 1;
        let Some(space) = program.space(LIMIT) else { continue };
        let text = program.text();
        let context = format!("BRINE_SEED={}\n{text}", seed - 1);
        let model = brine_dve::parse(&text).unwrap_or_else(|e| panic!("{e} {context}"));
        compare_explicit(&model, &space, &context);
        compare_symbolic(&model, &space, &mut rng, &context);
        large += u64::from(space.states.len() > 20);
        wrong += u64::from(space.wrong);
        seen += 1;
    }
    println!("seeds {first}..{seed}: {large} of {count} large, {wrong} go wrong");
    if count >= 1_000 {
        assert!(large > count / 20 && wrong > count / 20 && wrong < count / 2);
    }
}

/// The compiled groups on whole states, state by state.
fn compare_explicit(model: &dyn Pins, space: &DveSpace, context: &str) {
    let mut vectors = Vectors::new(model, Control::default()).unwrap();
    let counts = explore(&mut vectors, &mut |_| ()).unwrap();
    let mut state = Vec::new();
    let mut unpack = |id| {
        vectors.state(id, &mut state);
        state.clone()
    };
    let found: BTreeSet<Vec<u32>> = vectors.store().ids().map(&mut unpack).collect();
    let expected: BTreeSet<Vec<u32>> = space.states.iter().cloned().collect();
    assert_eq!(found, expected, "{context}");
    let edges: usize = space.next.iter().map(Vec::len).sum();
    assert_eq!(counts.transitions, edges as u64, "{context}");
    let dead = space.next.iter().filter(|n| n.is_empty()).count();
    assert_eq!(counts.deadlocks, dead as u64, "{context}");
}

/// The interpreter, the matrix, and learned relations. A program that goes wrong says so.
fn compare_symbolic(model: &dyn Pins, space: &DveSpace, rng: &mut Rng, context: &str) {
    if space.wrong {
        assert!(audit(model, LIMIT).is_err(), "{context}");
    } else {
        let audit = audit(model, LIMIT).unwrap();
        assert!(audit.complete && audit.violation.is_none(), "{audit:?} {context}");
        assert_eq!(audit.states, space.states.len(), "{context}");
    }
    let strategy = Strategy::ALL[rng.below(Strategy::ALL.len() as u32) as usize];
    let order: Vec<SlotId> = (0..model.slots() as u32).map(SlotId).collect();
    let plan = MatrixOptions::default().plan(model, order);
    let mut explorer = Explorer::new(model, &plan, Control::default());
    match explorer.reach(strategy) {
        Ok(reached) => {
            assert!(!space.wrong, "{context}");
            let states = explorer.dd.count(reached).to_string();
            assert_eq!(states, space.states.len().to_string(), "{strategy:?} {context}");
        }
        Err(stop) => {
            assert!(space.wrong && matches!(stop, PinsStop::Model(_)), "{stop} {context}");
        }
    }
}
