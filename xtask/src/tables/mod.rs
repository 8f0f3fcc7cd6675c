//! `cargo xtask tables NAME`: the papers' tables, measured with Brine.

mod dkpr16;
mod ep10;
mod fairness;
mod mkbp14;
mod mvdbm16;
mod provisos;
mod se05;

use clap::ValueEnum;

/// Reproduce a table of one of the papers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which paper
    #[arg(value_enum)]
    table: Table,
    /// How many firing orders for each net (dkpr16)
    #[arg(long, value_name = "N", default_value_t = 100)]
    seeds: u64,
    /// Use this binary instead of building the release one (mkbp14, mvdbm16, fairness)
    #[arg(long, value_name = "FILE")]
    binary: Option<std::path::PathBuf>,
    /// Only the paper's own models (mkbp14)
    #[arg(long)]
    papers_only: bool,
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
    /// Properties of fair runs, symbolic against explicit search (no paper's)
    Fairness,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match args.table {
        Table::Se05 => se05::run(),
        Table::Dkpr16 => dkpr16::measure_and_write(args.seeds),
        Table::Ep10 => ep10::measure_and_write(),
        Table::Mkbp14 => mkbp14::run(args.binary.clone(), args.papers_only),
        Table::Mvdbm16 => mvdbm16::run(args.binary.clone()),
        Table::Fairness => fairness::run(args.binary.clone()),
    }
}
