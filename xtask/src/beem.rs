//! `cargo xtask beem`: the models of BEEM against their published answers.
//!
//! One process for each model, smallest published count first. Limits are of processor time, so
//! that a busy machine changes nothing. What was answered is appended to a file at once, with
//! seconds and memory; a campaign that is started again skips what is there.

use crate::mcc::build_binary;
use anyhow::{Context, bail};
use brine_campaign::child::{Finished, Job};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Compare state counts or LTL verdicts of BEEM's DVE models with the published ones
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Check the property processes instead of counting states
    #[arg(long)]
    properties: bool,
    /// Where models and answers are
    #[arg(long, value_name = "DIR", default_value = "../shared/beem")]
    data: PathBuf,
    /// Seconds of processor time for each model
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Memory for each model
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Where the answers go; those that are there are kept
    #[arg(long, default_value = "target/beem.csv")]
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

/// What was answered, as it is written down.
#[derive(serde::Serialize, serde::Deserialize, Clone, Debug)]
struct Answered {
    name: String,
    answer: String,
    cpu_s: f64,
    mib: Option<f64>,
    /// Whether partial-order reduction was used, if that was asked for.
    reduction: Option<String>,
    /// States that were stored, of the model.
    stored: Option<u64>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let mut known: Vec<Answered> = Vec::new();
    if args.out.exists() {
        let rows = csv::Reader::from_path(&args.out)?.into_deserialize();
        known = rows.collect::<Result<_, _>>()?;
    }
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&args.out)?;
    let mut writer = csv::WriterBuilder::new().has_headers(known.is_empty()).from_writer(file);
    for question in published(args)? {
        if known.iter().all(|row| row.name != question.name) {
            let row = ask(args, &binary, &question)?;
            writer.serialize(&row)?;
            writer.flush()?;
            known.push(row);
        }
    }
    std::io::stdout().flush()?;
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
fn ask(args: &Args, binary: &Path, question: &Published) -> anyhow::Result<Answered> {
    let mut brine = Job::new(binary);
    brine.cpu_s = Some(args.timeout);
    brine.args([if args.properties { "check" } else { "states" }]).args([&question.file]);
    brine.args(["--json", "--quiet"]).args(&args.options);
    brine.args(["--memory", &args.memory.to_string()]);
    if args.properties {
        brine.args(["--property"]);
    }
    let finished = brine.run(&AtomicBool::new(false))?;
    let report: serde_json::Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let text = |key: &str| report[key].as_str().map(str::to_owned);
    let answer = match (text("reason"), text(if args.properties { "verdict" } else { "states" })) {
        (None, Some(answer)) => answer,
        (Some(reason), _) => format!("unknown {reason}"),
        (None, None) => unanswered(&finished),
    };
    let (por, stored) = (&report["stats"]["por"], &report["stats"]["states_stored"]);
    Ok(Answered {
        name: question.name.clone(),
        answer,
        cpu_s: (finished.cpu.as_secs_f64() * 1000.0).round() / 1000.0,
        mib: report["peak_mem_mib"].as_f64().or(finished.peak_mem_mib),
        reduction: (!por.is_null()).then(|| por.to_string()),
        stored: stored.as_u64(),
    })
}

/// Why a process said nothing that can be read.
fn unanswered(finished: &Finished) -> String {
    match finished.reason() {
        "error" => format!("refused {}", finished.message().unwrap_or_default()),
        reason => format!("unknown {reason}"),
    }
}

fn judge(args: &Args, known: &[Answered]) -> anyhow::Result<()> {
    let (mut equal, mut open, mut wrong) = (0, 0, Vec::new());
    for question in published(args)? {
        let row = known.iter().find(|row| row.name == question.name);
        let answer = row.map_or("", |row| &row.answer);
        if answer == question.answer {
            equal += 1;
        } else if answer.starts_with("unknown") || answer.starts_with("refused") {
            open += 1;
            println!("{}: {answer}", question.name);
        } else {
            wrong.push(format!("{}: {answer}, published {}", question.name, question.answer));
        }
    }
    let seconds: f64 = known.iter().map(|row| row.cpu_s).sum();
    println!("{equal} equal, {open} open, {} different; {seconds:.0} s of CPU", wrong.len());
    wrong.iter().for_each(|line| println!("{line}"));
    // DiVinE's own numbers are in doubt there: docs/dve.md.
    let doubtful =
        |line: &String| ["anderson.1:", "anderson.3:"].iter().any(|m| line.starts_with(m));
    if !wrong.iter().all(doubtful) {
        bail!("different answers");
    }
    Ok(())
}
