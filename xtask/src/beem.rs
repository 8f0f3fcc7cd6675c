//! `cargo xtask beem`: the models of BEEM against their published answers.
//!
//! One process for each model, smallest published count first. What was answered is appended to
//! a file at once; a campaign that is started again skips what is there.

use crate::mcc::build_binary;
use anyhow::{Context, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compare state counts or LTL verdicts of BEEM's DVE models with the published ones
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Check the property processes instead of counting states
    #[arg(long)]
    properties: bool,
    /// Where models and answers are
    #[arg(long, value_name = "DIR", default_value = "../shared/beem")]
    data: PathBuf,
    /// Seconds for each model
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Memory for each model
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Where the answers go; those that are there are kept
    #[arg(long, default_value = "target/beem.txt")]
    out: PathBuf,
    /// Use this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Further options of `brine`
    #[arg(last = true)]
    options: Vec<String>,
}

/// A question with its published answer.
struct Published {
    name: String,
    file: PathBuf,
    answer: String,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let mut known = std::fs::read_to_string(&args.out).unwrap_or_default();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&args.out)?;
    for question in published(args)? {
        if !known.lines().any(|line| line.split(' ').next() == Some(&question.name)) {
            let line = format!("{} {}\n", question.name, ask(args, &binary, &question.file)?);
            file.write_all(line.as_bytes())?;
            known.push_str(&line);
        }
    }
    judge(args, &known)
}

/// All questions with an answer, those with few states first.
fn published(args: &Args) -> anyhow::Result<Vec<Published>> {
    let name = if args.properties { "expected-properties.csv" } else { "expected-states.csv" };
    let path = args.data.join(name);
    let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    let models = args.data.join("models");
    let mut all = Vec::new();
    for row in reader.records() {
        let row = row?;
        let (name, file, answer) = if args.properties {
            if &row[2] != "LTL" {
                continue;
            }
            let name = format!("{}.prop{}", &row[0], &row[1]);
            let file = models.join(format!("{name}.dve"));
            (name, file, row[3].to_owned())
        } else {
            (row[0].to_owned(), models.join(format!("{}.dve", &row[0])), row[1].to_owned())
        };
        if !answer.is_empty() {
            all.push(Published { name, file, answer });
        }
    }
    all.sort_by_key(|p| p.answer.parse::<u64>().unwrap_or(0));
    Ok(all)
}

/// What `brine` says: a count, a verdict, or why there is none.
fn ask(args: &Args, binary: &Path, model: &Path) -> anyhow::Result<String> {
    let command = if args.properties { "check" } else { "states" };
    let mut brine = Command::new(binary);
    brine.arg(command).arg(model).args(["--json", "--quiet"]).args(&args.options);
    brine.args(["--timeout", &args.timeout.to_string(), "--memory", &args.memory.to_string()]);
    if args.properties {
        brine.arg("--property");
    }
    let output = brine.output()?;
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        let message = String::from_utf8_lossy(&output.stderr);
        return Ok(format!("refused {}", message.lines().next().unwrap_or_default()));
    };
    let text = |key: &str| report[key].as_str().map(str::to_owned);
    match (text("reason"), text(if args.properties { "verdict" } else { "states" })) {
        (None, Some(answer)) => Ok(answer),
        (reason, _) => Ok(format!("unknown {}", reason.unwrap_or_default())),
    }
}

fn judge(args: &Args, known: &str) -> anyhow::Result<()> {
    let (mut equal, mut open, mut wrong) = (0, 0, Vec::new());
    for question in published(args)? {
        let line = known.lines().find(|line| line.split(' ').next() == Some(&question.name));
        let answer = line.and_then(|line| line.split_once(' ')).map_or("", |(_, answer)| answer);
        if answer == question.answer {
            equal += 1;
        } else if answer.starts_with("unknown") || answer.starts_with("refused") {
            open += 1;
            println!("{}: {answer}", question.name);
        } else {
            wrong.push(format!("{}: {answer}, published {}", question.name, question.answer));
        }
    }
    println!("{equal} equal, {open} open, {} different", wrong.len());
    wrong.iter().for_each(|line| println!("{line}"));
    // DiVinE's own numbers are in doubt there: docs/dve.md.
    let doubtful =
        |line: &String| ["anderson.1:", "anderson.3:"].iter().any(|m| line.starts_with(m));
    if !wrong.iter().all(doubtful) {
        bail!("different answers");
    }
    Ok(())
}
