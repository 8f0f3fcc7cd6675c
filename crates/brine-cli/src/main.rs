//! The `brine` command: one subcommand, one file.

mod check;
mod exit;
mod explore;
mod info;
mod limits;
mod model;
mod progress;
mod properties;
mod report;

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
    Check(check::Args),
    Explore(explore::Args),
    Info(info::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    exit::guarded(|| match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Info(args) => info::run(&args),
    })
}
