//! `cargo xtask tables NAME`: the papers' tables, measured with Brine.

mod dkpr16;
mod ep10;
mod growth;
mod mkbp14;
mod mvdbm16;
mod provisos;
mod se05;
mod se05_beem;

use clap::ValueEnum;
use provisos::{Collection, KeptRuns};
use std::path::PathBuf;

/// Reproduce a table of one of the papers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which paper
    #[arg(value_enum)]
    table: Table,
    /// How many firing orders for each model (dkpr16)
    #[arg(long, value_name = "N", default_value_t = 100)]
    seeds: u64,
    /// Use this binary instead of building the release one (mkbp14, mvdbm16, growth)
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Only the paper's own models (mkbp14)
    #[arg(long)]
    papers_only: bool,
    /// Models of BEEM instead of our own (dkpr16, ep10, se05, mkbp14)
    #[arg(long)]
    beem: bool,
    /// Where BEEM is
    #[arg(long, value_name = "DIR", default_value = "../shared/beem")]
    data: PathBuf,
    /// With --beem: leave out models with more published states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    most: u64,
    /// CPU seconds for each run (growth, and mkbp14 with --beem)
    #[arg(long, value_name = "S", default_value_t = 20)]
    seconds: u64,
    /// Where runs are kept, so that they need not be done again (dkpr16, ep10, mkbp14)
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    /// Emptiness checks on leader election (SE05 Table 1)
    Se05,
    /// All liveness provisos (DKPR16 Tables 1 to 3 and figure 3)
    Dkpr16,
    /// Safety and liveness provisos (EP10 Table 1)
    Ep10,
    /// Reads and writes apart and together, with and without column swaps (MKBP14 Table 4)
    Mkbp14,
    /// Symbolic search against hulls, explicit search and state spaces (MVDBM16 Table 1,
    /// figure 8)
    Mvdbm16,
    /// State spaces of our generators' nets, from small to large
    Growth,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let collection = if args.beem { Collection::Beem(args.data.clone()) } else { Collection::Ours };
    let kept = || KeptRuns::open(args.rows.clone());
    match args.table {
        Table::Se05 if args.beem => se05_beem::run(&args.data),
        Table::Se05 => se05::run(),
        Table::Dkpr16 => dkpr16::measure_and_write(collection, (args.seeds, args.most), kept()?),
        Table::Ep10 => ep10::measure_and_write(&collection, args.most, kept()?),
        Table::Mkbp14 => mkbp14::run(mkbp14::Mkbp14Options {
            binary: args.binary.clone(),
            papers_only: args.papers_only,
            data: args.data.clone(),
            beem: args.beem.then_some((args.most, args.seconds)),
            rows: args.rows.clone(),
        }),
        Table::Mvdbm16 => mvdbm16::run(args.binary.clone()),
        Table::Growth => growth::measure_and_write(args.binary.clone(), args.seconds),
    }
}
