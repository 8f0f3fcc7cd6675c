//! The `brine` command: one subcommand, one file.
//!
//! A library with a binary of one line, which calls [`main`].

// First, so that its macros are known in what follows.
#[macro_use]
mod output;

mod analyse;
mod automaton;
mod bench;
mod check;
mod clock;
mod engine;
mod entry;
mod exit;
mod explore;
mod formula_files;
mod help;
mod info;
mod limits;
mod mcc;
mod model;
mod order;
mod page;
mod pins;
mod por;
mod progress;
mod properties;
mod replay;
mod report;
mod rounds;
mod runs;
mod show;
mod simulate;
mod states;
mod told;
mod verify;
mod walked;
mod watchdog;

use brine_campaign::files;
#[cfg(target_os = "linux")]
use brine_campaign::limited;
use clap::{Parser, Subcommand};
use exit::Exit;
use std::process::ExitCode;

/// Decides LTL properties of Petri nets.
#[derive(Parser, Debug)]
#[command(name = "brine", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Analyse(analyse::Args),
    Automaton(automaton::Args),
    Bench(bench::Args),
    Check(check::Args),
    Completions(help::CompletionArgs),
    Explore(explore::Args),
    Info(info::Args),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Limited(limited::Args),
    Man(help::ManArgs),
    Mcc(mcc::Args),
    Replay(replay::Args),
    Report(report::Args),
    Show(show::Args),
    Simulate(simulate::Args),
    States(states::Args),
    Verify(verify::Args),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    exit::name_aborts();
    exit::guarded(|| run(cli.command))
}

fn run(command: Command) -> anyhow::Result<Exit> {
    let translates = matches!(
        command,
        Command::Analyse(_) | Command::Automaton(_) | Command::Check(_) | Command::Mcc(_)
    );
    match translates {
        true => limits::ensure_room_to_translate()?,
        false => limits::ensure_room(limits::ROOM)?,
    }
    match command {
        Command::Analyse(args) => analyse::run(&args),
        Command::Automaton(args) => automaton::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Completions(args) => help::complete(args),
        Command::Explore(args) => explore::run(&args),
        Command::Info(args) => info::run(&args),
        #[cfg(target_os = "linux")]
        Command::Limited(args) => match limited::run(&args)? {},
        Command::Man(args) => help::man(&args),
        Command::Mcc(args) => mcc::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::States(args) => states::run(&args),
        Command::Verify(args) => verify::run(&args),
    }
}
