//! The campaign itself: a bug that is planted is found, shrunk, written down and read again.

use brine_fuzz::{Binary, Campaign, Failing, Tally, regression};
use std::os::unix::fs::PermissionsExt;

/// A `brine` that says yes to everything.
const YES: &str = "#!/bin/sh\necho '{\"verdict\":\"holds\",\"witness\":null}'\n";

#[test]
fn a_planted_bug_becomes_a_small_regression_test() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("brine");
    std::fs::write(&program, YES).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let campaign = Campaign { binary: Some(Binary::new(&program).unwrap()) };
    let mut tally = Tally::default();
    let failing = (0..)
        .find_map(|seed| campaign.step(seed, &mut tally).err())
        .filter(|failing| failing.through_binary)
        .unwrap();
    let binary = campaign.binary.as_ref();
    let case = failing.case.clone().shrunk(binary);
    assert!(case.fails(binary).is_some(), "still a bug: {case:?}");
    assert_eq!(case.configurations.len(), 1, "{case:?}");
    let (places, transitions) = (case.question.net.places(), case.question.net.transitions());
    assert!(places.len() <= 2 && transitions.len() <= 2, "{case:?}");
    let folder = dir.path().join("regressions");
    let failing = Failing { case: case.clone(), ..*failing };
    regression::write(&folder, &failing).unwrap();
    let read = regression::read_all(&folder).unwrap();
    assert_eq!(read, [(format!("seed-{}", failing.seed), case.clone())]);
    assert!(read[0].1.fails(binary).is_some(), "the regression test fails with the bug");
    assert_eq!(case.fails(None), None, "and passes without it");
}
