//! `cargo xtask runs`: how long the runs are that users see.
//!
//! For violated properties of the development set: the length of the run as `auto` found it and as
//! it is shown, the shortest that any engine found, and the length that is proved shortest where
//! `--shortest` gets done. Every run that is shown is piped into `brine replay` with its formula.
//! Rows are appended as they come, and a rerun makes only those that are missing.

use crate::mcc::{Set, build_binary, data_dir, instances};
use anyhow::{Context, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Measure the lengths of runs that are shown
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only the small set of instances
    #[arg(long)]
    quick: bool,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// So many violated properties of each property file; 0 means all
    #[arg(long, value_name = "N", default_value_t = 0)]
    per_file: usize,
    /// Seconds for each property and way of asking
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// Stop after so many seconds of CPU, with what is done
    #[arg(long, value_name = "SECONDS")]
    cpu: Option<f64>,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the results go
    #[arg(long, default_value = "target/runs.csv")]
    out: PathBuf,
}

/// How a property is asked about: a name, and options of `brine check`.
const WAYS: [(&str, &[&str]); 5] = [
    (AUTO, &["--explain"]),
    ("explicit", &["--engine", "explicit"]),
    ("symbolic", &["--engine", "symbolic"]),
    ("hunt", &["--engine", "hunt"]),
    (SHORTEST, &["--shortest"]),
];
const AUTO: &str = "auto";
const SHORTEST: &str = "shortest";

/// A row of `expected-ltl.csv`.
#[derive(Deserialize, Debug)]
struct ExpectedAnswer {
    instance: String,
    examination: String,
    formula: String,
    verdict: String,
}

/// What came of one property, asked in one way.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct LengthRow {
    formula: String,
    way: String,
    verdict: String,
    /// Steps as found, and as shown; empty without a run.
    found: Option<usize>,
    shown: Option<usize>,
    /// Whether no shorter one exists.
    proved: bool,
    /// Whether the run that is shown was replayed from its JSON, against its formula.
    replayed: bool,
    /// Seconds that the verdict took, and that shortening took.
    verdict_s: f64,
    shorten_s: Option<f64>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let set = if args.quick { Set::Smoke } else { Set::Dev };
    let wanted: HashSet<String> = instances(set, &args.filter, &data)?.into_iter().collect();
    let asked = questions(args, &data, &wanted)?;
    let mut done = if args.out.exists() { read(&args.out)? } else { Vec::new() };
    let known: HashSet<(String, String)> =
        done.iter().map(|r| (r.formula.clone(), r.way.clone())).collect();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&args.out)?;
    let start = cpu()?;
    // In an order that has nothing to do with names, so that what was done when the time is up is
    // a fair sample.
    let mut files: Vec<_> = asked.iter().collect();
    files.sort_by_key(|(key, _)| FxBuildHasher.hash_one(key));
    'all: for ((instance, examination), formulas) in files {
        for (way, options) in WAYS {
            let open = |f: &&String| !known.contains(&((*f).clone(), way.to_owned()));
            let formulas: Vec<&String> = formulas.iter().filter(open).collect();
            if formulas.is_empty() {
                continue;
            }
            if args.cpu.is_some_and(|most| cpu().is_ok_and(|now| now - start > most)) {
                eprintln!("the time is up; a rerun goes on");
                break 'all;
            }
            let model = data.join("models").join(instance);
            let rows = ask(args, &binary, &model, examination, &formulas, (way, options))
                .with_context(|| format!("{instance} {examination} {way}"))?;
            append(&mut file, &rows, done.is_empty())?;
            done.extend(rows);
        }
    }
    let kept: HashSet<&String> = asked.values().flatten().collect();
    done.retain(|row| kept.contains(&row.formula));
    println!("{:.0} s of CPU", cpu()? - start);
    summarise(&done)
}

/// The violated properties, by instance and property file. Of a sample, the properties of
/// different files have different numbers.
fn questions(
    args: &Args,
    data: &Path,
    wanted: &HashSet<String>,
) -> anyhow::Result<BTreeMap<(String, String), Vec<String>>> {
    let mut asked: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in csv::Reader::from_path(data.join("expected-ltl.csv"))?.deserialize() {
        let ExpectedAnswer { instance, examination, formula, verdict } = row?;
        if verdict == "FALSE" && wanted.contains(&instance) {
            asked.entry((instance, examination)).or_default().push(formula);
        }
    }
    if args.per_file > 0 {
        for (i, formulas) in asked.values_mut().enumerate() {
            let first = i % formulas.len();
            formulas.rotate_left(first);
            formulas.truncate(args.per_file);
        }
    }
    Ok(asked)
}

fn read(path: &Path) -> anyhow::Result<Vec<LengthRow>> {
    let mut rows = Vec::new();
    for row in csv::Reader::from_path(path)?.deserialize() {
        // A line that was cut off is made again.
        let Ok(row) = row else { continue };
        rows.push(row);
    }
    Ok(rows)
}

fn append(file: &mut std::fs::File, rows: &[LengthRow], first: bool) -> anyhow::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(first).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    file.write_all(&writer.into_inner()?)?;
    Ok(())
}

/// Asks about some properties of a file, and replays the runs.
fn ask(
    args: &Args,
    binary: &Path,
    model: &Path,
    examination: &str,
    formulas: &[&String],
    (way, options): (&str, &[&str]),
) -> anyhow::Result<Vec<LengthRow>> {
    let only: Vec<&str> = formulas.iter().map(|f| f.as_str()).collect();
    let output = Command::new(binary)
        .arg("check")
        .arg(model)
        .args(["--mcc", examination, "--only", &only.join(","), "--json", "--quiet"])
        .args(["--threads", "1", "--memory", "3072", "--timeout", &args.timeout.to_string()])
        .args(options)
        .output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1 | 3)), "{:?}: {stderr}", output.status);
    let shortened = shortening_times(&stderr);
    let mut rows = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let entry: Value = serde_json::from_str(line)?;
        let formula = entry["property"].as_str().context("no property")?.to_owned();
        let witness = &entry["witness"];
        let number = |value: &Value| value.as_u64().map(|n| n as usize);
        let whole = || {
            let length = |key: &str| witness[key].as_array().map(Vec::len);
            Some(length("prefix")? + length("cycle")?)
        };
        let has_run = witness.is_object();
        rows.push(LengthRow {
            way: way.to_owned(),
            verdict: entry["verdict"].as_str().unwrap_or_default().to_owned(),
            found: number(&witness["found_steps"]),
            shown: if has_run { number(&witness["violated_after"]).or_else(whole) } else { None },
            proved: witness["shortest"] == true,
            replayed: has_run && replays(binary, model, examination, line)?,
            verdict_s: entry["time_s"].as_f64().unwrap_or_default(),
            shorten_s: shortened.get(&formula).copied(),
            formula,
        });
    }
    Ok(rows)
}

/// Whether `brine replay` says that the run of a line is one, and violates its formula.
fn replays(binary: &Path, model: &Path, examination: &str, line: &str) -> anyhow::Result<bool> {
    let mut child = Command::new(binary)
        .arg("replay")
        .arg(model)
        .args(["-", "--mcc", examination, "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut pipe = child.stdin.take().context("a pipe")?;
    pipe.write_all(line.as_bytes())?;
    drop(pipe);
    match child.wait()?.code() {
        Some(0) => Ok(true),
        Some(1) => {
            println!("NOT REPLAYED: {line}");
            Ok(false)
        }
        other => bail!("brine replay ended with {other:?}"),
    }
}

/// The seconds of shortening, by property: what `--explain` says.
fn shortening_times(explained: &str) -> HashMap<String, f64> {
    let mut times = HashMap::new();
    let mut property = "";
    for line in explained.lines() {
        if let Some((name, _)) = line.split_once(": decided by ") {
            property = name;
        }
        let Some((_, rest)) = line.split_once("short run") else { continue };
        let seconds = rest.split_whitespace().next().and_then(|s| s.parse::<f64>().ok());
        times.extend(seconds.map(|s| (property.to_owned(), s)));
    }
    times
}

/// Median and 90th percentile, by nearest rank.
fn percentiles(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: usize| {
        let rank = (values.len() * share).div_ceil(100).saturating_sub(1);
        values.get(rank).copied().unwrap_or(f64::NAN)
    };
    (at(50), at(90))
}

fn line(what: &str, values: Vec<f64>) {
    let count = values.len();
    let (most, total) = (values.iter().copied().fold(0.0, f64::max), values.iter().sum::<f64>());
    let (median, ninety) = percentiles(values);
    println!("| {what} | {count} | {median:.3} | {ninety:.3} | {most:.3} | {total:.1} |");
}

fn summarise(rows: &[LengthRow]) -> anyhow::Result<()> {
    let mut by_formula: BTreeMap<&str, HashMap<&str, &LengthRow>> = BTreeMap::new();
    for row in rows {
        by_formula.entry(&row.formula).or_default().insert(&row.way, row);
    }
    // Those that were asked about in all ways, and of which `auto` shows a run.
    let of_auto = |ways: &HashMap<&str, &LengthRow>| ways[AUTO].shown.is_some();
    let whole: Vec<&HashMap<&str, &LengthRow>> =
        by_formula.values().filter(|w| w.len() == WAYS.len() && of_auto(w)).collect();
    println!("{} properties asked, {} with a run from auto", by_formula.len(), whole.len());
    let best = |ways: &HashMap<&str, &LengthRow>| {
        ways.values().filter(|r| r.way != SHORTEST).filter_map(|r| r.found).min()
    };
    let proved = |ways: &HashMap<&str, &LengthRow>| {
        ways.values().filter(|r| r.proved).filter_map(|r| r.shown).min()
    };
    println!(
        "| steps | properties | median | 90th percentile | most | sum |\n|---|---|---|---|---|---|"
    );
    let number = |n: Option<usize>| n.map(|n| n as f64);
    line("as auto found it", whole.iter().filter_map(|w| number(w[AUTO].found)).collect());
    line("best of all engines, as found", whole.iter().filter_map(|w| number(best(w))).collect());
    line("as shown", whole.iter().filter_map(|w| number(w[AUTO].shown)).collect());
    let known: Vec<_> = whole.iter().filter(|w| proved(w).is_some()).collect();
    line("proved shortest, where known", known.iter().filter_map(|w| number(proved(w))).collect());
    line("as shown, of these", known.iter().filter_map(|w| number(w[AUTO].shown)).collect());
    let seconds = |f: fn(&LengthRow) -> Option<f64>| whole.iter().filter_map(move |w| f(w[AUTO]));
    line("seconds for the verdict", seconds(|r| Some(r.verdict_s)).collect());
    line("seconds for the short run", seconds(|r| r.shorten_s).collect());
    let count =
        |f: &dyn Fn(&HashMap<&str, &LengthRow>) -> bool| whole.iter().filter(|w| f(w)).count();
    let longer = count(&|w| w[AUTO].shown > best(w));
    let shorter = count(&|w| w[AUTO].shown < best(w));
    println!("shown run longer than the best engine's: {longer}; shorter: {shorter}");
    let equal = known.iter().filter(|w| w[AUTO].shown == proved(w)).count();
    println!("shown run as short as the proved shortest: {equal} of {}", known.len());
    println!("proved without being asked to: {}", count(&|w| w[AUTO].proved));
    let shown = rows.iter().filter(|r| r.shown.is_some());
    let failed = shown.clone().filter(|r| !r.replayed).count();
    println!("{} runs shown in all ways, {failed} not replayed", shown.count());
    let wrong = rows.iter().filter(|r| r.verdict == "holds").count();
    ensure!(failed == 0 && wrong == 0, "{failed} runs not replayed, {wrong} verdicts wrong");
    Ok(())
}

fn cpu() -> anyhow::Result<f64> {
    let mut seconds = 0.0;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let used = getrusage(who)?;
        let micros = used.user_time().num_microseconds() + used.system_time().num_microseconds();
        seconds += micros as f64 / 1e6;
    }
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        assert_eq!(percentiles((1..=10).map(f64::from).collect()), (5.0, 9.0));
        assert_eq!(percentiles(vec![7.0]), (7.0, 7.0));
    }

    #[test]
    fn seconds_of_shortening_are_read() {
        let said = "a: decided by hunt after 0.010 s\n   0.010 s  short run                       \
                    0.125 s  9 to 2 steps\nb: not decided after 1 s\n";
        assert_eq!(shortening_times(said), HashMap::from([("a".to_owned(), 0.125)]));
    }
}
