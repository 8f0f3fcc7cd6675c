//! How a model is explored: the order of its slots and the grouping of its steps.
//!
//! A [`Plan`] is the combined matrix with its columns in the order of the diagrams' levels.
//! Everything that may be done to the matrix before a search is done here: columns and
//! rows are moved, rows merged ([`crate::regroup`]), entries coarsened (`w2W`, `W2+`).

use crate::interface::{GroupId, Pins, SlotId};
use crate::matrix::Dependency;

/// A row of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedGroup {
    /// The groups of the model that are explored together.
    pub members: Vec<GroupId>,
    /// Entries that are not copies, ascending by slot; they lie above those of each member.
    pub entries: Vec<(SlotId, Dependency)>,
}

/// A matrix with the order of its columns.
///
/// ```
/// use brine_net::Structure;
/// use brine_pins::{NetModel, Plan};
/// let net = brine_models::fork_join(2);
/// let model = NetModel::new(&net, &Structure::new(&net).bounds);
/// let mut plan = Plan::new(&model);
/// assert_eq!(plan.text()[0], "+w-w-");
/// plan.must_to_may();
/// assert_eq!(plan.text()[0], "+W-W-");
/// plan.may_to_read_write();
/// assert_eq!(plan.text()[0], "++-+-");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The slots, top level first.
    pub order: Vec<SlotId>,
    /// The rows, in the order in which chaining applies them.
    pub groups: Vec<PlannedGroup>,
}

impl Plan {
    /// Slots and groups as the model numbers them.
    pub fn new(model: &dyn Pins) -> Plan {
        let group = |g| PlannedGroup { members: vec![g], entries: model.row(g).combined() };
        Plan {
            order: (0..model.slots() as u32).map(SlotId).collect(),
            groups: (0..model.groups() as u32).map(GroupId).map(group).collect(),
        }
    }

    /// The same with another order of the slots, top level first.
    ///
    /// # Panics
    /// If `order` does not name each slot exactly once.
    pub fn ordered(mut self, order: Vec<SlotId>) -> Plan {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let each = sorted.iter().enumerate().all(|(i, s)| s.index() == i);
        assert!(each && order.len() == self.order.len(), "an order names each slot once");
        self.order = order;
        self
    }

    /// `w2W`: every must-write becomes a may-write.
    pub fn must_to_may(&mut self) {
        self.replace(Dependency::MustWrite, Dependency::MayWrite);
    }

    /// `W2+`: every may-write becomes a read and a write, as if copies were unknown. After
    /// [`Plan::must_to_may`] this is the matrix without separation of reads and writes.
    pub fn may_to_read_write(&mut self) {
        self.replace(Dependency::MayWrite, Dependency::ReadWrite);
    }

    fn replace(&mut self, old: Dependency, new: Dependency) {
        for entry in self.groups.iter_mut().flat_map(|g| &mut g.entries) {
            if entry.1 == old {
                entry.1 = new;
            }
        }
    }

    /// True when each group of the model is in one row, which lies above its own, and each slot
    /// has one level.
    pub(crate) fn is_of(&self, model: &dyn Pins) -> bool {
        let mut slots = self.order.clone();
        slots.sort_unstable();
        let mut members: Vec<GroupId> =
            self.groups.iter().flat_map(|g| g.members.clone()).collect();
        members.sort_unstable();
        let above = |row: &PlannedGroup, g: GroupId| {
            let own = model.row(g);
            let own = |slot| own.dependency(slot);
            row.entries.iter().all(|e| own(e.0).is_below(e.1))
        };
        slots.iter().enumerate().all(|(i, s)| s.index() == i)
            && slots.len() == model.slots()
            && members.iter().enumerate().all(|(i, g)| g.index() == i)
            && members.len() == model.groups()
            && self.groups.iter().all(|row| row.members.iter().all(|&g| above(row, g)))
    }

    /// The level of each slot; 0 is the top.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.order.len()];
        for (depth, slot) in self.order.iter().enumerate() {
            depths[slot.index()] = depth as u32;
        }
        depths
    }

    /// The matrix, one line for each row, columns in the order of the levels.
    pub fn text(&self) -> Vec<String> {
        let depths = self.depths();
        let line = |group: &PlannedGroup| {
            let mut line = vec![Dependency::Copy; self.order.len()];
            group.entries.iter().for_each(|e| line[depths[e.0.index()] as usize] = e.1);
            line.iter().map(Dependency::to_string).collect()
        };
        self.groups.iter().map(line).collect()
    }
}
