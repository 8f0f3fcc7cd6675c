//! `--por` as users see it: names of provisos, what is reported, exit codes.

// Of the shared helpers, those for bad nets are not needed here.
#[allow(dead_code, reason = "shared with the tests of other commands")]
mod common;

use common::{brine, json, model, stdout};
use std::process::Command;

const NET: &str = "philosophers-ordered-5.pnml";

#[test]
fn provisos_are_listed_with_one_line_each_and_all_can_be_used() {
    let output = Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(["explore", "--list-provisos"])
        .output()
        .expect("brine starts");
    let list = stdout(&output);
    assert_eq!(list.lines().count(), 46 + 8, "{list}");
    for line in list.lines() {
        let (name, about) = line.split_once(' ').expect("a name and a text");
        assert!(!about.trim().is_empty(), "{line}");
        let report = json("explore", &model(NET), &["--por", "--proviso", name]);
        assert_eq!(report["proviso"], name);
        let states = report["states"].as_u64().expect("a number");
        assert!((35..=70).contains(&states), "{name}: {states}");
    }
}

#[test]
fn an_unknown_proviso_is_refused_with_a_suggestion() {
    let output = brine("explore", &model(NET), &["--por", "--proviso", "WeightedSauce"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("did you mean WeightedSource?"), "{error}");
    let output = brine("explore", &model(NET), &["--proviso", "Source"]);
    assert_eq!(output.status.code(), Some(2), "--proviso alone would be ignored");
}

#[test]
fn seeds_change_the_order_and_the_same_seed_gives_the_same_graph() {
    let run = |seed: &str| {
        let options = ["--por", "--proviso", "CondSource", "--seed", seed];
        json("explore", &model(NET), &options)["states"].clone()
    };
    assert_eq!(run("3"), run("3"));
    assert!((1..10).any(|seed| run(&seed.to_string()) != run("3")));
}

#[test]
fn a_check_says_whether_the_net_was_reduced() {
    let check = |formula: &str, options: &[&str]| {
        let options = [&["--ltl", formula, "--engine", "explicit", "--por"], options].concat();
        json("check", &model(NET), &options)["stats"]["por"].clone()
    };
    let applied = check("G (eat_0 = 0 | (eat_1 = 0 W eat_0 = 0))", &[]);
    assert_eq!((&applied["applied"], &applied["proviso"]), (&true.into(), &"Delegate".into()));
    let reached = check("G eat_0 + eat_1 <= 1", &[]);
    assert_eq!((&reached["applied"], &reached["proviso"]), (&true.into(), &"None".into()));
    assert!(applied["expanded"].as_u64().is_some_and(|n| n > 0));
    let named = check("G eat_0 + eat_1 <= 1", &["--proviso", "C2L_c*"]);
    assert_eq!(named["proviso"], "WeightedSourceKnownScan");
    let next = check("F (eat_0 = 1 & X eat_0 = 0) | G eat_0 <= 1", &[]);
    assert_eq!(next["applied"], true, "X alone does not matter: {next}");
    let refused = check("X eat_0 <= 0", &[]);
    assert_eq!(refused["applied"], false);
    assert_eq!(refused["reason"], "the formula is not stutter-invariant");
    let text = stdout(&brine(
        "check",
        &model(NET),
        &[
            "--ltl",
            "G (eat_0 = 0 | (eat_1 = 0 W eat_0 = 0))",
            "--engine",
            "explicit",
            "--por",
            "--stats",
        ],
    ));
    assert!(text.contains("  reduction: Delegate, "), "{text}");
}

#[test]
fn engines_that_do_not_reduce_refuse_the_option() {
    let options = ["--ltl", "G eat_0 <= 1", "--engine", "symbolic", "--por"];
    let output = brine("check", &model(NET), &options);
    assert_eq!(output.status.code(), Some(2));
}
