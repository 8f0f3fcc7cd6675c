//! The state-vector interface on the command line: its options, and what it tells.

use brine_check::{EngineOptions, PinsFigures, parse_strategy};
use brine_pins::{Regroup, Strategy};
use serde::Serialize;

/// Options of `--engine pins`.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "State-vector engine (--engine pins)")]
pub(crate) struct PinsArgs {
    /// PINS: how to search: bfs, bfs-prev, chain or sat [default: sat]
    #[arg(long, value_name = "NAME", value_parser = parse_strategy, hide_short_help = true)]
    strategy: Option<Strategy>,
    /// PINS: change the matrix first: ru merges rows, rs sorts them, cs sorts columns, cw swaps
    /// them [default: ru,cs,rs,cw,rs]
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true,
        default_missing_value = EngineOptions::REGROUP, hide_short_help = true)]
    regroup: Option<Regroup>,
    /// PINS: treat every must-write as a may-write
    #[arg(long = "w2W", hide_short_help = true)]
    must_to_may: bool,
    /// PINS: treat every may-write as a read and a write
    #[arg(long = "W2+", hide_short_help = true)]
    may_to_read_write: bool,
}

impl PinsArgs {
    /// Writes down what was given.
    pub(crate) fn fill(&self, options: &mut EngineOptions) {
        options.strategy = self.strategy;
        options.regroup.clone_from(&self.regroup);
        options.must_to_may = self.must_to_may;
        options.may_to_read_write = self.may_to_read_write;
    }
}

/// The columns of MKBP14 Table 4, in JSON.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Figures {
    strategy: &'static str,
    groups: usize,
    slots: usize,
    next_state_calls: u64,
    ldd_next_calls: u64,
    projection_nodes: usize,
    relation_nodes: usize,
    /// The group that depends on most slots.
    widest: Option<Widest>,
}

#[derive(Serialize, Clone, Debug)]
struct Widest {
    group: String,
    slots: usize,
    reads: usize,
    next_state_calls: u64,
}

impl Figures {
    pub(crate) fn new(figures: &PinsFigures) -> Self {
        let f = figures.clone();
        Figures {
            strategy: f.strategy,
            groups: f.groups,
            slots: f.slots,
            next_state_calls: f.next_state_calls,
            ldd_next_calls: f.ldd_next_calls,
            projection_nodes: f.projection_nodes,
            relation_nodes: f.relation_nodes,
            widest: f.widest.map(|w| Widest {
                group: w.group,
                slots: w.slots,
                reads: w.reads,
                next_state_calls: w.next_state_calls,
            }),
        }
    }

    /// Lines for `--stats`.
    pub(crate) fn print(&self) {
        eprintln!("strategy: {}", self.strategy);
        eprintln!("matrix: {} groups, {} slots", self.groups, self.slots);
        eprintln!("next-state calls: {}", self.next_state_calls);
        if let Some(Widest { group, slots, reads, next_state_calls }) = &self.widest {
            eprintln!(
                "widest group: {group} depends on {slots} slots, reads {reads}, was asked \
                 {next_state_calls} times"
            );
        }
        eprintln!("LDD-Next calls: {}", self.ldd_next_calls);
        eprintln!("projections: {} nodes", self.projection_nodes);
        eprintln!("relation: {} nodes", self.relation_nodes);
    }
}
