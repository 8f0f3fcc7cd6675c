//! What the README and the docs show, kept true: commands are read from the texts
//! themselves, run, and their output compared with what the text says.
//!
//! When the program's output changed for a good reason, `BRINE_UPDATE=1` writes it into
//! the texts instead.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect(path)
}

fn brine(args: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(args)
        .current_dir(root())
        .output()
        .expect("brine starts")
}

/// The contents of the fenced blocks with this tag.
fn blocks(text: &str, tag: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(found) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|l| !l.starts_with("```")).collect();
        if found == tag {
            blocks.push(block.join("\n"));
        }
    }
    blocks
}

/// The words of a command line, as a shell sees them that knows single quotes only.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The text with `#` for numbers that differ from run to run or with the engine's tuning:
/// those with a decimal point, those before a unit of memory or speed, and peaks; and the
/// orders that `brine info` recommends.
fn masked(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("  order        ") {
        Some(_) => "  order        #".to_owned(),
        None => masked_numbers(line),
    };
    text.trim_end().lines().map(line).collect::<Vec<String>>().join("\n")
}

fn masked_numbers(line: &str) -> String {
    let mut masked = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[start..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        let varies = number.contains('.')
            || [" MiB", " states/s"].iter().any(|unit| after.starts_with(unit))
            || rest[..start].ends_with("\"peak_nodes\":");
        masked.push_str(&rest[..start]);
        masked.push_str(if varies { "#" } else { number });
        rest = after;
    }
    masked + rest
}

/// Checks that a text shows what is printed; with `BRINE_UPDATE` set, makes it so.
fn compare(path: &str, command: &str, shown: &str, printed: &str) {
    if masked(shown) == masked(printed) {
        return;
    }
    assert!(
        std::env::var_os("BRINE_UPDATE").is_some(),
        "{path} shows for `{command}`\n{shown}\nbut it prints\n{printed}\n\
         (if this is right, set BRINE_UPDATE=1 and run the test again)"
    );
    let updated = text(path).replacen(shown, printed.trim_end(), 1);
    std::fs::write(root().join(path), updated).expect(path);
}

#[test]
fn masks_hide_what_varies_and_nothing_else() {
    let line = "p1: 243 states, 0.013 s, 17 MiB, 900 states/s, \"peak_nodes\":7,\"nodes\":5";
    let expected = "p1: 243 states, # s, # MiB, # states/s, \"peak_nodes\":#,\"nodes\":5";
    assert_eq!(masked(line), expected);
}

#[test]
fn the_main_job_prints_what_the_readme_says() {
    let readme = text("README.md");
    let [job, _] = &blocks(&readme, "sh")[..] else { panic!("two commands in the README") };
    let words = words(job);
    let start = ["cargo", "run", "--release", "--bin", "brine", "--"];
    assert_eq!(words[..start.len()], start);
    let output = brine(&words[start.len()..]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.contains(": violated (") && out.contains("\n  dead "), "{out}");
    compare("README.md", job, &blocks(&readme, "text")[0], &out);
}

#[test]
fn the_gate_runs_the_readme_s_test_command() {
    let readme = text("README.md");
    let [_, tests] = &blocks(&readme, "sh")[..] else { panic!("two commands in the README") };
    let gate = text(".ci/run");
    let cargo: Vec<&str> =
        gate.lines().filter(|l| l.starts_with("cargo ") && *l != "cargo --version").collect();
    assert_eq!(cargo, [tests.as_str()]);
}

#[test]
fn the_docs_show_what_is_printed() {
    for (path, least) in [
        ("docs/user-guide.md", 8),
        ("docs/runs.md", 1),
        ("docs/auto.md", 1),
        ("docs/nets.md", 1),
        ("docs/coloured.md", 2),
        ("docs/pins.md", 1),
        ("docs/questions.md", 1),
        ("docs/analyse.md", 30),
    ] {
        let blocks = blocks(&text(path), "console");
        assert!(blocks.len() >= least, "{} examples in {path}", blocks.len());
        for block in blocks {
            let (command, shown) = block.split_once('\n').expect("output below a command");
            let args = words(command.strip_prefix("$ brine ").expect("one command in a block"));
            let output = brine(&args);
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("UTF-8");
            compare(path, command, shown, &printed);
        }
    }
}

#[test]
fn docs_analyse_has_every_net_once() {
    let page = text("docs/analyse.md");
    let blocks = blocks(&page, "console");
    let mut shown: Vec<&str> = blocks.iter().filter_map(|block| block.lines().next()).collect();
    shown.sort_unstable();
    let files = std::fs::read_dir(root().join("pnml")).expect("pnml");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
    let nets = names.filter(|name| name.ends_with(".pnml"));
    let mut commands: Vec<String> = nets.map(|n| format!("$ brine analyse pnml/{n}")).collect();
    commands.sort_unstable();
    assert_eq!(shown, commands);
}

/// The worked example of docs/campaigns.md: its plan, its command, what it prints.
#[test]
fn the_campaign_of_the_docs_prints_what_they_say() {
    let path = "docs/campaigns.md";
    let page = text(path);
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::os::unix::fs::symlink(root().join("pnml"), dir.path().join("pnml")).expect("linked");
    std::fs::write(dir.path().join("first.toml"), &blocks(&page, "toml")[0]).expect("written");
    let examples = blocks(&page, "console");
    assert_eq!(examples.len(), 1);
    let (command, shown) = examples[0].split_once('\n').expect("output below a command");
    let output = Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(words(command.strip_prefix("$ brine ").expect("a command")))
        .current_dir(dir.path())
        .output()
        .expect("brine starts");
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
    compare(path, command, shown, &printed);
}
