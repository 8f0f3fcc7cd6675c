//! Which engine, with which options: one description for command lines, plans and campaigns.
//!
//! An [`EngineSpec`] holds only options that its engine looks at; what does not fit together
//! cannot be written down. It is read from words as users give them, which are gathered in
//! [`EngineOptions`] first (the engine may follow from the options), and printed as such words.
//! [`EngineSpec::build`] makes the engine for a net.

mod build;
mod names;
mod words;

pub use build::{Decider, SetupError};
pub use names::{EngineName, StageName};
pub use words::{EngineOptions, UnknownOption, parse_emptiness, parse_strategy, parse_strength};

pub(crate) use build::candidates_of;

use crate::auto::Stages;
use crate::branching::MarkingsWays;
use brine_explicit::Emptiness;
use brine_explicit::por::Por;
use brine_net::order::OrderSpec;
use brine_pins::{MatrixOptions, Strategy};
use brine_scc::{Hull, Method};

/// An engine with its options.
///
/// ```
/// use brine_check::EngineSpec;
/// let spec: EngineSpec = "--engine explicit --emptiness ndfs --seed 7".parse().unwrap();
/// assert!(matches!(spec, EngineSpec::Explicit { seed: 7, .. }));
/// assert_eq!(spec.to_string(), "--engine explicit --emptiness ndfs --seed 7");
/// assert!("--engine symbolic --por".parse::<EngineSpec>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSpec {
    /// All of them, cheap things first.
    Auto {
        /// What is tried.
        stages: Stages,
        /// The order of levels of symbolic search.
        order: Option<OrderSpec>,
    },
    /// Explicit search over the product.
    Explicit {
        /// The emptiness check; by the automaton's class if there is none.
        emptiness: Option<Emptiness>,
        /// Permutes the firing order; 0 keeps the net's.
        seed: u64,
        /// Partial-order reduction, where it applies.
        por: Option<Por>,
    },
    /// Nothing but the hunt for violations.
    Hunt {
        /// What walks are drawn with.
        seed: u64,
    },
    /// Saturation of the product. The method tells `symbolic`, `hull-el` and `hull-owcty` apart.
    Symbolic {
        /// How accepting cycles are found.
        method: Method,
        /// The order of levels.
        order: Option<OrderSpec>,
    },
    /// Relations learned through the state-vector interface.
    Pins {
        /// How they are searched.
        pins: PinsSpec,
        /// The order of levels.
        order: Option<OrderSpec>,
    },
}

/// How a model is searched through the state-vector interface.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PinsSpec {
    /// The order of images.
    pub strategy: Strategy,
    /// What is done to the matrix first.
    pub matrix: MatrixOptions,
}

impl Default for EngineSpec {
    fn default() -> Self {
        EngineSpec::Auto { stages: Stages::default(), order: None }
    }
}

impl EngineSpec {
    /// The engine's name.
    pub fn name(&self) -> EngineName {
        match self {
            EngineSpec::Auto { .. } => EngineName::Auto,
            EngineSpec::Explicit { .. } => EngineName::Explicit,
            EngineSpec::Hunt { .. } => EngineName::Hunt,
            EngineSpec::Symbolic { method: Method::Hull(Hull::EmersonLei), .. } => {
                EngineName::HullEl
            }
            EngineSpec::Symbolic { method: Method::Hull(Hull::Owcty), .. } => EngineName::HullOwcty,
            EngineSpec::Symbolic { .. } => EngineName::Symbolic,
            EngineSpec::Pins { .. } => EngineName::Pins,
        }
    }

    /// How all reachable markings are found where properties are checked with this engine, if they
    /// can be.
    pub fn markings(&self) -> Option<MarkingsWays> {
        match self {
            EngineSpec::Auto { order, .. } => {
                Some(MarkingsWays { order: *order, ..MarkingsWays::default() })
            }
            EngineSpec::Explicit { .. } => {
                Some(MarkingsWays { explicit: true, symbolic: false, order: None })
            }
            EngineSpec::Symbolic { order, .. } => {
                Some(MarkingsWays { explicit: false, symbolic: true, order: *order })
            }
            EngineSpec::Hunt { .. } | EngineSpec::Pins { .. } => None,
        }
    }

    /// Whether the stages of `auto` answer.
    pub fn is_auto(&self) -> bool {
        self.name() == EngineName::Auto
    }
}
