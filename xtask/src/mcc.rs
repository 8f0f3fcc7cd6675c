//! `cargo xtask mcc`: run the contest's development set and compare with the expected answers.
//!
//! Each (instance, examination) is one process of the release binary, which answers all
//! its properties and prints a line of JSON for each. A process that overstays is killed;
//! what it printed until then counts. Results go to a CSV file, a summary to stdout.

use crate::state_space;
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Run the development set against its expected answers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What to ask; both LTL examinations by default
    #[arg(long, value_enum)]
    examination: Vec<Examination>,
    /// Which instances
    #[arg(long, value_enum, default_value_t = Set::Smoke)]
    set: Set,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// The engine [default: explicit for LTL, auto for StateSpace]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Seconds for each property
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// Memory for each process
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Processes at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Further options of `brine check` or `brine states`, as one word each
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Results of an earlier, shorter run of the same engine: what it solved is copied, not
    /// run again, so that a long run costs only what is still open
    #[arg(long, value_name = "CSV")]
    solved: Option<PathBuf>,
    /// Go on with a run that was cut off: what stands in the results stays, answered or not
    #[arg(long)]
    resume: bool,
    /// Where the results go
    #[arg(long, default_value = "target/mcc.csv")]
    out: PathBuf,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Examination {
    #[value(name = "LTLCardinality")]
    LtlCardinality,
    #[value(name = "LTLFireability")]
    LtlFireability,
    #[value(name = "StateSpace")]
    StateSpace,
}

impl Examination {
    fn name(self) -> &'static str {
        match self {
            Examination::LtlCardinality => "LTLCardinality",
            Examination::LtlFireability => "LTLFireability",
            Examination::StateSpace => "StateSpace",
        }
    }
}

/// A list of instances.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Set {
    Smoke,
    Dev,
}

/// One row of `expected-ltl.csv`.
#[derive(Deserialize, Debug)]
struct Expected {
    instance: String,
    examination: String,
    formula: String,
    verdict: String,
}

/// The part of a line of `brine check --json` that is compared and kept.
#[derive(Deserialize, Debug)]
struct Line {
    property: String,
    verdict: String,
    reason: Option<String>,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    witness: Option<WitnessLine>,
    stats: StatsLine,
}

#[derive(Deserialize, Debug)]
struct WitnessLine {
    prefix: Vec<String>,
    cycle: Vec<String>,
}

#[derive(Deserialize, Debug)]
struct StatsLine {
    product_states: Option<String>,
    states_stored: Option<u64>,
}

/// One row of the results.
#[derive(Serialize, Deserialize, Debug)]
struct Row {
    model: String,
    property: String,
    verdict: String,
    expected: String,
    correct: Option<bool>,
    reason: String,
    time_s: Option<f64>,
    peak_mem_mib: Option<f64>,
    product_states: Option<String>,
    states_stored: Option<u64>,
    witness_prefix: Option<usize>,
    witness_cycle: Option<usize>,
    exit: Option<i32>,
}

/// One process to run.
#[derive(Debug)]
struct Job {
    instance: String,
    examination: Examination,
    /// Property ids and expected verdicts ("TRUE", "FALSE").
    expected: Vec<(String, String)>,
}

impl Args {
    /// The options of `brine states`.
    fn states_options(&self) -> Vec<String> {
        let engine = self.engine.iter().flat_map(|e| ["--engine".to_owned(), e.clone()]);
        engine.chain(self.option.iter().cloned()).collect()
    }
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    if args.examination.contains(&Examination::StateSpace) {
        if args.examination.len() > 1 {
            bail!("run StateSpace by itself");
        }
        let names: Vec<String> = instances(args.set, &args.filter, &data)?;
        let limits = (args.timeout, args.memory);
        let options = args.states_options();
        return state_space::compare(&data, &binary, &names, limits, args.jobs, &options);
    }
    let mut jobs = jobs(args, &data)?;
    let mut known = Vec::new();
    if args.resume && args.out.exists() {
        known.extend(take_known(&args.out, &mut jobs, |_| true)?);
    }
    if let Some(earlier) = &args.solved {
        known.extend(take_known(earlier, &mut jobs, |row| row.correct.is_some())?);
    }
    let rows: Mutex<Vec<Row>> = Mutex::new(known);
    let next = Mutex::new(jobs.iter().enumerate());
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let Some((i, job)) = next.lock().ok().and_then(|mut n| n.next()) else {
                        return;
                    };
                    let result = run_job(args, &data, &binary, job);
                    eprintln!("{}/{} {}", i + 1, jobs.len(), summary_of_job(job, &result));
                    if let Ok(mut rows) = rows.lock() {
                        rows.extend(result);
                        // Written as we go: hours of results outlive a kill.
                        if let Err(error) = write_csv(&args.out, &rows) {
                            eprintln!("{error:#}");
                        }
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|a, b| a.property.cmp(&b.property));
    write_csv(&args.out, &rows)?;
    summarise(&rows, start.elapsed());
    let wrong = rows.iter().filter(|r| r.correct == Some(false)).count();
    if wrong > 0 {
        bail!("{wrong} verdicts differ from the expected ones");
    }
    Ok(())
}

/// The contest data, beside the workspace.
pub(crate) fn data_dir() -> anyhow::Result<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/mcc");
    dir.canonicalize().with_context(|| format!("the contest data is not at {}", dir.display()))
}

/// Builds the release binary and says where it is.
pub(crate) fn build_binary() -> anyhow::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "brine-cli"])
        .current_dir(&root)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("the release build failed");
    }
    let binary = root.join("target/release/brine");
    binary.canonicalize().with_context(|| format!("no {}", binary.display()))
}

/// The instances of a set whose names contain `filter`.
pub(crate) fn instances(set: Set, filter: &str, data: &Path) -> anyhow::Result<Vec<String>> {
    let list = data.join(if set == Set::Smoke { "smoke.txt" } else { "dev.txt" });
    let names = std::fs::read_to_string(&list)
        .with_context(|| format!("cannot read {}", list.display()))?;
    let chosen = names.lines().map(str::trim).filter(|n| n.contains(filter));
    Ok(chosen.map(str::to_owned).collect())
}

fn jobs(args: &Args, data: &Path) -> anyhow::Result<Vec<Job>> {
    let all = [Examination::LtlCardinality, Examination::LtlFireability];
    let examinations = if args.examination.is_empty() { &all[..] } else { &args.examination[..] };
    let mut expected: HashMap<(String, String), Vec<(String, String)>> = HashMap::new();
    for row in csv::Reader::from_path(data.join("expected-ltl.csv"))?.deserialize() {
        let row: Expected = row?;
        let key = (row.instance, row.examination);
        expected.entry(key).or_default().push((row.formula, row.verdict));
    }
    let mut jobs = Vec::new();
    for instance in instances(args.set, &args.filter, data)? {
        for &examination in examinations {
            let key = (instance.clone(), examination.name().to_owned());
            let expected = expected.remove(&key).unwrap_or_default();
            jobs.push(Job { instance: instance.clone(), examination, expected });
        }
    }
    Ok(jobs)
}

/// Takes the properties out of the jobs that have a row in `earlier` which is to be kept, and
/// returns these rows.
fn take_known(
    earlier: &Path,
    jobs: &mut Vec<Job>,
    keep: impl Fn(&Row) -> bool,
) -> anyhow::Result<Vec<Row>> {
    let mut solved: HashMap<String, Row> = HashMap::new();
    let reader = csv::Reader::from_path(earlier);
    for row in reader.with_context(|| format!("cannot read {}", earlier.display()))?.deserialize() {
        let row: Row = row?;
        if keep(&row) {
            solved.insert(row.property.clone(), row);
        }
    }
    let mut rows = Vec::new();
    for job in jobs.iter_mut() {
        job.expected.retain(|(property, _)| match solved.remove(property) {
            Some(row) => {
                rows.push(row);
                false
            }
            None => true,
        });
    }
    jobs.retain(|job| !job.expected.is_empty());
    Ok(rows)
}

/// Runs one process and compares what it prints.
fn run_job(args: &Args, data: &Path, binary: &Path, job: &Job) -> Vec<Row> {
    let dir = data.join("models").join(&job.instance);
    let mut command = Command::new(binary);
    command.arg("check").arg(dir.join("model.pnml"));
    command.arg("--mcc").arg(dir.join(format!("{}.xml", job.examination.name())));
    command.args(["--json", "--engine", args.engine.as_deref().unwrap_or("explicit")]);
    command.args(["--timeout", &args.timeout.to_string(), "--threads", "1"]);
    command.args(["--memory", &args.memory.to_string()]).args(&args.option);
    if args.solved.is_some() || args.resume {
        let ids: Vec<&str> = job.expected.iter().map(|(id, _)| id.as_str()).collect();
        command.args(["--only", &ids.join(",")]);
    }
    let limit = Duration::from_secs_f64((args.timeout + 2.0) * 16.0 + 60.0);
    let (lines, exit) = match output_within(command, limit) {
        Ok(result) => result,
        Err(error) => {
            eprintln!("{}: {error:#}", job.instance);
            (Vec::new(), None)
        }
    };
    let mut lines: HashMap<String, Line> =
        lines.into_iter().map(|l| (l.property.clone(), l)).collect();
    let row = |(property, expected): &(String, String)| {
        row_of(job, property, expected, lines.remove(property), exit)
    };
    job.expected.iter().map(row).collect()
}

/// Runs a command, at most so long, and reads its lines of JSON.
fn output_within(
    mut command: Command,
    limit: Duration,
) -> anyhow::Result<(Vec<Line>, Option<i32>)> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().context("cannot start")?;
    let stdout = child.stdout.take().context("no output")?;
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        lines.filter_map(|l| serde_json::from_str(&l).ok()).collect::<Vec<Line>>()
    });
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() >= deadline {
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let lines = reader.join().map_err(|_| anyhow::anyhow!("the reader of the output panicked"))?;
    Ok((lines, status.code()))
}

fn row_of(job: &Job, property: &str, expected: &str, line: Option<Line>, exit: Option<i32>) -> Row {
    let verdict = match line.as_ref().map(|l| l.verdict.as_str()) {
        Some("holds") => "TRUE",
        Some("violated") => "FALSE",
        _ => "",
    };
    let reason = match &line {
        Some(line) => line.reason.clone().unwrap_or_default(),
        None => "no answer".to_owned(),
    };
    let witness = line.as_ref().and_then(|l| l.witness.as_ref());
    Row {
        model: job.instance.clone(),
        property: property.to_owned(),
        verdict: verdict.to_owned(),
        expected: expected.to_owned(),
        correct: (!verdict.is_empty()).then_some(verdict == expected),
        reason,
        time_s: line.as_ref().map(|l| l.time_s),
        peak_mem_mib: line.as_ref().and_then(|l| l.peak_mem_mib),
        product_states: line.as_ref().and_then(|l| l.stats.product_states.clone()),
        states_stored: line.as_ref().and_then(|l| l.stats.states_stored),
        witness_prefix: witness.map(|w| w.prefix.len()),
        witness_cycle: witness.map(|w| w.cycle.len()),
        exit,
    }
}

fn summary_of_job(job: &Job, rows: &[Row]) -> String {
    let count = |c: Option<bool>| rows.iter().filter(|r| r.correct == c).count();
    let (right, wrong, open) = (count(Some(true)), count(Some(false)), count(None));
    let flag = if wrong > 0 { "  <== WRONG" } else { "" };
    let name = format!("{} {}", job.instance, job.examination.name());
    format!("{name}: {right} right, {wrong} wrong, {open} open{flag}")
}

fn write_csv(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut writer =
        csv::Writer::from_path(path).with_context(|| format!("cannot write {}", path.display()))?;
    for row in rows {
        writer.serialize(row)?;
    }
    writer.flush()?;
    Ok(())
}

fn summarise(rows: &[Row], elapsed: Duration) {
    println!("expected  properties  right  wrong  open");
    for verdict in ["TRUE", "FALSE"] {
        let of: Vec<&Row> = rows.iter().filter(|r| r.expected == verdict).collect();
        let count = |c: Option<bool>| of.iter().filter(|r| r.correct == c).count();
        let (right, wrong, open) = (count(Some(true)), count(Some(false)), count(None));
        println!("{verdict:<8}  {:>10}  {right:>5}  {wrong:>5}  {open:>4}", of.len());
    }
    let mut reasons: HashMap<&str, usize> = HashMap::new();
    for row in rows.iter().filter(|r| r.correct.is_none()) {
        *reasons.entry(row.reason.as_str()).or_default() += 1;
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_unstable();
    println!("open because of: {reasons:?}");
    let internal = rows.iter().filter(|r| r.exit == Some(4)).count();
    println!("properties of processes that ended with an internal error: {internal}");
    println!("{:.0} s in all", elapsed.as_secs_f64());
    for row in rows.iter().filter(|r| r.correct == Some(false)) {
        println!("WRONG {}: {} instead of {}", row.property, row.verdict, row.expected);
    }
}
