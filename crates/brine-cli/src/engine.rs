//! `--engine` and the options of each engine, the same for all commands that check.

use crate::por::PorArgs;
use brine_check::{Engine, ExplicitEngine};
use brine_explicit::Emptiness;
use brine_net::{Net, Structure};

/// The engine from the command line.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EngineArgs {
    /// How to search
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// Emptiness check of the explicit engine [default: by the automaton's class]
    #[arg(long, value_name = "NAME", value_parser = emptiness)]
    emptiness: Option<Emptiness>,
    /// Shuffle the firing order of the explicit engine with this seed; 0 keeps the file's order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    por: PorArgs,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EngineName {
    /// The best engine for the question (at present: explicit)
    Auto,
    /// Explicit search over the product
    Explicit,
}

fn emptiness(name: &str) -> Result<Emptiness, String> {
    Emptiness::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Emptiness::ALL.iter().map(|e| e.name()).collect();
        format!("unknown check \"{name}\"; known are {}", names.join(", "))
    })
}

impl EngineArgs {
    /// The engine for a net.
    pub(crate) fn build<'n>(&self, net: &'n Net, structure: &Structure) -> Box<dyn Engine + 'n> {
        match self.engine {
            EngineName::Auto | EngineName::Explicit => {
                let engine = ExplicitEngine::new(net, structure, self.emptiness, self.seed);
                Box::new(engine.with_por(self.por.por()))
            }
        }
    }
}
