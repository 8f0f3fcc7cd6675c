//! `cargo xtask panel`: the LTL panel of `../shared/peers`, one property a process, limited
//! by CPU time, compared with the expected verdicts and with what the peers needed. A plan of the
//! campaign crate; the results are those of `brine bench`.

use crate::mcc::{build_binary, check_options, contest_plan, data_dir, engine_name, run_all};
use anyhow::{Context, bail};
use brine_campaign::plan::Limits;
use brine_campaign::results::{ResultRow, Word};
use brine_campaign::runs;
use brine_check::EngineName;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

/// Run the LTL panel and compare with the peers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The engine
    #[arg(long, default_value = "auto", value_parser = engine_name)]
    engine: EngineName,
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
    /// Go on with a run that was cut off
    #[arg(long)]
    resume: bool,
    /// Where the results go
    #[arg(long, default_value = "target/panel.csv")]
    out: PathBuf,
}

/// One row of `ltl-panel.csv`.
#[derive(Deserialize, Clone, Debug)]
struct PanelProperty {
    instance: String,
    formula: String,
    verdict: String,
    tapaal_answer: String,
    tapaal_cpu_s: Option<f64>,
    its_ltl_answer: String,
    its_ltl_cpu_s: Option<f64>,
}

/// A property with what came of it.
#[derive(Debug)]
struct PanelRow {
    formula: String,
    expected: String,
    answer: &'static str,
    cpu_s: f64,
    engine: String,
    tapaal_answer: String,
    tapaal_cpu_s: Option<f64>,
    its_ltl_answer: String,
    its_ltl_cpu_s: Option<f64>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let peers = data.join("../peers/ltl-panel.csv");
    let mut properties: Vec<PanelProperty> = Vec::new();
    for row in csv::Reader::from_path(&peers).context("the panel")?.deserialize() {
        let row: PanelProperty = row?;
        let asked = (!args.its || row.its_ltl_cpu_s.is_some())
            && (args.expected.is_empty() || row.verdict == args.expected);
        if asked && row.instance.contains(&args.filter) {
            properties.push(row);
        }
    }
    let properties: Vec<PanelProperty> =
        properties.into_iter().step_by(args.every.max(1)).collect();
    let limits = Limits {
        // The limit is CPU time; on a busy machine the clock runs faster.
        time_s: (args.cpu * 3) as f64,
        memory_mib: args.memory,
        cpu_s: Some(args.cpu),
        cores: None,
    };
    let options = check_options(args.engine, &args.option)?;
    let plan = contest_plan(&data, &["LTLCardinality", "LTLFireability"], options, limits);
    let mut by_formula: HashMap<String, PanelProperty> =
        properties.into_iter().map(|p| (p.formula.clone(), p)).collect();
    let mut runs = runs::list(&plan)?.runs;
    runs.retain(|run| by_formula.contains_key(&run.property));
    if args.out.exists() && !args.resume {
        std::fs::remove_file(&args.out)?;
    }
    let records = run_all(&args.out, binary, runs, limits, args.jobs, Vec::new())?;
    let mut rows: Vec<PanelRow> = records
        .into_iter()
        .filter_map(|record| Some(scored(by_formula.remove(&record.property)?, record)))
        .collect();
    rows.sort_by(|a, b| a.formula.cmp(&b.formula));
    summarise(&rows)
}

/// What came of a property.
fn scored(property: PanelProperty, record: ResultRow) -> PanelRow {
    let answer = match record.verdict {
        Word::Holds => "TRUE",
        Word::Violated => "FALSE",
        Word::Unknown => "",
    };
    PanelRow {
        formula: property.formula,
        expected: property.verdict,
        answer,
        cpu_s: record.cpu_s.unwrap_or(f64::NAN),
        engine: record.stage.unwrap_or(record.config),
        tapaal_answer: property.tapaal_answer,
        tapaal_cpu_s: property.tapaal_cpu_s,
        its_ltl_answer: property.its_ltl_answer,
        its_ltl_cpu_s: property.its_ltl_cpu_s,
    }
}

fn summarise(rows: &[PanelRow]) -> anyhow::Result<()> {
    println!("expected  rows  brine  wrong  tapaal  its-ltl (run on)");
    for expected in ["TRUE", "FALSE"] {
        let of: Vec<&PanelRow> = rows.iter().filter(|r| r.expected == expected).collect();
        let count = |test: &dyn Fn(&PanelRow) -> bool| of.iter().filter(|r| test(r)).count();
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
    let tapaal = |r: &PanelRow| r.tapaal_cpu_s.filter(|_| !r.tapaal_answer.is_empty());
    println!("solved within 0.1 / 1 / 10 s CPU:");
    for expected in ["TRUE", "FALSE"] {
        let brine = |r: &PanelRow| (r.answer == expected).then_some(r.cpu_s);
        let within = |cpu: &dyn Fn(&PanelRow) -> Option<f64>| {
            let rows = || rows.iter().filter(|r| r.expected == expected);
            let count = |most| rows().filter_map(cpu).filter(|&s| s <= most).count();
            format!("{} / {} / {}", count(0.1), count(1.0), count(10.5))
        };
        println!("  {expected:<5}  brine {}, tapaal {}", within(&brine), within(&tapaal));
    }
    let its = |r: &PanelRow| r.its_ltl_cpu_s.filter(|_| !r.its_ltl_answer.is_empty());
    decided_by(rows);
    compare("tapaal", rows, tapaal);
    compare("its-ltl", rows, its);
    let wrong: Vec<&PanelRow> =
        rows.iter().filter(|r| !r.answer.is_empty() && r.answer != r.expected).collect();
    wrong.iter().for_each(|r| println!("WRONG {}: {} ({})", r.formula, r.answer, r.engine));
    if !wrong.is_empty() {
        bail!("{} verdicts differ from the expected ones", wrong.len());
    }
    Ok(())
}

/// How many answers came from each engine or stage.
fn decided_by(rows: &[PanelRow]) {
    let solved = || rows.iter().filter(|r| !r.answer.is_empty());
    let engines: BTreeSet<&str> = solved().map(|r| r.engine.as_str()).collect();
    println!("decided by           TRUE  FALSE");
    for engine in engines {
        let count = |answer| solved().filter(|r| r.engine == engine && r.answer == answer).count();
        println!("{engine:<20} {:>4}  {:>5}", count("TRUE"), count("FALSE"));
    }
}

/// Median CPU times where both solve.
fn compare(name: &str, rows: &[PanelRow], cpu: impl Fn(&PanelRow) -> Option<f64>) {
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
