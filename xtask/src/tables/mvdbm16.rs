//! `cargo xtask tables mvdbm16`: the counterpart of MVDBM16's Table 1 and figure 8.
//!
//! Runs the symbolic engine, both hulls, the explicit engine and plain state-space
//! generation on the contest's smoke set, one property a process as `brine bench` does, and
//! reads the figures off the results: `results.csv`, `table1.md` and one scatter plot for
//! each pair of configurations in `target/mvdbm16`.

use crate::mcc::{build_binary, contest_plan, data_dir};
use anyhow::bail;
use brine_campaign::campaign::Campaign;
use brine_campaign::child::Job;
use brine_campaign::files::replace;
use brine_campaign::plan::{Configuration, Limits};
use brine_campaign::report::{Digest, plots};
use brine_campaign::results::{ResultRow, Word};
use brine_campaign::runs;
use brine_campaign::store::Store;
use brine_check::EngineSpec;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Seconds for each run.
const TIME: u32 = 5;
const MEMORY: u32 = 2048;

/// The configuration that stands for plain state-space generation.
const STATES: &str = "state-space";

/// Runs the task.
pub(super) fn run(binary: Option<PathBuf>) -> anyhow::Result<()> {
    let binary = binary.map_or_else(build_binary, Ok)?;
    let data = data_dir()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/mvdbm16");
    fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let models: Vec<String> = fs::read_to_string(data.join("smoke.txt"))?
        .lines()
        .filter(|name| name.contains("-PT-"))
        .map(str::to_owned)
        .collect();
    let mut rows = bench(&binary, &data, &folder, &models)?;
    let table = table1(&rows);
    println!("{table}");
    fs::write(folder.join("table1.md"), table)?;
    add_state_spaces(&binary, &data, &models, &mut rows)?;
    for (name, text) in plots(&Digest::new(&rows))? {
        replace(&folder.join(name), &text)?;
    }
    println!("{}", against_states(&rows));
    let wrong = rows.iter().filter(|r| r.wrong()).count();
    if wrong > 0 {
        bail!("{wrong} wrong verdicts");
    }
    Ok(())
}

/// Runs the campaign; what an interrupted one has done is not done again.
fn bench(
    binary: &Path,
    data: &Path,
    folder: &Path,
    models: &[String],
) -> anyhow::Result<Vec<ResultRow>> {
    let limits =
        Limits { time_s: f64::from(TIME), memory_mib: MEMORY.into(), cpu_s: None, cores: None };
    let options = |engine: &str| engine.parse().map(|spec: EngineSpec| spec.words());
    let mut plan = contest_plan(data, &["LTLCardinality"], Vec::new(), limits);
    plan.configurations = ["symbolic", "hull-el", "hull-owcty", "explicit"]
        .into_iter()
        .map(|name| {
            let options = options(&format!("--engine {name}"))?;
            Ok(Configuration { name: name.to_owned(), options, tool: None })
        })
        .collect::<anyhow::Result<_>>()?;
    let mut runs = runs::list(&plan)?.runs;
    runs.retain(|run| models.contains(&run.model));
    let mut store = Store::open(&folder.join("results.csv"))?;
    let campaign = Campaign {
        program: binary.to_owned(),
        runs,
        limits,
        jobs: 1,
        quiet: false,
        // A table of one build, whatever an earlier one has left.
        rerun_changed: true,
        retry: None,
    };
    if !campaign.run(&mut store)? {
        bail!("interrupted; the same command goes on from here");
    }
    Ok(std::mem::take(&mut store.rows))
}

/// Table 1: how much time the search for cycles takes, and how much of it was prevented.
fn table1(rows: &[ResultRow]) -> String {
    let solved: Vec<&ResultRow> =
        rows.iter().filter(|r| r.config == "symbolic" && r.solved()).collect();
    let mut text = String::from(
        "| cases | number | time in SCC search | prevented | by recurring | by abstraction |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    let mut group = |name: &str, test: &dyn Fn(&ResultRow) -> bool| {
        let of: Vec<&&ResultRow> = solved.iter().filter(|r| test(r)).collect();
        let sum = |value: &dyn Fn(&ResultRow) -> f64| of.iter().map(|r| value(r)).sum::<f64>();
        let calls = sum(&|r| r.scc_calls.unwrap_or(0) as f64);
        let recurring = sum(&|r| r.scc_prevented_recurring.unwrap_or(0) as f64);
        let abstraction = sum(&|r| r.scc_prevented_abstraction.unwrap_or(0) as f64);
        let prevented = recurring + abstraction;
        let share = |part: f64, whole: f64| 100.0 * part / whole.max(f64::MIN_POSITIVE);
        text.push_str(&format!(
            "| {name} | {} | {:.1} % | {:.1} % | {:.1} % | {:.1} % |\n",
            of.len(),
            share(sum(&|r| r.scc_time_s.unwrap_or(0.0)), sum(&|r| r.time_s)),
            share(prevented, prevented + calls),
            share(recurring, prevented),
            share(abstraction, prevented),
        ));
    };
    group("all", &|_| true);
    group("valid", &|r| r.verdict == Word::Holds);
    group("invalid", &|r| r.verdict == Word::Violated);
    for class in ["terminal", "weak", "general"] {
        group(&format!("{class} automaton"), &|r| r.automaton_class.as_deref() == Some(class));
    }
    text
}

/// The part of `brine states --json` that is used.
#[derive(Deserialize, Debug)]
struct States {
    time_s: f64,
    states: Option<String>,
}

/// Adds a row for each property with the time of plain state-space generation, so that it
/// can be plotted as one more configuration.
fn add_state_spaces(
    binary: &Path,
    data: &Path,
    models: &[String],
    rows: &mut Vec<ResultRow>,
) -> anyhow::Result<()> {
    let mut times: BTreeMap<&str, States> = BTreeMap::new();
    for model in models {
        let mut job = Job::new(binary);
        job.args(["states"]).args([data.join("models").join(model).join("model.pnml")]);
        job.args(["--json", "--timeout", &TIME.to_string(), "--memory", &MEMORY.to_string()]);
        let output = job.run(&AtomicBool::new(false))?;
        times.insert(model, serde_json::from_slice(&output.stdout)?);
    }
    let solved: BTreeMap<String, Word> =
        rows.iter().filter(|r| r.solved()).map(|r| (r.property.clone(), r.verdict)).collect();
    let of_symbolic: Vec<ResultRow> =
        rows.iter().filter(|r| r.config == "symbolic").cloned().collect();
    for mut row in of_symbolic {
        let Some(states) = times.get(row.model.as_str()) else { continue };
        row.config = STATES.to_owned();
        row.time_s = states.time_s;
        // There is no verdict; for the plot, the right one stands for "finished".
        let right = solved.get(&row.property).copied().unwrap_or(Word::Holds);
        row.verdict = if states.states.is_some() { right } else { Word::Unknown };
        (row.expected, row.correct) = (None, None);
        rows.push(row);
    }
    Ok(())
}

/// How the symbolic engine compares with each other configuration, where both finish.
fn against_states(rows: &[ResultRow]) -> String {
    let solved = |config: &str| -> BTreeMap<&str, f64> {
        rows.iter()
            .filter(|r| r.config == config && r.solved())
            .map(|r| (r.property.as_str(), r.time_s))
            .collect()
    };
    let symbolic = solved("symbolic");
    let mut text = String::from(
        "| against | solved by symbolic | solved by it | both | symbolic faster | median ratio |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for other in [STATES, "hull-el", "hull-owcty", "explicit"] {
        let theirs = solved(other);
        let mut ratios: Vec<f64> =
            symbolic.iter().filter_map(|(p, t)| Some(theirs.get(p)? / t.max(1e-6))).collect();
        ratios.sort_by(f64::total_cmp);
        let faster = ratios.iter().filter(|r| **r > 1.0).count();
        text.push_str(&format!(
            "| {other} | {} | {} | {} | {faster} | {:.2} |\n",
            symbolic.len(),
            theirs.len(),
            ratios.len(),
            ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
        ));
    }
    text
}
