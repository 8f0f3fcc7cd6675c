//! Runs as users see them: short, in plain words, with all options, and the same in JSON.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name)
}

fn check(net: &str, formula: &str, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(["check", "--ltl", formula])
        .arg(model(net))
        .args(options)
        .env_remove("COLUMNS")
        .output()
        .expect("brine starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

const PHILOSOPHERS: &str = "philosophers-5.pnml";
const NOBODY_EATS: &str = "G eat_0 = 0";
const STARVES: &str = "G (right_0 = 1 -> F eat_0 = 1)";

fn witness(net: &str, formula: &str, options: &[&str]) -> Value {
    let text = check(net, formula, &[options, &["--json"]].concat());
    let mut entry: Value = serde_json::from_str(&text).expect("one JSON document");
    entry["witness"].take()
}

/// Two steps suffice, whoever found the violation; what follows is left out, and said to be.
#[test]
fn a_safety_violation_ends_at_the_step_that_breaks_it() {
    for engine in ["auto", "explicit", "symbolic", "pins", "hull-el"] {
        let text = check(PHILOSOPHERS, NOBODY_EATS, &["--engine", engine]);
        assert!(
            text.contains("  2 steps that violate it, whatever follows (none is shorter):\n"),
            "{text}"
        );
        assert!(
            text.contains("            now false: eat_0 <= 0\n  violated  whatever follows\n"),
            "{text}"
        );
        assert!(!text.contains("\n  3  "), "{text}");
        let run = witness(PHILOSOPHERS, NOBODY_EATS, &["--engine", engine]);
        assert_eq!(run["violated_after"], 2, "{run}");
        assert_eq!(run["markings"]["end"]["eat_0"], 1, "{run}");
    }
}

#[test]
fn a_cycle_says_where_it_begins_and_with_which_marking() {
    let text = check(PHILOSOPHERS, STARVES, &[]);
    assert!(
        text.contains("A run of 4 steps; steps 2 to 4 repeat for ever (none is shorter):"),
        "{text}"
    );
    assert!(text.contains("  repeat    what follows repeats for ever; marking: "), "{text}");
    assert!(text.contains("            now true: right_0 = 1\n"), "{text}");
    assert!(text.ends_with("  again     from step 2, for ever\n"), "{text}");
    assert!(text.contains("places are marked; --full)"), "{text}");
    let full = check(PHILOSOPHERS, STARVES, &["--full"]);
    assert!(full.contains("think_4") && !full.contains("--full"), "{full}");
}

#[test]
fn lines_fit_and_colours_are_used_when_wanted() {
    let text = check(PHILOSOPHERS, STARVES, &[]);
    assert!(text.lines().all(|l| l.chars().count() <= 100) && !text.contains('\u{1b}'), "{text}");
    let coloured = check(PHILOSOPHERS, STARVES, &["--color", "always"]);
    assert!(coloured.contains("\u{1b}[32mnow true:\u{1b}[0m"), "{coloured}");
    let plain = check(PHILOSOPHERS, STARVES, &["--color", "never"]);
    assert!(!plain.contains('\u{1b}'), "{plain}");
}

/// Markings at the borders are what the changes lead to.
#[test]
fn json_runs_carry_ids_names_markings_and_truth() {
    for formula in [NOBODY_EATS, STARVES, "G !deadlock"] {
        let run = witness(PHILOSOPHERS, formula, &[]);
        assert_eq!(run["replayed"], true);
        assert_eq!(run["shortest"], true, "{run}");
        let mut marking = run["markings"]["start"].as_object().expect("a marking").clone();
        let home = run["prefix"].as_array().expect("steps").len();
        let steps = run["steps"].as_array().expect("steps");
        for (i, step) in steps.iter().enumerate() {
            if i == home {
                assert_eq!(Value::from(marking.clone()), run["markings"]["cycle"], "{run}");
            }
            for (place, change) in step["changes"].as_object().expect("changes") {
                assert_eq!(marking.get(place).unwrap_or(&json!(0)), &change[0], "{run}");
                marking.insert(place.clone(), change[1].clone());
            }
            marking.retain(|_, n| *n != json!(0));
        }
        assert_eq!(Value::from(marking), run["markings"]["end"], "{run}");
        let truth = run["truth"].as_array().expect("rows");
        assert!(truth[0]["values"].as_str().expect("letters").starts_with('F'), "{run}");
    }
    let run = witness(PHILOSOPHERS, STARVES, &[]);
    let row = |f: &str| run["truth"].as_array().into_iter().flatten().find(|r| r["formula"] == f);
    assert_eq!(row("right_0 = 1").expect("a row")["values"], "FTTT", "{run}");
    assert_eq!(row("F eat_0 = 1").expect("a row")["values"], "FFFF", "{run}");
}

/// Steps of a coloured net are transitions with their bindings, and there are not too many.
#[test]
fn coloured_runs_are_short_too() {
    let run = witness("philosophers-coloured-5.pnml", "G eat = 0", &[]);
    assert_eq!(run["violated_after"], 2, "{run}");
    let first = run["steps"][0]["id"].as_str().expect("an id");
    assert!(first.starts_with("take_") && first.contains("[x="), "{run}");
}

/// With the option the search goes on until the shortest run is proved.
#[test]
fn a_shortest_run_is_searched_for() {
    let formula = "G (eat_0 = 0 | eat_2 = 0)";
    let run = witness(PHILOSOPHERS, formula, &["--shortest"]);
    assert_eq!((&run["violated_after"], &run["shortest"]), (&json!(4), &json!(true)), "{run}");
    // Too little time is said to be too little.
    let text = check("philosophers-20.pnml", "G !deadlock", &["--shortest", "--timeout", "1"]);
    assert!(text.contains("A run of 20 steps to a dead marking, which violates it"), "{text}");
    assert!(text.contains("not proved shortest: the search was not finished"), "{text}");
}

#[test]
fn pictures_and_graphs_are_written() {
    let dir = tempfile::tempdir().expect("a folder");
    for (ending, least) in
        [("svg", "again from step 2"), ("dot", "penwidth=2"), ("json", "\"truth\"")]
    {
        let file = dir.path().join(format!("run.{ending}"));
        check(PHILOSOPHERS, STARVES, &["--witness", file.to_str().expect("UTF-8")]);
        let text = std::fs::read_to_string(&file).expect("a file");
        assert!(text.contains(least), "{text}");
    }
}
