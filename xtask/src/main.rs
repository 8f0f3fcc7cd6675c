//! `cargo xtask`: what maintainers repeat. One task, one file.

mod ltl;

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
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Ltl(args) => ltl::run(&args),
    }
}
