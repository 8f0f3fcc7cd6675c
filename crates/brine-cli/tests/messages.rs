//! What Brine says to somebody who writes things as another tool wants them, or mixes things
//! up: one test for each line of "Say what helps".

#[allow(dead_code, reason = "bad nets are for the tests of single commands")]
mod common;

use common::{brine, file, model, net};
use serde_json::Value;
use std::path::Path;

/// The exit code, standard output and standard error of `brine check`.
fn check(path: &Path, options: &[&str]) -> (Option<i32>, String, String) {
    let output = brine("check", path, options);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The message of a formula about the philosophers that must be refused.
fn refused(formula: &str) -> String {
    let (code, out, err) = check(&model("philosophers-5.pnml"), &["--ltl", formula]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{formula}");
    assert!(err.contains("line 1, column"), "{err}");
    err
}

/// Places with ids that scripts like and names that people like.
fn named() -> std::path::PathBuf {
    let place = |id: &str, name: &str, tokens: u32| {
        format!(
            "<place id='{id}'><name><text>{name}</text></name>\
             <initialMarking><text>{tokens}</text></initialMarking></place>"
        )
    };
    let arc =
        |id: &str, from: &str, to: &str| format!("<arc id='{id}' source='{from}' target='{to}'/>");
    let body = [
        place("p1", "P-CS_21", 1),
        place("p2", "Fork 1", 0),
        place("p3", "P", 0),
        place("p4", "busy", 0),
        place("p5", "busy", 0),
        "<transition id='t1'><name><text>take fork</text></name></transition>".to_owned(),
        "<transition id='t2'/>".to_owned(),
        arc("a1", "p1", "t1"),
        arc("a2", "t1", "p2"),
        arc("a3", "p2", "t2"),
        arc("a4", "t2", "p4"),
    ];
    file("named.pnml", net(&body.concat()).as_bytes())
}

#[test]
fn names_with_a_dash_are_to_be_quoted() {
    let path = named();
    let (code, out, err) = check(&path, &["--ltl", "G P-CS_21 <= 1"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.contains("column 3: there is a place called \"P-CS_21\": put it in double quotes"),
        "{err}"
    );
    assert_eq!(check(&path, &["--ltl", "G \"P-CS_21\" <= 1"]).0, Some(0));
    let (_, _, err) = check(&path, &["--ltl", "G Fork 1 <= 1"]);
    assert!(err.contains("\"Fork 1\" is a place: put it in double quotes"), "{err}");
    let coloured = model("philosophers-coloured-5.pnml");
    let (code, _, err) = check(&coloured, &["--ltl", "G eat[0] <= 1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is a place called \"eat[0]\": put it in double quotes"), "{err}");
}

#[test]
fn places_are_no_transitions() {
    assert!(
        refused("F fireable(eat_0)").contains("\"eat_0\" is a place; fireable takes transitions")
    );
    assert!(refused("G put_0 <= 1").contains("\"put_0\" is a transition, no number of tokens"));
    assert!(refused("G put_O <= 1").contains("did you mean fireable(\"put_0\")?"));
}

#[test]
fn ctl_is_told() {
    for formula in ["AG eat_0 <= 1", "EF eat_0 = 1", "A G eat_0 <= 1", "A[eat_0 = 0 U eat_1 = 1]"] {
        assert!(refused(formula).contains("is CTL; formulas here are LTL"), "{formula}");
    }
    assert!(refused("H eat_0 <= 1").contains("about the past"));
}

#[test]
fn formulas_of_other_tools_have_the_same_verdicts() {
    let verdict =
        |formula: &str| check(&model("philosophers-5.pnml"), &["--ltl", formula, "--quiet"]).0;
    for (ours, theirs) in [
        ("G eat_0 + eat_1 <= 1", "[] eat_0 + eat_1 ≤ 1"),
        ("G (eat_0 = 1 -> F eat_0 = 0)", "[](eat_0 == 1 -> <> eat_0 == 0)"),
        ("G !(eat_0 = 1 & eat_1 = 1)", "G not (eat_0 == 1 and eat_1 == 1)"),
        ("G (eat_0 != 1 | eat_1 != 1)", "□ (eat_0 <> 1 || eat_1 ≠ 1)"),
        ("X X X eat_0 = 0", "X[3] eat_0 = 0"),
        ("X (eat_0 = 0 | X eat_0 = 0)", "F[1,2] eat_0 = 0"),
        ("eat_0 = 0 & X eat_0 = 0 & X X eat_0 = 0", "G[0:2] eat_0 = 0"),
        ("G (eat_0 = 0 & think_0 = 1)", "G (eat_0 == 0 && think_0 == 1)"),
    ] {
        let expected = verdict(ours);
        assert!(matches!(expected, Some(0 | 1)), "{ours}");
        assert_eq!(verdict(theirs), expected, "{theirs}");
    }
    assert!(refused("F[0,99999] eat_0 = 1").contains("at most 10000 operators"));
}

#[test]
fn budgets_have_units_in_all_commands() {
    let path = model("philosophers-5.pnml");
    for (command, options) in
        [("check", &["--ltl", "G eat_0 <= 1"][..]), ("states", &[]), ("explore", &[])]
    {
        for budget in
            [["--timeout", "10m"], ["--timeout", "1.5h"], ["--memory", "2G"], ["--memory", "512M"]]
        {
            let code = brine(command, &path, &[options, &budget[..]].concat()).status.code();
            assert_eq!(code, Some(0), "{command} {budget:?}");
        }
        for (budget, expected) in [
            (["--timeout", "10x"], "ms, s, m or h"),
            (["--memory", "2GB"], "K, M, G or T"),
            (["--memory", "0"], "less than one mebibyte"),
        ] {
            let output = brine(command, &path, &[options, &budget[..]].concat());
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code() == Some(2) && err.contains(expected), "{budget:?}: {err}");
        }
    }
    let small =
        ["--ltl", "G eat_0 + eat_1 <= 1", "--engine", "explicit", "--memory", "1024K", "--json"];
    let (code, out, _) = check(&model("philosophers-20.pnml"), &small);
    assert!(code == Some(3) && out.contains("\"memory\""), "1024K is one mebibyte: {out}");
    let late = ["--ltl", "G eat_0 + eat_1 <= 1", "--timeout", "0ms"];
    assert_eq!(check(&model("philosophers-20.pnml"), &late).0, Some(3));
}

/// The contest's limits, by option and by environment.
#[test]
fn the_contest_s_limits_have_units() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::copy(model("philosophers-5.pnml"), dir.path().join("model.pnml")).expect("copied");
    let run = |time: &str, memory: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_brine"))
            .args(["mcc", "--examination", "StateSpace", "--memory", memory])
            .arg(dir.path())
            .env("BK_TIME_CONFINEMENT", time)
            .output()
            .expect("brine starts")
    };
    let output = run("10m", "2G");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("STATE_SPACE STATES 243"),
        "{output:?}"
    );
    assert_eq!(run("10 years", "2G").status.code(), Some(2));
    assert_eq!(run("10m", "2GB").status.code(), Some(2));
}

#[test]
fn nets_and_property_files_are_told_apart() {
    let path = model("philosophers-5.pnml");
    let (code, out, err) = check(&path, &["--mcc", path.to_str().expect("UTF-8")]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("this is a net (PNML), expected a property file"), "{err}");
    let text = "<?xml version=\"1.0\"?>\n<!-- x -->\n<property-set xmlns=\"http://mcc.lip6.fr/\"/>";
    let properties = file("LTLCardinality.xml", text.as_bytes());
    let (code, out, err) = check(&properties, &["--ltl", "true"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("this is a property file, which --mcc takes"), "{err}");
    assert!(err.contains("LTLCardinality.xml:3:1"), "{err}");
}

#[test]
fn without_a_property_both_options_are_named() {
    let (code, _, err) = check(&model("philosophers-5.pnml"), &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--ltl <FORMULA>") && err.contains("--mcc <FILE>"), "{err}");
}

#[test]
fn empty_reasons_are_noted() {
    let path = model("philosophers-5.pnml");
    let formula = "G (eat_0 = 7 -> F eat_1 = 1)";
    let (code, out, _) = check(&path, &["--ltl", formula]);
    assert_eq!(code, Some(0));
    assert!(
        out.ends_with("\n  note: an implication holds vacuously: eat_0 = 7 is never true\n"),
        "{out}"
    );
    let (_, quiet, _) = check(&path, &["--ltl", formula, "--quiet"]);
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
    let notes = |path: &Path, formula: &str| {
        let (_, out, err) = check(path, &["--ltl", formula, "--json"]);
        let entry: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        entry["notes"].as_array().map(Vec::len)
    };
    assert_eq!(notes(&path, formula), Some(1));
    // A coloured net, which is not unfolded: its skeleton tells.
    let coloured = "G (eat >= 7 -> F think = 5)";
    assert_eq!(notes(&model("philosophers-coloured-5.pnml"), coloured), Some(1));
    // A larger net, where no search decides: the same note.
    assert_eq!(notes(&model("philosophers-20.pnml"), formula), Some(1));
    // The left side can be true; the formula is violated; there is no implication.
    assert_eq!(notes(&path, "G (eat_0 = 1 -> eat_1 = 0)"), Some(0));
    assert_eq!(notes(&path, "G F eat_0 = 1 & (eat_0 = 7 -> eat_1 = 1)"), Some(0));
    assert_eq!(notes(&path, "G eat_0 <= 7"), Some(0));
}

#[test]
fn runs_show_names() {
    let path = named();
    let (code, out, _) = check(&path, &["--ltl", "G busy_never = 0"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    let (code, out, _) = check(&path, &["--ltl", "G p4 = 0"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("  start     P-CS_21\n"), "{out}");
    assert!(out.contains("takes P-CS_21; puts \"Fork 1\"\n"), "{out}");
    assert!(out.contains("takes \"Fork 1\"; puts busy (p4)\n"), "{out}");
    assert!(out.contains("  1         \"take fork\"   takes"), "{out}");
    // What scripts read has ids.
    let (_, out, _) = check(&path, &["--ltl", "G p4 = 0", "--json"]);
    let entry: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(entry["witness"]["prefix"], serde_json::json!(["t1", "t2"]));
}

#[test]
fn a_witness_that_cannot_be_written_is_told_before_the_search() {
    // The search alone would take for ever: the net is unbounded.
    let body = "<place id='p'/><place id='q'/><transition id='t'/><arc id='a' source='t' target='p'/>\
                <transition id='u'/><arc id='b' source='u' target='q'/>";
    let path = file("endless.pnml", net(body).as_bytes());
    let dir = tempfile::tempdir().expect("a temporary directory");
    let witness = dir.path().join("none/w.json");
    let witness = witness.to_str().expect("UTF-8");
    let options = ["--ltl", "G p >= 0 & G p + q <= 4000000000", "--witness", witness];
    let (code, out, err) = check(&path, &options);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.starts_with("error: --witness: cannot write") && err.contains("no folder"),
        "{err}"
    );
    let (code, _, err) = check(&path, &["--ltl", "true", "--witness", "/"]);
    assert!(code == Some(2) && err.contains("it is a folder"), "{err}");
    assert_eq!(std::fs::read_dir(dir.path()).expect("there").count(), 0);
}
