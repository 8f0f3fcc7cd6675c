//! `cargo xtask contest`: `brine mcc` as BenchKit would run it, on the contest's instances.
//!
//! Each (instance, examination) is one process with the contest's environment variables.
//! Every line it prints is compared with the known answer, and no process may run for more
//! than five seconds beyond its time.

use crate::mcc::{Set, build_binary, data_dir, instances, models};
use anyhow::bail;
use brine_campaign::child::Job;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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
    /// Only every so many-th instance
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    every: NonZeroUsize,
    /// The first instance, counting from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: usize,
    /// Processes at a time
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    jobs: NonZeroUsize,
    /// Where the lines of each process are kept; what stands there is not run again
    #[arg(long, value_name = "CSV", default_value = "target/contest.csv")]
    out: PathBuf,
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
    /// Where the instances lie, if not where the set says: `unpack DIR other` lays out those with
    /// the property files of all examinations
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// How late a process may be.
const GRACE: Duration = Duration::from_secs(5);
const EXAMINATIONS: [&str; 13] = [
    "LTLCardinality",
    "LTLFireability",
    "StateSpace",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "ReachabilityDeadlock",
    "UpperBounds",
    "OneSafe",
    "StableMarking",
    "QuasiLiveness",
    "Liveness",
    "CTLCardinality",
    "CTLFireability",
];
/// How many of them are asked if none is named: the others need files that `models` has not.
const USUAL: usize = 3;

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
    families: BTreeMap<String, FamilyTally>,
    examinations: BTreeMap<String, ExaminationTally>,
}

/// The answers of one examination.
#[derive(Default, Debug)]
struct ExaminationTally {
    /// Known answers: found, and all that there are of the instances that were run.
    known: (usize, usize),
    wrong: usize,
    /// Right answers by the techniques that the line names.
    techniques: BTreeMap<String, usize>,
}

/// The answers about one family of models.
#[derive(Default, Debug)]
struct FamilyTally {
    /// Answers with a known one: found, and all.
    known: (usize, usize),
    /// Answers without: found, and all.
    unknown: (usize, usize),
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let known = known(&data)?;
    let models = args.models.clone().map_or_else(|| models(args.set, &data), Ok)?;
    if let Some(other) = args.examination.iter().find(|e| !EXAMINATIONS.contains(&e.as_str())) {
        bail!("no examination {other}; there are {}", EXAMINATIONS.join(", "));
    }
    let asked = |examination: &&str| match args.examination.is_empty() {
        true => EXAMINATIONS[..USUAL].contains(examination),
        false => args.examination.iter().any(|e| e == examination),
    };
    let all = instances(args.set, &args.filter, &data)?;
    let chosen = all.into_iter().skip(args.first).step_by(args.every.get());
    let runs: Vec<(String, &str)> = chosen
        .flat_map(|i| EXAMINATIONS.into_iter().filter(asked).map(move |e| (i.clone(), e)))
        .collect();
    let kept = Kept::open(&args.out)?;
    let (tally, next) = (Mutex::new(ContestTally::default()), AtomicUsize::new(0));
    let work = || -> anyhow::Result<()> {
        while let Some((instance, examination)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let before = kept.get(instance, examination);
            let (lines, time, cpu) = match before {
                Some(ended) => ended,
                None => examine(args, &binary, &models.join(instance), examination)?,
            };
            kept.add(instance, examination, &lines, time, cpu)?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(instance, examination, &lines, time, &known);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|p| resume_unwind(p)))
    })?;
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.summarise(Duration::from_secs(args.time) + GRACE)
}

/// What a process printed, how long it took, and its processor time.
type EndedRun = (Vec<String>, Duration, Duration);

/// One line of the file of a campaign.
#[derive(Serialize, Deserialize)]
struct KeptLine {
    instance: String,
    examination: String,
    seconds: f64,
    cpu_s: f64,
    line: String,
}

/// What earlier processes printed.
struct Kept {
    runs: HashMap<(String, String), EndedRun>,
    file: Mutex<csv::Writer<File>>,
}

impl Kept {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let mut runs: HashMap<(String, String), EndedRun> = HashMap::new();
        let is_new = !path.exists();
        if !is_new {
            for line in csv::Reader::from_path(path)?.deserialize() {
                let KeptLine { instance, examination, seconds, cpu_s, line } = line?;
                let (time, cpu) =
                    (Duration::from_secs_f64(seconds), Duration::from_secs_f64(cpu_s));
                let run = runs.entry((instance, examination)).or_insert((Vec::new(), time, cpu));
                run.0.push(line);
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let file = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
        Ok(Kept { runs, file: Mutex::new(file) })
    }

    fn get(&self, instance: &str, examination: &str) -> Option<EndedRun> {
        self.runs.get(&(instance.to_owned(), examination.to_owned())).cloned()
    }

    fn add(
        &self,
        instance: &str,
        examination: &str,
        lines: &[String],
        time: Duration,
        cpu: Duration,
    ) -> anyhow::Result<()> {
        if self.get(instance, examination).is_some() {
            return Ok(());
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines {
            file.serialize(KeptLine {
                instance: instance.to_owned(),
                examination: examination.to_owned(),
                seconds: time.as_secs_f64(),
                cpu_s: cpu.as_secs_f64(),
                line: line.clone(),
            })?;
        }
        Ok(file.flush()?)
    }
}

fn known(data: &Path) -> anyhow::Result<Known> {
    let mut known = Known::new();
    for file in ["expected-ltl.csv", "expected-ltl-large.csv"] {
        for row in csv::Reader::from_path(data.join(file))?.deserialize() {
            let (instance, _, formula, verdict): (String, String, String, String) = row?;
            known.insert((instance, format!("FORMULA {formula}")), verdict);
        }
    }
    for row in csv::Reader::from_path(data.join("expected-other.csv"))?.deserialize() {
        let (instance, examination, formula, verdict): (String, String, String, String) = row?;
        // The answers of global properties go by the name of the examination.
        let one = !formula.starts_with(&format!("{instance}-{examination}-"));
        let name = if one { examination } else { formula };
        known.insert((instance, format!("FORMULA {name}")), verdict);
    }
    for file in ["expected-states.csv", "expected-states-large.csv"] {
        let mut states = csv::Reader::from_path(data.join(file))?;
        let names: Vec<String> = states.headers()?.iter().map(str::to_uppercase).collect();
        for row in states.records() {
            let row = row?;
            for (name, value) in names.iter().zip(&row).skip(1).filter(|(_, v)| !v.is_empty()) {
                known.insert((row[0].to_owned(), format!("STATE_SPACE {name}")), value.to_owned());
            }
        }
    }
    Ok(known)
}

/// Runs one process: its lines, and how long it took.
fn examine(args: &Args, binary: &Path, dir: &Path, examination: &str) -> anyhow::Result<EndedRun> {
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
    Ok((text.lines().map(str::to_owned).collect(), output.wall, output.cpu))
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
            self.add_line(instance, examination, line, known);
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

    fn add_line(&mut self, instance: &str, examination: &str, line: &str, known: &Known) {
        let (answer, techniques) = line.split_once(" TECHNIQUES ").unwrap_or((line, ""));
        let of_examination = self.examinations.entry(examination.to_owned()).or_default();
        let family = instance.split('-').next().unwrap_or(instance);
        let family = self.families.entry(family.to_owned()).or_default();
        if let Some((head, value)) = answer.rsplit_once(' ') {
            let asked = (instance.to_owned(), head.to_owned());
            let of = match known.contains_key(&asked) {
                true => &mut family.known,
                false => &mut family.unknown,
            };
            of.0 += usize::from(value != "CANNOT_COMPUTE");
            of.1 += 1;
            of_examination.known.1 += usize::from(known.contains_key(&asked));
        }
        let Some((head, value)) = answer.rsplit_once(' ').filter(|(_, v)| *v != "CANNOT_COMPUTE")
        else {
            self.open += 1;
            return;
        };
        match known.get(&(instance.to_owned(), head.to_owned())) {
            None => self.unchecked += 1,
            Some(expected) if expected == value => {
                self.right += 1;
                of_examination.known.0 += 1;
                *of_examination.techniques.entry(techniques.to_owned()).or_default() += 1;
            }
            Some(expected) => {
                of_examination.wrong += 1;
                let wrong = format!("{instance}: {answer}, expected {expected}");
                println!("WRONG {wrong}");
                self.wrong.push(wrong);
            }
        }
    }

    fn summarise(self, limit: Duration) -> anyhow::Result<()> {
        let ContestTally { right, unchecked, open, wrong, runs, longest, families, examinations } =
            self;
        let (time, name) = longest;
        let seconds = time.as_secs_f64();
        println!("\n| family | known answers found | others found |\n|---|---|---|");
        for (family, tally) in families {
            let FamilyTally { known, unknown } = tally;
            println!("| {family} | {} of {} | {} of {} |", known.0, known.1, unknown.0, unknown.1);
        }
        println!("\n| examination | right | of | % | wrong | by |\n|---|---|---|---|---|---|");
        for (examination, ExaminationTally { known, wrong, techniques }) in examinations {
            let percent = 100.0 * known.0 as f64 / known.1.max(1) as f64;
            let by = techniques.iter().map(|(name, n)| format!("{name}: {n}"));
            let by = by.collect::<Vec<_>>().join("; ");
            let (right, all) = known;
            println!("| {examination} | {right} | {all} | {percent:.1} | {wrong} | {by} |");
        }
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
