//! `cargo xtask tables mkbp14`: the columns of MKBP14's Table 4.
//!
//! First come the paper's own DVE models (BEEM, beside the repository), each row with the paper's
//! numbers below it; then models of our own. Each model is explored four times by breadth-first
//! search with the previous level (Algorithm 3): without and with separation of reads and writes
//! (`--w2W --W2+`), on the matrix as given and after `cs;rs;cw;rs`, as in the paper. Vasy2003 is
//! also explored by chaining and saturation.
//!
//! With `--beem` all models of BEEM up to a number of states, and with each also the matrix after
//! `cs;rs` and after `cw` alone: what the column swaps, which put reads above writes, are worth by
//! themselves. The findings of the paper are judged from the sums.
//!
//! Times are CPU seconds of the whole process. Each run is written to a file at once (`--rows`),
//! and not done again. The table goes to stdout and to a file beside the rows.

use super::provisos::published_counts;
use crate::mcc::{build_binary, data_dir};
use brine_campaign::child::Job;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// CPU seconds for each run of the paper's models, kept by the system.
const TIME: u64 = 300;
const MEMORY: &str = "4096";

/// Models of our own, smallest first.
const MODELS: [&str; 8] = [
    "gcl/fork-join-data.gcl",
    "gcl/blocks-4.gcl",
    "pnml/fork-join-8.pnml",
    "pnml/kanban-5.pnml",
    "pnml/peterson-3.pnml",
    "pnml/slotted-ring-5.pnml",
    "pnml/lamport-3.pnml",
    "pnml/philosophers-20.pnml",
];
const VASY: &str = "Vasy2003-PT-none";

/// Rows of the paper's Table 4: seconds, kilobytes, next-state calls, calls of LDD-Next, nodes of
/// R, of projections, of the relation. Each model without and with separation, as given, then
/// both after `cs;rs;cw;rs`.
const PAPER: [(&str, [[f64; 7]; 4]); 3] = [
    (
        "anderson.6",
        [
            [25.4, 439_076.0, 7_464.0, 64_034_383.0, 50_120.0, 2_442.0, 2_064.0],
            [34.6, 439_076.0, 4_080.0, 127_725_604.0, 50_120.0, 1_470.0, 1_386.0],
            [27.6, 144_216.0, 7_464.0, 84_028_747.0, 41_079.0, 2_568.0, 1_884.0],
            [29.9, 144_216.0, 4_080.0, 109_711_771.0, 41_079.0, 1_533.0, 1_386.0],
        ],
    ),
    (
        "blocks.3",
        [
            [31.0, 239_293.0, 6_559_927.0, 69_695_086.0, 39_522.0, 375_603.0, 269_996.0],
            [10.9, 144_064.0, 262_543.0, 62_467_909.0, 39_522.0, 12_314.0, 1_604.0],
            [25.7, 280_344.0, 6_559_927.0, 25_021_658.0, 49_685.0, 464_916.0, 325_763.0],
            [4.6, 144_196.0, 262_543.0, 12_281_723.0, 49_685.0, 12_076.0, 1_478.0],
        ],
    ),
    (
        "telephony.7",
        [
            [107.6, 1_111_840.0, 918_817.0, 231_808_995.0, 284_449.0, 36_951.0, 6_038.0],
            [123.7, 696_188.0, 730_841.0, 393_099_843.0, 284_449.0, 31_473.0, 5_337.0],
            [26.8, 144_656.0, 918_817.0, 62_889_960.0, 18_479.0, 39_410.0, 6_263.0],
            [25.4, 144_656.0, 730_841.0, 63_110_689.0, 18_479.0, 33_144.0, 5_478.0],
        ],
    ),
];
/// The paper's row of Vasy2003, with separation; without, it did not end.
const PAPER_VASY: [f64; 7] =
    [152.6, 1_149_592.0, 2_694.0, 241_432_226.0, 9_387.0, 4_340.0, 5_444.0];

/// One way to explore a model.
#[derive(Clone, Copy, Debug)]
struct Setup {
    /// The operations on the matrix.
    regroup: &'static str,
    /// Reads and writes apart.
    separate: bool,
    strategy: &'static str,
    order: &'static str,
}

/// The operations of the paper.
const DM: &str = "cs,rs,cw,rs";
/// The same without column swaps.
const SORTS: &str = "cs,rs";
/// Nothing but column swaps.
const SWAPS: &str = "cw";

/// The part of `brine states --json` that is used.
#[derive(Deserialize, Default, Debug)]
struct PinsReport {
    states: Option<String>,
    peak_mem_mib: Option<f64>,
    final_nodes: Option<u64>,
    pins: Option<PinsRow>,
}

#[derive(Deserialize, Debug)]
struct PinsRow {
    next_state_calls: u64,
    ldd_next_calls: u64,
    projection_nodes: u64,
    relation_nodes: u64,
    widest: Option<WidestCell>,
}

#[derive(Deserialize, Debug)]
struct WidestCell {
    slots: u64,
    next_state_calls: u64,
}

/// What a run came to, as it is kept.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct PinsRun {
    model: String,
    strategy: String,
    order: String,
    regroup: String,
    separate: bool,
    cpu_s: f64,
    mib: Option<f64>,
    states: Option<String>,
    next_state_calls: Option<u64>,
    widest_calls: Option<u64>,
    widest_slots: Option<u64>,
    ldd_next_calls: Option<u64>,
    nodes: Option<u64>,
    projection_nodes: Option<u64>,
    relation_nodes: Option<u64>,
}

/// Runs, done and kept.
struct PinsRuns {
    binary: PathBuf,
    rows: PathBuf,
    /// CPU seconds for each.
    time: u64,
    known: Vec<PinsRun>,
}

/// What is asked for.
pub(super) struct Mkbp14Options {
    pub(super) binary: Option<PathBuf>,
    pub(super) papers_only: bool,
    /// Where BEEM is.
    pub(super) data: PathBuf,
    /// All of BEEM up to so many states, so many CPU seconds each.
    pub(super) beem: Option<(u64, u64)>,
    pub(super) rows: Option<PathBuf>,
}

/// Runs the task.
pub(super) fn run(options: Mkbp14Options) -> anyhow::Result<()> {
    let binary = options.binary.clone().map_or_else(build_binary, Ok)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/mkbp14");
    let rows = options.rows.clone().unwrap_or_else(|| folder.join("rows.csv"));
    if let Some(parent) = rows.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut known = Vec::new();
    if rows.exists() {
        known = csv::Reader::from_path(&rows)?.into_deserialize().collect::<Result<_, _>>()?;
    }
    let time = options.beem.map_or(TIME, |(_, seconds)| seconds);
    let table = rows.with_extension("md");
    let mut runs = PinsRuns { binary, rows, time, known };
    let text = match options.beem {
        Some((most, _)) => survey(&options.data, most, &mut runs)?,
        None => table4(&root, &options, &mut runs)?,
    };
    std::fs::write(table, &text)?;
    println!("{text}");
    Ok(())
}

const HEAD: &str = "\
| model | strategy | order | dm | separated | states | CPU s | MiB | #NS | #NS of the widest | \
#LDD | nodes of R | of projections | of relation |
|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

fn table4(root: &Path, options: &Mkbp14Options, runs: &mut PinsRuns) -> anyhow::Result<String> {
    let mut table = String::from(HEAD);
    let given = |regroup, separate| Setup {
        regroup,
        separate,
        strategy: "bfs-prev",
        order: "places/given",
    };
    let setups = [("", false), ("", true), (DM, false), (DM, true)];
    for (model, paper) in PAPER {
        let file = options.data.join("models").join(format!("{model}.dve"));
        if !file.exists() {
            eprintln!("{model} is left out: BEEM is not here");
            continue;
        }
        for ((regroup, separate), numbers) in setups.into_iter().zip(paper) {
            runs.run(&file, given(regroup, separate))?.print(&mut table)?;
            paper_row(&numbers, &given(regroup, separate), &mut table)?;
        }
    }
    for model in MODELS.into_iter().filter(|_| !options.papers_only) {
        for (regroup, separate) in setups {
            runs.run(&root.join(model), given(regroup, separate))?.print(&mut table)?;
        }
    }
    match data_dir().map(|data| data.join("models").join(VASY).join("model.pnml")) {
        Ok(vasy) if vasy.exists() => {
            runs.run(&vasy, given("", false))?.print(&mut table)?;
            for (strategy, order) in [
                ("bfs-prev", "places/given"),
                ("chain", "places/given"),
                ("sat", "places/given"),
                ("sat", "places/sloan"),
            ] {
                let setup = Setup { regroup: "", separate: true, strategy, order };
                runs.run(&vasy, setup)?.print(&mut table)?;
                if strategy == "bfs-prev" {
                    paper_row(&PAPER_VASY, &setup, &mut table)?;
                }
            }
        }
        _ => eprintln!("{VASY} is left out: the contest data is not here"),
    }
    Ok(table)
}

/// Adds the paper's numbers.
fn paper_row(numbers: &[f64; 7], setup: &Setup, table: &mut String) -> anyhow::Result<()> {
    let [seconds, kilobytes, calls, ldd, nodes, projections, relation] = numbers;
    writeln!(
        table,
        "| *the paper* | {} | | {} | {} | | {seconds:.1} | {:.0} | {calls} | | {ldd} | {nodes} | \
         {projections} | {relation} |",
        setup.strategy,
        setup.regroup.replace(',', ";"),
        if setup.separate { "yes" } else { "no" },
        kilobytes / 1024.0,
    )?;
    Ok(())
}

impl PinsRuns {
    /// Explores a model, unless that was done before.
    fn run(&mut self, model: &Path, setup: Setup) -> anyhow::Result<PinsRun> {
        let name = match model.file_stem().map(|s| s.to_string_lossy().into_owned()) {
            Some(stem) if stem != "model" => stem,
            _ => VASY.to_owned(),
        };
        let is_it = |run: &&PinsRun| {
            let way = (run.strategy.as_str(), run.order.as_str(), run.regroup.as_str());
            run.model == name
                && way == (setup.strategy, setup.order, setup.regroup)
                && run.separate == setup.separate
        };
        if let Some(run) = self.known.iter().find(is_it) {
            return Ok(run.clone());
        }
        let run = self.explore(model, name, setup)?;
        let headers = !self.rows.exists();
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&self.rows)?;
        let mut writer = csv::WriterBuilder::new().has_headers(headers).from_writer(file);
        writer.serialize(&run)?;
        writer.flush()?;
        eprint!(".");
        self.known.push(run.clone());
        Ok(run)
    }

    fn explore(&self, model: &Path, name: String, setup: Setup) -> anyhow::Result<PinsRun> {
        let mut command = Job::new(&self.binary);
        command.cpu_s = Some(self.time);
        command.args(["states"]).args([model]).args([
            "--engine",
            "pins",
            "--json",
            "--threads",
            "1",
        ]);
        command.args(["--memory", MEMORY, "--strategy", setup.strategy]);
        command.args(["--order", setup.order]);
        if !setup.regroup.is_empty() {
            command.args([format!("--regroup={}", setup.regroup)]);
        }
        if !setup.separate {
            command.args(["--w2W", "--W2+"]);
        }
        let output = command.run(&AtomicBool::new(false))?;
        let report: PinsReport = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let figures = report.pins.as_ref();
        let widest = figures.and_then(|f| f.widest.as_ref());
        Ok(PinsRun {
            model: name,
            strategy: setup.strategy.to_owned(),
            order: setup.order.to_owned(),
            regroup: setup.regroup.to_owned(),
            separate: setup.separate,
            cpu_s: output.cpu.as_secs_f64(),
            mib: report.peak_mem_mib,
            states: report.states,
            next_state_calls: figures.map(|f| f.next_state_calls),
            widest_calls: widest.map(|w| w.next_state_calls),
            widest_slots: widest.map(|w| w.slots),
            ldd_next_calls: figures.map(|f| f.ldd_next_calls),
            nodes: report.final_nodes.filter(|_| figures.is_some()),
            projection_nodes: figures.map(|f| f.projection_nodes),
            relation_nodes: figures.map(|f| f.relation_nodes),
        })
    }
}

impl PinsRun {
    fn print(&self, table: &mut String) -> anyhow::Result<()> {
        let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let widest = match (self.widest_calls, self.widest_slots) {
            (Some(calls), Some(slots)) => format!("{calls} ({slots} slots)"),
            _ => "-".to_owned(),
        };
        writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {:.2} | {:.0} | {} | {widest} | {} | {} | {} | {} |",
            self.model,
            self.strategy,
            self.order.trim_start_matches("places/"),
            self.regroup.replace(',', ";"),
            if self.separate { "yes" } else { "no" },
            self.states.as_deref().unwrap_or("-"),
            self.cpu_s,
            self.mib.unwrap_or(0.0),
            number(self.next_state_calls),
            number(self.ldd_next_calls),
            number(self.nodes),
            number(self.projection_nodes),
            number(self.relation_nodes),
        )?;
        Ok(())
    }
}

/// Operations on the matrix, and whether reads and writes are apart.
type Way = (&'static str, bool);

/// A claim of the paper about two ways of exploring, the better one first.
const CLAIMS: [(&str, Way, Way); 5] = [
    ("Separation, order as given", ("", true), ("", false)),
    ("Separation, after cs;rs;cw;rs", (DM, true), (DM, false)),
    ("Reads above writes (cw), order as given", (SWAPS, true), ("", true)),
    ("Reads above writes (cw), after cs;rs", (DM, true), (SORTS, true)),
    ("cs;rs;cw;rs against the order as given", (DM, true), ("", true)),
];

/// All of BEEM: how the ways compare on the models where both end.
fn survey(data: &Path, most: u64, runs: &mut PinsRuns) -> anyhow::Result<String> {
    let ways = [("", false), ("", true), (DM, false), (DM, true), (SORTS, true), (SWAPS, true)];
    let mut all = vec![Vec::new(); ways.len()];
    let names = published_counts(data, 1..=most)?;
    for name in &names {
        let file = data.join("models").join(format!("{name}.dve"));
        for ((regroup, separate), runs_of_way) in ways.into_iter().zip(&mut all) {
            let setup = Setup { regroup, separate, strategy: "bfs-prev", order: "places/given" };
            runs_of_way.push(runs.run(&file, setup)?);
        }
    }
    let mut text = format!(
        "{} models of BEEM, {} s of CPU time for each run; geometric means over the models where \
         both ways end, the first way against the second.\n\n\
         | | both end | only the first | only the second | #NS | #LDD | nodes of R | of \
         projections | of relation | MiB | CPU s |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        names.len(),
        runs.time
    );
    let of = |way: Way| ways.iter().position(|w| *w == way).map_or(&[][..], |i| &all[i]);
    for (claim, first, second) in CLAIMS {
        let ended = |run: &PinsRun| run.next_state_calls.is_some();
        let pairs: Vec<(&PinsRun, &PinsRun)> = of(first).iter().zip(of(second)).collect();
        let count =
            |a: bool, b: bool| pairs.iter().filter(|(x, y)| (ended(x), ended(y)) == (a, b)).count();
        let mean = |figure: &dyn Fn(&PinsRun) -> Option<f64>| {
            let ratio = |(x, y): &(&PinsRun, &PinsRun)| {
                let (x, y) = (figure(x)?, figure(y)?);
                (x > 0.0 && y > 0.0).then(|| (x / y).ln())
            };
            let both = pairs.iter().filter(|(x, y)| ended(x) && ended(y));
            let ratios: Vec<f64> = both.filter_map(ratio).collect();
            (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp()
        };
        writeln!(
            text,
            "| {claim} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            count(true, true),
            count(true, false),
            count(false, true),
            mean(&|r| r.next_state_calls.map(|n| n as f64)),
            mean(&|r| r.ldd_next_calls.map(|n| n as f64)),
            mean(&|r| r.nodes.map(|n| n as f64)),
            mean(&|r| r.projection_nodes.map(|n| n as f64)),
            mean(&|r| r.relation_nodes.map(|n| n as f64)),
            mean(&|r| r.mib),
            mean(&|r| Some(r.cpu_s.max(0.01))),
        )?;
    }
    Ok(text)
}
