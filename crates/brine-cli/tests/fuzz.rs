//! The slice of the standing campaign that every test run makes, and the cases that ever failed.
//!
//! BRINE_CASES sets the number of cases, BRINE_SEED the first seed. `cargo xtask fuzz` runs
//! for as long as one likes, and turns what it finds into folders that the second test reads.

use brine_fuzz::{Binary, Campaign, Subject, Tally, options, regression};
use brine_oracle::nets::SHAPES;
use brine_oracle::number;
use std::path::Path;

fn binary() -> Binary {
    Binary::new(Path::new(env!("CARGO_BIN_EXE_brine"))).expect("a temporary folder")
}

/// Two slices that run at the same time; together about half a minute of one core. They are
/// counted in cases and not in minutes, so that they are the same on every machine.
#[test]
fn every_engine_and_option_agrees_with_brute_force() {
    slice(number("BRINE_SEED", 1));
}

#[test]
fn and_on_other_nets_too() {
    slice(number("BRINE_SEED", 1) + 10_000_000);
}

fn slice(first: u64) {
    let cases = number("BRINE_CASES", 5_000);
    let campaign = Campaign { binary: Some(binary()) };
    let mut tally = Tally::default();
    let mut seed = first;
    while tally.cases < cases {
        if let Err(failing) = campaign.step(seed, &mut tally) {
            let message = failing.failure.message;
            panic!("BRINE_SEED={seed}: {message} (`cargo xtask fuzz --seed {seed}` shrinks it)");
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {tally:#?}");
    if cases >= 5_000 {
        assert_eq!(tally.shapes.len(), SHAPES.len(), "{tally:?}");
        assert_eq!(tally.engines.len(), options::TABLE.len(), "{tally:?}");
        assert!(tally.decided * 4 > tally.questions * 3, "{tally:?}");
        for answer in ["holds", "violated", "unknown", "refused", "counted"] {
            assert!(tally.answers[answer] * 100 > tally.cases, "{answer}: {tally:?}");
        }
        assert!(tally.answers["unknown"] * 10 < tally.cases, "{tally:?}");
        assert!(tally.answers["refused"] * 5 < tally.cases, "{tally:?}");
        assert!(tally.stressed * 5 > tally.cases, "{tally:?}");
        assert!(tally.through_binary * 50 > tally.cases, "{tally:?}");
    }
}

#[test]
fn what_failed_once_does_not_fail_again() {
    let binary = binary();
    for (name, case) in regression::read_all(&regression::folder()).expect("readable cases") {
        let subject = Subject::new(case.question.net.clone());
        for through in [None, Some(&binary)] {
            let result = case.check(&subject, through);
            assert!(result.is_ok(), "{name}: {result:?}");
        }
    }
}
