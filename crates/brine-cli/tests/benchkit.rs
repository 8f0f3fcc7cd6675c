//! A dry run of all examinations, called as BenchKit calls them.

mod common {
    pub(crate) mod benchkit;
}

use common::benchkit::{Call, EXAMINATIONS, check, ids};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Asks an examination, and looks at the lines; how many there are, and how many are answers.
fn ask(call: Call<'_>, here: &Path, examination: &str, file: Option<&str>) -> (usize, usize) {
    let name = format!("{} {examination}", here.display());
    let printed = call.ask(here, examination).unwrap_or_else(|e| panic!("{name}: {e:#}"));
    let ids = file.map(|file| ids(&here.join(file)).unwrap_or_else(|e| panic!("{name}: {e:#}")));
    check(examination, ids.as_deref(), &printed)
        .unwrap_or_else(|e| panic!("{name}: {e:#}\n{printed}"));
    let open = printed.lines().filter(|l| l.contains("CANNOT_COMPUTE")).count();
    (printed.lines().count(), printed.lines().count() - open)
}

/// A property of each kind, about a net of this repository.
fn property(examination: &str) -> String {
    let tokens = "<tokens-count><place>eat_0</place></tokens-count>";
    let few = format!("<integer-le>{tokens}<integer-constant>1</integer-constant></integer-le>");
    let fires = "<is-fireable><transition>put_0</transition></is-fireable>".to_owned();
    let state = if examination.ends_with("Fireability") { fires } else { few };
    let formula = match examination {
        "UpperBounds" => "<place-bound><place>eat_0</place></place-bound>".to_owned(),
        e if e.starts_with("Reachability") => {
            format!("<exists-path><finally>{state}</finally></exists-path>")
        }
        e if e.starts_with("CTL") => format!(
            "<all-paths><globally><exists-path><finally>{state}</finally></exists-path>\
             </globally></all-paths>"
        ),
        _ => format!("<all-paths><globally><finally>{state}</finally></globally></all-paths>"),
    };
    let one = |id: &str| {
        format!(
            "<property><id>{id}</id><description>d</description><formula>{formula}</formula>\
             </property>"
        )
    };
    format!("<?xml version=\"1.0\"?><property-set>{}{}</property-set>", one("p-00"), one("p-01"))
}

/// Nets that take no time, plain and coloured: every examination answers everything.
#[test]
fn every_examination_is_answered_on_our_own_nets() {
    let (program, kit) = (Path::new(env!("CARGO_BIN_EXE_brine")), root().join("contest"));
    let call = Call { kit: &kit, program: Some(program), seconds: 60 };
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::copy(root().join("pnml/philosophers-5.pnml"), here.join("model.pnml")).expect("a net");
    for (examination, file) in EXAMINATIONS {
        if let Some(file) = file {
            std::fs::write(here.join(file), property(examination)).expect("written");
        }
        let (lines, answers) = ask(call, here, examination, file);
        assert!(lines > 0 && answers == lines, "{examination}: {answers} of {lines}");
    }
    // What is no examination, or has no model, is said in one word.
    assert_eq!(call.ask(here, "Nonsense").expect("called").trim(), "CANNOT_COMPUTE");
    std::fs::remove_file(here.join("model.pnml")).expect("removed");
    assert_eq!(call.ask(here, "OneSafe").expect("called").trim(), "CANNOT_COMPUTE");
}

/// Each smoke instance with two of the examinations that it has files for, in turn; `cargo xtask
/// package` asks all of them.
#[test]
fn the_smoke_set_is_answered_in_the_contest_s_form() {
    let data = root().join("../shared/mcc");
    let Ok(list) = std::fs::read_to_string(data.join("smoke.txt")) else {
        println!("skipped: no contest data in {}", data.display());
        return;
    };
    let (program, kit) = (Path::new(env!("CARGO_BIN_EXE_brine")), root().join("contest"));
    let call = Call { kit: &kit, program: Some(program), seconds: 2 };
    let (mut calls, mut lines, mut answers) = (0, 0, 0);
    for (number, instance) in list.lines().map(str::trim).enumerate() {
        let here = data.join("models").join(instance);
        let possible = |file: Option<&str>| file.is_none_or(|file| here.join(file).exists());
        let all: Vec<_> = EXAMINATIONS.into_iter().filter(|(_, file)| possible(*file)).collect();
        if !here.is_dir() {
            continue;
        }
        for more in [0, all.len() / 2] {
            let (examination, file) = all[(number + more) % all.len()];
            let (all, given) = ask(call, &here, examination, file);
            (calls, lines, answers) = (calls + 1, lines + all, answers + given);
        }
    }
    println!("{calls} calls, {lines} lines, {answers} answers");
    assert!(calls == 0 || answers * 2 > lines, "{calls} calls, {lines} lines, {answers} answers");
}

#[test]
fn only_the_contest_s_form_passes() {
    let ids = ["a".to_owned(), "b".to_owned()];
    let ltl = |text: &str| check("LTLCardinality", Some(&ids), text).is_ok();
    assert!(ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA b CANNOT_COMPUTE\n"));
    assert!(!ltl("FORMULA a TRUE TECHNIQUES X\n"), "b has no line");
    assert!(!ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA a TRUE TECHNIQUES X\n"));
    assert!(!ltl("FORMULA a 7 TECHNIQUES X\nFORMULA b TRUE TECHNIQUES X\n"));
    assert!(!ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA b TRUE TECHNIQUES X\nnote\n"));
    assert!(check("UpperBounds", Some(&ids[..1]), "FORMULA a 7 TECHNIQUES X").is_ok());
    assert!(check("StateSpace", None, "STATE_SPACE STATES 3 TECHNIQUES X").is_ok());
    assert!(check("StateSpace", None, "").is_err());
    assert!(check("OneSafe", None, "FORMULA OneSafe TRUE TECHNIQUES X").is_ok());
}
