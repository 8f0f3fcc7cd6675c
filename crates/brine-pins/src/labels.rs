//! Atoms of formulas as labels of any model.
//!
//! Formulas speak of places and transitions by number; here place *n* is slot *n* and
//! transition *n* is group *n*. A group can fire where it has a successor, so whoever
//! implements [`Pins`] gets all atoms without writing a line. (Nets have labels of their own,
//! [`crate::NetModel::with_labels`], because enabling reads less than firing.)

use crate::interface::{Emit, GroupId, LabelId, ModelError, Pins, SlotId};
use crate::matrix::Row;
use brine_ltl::Atom;

/// A model with a label for each atom.
pub struct Labelled<'m> {
    model: &'m dyn Pins,
    labels: Vec<Label>,
}

struct Label {
    meaning: Meaning,
    reads: Vec<SlotId>,
}

enum Meaning {
    /// The sum of slots with their factors is at most the bound.
    Sum(Vec<(SlotId, i64)>, i64),
    /// One of the groups has a successor.
    Some(Vec<GroupId>),
    /// No group has a successor.
    None,
    /// Nothing that a model could say.
    Open(String),
}

impl Label {
    fn new(model: &dyn Pins, atom: &Atom) -> Self {
        let all = || (0..model.groups() as u32).map(GroupId);
        let meaning = match atom {
            Atom::Linear(linear) => {
                let terms = linear.terms.iter().map(|&(p, c)| (SlotId(p.0), c)).collect();
                Meaning::Sum(terms, linear.bound)
            }
            Atom::Fireable(transitions) => {
                Meaning::Some(transitions.iter().map(|t| GroupId(t.0)).collect())
            }
            Atom::Deadlock => Meaning::None,
            Atom::Prop(name) => Meaning::Open(name.clone()),
        };
        let row = |g: GroupId| model.row(g).read().iter().copied();
        let mut reads: Vec<SlotId> = match &meaning {
            Meaning::Sum(terms, _) => terms.iter().map(|t| t.0).collect(),
            Meaning::Some(groups) => groups.iter().flat_map(|&g| row(g)).collect(),
            Meaning::None => all().flat_map(row).collect(),
            Meaning::Open(_) => Vec::new(),
        };
        reads.sort_unstable();
        reads.dedup();
        Label { meaning, reads }
    }
}

impl<'m> Labelled<'m> {
    /// The model with the atoms as labels, in this order.
    pub fn new(model: &'m dyn Pins, atoms: &[Atom]) -> Self {
        Labelled { model, labels: atoms.iter().map(|a| Label::new(model, a)).collect() }
    }

    /// Whether a group has a successor, given the values of the slots `reads`.
    fn fires(&self, group: GroupId, slots: &[SlotId], values: &[u32]) -> Result<bool, ModelError> {
        let value = |s: &SlotId| slots.binary_search(s).map_or(0, |i| values[i]);
        let short: Vec<u32> = self.model.row(group).read().iter().map(value).collect();
        let mut fires = false;
        self.model.next(group, &short, &mut |_| fires = true)?;
        Ok(fires)
    }

    fn any_fires(
        &self,
        mut groups: impl Iterator<Item = GroupId>,
        slots: &[SlotId],
        values: &[u32],
    ) -> Result<bool, ModelError> {
        groups.try_fold(false, |any, g| Ok(any || self.fires(g, slots, values)?))
    }
}

impl Pins for Labelled<'_> {
    fn slots(&self) -> usize {
        self.model.slots()
    }

    fn slot_name(&self, slot: SlotId) -> String {
        self.model.slot_name(slot)
    }

    fn initial(&self) -> Vec<u32> {
        self.model.initial()
    }

    fn groups(&self) -> usize {
        self.model.groups()
    }

    fn group_name(&self, group: GroupId) -> String {
        self.model.group_name(group)
    }

    fn row(&self, group: GroupId) -> &Row {
        self.model.row(group)
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        self.model.next(group, reads, emit)
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        self.model.step(group, state)
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn label_reads(&self, label: LabelId) -> &[SlotId] {
        &self.labels[label.index()].reads
    }

    fn label(&self, label: LabelId, values: &[u32]) -> Result<bool, ModelError> {
        let Label { meaning, reads } = &self.labels[label.index()];
        match meaning {
            Meaning::Sum(terms, bound) => {
                let value = |s: &SlotId| reads.binary_search(s).map_or(0, |i| values[i]);
                let sum: i128 =
                    terms.iter().map(|(s, c)| i128::from(*c) * i128::from(value(s))).sum();
                Ok(sum <= i128::from(*bound))
            }
            Meaning::Some(groups) => self.any_fires(groups.iter().copied(), reads, values),
            Meaning::None => {
                let all = (0..self.groups() as u32).map(GroupId);
                Ok(!self.any_fires(all, reads, values)?)
            }
            Meaning::Open(name) => {
                Err(ModelError(format!("the model says nothing about the proposition {name}")))
            }
        }
    }
}
