//! Verdicts and figures: what every engine answers with.

use brine_explicit::graph::SearchStats;
use brine_explicit::por::PorUse;
use brine_net::Run;
use brine_net::order::OrderSpec;
use brine_run::Stop;
use brine_scc::SccStats;
use num_bigint::BigUint;
use std::fmt;

/// The answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every run satisfies the formula.
    Holds,
    /// This run does not. `None`: some run does not, but none was found within the
    /// witness budget.
    Violated(Option<Run>),
    /// No answer.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time is up.
    Timeout,
    /// The memory budget is used up.
    Memory,
    /// The caller gave up.
    Cancelled,
    /// The steps that the engine was given are used up; it could go on.
    Steps,
    /// The engine cannot deal with this question.
    Unsupported(String),
}

impl Reason {
    /// The net has a reachable marking that cannot be written down.
    pub(crate) fn overflow() -> Self {
        Reason::Unsupported("a place with more than 4294967295 tokens".to_owned())
    }

    /// The question is about events or fair runs, of which `who` knows nothing.
    pub(crate) fn without_events(who: &str) -> Self {
        Reason::Unsupported(format!(
            "{who} knows nothing of fires(...) and fairness; --engine auto, explicit and symbolic do"
        ))
    }

    /// The word used in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Cancelled => "cancelled",
            Reason::Steps => "steps",
            Reason::Unsupported(_) => "unsupported",
        }
    }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Timeout => Reason::Timeout,
            Stop::Memory | Stop::Runaway => Reason::Memory,
            Stop::Cancelled => Reason::Cancelled,
            Stop::Work => Reason::Steps,
            Stop::Overflow => Reason::overflow(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unsupported(what) => write!(f, "{what}"),
            other => f.write_str(other.word()),
        }
    }
}

/// Figures of one run of an engine. What an engine does not know is `None`.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// States of the product that were visited.
    pub product_states: Option<BigUint>,
    /// The most nodes of decision diagrams at any time.
    pub peak_nodes: Option<u64>,
    /// The order of levels that led to the answer.
    pub order: Option<OrderSpec>,
    /// The columns of MVDBM16, Table 1.
    pub scc: Option<SccStats>,
    /// Markings stored.
    pub states_stored: Option<u64>,
    /// The most bytes the engine's structures took.
    pub peak_bytes: Option<u64>,
    /// The emptiness check of the explicit engine.
    pub emptiness: Option<&'static str>,
    /// The columns of SE05, Table 1.
    pub search: Option<SearchStats>,
    /// Whether partial-order reduction was applied, if it was asked for.
    pub por: Option<PorUse>,
}
