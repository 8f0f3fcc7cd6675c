//! What makes the command pleasant: files of formulas, ranges, lists of names, help, completions,
//! manuals, lanes, interrupts.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const PHILOSOPHERS: &str = "pnml/philosophers-5.pnml";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brine"));
    command.args(args).current_dir(root()).env_remove("COLUMNS");
    command
}

fn brine(args: &[&str]) -> Output {
    command(args).output().expect("brine starts")
}

fn stdout(args: &[&str]) -> String {
    String::from_utf8(brine(args).stdout).expect("UTF-8")
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    file
}

#[test]
fn formulas_come_from_a_file_with_names_and_comments() {
    let formulas = file(
        "# who eats?\nmutex: G eat_0 + eat_1 <= 1\nG (eat_0 = 1\n   -> F eat_0 = 0)\n# last\nno-one: G eat_0 = 0\n",
    );
    let path = format!("@{}", formulas.path().display());
    let said = stdout(&["check", PHILOSOPHERS, "--ltl", &path, "--quiet"]);
    let verdicts: Vec<&str> =
        said.lines().filter_map(|l| l.rsplit_once(" (")).map(|l| l.0).collect();
    let expected = ["mutex: holds", "G (eat_0 = 1 -> F eat_0 = 0): violated", "no-one: violated"];
    assert_eq!(verdicts, expected, "{said}");
    // The same names are told when a budget ends everything.
    let args = ["check", PHILOSOPHERS, "--ltl", &path, "--quiet", "--timeout", "0"];
    assert!(stdout(&args).contains("mutex: unknown"), "{}", stdout(&args));
}

#[test]
fn mistakes_in_files_of_formulas_are_told_with_their_place() {
    for (text, place) in
        [("a: G eat_0 = 0\nb: G\n   eat_x = 0\n", ":3:4: "), ("b:  G eat_x = 0", ":1:7: ")]
    {
        let formulas = file(text);
        let output =
            brine(&["check", PHILOSOPHERS, "--ltl", &format!("@{}", formulas.path().display())]);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{said}");
        let expected = format!("{}{place}unknown place \"eat_x\"", formulas.path().display());
        assert!(said.contains(&expected), "{said}");
    }
    let output = brine(&["check", PHILOSOPHERS, "--ltl", "@no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("@no/such/file: cannot read the file with formulas"), "{said}");
}

#[test]
fn names_are_listed() {
    let said = stdout(&["info", PHILOSOPHERS, "--transitions", "--grep", "TAKE_left"]);
    let expected: Vec<String> = (0..5).map(|i| format!("take_left_{i}")).collect();
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, expected, "{said}");
    let said = stdout(&["info", PHILOSOPHERS, "--grep", "_3"]);
    assert!(said.contains("place       fork_3                     = 1\n"), "{said}");
    assert!(said.contains("transition  put_3\n"), "{said}");
    let json = stdout(&["info", PHILOSOPHERS, "--places", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("one JSON document");
    assert_eq!(json["place_list"].as_array().map(Vec::len), Some(25), "{json}");
    assert!(json["transition_list"].is_null(), "{json}");
    let said = stdout(&["info", "dve/peterson.dve", "--places"]);
    assert!(said.lines().any(|l| l.starts_with("turn")), "{said}");
    assert_eq!(brine(&["info", PHILOSOPHERS, "--places", "--dot"]).status.code(), Some(2));
}

#[test]
fn shells_and_manuals_know_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for word in ["simulate", "replay", "shortest", "emptiness"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = stdout(&["man", "check"]);
    assert!(page.contains(".TH brine-check 1") && page.contains("\\-\\-shortest"), "{page}");
    assert!(stdout(&["man"]).contains(".TH brine 1"));
    let output = brine(&["man", "chek"]);
    assert_eq!(output.status.code(), Some(2));
    let dir = tempfile::tempdir().expect("a folder");
    stdout(&["man", "--folder", dir.path().to_str().expect("UTF-8")]);
    let pages = std::fs::read_dir(dir.path()).expect("pages").count();
    assert!(pages > 10 && dir.path().join("brine-replay.1").is_file(), "{pages}");
    assert!(!dir.path().join("brine-limited.1").exists(), "hidden commands have no page");
}

/// The script of bash is one that bash accepts.
#[test]
fn completions_are_a_script() {
    let script = stdout(&["completions", "bash"]);
    let Ok(mut child) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else {
        println!("skipped: no bash");
        return;
    };
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("written");
    assert!(child.wait().expect("ended").success());
}

#[test]
fn help_is_short_first_and_grouped() {
    let (short, long) = (stdout(&["check", "-h"]), stdout(&["check", "--help"]));
    for rare in ["--w2W", "--stubborn", "--no-otf", "--explain"] {
        assert!(!short.contains(rare) && long.contains(rare), "{rare}");
    }
    for common in ["--ltl", "--timeout", "--engine", "--shortest", "--lanes"] {
        assert!(short.contains(common), "{common}: {short}");
    }
    for heading in [
        "Properties:",
        "Search:",
        "Partial-order reduction:",
        "Limits:",
        "Runs:",
        "Variable order:",
    ] {
        assert!(long.contains(&format!("\n{heading}\n")), "{heading}");
    }
    assert!(short.lines().count() * 2 < long.lines().count(), "{short}");
}

#[test]
fn coloured_runs_and_units_are_lanes() {
    let coloured = ["check", "pnml/philosophers-coloured-5.pnml", "--ltl", "G eat <= 1"];
    let said = stdout(&[&coloured[..], &["--lanes"]].concat());
    assert!(said.lines().any(|l| l.contains("x=") && !l.contains('[')), "{said}");
    assert!(said.lines().skip(1).all(|l| !l.contains("takes")), "{said}");
    // A net without lanes says so, and is shown all the same.
    let said = stdout(&["check", "dve/peterson.dve", "--ltl", "G turn == 0", "--lanes"]);
    assert!(said.contains("no lanes: ") && said.contains("  1  "), "{said}");
}

/// An interrupt tells what is known, and ends with the code of shells.
#[cfg(unix)]
#[test]
fn an_interrupt_tells_what_is_known() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // Who is interrupted before it listens just ends; then it gets more time.
    for millis in [500, 2_000, 8_000, 32_000] {
        let child =
            command(&["check", "pnml/philosophers-20.pnml", "--engine", "hull-el", "--json"])
                .args(["--ltl", "G eat_0 + eat_1 <= 1", "--ltl", "G F eat_0 + eat_9 >= 1"])
                .stdout(Stdio::piped())
                .spawn()
                .expect("brine starts");
        std::thread::sleep(Duration::from_millis(millis));
        // It may have come to its end before; then there is nothing to tell.
        let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGINT);
        let output = child.wait_with_output().expect("ended");
        let Some(code) = output.status.code() else { continue };
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(said.lines().count(), 2, "each property gets a line: {said}");
        match code {
            130 => assert!(said.contains("\"reason\":\"cancelled\""), "{said}"),
            code => assert_eq!(code, 1, "{said}"),
        }
        return;
    }
    panic!("it never listened");
}

/// A property whose search is long, one that a short hunt violates, and what the command may use:
/// memory ends it on every machine.
const LONG_AND_SHORT: [&str; 11] = [
    "check",
    "pnml/philosophers-20.pnml",
    "--ltl",
    "G eat_0 + eat_1 <= 1",
    "--ltl",
    "G eat_0 = 0",
    "--without",
    "simplification,reduction,symbolic",
    "--memory",
    "100",
    "--explain",
];

/// Properties take turns in rounds: the easy one is answered while the hard one in front of it is
/// open. Answers are printed in the order of the properties.
#[test]
fn a_hard_property_holds_up_no_easy_one() {
    let output = brine(&[&LONG_AND_SHORT[..], &["--quiet"]].concat());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (said, explained) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}{explained}");
    let of =
        |text: &str, words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    let easy = of(&explained, "G eat_0 = 0: decided by hunt");
    // Nothing is explained of what the watchdog ends.
    let later = explained.find("G eat_0 + eat_1 <= 1: not decided");
    assert!(later.is_none_or(|later| easy < later), "{explained}");
    let hard = of(&said, "G eat_0 + eat_1 <= 1: unknown, memory");
    assert!(hard < of(&said, "G eat_0 = 0: violated"), "{said}");
}

/// An interrupt tells the answers that wait for a property in front of them, too.
#[cfg(unix)]
#[test]
fn an_interrupt_tells_answers_that_wait() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::io::{BufRead, BufReader};
    // More memory, and so more time to be interrupted in.
    let mut args = LONG_AND_SHORT;
    args[9] = "2000";
    let mut child = command(&args)
        .arg("--json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("brine starts");
    let told = BufReader::new(child.stderr.take().expect("piped"));
    let mut lines = told.lines().map(|line| line.expect("UTF-8"));
    assert!(lines.any(|line| line.starts_with("G eat_0 = 0: decided")), "it is answered");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it is at work");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let entries: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(entries.len(), 2, "{said}");
    let of = |i: usize, key: &str| entries[i][key].as_str().unwrap_or_default();
    assert_eq!((of(0, "verdict"), of(0, "reason")), ("unknown", "cancelled"));
    assert_eq!((of(1, "property"), of(1, "verdict")), ("G eat_0 = 0", "violated"));
    assert!(entries[1]["witness"].is_object(), "{said}");
}
