//! `cargo xtask fuzz`: the standing campaign, for as long as one likes.
//!
//! Each failure is shrunk and written into a folder of `crates/brine-fuzz/regressions`, where
//! `crates/brine-cli/tests/fuzz.rs` finds it from then on.

use crate::mcc::build_binary;
use anyhow::bail;
use brine_fuzz::{Binary, Campaign, Failing, Tally, regression};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Random nets, formulas and options against brute force
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Stop after so many minutes
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Stop after so many cases
    #[arg(long)]
    cases: Option<u64>,
    /// The first seed; each net has its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use this binary instead of building the release one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where failing cases go
    #[arg(long, value_name = "FOLDER", default_value_os_t = regression::folder())]
    out: PathBuf,
}

/// More failures than these are not worth shrinking.
const FAILURES_MAX: usize = 20;
/// How often to tell how far it is.
const NEWS: Duration = Duration::from_secs(30);

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let program = args.binary.clone().map_or_else(build_binary, Ok)?;
    let campaign = Campaign { binary: Some(Binary::new(&program)?) };
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(args.minutes * 60.0);
    let mut tally = Tally::default();
    let mut failures = 0;
    let mut told = start;
    let mut seed = args.seed;
    let done = |tally: &Tally| args.cases.is_some_and(|cases| tally.cases >= cases);
    while Instant::now() < end && !done(&tally) && failures < FAILURES_MAX {
        if let Err(failing) = campaign.step(seed, &mut tally) {
            failures += 1;
            println!("seed {seed}: {}", failing.failure.message);
            println!("  written to {}", keep(args, &campaign, *failing)?.display());
        }
        seed += 1;
        if told.elapsed() > NEWS {
            told = Instant::now();
            eprintln!("{:.0} s, seed {seed}, {} cases", start.elapsed().as_secs_f64(), tally.cases);
        }
    }
    println!("seeds {}..{seed}: {tally:#?}", args.seed);
    println!("{} cases, {failures} failures", tally.cases);
    if failures > 0 {
        bail!("{failures} failures");
    }
    Ok(())
}

/// Shrinks a failing case and writes it down.
fn keep(args: &Args, campaign: &Campaign, failing: Failing) -> anyhow::Result<PathBuf> {
    let binary = campaign.binary.as_ref().filter(|_| failing.through_binary);
    let case = failing.case.shrunk(binary);
    let failure = case.fails(binary).unwrap_or(failing.failure);
    regression::write(&args.out, &Failing { case, failure, ..failing })
}
