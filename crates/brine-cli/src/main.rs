//! The `brine` command: one subcommand, one file.

mod exit;
mod explore;
mod limits;
mod model;
mod progress;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Decides LTL properties of Petri nets.
#[derive(Parser, Debug)]
#[command(name = "brine", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Explore(explore::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    exit::guarded(|| match cli.command {
        Command::Explore(args) => explore::run(&args),
    })
}
