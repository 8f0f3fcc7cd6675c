//! `cargo xtask mcc`: run the contest's development set and compare with the expected answers.
//!
//! A plan of the campaign crate, with one configuration; the results are those of `brine bench`.

use crate::state_space;
use anyhow::{Context, bail};
use brine_campaign::campaign::Campaign;
use brine_campaign::plan::{Configuration, Limits, Models, Plan, Properties};
use brine_campaign::results::{self, ResultRow, Word};
use brine_campaign::runs::{self, PlannedRun};
use brine_campaign::store::Store;
use brine_check::{EngineName, EngineOptions, SpaceSpec};
use clap::ValueEnum;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
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
    #[arg(long, value_name = "NAME", value_parser = engine_name)]
    engine: Option<EngineName>,
    /// Seconds for each property
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// Memory for each property
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
    /// The large instances, which come as archives
    Large,
}

impl Set {
    /// The list of its instances.
    fn list(self) -> &'static str {
        match self {
            Set::Smoke => "smoke.txt",
            Set::Dev => "dev.txt",
            Set::Large => "large.txt",
        }
    }
}

/// The folder of a set's models; archives are unpacked below `target`.
pub(crate) fn models(set: Set, data: &Path) -> anyhow::Result<PathBuf> {
    if set != Set::Large {
        return Ok(data.join("models"));
    }
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/large");
    let status = Command::new(data.join("unpack")).arg(&models).arg("large").status();
    anyhow::ensure!(status.context("cannot unpack")?.success(), "the archives were not unpacked");
    Ok(models)
}

impl Args {
    fn plan(&self, data: &Path) -> anyhow::Result<Plan> {
        let all = [Examination::LtlCardinality, Examination::LtlFireability];
        let asked = if self.examination.is_empty() { &all[..] } else { &self.examination[..] };
        let asked: Vec<&str> = asked.iter().map(|e| e.name()).collect();
        let engine = self.engine.unwrap_or(EngineName::Explicit);
        let limits =
            Limits { time_s: self.timeout, memory_mib: self.memory, cpu_s: None, cores: None };
        Ok(contest_plan(data, &asked, check_options(engine, &self.option)?, limits))
    }

    /// The options of `brine states`.
    fn states_options(&self) -> anyhow::Result<Vec<String>> {
        let engine = self.engine.iter().flat_map(|e| ["--engine", e.name()]);
        let words: Vec<&str> = engine.chain(self.option.iter().map(String::as_str)).collect();
        SpaceSpec::new(&EngineOptions::split(words.iter().copied())?.0)?;
        Ok(words.into_iter().map(str::to_owned).collect())
    }
}

/// Reads the name of an engine.
pub(crate) fn engine_name(name: &str) -> Result<EngineName, String> {
    let known = || EngineName::ALL.map(EngineName::name).join(", ");
    EngineName::from_name(name).ok_or_else(|| format!("unknown engine; known are {}", known()))
}

/// An engine and further options of `brine check`, as it reads them; what does not go together
/// is told before a campaign begins.
pub(crate) fn check_options(engine: EngineName, further: &[String]) -> anyhow::Result<Vec<String>> {
    let words = ["--engine", engine.name()].into_iter();
    let (options, others) = EngineOptions::split(words.chain(further.iter().map(String::as_str)))?;
    let mut words = options.spec()?.words();
    words.extend(others);
    Ok(words)
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
        let options = args.states_options()?;
        return state_space::compare(&data, &binary, &names, limits, args.jobs, &options);
    }
    let plan = args.plan(&data)?;
    let names: HashSet<String> = instances(args.set, &args.filter, &data)?.into_iter().collect();
    let mut runs = runs::list(&plan)?.runs;
    runs.retain(|run| names.contains(&run.model));
    let known = args.solved.as_deref().map(results::read).transpose()?.unwrap_or_default();
    let known = take_solved(known, &mut runs);
    if !args.resume && args.out.exists() {
        std::fs::remove_file(&args.out)?;
    }
    let start = Instant::now();
    let rows = run_all(&args.out, binary, runs, plan.limits, args.jobs, known)?;
    summarise(&rows, start.elapsed());
    let wrong = rows.iter().filter(|r| r.wrong()).count();
    if wrong > 0 {
        bail!("{wrong} verdicts differ from the expected ones");
    }
    Ok(())
}

/// Makes the runs that have no row in the results file yet. `more` rows are put beside them.
pub(crate) fn run_all(
    out: &Path,
    program: PathBuf,
    runs: Vec<PlannedRun>,
    limits: Limits,
    jobs: usize,
    more: Vec<ResultRow>,
) -> anyhow::Result<Vec<ResultRow>> {
    let mut store = Store::open(out)?;
    let campaign =
        Campaign { program, runs, limits, jobs, quiet: false, rerun_changed: false, retry: None };
    if !campaign.run(&mut store)? {
        bail!("interrupted; what was done is in {}", out.display());
    }
    for row in more {
        if !store.rows.contains(&row) {
            store.append(row)?;
        }
    }
    Ok(std::mem::take(&mut store.rows))
}

/// A plan over the contest's models with one configuration.
pub(crate) fn contest_plan(
    data: &Path,
    examinations: &[&str],
    options: Vec<String>,
    limits: Limits,
) -> Plan {
    let file = |name: &&str| Properties {
        file: Some(format!("{name}.xml").into()),
        ltl: None,
        fair: None,
        weak_fair: None,
        strong_fair: None,
        name: None,
        models: None,
        expected: None,
    };
    let glob = data.join("models/*/model.pnml").to_string_lossy().into_owned();
    let name = options.get(1).cloned().unwrap_or_default();
    Plan {
        repetitions: 1,
        limits,
        models: vec![Models { glob, names: None }],
        properties: examinations.iter().map(file).collect(),
        configurations: vec![Configuration { name, options, tool: None }],
        expected: Some(data.join("expected-ltl.csv")),
        other_models: false,
        expected_named: true,
    }
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
    let list = data.join(set.list());
    let names = std::fs::read_to_string(&list)
        .with_context(|| format!("cannot read {}", list.display()))?;
    let chosen = names.lines().map(str::trim).filter(|n| n.contains(filter));
    Ok(chosen.map(str::to_owned).collect())
}

/// Takes the runs out that an earlier campaign has solved, and returns its rows.
fn take_solved(earlier: Vec<ResultRow>, runs: &mut Vec<PlannedRun>) -> Vec<ResultRow> {
    let solved = earlier.into_iter().filter(ResultRow::solved);
    let mut solved: HashMap<String, ResultRow> = solved.map(|r| (r.property.clone(), r)).collect();
    let mut rows = Vec::new();
    runs.retain(|run| match solved.remove(&run.property) {
        Some(row) => {
            rows.push(row);
            false
        }
        None => true,
    });
    rows
}

fn summarise(rows: &[ResultRow], elapsed: Duration) {
    println!("expected  properties  right  wrong  open");
    for (verdict, name) in [(Word::Holds, "TRUE"), (Word::Violated, "FALSE")] {
        let of: Vec<&ResultRow> = rows.iter().filter(|r| r.expected == Some(verdict)).collect();
        let count = |c: Option<bool>| of.iter().filter(|r| r.correct == c).count();
        let (right, wrong, open) = (count(Some(true)), count(Some(false)), count(None));
        println!("{name:<8}  {:>10}  {right:>5}  {wrong:>5}  {open:>4}", of.len());
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.verdict == Word::Unknown) {
        *reasons.entry(row.reason.as_deref().unwrap_or("")).or_default() += 1;
    }
    println!("open because of: {reasons:?}");
    let internal = rows.iter().filter(|r| r.exit == Some(4)).count();
    println!("properties of processes that ended with an internal error: {internal}");
    println!("{:.0} s in all", elapsed.as_secs_f64());
    rows.iter().filter(|r| r.wrong()).for_each(|row| println!("{}", row.complaint()));
}
