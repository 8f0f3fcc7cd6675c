//! What can go wrong around a command: no memory, no time, signals, full disks, readers and
//! writers that are gone. Each has its exit code, no half of a file is left under the name of
//! the whole, and no verdict is ever wrong.
//!
//! Limits are set by the shell (`ulimit`), whose `trap '' XFSZ` makes a write beyond the
//! limit of the file size an error instead of a signal.

use brine_net::Rng;
use brine_oracle::mutate::Corpus;
use brine_oracle::number;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const BRINE: &str = env!("CARGO_BIN_EXE_brine");
const ENGINES: [&str; 5] = ["auto", "explicit", "symbolic", "hull-el", "hull-owcty"];
/// Holds in the philosophers of every size, for whom the left neighbour is the right one.
const HOLDS: &str = "G eat_0 + eat_1 <= 1";
const VIOLATED: &str = "G !deadlock";

fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

/// `brine` after a piece of shell that sets its surroundings.
fn shell(before: &str, after: &str, args: &[&str]) -> Output {
    let script = format!("{before}\nexec \"$0\" \"$@\" {after}");
    let mut command = Command::new("sh");
    // A backtrace takes memory: with none left, the standard library would wait for itself.
    command.env_remove("RUST_BACKTRACE");
    command.args(["-c", &script, BRINE]).args(args).output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn check<'a>(model: &'a str, formula: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["check", model, "--ltl", formula], more].concat()
}

/// A number of between `few` and `many` bits.
fn spread(rng: &mut Rng, few: u32, many: u32) -> u32 {
    let bits = few + rng.below(many - few + 1);
    rng.below(1 << bits)
}

/// What a process under some limit said: the right thing, or that it does not know. Whether
/// it knew.
fn knows(output: &Output, holds: bool, context: &str) -> bool {
    let (right, word) = if holds { (0, "holds") } else { (1, "violated") };
    let out = text(&output.stdout);
    let verdict = serde_json::from_str::<Value>(&out).map(|v| v["verdict"].clone());
    let verdict = verdict.ok().and_then(|v| v.as_str().map(str::to_owned));
    match output.status.code() {
        Some(code) if code == right => assert_eq!(verdict.as_deref(), Some(word), "{context}"),
        // An allocation that the kernel refuses leaves no time to print anything.
        Some(3) => assert!(verdict.is_none_or(|v| v == "unknown"), "{context}: {out}"),
        other => panic!("{context}: {other:?}, {out}, {}", text(&output.stderr)),
    }
    output.status.code() == Some(right)
}

#[test]
fn memory_that_runs_out_anywhere_is_unknown() {
    let mut rng = Rng::new(number("BRINE_SEED", 1));
    let (small, large) = (model("philosophers-5.pnml"), model("philosophers-ordered-10.pnml"));
    let (mut known, mut unknown) = (0, 0);
    let mut count = |knew: bool| *if knew { &mut known } else { &mut unknown } += 1;
    for engine in ENGINES {
        for (net, formula, holds) in
            [(&small, HOLDS, true), (&small, VIOLATED, false), (&large, HOLDS, true)]
        {
            for _ in 0..6 {
                let budget = (1 + spread(&mut rng, 1, 6)).to_string();
                let args =
                    check(net, formula, &["--engine", engine, "--json", "--memory", &budget]);
                let output = shell("", "", &args);
                count(knows(&output, holds, &format!("{engine}, {budget} MiB")));
                // What the kernel allows: from next to nothing to enough.
                let kib = 6_000 + spread(&mut rng, 14, 23);
                let args = check(net, formula, &["--engine", engine, "--json", "--timeout", "60"]);
                let output = shell(&format!("ulimit -v {kib}"), "", &args);
                if output.status.code() == Some(127) || output.status.signal().is_some() {
                    // Too little for the system to start a process at all.
                    assert!(kib < 60_000, "{engine}, {kib} KiB: {:?}", output.status);
                    continue;
                }
                count(knows(&output, holds, &format!("{engine}, {kib} KiB of address space")));
            }
        }
    }
    assert!(known > 60 && unknown > 20, "{known} known, {unknown} unknown");
}

/// Address space that oxidd only reserves is no reason not to begin.
#[test]
fn a_formula_is_translated_in_little_address_space() {
    let net = model("philosophers-5.pnml");
    for (mib, known) in [(2_000, true), (600, true), (330, true), (200, false)] {
        let args = check(&net, HOLDS, &["--engine", "explicit", "--json", "--threads", "1"]);
        let output = shell(&format!("ulimit -v {}", mib << 10), "", &args);
        assert_eq!(knows(&output, true, &format!("{mib} MiB")), known, "{mib} MiB");
    }
}

#[test]
fn time_that_runs_out_anywhere_is_unknown() {
    let mut rng = Rng::new(number("BRINE_SEED", 2));
    let net = model("philosophers-ordered-10.pnml");
    let (mut known, mut unknown) = (0, 0);
    for engine in ENGINES {
        for _ in 0..8 {
            let time = f64::from(spread(&mut rng, 4, 10)) / 1e3;
            let time = format!("{time}");
            let args = check(&net, HOLDS, &["--engine", engine, "--json", "--timeout", &time]);
            let knew = knows(&shell("", "", &args), true, &format!("{engine}, {time} s"));
            *if knew { &mut known } else { &mut unknown } += 1;
        }
        let args = check(&net, HOLDS, &["--engine", engine, "--json", "--timeout", "0"]);
        assert!(!knows(&shell("", "", &args), true, engine), "no time at all");
    }
    println!("{known} known, {unknown} unknown");
}

/// A net in which a place grows for ever, and what holds in it: no engine but `auto` ends.
const ENDLESS: &str = "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\
    <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\
    <place id=\"p\"/><place id=\"q\"><initialMarking><text>1</text></initialMarking></place>\
    <transition id=\"t\"/><arc id=\"a\" source=\"q\" target=\"t\"/>\
    <arc id=\"b\" source=\"t\" target=\"q\"/><arc id=\"c\" source=\"t\" target=\"p\"/>\
    </page></net></pnml>";

/// Each budget ends a search that nothing else would end, and is named as the reason. The memory
/// lies below what a diagram uses before it first collects garbage: `pins` makes a new list of `n`
/// nodes for the `n`-th state, nearly all of it garbage, and would not grow for minutes after that.
#[test]
fn budgets_end_what_would_not_end() {
    let dir = tempfile::tempdir().expect("a folder");
    let net = dir.path().join("model.pnml");
    std::fs::write(&net, ENDLESS).expect("written");
    let net = net.to_str().expect("UTF-8");
    for engine in ["explicit", "symbolic", "hull-el", "hull-owcty", "pins"] {
        for (reason, time, memory) in [("timeout", "0.3", "2000"), ("memory", "60", "30")] {
            let limits = ["--engine", engine, "--json", "--timeout", time, "--memory", memory];
            let output = shell("", "", &check(net, "G (q >= 1 | F p = 77)", &limits));
            let line: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(line["reason"], reason, "{engine}, {time} s, {memory} MiB: {line}");
            assert_eq!(output.status.code(), Some(3), "{engine}");
        }
    }
}

/// A search that takes for ever, and the process once it is at it.
fn searching(args: &[&str]) -> Child {
    let mut command = Command::new(BRINE);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("brine starts");
    // Until it has used processor time, it has not begun.
    let stat = format!("/proc/{}/stat", child.id());
    let begun = || {
        let stat = std::fs::read_to_string(&stat).expect("a running process");
        let ticks = stat.split(' ').nth(13).and_then(|n| n.parse::<u64>().ok());
        ticks.expect("processor time") >= 5
    };
    while !begun() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Whether this process ignores a signal; its children do then, too.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:")).expect("a mask");
    let mask = u64::from_str_radix(mask.trim(), 16).expect("a number");
    mask >> (signal as i32 - 1) & 1 == 1
}

#[test]
fn a_signal_ends_a_search_without_a_verdict_for_it() {
    let net = model("philosophers-20.pnml");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        if is_ignored(signal) {
            println!("{signal} is ignored here, as in a shell's background jobs: skipped");
            continue;
        }
        let dir = tempfile::tempdir().expect("a folder");
        let witness = dir.path().join("witness.json");
        let path = witness.to_str().expect("UTF-8");
        let explicit = ["--engine", "explicit", "--json", "--witness", path];
        let mut args = check(&net, VIOLATED, &[]);
        // The first property is decided at once, the second one never.
        args[3] = "F deadlock | G eat_0 + eat_1 <= 1";
        let child = searching(&[&args[..], &explicit].concat());
        kill(Pid::from_raw(child.id() as i32), signal).expect("alive");
        let output = child.wait_with_output().expect("ended");
        let (said, files) = (text(&output.stdout), std::fs::read_dir(dir.path()));
        let files = files.expect("a folder").count();
        match signal {
            // An interrupt has everything told that is known, and what is not.
            Signal::SIGINT => {
                assert_eq!(output.status.code(), Some(130));
                assert!(said.contains("\"cancelled\"") && !said.contains("holds"), "{said}");
                assert_eq!(files, 1, "the runs so far");
            }
            _ => {
                assert_eq!(output.status.signal(), Some(signal as i32));
                assert_eq!((said.as_str(), files), ("", 0), "no verdict, no file");
            }
        }
    }
}

/// A folder with one net, a contest's property file and a plan.
fn workshop() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::copy(model("philosophers-5.pnml"), dir.path().join("model.pnml")).expect("copied");
    let xml = "<property-set><property><id>p-00</id><formula><all-paths><finally>\
               <is-fireable><transition>put_0</transition></is-fireable>\
               </finally></all-paths></formula></property></property-set>";
    std::fs::write(dir.path().join("LTLFireability.xml"), xml).expect("written");
    std::fs::write(dir.path().join("plan.toml"), PLAN).expect("written");
    dir
}

const PLAN: &str = "repetitions = 12\n[limits]\ntime_s = 60\nmemory_mib = 512\n[[models]]\n\
    glob = \"*.pnml\"\n[[properties]]\nltl = \"G !deadlock\"\n[[properties]]\nname = \"two\"\n\
    ltl = \"G eat_0 + eat_1 <= 1\"\nexpected = \"holds\"\n[[configurations]]\nname = \"plain\"\n\
    options = [\"--engine\", \"explicit\"]\n";

/// Every command that prints, with the exit code when it can.
fn printing(dir: &Path) -> Vec<(Vec<String>, i32)> {
    let path = |name: &str| dir.join(name).to_str().expect("UTF-8").to_owned();
    let net = path("model.pnml");
    let words = |line: &str| -> Vec<String> {
        line.split(' ').map(|w| w.replace("NET", &net).replace("DIR", &path(""))).collect()
    };
    vec![
        (words("check NET --ltl false"), 1),
        (words("check NET --ltl true --ltl true"), 0),
        (words("check NET --ltl false --json"), 1),
        (words("check NET --ltl false --quiet --witness -"), 1),
        (words("states NET"), 0),
        (words("states NET --json"), 0),
        (words("explore NET"), 0),
        (words("explore --list-provisos"), 0),
        (words("info NET"), 0),
        (words("info NET --dot"), 0),
        (words("automaton true"), 0),
        (words("mcc DIR --examination LTLFireability"), 0),
        (words("mcc DIR --examination StateSpace"), 0),
        (words("mcc DIR --examination OneSafe"), 0),
        (words("bench DIRplan.toml -o DIRr.csv"), 0),
        (words("bench DIRplan.toml -o DIRs.csv --emit slurm"), 0),
        (words("report DIRr.csv --markdown -"), 0),
    ]
}

#[test]
fn output_that_cannot_be_written_is_never_success() {
    let dir = workshop();
    for (words, code) in printing(dir.path()) {
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(shell("", "", &args).status.code(), Some(code), "{args:?}");
        // A full disk behind stdout.
        let full = shell("", ">/dev/full", &args);
        let message = text(&full.stderr);
        assert_eq!(full.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains("No space left on device"), "{args:?}: {message}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
        // Nobody at the other end of the pipe.
        let mut command = Command::new(BRINE);
        command.args(&args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let deaf = command.stdout(writer).output().expect("brine ends");
        assert_eq!(deaf.status.code(), Some(141), "{args:?}: {}", text(&deaf.stderr));
        assert!(!text(&deaf.stderr).contains("panicked"), "{args:?}");
        // Stderr does not matter, nor does what is not open at all.
        for around in ["2>/dev/full", "2>&-", "<&-", ">&-"] {
            let _ = std::fs::remove_file(dir.path().join("s.csv"));
            let output = shell("", around, &args);
            assert_eq!(output.status.code(), Some(code), "{args:?} {around}");
        }
    }
    let bad = shell("", "2>/dev/full", &["check", "missing.pnml", "--ltl", "true"]);
    assert_eq!(bad.status.code(), Some(2), "an error that cannot be told");
}

#[test]
fn standard_input_that_is_closed_or_no_text_is_refused() {
    for around in ["<&-", "</dev/null", "</bin/sh"] {
        let output = shell("", around, &["automaton", "-", "--format", "stats"]);
        assert_eq!(output.status.code(), Some(2), "{around}");
        let message = text(&output.stderr);
        assert!(output.stdout.is_empty() && message.contains("standard input"), "{message}");
    }
}

/// Commands that write a file: each with the limit of the file size (in blocks of 512 bytes)
/// under which its file does not fit.
fn writing(dir: &Path) -> Vec<(Vec<String>, PathBuf)> {
    let path = |name: &str| dir.join(name).to_str().expect("UTF-8").to_owned();
    let net = path("model.pnml");
    let line = |line: &str, file: &str| {
        let replaced = |w: &str| w.replace("NET", &net).replace("FILE", &path(file));
        (line.split(' ').map(replaced).collect(), dir.join(file))
    };
    vec![
        line("check NET --ltl false --quiet --witness FILE", "w.json"),
        line("check NET --ltl false --quiet --witness FILE", "w.dot"),
        line(&format!("report {} -o FILE", path("r.csv")), "page.html"),
        line(&format!("report {} --markdown FILE", path("r.csv")), "tables.md"),
        line(&format!("bench --merge {} --quiet -o FILE", path("r.csv")), "merged.csv"),
    ]
}

#[test]
fn a_file_that_does_not_fit_is_not_there() {
    let dir = workshop();
    let plan = [dir.path().join("plan.toml"), dir.path().join("r.csv")];
    let [plan, rows] = plan.map(|p| p.to_str().expect("UTF-8").to_owned());
    assert_eq!(shell("", "", &["bench", &plan, "-o", &rows]).status.code(), Some(0));
    for (words, file) in writing(dir.path()) {
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        // An error, or a signal that leaves no time for anything.
        for (before, code) in [("trap '' XFSZ; ulimit -f 0", Some(2)), ("ulimit -f 0", None)] {
            let output = shell(before, "", &args);
            assert_eq!(output.status.code(), code, "{args:?}: {}", text(&output.stderr));
            assert!(!file.exists(), "{args:?} left a part of its file");
            std::fs::write(&file, "what was there").expect("written");
            let _ = shell(before, "", &args);
            let there = std::fs::read_to_string(&file).expect("still there");
            assert_eq!(there, "what was there", "{args:?}");
            std::fs::remove_file(&file).expect("removed");
        }
        let name = file.to_str().expect("UTF-8");
        let full: Vec<&str> =
            args.iter().map(|w| if *w == name { "/dev/full" } else { w }).collect();
        let output = shell("", "", &full);
        assert_eq!(output.status.code(), Some(2), "{full:?}");
        assert!(text(&output.stderr).contains("/dev/full"), "{}", text(&output.stderr));
        assert!(!shell("", "", &args).stderr.is_empty() || file.exists(), "{args:?} writes");
        assert!(file.exists(), "{args:?}");
    }
}

/// A campaign whose disk is full stops; the same command goes on when there is room again.
#[test]
fn a_campaign_survives_a_full_disk() {
    let dir = workshop();
    let path = |name: &str| dir.path().join(name).to_str().expect("UTF-8").to_owned();
    let (plan, rows, whole) = (path("plan.toml"), path("r.csv"), path("whole.csv"));
    assert_eq!(shell("", "", &["bench", &plan, "-o", "/dev/full"]).status.code(), Some(2));
    let mut torn = 0;
    for blocks in 0..3 {
        let before = format!("trap '' XFSZ; ulimit -f {blocks}");
        let output = shell(&before, "", &["bench", &plan, "-o", &rows, "--quiet"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        let text = std::fs::read_to_string(&rows).unwrap_or_default();
        torn += usize::from(!text.is_empty() && !text.ends_with('\n'));
    }
    assert!(torn > 0, "no line was ever torn");
    for file in [&rows, &whole] {
        assert_eq!(shell("", "", &["bench", &plan, "-o", file]).status.code(), Some(0));
    }
    let names = |file: &str| -> Vec<String> {
        let text = std::fs::read_to_string(file).expect("rows");
        assert!(text.ends_with('\n'));
        text.lines().map(|l| l.split(',').take(4).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(names(&rows), names(&whole));
    assert_eq!(names(&rows).len(), 1 + 24);
}

/// Damaged plans: refused with exit code 2 or understood, never a panic, and within limits of
/// processor time and address space that no honest plan of this size comes near.
#[test]
fn damaged_plans_are_refused_in_good_order() {
    let dir = workshop();
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 600));
    let documents = [PLAN.as_bytes().to_vec()];
    let tokens =
        ["[[", "]]", "\"\"\"", " = ", "[limits]", "1e400", "glob = \"[\"", "names = \"x\""];
    let corpus = Corpus { documents: &documents, tokens: &tokens };
    let plan = dir.path().join("damaged.toml");
    let (mut accepted, mut refused) = (0, 0);
    for seed in first..first + count {
        std::fs::write(&plan, corpus.draw(&mut Rng::new(seed))).expect("written");
        let name = plan.to_str().expect("UTF-8");
        let args = ["bench", name, "-o", "/dev/null", "--emit", "parallel"];
        let output = shell("ulimit -t 20; ulimit -v 600000", "", &args);
        match output.status.code() {
            Some(0) => accepted += 1,
            Some(2) => {
                assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "seed {seed}");
                refused += 1;
            }
            other => panic!("BRINE_SEED={seed}: {other:?}, {}", text(&output.stderr)),
        }
    }
    assert!(accepted > 0 && refused > count / 5, "{accepted} accepted, {refused} refused");
}

/// A reader that takes the first line and goes: the first verdict came through, and the exit
/// code claims nothing about the others.
#[test]
fn a_reader_may_go_after_the_first_line() {
    let net = model("philosophers-20.pnml");
    let mut args = check(&net, VIOLATED, &["--engine", "explicit", "--quiet"]);
    // The second search would not end.
    args.extend(["--ltl", "G F eat_0 + eat_1 <= 1 | F deadlock"]);
    args.extend(["--timeout", "3"]);
    let mut child = searching(&args);
    let mut out = child.stdout.take().expect("piped");
    let mut first = [0; 11];
    out.read_exact(&mut first).expect("a line");
    assert_eq!(text(&first), "G !deadlock");
    drop(out);
    assert_eq!(child.wait().expect("ended").code(), Some(141));
}
