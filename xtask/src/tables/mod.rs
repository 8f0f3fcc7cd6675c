//! `cargo xtask tables NAME`: the papers' tables, measured with Brine.

mod mvdbm16;
mod se05;

use clap::ValueEnum;

/// Reproduce a table of one of the papers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which paper
    #[arg(value_enum)]
    table: Table,
    /// Use this binary instead of building the release one (mvdbm16)
    #[arg(long, value_name = "FILE")]
    binary: Option<std::path::PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    /// Emptiness checks on leader election (SE05 Table 1)
    Se05,
    /// Symbolic search against hulls, explicit search and state spaces (MVDBM16 Table 1,
    /// figure 8)
    Mvdbm16,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match args.table {
        Table::Se05 => se05::run(),
        Table::Mvdbm16 => mvdbm16::run(args.binary.clone()),
    }
}
