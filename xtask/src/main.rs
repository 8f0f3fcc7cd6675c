//! `cargo xtask`: what maintainers repeat. One task, one file.

mod ltl;
mod mcc;

use clap::{Parser, Subcommand};

/// What maintainers repeat.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    Ltl(ltl::Args),
    Mcc(mcc::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Ltl(args) => ltl::run(&args),
        Task::Mcc(args) => mcc::run(&args),
    }
}
