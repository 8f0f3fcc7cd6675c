//! `auto` on random nets and random formulas, against the oracle, with every subset of its
//! stages; and its answers do not depend on threads. Runs are replayed on the way.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Auto, Budget, Decision, Property, Stages, Verdict};
use brine_ltl::Formulas;
use brine_net::Structure;
use brine_net::generate::Rng;
use brine_oracle::formulas::random_formula;
use brine_oracle::nets::{FORMULAS_PER_NET, MARKINGS_MAX, random_net};
use brine_oracle::{Kripke, number};
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
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 4_000));
    let (mut seed, mut pairs) = (first, 0);
    let mut decided_by: BTreeMap<&str, u64> = BTreeMap::new();
    while pairs < count {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let structure = Structure::new(&net);
        for _ in 0..FORMULAS_PER_NET {
            let mut formulas = Formulas::new();
            let depth = 1 + rng.below(4);
            let formula = random_formula(&mut rng, &net, &mut formulas, depth);
            let Some(kripke) = Kripke::new(&net, MARKINGS_MAX) else { continue };
            let Some(expected) = brine_oracle::holds(&net, &kripke, &formulas, formula) else {
                continue;
            };
            let property = Property { net: &net, formulas: &formulas, formula };
            let stages = random_stages(&mut rng);
            let decision = decide(property, &structure, stages, 1);
            let holds = decision.verdict == Verdict::Holds;
            assert_eq!(holds, expected, "BRINE_SEED={seed} {stages:?}: {decision:?} on {net:?}");
            *decided_by.entry(decision.engine).or_default() += 1;
            let again = decide(property, &structure, stages, 3);
            assert_eq!(again.engine, decision.engine, "BRINE_SEED={seed} {stages:?} on {net:?}");
            assert_eq!(again.verdict, decision.verdict, "BRINE_SEED={seed} {stages:?} on {net:?}");
            pairs += 1;
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}, decided by: {decided_by:?}");
    if count >= 1_000 {
        assert!(decided_by.len() >= 2, "every stage decides something: {decided_by:?}");
    }
}
