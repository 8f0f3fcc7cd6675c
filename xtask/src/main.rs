//! `cargo xtask`: what maintainers repeat. One task, one file.

mod beem;
mod budgets;
mod certificates;
mod ci;
mod clusters;
mod coloured;
mod contest;
mod deps;
mod fuzz;
mod gen_models;
mod known_states;
mod ltl;
mod mcc;
mod one_answer;
mod package;
mod panel;
mod planted_bugs;
mod python;
mod resume;
mod runs;
mod simplify;
mod sizes;
mod state_space;
mod tables;
mod translate;
mod versus;

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
    Beem(beem::Args),
    Budgets(budgets::Args),
    Certificates(certificates::Args),
    Ci(ci::Args),
    Clusters(clusters::Args),
    Coloured(coloured::Args),
    Contest(contest::Args),
    Deps(deps::Args),
    Fuzz(fuzz::Args),
    GenModels(gen_models::Args),
    /// What other tasks start their processes through
    #[command(hide = true)]
    Limited(brine_campaign::limited::Args),
    Ltl(ltl::Args),
    Mcc(mcc::Args),
    OneAnswer(one_answer::Args),
    States(known_states::Args),
    StatesPanel(state_space::PanelArgs),
    PlantedBugs(planted_bugs::Args),
    Translate(translate::Args),
    Python(python::Args),
    Resume(resume::Args),
    Package(package::Args),
    Runs(runs::Args),
    Panel(panel::Args),
    Simplify(simplify::Args),
    Sizes(sizes::Args),
    Tables(tables::Args),
    Versus(versus::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Beem(args) => beem::run(&args),
        Task::Budgets(args) => budgets::run(&args),
        Task::Certificates(args) => certificates::run(&args),
        Task::Ci(args) => ci::run(&args),
        Task::Clusters(args) => clusters::run(&args),
        Task::Coloured(args) => coloured::run(&args),
        Task::Contest(args) => contest::run(&args),
        Task::Deps(args) => deps::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::GenModels(args) => gen_models::run(&args),
        Task::Limited(args) => match brine_campaign::limited::run(&args)? {},
        Task::Ltl(args) => ltl::run(&args),
        Task::Mcc(args) => mcc::run(&args),
        Task::OneAnswer(args) => one_answer::run(&args),
        Task::States(args) => known_states::run(&args),
        Task::StatesPanel(args) => state_space::panel(&args),
        Task::PlantedBugs(args) => planted_bugs::run(&args),
        Task::Translate(args) => translate::run(&args),
        Task::Python(args) => python::run(&args),
        Task::Resume(args) => resume::run(&args),
        Task::Package(args) => package::run(&args),
        Task::Runs(args) => runs::run(&args),
        Task::Panel(args) => panel::run(&args),
        Task::Simplify(args) => simplify::run(&args),
        Task::Sizes(args) => sizes::run(&args),
        Task::Tables(args) => tables::run(&args),
        Task::Versus(args) => versus::run(&args),
    }
}
