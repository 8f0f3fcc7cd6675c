//! State spaces of the contest's instances: all four numbers against the expected ones
//! (`cargo xtask mcc --examination StateSpace`), and the race against the peers
//! (`cargo xtask states-panel`). Two builds on all known ones: [`crate::known_states`].

use anyhow::bail;
use brine_campaign::child::Job;
use brine_campaign::pool;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Compare `brine states` with the peers of shared/peers/states.csv
#[derive(clap::Args, Debug)]
pub(crate) struct PanelArgs {
    /// CPU seconds for each instance
    #[arg(long, default_value_t = 30)]
    cpu: u64,
    /// Memory for each instance
    #[arg(long, value_name = "MIB", default_value_t = 6144)]
    memory: u64,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Measure this binary instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Further options of `brine states`, as one word each
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
}

/// The numbers of the development set.
const EXPECTED: &str = "expected-states.csv";

/// The numbers of one instance, as text; empty where unknown.
#[derive(PartialEq, Eq, Debug, Clone)]
pub(crate) struct SpaceNumbers {
    pub(crate) states: String,
    pub(crate) transitions: String,
    pub(crate) max_token_in_place: String,
    pub(crate) max_token_per_marking: String,
}

impl SpaceNumbers {
    fn all(&self) -> [&str; 4] {
        let SpaceNumbers { states, transitions, max_token_in_place, max_token_per_marking } = self;
        [states, transitions, max_token_in_place, max_token_per_marking]
    }

    /// Whether none is missing.
    pub(crate) fn is_whole(&self) -> bool {
        !self.all().contains(&"")
    }
}

/// A row of `expected-states.csv`.
type ExpectedSpace = (String, String, String, String, String);

/// What one run of `brine states` said.
pub(crate) struct SpaceAnswer {
    /// `None` when it gave up.
    numbers: Option<SpaceNumbers>,
    /// What it told, also when it gave up afterwards.
    pub(crate) told: SpaceNumbers,
    pub(crate) order: String,
    pub(crate) cpu_s: f64,
    pub(crate) time_s: f64,
    pub(crate) peak_mib: f64,
    /// Nodes of the largest diagram, if there was one.
    pub(crate) peak_nodes: String,
    /// Why the net was not read.
    pub(crate) refused: Option<String>,
}

impl SpaceAnswer {
    /// Whether all four numbers were found.
    pub(crate) fn is_complete(&self) -> bool {
        self.numbers.as_ref().is_some_and(SpaceNumbers::is_whole)
    }
}

/// Limits of one run.
#[derive(Clone, Copy)]
pub(crate) enum SpaceLimit {
    /// Seconds on the clock, kept by Brine itself.
    Clock(f64),
    /// Seconds of CPU, kept by the system.
    Cpu(u64),
}

pub(crate) fn run_states(
    binary: &Path,
    model: &Path,
    limit: SpaceLimit,
    memory: u64,
    options: &[String],
) -> anyhow::Result<SpaceAnswer> {
    let mut job = Job::new(binary);
    job.args(["states"]).args([model]).args(["--json", "--memory", &memory.to_string()]);
    match limit {
        SpaceLimit::Clock(seconds) => drop(job.args(["--timeout", &seconds.to_string()])),
        SpaceLimit::Cpu(seconds) => job.cpu_s = Some(seconds),
    }
    let output = job.args(options).run(&AtomicBool::new(false))?;
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let text = |key: &str| match &value[key] {
        serde_json::Value::String(s) => s.clone(),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    };
    let numbers = SpaceNumbers {
        states: text("states"),
        transitions: text("transitions"),
        max_token_in_place: text("max_token_in_place"),
        max_token_per_marking: text("max_token_per_marking"),
    };
    let refused = (output.exit() == Some(2))
        .then(|| String::from_utf8_lossy(&output.stderr).trim().to_owned());
    if output.exit() == Some(4) {
        bail!("internal error on {}", model.display());
    }
    let solved = output.exit() == Some(0) && !numbers.states.is_empty();
    let peak_mib = value["peak_mem_mib"].as_f64().unwrap_or(0.0);
    Ok(SpaceAnswer {
        numbers: solved.then(|| numbers.clone()),
        told: numbers,
        order: text("order"),
        cpu_s: output.cpu.as_secs_f64(),
        time_s: value["time_s"].as_f64().unwrap_or(0.0),
        peak_mib,
        peak_nodes: text("peak_nodes"),
        refused,
    })
}

/// The known numbers of the file `list`.
pub(crate) fn expected(data: &Path, list: &str) -> anyhow::Result<HashMap<String, SpaceNumbers>> {
    let mut expected = HashMap::new();
    for row in csv::Reader::from_path(data.join(list))?.deserialize() {
        let (instance, states, transitions, max_token_in_place, max_token_per_marking): ExpectedSpace = row?;
        let numbers =
            SpaceNumbers { states, transitions, max_token_in_place, max_token_per_marking };
        expected.insert(instance, numbers);
    }
    Ok(expected)
}

/// The numbers that are told and known, and differ: which ones, counting from 0.
pub(crate) fn differences(got: &SpaceNumbers, expected: &SpaceNumbers) -> Vec<usize> {
    let pairs = got.all().into_iter().zip(expected.all()).enumerate();
    let differ = |&(_, (a, b)): &(usize, (&str, &str))| !a.is_empty() && !b.is_empty() && a != b;
    pairs.filter(differ).map(|(i, _)| i).collect()
}

/// True when all known numbers are told, and none differs.
fn agrees(got: &SpaceNumbers, expected: &SpaceNumbers) -> bool {
    let missing = |(a, b): (&str, &str)| a.is_empty() && !b.is_empty();
    differences(got, expected).is_empty() && !got.all().into_iter().zip(expected.all()).any(missing)
}

/// What came of the instances so far.
#[derive(Default)]
struct SpaceTally {
    finite: usize,
    solved: usize,
    extra: usize,
    open: usize,
    wrong: usize,
    coloured: usize,
}

impl SpaceTally {
    fn add(
        &mut self,
        name: &str,
        answer: &SpaceAnswer,
        known: Option<&SpaceNumbers>,
    ) -> anyhow::Result<()> {
        if let Some(reason) = &answer.refused {
            if !name.contains("-COL-") {
                bail!("{reason}");
            }
            self.coloured += 1;
            return Ok(());
        }
        let is_finite = known.is_some_and(|k| !k.states.is_empty() && k.states != "+inf");
        self.finite += usize::from(is_finite);
        let word = match (&answer.numbers, known) {
            (None, _) => {
                self.open += 1;
                "open"
            }
            (Some(got), Some(known)) if !agrees(got, known) => {
                self.wrong += 1;
                eprintln!("{name}: got {got:?}, expected {known:?}");
                "WRONG"
            }
            (Some(_), _) => {
                self.solved += usize::from(is_finite);
                self.extra += usize::from(!is_finite);
                "ok"
            }
        };
        let SpaceAnswer { time_s, peak_mib, order, .. } = answer;
        println!("{name:<42} {word:<6} {time_s:>8.2} s {peak_mib:>6.0} MiB  {order}");
        Ok(())
    }
}

/// Compares the instances `names` with the expected numbers, `jobs` at a time.
pub(crate) fn compare(
    data: &Path,
    binary: &Path,
    names: &[String],
    limits: (f64, u64),
    jobs: usize,
    options: &[String],
) -> anyhow::Result<()> {
    let expected = expected(data, EXPECTED)?;
    let tally = Mutex::new(SpaceTally::default());
    pool::each(jobs, names, &AtomicBool::new(false), |name| {
        let model = data.join("models").join(name).join("model.pnml");
        let answer = run_states(binary, &model, SpaceLimit::Clock(limits.0), limits.1, options)?;
        let mut tally = tally.lock().map_err(|_| anyhow::anyhow!("another job panicked"))?;
        tally.add(name, &answer, expected.get(name))
    })?;
    let SpaceTally { finite, solved, extra, open, wrong, coloured } =
        tally.into_inner().map_err(|_| anyhow::anyhow!("a job panicked"))?;
    println!(
        "P/T instances with a known finite count: {solved} of {finite} solved, {wrong} wrong; \
         {open} open in all, {extra} solved besides (unbounded or unknown), {coloured} coloured not read"
    );
    if wrong > 0 {
        bail!("{wrong} instances differ from the expected numbers");
    }
    Ok(())
}

#[derive(Deserialize, Debug)]
struct PeerRow {
    instance: String,
    states: String,
    its_reach_solved: String,
    its_reach_cpu_s: String,
    ltsmin_sloan_solved: String,
    ltsmin_sloan_cpu_s: String,
    ltsmin_noack_solved: String,
    ltsmin_noack_cpu_s: String,
}

/// Runs the panel.
pub(crate) fn panel(args: &PanelArgs) -> anyhow::Result<()> {
    let binary = args.binary.clone().map_or_else(crate::mcc::build_binary, Ok)?;
    let data = crate::mcc::data_dir()?;
    let expected = expected(&data, EXPECTED)?;
    let peers = ["its-reach", "ltsmin-sloan", "ltsmin-noack"];
    let mut solved = [0usize; 4];
    let mut both: [Vec<(f64, f64)>; 3] = Default::default();
    let (mut wrong, mut total) = (0, 0);
    println!("{:<36} {:>8}  {}", "instance (CPU s)", "brine", peers.join("  "));
    for row in csv::Reader::from_path(data.join("../peers/states.csv"))?.deserialize() {
        let row: PeerRow = row?;
        if !row.instance.contains(&args.filter) {
            continue;
        }
        total += 1;
        let model = data.join("models").join(&row.instance).join("model.pnml");
        let answer =
            run_states(&binary, &model, SpaceLimit::Cpu(args.cpu), args.memory, &args.option)?;
        let times: [Option<f64>; 3] = [
            (&row.its_reach_solved, &row.its_reach_cpu_s),
            (&row.ltsmin_sloan_solved, &row.ltsmin_sloan_cpu_s),
            (&row.ltsmin_noack_solved, &row.ltsmin_noack_cpu_s),
        ]
        .map(|(solved, time)| time.parse().ok().filter(|_| solved == "1"));
        let mine = answer.numbers.as_ref().map(|_| answer.cpu_s);
        if let Some(got) = &answer.numbers {
            let right = got.states == row.states
                && expected.get(&row.instance).is_none_or(|known| agrees(got, known));
            if !right {
                wrong += 1;
                eprintln!("{}: WRONG {got:?}", row.instance);
            }
        }
        solved[0] += usize::from(mine.is_some());
        for (i, time) in times.iter().enumerate() {
            solved[i + 1] += usize::from(time.is_some());
            if let (Some(a), Some(b)) = (mine, time) {
                both[i].push((a, *b));
            }
        }
        let show = |t: Option<f64>| t.map_or_else(|| "-".to_owned(), |t| format!("{t:.2}"));
        let [a, b, c] = times.map(show);
        println!(
            "{:<36} {:>8}  {a:>9}  {b:>12}  {c:>12}  {}",
            row.instance,
            show(mine),
            answer.order
        );
    }
    println!("solved of {total}: brine {}, {}", solved[0], {
        let of = peers.iter().zip(&solved[1..]).map(|(p, n)| format!("{p} {n}"));
        of.collect::<Vec<_>>().join(", ")
    });
    for (peer, pairs) in peers.iter().zip(&both) {
        let mine = median(pairs.iter().map(|p| p.0).collect());
        let theirs = median(pairs.iter().map(|p| p.1).collect());
        println!(
            "both solved with {peer}: {}, median CPU brine {mine:.3} s, {peer} {theirs:.3} s",
            pairs.len()
        );
    }
    if wrong > 0 {
        bail!("{wrong} wrong numbers");
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
