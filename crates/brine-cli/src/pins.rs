//! The state-vector interface on the command line: its options, and what it tells.

use brine_dd::{NodeId, Stop, with_deep_stack};
use brine_net::PlaceId;
use brine_net::order::{Candidate, Grouping, Heuristic, Layout, OrderSpec};
use brine_pins::{
    Explorer, Failure, GroupId, MatrixOptions, Operation, Pins, Plan, Regroup, SlotId, Strategy,
};
use brine_run::Control;
use serde::Serialize;

/// What `--regroup` does without a list.
const REGROUP: &str = "ru,cs,rs,cw,rs";

/// Options of `--engine pins`.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PinsArgs {
    /// PINS: how to search: bfs, bfs-prev, chain or sat [default: sat]
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    strategy: Option<Strategy>,
    /// PINS: change the matrix first: ru merges rows, rs sorts them, cs sorts columns, cw swaps
    /// them [default: ru,cs,rs,cw,rs]
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true,
        default_missing_value = REGROUP)]
    regroup: Option<Regroup>,
    /// PINS: treat every must-write as a may-write
    #[arg(long = "w2W")]
    must_to_may: bool,
    /// PINS: treat every may-write as a read and a write
    #[arg(long = "W2+")]
    may_to_read_write: bool,
}

fn strategy(name: &str) -> Result<Strategy, String> {
    Strategy::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        format!("unknown strategy \"{name}\"; known are {names}")
    })
}

impl PinsArgs {
    /// The first option that only makes sense with `--engine pins`, if one was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.strategy.is_some(), "--strategy"),
            (self.regroup.is_some(), "--regroup"),
            (self.must_to_may, "--w2W"),
            (self.may_to_read_write, "--W2+"),
        ];
        options.into_iter().find(|o| o.0).map(|o| o.1)
    }

    /// What to do to the matrix.
    pub(crate) fn matrix(&self) -> MatrixOptions {
        MatrixOptions {
            must_to_may: self.must_to_may,
            may_to_read_write: self.may_to_read_write,
            regroup: self.regroup.clone().unwrap_or_default(),
        }
    }

    /// How to search.
    pub(crate) fn strategy(&self) -> Strategy {
        self.strategy.unwrap_or_default()
    }

    /// Orders of levels with one place each: slots are places. When the matrix says where its
    /// columns go, the orders to start from do not matter, and one is enough.
    pub(crate) fn orders(
        &self,
        candidates: &[Candidate],
        control: &Control,
    ) -> Result<Vec<Candidate>, Stop> {
        let single = |candidate: &Candidate| {
            let places = candidate.layout.levels.iter().flatten();
            let layout = Layout { levels: places.map(|&p| vec![p]).collect() };
            Candidate { layout, ..candidate.clone() }
        };
        let sorted = self.matrix().regroup.0.contains(&Operation::ColumnSort);
        let count = if sorted { 1 } else { candidates.len() };
        let mut orders: Vec<Candidate> = Vec::new();
        for candidate in candidates.iter().take(count) {
            control.look()?;
            orders.push(single(candidate));
        }
        // The scores were made for groups of places. Authors write places in an order that
        // makes sense, so theirs is the second to be tried (Vasy2003 is done by no other).
        let given = OrderSpec {
            grouping: Some(Grouping::Places),
            heuristic: Heuristic::Given,
            force: false,
            reversed: false,
        };
        if let Some(at) = orders.iter().skip(1).position(|c| c.spec == given) {
            orders[1..=at + 1].rotate_right(1);
        }
        Ok(orders)
    }
}

/// The slots of a layout with one place a level, top level first.
pub(crate) fn slots(layout: &Layout) -> Vec<SlotId> {
    layout.levels.iter().rev().flatten().map(|p| SlotId(p.0)).collect()
}

/// The layout of a plan for a net.
pub(crate) fn layout(plan: &Plan) -> Layout {
    Layout { levels: plan.order.iter().rev().map(|s| vec![PlaceId(s.0)]).collect() }
}

/// A finished exploration.
pub(crate) struct Explored<'m> {
    pub(crate) explorer: Explorer<'m>,
    pub(crate) reached: NodeId,
    pub(crate) plan: Plan,
}

/// Explores a model whose slots come in `order`, top level first.
pub(crate) fn explore<'m>(
    model: &'m dyn Pins,
    args: &PinsArgs,
    order: Vec<SlotId>,
    control: &Control,
) -> Result<Explored<'m>, Failure> {
    control.look().map_err(Failure::Stop)?;
    let plan = args.matrix().plan(model, order);
    control.look().map_err(Failure::Stop)?;
    let run = || {
        let mut explorer = Explorer::new(model, &plan, control.clone());
        let reached = explorer.reach(args.strategy())?;
        Ok((explorer, reached))
    };
    // A thread that the system refuses is a lack of memory.
    let (explorer, reached) =
        with_deep_stack(model.slots(), run).unwrap_or(Err(Failure::Stop(Stop::Memory)))?;
    Ok(Explored { explorer, reached, plan })
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
    pub(crate) fn new(explored: &Explored<'_>, model: &dyn Pins, args: &PinsArgs) -> Self {
        let counters = explored.explorer.counters();
        let sizes = explored.explorer.sizes();
        // The first one, if there are several.
        let groups = explored.plan.groups.iter().zip(&counters.next_state).rev();
        let widest = groups.max_by_key(|(g, _)| g.entries.len()).map(|(g, &calls)| Widest {
            group: g.members.first().map_or_else(String::new, |&m: &GroupId| model.group_name(m)),
            slots: g.entries.len(),
            reads: g.entries.iter().filter(|e| e.1.reads()).count(),
            next_state_calls: calls,
        });
        Figures {
            strategy: args.strategy().name(),
            groups: explored.plan.groups.len(),
            slots: explored.plan.order.len(),
            next_state_calls: counters.next_state.iter().sum(),
            ldd_next_calls: counters.ldd_next,
            projection_nodes: sizes.projections,
            relation_nodes: sizes.relations,
            widest,
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
