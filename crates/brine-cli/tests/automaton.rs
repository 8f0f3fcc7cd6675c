//! `brine automaton` as users see it: formats, streaming, exit codes, clear errors.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn brine(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg("automaton")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("brine starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // A command that fails early closes the pipe: that is not our concern here.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).is_ok());
    let output = child.wait_with_output().expect("brine ends");
    writer.join().expect("the writer ends");
    output
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The message of a command that must fail with exit code 2 and print nothing.
fn error(args: &[&str], input: &str) -> String {
    let output = brine(args, input);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn hoa_is_the_default() {
    let text = stdout(&brine(&["a U b"], ""));
    assert!(text.starts_with("HOA: v1\nname: \"a U b\"\n"), "{text}");
    assert!(text.ends_with("--END--\n"), "{text}");
    let text = stdout(&brine(&["G F a & G F b", "--type", "ba"], ""));
    assert!(text.contains("acc-name: Buchi\n") && text.contains("state-acc"), "{text}");
}

#[test]
fn dot() {
    let text = stdout(&brine(&["F \"Fork 1\" >= 1", "--format", "dot"], ""));
    assert!(text.starts_with("digraph"), "{text}");
    assert!(text.contains("Fork 1"), "{text}");
}

#[test]
fn stats_of_a_stream() {
    let input = "G F p0\n\n!a\n0\nG(a -> F b)\n";
    let text = stdout(&brine(&["-", "--format", "stats"], input));
    let lines: Vec<&str> = text.lines().collect();
    let header = "states,edges,acceptance_sets,class,stutter_invariant,safety,guarantee,\
                  obligation,time_ms";
    assert_eq!(lines[0], header);
    let without_time: Vec<&str> =
        lines[1..].iter().map(|l| l.rsplit_once(',').expect("a time").0).collect();
    assert_eq!(
        without_time,
        [
            "1,2,1,general,1,0,0,0",
            "2,2,0,terminal,1,1,1,1",
            "1,0,0,terminal,1,1,1,1",
            "2,4,1,general,1,0,0,0",
        ]
    );
    let text = stdout(&brine(&["-", "--format", "stats", "--type", "ba"], "G F p0\n"));
    assert!(text.lines().nth(1).expect("a line").starts_with("2,4,1,general,"), "{text}");
}

#[test]
fn mistakes() {
    let text = error(&["G(a -> F b"], "");
    assert!(text.contains("line 1, column 2: this parenthesis is never closed"), "{text}");
    assert!(text.contains("\n  G(a -> F b\n   ^"), "{text}");
    assert!(error(&["a ? b"], "").contains("unknown operator '?'"));
    assert!(error(&["AG(a)"], "").contains("CTL"));
    assert!(error(&[""], "").contains("the formula is empty"));
    assert!(error(&["-"], "").contains("holds no formula"));
    let text = String::from_utf8(brine(&["-"], "a\nb &\n").stderr).expect("UTF-8");
    assert!(text.contains("standard input, line 2, column 4") && text.contains('^'), "{text}");
}

#[test]
fn deep_nesting_is_answered_or_refused() {
    for op in ["X ", "!", "(", "a U (", "(a & X(", "F(a & X ", "(a xor X(", "G(a | F("] {
        let depth = 100_000;
        let close = ")".repeat(depth * op.matches('(').count());
        let source = format!("{}c{close}\n", op.repeat(depth));
        let output = brine(&["-", "--format", "stats"], &source);
        match output.status.code() {
            Some(0) => {}
            Some(2) => {
                let text = String::from_utf8_lossy(&output.stderr);
                assert!(text.contains("at most 2000"), "{op}: {text}");
            }
            other => panic!("{op}: exit {other:?}"),
        }
    }
    let unbalanced = error(&["-"], &"(".repeat(100_000));
    assert!(unbalanced.contains("never closed"), "{unbalanced}");
}

#[test]
fn files_are_read_and_printed() {
    let text = stdout(&brine(&["G(a -> F b) & G F c"], ""));
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a.hoa");
    std::fs::write(&path, &text).expect("written");
    let file = path.to_str().expect("UTF-8");
    let read = |options: &[&str]| stdout(&brine(&[&["--read", file], options].concat(), ""));
    let without_name =
        |text: &str| text.lines().filter(|l| !l.starts_with("name:")).map(str::to_owned).collect();
    let (ours, again): (Vec<String>, Vec<String>) = (without_name(&text), without_name(&read(&[])));
    assert_eq!(ours, again);
    assert_eq!(stdout(&brine(&["--read", "-"], &text)), read(&[]).replace(file, "-"));
    assert!(read(&["--format", "dot"]).starts_with("digraph"));
    assert!(read(&["--type", "ba"]).contains("state-acc"));
    let stats = |text: &str| -> Vec<String> {
        let line = text.lines().nth(1).expect("a line of figures");
        line.split(',').map(str::to_owned).collect()
    };
    // Not known of an automaton that is no obligation: whether it is stutter-invariant.
    let figures = stats(&read(&["--format", "stats"]));
    let of_formula = stats(&stdout(&brine(&["G(a -> F b) & G F c", "--format", "stats"], "")));
    assert_eq!((&figures[..4], &figures[5..8]), (&of_formula[..4], &of_formula[5..8]));
    assert_eq!((figures[4].as_str(), of_formula[4].as_str()), ("", "1"));
    let simple = stdout(&brine(&["a U b"], ""));
    let simple = stdout(&brine(&["--read", "-", "--format", "stats"], &simple));
    assert!(stats(&simple)[4..8].concat() == "1011", "{simple}");
}

#[test]
fn files_that_cannot_be_used_are_refused_with_their_place() {
    let message = error(&["--read", "-"], "HOA: v1\nStates: 1\nStart: 0&0\n");
    assert!(message.contains("-: line 3, column 9: universal branching"), "{message}");
    assert!(error(&["--read", "no-such.hoa"], "").contains("cannot read no-such.hoa"));
    assert!(error(&["--read", "x.hoa", "a U b"], "").contains("cannot be used with"));
    assert!(error(&[], "").contains("required"));
}
