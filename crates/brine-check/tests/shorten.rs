//! Shortened runs against brute force, on random nets and random formulas: every one is replayed,
//! none is longer than before, one that is called shortest is compared with all step sequences
//! that are shorter, and a beginning that is called bad with all lassos that begin with it.
//!
//! BRINE_CASES sets the number of runs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::shorten::{Effort, RunFacts, Shortest, shorten};
use brine_check::{Budget, ExplicitEngine, Property, Verdict, decide};
use brine_ltl::{Formulas, Symbols};
use brine_net::{Net, Rng, Run, Structure, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{Kripke, grown_net, number};
use brine_replay::{ReplayError, replay, replay_beginning};

/// Larger nets are not taken.
const MARKINGS_MAX: usize = 60;
/// Sequences that brute force looks at.
const SEQUENCES: usize = 20_000;

#[derive(Default, Debug)]
struct Seen {
    runs: u64,
    shorter: u64,
    proved: u64,
    checked: u64,
    beginnings: u64,
    dead_ends: u64,
}

/// All step sequences of at most so many steps, shortest first; `None` if there are too many.
fn sequences(net: &Net, start: &[TransitionId], most: usize) -> Option<Vec<Vec<TransitionId>>> {
    let mut all = vec![start.to_vec()];
    let mut next = 0;
    while next < all.len() {
        let steps = all[next].clone();
        next += 1;
        if steps.len() >= start.len() + most {
            continue;
        }
        let mut marking = net.initial_marking();
        assert!(steps.iter().all(|&t| net.fire_in_place(t, &mut marking)));
        for t in net.transition_ids().filter(|&t| net.is_enabled(t, &marking)) {
            all.push([&steps[..], &[t]].concat());
        }
        if all.len() > SEQUENCES {
            return None;
        }
    }
    Some(all)
}

/// All ways to make a run of these steps.
fn runs(steps: &[TransitionId]) -> impl Iterator<Item = Run> + '_ {
    (0..=steps.len()).map(|i| Run { prefix: steps[..i].to_vec(), cycle: steps[i..].to_vec() })
}

/// The length of the shortest violation below a length, by brute force.
fn shortest_below(property: Property<'_>, length: usize) -> Option<Option<usize>> {
    let Property { net, formulas, formula } = property;
    let Some(most) = length.checked_sub(1) else { return Some(None) };
    let all = sequences(net, &[], most)?;
    let violates = |steps: &Vec<TransitionId>| {
        replay_beginning(net, formulas, formula, steps).is_ok()
            || runs(steps).any(|run| replay(net, formulas, formula, &run).is_ok())
    };
    Some(all.iter().find(|s| violates(s)).map(Vec::len))
}

/// A lasso that begins like this and does not violate the formula.
fn exception(property: Property<'_>, beginning: &[TransitionId]) -> Option<Run> {
    let Property { net, formulas, formula } = property;
    let all = sequences(net, beginning, 4).or_else(|| sequences(net, beginning, 2))?;
    let satisfies = |run: &Run| {
        run.prefix.len() >= beginning.len()
            && replay(net, formulas, formula, run) == Err(ReplayError::Satisfies)
    };
    all.iter().flat_map(|steps| runs(steps).collect::<Vec<_>>()).find(satisfies)
}

fn check(property: Property<'_>, rng: &mut Rng, seed: u64, seen: &mut Seen) {
    let Property { net, formulas, formula } = property;
    let structure = Structure::new(net);
    let mut engine = ExplicitEngine::new(net, &structure, None, seed);
    let mut decision = decide(&mut engine, property, &Budget::default()).unwrap();
    let Verdict::Violated(Some(found)) = &mut decision.verdict else { return };
    // Longer on purpose: rounds of the cycle in front of it, and a cycle that goes round twice.
    for _ in 0..rng.below(3) {
        found.prefix.extend_from_slice(&found.cycle.clone());
    }
    if rng.chance(30) {
        found.cycle = found.cycle.repeat(2);
    }
    let found = found.clone();
    let effort = Effort { shortest: rng.chance(30), budget: Budget::default() };
    shorten(property, &mut decision, &effort);
    let facts: RunFacts = decision.run_facts.unwrap();
    let Verdict::Violated(Some(run)) = &decision.verdict else { panic!("{decision:?}") };
    let context = || {
        let text = formulas.print(formula, &Symbols::of_net(net));
        format!("BRINE_SEED={seed}: {found:?} to {run:?}, {facts:?}, {text} on {net:?}")
    };
    let shown = facts.shown(run);
    assert_eq!(replay(net, formulas, formula, run), Ok(()), "{}", context());
    assert!(shown <= found.len() && shown <= run.len(), "{}", context());
    assert_eq!(facts.found, found.len());
    seen.runs += 1;
    seen.shorter += u64::from(shown < found.len());
    seen.dead_ends += u64::from(run.cycle.is_empty());
    if let Some(k) = facts.violated_after {
        seen.beginnings += 1;
        let steps: Vec<TransitionId> = run.steps().take(k).collect();
        assert_eq!(replay_beginning(net, formulas, formula, &steps), Ok(k), "{}", context());
        assert_eq!(exception(property, &steps), None, "{}", context());
    }
    if facts.shortest == Shortest::Proved {
        seen.proved += 1;
        if let Some(shorter) = shortest_below(property, shown) {
            seen.checked += 1;
            assert_eq!(shorter, None, "{}", context());
        }
    }
}

#[test]
fn shortened_runs_replay_and_shortest_ones_are() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 1_000));
    let mut seen = Seen::default();
    let mut seed = first;
    while seen.runs < count {
        let mut rng = Rng::new(seed);
        let net = grown_net(&mut rng, 7);
        if Kripke::new(&net, MARKINGS_MAX).is_some() {
            let places = 1 + rng.below(net.places().len().min(3) as u32);
            let transitions = 1 + rng.below(net.transitions().len().min(2) as u32);
            let scope = AtomScope {
                places,
                transitions,
                deadlock: rng.chance(10),
                events: false,
                tokens: 2,
            };
            let mut formulas = Formulas::new();
            let formula = random_formula_over(&mut rng, scope, &mut formulas, 2);
            let property = Property { net: &net, formulas: &formulas, formula };
            check(property, &mut rng, seed, &mut seen);
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if count >= 1_000 {
        assert!(seen.shorter * 3 > count && seen.proved * 2 > count, "{seen:?}");
        assert!(seen.checked * 3 > count && seen.beginnings * 10 > count, "{seen:?}");
        assert!(seen.dead_ends * 50 > count, "{seen:?}");
    }
}
