//! `cargo xtask resume`: a campaign killed at random moments against the same campaign
//! left alone.
//!
//! Both must end with the same rows, in all but times and memory. Where a budget ran out,
//! figures of the search depend on the clock, too, and are not compared: that of the run, or
//! that of the witness (then a violation has none). A row in which only one campaign's budget
//! ran out is counted as borderline.

use crate::mcc::build_binary;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Kill a campaign at random moments, resume it, compare with one left alone
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The plan
    plan: PathBuf,
    /// How often to kill
    #[arg(long, default_value_t = 3)]
    kills: u32,
    /// Where the moments come from [default: the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Where the two results files go
    #[arg(long, default_value = "target/resume")]
    out: PathBuf,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Further options of `brine bench`
    #[arg(last = true)]
    options: Vec<String>,
}

/// Columns that differ from run to run.
const VARIES: [&str; 5] = ["time_s", "peak_mem_mib", "scc_time_s", "cpu_s", "date"];
/// Columns that name a run.
const KEY: usize = 3;

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    std::fs::create_dir_all(&args.out)?;
    let [whole, torn] = ["whole.csv", "torn.csv"].map(|name| args.out.join(name));
    for file in [&whole, &torn] {
        if file.exists() {
            std::fs::remove_file(file)?;
        }
    }
    let start = Instant::now();
    start_campaign(args, &binary, &whole)?.wait()?;
    let time = start.elapsed();
    println!("left alone: {:.1} s", time.as_secs_f64());
    let clock = || {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |d| u64::from(d.subsec_nanos()))
    };
    let seed = args.seed.unwrap_or_else(clock);
    println!("seed {seed}");
    let mut rng = brine_net::Rng::new(seed);
    for _ in 0..args.kills {
        let share = f64::from(rng.below(1000)) / 1000.0;
        kill_after(args, &binary, &torn, time.mul_f64(share / f64::from(args.kills)))?;
    }
    start_campaign(args, &binary, &torn)?.wait()?;
    compare(&rows(&whole)?, &rows(&torn)?)
}

fn start_campaign(args: &Args, binary: &Path, out: &Path) -> anyhow::Result<Child> {
    let mut command = Command::new(binary);
    command.arg("bench").arg(&args.plan).arg("-o").arg(out).args(&args.options);
    command.stdout(Stdio::null());
    command.spawn().with_context(|| format!("cannot start {}", binary.display()))
}

fn kill_after(args: &Args, binary: &Path, out: &Path, time: Duration) -> anyhow::Result<()> {
    let mut child = start_campaign(args, binary, out)?;
    std::thread::sleep(time);
    child.kill()?;
    child.wait()?;
    let text = std::fs::read_to_string(out).unwrap_or_default();
    let rows = text.matches('\n').count().saturating_sub(1);
    let tail = if text.is_empty() || text.ends_with('\n') { "whole" } else { "torn" };
    println!("killed after {:.2} s: {rows} rows, last line {tail}", time.as_secs_f64());
    Ok(())
}

/// Name and value of each cell that is compared, row by row.
pub(crate) type Rows = Vec<Vec<(String, String)>>;

pub(crate) fn rows(path: &Path) -> anyhow::Result<Rows> {
    let mut reader = csv::Reader::from_path(path)?;
    let header = reader.headers()?.clone();
    let rows = reader.records().map(|row| {
        let row = row?;
        let cells = header.iter().zip(&row).filter(|(name, _)| !VARIES.contains(name));
        Ok(cells.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    });
    rows.collect()
}

pub(crate) fn compare(whole: &Rows, torn: &Rows) -> anyhow::Result<()> {
    if whole.len() != torn.len() {
        bail!("{} rows left alone, {} after kills", whole.len(), torn.len());
    }
    let (mut same, mut open, mut borderline) = (0, 0, 0);
    for (a, b) in whole.iter().zip(torn) {
        let name =
            || a[..KEY].iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" ");
        if a[..KEY] != b[..KEY] {
            bail!("{}: not in the same place", name());
        }
        match (ran_out(a), ran_out(b)) {
            (true, true) => open += 1,
            (false, false) if a == b => same += 1,
            (false, false) => bail!("{}: {a:?} is not {b:?}", name()),
            _ => {
                println!("borderline: {}", name());
                borderline += 1;
            }
        }
    }
    println!("{same} rows equal, {open} without a full answer in both, {borderline} borderline");
    Ok(())
}

/// Whether a budget ended the search for the verdict or for the witness.
fn ran_out(row: &[(String, String)]) -> bool {
    let cell = |name: &str| row.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v.as_str());
    let verdict = cell("verdict");
    verdict == "unknown" || (verdict == "violated" && cell("witness_prefix").is_empty())
}
