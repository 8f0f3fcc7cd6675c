//! The library `brine` says what the command says: verdicts, runs, counts, on all nets of `pnml`.

use brine::{Model, Options, Question, Verdict};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What `brine` prints as JSON.
fn command(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_brine")).args(args).output().expect("brine");
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

fn steps(witness: &Value, part: &str) -> Vec<String> {
    let steps = witness[part].as_array().expect("a list of steps");
    steps.iter().map(|s| s.as_str().expect("an id").to_owned()).collect()
}

/// Asks both; how many runs were compared.
fn compare(path: &Path, model: &Model, option: &str, text: &str) -> usize {
    let words = ["--engine", "explicit", "--threads", "1"];
    let file = path.to_str().expect("a path");
    let mut args = vec!["check", file, option, text, "--json"];
    args.extend(words);
    let told = command(&args);
    let options = Options::new().words(words[..2].iter().copied()).expect("options");
    let question = match option {
        "--ltl" => Question::ltl(text),
        "--reach" => Question::reach(text),
        _ => Question::ctl(text),
    };
    let answer = model.check(question, &options).unwrap_or_else(|e| panic!("{text}: {e}"));
    let name = format!("{} {text}", path.display());
    assert_eq!(told["verdict"], answer.verdict.word(), "{name}");
    assert_ne!(answer.verdict, Verdict::Unknown, "{name}");
    let witness = &told["witness"];
    assert_eq!(witness.is_null(), answer.run.is_none(), "{name}");
    let Some(run) = answer.run else { return 0 };
    assert_eq!(steps(witness, "prefix"), run.prefix(), "{name}");
    assert_eq!(steps(witness, "cycle"), run.cycle(), "{name}");
    let end = run.markings().pop().expect("a marking");
    for (place, tokens) in run.places().iter().zip(end) {
        let told = witness["markings"]["end"][place].as_u64().unwrap_or(0);
        assert_eq!(told, u64::from(tokens), "{name}: {place}");
    }
    1
}

#[test]
fn the_library_and_the_command_agree() {
    let mut compared = (0, 0);
    for path in std::fs::read_dir(root().join("pnml")).expect("nets") {
        let path = path.expect("a net").path();
        let small = [
            "lamport-2",
            "peterson-2",
            "philosophers-5",
            "philosophers-coloured-5",
            "producer-consumer-1",
            "slotted-ring-3",
            "token-ring-5",
            "kanban-1",
            "fms-1",
            "fork-join-2",
            "database-coloured-4",
            "load-balancer-2",
        ];
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        if !small.contains(&&*stem) {
            continue;
        }
        let model = brine::load(&path).expect("a net");
        let told = command(&["states", path.to_str().expect("a path"), "--json"]);
        let states = model.states(&Options::new()).expect("counted");
        let number = |size: Option<brine::Size>| size.map(|s| s.to_string());
        assert_eq!(told["states"].as_str().map(str::to_owned), number(states.states), "{stem}");
        let edges = told["transitions"].as_str().map(str::to_owned);
        assert_eq!(edges, number(states.transitions), "{stem}");
        let tokens = told["max_token_per_marking"].as_u64().map(|n| n.to_string());
        assert_eq!(tokens, number(states.max_token_per_marking), "{stem}");
        let mut told = command(&["analyse", path.to_str().expect("a path"), "--json"]);
        let analysis = model.analyse(&Options::new()).expect("analysed");
        for figure in ["time_s", "peak_mem_mib"] {
            told.as_object_mut().expect("an object").remove(figure).expect(figure);
        }
        assert_eq!(told, serde_json::to_value(&analysis).expect("JSON"), "{stem}");
        assert!(analysis.reason.is_none() && analysis.deadlock.is_some(), "{stem}");
        let quoted = |id: &str| format!("\"{id}\"");
        let place = quoted(&model.places()[0].id);
        let transition = quoted(&model.transitions()[0].id);
        for (option, text) in [
            ("--ltl", format!("G F {place} >= 1")),
            ("--ltl", format!("G (fireable({transition}) -> X {place} <= 3)")),
            ("--reach", "EF deadlock".to_owned()),
            ("--ctl", format!("AG EF {place} = 0")),
        ] {
            compared.1 += compare(&path, &model, option, &text);
            compared.0 += 1;
        }
    }
    assert!(compared.0 >= 44 && compared.1 >= 10, "{compared:?}");
}

#[test]
fn positions_of_mistakes_are_those_that_the_command_tells() {
    let path = root().join("pnml/philosophers-5.pnml");
    let model = brine::load(&path).expect("a net");
    let error = model.check("G (fork_0 < ", &Options::new()).expect_err("a mistake");
    let args = ["check", path.to_str().expect("a path"), "--ltl", "G (fork_0 < "];
    let output = Command::new(env!("CARGO_BIN_EXE_brine")).args(args).output().expect("brine");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let place = format!("line {}, column {}", error.line.unwrap_or(0), error.column.unwrap_or(0));
    assert!(told.contains(&place) && told.contains(&error.message), "{told}\n{error}");
}
