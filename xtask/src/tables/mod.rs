//! `cargo xtask tables NAME`: the papers' tables, measured with Brine.

mod se05;

use clap::ValueEnum;

/// Reproduce a table of one of the papers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which paper
    #[arg(value_enum)]
    table: Table,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    /// Emptiness checks on leader election (SE05 Table 1)
    Se05,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match args.table {
        Table::Se05 => se05::run(),
    }
}
