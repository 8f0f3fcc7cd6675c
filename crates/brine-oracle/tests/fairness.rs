//! Fairness looked for in cycles against fairness written as a formula about events.

use brine_net::Fairness;
use brine_oracle::{Kripke, fair_formula, holds_fairly, random_fair_pairs};

/// Both say the same, wherever the formula is small enough.
#[test]
fn fair_cycles_are_those_that_satisfy_the_formula_of_fairness() {
    let (mut compared, mut strong) = (0, 0);
    random_fair_pairs(3_000, |pair, _| {
        let kripke = Kripke::new(pair.net, 200).unwrap();
        let mut fs = pair.formulas.clone();
        let said = fair_formula(&mut fs, pair.formula, pair.fairness);
        let Some(holds) = holds_fairly(pair.net, &kripke, &fs, said, Fairness::NONE) else {
            return;
        };
        assert_eq!(holds, pair.expected, "BRINE_SEED={} {:?}", pair.seed, pair.fairness);
        compared += u64::from(!pair.fairness.is_none());
        strong += u64::from(!pair.fairness.strong().is_empty());
    });
    println!("{compared} with fairness, {strong} of them strong");
    assert!(compared > 0 && strong > 0);
}
