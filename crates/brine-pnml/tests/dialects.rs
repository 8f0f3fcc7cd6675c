//! The files of other tools in `pnml/dialects`: what is read, refused and ignored, and that
//! the table in `docs/nets.md` says the same.

#[path = "dialects/cases.rs"]
mod cases;

use brine_pnml::{UnfoldLimits, read_model};
use cases::CASES;
use std::path::{Path, PathBuf};

/// What becomes of a file.
#[derive(Clone, Copy)]
enum Outcome {
    /// The net: places, transitions, weights of all arcs together, tokens.
    Read([u64; 4]),
    /// The net, and a warning, from its position on.
    Warned([u64; 4], &'static str),
    /// The message, from its position on.
    Refused(&'static str),
}
use Outcome::{Read, Refused, Warned};

/// A file, whose dialect it is in, what it shows, and what becomes of it.
struct Case {
    file: &'static str,
    dialect: &'static str,
    features: &'static [(&'static str, Treatment)],
    outcome: Outcome,
}

/// What becomes of a feature.
#[derive(Clone, Copy)]
enum Treatment {
    Understood,
    Ignored,
    /// As the outcome says.
    Told,
}
use Treatment::{Ignored, Told, Understood};

const fn case(
    file: &'static str,
    dialect: &'static str,
    features: &'static [(&'static str, Treatment)],
    outcome: Outcome,
) -> Case {
    Case { file, dialect, features, outcome }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What becomes of a file, in the words of an [`Outcome`].
fn outcome(file: &str) -> (Option<[u64; 4]>, String) {
    let path = root().join("pnml/dialects").join(file);
    let cut = |line: &str| line.split_once(&format!("{file}:")).map_or("", |(_, l)| l).to_owned();
    match read_model(&path, &UnfoldLimits::default()) {
        Err(error) => (None, cut(&error.to_string())),
        Ok(model) => {
            let weights = |t: brine_net::Transition<'_>| -> u64 {
                t.pre.iter().chain(t.post).map(|&(_, weight)| u64::from(weight)).sum()
            };
            let (places, transitions) = (model.net.places(), model.net.transitions());
            let size = [
                places.len() as u64,
                transitions.len() as u64,
                transitions.map(weights).sum(),
                places.map(|p| u64::from(p.initial)).sum(),
            ];
            assert!(model.warnings.len() <= 1, "{:?}", model.warnings);
            (Some(size), model.warnings.first().map_or_else(String::new, |w| cut(w)))
        }
    }
}

#[test]
fn every_file_ends_as_expected() {
    for case in &CASES {
        let expected = match case.outcome {
            Read(size) => (Some(size), String::new()),
            Warned(size, warning) => (Some(size), warning.to_owned()),
            Refused(message) => (None, message.to_owned()),
        };
        assert_eq!(outcome(case.file), expected, "{}", case.file);
    }
}

#[test]
fn names_survive_their_encoding() {
    for (file, name) in [
        ("standard.pnml", "Tür zu"),
        ("standard-latin1.pnml", "Tür zu"),
        ("standard-utf16.pnml", "Tür zu"),
        ("standard-windows.pnml", "Tür – zu"),
    ] {
        let path = root().join("pnml/dialects").join(file);
        let model = read_model(&path, &UnfoldLimits::default()).expect(file);
        assert_eq!(model.net.place(brine_net::PlaceId(0)).name(), name, "{file}");
    }
}

#[test]
fn every_file_is_in_the_table() {
    let folder = std::fs::read_dir(root().join("pnml/dialects")).expect("the folder");
    let mut files: Vec<String> =
        folder.map(|e| e.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    files.sort();
    let mut known: Vec<&str> = CASES.iter().map(|case| case.file).collect();
    known.sort_unstable();
    assert_eq!(files, known);
}

/// The lines of the table in the documentation.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for case in &CASES {
        for (feature, treatment) in case.features {
            let without_position =
                |message: &str| message.splitn(3, ':').nth(2).unwrap_or_default().trim().to_owned();
            let treated = match (treatment, case.outcome) {
                (Understood, _) => "read".to_owned(),
                (Ignored, _) => "ignored".to_owned(),
                (Told, Read(_)) => panic!("{}: nothing is told", case.file),
                (Told, Refused(message)) => format!("refused: `{}`", without_position(message)),
                (Told, Warned(_, message)) => {
                    format!("ignored, with `{}`", without_position(message))
                }
            };
            let (dialect, file) = (case.dialect, case.file);
            lines.push(format!("| {dialect} | {feature} | {treated} | `{file}` |"));
        }
    }
    lines
}

#[test]
fn the_documentation_says_the_same() {
    let docs = std::fs::read_to_string(root().join("docs/nets.md")).expect("docs/nets.md");
    let (_, rest) = docs.split_once("<!-- dialects -->\n").expect("the table's start");
    let (table, _) = rest.split_once("<!-- end of dialects -->").expect("the table's end");
    let found: Vec<&str> = table.lines().skip(2).collect();
    let expected = lines();
    if found != expected {
        println!("{}", expected.join("\n"));
        panic!("the table in docs/nets.md is not up to date; it should be as above");
    }
}
