//! `--engine` and the options of each engine, the same for all commands that check.

use crate::order::OrderArgs;
use crate::por::PorArgs;
use anyhow::bail;
use brine_check::{Engine, ExplicitEngine, HuntEngine, SymbolicEngine};
use brine_explicit::Emptiness;
use brine_explicit::hunt::HuntOptions;
use brine_net::{Net, Structure};
use brine_scc::{Hull, Ideas, Method};
use std::ops::Deref;

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
    #[command(flatten)]
    pub(crate) order: OrderArgs,
    /// Symbolic: search for cycles without looking at recurring states first
    #[arg(long)]
    no_recurring: bool,
    /// Symbolic: search for cycles without looking at node-wise abstractions first
    #[arg(long)]
    no_abstraction: bool,
    /// Symbolic: build the complete product before searching for cycles
    #[arg(long, conflicts_with_all = ["no_recurring", "no_abstraction"])]
    no_otf: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EngineName {
    /// The best engine for the question (at present: explicit)
    Auto,
    /// Explicit search over the product
    Explicit,
    /// Nothing but the hunt for violations: guided walks and small searches
    #[value(hide = true)]
    Hunt,
    /// Saturation of the product, searched for accepting cycles while it grows
    Symbolic,
    /// The complete product by saturation, then Emerson and Lei's hull of accepting cycles
    HullEl,
    /// The complete product by saturation, then the "one way catch them young" hull
    HullOwcty,
}

fn emptiness(name: &str) -> Result<Emptiness, String> {
    Emptiness::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Emptiness::ALL.iter().map(|e| e.name()).collect();
        format!("unknown check \"{name}\"; known are {}", names.join(", "))
    })
}

impl EngineArgs {
    /// The engine for a net.
    ///
    /// The structure may be one that is worked out when it is first looked at: the hunt does
    /// without.
    pub(crate) fn build<'n>(
        &self,
        net: &'n Net,
        structure: &'n impl Deref<Target = Structure>,
    ) -> anyhow::Result<Box<dyn Engine + 'n>> {
        self.refuse_idle_options()?;
        let symbolic = |name, method| -> anyhow::Result<Box<dyn Engine + 'n>> {
            let candidates = self.order.candidates(net, structure)?;
            Ok(Box::new(SymbolicEngine::new(name, net, structure, method, candidates)))
        };
        match self.engine {
            EngineName::Auto | EngineName::Explicit => {
                let engine = ExplicitEngine::new(net, structure, self.emptiness, self.seed);
                Ok(Box::new(engine.with_por(self.por.por())))
            }
            EngineName::Hunt => {
                let options = HuntOptions { seed: self.seed, ..HuntOptions::default() };
                Ok(Box::new(HuntEngine::new(net, options)))
            }
            EngineName::Symbolic => symbolic("symbolic", self.method()),
            EngineName::HullEl => symbolic("hull-el", Method::Hull(Hull::EmersonLei)),
            EngineName::HullOwcty => symbolic("hull-owcty", Method::Hull(Hull::Owcty)),
        }
    }

    fn method(&self) -> Method {
        let ideas = Ideas { recurring: !self.no_recurring, abstraction: !self.no_abstraction };
        if self.no_otf { Method::AtTheEnd } else { Method::OnTheFly(ideas) }
    }

    /// An option that the engine would ignore is a mistake.
    fn refuse_idle_options(&self) -> anyhow::Result<()> {
        let explicit = matches!(self.engine, EngineName::Auto | EngineName::Explicit);
        let switches = self.no_recurring || self.no_abstraction || self.no_otf;
        if switches && self.engine != EngineName::Symbolic {
            bail!("--no-recurring, --no-abstraction and --no-otf need --engine symbolic");
        }
        if self.emptiness.is_some() && !explicit {
            bail!("--emptiness needs --engine explicit");
        }
        if self.por.por && !explicit {
            bail!("--por needs --engine explicit");
        }
        Ok(())
    }
}
