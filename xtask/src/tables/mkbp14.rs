//! `cargo xtask tables mkbp14`: the columns of MKBP14's Table 4 for our models.
//!
//! Each model is explored four times by breadth-first search with the previous level
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
const TIME: u64 = 100;
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
pub(super) fn run(binary: Option<PathBuf>) -> anyhow::Result<()> {
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
    for model in MODELS {
        for (regroup, separate) in [(false, false), (false, true), (true, false), (true, true)] {
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

/// Explores a model and adds a line to the table.
fn row(binary: &Path, model: &Path, setup: &Setup, table: &mut String) -> anyhow::Result<()> {
    let mut command = Job::new(binary);
    command.cpu_s = Some(TIME);
    command.args(["states"]).args([model]).args(["--engine", "pins", "--json", "--threads", "1"]);
    command.args(["--memory", MEMORY, "--strategy", setup.strategy]);
    if model.extension().is_some_and(|e| e == "pnml") {
        command.args(["--order", setup.order]);
    }
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
