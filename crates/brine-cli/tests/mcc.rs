//! `brine mcc` as BenchKit sees it.

use std::path::Path;
use std::process::{Command, Output};

/// A folder of the contest's shape: a net of `pnml/`, and properties on it.
fn instance(net: &str, properties: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let pnml = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(net);
    std::fs::copy(pnml, dir.path().join("model.pnml")).expect("copied");
    let property = |(id, body): &(&str, &str)| {
        format!(
            "<property><id>{id}</id><description>d</description>\
             <formula><all-paths>{body}</all-paths></formula></property>"
        )
    };
    let all: String = properties.iter().map(property).collect();
    let xml = format!("<?xml version=\"1.0\"?><property-set>{all}</property-set>");
    std::fs::write(dir.path().join("LTLFireability.xml"), xml).expect("written");
    dir
}

fn mcc(dir: &Path, examination: &str, variables: &[(&str, &str)]) -> (Option<i32>, Vec<String>) {
    let output = run(dir, examination, variables, &[]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), text.lines().map(str::to_owned).collect())
}

fn run(dir: &Path, examination: &str, variables: &[(&str, &str)], options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg("mcc")
        .args(options)
        .current_dir(dir)
        .env("BK_EXAMINATION", examination)
        .env_remove("BK_TIME_CONFINEMENT")
        .env_remove("BK_MEMORY_CONFINEMENT")
        .envs(variables.iter().copied())
        .output()
        .expect("brine starts")
}

const AGAIN: &str = "<globally><finally><is-fireable><transition>put_0</transition>\
                     </is-fireable></finally></globally>";
const EXCLUSION: &str = "<globally><negation><conjunction>\
    <is-fireable><transition>put_0</transition></is-fireable>\
    <is-fireable><transition>put_1</transition></is-fireable>\
    </conjunction></negation></globally>";

#[test]
fn formulas_are_answered_in_the_contest_s_words() {
    let dir = instance("philosophers-5.pnml", &[("p-00", AGAIN), ("p-01", EXCLUSION)]);
    let limits = [("BK_TIME_CONFINEMENT", "60"), ("BK_MEMORY_CONFINEMENT", "2048")];
    let (code, lines) = mcc(dir.path(), "LTLFireability", &limits);
    assert_eq!((code, lines.len()), (Some(0), 2), "{lines:?}");
    assert!(lines[0].starts_with("FORMULA p-00 FALSE TECHNIQUES "), "{lines:?}");
    assert!(lines[1].starts_with("FORMULA p-01 TRUE TECHNIQUES "), "{lines:?}");
}

#[test]
fn the_state_space_has_four_numbers() {
    let dir = instance("philosophers-5.pnml", &[]);
    let (code, lines) = mcc(dir.path(), "StateSpace", &[]);
    let heads: Vec<&str> =
        lines.iter().filter_map(|l| l.split_once(" TECHNIQUES ")).map(|(head, _)| head).collect();
    let expected = [
        "STATE_SPACE STATES 243",
        "STATE_SPACE TRANSITIONS 945",
        "STATE_SPACE MAX_TOKEN_PER_MARKING 10",
        "STATE_SPACE MAX_TOKEN_IN_PLACE 1",
    ];
    assert_eq!((code, heads), (Some(0), expected.to_vec()));
}

#[test]
fn coloured_nets_are_unfolded() {
    let dir = instance("philosophers-coloured-5.pnml", &[]);
    let (code, lines) = mcc(dir.path(), "StateSpace", &[]);
    assert_eq!((code, lines.len()), (Some(0), 4), "{lines:?}");
    assert!(lines[0].starts_with("STATE_SPACE STATES 243 TECHNIQUES "), "{lines:?}");
    assert!(lines[0].contains(" UNFOLDING_TO_PT "), "{lines:?}");
}

#[test]
fn unfolding_is_named_only_if_it_was_used() {
    let again = AGAIN.replace("put_0", "put");
    let dir = instance("philosophers-coloured-5.pnml", &[("p-00", &again)]);
    for (options, expected) in [(&[][..], false), (&["--engine", "explicit"][..], true)] {
        let text = String::from_utf8(run(dir.path(), "LTLFireability", &[], options).stdout);
        let text = text.expect("UTF-8");
        assert!(text.starts_with("FORMULA p-00 FALSE TECHNIQUES "), "{text}");
        assert_eq!(text.contains(" UNFOLDING_TO_PT "), expected, "{text}");
    }
}

/// One property is far too hard for the explicit engine, the other easy: the easy one is
/// answered, and the run ends in time with a word for the hard one.
#[test]
fn a_hard_property_does_not_starve_an_easy_one() {
    let dir = instance("philosophers-20.pnml", &[("hard", EXCLUSION), ("easy", AGAIN)]);
    let options = ["--engine", "explicit", "--timeout", "2", "--memory", "2048"];
    let output = run(dir.path(), "LTLFireability", &[], &options);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(lines[0].starts_with("FORMULA easy FALSE TECHNIQUES "), "{text}");
    assert_eq!(lines[1..], ["FORMULA hard CANNOT_COMPUTE"]);
}

#[test]
fn memory_that_runs_out_is_said() {
    let dir = instance("philosophers-20.pnml", &[("hard", EXCLUSION), ("easy", AGAIN)]);
    let options = ["--engine", "explicit", "--memory", "24"];
    let output = run(dir.path(), "LTLFireability", &[], &options);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("FORMULA hard CANNOT_COMPUTE\n"), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn violating_runs_go_to_a_file() {
    let dir = instance("philosophers-5.pnml", &[("p-00", AGAIN)]);
    let output = run(dir.path(), "LTLFireability", &[], &["--witness", "w.json"]);
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(dir.path().join("w.json")).expect("written");
    assert!(text.starts_with("{\"property\":\"p-00\"") && text.contains("\"replayed\":true"));
}

#[test]
fn other_examinations_and_bad_input() {
    let dir = instance("philosophers-5.pnml", &[("p-00", AGAIN)]);
    let verdicts = [
        ("OneSafe", "TRUE"),
        ("ReachabilityDeadlock", "TRUE"),
        ("StableMarking", "FALSE"),
        ("QuasiLiveness", "TRUE"),
        ("Liveness", "FALSE"),
    ];
    for (examination, verdict) in verdicts {
        let (code, lines) = mcc(dir.path(), examination, &[]);
        let start = format!("FORMULA {examination} {verdict} TECHNIQUES ");
        assert!(code == Some(0) && lines.len() == 1, "{examination}: {lines:?}");
        assert!(lines[0].starts_with(&start), "{lines:?}");
    }
    assert_eq!(mcc(dir.path(), "UpperBounds", &[]), (Some(2), vec![]), "no such file");
    assert_eq!(mcc(dir.path(), "Everything", &[]), (Some(2), vec![]));
    assert_eq!(mcc(dir.path(), "LTLCardinality", &[]), (Some(2), vec![]), "no such file");
    assert_eq!(mcc(dir.path(), "StateSpace", &[("BK_TIME_CONFINEMENT", "soon")]).0, Some(2));
    let empty = tempfile::tempdir().expect("a temporary directory");
    assert_eq!(mcc(empty.path(), "StateSpace", &[]), (Some(2), vec![]), "no model");
    let none = Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg("mcc")
        .env_remove("BK_EXAMINATION")
        .output()
        .expect("brine starts");
    assert!(String::from_utf8_lossy(&none.stderr).contains("set BK_EXAMINATION"));
}

/// The script that BenchKit calls finds the program, and says a word for what it refuses.
#[test]
fn the_script_for_benchkit_works() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contest/BenchKit_head.sh");
    let call = |dir: &Path, examination: &str| {
        let output = Command::new("bash")
            .arg(&script)
            .current_dir(dir)
            .env("BK_EXAMINATION", examination)
            .env("BK_TIME_CONFINEMENT", "60")
            .env("BRINE", env!("CARGO_BIN_EXE_brine"))
            .output()
            .expect("bash starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let dir = instance("philosophers-5.pnml", &[("p-00", AGAIN)]);
    assert!(call(dir.path(), "StateSpace").starts_with("STATE_SPACE STATES 243 "));
    assert!(call(dir.path(), "LTLFireability").starts_with("FORMULA p-00 FALSE "));
    assert!(call(dir.path(), "OneSafe").starts_with("FORMULA OneSafe TRUE "));
    assert_eq!(call(dir.path(), "CTLFireability"), "CANNOT_COMPUTE\n", "no such file");
    let empty = tempfile::tempdir().expect("a temporary directory");
    assert_eq!(call(empty.path(), "StateSpace"), "CANNOT_COMPUTE\n");
}
