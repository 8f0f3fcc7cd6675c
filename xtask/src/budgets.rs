//! `cargo xtask budgets`: how far commands overstay their budgets on large nets.
//!
//! Every instance of `large.txt`, one process at a time: `states`, `check` (the first property of
//! the cardinality file) and `info`, each with `--timeout`, and the seconds on the clock that
//! the process was there beyond that, with its peak memory. The rows go into a CSV file as they
//! come; with `--resume` a rerun does only what is missing. Times on the clock mean little on a machine that is
//! busy, so the load is noted beside each.

use crate::mcc::{build_binary, data_dir};
use anyhow::Context;
use brine_campaign::child::Job;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Measure how far commands overstay their budgets on large nets
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Seconds for each command
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// Mebibytes for each command
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only every so many-th instance
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Where the archives are unpacked to
    #[arg(long, default_value = "target/large")]
    models: PathBuf,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Go on with a run that was cut off
    #[arg(long)]
    resume: bool,
    /// Where the results go
    #[arg(long, default_value = "target/budgets.csv")]
    out: PathBuf,
}

/// One process.
#[derive(Serialize, Deserialize, Debug)]
struct BudgetRow {
    instance: String,
    command: String,
    timeout_s: f64,
    wall_s: f64,
    /// Beyond the budget; 0 if it ended before.
    over_s: f64,
    peak_mib: f64,
    exit: Option<i32>,
    load: f64,
}

const COMMANDS: [&str; 3] = ["states", "check", "info"];
/// A process that is there for so much longer is ended.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let status = Command::new(data.join("unpack")).arg(&args.models).arg("large").status();
    anyhow::ensure!(status.context("cannot unpack")?.success(), "the archives were not unpacked");
    let names = std::fs::read_to_string(data.join("large.txt")).context("large.txt")?;
    if args.out.exists() && !args.resume {
        std::fs::remove_file(&args.out)?;
    }
    let mut rows = read(&args.out)?;
    let wanted = names.lines().filter(|n| n.contains(&args.filter)).step_by(args.every.max(1));
    for instance in wanted {
        for command in COMMANDS {
            let known = |r: &BudgetRow| r.instance == instance && r.command == command;
            if rows.iter().any(known) {
                continue;
            }
            let row = measure(args, &binary, instance, command)?;
            eprintln!("{instance:<50} {command:<7} {:>7.2} s over", row.over_s);
            append(&args.out, &row)?;
            rows.push(row);
        }
    }
    summarise(&rows);
    Ok(())
}

/// The rows of an earlier run.
fn read(path: &Path) -> anyhow::Result<Vec<BudgetRow>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut reader = csv::Reader::from_path(path)?;
    reader.deserialize().collect::<Result<_, _>>().with_context(|| path.display().to_string())
}

fn append(path: &Path, row: &BudgetRow) -> anyhow::Result<()> {
    let new = !path.exists();
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let mut writer = csv::WriterBuilder::new().has_headers(new).from_writer(file);
    writer.serialize(row)?;
    writer.flush()?;
    Ok(())
}

/// Runs one command and waits for its end.
fn measure(args: &Args, binary: &Path, instance: &str, command: &str) -> anyhow::Result<BudgetRow> {
    let dir = args.models.join(instance);
    let mut job = Job::new(binary);
    job.args([command]).args([dir.join("model.pnml")]);
    if command == "check" {
        job.args(["--mcc"]).args([dir.join("LTLCardinality.xml")]).args(["--only", "0"]);
    }
    job.args(["--timeout", &args.timeout.to_string(), "--memory", &args.memory.to_string()]);
    job.time = Some(Duration::from_secs_f64(args.timeout) + PATIENCE);
    let load = load();
    let ended = job.run(&AtomicBool::new(false))?;
    let wall_s = ended.wall.as_secs_f64();
    Ok(BudgetRow {
        instance: instance.to_owned(),
        command: command.to_owned(),
        timeout_s: args.timeout,
        wall_s,
        over_s: (wall_s - args.timeout).max(0.0),
        peak_mib: ended.peak_mem_mib.unwrap_or(0.0),
        exit: ended.exit(),
        load,
    })
}

/// How busy the machine was in the last minute.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|l| l.parse().ok()).unwrap_or(0.0)
}

/// The largest overruns, and how they spread.
fn summarise(rows: &[BudgetRow]) {
    for command in COMMANDS {
        let mut of: Vec<&BudgetRow> = rows.iter().filter(|r| r.command == command).collect();
        of.sort_by(|a, b| b.over_s.total_cmp(&a.over_s));
        let late = of.iter().filter(|r| r.over_s > 0.0).count();
        let peak = of.iter().map(|r| r.peak_mib).fold(0.0, f64::max);
        println!("{command}: {} runs, {late} reached the budget, peak {peak:.0} MiB", of.len());
        for row in of.iter().take(3) {
            println!("  {:.2} s over, load {:.1}: {}", row.over_s, row.load, row.instance);
        }
    }
}
