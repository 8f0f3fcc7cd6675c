//! `brine replay` and `brine simulate`: runs from Brine, from others, by hand and by chance.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PHILOSOPHERS: &str = "pnml/philosophers-5.pnml";
const COLOURED: &str = "pnml/philosophers-coloured-5.pnml";
const PETERSON: &str = "dve/peterson.dve";
const STARVES: &str = "G (right_0 = 1 -> F eat_0 = 1)";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs `brine ARGS` in the root, with this on stdin.
fn brine(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(args)
        .current_dir(root())
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("brine starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // Who refuses the options does not read.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("brine ends")
}

/// Exit code and all that was said.
fn replay(model: &str, run: &str, options: &[&str]) -> (i32, String) {
    let output = brine(&[&["replay", model, "-"], options].concat(), run);
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a code"), String::from_utf8(said).expect("UTF-8"))
}

fn json_of(args: &[&str]) -> String {
    String::from_utf8(brine(args, "").stdout).expect("UTF-8")
}

#[test]
fn runs_of_check_are_runs_and_violate_what_they_were_found_for() {
    let formulas = [
        (PHILOSOPHERS, STARVES),
        (PHILOSOPHERS, "G eat_0 = 0"),
        (PHILOSOPHERS, "G !deadlock"),
        (COLOURED, "G eat = 0"),
        (COLOURED, "F eat = 2"),
        (COLOURED, "G \"eat[2]\" = 0"),
        (PETERSON, "G turn == 0"),
    ];
    for (model, formula) in formulas {
        let found = json_of(&["check", model, "--ltl", formula, "--json"]);
        let (code, said) = replay(model, &found, &["--ltl", formula]);
        assert_eq!(code, 0, "{formula}: {said}");
        assert!(said.contains(&format!("  {formula}: violated")), "{said}");
        // It satisfies what is always true, and so does not violate it.
        let (code, said) = replay(model, &found, &["--ltl", "true", "--quiet"]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("  true: satisfied"), "{said}");
    }
}

/// The same run with one step left out is none, and replay says where that shows.
#[test]
fn a_run_without_one_of_its_steps_fails_at_a_step() {
    let entry = json_of(&["check", PHILOSOPHERS, "--ltl", STARVES, "--json"]);
    let entry: Value = serde_json::from_str(&entry).expect("JSON");
    let steps = |key: &str| -> Vec<String> {
        let list = entry["witness"][key].as_array().expect("steps");
        list.iter().map(|s| s.as_str().expect("an id").to_owned()).collect()
    };
    let (prefix, cycle) = (steps("prefix"), steps("cycle"));
    let lines = [&prefix[..], &["repeat".to_owned()], &cycle[..]].concat();
    assert_eq!(replay(PHILOSOPHERS, &lines.join("\n"), &["--ltl", STARVES]).0, 0);
    for i in prefix.len() + 1..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(i);
        let (code, said) = replay(PHILOSOPHERS, &fewer.join("\n"), &["--ltl", STARVES]);
        assert_eq!(code, 1, "{fewer:?}: {said}");
        assert!(said.contains("not a run of this model: step "), "{said}");
    }
}

#[test]
fn a_failing_run_says_at_which_step_and_why() {
    for (model, run, what) in [
        (
            PHILOSOPHERS,
            "take_right_0\nput_0\n",
            "step 2: \"put_0\" is not enabled: eat_0 has 0, it takes 1",
        ),
        (
            PHILOSOPHERS,
            "take_right_0\ndead\n",
            "step 1: the last marking is not dead: \"then_left_0\"",
        ),
        (
            PHILOSOPHERS,
            "repeat\ntake_right_0\n",
            "step 1: the cycle, step 1, does not lead back to where it began: think_0 1 -> 0",
        ),
        (
            COLOURED,
            "take_right[x=1]\ntake_right[x=1]\n",
            "step 2: \"take_right[x=1]\" is not enabled: fork[2] has 0, it takes 1",
        ),
        (COLOURED, "take_right[x=1]\ndead\n", "step 1: the run ends in a marking that is not dead"),
    ] {
        let (code, said) = replay(model, run, &[]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(what), "{said}\nexpected {what}");
    }
    let (_, said) = replay(PHILOSOPHERS, "take_right_0\nput_0\n", &["--json"]);
    let report: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&report["is_run"], &report["step"]), (&false.into(), &2.into()), "{said}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    for (model, run, what) in [
        (
            PHILOSOPHERS,
            "take_right_0\n  put_x\n",
            "stdin:2:3: unknown transition \"put_x\" (did you mean",
        ),
        (
            PHILOSOPHERS,
            "{\"prefix\": [\n\"take_right_0\", \"nope\"], \"cycle\": []}",
            "stdin:2:17: unknown",
        ),
        (PHILOSOPHERS, "{\"prefix\": [", "stdin:1:12: EOF"),
        (PHILOSOPHERS, "<trace><transition id='put_x'/></trace>", "stdin:1:24: unknown transition"),
        (COLOURED, "take_right\n", "stdin:1:1: \"take_right\" has 5 bindings, expected one"),
    ] {
        let (code, said) = replay(model, run, &[]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(what), "{said}\nexpected {what}");
    }
    let (code, said) = replay(PHILOSOPHERS, "take_right_0\n", &["--ltl", "G nope = 1"]);
    assert!(code == 2 && said.contains("--ltl: line 1, column 3: unknown place"), "{said}");
}

/// A trace as `verifypn` writes it, of a lasso and of a dead end.
#[test]
fn traces_of_tapaal_are_replayed() {
    let lasso = "Trace:\n<trace>\n  <transition id=\"take_right_0\">\n    <token age=\"0\" \
                 place=\"think_0\"/>\n    <token age=\"0\" place=\"fork_1\"/>\n  </transition>\n  \
                 <loop/>\n  <transition id=\"take_right_2\">\n  </transition>\n  <transition \
                 id=\"then_left_2\">\n  </transition>\n  <transition id=\"put_2\">\n  \
                 </transition>\n\n</trace>\n";
    let (code, said) = replay(PHILOSOPHERS, lasso, &["--ltl", STARVES]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("a run of 4 steps; steps 2 to 4 repeat for ever\n"), "{said}");
    let steps: String = (0..5).map(|i| format!("<transition id=\"take_right_{i}\"/>")).collect();
    let dead = format!("<trace>{steps}<loop/>\n  <deadlock/>\n</trace>");
    let (code, said) = replay(PHILOSOPHERS, &dead, &["--ltl", "G !deadlock"]);
    assert!(code == 0 && said.starts_with("a run of 5 steps to a dead marking\n"), "{said}");
}

/// What a beginning does not decide is not claimed.
#[test]
fn a_beginning_violates_only_what_it_breaks() {
    let (code, said) =
        replay(PHILOSOPHERS, "take_right_0\nthen_left_0\n", &["--ltl", "G eat_0 = 0"]);
    assert!(code == 0 && said.contains("violated after step 2, whatever follows"), "{said}");
    let (code, said) = replay(PHILOSOPHERS, "take_right_0\n", &["--ltl", STARVES]);
    assert!(code == 1 && said.contains("not violated whatever follows"), "{said}");
}

#[test]
fn a_run_by_chance_is_the_same_for_a_seed_and_replays() {
    for model in [PHILOSOPHERS, COLOURED, PETERSON, "gcl/blocks-4.gcl"] {
        for seed in ["0", "1", "77"] {
            let args = ["simulate", model, "--steps", "40", "--seed", seed, "--json"];
            let run = json_of(&args);
            assert_eq!(run, json_of(&args), "{model}");
            let (code, said) = replay(model, &run, &["--quiet"]);
            assert_eq!(code, 0, "{model}: {said}");
        }
    }
    let of = |seed: &str| json_of(&["simulate", PHILOSOPHERS, "--seed", seed, "--json"]);
    assert!((1..9).any(|seed: u32| of(&seed.to_string()) != of("0")), "seeds differ");
    let run: Value =
        serde_json::from_str(&json_of(&["simulate", PETERSON, "--steps", "7", "--json"]))
            .expect("JSON");
    assert_eq!(run["witness"]["steps"].as_array().map(Vec::len), Some(7), "{run}");
    assert_eq!(run["witness"]["ends"], "open", "{run}");
}

/// A session at the prompt: numbers, names, undo, mistakes, and the run at the end.
#[test]
fn steps_are_chosen_at_a_prompt() {
    let session = "take_right_0\n99\nnope\nput_0\nthen_left_0\nundo\nmarking\nlist left\n1\nquit\n";
    let args = ["simulate", PHILOSOPHERS, "--interactive", "--ltl", "G eat_0 = 0"];
    let output = brine(&args, session);
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{said}");
    for part in [
        "   1  take_left_0\n",
        "0> take_right_0\n",
        "no step 99, expected 1 to ",
        "unknown transition \"nope\"",
        "put_0 is not enabled\n",
        "2> undo\n",
        "1> marking\n  fork_0 = 1\n  right_0 = 1\n",
        "   1  then_left_0\n",
        "  2 steps that violate it, whatever follows:\n",
        "            now false: eat_0 <= 0\n  violated  whatever follows\n",
    ] {
        assert!(said.contains(part), "{said}\nexpected {part}");
    }
    // The run can be had as JSON; what is said meanwhile goes elsewhere then.
    let output = brine(&["simulate", PHILOSOPHERS, "--interactive", "--json"], "1\nu\n2\n");
    let run: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(run["witness"]["prefix"], serde_json::json!(["take_right_0"]), "{run}");
}

#[test]
fn a_dead_end_ends_the_walk() {
    let (code, said) = replay(
        PHILOSOPHERS,
        &json_of(&["simulate", PHILOSOPHERS, "--steps", "5", "--seed", "3", "--json"]),
        &["--ltl", "G !deadlock"],
    );
    assert!(code == 0 && said.starts_with("a run of 5 steps to a dead marking"), "{said}");
}
