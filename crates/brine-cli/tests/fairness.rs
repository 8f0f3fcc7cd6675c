//! `fires(...)` and fairness on the command line: verdicts, reasons, refusals.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const ORDERED: &str = "pnml/philosophers-ordered-5.pnml";
const COLOURED: &str = "pnml/philosophers-coloured-5.pnml";

/// Exit code and all that was said by `brine ARGS` in the root.
fn brine(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("brine starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a code"), String::from_utf8(said).expect("UTF-8"))
}

fn check(model: &str, ltl: &str, options: &[&str]) -> (i32, String) {
    brine(&[&["check", model, "--ltl", ltl], options].concat())
}

#[test]
fn philosopher_0_starves_unless_fairness_is_strong() {
    for engine in ["auto", "explicit", "symbolic"] {
        let eats = |options: &[&str]| {
            check(ORDERED, "G F fires(put_0)", &[options, &["--engine", engine]].concat())
        };
        let (code, said) = eats(&[]);
        assert_eq!(code, 1, "{engine}: {said}");
        assert!(!said.contains("  fair "), "nothing was asked: {said}");
        let (code, said) = eats(&["--fair", "weak"]);
        assert_eq!(code, 1, "{engine}: {said}");
        assert!(said.contains("  fair ") && said.contains("fires in step"), "{said}");
        assert_eq!(eats(&["--fair", "strong"]).0, 0, "{engine}");
    }
}

#[test]
fn json_says_why_the_run_is_fair() {
    let (code, said) =
        check(ORDERED, "G F fires(put_0)", &["--weak-fair", "take_first_0,put_1", "--json"]);
    assert_eq!(code, 1, "{said}");
    let json: Value = serde_json::from_str(&said).expect("JSON");
    let rows = json["witness"]["fairness"].as_array().expect("a list");
    let of = |name: &str| {
        rows.iter().find(|row| row["transition"] == name).unwrap_or_else(|| panic!("{said}"))
    };
    for name in ["take_first_0", "put_1"] {
        assert_eq!(of(name)["strong"], false);
        let because = of(name)["because"].as_str().expect("a reason");
        assert!(["fires", "disabled", "never enabled"].contains(&because), "{because}");
        assert_eq!(of(name)["step"].is_u64(), because != "never enabled");
    }
}

#[test]
fn bindings_of_coloured_transitions_are_events_of_their_own() {
    let (code, said) = check(COLOURED, "G !fires(take_right)", &[]);
    assert_eq!(code, 1, "{said}");
    let (code, said) = check(COLOURED, "F (deadlock | fires(put))", &["--fair", "weak"]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn who_knows_nothing_of_events_and_fairness_says_so() {
    for options in [
        &["--engine", "pins"][..],
        &["--engine", "hull-el"],
        &["--engine", "hunt"],
        &["--emptiness", "ndfs"],
        &["--without", "explicit,symbolic"],
    ] {
        let (code, said) = check(ORDERED, "G F fires(put_0)", options);
        assert_eq!(code, 3, "{options:?}: {said}");
        assert!(said.contains("fires(...)"), "{options:?}: {said}");
        let fair = [options, &["--fair", "weak"]].concat();
        let (code, said) = check(ORDERED, "G F eat_0 = 1", &fair);
        assert_eq!(code, 3, "{options:?}: {said}");
    }
    let (code, said) = check("gcl/two-phase.gcl", "G !fires(nothing)", &[]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn what_fairness_cannot_be_asked_of_is_refused() {
    let refused = |args: &[&str], words: &str| {
        let (code, said) = brine(args);
        assert_eq!(code, 2, "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    };
    refused(&["check", ORDERED, "--ctl", "AG EF fires(put_0)"], "only formulas of LTL");
    refused(&["check", ORDERED, "--reach", "EF fires(put_0)"], "only formulas of LTL");
    refused(&["check", ORDERED, "--ctl", "AG EF eat_0 = 1", "--fair", "weak"], "fairness is for");
    refused(&["check", ORDERED, "--hoa", "docs/both-eat.hoa", "--fair", "weak"], "not for --hoa");
    refused(&["check", ORDERED, "--ltl", "true", "--weak-fair", "put_9"], "unknown transition");
    refused(
        &["check", ORDERED, "--ltl", "true", "--fair", "weak", "--weak-fair", "put_0"],
        "cannot be used with",
    );
    refused(&["check", "dve/peterson.dve", "--ltl", "true", "--fair", "weak"], "for nets");
}

#[test]
fn other_commands_deal_with_events() {
    let (code, said) = brine(&["automaton", "G (fires(t) -> F fires(u))"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("fires(t)"), "{said}");
    let (code, said) =
        brine(&["simulate", ORDERED, "--steps", "5", "--ltl", "G !fires(take_first_0)"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = brine(&["show", ORDERED, "--html", "/dev/null"]);
    assert_eq!(code, 0, "{said}");
}
