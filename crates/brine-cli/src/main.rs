//! The `brine` command: one subcommand, one file.

mod automaton;
mod check;
mod engine;
mod entry;
mod exit;
mod explore;
mod info;
mod limits;
mod model;
mod order;
mod progress;
mod properties;
mod states;

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
    Automaton(automaton::Args),
    Check(check::Args),
    Explore(explore::Args),
    Info(info::Args),
    States(states::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    exit::guarded(|| match cli.command {
        Command::Automaton(args) => automaton::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Info(args) => info::run(&args),
        Command::States(args) => states::run(&args),
    })
}
