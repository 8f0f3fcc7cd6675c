//! `cargo xtask clusters`: job arrays on real schedulers, with things killed in the middle.
//!
//! A small campaign runs on this machine, and then as job array under each scheduler that is
//! installed. When some of its rows are there, what runs tasks and what hands them out are killed
//! (SIGKILL), and started again. At the end the parts are merged, `brine bench` makes what is
//! missing, and the rows must be those of the campaign that was left alone, in all but times and
//! memory.
//!
//! What is not installed is left out with a message; `--install` gets it: Debian's `slurm-wlm` and
//! `munge`, PyPI's `hyperqueue`. Everything lives in folders under `target/clusters`, with
//! ports and keys of its own; only processes that were started here are ended.

mod hyperqueue;
mod slurm;

use crate::mcc::build_binary;
use crate::resume::{compare, rows};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Run a campaign under Slurm and HyperQueue, kill things, resume, compare
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where everything is done
    #[arg(long, default_value = "target/clusters")]
    folder: PathBuf,
    /// Install what is missing (apt-get needs root)
    #[arg(long)]
    install: bool,
    /// Only this one
    #[arg(long, value_enum)]
    only: Option<Scheduler>,
}

/// A scheduler of job arrays.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Scheduler {
    /// Debian's package, one node
    Slurm,
    /// PyPI's package, server and worker in one process
    Hyperqueue,
}

/// Tasks of each array.
const PARTS: usize = 6;
/// How long an array may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// Every run ends with a verdict, after long enough for kills to meet it.
const PLAN: &str = r#"
repetitions = 4
[limits]
time_s = 120
memory_mib = 1024
[[models]]
glob = "nets/*.pnml"
[[properties]]
ltl = "G !deadlock"
[[properties]]
name = "some time nothing happens any more"
ltl = "F deadlock"
[[configurations]]
name = "explicit"
options = ["--engine", "explicit"]
[[configurations]]
name = "symbolic"
options = ["--engine", "symbolic"]
"#;
const NETS: [&str; 5] =
    ["philosophers-ordered-10", "slotted-ring-5", "kanban-1", "token-ring-10", "lamport-3"];

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?.canonicalize()?;
    std::fs::create_dir_all(&args.folder)?;
    let folder = args.folder.canonicalize()?;
    let array = Array::prepare(binary, &folder)?;
    let wanted = |scheduler| args.only.is_none_or(|only| only == scheduler);
    if wanted(Scheduler::Slurm) {
        slurm::run(&array, &folder.join("slurm"), args.install)?;
    }
    if wanted(Scheduler::Hyperqueue) {
        hyperqueue::run(&array, &folder.join("hyperqueue"), args.install)?;
    }
    Ok(())
}

/// A campaign, and its rows on this machine alone.
struct Array {
    binary: PathBuf,
    plan: PathBuf,
    alone: PathBuf,
}

impl Array {
    fn prepare(binary: PathBuf, folder: &Path) -> anyhow::Result<Array> {
        let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pnml");
        std::fs::create_dir_all(folder.join("nets"))?;
        for net in NETS {
            let name = format!("{net}.pnml");
            std::fs::copy(nets.join(&name), folder.join("nets").join(&name))?;
        }
        let array =
            Array { binary, plan: folder.join("plan.toml"), alone: folder.join("alone.csv") };
        std::fs::write(&array.plan, PLAN)?;
        remove(&array.alone)?;
        array.bench(&["-o", text(&array.alone)?])?;
        println!("left alone: {} rows", rows(&array.alone)?.len());
        Ok(array)
    }

    fn bench(&self, args: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(&self.binary);
        command.arg("bench").arg(&self.plan).args(args).arg("--quiet");
        said(&mut command)
    }

    /// The script of the array, written into a fresh folder; the results file that it is for.
    fn script(&self, folder: &Path, scheduler: &str) -> anyhow::Result<(PathBuf, PathBuf)> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        let (script, out) = (folder.join("campaign.sh"), folder.join("results.csv"));
        let parts = PARTS.to_string();
        let words = ["--emit", scheduler, "--parts", &parts, "-o", text(&out)?];
        std::fs::write(&script, self.bench(&words)?)?;
        Ok((script, out))
    }

    /// Merges the parts, makes what is missing, compares.
    fn finish(&self, out: &Path) -> anyhow::Result<()> {
        let parts = parts(out)?;
        let mut merge = Command::new(&self.binary);
        merge.args(["bench", "--quiet", "--merge"]).args(&parts).arg("-o").arg(out);
        said(&mut merge)?;
        println!("merged {} parts: {} rows", parts.len(), rows(out)?.len());
        self.bench(&["-o", text(out)?])?;
        compare(&rows(&self.alone)?, &rows(out)?)
    }
}

/// The results files of the parts that were begun.
fn parts(out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let pattern = format!("{}.parts/*.csv", out.display());
    Ok(glob::glob(&pattern)?.flatten().collect())
}

/// Waits until the parts have so many rows together.
fn wait_for_rows(out: &Path, count: usize) -> anyhow::Result<usize> {
    wait_until("rows", || {
        let lines = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        let all = parts(out)?;
        let rows: usize =
            all.iter().map(|p| lines(p).matches('\n').count().saturating_sub(1)).sum();
        Ok((rows >= count).then_some(rows))
    })
}

/// Asks twice a second until there is an answer.
fn wait_until<T>(
    what: &str,
    mut ask: impl FnMut() -> anyhow::Result<Option<T>>,
) -> anyhow::Result<T> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(answer) = ask()? {
            return Ok(answer);
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    bail!("no {what} after {} s", PATIENCE.as_secs())
}

/// What a command prints; an error if it fails.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().context(name.clone())?;
    if !output.status.success() {
        bail!("{name}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("{} is no text", path.display()))
}

fn remove(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        std::fs::remove_file(path)?;
    }
    Ok(())
}
