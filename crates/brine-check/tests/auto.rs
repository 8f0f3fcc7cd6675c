//! `auto` on random nets and random formulas, against the oracle, with every subset of its
//! stages; and its answers do not depend on threads. Runs are replayed on the way.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Auto, Budget, Decision, Property, Stages, Verdict};
use brine_net::Structure;
use brine_net::generate::Rng;
use brine_oracle::{Pair, random_pairs};
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
    let pairs = random_pairs(4_000, |Pair { net, formulas, formula, expected, seed }, rng| {
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
