//! The explicit engine with every emptiness check, on random nets and random formulas,
//! against the oracle. Witnesses are replayed by `decide`.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, DecideError, Decision, ExplicitEngine, Property, Reason, Verdict, decide,
};
use brine_explicit::layout::Bound;
use brine_explicit::{Checker, Control, Emptiness, SearchOptions};
use brine_ltl::{Class, Formula, Formulas, Options, Symbols, parse, translate};
use brine_net::{Net, NetBuilder, Rng, Structure};
use brine_oracle::formulas::random_formula;
use brine_oracle::nets::{MARKINGS_MAX, random_net};
use brine_oracle::{AnsweredPair, Kripke, random_pairs};
use std::collections::BTreeMap;

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    violated: u64,
    dead_ends: u64,
    classes: BTreeMap<&'static str, u64>,
    checks: BTreeMap<&'static str, u64>,
}

fn check_pair(pair: AnsweredPair<'_>, seen: &mut Seen) {
    let AnsweredPair { net, formulas: fs, formula, expected, seed } = pair;
    let structure = &Structure::new(net);
    let mut class = None;
    for choice in Emptiness::ALL.into_iter().map(Some).chain([None]) {
        let property = Property { net, formulas: fs, formula };
        let mut engine = ExplicitEngine::new(net, structure, choice, seed % 3);
        let name = choice.map_or("default", Emptiness::name);
        // So small a net needs next to nothing; a firing rule gone wild is stopped.
        let budget = Budget { memory: Some(32 << 20), ..Budget::default() };
        let decision = match decide(&mut engine, property, &budget) {
            Ok(decision) => decision,
            Err(DecideError::BadOption(_)) => {
                assert!(matches!(choice, Some(Emptiness::DfsWeak | Emptiness::Reach)), "{name}");
                continue;
            }
            Err(error) => panic!("BRINE_SEED={seed} {name}: {error} on {net:?}"),
        };
        let holds = decision.verdict == Verdict::Holds;
        assert_eq!(holds, expected, "BRINE_SEED={seed} {name}: {:?} on {net:?}", decision.verdict);
        *seen.checks.entry(name).or_default() += 1;
        class = decision.automaton.as_ref().map(|a| a.class);
        count_dead_end(&decision, seen);
    }
    assert_eq!(holds_without_bounds(net, fs, formula), expected, "BRINE_SEED={seed}, no bounds");
    seen.pairs += 1;
    seen.violated += u64::from(!expected);
    *seen.classes.entry(class.unwrap_or(Class::General).name()).or_default() += 1;
}

/// The same question to a checker that knows nothing of the net's bounds and starts with one
/// bit a place: it has to widen its fields again and again.
fn holds_without_bounds(net: &Net, fs: &Formulas, formula: Formula) -> bool {
    let mut fs = fs.clone();
    let negation = fs.not(formula);
    let aut = translate(&fs, negation, &Options::default()).unwrap();
    let bounds = vec![Bound::Guess(1); net.places().len()];
    let limits = Control { charged: Some(32 << 20), ..Control::default() };
    let options =
        SearchOptions { emptiness: Some(Emptiness::Couvreur), ..SearchOptions::default() };
    let answer = Checker::new(net, bounds, 0).check(&aut, options, limits);
    answer.unwrap().run.unwrap().is_none()
}

fn count_dead_end(decision: &Decision, seen: &mut Seen) {
    if let Verdict::Violated(Some(witness)) = &decision.verdict {
        seen.dead_ends += u64::from(witness.cycle.is_empty());
    }
}

#[test]
fn every_check_agrees_with_the_oracle() {
    let mut seen = Seen::default();
    let pairs = random_pairs(8_000, |pair, _| check_pair(pair, &mut seen));
    println!("{seen:?}");
    if pairs >= 1_000 {
        assert!(seen.violated * 5 > seen.pairs && seen.violated * 5 < seen.pairs * 4, "{seen:?}");
        assert!(seen.classes.len() == 3 && seen.classes.values().all(|&n| n * 20 > seen.pairs));
        assert!(seen.checks.len() == 10 && seen.checks.values().all(|&n| n * 20 > seen.pairs));
        assert!(seen.dead_ends > seen.pairs / 20, "{seen:?}");
    }
}

/// Several questions to one engine share its marking graph; the answers stay the same.
#[test]
fn an_engine_that_is_asked_again_gives_the_same_answers() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        if Kripke::new(&net, MARKINGS_MAX).is_none() {
            continue;
        }
        let structure = Structure::new(&net);
        let mut shared = ExplicitEngine::new(&net, &structure, None, 0);
        for _ in 0..6 {
            let mut fs = Formulas::new();
            let formula = random_formula(&mut rng, &net, &mut fs, 3);
            let property = Property { net: &net, formulas: &fs, formula };
            let mut fresh = ExplicitEngine::new(&net, &structure, None, 0);
            let budget = Budget::default();
            let holds = |d: Decision| d.verdict == Verdict::Holds;
            let first = decide(&mut shared, property, &budget).map(holds);
            assert_eq!(first, decide(&mut fresh, property, &budget).map(holds), "seed {seed}");
        }
    }
}

/// However small the memory budget is, the answer is right or "memory", and an engine that
/// ran out answers the next question as if nothing had happened.
#[test]
fn a_small_memory_budget_never_makes_a_wrong_answer() {
    let (mut solved, mut open) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let Some(kripke) = Kripke::new(&net, MARKINGS_MAX) else { continue };
        let structure = Structure::new(&net);
        let mut fs = Formulas::new();
        let formula = random_formula(&mut rng, &net, &mut fs, 3);
        let Some(expected) = brine_oracle::holds(&net, &kripke, &fs, formula) else { continue };
        let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
        for memory in [100, 1_000, 2_000, 4_000, 10_000, 1 << 30] {
            let budget = Budget { memory: Some(memory), ..Budget::default() };
            let property = Property { net: &net, formulas: &fs, formula };
            match decide(&mut engine, property, &budget).unwrap().verdict {
                Verdict::Unknown(reason) => {
                    assert_eq!(reason, Reason::Memory);
                    assert!(memory < 1 << 30);
                    open += 1;
                }
                verdict => {
                    assert_eq!(verdict == Verdict::Holds, expected, "seed {seed}");
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 200 && open > 200, "{solved} solved, {open} open");
}

/// A net that grows for ever and a violation beside the growth: depth-first search alone
/// would never come back.
#[test]
fn an_unbounded_net_does_not_hide_a_violation() {
    let mut b = NetBuilder::new("well");
    let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
    b.transition("grow", &[(p, 1)], &[(p, 1), (q, 1)]);
    let mut last = p;
    for i in 0..30 {
        let next = b.place(&format!("s{i}"), 0);
        b.transition(&format!("t{i}"), &[(last, 1)], &[(next, 1)]);
        last = next;
    }
    b.transition("bad", &[(last, 1), (q, 4)], &[(last, 1), (r, 1), (q, 4)]);
    b.transition("good", &[(last, 1), (r, 1)], &[(last, 1)]);
    let net = b.build().unwrap();
    let structure = Structure::new(&net);
    let mut fs = Formulas::new();
    let formula = parse("F G r = 0", &mut fs, &mut Symbols::of_net(&net)).unwrap();
    let property = Property { net: &net, formulas: &fs, formula };
    let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
    let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
    let decision = decide(&mut engine, property, &budget).unwrap();
    assert!(matches!(decision.verdict, Verdict::Violated(_)), "{:?}", decision.verdict);
    // With a check of one's own choice there is no rescue, and no wrong answer either.
    let mut engine = ExplicitEngine::new(&net, &structure, Some(Emptiness::Couvreur), 0);
    let decision = decide(&mut engine, property, &budget).unwrap();
    assert_eq!(decision.verdict, Verdict::Unknown(Reason::Memory));
    // It holds, but the net is infinite: the answer is not known, and certainly not "violated".
    let formula = parse("G p <= 1", &mut fs, &mut Symbols::of_net(&net)).unwrap();
    let property = Property { net: &net, formulas: &fs, formula };
    let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
    let decision = decide(&mut engine, property, &budget).unwrap();
    assert_eq!(decision.verdict, Verdict::Unknown(Reason::Memory));
}
