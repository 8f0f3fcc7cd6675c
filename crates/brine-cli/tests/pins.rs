//! The state-vector interface as users see it: `--engine pins`, guarded commands, matrices.

#[allow(dead_code, reason = "bad nets are for the tests of single commands")]
mod common;

use common::{brine, file, json, model, stdout};
use std::path::{Path, PathBuf};

/// A model of `gcl/`.
fn commands(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gcl").join(name)
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_strategy_and_matrix_gives_the_numbers_of_the_symbolic_engine() {
    let net = model("kanban-2.pnml");
    let expected = json("states", &net, &[]);
    let options: [&[&str]; 7] = [
        &["--strategy", "bfs"],
        &["--strategy", "bfs-prev"],
        &["--strategy", "chain"],
        &["--strategy", "sat"],
        &["--regroup"],
        &["--regroup=ru,cw"],
        &["--w2W", "--W2+", "--strategy", "chain"],
    ];
    for options in options {
        let report = json("states", &net, &[&["--engine", "pins"], options].concat());
        for key in ["states", "transitions", "max_token_in_place", "max_token_per_marking"] {
            assert_eq!(report[key], expected[key], "{options:?}: {key}");
        }
        assert_eq!(report["engine"], "pins");
        assert!(report["pins"]["next_state_calls"].as_u64() > Some(0), "{report}");
    }
}

#[test]
fn separation_saves_next_state_calls() {
    let net = model("fork-join-8.pnml");
    let calls = |options: &[&str]| {
        let report = json("states", &net, &[&["--engine", "pins"], options].concat());
        report["pins"]["widest"]["next_state_calls"].as_u64().expect("a number")
    };
    assert_eq!(calls(&[]), 2, "the first transition reads one place");
    assert!(calls(&["--w2W", "--W2+"]) > 100);
}

#[test]
fn options_of_pins_need_pins() {
    let net = model("kanban-1.pnml");
    for option in ["--strategy=sat", "--regroup", "--w2W", "--W2+"] {
        let output = brine("states", &net, &[option, "--engine", "symbolic"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(stderr(&output).contains("needs --engine pins"), "{}", stderr(&output));
        let output = brine("check", &net, &[option, "--engine", "explicit", "--ltl", "true"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
    let output = brine("states", &net, &["--engine", "pins", "--regroup=ru,xy"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("ru, rs, cs, cw"), "{}", stderr(&output));
}

#[test]
fn check_decides_and_shows_runs() {
    let net = model("philosophers-5.pnml");
    let holds = json("check", &net, &["--engine", "pins", "--ltl", "G(left_0 <= 1)"]);
    assert_eq!((&holds["verdict"], &holds["engine"]), (&"holds".into(), &"pins".into()));
    let output = brine("check", &net, &["--strategy", "chain", "--json", "--ltl", "F deadlock"]);
    assert_eq!(output.status.code(), Some(1));
    let violated: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(violated["engine"], "pins");
    assert_eq!(violated["witness"]["replayed"], true);
    assert!(!violated["witness"]["cycle"].as_array().expect("a list").is_empty());
}

#[test]
fn guarded_commands_are_explored() {
    let report = json("states", &commands("blocks-4.gcl"), &[]);
    assert_eq!(report["states"], "600");
    assert_eq!(report["transitions"], "1440");
    assert_eq!((&report["engine"], &report["max_token_in_place"]), (&"pins".into(), &().into()));
    let text = stdout(&brine("states", &commands("fork-join-data.gcl"), &["--regroup"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["fork-join-data", "  states                 30"]);
    assert_eq!(lines.len(), 4, "{text}");
}

#[test]
fn mistakes_in_guarded_commands_are_told() {
    let refuse = |name: &str, text: &str, options: &[&str], expected: &str| {
        let output = brine("states", &file(name, text.as_bytes()), options);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{name}");
        assert!(stderr(&output).contains(expected), "{name}: {}", stderr(&output));
    };
    refuse("name.gcl", "var x = 0;\nt: x < 3 -> x := x + y;", &[], "name.gcl:2:22: \"y\"");
    refuse("end.gcl", "var x = 0", &[], "end.gcl:1:10: expected \";\"");
    refuse(
        "twice.gcl",
        "var x = 0;\nt: true -> x := 1, x := 2;",
        &[],
        ":2:20: x is assigned twice",
    );
    refuse("index.gcl", "var a[2] = 0; t: true -> a[2] := 1;", &[], "index 2 is outside");
    refuse("open.gcl", "var a[2] = 0; t: (a[0] = 1 -> skip;", &[], "expected \")\"");
    let grows = "var x = 0; var a[2] = 0;\nt: true -> a[x] := 1, x := x + 1;";
    refuse("late.gcl", grows, &[], "command t (line 2): index 2 is outside of an array of 2");
    let fine = "var x = 0; t: true -> x := 1;";
    refuse("engine.gcl", fine, &["--engine", "symbolic"], "--engine symbolic needs a net");
    refuse("order.gcl", fine, &["--order", "units/sloan"], "no units");
}

#[test]
fn formulas_about_guarded_commands_are_checked_and_runs_shown() {
    let model = commands("blocks-4.gcl");
    let holds = brine("check", &model, &["--ltl", "G \"height[0]\" <= 4", "--engine", "pins"]);
    assert_eq!(holds.status.code(), Some(0), "{}", stderr(&holds));
    let run = brine("check", &model, &["--ltl", "G !fireable(put1)"]);
    assert_eq!(run.status.code(), Some(1));
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(text.contains("start     height[0] = 4, cell[0] = 1"), "{text}");
    assert!(text.contains("take0   held := 4"), "{text}");
    let run = brine("check", &model, &["--ltl", "F held = 9", "--regroup", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).expect("one document");
    assert_eq!((&report["verdict"], &report["engine"]), (&"violated".into(), &"pins".into()));
    assert_eq!(report["witness"]["replayed"], true);
    let explicit = ["--ltl", "F held = 9", "--engine", "explicit", "--emptiness", "ndfs"];
    assert_eq!(brine("check", &model, &explicit).status.code(), Some(1));
    let refuse = |options: &[&str], expected: &str| {
        let output = brine("check", &model, &[options, &["--ltl", "true"]].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    refuse(&["--engine", "symbolic"], "this engine needs a net; models have --engine pins");
    refuse(&["--order", "sloan"], "--order is for nets");
    refuse(&["--without", "hunt"], "--without needs a net");
    refuse(&["--ltl", "F hold = 1"], "hold");
    let late =
        file("late-check.gcl", b"var x = 0; var a[2] = 0;\nt: true -> a[x] := 1, x := x + 1;");
    let output = brine("check", &late, &["--ltl", "F x = 9"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(stderr(&output).contains("command t (line 2): index 2 is outside"));
}

#[test]
fn the_matrix_of_guarded_commands_has_may_writes_and_passes_its_audit() {
    let report = json("info", &commands("fork-join-data.gcl"), &["--matrix", "--audit", "1000"]);
    assert_eq!(report["matrix"]["may_write"], 2);
    assert_eq!(report["matrix"]["rows"][7]["dependencies"], "-----rWW");
    assert_eq!(report["audit"]["states"], 30);
    assert_eq!(
        (&report["audit"]["complete"], &report["audit"]["violation"]),
        (&true.into(), &().into())
    );
    let report = json("info", &model("kanban-2.pnml"), &["--audit", "100"]);
    assert_eq!(
        (&report["audit"]["states"], &report["audit"]["complete"]),
        (&100.into(), &false.into())
    );
}

#[test]
fn a_budget_that_runs_out_gives_no_number() {
    let options = ["--engine", "pins", "--strategy", "bfs", "--timeout", "0", "--json"];
    let output = brine("states", &model("philosophers-20.pnml"), &options);
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["states"], &report["reason"]), (&().into(), &"timeout".into()));
}
