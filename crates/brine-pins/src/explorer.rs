//! The symbolic explorer: diagrams, learned relations, counters.
//!
//! For each group of the [`Plan`] it keeps what was learned so far: the read-projected short
//! vectors that were asked about, and the relation. A member of the relation is a vector
//! over the levels that the group depends on, top level first: for a level that is read its
//! value, for one that is written the new value, for one that is both the old and then the
//! new value. On may-write levels values are shifted by one and 0 is the copy symbol, which
//! must be smallest (MKBP14 section 4.1).

use brine_dd::{Control, Dd, Frames, NodeId, Operator, Stop};
use brine_sat::driver::Operation;

use crate::interface::{Pins, SlotId};
use crate::learn::Learner;
use crate::matrix::Dependency;
use crate::plan::{Plan, PlannedGroup};
use crate::tails::{RowTailId, Tails};

/// The copy symbol on may-write levels of relations.
pub(crate) const COPY: u32 = 0;

/// The operations of an explorer in the client cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PinsOp {
    Saturate,
    Fire,
    RelProd,
    Image,
    Project,
}

impl PinsOp {
    #[inline]
    pub(crate) fn new(op: Operation) -> PinsOp {
        match op {
            Operation::Saturate => PinsOp::Saturate,
            Operation::Fire => PinsOp::Fire,
            Operation::RelProd => PinsOp::RelProd,
            Operation::Image => PinsOp::Image,
        }
    }
}

impl Operator for PinsOp {
    #[inline]
    fn tag(self) -> u32 {
        self as u32
    }
}

/// One group with what is known of it.
#[derive(Debug)]
pub(crate) struct LearnedGroup {
    /// Its row.
    pub(crate) tail: RowTailId,
    /// The read entries of its row.
    pub(crate) reads: RowTailId,
    pub(crate) learner: Learner,
    /// Short vectors that were asked about.
    pub(crate) asked: NodeId,
    /// What the answers were.
    pub(crate) relation: NodeId,
}

/// Work done so far: the columns of MKBP14 Table 4.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Next-state calls, for each group of the plan.
    pub next_state: Vec<u64>,
    /// Calls of LDD-Next (Algorithm 5). Where the algorithm calls itself for the rest of a
    /// list, we go on in a loop and do not count.
    pub ldd_next: u64,
}

/// Sizes of the diagrams at the end of a search: the other columns of Table 4.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sizes {
    /// Nodes of all projections.
    pub projections: usize,
    /// Nodes of all relations.
    pub relations: usize,
}

/// A symbolic explorer of one model.
///
/// ```
/// use brine_dd::Control;
/// use brine_net::Structure;
/// use brine_pins::{Explorer, NetModel, Plan, Strategy};
/// let net = brine_models::fork_join(2);
/// let model = NetModel::new(&net, &Structure::new(&net).bounds);
/// let mut explorer = Explorer::new(&model, &Plan::new(&model), Control::default());
/// let reached = explorer.reach(Strategy::Chaining)?;
/// assert_eq!(explorer.dd.count(reached).to_string(), "5");
/// # Ok::<(), brine_pins::PinsStop>(())
/// ```
pub struct Explorer<'m> {
    /// The diagrams.
    pub dd: Dd,
    pub(crate) model: &'m dyn Pins,
    /// The level of each slot.
    pub(crate) depths: Vec<u32>,
    pub(crate) order: Vec<SlotId>,
    pub(crate) groups: Vec<LearnedGroup>,
    /// Groups that change something, by their top level; as long as there are levels down to
    /// the lowest such top.
    pub(crate) by_top: Vec<Vec<usize>>,
    pub(crate) tails: Tails,
    pub(crate) frames: Frames,
    pub(crate) counters: Counters,
}

impl<'m> Explorer<'m> {
    /// An explorer that has not learned anything yet.
    pub fn new(model: &'m dyn Pins, plan: &Plan, control: Control) -> Self {
        let mut explorer = Explorer {
            dd: Dd::new(control),
            model,
            depths: plan.depths(),
            order: plan.order.clone(),
            groups: Vec::new(),
            by_top: Vec::new(),
            tails: Tails::new(),
            frames: Frames::default(),
            counters: Counters::default(),
        };
        plan.groups.iter().for_each(|group| explorer.add_group(group));
        explorer.counters.next_state = vec![0; plan.groups.len()];
        explorer
    }

    fn add_group(&mut self, group: &PlannedGroup) {
        let depth = |slot: SlotId| self.depths[slot.index()];
        let mut entries = group.entries.clone();
        entries.sort_unstable_by_key(|e| depth(e.0));
        let row: Vec<(u32, Dependency)> = entries.iter().map(|e| (depth(e.0), e.1)).collect();
        // A group that writes nothing leads nowhere new: saturation passes it by.
        if let Some(&(top, _)) = row.first().filter(|_| row.iter().any(|e| e.1.writes())) {
            let levels = self.by_top.len().max(top as usize + 1);
            self.by_top.resize(levels, Vec::new());
            self.by_top[top as usize].push(self.groups.len());
        }
        let reads: Vec<SlotId> = entries.iter().filter(|e| e.1.reads()).map(|e| e.0).collect();
        let (tail, reads) = (self.tails.add(&row), self.read_tail(&reads));
        self.groups.push(LearnedGroup {
            tail,
            reads,
            learner: Learner::new(self.model, &group.members, &entries),
            asked: NodeId::EMPTY,
            relation: NodeId::EMPTY,
        });
    }

    /// The row that reads `slots` and writes nothing.
    pub(crate) fn read_tail(&mut self, slots: &[SlotId]) -> RowTailId {
        let entry = |s: &SlotId| (self.depths[s.index()], Dependency::Read);
        let mut entries: Vec<(u32, Dependency)> = slots.iter().map(entry).collect();
        entries.sort_unstable_by_key(|e| e.0);
        self.tails.add(&entries)
    }

    /// The set of just this state; values in the order of the model's slots.
    pub fn state(&mut self, state: &[u32]) -> Result<NodeId, Stop> {
        let vector: Vec<u32> = self.order.iter().map(|s| state[s.index()]).collect();
        self.dd.singleton(&vector)
    }

    /// A vector of the diagrams as a state: values in the order of the model's slots.
    pub fn to_state(&self, vector: &[u32]) -> Vec<u32> {
        self.depths.iter().map(|&depth| vector[depth as usize]).collect()
    }

    /// Work done so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How large the learned relations are.
    pub fn sizes(&self) -> Sizes {
        let sum = |of: fn(&LearnedGroup) -> NodeId| {
            self.groups.iter().map(|g| self.dd.node_count(of(g))).sum::<usize>()
        };
        Sizes { projections: sum(|g| g.asked), relations: sum(|g| g.relation) }
    }

    /// Collects garbage if it is time; alive are what was learned, what is being built, what
    /// is protected, and `more`.
    pub(crate) fn collect_if_due(&mut self, more: &[NodeId]) {
        if self.dd.collection_due() {
            let learned = self.groups.iter().flat_map(|g| [g.asked, g.relation]);
            self.dd.collect(learned.chain(self.frames.nodes()).chain(more.iter().copied()));
        }
    }
}
