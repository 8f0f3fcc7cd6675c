//! `auto` on random nets and random formulas, against the oracle, with every subset of its
//! stages; and its answers do not depend on threads. Runs are replayed on the way.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Auto, Budget, Decision, Property, Reason, Stages, Verdict};
use brine_ltl::{Formulas, Symbols, parse};
use brine_models::philosophers;
use brine_net::{Net, NetBuilder, Rng, Structure};
use brine_oracle::{AnsweredPair, random_pairs};
use std::collections::BTreeMap;

/// Any stages, but at least one that can prove.
fn random_stages(rng: &mut Rng) -> Stages {
    let explicit = rng.chance(60);
    Stages {
        simplification: rng.chance(50),
        reduction: rng.chance(70),
        hunt: rng.chance(50),
        explicit,
        symbolic: !explicit || rng.chance(50),
    }
}

fn decide(
    property: Property<'_>,
    structure: &Structure,
    stages: Stages,
    threads: usize,
) -> Decision {
    let budget = Budget { memory: Some(1 << 30), threads, ..Budget::default() };
    Auto::new(property.net, &structure, stages).decide(property, &budget).unwrap()
}

#[test]
fn any_stages_agree_with_the_oracle() {
    let mut decided_by: BTreeMap<&str, u64> = BTreeMap::new();
    let pairs =
        random_pairs(4_000, |AnsweredPair { net, formulas, formula, expected, seed }, rng| {
            let structure = Structure::new(net);
            let property = Property { net, formulas, formula };
            let stages = random_stages(rng);
            let decision = decide(property, &structure, stages, 1);
            let holds = decision.verdict == Verdict::Holds;
            assert_eq!(holds, expected, "BRINE_SEED={seed} {stages:?}: {decision:?} on {net:?}");
            *decided_by.entry(decision.engine).or_default() += 1;
            let again = decide(property, &structure, stages, 3);
            assert_eq!(again.engine, decision.engine, "BRINE_SEED={seed} {stages:?} on {net:?}");
            assert_eq!(again.verdict, decision.verdict, "BRINE_SEED={seed} {stages:?} on {net:?}");
        });
    println!("decided by: {decided_by:?}");
    if pairs >= 1_000 {
        assert_eq!(decided_by.len(), 4, "every stage decides something: {decided_by:?}");
    }
}

/// Asks `auto`, all stages, about a net.
fn ask(net: &Net, text: &str) -> Verdict {
    let mut formulas = Formulas::new();
    let formula = parse(text, &mut formulas, &mut Symbols::of_net(net)).unwrap();
    let property = Property { net, formulas: &formulas, formula };
    decide(property, &Structure::new(net), Stages::default(), 1).verdict
}

/// More tokens than fit are no matter of memory.
#[test]
fn overflow_is_told_as_such() {
    let mut b = NetBuilder::new("full");
    let p = b.place("p", u32::MAX);
    b.transition("t", &[(p, 1)], &[(p, 2)]);
    let verdict = ask(&b.build().unwrap(), "X p > 4294967295");
    assert!(matches!(verdict, Verdict::Unknown(Reason::Unsupported(_))), "{verdict:?}");
}

/// The run that fires `t` for ever is found for `F p >= 1`. The rest of the formula holds, but
/// one of its atoms changes on the way: not after the first round of the cycle.
#[test]
fn a_growing_run_of_the_simplified_formula_is_no_bug() {
    let mut b = NetBuilder::new("growing");
    let (p, q, r) = (b.place("p", 0), b.place("q", 0), b.place("r", 1));
    b.transition("t", &[], &[(q, 1)]);
    b.transition("u", &[(r, 1), (q, 3)], &[(p, 1), (q, 2)]);
    let net = b.build().unwrap();
    let verdict = ask(&net, "F p >= 1 & G(r <= 1 | q < 5000000)");
    assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
}

/// The first hunt, simplification (twice), the engines, and the engines after a reduction ask
/// for five automata, two of which are there already; a second property that differs only in
/// its places needs no new one.
#[test]
fn nothing_is_translated_twice() {
    let net = philosophers(20);
    let (mut formulas, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
    let properties = [0, 7].map(|i| {
        let text = format!("G (eat_{i} = 1 -> F (think_{i} = 1 | G eat_{i} = 1))");
        parse(&text, &mut formulas, &mut symbols).unwrap()
    });
    let structure = &Structure::new(&net);
    let mut auto = Auto::new(&net, &structure, Stages::default());
    let budget = Budget { memory: Some(1 << 30), ..Budget::default() };
    for (formula, [made, reused]) in properties.into_iter().zip([[3, 2], [3, 7]]) {
        let property = Property { net: &net, formulas: &formulas, formula };
        let decision = auto.decide(property, &budget).unwrap();
        assert_eq!(decision.verdict, Verdict::Holds);
        let counts = auto.translation_counts();
        assert_eq!([counts.made, counts.reused], [made, reused], "{:?}", decision.timeline);
    }
}
