//! Atoms of formulas as labels of any model.
//!
//! Formulas speak of places and transitions by number; here place *n* is slot *n* and
//! transition *n* is group *n*. A group can fire where it has a successor, so whoever
//! implements [`Pins`] gets all atoms without writing a line. (Nets have labels of their own,
//! [`crate::NetModel::with_labels`], because enabling reads less than firing.)

use crate::interface::{Emit, Fired, GroupId, GuardId, ModelError, Pins, SlotId, StateLabelId};
use crate::matrix::MatrixRow;
use brine_ltl::Atom;
use brine_net::PlaceId;

/// A model with a label for each atom.
pub struct Labelled<'m> {
    model: &'m dyn Pins,
    labels: Vec<AtomLabel>,
}

struct AtomLabel {
    meaning: AtomMeaning,
    /// The slots that it reads, ascending.
    reads: Vec<SlotId>,
}

enum AtomMeaning {
    /// The values at positions of the short vector, with their factors, sum up to at most the
    /// bound.
    Sum(Vec<(usize, i64)>, i64),
    /// One of the groups has a successor.
    AnyFires(Vec<Look>),
    /// No group has a successor.
    Dead(Vec<Look>),
    /// A label of the model's own.
    Own(StateLabelId),
    /// Nothing that the model could say.
    Undefined(String),
}

/// A group, and where the slots that it reads lie in the label's short vector.
struct Look {
    group: GroupId,
    positions: Vec<usize>,
}

/// Where the slots lie among `reads`, which has them all.
fn positions(slots: &[SlotId], reads: &[SlotId]) -> Vec<usize> {
    slots.iter().filter_map(|s| reads.binary_search(s).ok()).collect()
}

/// The slots in their order, each once.
fn ascending(mut slots: Vec<SlotId>) -> Vec<SlotId> {
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The label that a model calls by a name.
pub fn own_label(model: &dyn Pins, name: &str) -> Option<StateLabelId> {
    (0..model.labels() as u32).map(StateLabelId).find(|&label| model.label_name(label) == name)
}

impl AtomLabel {
    fn new(model: &dyn Pins, atom: &Atom) -> Self {
        match atom {
            Atom::Linear(linear) => {
                let slot = |p: PlaceId| SlotId(p.0);
                let reads = ascending(linear.terms.iter().map(|t| slot(t.0)).collect());
                assert!(reads.iter().all(|s| s.index() < model.slots()), "about another model");
                let place =
                    |&(p, c): &(PlaceId, i64)| reads.binary_search(&slot(p)).ok().map(|at| (at, c));
                let terms = linear.terms.iter().filter_map(place).collect();
                AtomLabel { meaning: AtomMeaning::Sum(terms, linear.bound), reads }
            }
            Atom::Fireable(transitions) => {
                let groups: Vec<GroupId> = transitions.iter().map(|t| GroupId(t.0)).collect();
                assert!(groups.iter().all(|g| g.index() < model.groups()), "about another model");
                AtomLabel::of_groups(model, &groups, AtomMeaning::AnyFires)
            }
            Atom::Deadlock => {
                let all: Vec<GroupId> = (0..model.groups() as u32).map(GroupId).collect();
                AtomLabel::of_groups(model, &all, AtomMeaning::Dead)
            }
            Atom::Fires(_) => Atom::refuse_event(),
            Atom::Prop(name) => match own_label(model, name) {
                Some(label) => AtomLabel {
                    meaning: AtomMeaning::Own(label),
                    reads: model.label_reads(label).to_vec(),
                },
                None => {
                    AtomLabel { meaning: AtomMeaning::Undefined(name.clone()), reads: Vec::new() }
                }
            },
        }
    }

    fn of_groups(
        model: &dyn Pins,
        groups: &[GroupId],
        meaning: fn(Vec<Look>) -> AtomMeaning,
    ) -> Self {
        let reads = ascending(groups.iter().flat_map(|&g| model.row(g).read()).copied().collect());
        let look = |&group: &GroupId| Look {
            group,
            positions: positions(model.row(group).read(), &reads),
        };
        let meaning = meaning(groups.iter().map(look).collect());
        AtomLabel { meaning, reads }
    }
}

impl<'m> Labelled<'m> {
    /// The model with the atoms as labels, in this order.
    ///
    /// # Panics
    ///
    /// If an atom speaks of a slot or a group that the model does not have.
    pub fn new(model: &'m dyn Pins, atoms: &[Atom]) -> Self {
        Labelled { model, labels: atoms.iter().map(|a| AtomLabel::new(model, a)).collect() }
    }

    /// Whether one of the groups has a successor, given the label's short vector.
    fn any_fires(&self, looks: &[Look], values: &[u32]) -> Result<bool, ModelError> {
        for Look { group, positions } in looks {
            let short: Vec<u32> = positions.iter().map(|&at| values[at]).collect();
            let mut fires = false;
            self.model.next(*group, &short, &mut |_| fires = true)?;
            if fires {
                return Ok(true);
            }
        }
        Ok(false)
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

    fn row(&self, group: GroupId) -> &MatrixRow {
        self.model.row(group)
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        self.model.next(group, reads, emit)
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        self.model.step(group, state)
    }

    fn largest(&self, slot: SlotId) -> u32 {
        self.model.largest(slot)
    }

    fn needs(&self, group: GroupId) -> Option<(SlotId, u32)> {
        self.model.needs(group)
    }

    fn guards(&self) -> usize {
        self.model.guards()
    }

    fn guards_of(&self, group: GroupId) -> &[GuardId] {
        self.model.guards_of(group)
    }

    fn sure_guards(&self, group: GroupId) -> usize {
        self.model.sure_guards(group)
    }

    fn guard_reads(&self, guard: GuardId) -> &[SlotId] {
        self.model.guard_reads(guard)
    }

    fn guard_holds(&self, guard: GuardId, state: &[u32]) -> bool {
        self.model.guard_holds(guard, state)
    }

    fn guard_value(&self, guard: GuardId) -> Option<(SlotId, u32)> {
        self.model.guard_value(guard)
    }

    fn sets(&self, group: GroupId) -> &[(SlotId, u32)] {
        self.model.sets(group)
    }

    fn moves(&self, group: GroupId, state: &[u32]) -> Result<bool, ModelError> {
        self.model.moves(group, state)
    }

    fn fire(
        &self,
        group: GroupId,
        state: &[u32],
        scratch: &mut Vec<u32>,
        emit: &mut dyn FnMut(Fired, &[u32]),
    ) -> Result<(), ModelError> {
        self.model.fire(group, state, scratch, emit)
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn label_reads(&self, label: StateLabelId) -> &[SlotId] {
        &self.labels[label.index()].reads
    }

    fn label(&self, label: StateLabelId, values: &[u32]) -> Result<bool, ModelError> {
        match &self.labels[label.index()].meaning {
            AtomMeaning::Sum(terms, bound) => {
                let term = |&(at, c): &(usize, i64)| i128::from(c) * i128::from(values[at]);
                Ok(terms.iter().map(term).sum::<i128>() <= i128::from(*bound))
            }
            AtomMeaning::AnyFires(looks) => self.any_fires(looks, values),
            AtomMeaning::Dead(looks) => Ok(!self.any_fires(looks, values)?),
            AtomMeaning::Own(label) => self.model.label(*label, values),
            AtomMeaning::Undefined(name) => {
                Err(ModelError(format!("the model says nothing about the proposition {name}")))
            }
        }
    }
}
