//! `--engine` and the options of each engine, the same for all commands that check.

use crate::order::OrderArgs;
use crate::pins::PinsArgs;
use crate::por::PorArgs;
use crate::space::Way;
use anyhow::bail;
use brine_check::{
    Auto, Budget, DecideError, Decision, Engine, ExplicitEngine, HuntEngine, ModelEngine,
    PinsEngine, Property, Stages, SymbolicEngine, decide,
};
use brine_explicit::Emptiness;
use brine_explicit::hunt::HuntOptions;
use brine_net::{Net, Structure};
use brine_run::Control;
use brine_scc::{Hull, Ideas, Method};
use std::ops::Deref;

/// The engine from the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct EngineArgs {
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
    #[command(flatten)]
    pins: PinsArgs,
    /// Auto: leave these stages out, to see what they are worth
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    without: Vec<Stage>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EngineName {
    /// Simplification, reduction, hunt, explicit and symbolic search, cheap things first
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
    /// Relations learned through the state-vector interface, then Emerson and Lei's hull
    Pins,
}

fn emptiness(name: &str) -> Result<Emptiness, String> {
    Emptiness::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Emptiness::ALL.iter().map(|e| e.name()).collect();
        format!("unknown check \"{name}\"; known are {}", names.join(", "))
    })
}

/// A stage of `auto`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Simplification,
    Reduction,
    Hunt,
    Explicit,
    Symbolic,
}

/// Who decides the properties of a net.
pub enum Decider<'n> {
    /// One engine.
    Engine(Box<dyn Engine + 'n>),
    /// All of them.
    Auto(Box<Auto<'n>>),
}

impl<'n> Decider<'n> {
    /// Decides a property of the net.
    pub fn decide(
        &mut self,
        property: Property<'n>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        match self {
            Decider::Engine(engine) => decide(&mut **engine, property, budget),
            Decider::Auto(auto) => auto.decide(property, budget),
        }
    }
}

impl EngineArgs {
    /// Who decides the properties of a net.
    ///
    /// The structure may be one that is worked out when it is first looked at: the hunt does
    /// without.
    pub fn build<'n>(
        &self,
        net: &'n Net,
        structure: &'n impl Deref<Target = Structure>,
    ) -> anyhow::Result<Decider<'n>> {
        self.build_within(net, structure, &Control::default())
    }

    /// The same under a control: orders of levels may take long to find.
    pub(crate) fn build_within<'n>(
        &self,
        net: &'n Net,
        structure: &'n impl Deref<Target = Structure>,
        control: &Control,
    ) -> anyhow::Result<Decider<'n>> {
        self.refuse_idle_options()?;
        let symbolic = |name, method| -> anyhow::Result<Decider<'n>> {
            let candidates = self.order.candidates(net, structure, control)?;
            let engine = SymbolicEngine::new(name, net, structure, method, candidates);
            Ok(Decider::Engine(Box::new(engine)))
        };
        match self.chosen() {
            EngineName::Auto => {
                let auto = Auto::new(net, structure, self.stages());
                if self.order.named().is_some() {
                    // An order that the net cannot have is a mistake here, too.
                    self.order.candidates(net, structure, control)?;
                }
                Ok(Decider::Auto(Box::new(auto.with_order(self.order.named()))))
            }
            EngineName::Explicit => {
                let engine = ExplicitEngine::new(net, structure, self.emptiness, self.seed);
                Ok(Decider::Engine(Box::new(engine.with_por(self.por.por()))))
            }
            EngineName::Hunt => {
                let options = HuntOptions { seed: self.seed, ..HuntOptions::default() };
                Ok(Decider::Engine(Box::new(HuntEngine::new(net, options))))
            }
            EngineName::Symbolic => symbolic("symbolic", self.method()),
            EngineName::HullEl => symbolic("hull-el", Method::Hull(Hull::EmersonLei)),
            EngineName::HullOwcty => symbolic("hull-owcty", Method::Hull(Hull::Owcty)),
            EngineName::Pins => {
                let orders =
                    self.pins.orders(&self.order.candidates(net, structure, control)?, control)?;
                let (strategy, matrix) = (self.pins.strategy(), self.pins.matrix());
                let engine = PinsEngine::new(net, structure, strategy, matrix, orders);
                Ok(Decider::Engine(Box::new(engine)))
            }
        }
    }

    /// The engine for guarded commands: only one can.
    pub(crate) fn engine_of_commands(&self) -> anyhow::Result<ModelEngine> {
        self.refuse_idle_options()?;
        if !matches!(self.chosen(), EngineName::Auto | EngineName::Pins) {
            bail!("guarded commands need --engine pins; the other engines need a net");
        }
        if !self.without.is_empty() {
            bail!("--without needs a net");
        }
        if self.order.named().is_some() {
            bail!("--order is for nets; --regroup orders the variables of guarded commands");
        }
        Ok(ModelEngine::new(self.pins.strategy(), self.pins.matrix()))
    }

    /// The engine: if none is named, the one that the other options speak of.
    fn chosen(&self) -> EngineName {
        if self.engine != EngineName::Auto {
            self.engine
        } else if self.emptiness.is_some() || self.por.por || self.seed != 0 {
            EngineName::Explicit
        } else if self.no_recurring || self.no_abstraction || self.no_otf {
            EngineName::Symbolic
        } else if self.pins.given().is_some() {
            EngineName::Pins
        } else {
            EngineName::Auto
        }
    }

    /// Whether the stages of `auto` answer.
    pub(crate) fn is_auto(&self) -> bool {
        self.chosen() == EngineName::Auto
    }

    /// How these options compute a state space.
    pub(crate) fn way(&self) -> Way<'_> {
        match self.chosen() {
            EngineName::Pins => Way::Pins(&self.pins),
            _ => Way::Saturation,
        }
    }

    fn stages(&self) -> Stages {
        let with = |stage| !self.without.contains(&stage);
        Stages {
            simplification: with(Stage::Simplification),
            reduction: with(Stage::Reduction),
            hunt: with(Stage::Hunt),
            explicit: with(Stage::Explicit),
            symbolic: with(Stage::Symbolic),
        }
    }

    fn method(&self) -> Method {
        let ideas = Ideas { recurring: !self.no_recurring, abstraction: !self.no_abstraction };
        if self.no_otf { Method::AtTheEnd } else { Method::OnTheFly(ideas) }
    }

    /// An option that the engine would ignore is a mistake.
    fn refuse_idle_options(&self) -> anyhow::Result<()> {
        let engine = self.chosen();
        let switches = self.no_recurring || self.no_abstraction || self.no_otf;
        if switches && engine != EngineName::Symbolic {
            bail!("--no-recurring, --no-abstraction and --no-otf need --engine symbolic");
        }
        if self.emptiness.is_some() && engine != EngineName::Explicit {
            bail!("--emptiness needs --engine explicit");
        }
        let shuffles = matches!(engine, EngineName::Explicit | EngineName::Hunt);
        if self.seed != 0 && !shuffles {
            bail!("--seed needs --engine explicit");
        }
        if self.por.por && engine != EngineName::Explicit {
            bail!("--por needs --engine explicit");
        }
        if let (Some(option), true) = (self.pins.given(), engine != EngineName::Pins) {
            bail!("{option} needs --engine pins");
        }
        let explicit = matches!(engine, EngineName::Explicit | EngineName::Hunt);
        if self.order.named().is_some() && explicit {
            bail!("--order is for engines on decision diagrams; explicit search has --seed");
        }
        if !self.without.is_empty() && engine != EngineName::Auto {
            bail!("--without needs --engine auto");
        }
        Ok(())
    }
}
