//! `brine bench`: models times properties times configurations, each run in its own process.
//! The work is done by [`brine_campaign`].

use crate::exit::Exit;
use anyhow::Context;
use brine_campaign::campaign::{Campaign, Retry};
use brine_campaign::emit::{ArrayTarget, JobArray};
use brine_campaign::plan::{self, Models, Plan};
use brine_campaign::results::ResultRow;
use brine_campaign::runs::{self, Listed, PlannedRun};
use brine_campaign::store::Store;
use brine_campaign::{merge, summary};
use std::path::{Path, PathBuf};

/// Run a campaign: models x properties x configurations
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine bench plans/own-nets.toml -o results.csv
  brine bench plans/contest-dev.toml --names ../shared/mcc/smoke.txt --timeout 5 -o smoke.csv
  brine bench plans/contest-dev.toml --emit slurm --parts 100 -o results.csv > campaign.sbatch
  brine bench --merge results.csv.parts/*.csv -o results.csv

Interrupted or killed, the same command goes on where it stopped. Rows that were made with other
limits, options, models, properties or another build of brine are refused: --rerun-changed makes
them again. Exit code: 0 done, 1 at least one verdict is wrong or two disagree, 2 bad input,
130 interrupted.")]
pub(crate) struct Args {
    /// The plan, a TOML file
    #[arg(value_name = "PLAN", required_unless_present = "merge", conflicts_with = "merge")]
    plan: Option<PathBuf>,
    /// The results, a CSV file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Runs at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
    /// Take these models instead of the plan's: files by a glob, or a folder with a folder for
    /// each model as in the contest; may be given several times
    #[arg(long, value_name = "GLOB|DIR")]
    models: Vec<String>,
    /// Only models whose name is a line of this file
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Compare with the verdicts of this CSV file instead of the plan's
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Make runs again whose rows were made with something else than now
    #[arg(long)]
    rerun_changed: bool,
    /// Make runs again that ended like this
    #[arg(long, value_enum, value_name = "WHICH")]
    retry: Option<Retry>,
    /// Seconds for each run, instead of the plan's
    #[arg(long, value_name = "SECONDS", value_parser = crate::limits::seconds)]
    timeout: Option<std::time::Duration>,
    /// Mebibytes for each run, instead of the plan's
    #[arg(long, value_name = "MIB", value_parser = crate::limits::mebibytes)]
    memory: Option<u64>,
    /// Only every N-th run, starting with the I-th
    #[arg(long, value_name = "I/N", value_parser = part)]
    part: Option<Part>,
    /// Print a script that runs the campaign as a job array instead of running it
    #[arg(long, value_enum, value_name = "ENGINE", conflicts_with = "part")]
    emit: Option<ArrayTarget>,
    /// Tasks of the job array [default: one for each run, at most 100]
    #[arg(long, value_name = "N", requires = "emit",
          value_parser = clap::value_parser!(u32).range(1..))]
    parts: Option<u32>,
    /// Join results files
    #[arg(long, value_name = "CSV", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// No progress, no summary
    #[arg(long)]
    quiet: bool,
}

/// Part `number` (from 1) of `of`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    number: usize,
    of: usize,
}

fn part(text: &str) -> Result<Part, String> {
    let read = || {
        let (number, of) = text.split_once('/')?;
        let part = Part { number: number.parse().ok()?, of: of.parse().ok()? };
        (1..=part.of).contains(&part.number).then_some(part)
    };
    read().ok_or_else(|| "expected I/N with I from 1 to N".to_owned())
}

impl Part {
    fn of(self, runs: Vec<PlannedRun>) -> Vec<PlannedRun> {
        runs.into_iter().skip(self.number - 1).step_by(self.of).collect()
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    if !args.merge.is_empty() {
        let rows = merge::merge(&args.merge, &args.output)?;
        merge::mixed(&rows).iter().for_each(|line| eprintln!("{line}"));
        return verdict(args, &rows);
    }
    let path = args.plan.as_deref().context("no plan")?;
    let plan = adapted(plan::read(path, &crate::check::check_options)?, args);
    let Listed { runs, notes } = runs::list(&plan)?;
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    if let Some(target) = args.emit {
        print!("{}", array(args, path, &plan, runs.len())?.script(target));
        return Ok(Exit::Done);
    }
    let runs = match args.part {
        Some(part) => part.of(runs),
        None => runs,
    };
    let mut store = Store::open(&args.output)?;
    let campaign = Campaign {
        program: brine_campaign::child::THIS_PROGRAM.into(),
        runs,
        limits: plan.limits,
        jobs: usize::from(args.jobs),
        quiet: args.quiet,
        rerun_changed: args.rerun_changed,
        retry: args.retry,
    };
    if !campaign.run(&mut store)? {
        eprintln!("interrupted; the same command goes on from here");
        return Ok(Exit::Interrupted);
    }
    verdict(args, &store.rows)
}

/// Tells how a campaign went. A run that was refused is a mistake in the plan.
fn verdict(args: &Args, rows: &[ResultRow]) -> anyhow::Result<Exit> {
    if !args.quiet {
        print!("{}", summary::table(rows));
    }
    let complaints = summary::complaints(rows);
    complaints.iter().for_each(|line| eprintln!("{line}"));
    if !complaints.is_empty() {
        return Ok(Exit::Violated);
    }
    match summary::refused(rows) {
        None => Ok(Exit::Done),
        Some(message) => anyhow::bail!(message),
    }
}

/// The plan with what the command line says instead.
fn adapted(mut plan: Plan, args: &Args) -> Plan {
    if !args.models.is_empty() {
        plan.models = args.models.iter().map(|text| Models::named(text)).collect();
        plan.other_models = true;
    }
    if let Some(expected) = &args.expected {
        plan.expected = Some(expected.clone());
        plan.expected_named = true;
    }
    if let Some(names) = &args.names {
        plan.models.iter_mut().for_each(|m| m.names = Some(names.clone()));
    }
    plan.limits.time_s = args.timeout.map_or(plan.limits.time_s, |t| t.as_secs_f64());
    plan.limits.memory_mib = args.memory.unwrap_or(plan.limits.memory_mib);
    plan
}

/// The job array that does what this command would do.
fn array<'a>(
    args: &'a Args,
    path: &Path,
    plan: &Plan,
    runs: usize,
) -> anyhow::Result<JobArray<'a>> {
    let absolute = |path: &Path| -> anyhow::Result<String> {
        Ok(std::path::absolute(path)?.to_string_lossy().into_owned())
    };
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut command = vec![absolute(&program)?, "bench".to_owned(), absolute(path)?];
    for glob in &args.models {
        command.extend(["--models".to_owned(), absolute(Path::new(glob))?]);
    }
    if let Some(names) = &args.names {
        command.extend(["--names".to_owned(), absolute(names)?]);
    }
    if let Some(expected) = &args.expected {
        command.extend(["--expected".to_owned(), absolute(expected)?]);
    }
    if args.timeout.is_some() {
        command.extend(["--timeout".to_owned(), plan.limits.time_s.to_string()]);
    }
    if args.memory.is_some() {
        command.extend(["--memory".to_owned(), plan.limits.memory_mib.to_string()]);
    }
    let parts = args.parts.map_or(runs.min(100), |p| p as usize).clamp(1, runs.max(1));
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    Ok(JobArray {
        command,
        name: format!("brine-{}", stem.replace(|c: char| !c.is_ascii_alphanumeric(), "-")),
        parts,
        runs_in_part: runs.div_ceil(parts),
        limits: plan.limits,
        out: &args.output,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_campaign::origin::Hash;

    #[test]
    fn the_shipped_plans_are_good() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
        let plans = |folder: &Path| {
            let mut names = Vec::new();
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|e| e == "toml") {
                    plan::read(&path, &crate::check::check_options).unwrap();
                    names.push(path.file_stem().unwrap().to_string_lossy().into_owned());
                }
            }
            names.sort();
            names
        };
        let names = plans(&folder);
        assert_eq!(names, ["ablations", "contest-dev", "own-nets", "symbolic-vs-explicit"]);
        assert_eq!(plans(&folder.join("tools")), ["contest", "formulas", "installed"]);
    }

    #[test]
    fn parts_are_read_and_share_all_runs() {
        assert_eq!(part("2/3"), Ok(Part { number: 2, of: 3 }));
        for bad in ["0/3", "4/3", "1", "a/b", "/", "1/0"] {
            assert!(part(bad).is_err(), "{bad}");
        }
        let run = |i: usize| PlannedRun {
            model: i.to_string(),
            property: String::new(),
            config: String::new(),
            repetition: 1,
            expected: None,
            args: Vec::new(),
            options: String::new(),
            model_hash: Hash::of(b""),
            property_hash: Hash::of(b""),
            tool: None,
        };
        let mut seen = Vec::new();
        for number in 1..=3 {
            let runs = (0..10).map(run).collect();
            seen.extend(Part { number, of: 3 }.of(runs).into_iter().map(|r| r.model));
        }
        seen.sort();
        assert_eq!(seen, (0..10).map(|i| i.to_string()).collect::<Vec<_>>());
    }
}
