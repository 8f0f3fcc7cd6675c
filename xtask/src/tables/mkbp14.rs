//! `cargo xtask tables mkbp14`: the columns of MKBP14's Table 4 for our models.
//!
//! First come the paper's own DVE models (BEEM, beside the repository), each row with the paper's
//! numbers below it; then models of our own. Each model is explored four times by breadth-first search with the previous level
//! (Algorithm 3): without and with separation of reads and writes (`--w2W --W2+`), on the
//! matrix as given and after `cs;rs;cw;rs`, as in the paper. Vasy2003 is also explored by
//! saturation. Times are CPU seconds of the whole process. The table goes to stdout and to
//! `target/mkbp14/table4.md`.

use crate::mcc::{build_binary, data_dir};
use brine_campaign::child::Job;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// CPU seconds for each run, kept by the system.
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
struct Setup {
    /// The operations of the paper.
    regroup: bool,
    /// Reads and writes apart.
    separate: bool,
    strategy: &'static str,
    order: &'static str,
}

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

/// Runs the task.
pub(super) fn run(binary: Option<PathBuf>, papers_only: bool) -> anyhow::Result<()> {
    let binary = binary.map_or_else(build_binary, Ok)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut table = String::from(
        "| model | strategy | order | dm | separated | states | CPU s | MiB | #NS | #NS of the \
         widest | #LDD | nodes of R | of projections | of relation |\n\
         |---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let given = |regroup, separate| Setup {
        regroup,
        separate,
        strategy: "bfs-prev",
        order: "places/given",
    };
    let setups = [(false, false), (false, true), (true, false), (true, true)];
    for (model, paper) in PAPER {
        let file = root.join("../shared/beem/models").join(format!("{model}.dve"));
        if !file.exists() {
            eprintln!("{model} is left out: BEEM is not here");
            continue;
        }
        for ((regroup, separate), numbers) in setups.into_iter().zip(paper) {
            row(&binary, &file, &given(regroup, separate), &mut table)?;
            paper_row(&numbers, &given(regroup, separate), &mut table)?;
        }
    }
    for model in MODELS.into_iter().filter(|_| !papers_only) {
        for (regroup, separate) in setups {
            row(&binary, &root.join(model), &given(regroup, separate), &mut table)?;
        }
    }
    match data_dir().map(|data| data.join("models").join(VASY).join("model.pnml")) {
        Ok(vasy) if vasy.exists() => {
            row(&binary, &vasy, &given(false, false), &mut table)?;
            for (strategy, order) in [
                ("bfs-prev", "places/given"),
                ("chain", "places/given"),
                ("sat", "places/given"),
                ("sat", "places/sloan"),
            ] {
                let setup = Setup { regroup: false, separate: true, strategy, order };
                row(&binary, &vasy, &setup, &mut table)?;
                if strategy == "bfs-prev" {
                    paper_row(&PAPER_VASY, &setup, &mut table)?;
                }
            }
        }
        _ => eprintln!("{VASY} is left out: the contest data is not here"),
    }
    let folder = root.join("target/mkbp14");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("table4.md"), &table)?;
    println!("{table}");
    Ok(())
}

/// Adds the paper's numbers.
fn paper_row(numbers: &[f64; 7], setup: &Setup, table: &mut String) -> anyhow::Result<()> {
    let [seconds, kilobytes, calls, ldd, nodes, projections, relation] = numbers;
    writeln!(
        table,
        "| *the paper* | {} | | {} | {} | | {seconds:.1} | {:.0} | {calls} | | {ldd} | {nodes} | \
         {projections} | {relation} |",
        setup.strategy,
        if setup.regroup { "cs;rs;cw;rs" } else { "" },
        if setup.separate { "yes" } else { "no" },
        kilobytes / 1024.0,
    )?;
    Ok(())
}

/// Explores a model and adds a line to the table.
fn row(binary: &Path, model: &Path, setup: &Setup, table: &mut String) -> anyhow::Result<()> {
    let mut command = Job::new(binary);
    command.cpu_s = Some(TIME);
    command.args(["states"]).args([model]).args(["--engine", "pins", "--json", "--threads", "1"]);
    command.args(["--memory", MEMORY, "--strategy", setup.strategy]);
    command.args(["--order", setup.order]);
    if setup.regroup {
        command.args(["--regroup=cs,rs,cw,rs"]);
    }
    if !setup.separate {
        command.args(["--w2W", "--W2+"]);
    }
    let output = command.run(&AtomicBool::new(false))?;
    let cpu = output.cpu.as_secs_f64();
    let report: PinsReport = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let name = match model.file_stem().map(|s| s.to_string_lossy().into_owned()) {
        Some(stem) if stem != "model" => stem,
        _ => VASY.to_owned(),
    };
    let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let figures = report.pins.as_ref();
    let widest = figures.and_then(|f| f.widest.as_ref());
    writeln!(
        table,
        "| {name} | {} | {} | {} | {} | {} | {cpu:.2} | {:.0} | {} | {} | {} | {} | {} | {} |",
        setup.strategy,
        setup.order.trim_start_matches("places/"),
        if setup.regroup { "cs;rs;cw;rs" } else { "" },
        if setup.separate { "yes" } else { "no" },
        report.states.as_deref().unwrap_or("-"),
        report.peak_mem_mib.unwrap_or(0.0),
        number(figures.map(|f| f.next_state_calls)),
        widest.map_or_else(
            || "-".to_owned(),
            |w| format!("{} ({} slots)", w.next_state_calls, w.slots)
        ),
        number(figures.map(|f| f.ldd_next_calls)),
        number(report.final_nodes.filter(|_| figures.is_some())),
        number(figures.map(|f| f.projection_nodes)),
        number(figures.map(|f| f.relation_nodes)),
    )?;
    eprint!(".");
    Ok(())
}
