//! The stages on coloured nets against brute force: all together, and with stages left out, on random
//! symmetric nets. Runs are replayed on the coloured net by `ColouredAuto`, so a violation that is none
//! fails here as an error.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::coloured::{ColouredAuto, ColouredModel, ColouredProperty, ColouredQuestion};
use brine_check::{Budget, Decision, Schedule, Stages, Verdict};
use brine_models::coloured_pairs::{ColouredPair, random_coloured_pairs};
use brine_net::{Net, Run};
use std::collections::BTreeMap;

const ALL: Stages =
    Stages { simplification: true, reduction: true, hunt: true, explicit: true, symbolic: true };

/// What is left out, and what it is called.
const LEFT_OUT: [(&str, Stages); 4] = [
    ("nothing", ALL),
    ("hunt", Stages { hunt: false, ..ALL }),
    ("hunt and simplification", Stages { hunt: false, simplification: false, ..ALL }),
    (
        "all but explicit",
        Stages { hunt: false, simplification: false, reduction: false, symbolic: false, ..ALL },
    ),
];

fn decide(
    pair: ColouredPair<'_>,
    model: &ColouredModel,
    stages: Stages,
    ticks: Option<u64>,
) -> Decision {
    let ColouredPair { formulas, formula, seed, .. } = pair;
    let property = ColouredProperty { net: model.net(), formulas, formula };
    let question = ColouredQuestion::new(property);
    let schedule = Schedule { ticks, ..Schedule::default() };
    let budget = Budget { memory: Some(64 << 20), schedule, ..Budget::default() };
    ColouredAuto::new(model, stages)
        .decide(&question, &budget)
        .unwrap_or_else(|error| panic!("BRINE_SEED={seed}: {error}"))
}

/// The run fires in the net that comes with it.
fn fires(net: &Net, run: &Run) -> bool {
    let mut marking = net.initial_marking();
    run.steps().all(|t| net.fire_in_place(t, &mut marking))
}

#[test]
fn every_stage_says_what_brute_force_says() {
    let mut by: BTreeMap<(&str, &str, bool), u64> = BTreeMap::new();
    let mut without_run = 0_u64;
    let pairs = random_coloured_pairs(3_000, |pair, rng| {
        let model = ColouredModel::new(pair.nets.coloured.clone());
        for (name, stages) in LEFT_OUT {
            let decision = decide(pair, &model, stages, None);
            let seed = pair.seed;
            let verdict = match &decision.verdict {
                Verdict::Holds => true,
                Verdict::Violated(Some(run)) => {
                    let net = decision.run_net.as_deref().expect("a net of its own");
                    assert!(fires(net, run), "BRINE_SEED={seed}: {run:?} on {net:?}");
                    false
                }
                Verdict::Violated(None) => {
                    without_run += 1;
                    false
                }
                Verdict::Unknown(reason) => panic!("BRINE_SEED={seed}: {reason}"),
            };
            assert_eq!(verdict, pair.expected, "BRINE_SEED={seed} without {name}");
            *by.entry((name, decision.engine, verdict)).or_default() += 1;
        }
        // With little work it may be open, but never wrong.
        let decision = decide(pair, &model, ALL, Some(u64::from(rng.below(1 << 18))));
        if !matches!(decision.verdict, Verdict::Unknown(_)) {
            assert_eq!(decision.verdict == Verdict::Holds, pair.expected);
        }
    });
    println!("{by:?}, {without_run} without a run");
    if pairs >= 1_000 {
        let decided = |engine: &str, verdict: bool| -> u64 {
            by.iter().filter(|(k, _)| k.1 == engine && k.2 == verdict).map(|(_, n)| n).sum()
        };
        assert!(decided("skeleton", true) > pairs / 100, "{by:?}");
        assert!(
            decided("hunt", false) > pairs / 10 && decided("hunt", true) > pairs / 100,
            "{by:?}"
        );
        assert!(
            decided("explicit", true) > pairs / 100 && decided("explicit", false) > 0,
            "{by:?}"
        );
        assert!(without_run * 50 < pairs, "{without_run} of {pairs} without a run");
    }
}
