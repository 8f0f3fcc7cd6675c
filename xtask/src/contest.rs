//! `cargo xtask contest`: `brine mcc` as BenchKit would run it, on the contest's instances.
//!
//! Each (instance, examination) is one process with the contest's environment variables.
//! Every line it prints is compared with the known answer, and no process may run for more
//! than five seconds beyond its time.

use crate::mcc::{Set, build_binary, data_dir, instances};
use anyhow::bail;
use brine_campaign::child::Job;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Run `brine mcc` on contest instances and compare with the expected answers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which instances
    #[arg(long, value_enum, default_value_t = Set::Smoke)]
    set: Set,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only these examinations
    #[arg(long)]
    examination: Vec<String>,
    /// Only every so many-th instance, for several of these tasks side by side
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    every: NonZeroUsize,
    /// The first instance, counting from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: usize,
    /// BK_TIME_CONFINEMENT
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// BK_MEMORY_CONFINEMENT
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Further options of `brine mcc`, as one word each
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// How late a process may be.
const GRACE: Duration = Duration::from_secs(5);
const EXAMINATIONS: [&str; 3] = ["LTLCardinality", "LTLFireability", "StateSpace"];

/// What stands in a line before its value, for an instance; and the right value.
type Known = HashMap<(String, String), String>;

#[derive(Default, Debug)]
struct ContestTally {
    right: usize,
    unchecked: usize,
    open: usize,
    wrong: Vec<String>,
    runs: usize,
    /// The run that took longest.
    longest: (Duration, String),
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let known = known(&data)?;
    let mut tally = ContestTally::default();
    let all = instances(args.set, &args.filter, &data)?;
    for instance in all.into_iter().skip(args.first).step_by(args.every.get()) {
        for examination in EXAMINATIONS {
            if args.examination.is_empty() || args.examination.iter().any(|e| e == examination) {
                let dir = data.join("models").join(&instance);
                let (lines, time) = examine(args, &binary, &dir, examination)?;
                tally.add(&instance, examination, &lines, time, &known);
            }
        }
    }
    tally.summarise(Duration::from_secs(args.time) + GRACE)
}

fn known(data: &Path) -> anyhow::Result<Known> {
    let mut known = Known::new();
    for row in csv::Reader::from_path(data.join("expected-ltl.csv"))?.deserialize() {
        let (instance, _, formula, verdict): (String, String, String, String) = row?;
        known.insert((instance, format!("FORMULA {formula}")), verdict);
    }
    let mut states = csv::Reader::from_path(data.join("expected-states.csv"))?;
    let names: Vec<String> = states.headers()?.iter().map(str::to_uppercase).collect();
    for row in states.records() {
        let row = row?;
        for (name, value) in names.iter().zip(&row).skip(1).filter(|(_, v)| !v.is_empty()) {
            known.insert((row[0].to_owned(), format!("STATE_SPACE {name}")), value.to_owned());
        }
    }
    Ok(known)
}

/// Runs one process: its lines, and how long it took.
fn examine(
    args: &Args,
    binary: &Path,
    dir: &Path,
    examination: &str,
) -> anyhow::Result<(Vec<String>, Duration)> {
    let mut job = Job::new(binary);
    job.args(["mcc"]).args(&args.option);
    let variables = [
        ("BK_EXAMINATION", examination.to_owned()),
        ("BK_TIME_CONFINEMENT", args.time.to_string()),
        ("BK_MEMORY_CONFINEMENT", args.memory.to_string()),
    ];
    let job = Job {
        env: variables.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        folder: Some(dir.to_owned()),
        ..job
    };
    let output = job.run(&AtomicBool::new(false))?;
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    Ok((text.lines().map(str::to_owned).collect(), output.wall))
}

impl ContestTally {
    fn add(
        &mut self,
        instance: &str,
        examination: &str,
        lines: &[String],
        time: Duration,
        known: &Known,
    ) {
        let (right, open) = (self.right, self.open);
        for line in lines {
            self.add_line(instance, line, known);
        }
        self.runs += 1;
        if time > self.longest.0 {
            self.longest = (time, format!("{instance} {examination}"));
        }
        let seconds = time.as_secs_f64();
        let (right, open) = (self.right - right, self.open - open);
        println!(
            "{instance:<40} {examination:<14} {right:>3} right {open:>3} open {seconds:>6.1} s"
        );
    }

    fn add_line(&mut self, instance: &str, line: &str, known: &Known) {
        let answer = line.split(" TECHNIQUES ").next().unwrap_or(line);
        let Some((head, value)) = answer.rsplit_once(' ').filter(|(_, v)| *v != "CANNOT_COMPUTE")
        else {
            self.open += 1;
            return;
        };
        match known.get(&(instance.to_owned(), head.to_owned())) {
            None => self.unchecked += 1,
            Some(expected) if expected == value => self.right += 1,
            Some(expected) => {
                let wrong = format!("{instance}: {answer}, expected {expected}");
                println!("WRONG {wrong}");
                self.wrong.push(wrong);
            }
        }
    }

    fn summarise(self, limit: Duration) -> anyhow::Result<()> {
        let ContestTally { right, unchecked, open, wrong, runs, longest: (time, name) } = self;
        let seconds = time.as_secs_f64();
        println!(
            "{runs} runs: {right} right, {} wrong, {open} open, {unchecked} without a known \
             answer; the longest took {seconds:.1} s ({name})",
            wrong.len()
        );
        if !wrong.is_empty() {
            bail!("{} wrong answers", wrong.len());
        }
        if time > limit {
            bail!("{name} took {seconds:.1} s");
        }
        Ok(())
    }
}
