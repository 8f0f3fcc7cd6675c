//! `brine check` and `brine explore` as users see them: output, JSON, exit codes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name)
}

fn brine(command: &str, net: &str, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg(command)
        .arg(model(net))
        .args(options)
        .output()
        .expect("brine starts")
}

fn check(formulas: &[&str], options: &[&str]) -> (Option<i32>, String, String) {
    let ltl: Vec<&str> = formulas.iter().flat_map(|f| ["--ltl", f]).collect();
    let output = brine("check", "philosophers-5.pnml", &[&ltl, options].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const HOLDS: &str = "G eat_0 + eat_1 <= 1";
const DEADLOCK: &str = "G !deadlock";
const STARVES: &str = "G F eat_0 = 1";

#[test]
fn verdicts_and_exit_codes() {
    let (code, out, _) = check(&[HOLDS], &[]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("G eat_0 + eat_1 <= 1: holds ("), "{out}");
    let (code, out, _) = check(&[HOLDS, DEADLOCK], &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("G !deadlock: violated ("), "{out}");
    assert!(out.contains("  start     fork_0, think_0, fork_1"), "{out}");
    assert!(
        out.contains("  dead      nothing is enabled; this marking repeats for ever: right_0,"),
        "{out}"
    );
    let (_, quiet, _) = check(&[DEADLOCK], &["--quiet"]);
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
}

#[test]
fn names_of_a_coloured_net_stand_for_all_its_colours() {
    let verdicts = |formulas: &[&str]| {
        let ltl: Vec<&str> = formulas.iter().flat_map(|f| ["--ltl", f]).collect();
        let options = [&ltl[..], &["--quiet"]].concat();
        let output = brine("check", "philosophers-coloured-5.pnml", &options);
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let lines = verdicts(&[
        "G think + left + right + eat = 5",
        "G eat <= 2",
        "G eat <= 1",
        "fireable(take_left)",
        "fireable(put)",
        "G (\"eat[0]\" + \"eat[1]\" <= 1)",
        "G !fireable(\"put[x=3]\")",
    ]);
    let words = lines.lines().map(|l| l.contains(": holds (")).collect::<Vec<_>>();
    assert_eq!(words, [true, true, false, true, false, true, false], "{lines}");
    let output = brine("check", "philosophers-coloured-5.pnml", &["--ltl", "G !fireable(put)"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("  1         take_left[x=") && text.contains("puts left["), "{text}");
}

#[test]
fn every_emptiness_check_can_be_chosen_and_shows_in_the_figures() {
    for name in ["couvreur", "couvreur-state", "ndfs", "hpy", "gmz", "gv", "tarjan"] {
        let (code, out, err) = check(&[STARVES], &["--emptiness", name, "--stats"]);
        assert_eq!(code, Some(1), "{err}");
        assert!(out.contains(&format!("search: {name}, ")), "{out}");
    }
}

#[test]
fn a_check_that_does_not_fit_the_automaton_is_refused() {
    let (code, out, err) = check(&["F G eat_0 = 0"], &["--emptiness", "dfs-weak"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("needs a weak automaton, but this property's is general"), "{err}");
}

#[test]
fn bad_input_is_one_clear_message_and_exit_2() {
    let (code, out, err) = check(&["G (eat_0 >= "], &[]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("line 1, column"), "{err}");
    let (code, _, err) = check(&["G eat0 = 1"], &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("eat_0"), "did you mean: {err}");
    for options in [
        ["--emptiness", "nonsense"],
        ["--engine", "nonsense"],
        ["--timeout", "soon"],
        ["--memory", "0"],
        ["--only", "3"],
    ] {
        assert_eq!(check(&[HOLDS], &options).0, Some(2), "{options:?}");
    }
    assert_eq!(brine("check", "philosophers-5.pnml", &[]).status.code(), Some(2));
    assert_eq!(brine("check", "missing.pnml", &["--ltl", "true"]).status.code(), Some(2));
}

#[test]
fn budgets_that_run_out_are_exit_3_unless_something_is_violated() {
    let options = ["--ltl", HOLDS, "--memory", "1", "--engine", "explicit"];
    let output = brine("check", "philosophers-20.pnml", &[&options[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let entry: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&entry["verdict"], &entry["reason"]), (&"unknown".into(), &"memory".into()));
    let output = brine("check", "philosophers-20.pnml", &["--ltl", HOLDS, "--timeout", "0"]);
    assert_eq!(output.status.code(), Some(3));
    let both = ["--ltl", HOLDS, "--ltl", "G eat_0 = 0", "--memory", "1", "--engine", "explicit"];
    assert_eq!(brine("check", "philosophers-20.pnml", &both).status.code(), Some(1));
}

#[test]
fn json_has_one_line_per_property_with_a_replayed_witness() {
    let (code, out, _) = check(&[HOLDS, DEADLOCK, STARVES], &["--json", "--engine", "explicit"]);
    assert_eq!(code, Some(1));
    let entries: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0]["verdict"], "holds");
    assert_eq!(entries[0]["witness"], Value::Null);
    assert_eq!(entries[0]["model"], "philosophers-5");
    assert_eq!(entries[0]["engine"], "explicit");
    assert_eq!(entries[0]["automaton"]["class"], "terminal");
    let dead = &entries[1]["witness"];
    assert_eq!(dead["cycle"], Value::Array(vec![]), "a dead marking repeats: empty cycle");
    assert_eq!(dead["prefix"].as_array().map(Vec::len), Some(5));
    assert_eq!(dead["replayed"], true);
    assert_eq!(entries[2]["verdict"], "violated");
}

#[test]
fn witness_files_hold_json_lines_or_dot() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (json, dot) = (dir.path().join("w.json"), dir.path().join("w.dot"));
    for path in [&json, &dot] {
        let path = path.to_str().expect("UTF-8");
        assert_eq!(check(&[HOLDS, DEADLOCK], &["--witness", path]).0, Some(1));
    }
    let text = std::fs::read_to_string(&json).expect("written");
    let line: Value = serde_json::from_str(&text).expect("one line");
    assert_eq!((&line["property"], &line["replayed"]), (&DEADLOCK.into(), &true.into()));
    let text = std::fs::read_to_string(&dot).expect("written");
    assert!(text.starts_with("digraph witness {") && text.contains("style=dashed"), "{text}");
    let (_, out, _) = check(&[DEADLOCK], &["--quiet", "--witness", "-"]);
    assert!(out.lines().any(|l| l.starts_with("{\"property\":\"G !deadlock\"")), "{out}");
    assert_eq!(check(&[DEADLOCK], &["--json", "--witness", "-"]).0, Some(2));
}

#[test]
fn properties_are_chosen_from_a_contest_file() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("LTLFireability.xml");
    let property = |id: &str, t: &str| {
        format!(
            "<property><id>{id}</id><description>d</description><formula><all-paths><globally>\
             <is-fireable><transition>{t}</transition></is-fireable>\
             </globally></all-paths></formula></property>"
        )
    };
    let all = [property("x-00", "take_left_0"), property("x-01", "put_0")].concat();
    let xml = format!("<?xml version=\"1.0\"?><property-set>{all}</property-set>");
    std::fs::write(&file, xml).expect("written");
    let path = file.to_str().expect("UTF-8");
    for (only, id) in [("1", "x-01: violated"), ("x-00", "x-00: violated")] {
        let output = brine("check", "philosophers-5.pnml", &["--mcc", path, "--only", only]);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with(id), "{text}");
    }
    let output = brine("check", "philosophers-5.pnml", &["--mcc", path, "--only", "7"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn explore_counts_what_is_known_of_our_nets_whatever_the_seed() {
    let table = std::fs::read_to_string(model("states.csv")).expect("pnml/states.csv");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (Ok(states), Ok(edges)) = (cells[4].parse::<u64>(), cells[5].parse::<u64>()) else {
            continue;
        };
        if states > 50_000 {
            continue;
        }
        for seed in ["0", "7"] {
            let output = brine("explore", cells[0], &["--json", "--seed", seed]);
            assert_eq!(output.status.code(), Some(0), "{}", cells[0]);
            let entry: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(entry["states"], states, "{}", cells[0]);
            assert_eq!(entry["transitions"], edges, "{}", cells[0]);
        }
        compared += 1;
    }
    assert!(compared >= 10, "{compared} nets");
}

#[test]
fn explore_gives_up_cleanly() {
    let output = brine("explore", "philosophers-20.pnml", &["--memory", "2", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let entry: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(entry["reason"], "memory");
    assert!(entry["states"].as_u64().is_some_and(|n| n > 1), "what was counted stands: {entry}");
    let output = brine("explore", "philosophers-20.pnml", &["--timeout", "0.05"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).contains("unknown (timeout)"));
}

/// An automaton of violations in a file: as text, JSON and exit codes, and what is refused.
#[test]
fn automata_in_files_are_properties() {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let hoa = |atom: &str, body: &str| {
        format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"{atom}\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
             {body}\n--END--\n"
        )
    };
    let reached = "State: 0 [!0] 0 [0] 1\nState: 1 {0} [t] 1";
    let both = write("both.hoa", &hoa("eat_0 + eat_1 >= 2", reached));
    let dead = write("dead.hoa", &hoa("deadlock", reached));
    let (code, out, _) = check(&[], &["--hoa", &both]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with(&format!("{both}: holds (")), "{out}");
    for engine in ["auto", "explicit", "symbolic", "hull-el", "hull-owcty", "pins"] {
        let options = ["--hoa", &both, "--hoa", &dead, "--json", "--engine", engine];
        let (code, out, err) = check(&[HOLDS], &options);
        assert_eq!(code, Some(1), "{engine}: {out}{err}");
        let lines: Vec<Value> =
            out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
        let verdicts: Vec<&Value> = lines.iter().map(|l| &l["verdict"]).collect();
        assert_eq!(verdicts, ["holds", "holds", "violated"], "{engine}");
        assert_eq!(lines[2]["property"], dead.as_str());
        assert_eq!(lines[2]["witness"]["replayed"], true, "{engine}");
        assert_eq!(lines[2]["automaton"]["stutter_invariant"], true, "{engine}");
    }
    let (_, out, _) = check(&[], &["--hoa", &dead]);
    assert!(out.contains("  dead      nothing is enabled"), "{out}");
    let refused = |text: &str| {
        let file = write("bad.hoa", text);
        let (code, out, err) = check(&[], &["--hoa", &file]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        err
    };
    let error = refused(&hoa("eat_7 >= 2", reached));
    assert!(error.contains("bad.hoa: line 4, column 7: atomic proposition 0"), "{error}");
    let error = refused(&hoa("deadlock", "State: 0 0 1"));
    assert!(error.contains("line 7, column 10: implicit labels are not supported"), "{error}");
    let error = refused(&hoa("deadlock", reached).replace("Inf(0)", "Fin(0)"));
    assert!(error.contains("line 5, column 15: only (generalised) Büchi acceptance"), "{error}");
    assert!(error.contains("autfilt --tgba"), "what to do: {error}");
    let (code, _, err) = check(&[], &["--hoa", "no-such-file.hoa"]);
    assert!(code == Some(2) && err.contains("no-such-file.hoa"), "{err}");
}

/// The words of a command line mean the same to clap and to the library.
#[test]
fn what_does_not_go_together_is_refused_before_the_model_is_read() {
    for (options, message) in [
        (&["--engine", "symbolic", "--por"][..], "--por needs --engine explicit"),
        (&["--engine", "hull-el", "--no-otf"], "--no-otf need --engine symbolic"),
        (&["--engine", "explicit", "--order", "force"], "explicit search has --seed"),
        (&["--engine", "pins", "--without", "hunt"], "--without needs --engine auto"),
        (&["--engine", "auto", "--w2W", "--seed", "3"], "--w2W needs --engine pins"),
    ] {
        let (code, out, err) = check(&[HOLDS], options);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{options:?}");
        assert!(err.contains(message), "{options:?}: {err}");
    }
}
