//! Random DVE programs: the parser, both successor functions, the matrix, explicit and symbolic
//! exploration against an interpreter of its own. BRINE_CASES sets the number of programs,
//! BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_enumerate::explore::{explore, explore_reduced};
use brine_enumerate::vectors::Vectors;
use brine_explicit::provisos::{Promise, Proviso};
use brine_explicit::stubborn::Choice;
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

/// Whatever the proviso, a reduced graph has all dead states; and if the program goes wrong, a
/// graph in which nothing is left out for ever shows that.
#[test]
fn reduced_graphs_have_all_dead_states_and_all_faults() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut seen, mut smaller, mut wrong, mut seed) = (0, 0, 0, first);
    let provisos = Proviso::all();
    while seen < count {
        let mut rng = Rng::new(seed ^ 0xdead);
        let program = match rng.chance(80) {
            true => RandomDve::concurrent(&mut rng),
            false => RandomDve::new(&mut rng),
        };
        seed += 1;
        let Some(space) = program.space(LIMIT) else { continue };
        let text = program.text();
        let model = brine_dve::parse(&text).unwrap();
        let proviso = provisos[rng.index(provisos.len())];
        let context = format!("{} BRINE_SEED={}\n{text}", proviso.name(), seed - 1);
        let choice = Choice { tries: 1 + rng.below(5) as usize, ..Choice::default() };
        let order = u64::from(rng.below(4));
        let vectors = Vectors::ordered(&model, order, Control::default()).unwrap();
        let (_, result) = explore_reduced(vectors, proviso, choice, &mut |_| ());
        seen += 1;
        if space.wrong {
            wrong += 1;
            let misses = proviso.promise() == Promise::Deadlocks;
            assert!(misses || matches!(result, Err(PinsStop::Model(_))), "{context}");
            continue;
        }
        let counts = result.unwrap_or_else(|e| panic!("{e} {context}"));
        let dead = space.next.iter().filter(|n| n.is_empty()).count() as u64;
        assert_eq!(counts.deadlocks, dead, "{context}");
        assert!(counts.states <= space.states.len() as u64, "{context}");
        smaller += u64::from(counts.states < space.states.len() as u64);
    }
    println!("seeds {first}..{seed}: {smaller} of {count} smaller, {wrong} go wrong");
    if count >= 1_000 {
        assert!(smaller > count / 10 && wrong > count / 20);
    }
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
