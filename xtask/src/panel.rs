//! `cargo xtask panel`: the LTL panel of `../shared/peers`, one property a process, limited
//! by CPU time, compared with the expected verdicts and with what the peers needed.

use crate::mcc::{build_binary, data_dir};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Run the LTL panel and compare with the peers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The engine
    #[arg(long, default_value = "auto")]
    engine: String,
    /// CPU seconds for each property
    #[arg(long, default_value_t = 10)]
    cpu: u64,
    /// Memory for each process
    #[arg(long, value_name = "MIB", default_value_t = 6144)]
    memory: u64,
    /// Only the rows that ITS-Tools' symbolic engine was run on
    #[arg(long)]
    its: bool,
    /// Only properties with this expected verdict, TRUE or FALSE
    #[arg(long, default_value = "")]
    expected: String,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only every so many-th of the rows
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Processes at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Further options of `brine check`, as one word each
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the results go
    #[arg(long, default_value = "target/panel.csv")]
    out: PathBuf,
}

/// One row of `ltl-panel.csv`.
#[derive(Deserialize, Clone, Debug)]
struct Property {
    instance: String,
    examination: String,
    index: usize,
    formula: String,
    verdict: String,
    tapaal_answer: String,
    tapaal_cpu_s: Option<f64>,
    its_ltl_answer: String,
    its_ltl_cpu_s: Option<f64>,
}

/// One row of the results.
#[derive(Serialize, Debug)]
struct Row {
    formula: String,
    expected: String,
    answer: String,
    cpu_s: f64,
    engine: String,
    tapaal_answer: String,
    tapaal_cpu_s: Option<f64>,
    its_ltl_answer: String,
    its_ltl_cpu_s: Option<f64>,
}

/// The part of a line of `brine check --json` that is compared.
#[derive(Deserialize, Debug)]
struct Line {
    verdict: String,
    engine: Option<String>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let peers = data.join("../peers/ltl-panel.csv");
    let mut properties: Vec<Property> = Vec::new();
    for row in csv::Reader::from_path(&peers).context("the panel")?.deserialize() {
        let row: Property = row?;
        let asked = (!args.its || row.its_ltl_cpu_s.is_some())
            && (args.expected.is_empty() || row.verdict == args.expected);
        if asked && row.instance.contains(&args.filter) {
            properties.push(row);
        }
    }
    let properties: Vec<Property> = properties.into_iter().step_by(args.every.max(1)).collect();
    let rows: Mutex<Vec<Row>> = Mutex::new(Vec::new());
    let next = Mutex::new(properties.iter());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                while let Some(property) = next.lock().ok().and_then(|mut n| n.next()) {
                    match ask(args, &data, &binary, property) {
                        Ok(row) => {
                            eprintln!("{:<60} {:<5} {:>6.2}", row.formula, row.answer, row.cpu_s);
                            if let Ok(mut rows) = rows.lock() {
                                rows.push(row);
                            }
                        }
                        Err(error) => eprintln!("{}: {error:#}", property.formula),
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|a, b| a.formula.cmp(&b.formula));
    let mut writer = csv::Writer::from_path(&args.out)?;
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    writer.flush()?;
    summarise(&rows)
}

/// One process. The shell keeps the limit, since no other one counts CPU time, and tells
/// how much was used.
fn ask(args: &Args, data: &Path, binary: &Path, property: &Property) -> anyhow::Result<Row> {
    let dir = data.join("models").join(&property.instance);
    let script = format!("ulimit -t {}; \"$@\"; times", args.cpu);
    let mut command = Command::new("bash");
    command.args(["-c", &script, "panel"]).arg(binary).arg("check").arg(dir.join("model.pnml"));
    command.arg("--mcc").arg(dir.join(format!("{}.xml", property.examination)));
    command.args(["--only", &property.index.to_string(), "--json", "--engine", &args.engine]);
    command.args(["--memory", &args.memory.to_string(), "--timeout", &(args.cpu * 3).to_string()]);
    // The limit is CPU time, which threads only use up faster.
    command.args(["--threads", "1"]).args(&args.option);
    let output = command.output().context("cannot start")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|l| serde_json::from_str::<Line>(l).ok());
    let answer = match line.as_ref().map(|l| l.verdict.as_str()) {
        Some("holds") => "TRUE",
        Some("violated") => "FALSE",
        _ => "",
    };
    let times = text.lines().last().unwrap_or("");
    Ok(Row {
        formula: property.formula.clone(),
        expected: property.verdict.clone(),
        answer: answer.to_owned(),
        cpu_s: times.split_whitespace().filter_map(seconds).sum(),
        engine: line.and_then(|l| l.engine).unwrap_or_default(),
        tapaal_answer: property.tapaal_answer.clone(),
        tapaal_cpu_s: property.tapaal_cpu_s,
        its_ltl_answer: property.its_ltl_answer.clone(),
        its_ltl_cpu_s: property.its_ltl_cpu_s,
    })
}

/// Seconds from the shell's `1m2.345s`.
fn seconds(text: &str) -> Option<f64> {
    let (minutes, rest) = text.split_once('m')?;
    let seconds: f64 = rest.strip_suffix('s')?.parse().ok()?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds)
}

fn summarise(rows: &[Row]) -> anyhow::Result<()> {
    println!("expected  rows  brine  wrong  tapaal  its-ltl (run on)");
    for expected in ["TRUE", "FALSE"] {
        let of: Vec<&Row> = rows.iter().filter(|r| r.expected == expected).collect();
        let count = |test: &dyn Fn(&Row) -> bool| of.iter().filter(|r| test(r)).count();
        println!(
            "{expected:<8}  {:>4}  {:>5}  {:>5}  {:>6}  {:>7} ({})",
            of.len(),
            count(&|r| r.answer == r.expected),
            count(&|r| !r.answer.is_empty() && r.answer != r.expected),
            count(&|r| !r.tapaal_answer.is_empty()),
            count(&|r| !r.its_ltl_answer.is_empty()),
            count(&|r| r.its_ltl_cpu_s.is_some()),
        );
    }
    let tapaal = |r: &Row| r.tapaal_cpu_s.filter(|_| !r.tapaal_answer.is_empty());
    println!("solved within 0.1 / 1 / 10 s CPU:");
    for expected in ["TRUE", "FALSE"] {
        let brine = |r: &Row| (r.answer == expected).then_some(r.cpu_s);
        let within = |cpu: &dyn Fn(&Row) -> Option<f64>| {
            let rows = || rows.iter().filter(|r| r.expected == expected);
            let count = |most| rows().filter_map(cpu).filter(|&s| s <= most).count();
            format!("{} / {} / {}", count(0.1), count(1.0), count(10.5))
        };
        println!("  {expected:<5}  brine {}, tapaal {}", within(&brine), within(&tapaal));
    }
    let its = |r: &Row| r.its_ltl_cpu_s.filter(|_| !r.its_ltl_answer.is_empty());
    decided_by(rows);
    compare("tapaal", rows, tapaal);
    compare("its-ltl", rows, its);
    let wrong: Vec<&Row> =
        rows.iter().filter(|r| !r.answer.is_empty() && r.answer != r.expected).collect();
    wrong.iter().for_each(|r| println!("WRONG {}: {} ({})", r.formula, r.answer, r.engine));
    if !wrong.is_empty() {
        bail!("{} verdicts differ from the expected ones", wrong.len());
    }
    Ok(())
}

/// How many answers came from each engine or stage.
fn decided_by(rows: &[Row]) {
    let solved = || rows.iter().filter(|r| !r.answer.is_empty());
    let engines: BTreeSet<&str> = solved().map(|r| r.engine.as_str()).collect();
    println!("decided by           TRUE  FALSE");
    for engine in engines {
        let count = |answer| solved().filter(|r| r.engine == engine && r.answer == answer).count();
        println!("{engine:<20} {:>4}  {:>5}", count("TRUE"), count("FALSE"));
    }
}

/// Median CPU times where both solve.
fn compare(name: &str, rows: &[Row], cpu: impl Fn(&Row) -> Option<f64>) {
    let both: Vec<(f64, f64)> = rows
        .iter()
        .filter(|r| !r.answer.is_empty())
        .filter_map(|r| Some((r.cpu_s, cpu(r)?)))
        .collect();
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    println!(
        "both solved with {name}: {}, median CPU brine {:.3} s, {name} {:.3} s",
        both.len(),
        median(both.iter().map(|b| b.0).collect()),
        median(both.iter().map(|b| b.1).collect())
    );
}
