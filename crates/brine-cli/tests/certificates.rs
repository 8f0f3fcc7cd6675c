//! `brine check --certificate` and `brine verify`: exit codes, and what is said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODEL: &str = "pnml/philosophers-5.pnml";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brine"));
    command.current_dir(root()).args(words).output().expect("brine starts")
}

fn certified(folder: &Path, formula: &str) -> PathBuf {
    let file = folder.join("proof.gz");
    let path = file.display().to_string();
    let out = run(&["check", MODEL, "--ltl", formula, "--certificate", &path, "--stats"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(String::from_utf8_lossy(&out.stdout).contains("certificate: "), "{out:?}");
    file
}

#[test]
fn a_certificate_is_written_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    for formula in ["G eat_0 <= 1", "G(eat_0 = 1 -> F(think_0 = 1 | G eat_0 = 1))", "F G true"] {
        let file = certified(dir.path(), formula);
        let path = file.display().to_string();
        let out = run(&["verify", MODEL, "--ltl", formula, &path]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        assert!(String::from_utf8_lossy(&out.stdout).contains(": verified ("), "{out:?}");
    }
}

#[test]
fn another_formula_or_net_is_not_proved() {
    let dir = tempfile::tempdir().unwrap();
    let path = certified(dir.path(), "G eat_0 <= 1").display().to_string();
    let other = run(&["verify", MODEL, "--ltl", "G eat_1 <= 1", &path, "--json"]);
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let json: serde_json::Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!(json["verified"], false);
    let net = run(&["verify", "pnml/philosophers-20.pnml", "--ltl", "G eat_0 <= 1", &path]);
    assert_eq!(net.status.code(), Some(1), "{net:?}");
    assert!(String::from_utf8_lossy(&net.stdout).contains("another net"), "{net:?}");
}

#[test]
fn what_is_no_certificate_is_bad_input() {
    let dir = tempfile::tempdir().unwrap();
    let path = certified(dir.path(), "G eat_0 <= 1");
    let bytes = std::fs::read(&path).unwrap();
    let cut = dir.path().join("cut.gz");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    for file in [cut, root().join(MODEL), dir.path().join("missing")] {
        let name = file.display().to_string();
        let out = run(&["verify", MODEL, "--ltl", "G eat_0 <= 1", &name]);
        assert_eq!(out.status.code(), Some(2), "{out:?}");
        assert!(String::from_utf8_lossy(&out.stderr).contains(&name), "{out:?}");
    }
}

#[test]
fn one_property_at_a_time_and_only_formulas_about_runs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.gz").display().to_string();
    let two = run(&["check", MODEL, "--ltl", "true", "--ltl", "true", "--certificate", &path]);
    let ctl = run(&["check", MODEL, "--ctl", "AG EF eat_0 = 1", "--certificate", &path]);
    for out in [two, ctl] {
        assert_eq!(out.status.code(), Some(2), "{out:?}");
        assert!(String::from_utf8_lossy(&out.stderr).contains("--certificate"), "{out:?}");
    }
    let violated = run(&["check", MODEL, "--ltl", "G eat_0 = 0", "--certificate", &path]);
    assert_eq!(violated.status.code(), Some(1), "{violated:?}");
    assert!(!Path::new(&path).exists(), "what is violated has no certificate");
}
