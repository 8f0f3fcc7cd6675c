//! DVE models on the command line.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

#[expect(dead_code, reason = "the tests of single commands use the rest")]
mod common;

use brine_net::Rng;
use brine_oracle::dve::RandomDve;
use brine_oracle::mutate::Corpus;
use brine_oracle::number;
use common::{brine, file, json, stdout};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A model of `dve/`.
fn dve(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dve").join(name)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn states_are_the_same_by_both_engines() {
    for (name, states) in [("peterson.dve", "20"), ("mailbox.dve", "19")] {
        for options in [&[][..], &["--engine", "pins"], &["--engine", "pins", "--regroup"]] {
            let report = json("states", &dve(name), options);
            assert_eq!(report["states"], states, "{name} {options:?}");
            assert!(report.get("complaint").is_none(), "{name}");
        }
    }
    let report = json("explore", &dve("peterson.dve"), &[]);
    assert_eq!((&report["states"], &report["deadlocks"]), (&20.into(), &0.into()));
}

#[test]
fn formulas_speak_of_locations_and_values() {
    let exit = |options: &[&str]| brine("check", &dve("peterson.dve"), options).status.code();
    assert_eq!(exit(&["--ltl", "G not (P_0.CS && P_1.CS)"]), Some(0));
    assert_eq!(exit(&["--ltl", "G(P_0.wish -> X(P_0.wish or turn == 1))"]), Some(0));
    assert_eq!(exit(&["--ltl", "G(turn + flag[0] < 2)"]), Some(1));
    assert_eq!(exit(&["--ltl", "GF deadlock"]), Some(1));
    assert_eq!(exit(&["--property"]), Some(0));
    assert_eq!(exit(&["--property", "--engine", "pins"]), Some(0));
}

#[test]
fn property_processes_are_checked_by_every_engine() {
    let text = std::fs::read_to_string(dve("peterson.dve")).unwrap();
    let text = text.replace("P_0.wait and not P_0.CS", "not P_0.CS");
    let path = file("idle.prop.dve", text.as_bytes());
    let checks = ["couvreur", "couvreur-state", "ndfs", "hpy", "gmz", "gv", "tarjan", "dfs-weak"];
    let mut ways: Vec<Vec<&str>> = vec![vec!["--engine", "pins"], Vec::new()];
    ways.extend(checks.map(|check| vec!["--engine", "explicit", "--emptiness", check]));
    for way in ways {
        let output = brine("check", &path, &[&["--property"], &way[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{way:?} {}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("P_1: wait -> CS     P_1 := CS"), "{text}");
    }
}

#[test]
fn assertions_and_errors_are_reported_and_end_nothing() {
    let text = "process P { byte x = 254; state a; init a; assert a: x != 255;
                trans a -> a { effect x = x + 1; }; } system async;";
    let path = file("overflow.dve", text.as_bytes());
    let report = json("states", &path, &[]);
    assert_eq!(report["states"], "3");
    assert_eq!(report["complaint"]["first"], "assertion x != 255 is false in P.a");
    assert_eq!(report["complaint"]["states"], 2);
    // Diagrams cannot go on, and say where.
    let output = brine("states", &path, &["--engine", "pins"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 2, P: a -> a: the value 256 does not fit"));
}

/// The JSON of a check, whatever its exit code.
fn checked(path: &Path, options: &[&str]) -> serde_json::Value {
    let output = brine("check", path, &[options, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e} {}", stderr(&output)))
}

/// Workers that count for themselves, then meet at a shared counter.
fn workers(count: usize) -> String {
    let worker = |i: usize| {
        format!(
            "process W_{i} {{ byte x; state work, ready, done; init work;
             trans work -> work {{ guard x < 3; effect x = x + 1; }},
                   work -> ready {{ guard x == 3; }},
                   ready -> done {{ effect all = all + 1; }}; }}"
        )
    };
    let all: Vec<String> = (0..count).map(worker).collect();
    format!("byte all;\n{}\nsystem async;", all.join("\n"))
}

#[test]
fn models_are_reduced_with_any_proviso() {
    let path = file("workers.dve", workers(4).as_bytes());
    let all = json("explore", &path, &[]);
    assert_eq!((&all["states"], &all["deadlocks"]), (&1296.into(), &1.into()));
    for proviso in ["None", "Acyclic", "Delegate", "HighlinkDeepestDestScan", "C2S_q", "Full"] {
        for order in ["0", "7"] {
            let options = ["--por", "--proviso", proviso, "--seed", order];
            let report = json("explore", &path, &options);
            let states = report["states"].as_u64().unwrap();
            assert_eq!(report["deadlocks"], 1, "{proviso}");
            assert!(states < 1296 || proviso == "Full" || proviso == "C2S_q", "{states} {proviso}");
        }
    }
    let check = |options: &[&str]| checked(&path, options);
    let report = check(&["--ltl", "F all == 4", "--por"]);
    assert_eq!(
        (&report["verdict"], &report["stats"]["por"]["applied"]),
        (&"holds".into(), &true.into())
    );
    assert!(report["stats"]["states_stored"].as_u64().unwrap() < 400, "{report}");
    let report = check(&["--ltl", "G not W_0.done", "--por", "--seed", "3"]);
    assert_eq!(
        (&report["verdict"], &report["witness"]["replayed"]),
        (&"violated".into(), &true.into())
    );
    let report = check(&["--ltl", "X W_0.work", "--por"]);
    assert_eq!(report["stats"]["por"]["applied"], false, "{report}");
}

/// A step that goes wrong ends the reduction, not the search.
#[test]
fn models_that_go_wrong_are_not_reduced() {
    let text = workers(3).replace("effect all = all + 1", "effect all = 86 * x + all");
    let path = file("wrong-workers.dve", text.as_bytes());
    let report = checked(&path, &["--ltl", "F W_0.done", "--por"]);
    assert_eq!(report["verdict"], "violated", "the error state is no state of W_0");
    assert_eq!(report["stats"]["por"]["applied"], false);
    assert_eq!(report["stats"]["por"]["reason"], "a step of the model goes wrong");
    let output = brine("explore", &path, &["--por"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("without --por only"), "{}", stderr(&output));
}

#[test]
fn the_matrix_is_right() {
    for name in ["peterson.dve", "mailbox.dve"] {
        let report = json("info", &dve(name), &["--matrix", "--audit", "1000"]);
        assert_eq!(report["audit"]["violation"], serde_json::Value::Null, "{name}");
        assert_eq!(report["audit"]["complete"], true, "{name}");
    }
    let text = stdout(&brine("info", &dve("peterson.dve"), &["--matrix"]));
    assert!(text.starts_with("peterson: DVE, 2 processes, 5 variables, 8 groups"), "{text}");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let refuse = |name: &str, text: &str, options: &[&str], expected: &str| {
        let output = brine("states", &file(name, text.as_bytes()), options);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{name}");
        assert!(stderr(&output).contains(expected), "{name}: {}", stderr(&output));
    };
    let process = "process P { state a; init a; }\n";
    let system = format!("{process}system async;");
    refuse("empty.dve", "", &[], "empty.dve:1:1: expected a declaration");
    refuse("end.dve", process, &[], "end.dve:2:1: expected a declaration, a process or \"system\"");
    refuse("comment.dve", "byte x;\n /* open", &[], "comment.dve:2:2: this comment has no end");
    refuse("sign.dve", "byte \u{e4};", &[], "sign.dve:1:6: 'ä' has no meaning here");
    let trans = |t: &str| {
        format!(
            "byte x, y[2]; channel c;\nprocess P {{ state a; init a; trans {t}; }}\nsystem async;"
        )
    };
    refuse("name.dve", &trans("a -> a { guard z == 1; }"), &[], "name.dve:2:51: z is not declared");
    refuse("state.dve", &trans("a -> b { }"), &[], "state.dve:2:41: b is no state of this process");
    refuse("array.dve", &trans("a -> a { effect x[1] = 1; }"), &[], "2:52: x is no array");
    refuse("channel.dve", &trans("a -> a { sync d!; }"), &[], "2:50: there is no channel d");
    refuse("open.dve", &trans("a -> a { guard (x == 1; }"), &[], "expected \";\"");
    refuse(
        "order.dve",
        &trans("a -> a { effect x = 1; guard x == 1; }"),
        &[],
        "guard, sync, effect",
    );
    refuse("range.dve", &format!("byte x = 256;\n{system}"), &[], "1:10: 256 does not fit");
    refuse("twice.dve", &format!("byte x; int x;\n{system}"), &[], "1:13: x is declared twice");
    refuse("engine.dve", &system, &["--engine", "symbolic"], "--engine symbolic needs a net");
    refuse("order2.dve", &system, &["--order", "units/sloan"], "no units");
    let check =
        |options: &[&str]| stderr(&brine("check", &file("fine.dve", system.as_bytes()), options));
    assert!(check(&["--property"]).contains("no property process"));
    assert!(check(&["--ltl", "G P.b"]).contains("--ltl: line 1, column 3: process P has neither"));
    assert!(check(&["--ltl", "G (P.a"]).contains("column 3: this \"(\" has no \")\""));
    assert!(check(&["--ltl", "P.a", "--por", "--proviso", "Acycli"]).contains("Acyclic"));
    let net = common::model("philosophers-5.pnml");
    assert!(
        stderr(&brine("check", &net, &["--property"])).contains("--property is for .dve files")
    );
}

/// Nothing that is nested may overflow the stack.
#[test]
fn deep_nesting_costs_memory_only() {
    for (open, close) in [("(", ")"), ("y[", "]"), ("not ", ""), ("- ", "")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!(
            "byte y[2]; process P {{ state a; init a; trans a -> a {{ guard {deep}; }}; }} system async;"
        );
        let output = brine("states", &file("deep.dve", text.as_bytes()), &["--timeout", "60"]);
        assert_eq!(output.status.code(), Some(0), "{open} {}", stderr(&output));
    }
}

/// Damaged programs are read, or refused with a place; nothing else.
#[test]
fn damaged_programs_are_read_or_refused() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut read, mut refused) = (0, 0);
    let tokens = ["sync", "effect", "guard", "system", "byte", "->", "!", "?", "[", "{", "/*", "%"];
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let documents = [0, 1].map(|_| RandomDve::new(&mut rng).text().into_bytes());
        let corpus = Corpus { documents: &documents, tokens: &tokens };
        let damaged = String::from_utf8_lossy(&corpus.draw(&mut rng)).into_owned();
        match brine_dve::parse(&damaged) {
            Ok(model) => {
                // What was read can be run; the brute force has an end.
                let _ = brine_pins::reachable_states(&model, 50);
                read += 1;
            }
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1, "BRINE_SEED={seed}");
                assert!(!error.message.is_empty(), "BRINE_SEED={seed}");
                refused += 1;
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(count < 1_000 || (read > count / 200 && refused > count / 5));
}
