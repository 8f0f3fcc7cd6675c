//! Nets through the interface: a slot for each place, a group for each transition.
//!
//! What a transition does to a place is [`brine_net::dependencies`]: an input place is read
//! and written, or only read by a loop; an output place is read and written, too, unless it
//! is *proved* to hold at most one token: then a transition that puts one writes 1 whatever
//! was there, because in reachable markings it was 0. Labels are the atoms of formulas.

use crate::interface::{Emit, GroupId, ModelError, Pins, SlotId, StateLabelId};
use crate::matrix::MatrixRow;
use brine_ltl::Atom;
use brine_net::{Bounds, Net, PlaceDependency, PlaceId, TransitionId, dependencies};

/// A net as a [`Pins`] model.
///
/// ```
/// use brine_net::Structure;
/// use brine_pins::{NetModel, matrix_text};
/// let net = brine_models::fork_join(2);
/// let model = NetModel::new(&net, &Structure::new(&net).bounds);
/// // The first rows of MKBP14 Table 2, without the added variables.
/// assert_eq!(matrix_text(&model)[..2], ["+w-w-", "-+w--"]);
/// ```
#[derive(Debug)]
pub struct NetModel<'n> {
    net: &'n Net,
    groups: Vec<NetFiring>,
    labels: Vec<NetLabel>,
}

/// One transition, prepared for short vectors.
#[derive(Debug)]
struct NetFiring {
    row: MatrixRow,
    /// Tokens needed at each position of the short vector.
    needs: Vec<u32>,
    writes: Vec<Write>,
}

/// The new value of a written place.
#[derive(Clone, Copy, Debug)]
enum Write {
    /// A constant.
    Put(u32),
    /// The value at a position of the short vector, less what is taken, more what is put.
    Move { position: usize, take: u32, put: u32 },
}

#[derive(Debug)]
struct NetLabel {
    atom: Atom,
    reads: Vec<SlotId>,
}

fn slot(p: PlaceId) -> SlotId {
    SlotId(p.0)
}

fn weight(arcs: &[(PlaceId, u32)], p: PlaceId) -> u32 {
    arcs.binary_search_by_key(&p, |a| a.0).map_or(0, |i| arcs[i].1)
}

impl<'n> NetModel<'n> {
    /// A net without labels; `bounds` must be proved.
    pub fn new(net: &'n Net, bounds: &Bounds) -> Self {
        let groups = net.transition_ids().map(|t| NetFiring::new(net, bounds, t)).collect();
        NetModel { net, groups, labels: Vec::new() }
    }

    /// The same with a label for each atom.
    pub fn with_labels(mut self, atoms: &[Atom]) -> Self {
        let label = |atom: &Atom| NetLabel { atom: atom.clone(), reads: reads(self.net, atom) };
        self.labels = atoms.iter().map(label).collect();
        self
    }
}

impl NetFiring {
    fn new(net: &Net, bounds: &Bounds, t: TransitionId) -> Self {
        let transition = net.transition(t);
        let entries = dependencies(net, bounds, t);
        let of = |kinds: &[PlaceDependency]| -> Vec<PlaceId> {
            entries.iter().filter(|e| kinds.contains(&e.1)).map(|e| e.0).collect()
        };
        let read = of(&[PlaceDependency::Read, PlaceDependency::ReadWrite]);
        let written = of(&[PlaceDependency::Write, PlaceDependency::ReadWrite]);
        let write = |&p: &PlaceId| {
            let (take, put) = (weight(transition.pre, p), weight(transition.post, p));
            match read.binary_search(&p) {
                Ok(position) => Write::Move { position, take, put },
                Err(_) => Write::Put(put),
            }
        };
        let slots = |places: &[PlaceId]| places.iter().map(|&p| slot(p)).collect::<Vec<_>>();
        NetFiring {
            needs: read.iter().map(|&p| weight(transition.pre, p)).collect(),
            writes: written.iter().map(write).collect(),
            row: MatrixRow::new(slots(&read), slots(&written), Vec::new()),
        }
    }
}

/// The slots that an atom looks at.
fn reads(net: &Net, atom: &Atom) -> Vec<SlotId> {
    let inputs = |t: TransitionId| net.transition(t).pre.iter().map(|a| slot(a.0));
    let mut slots: Vec<SlotId> = match atom {
        Atom::Linear(linear) => linear.terms.iter().map(|t| slot(t.0)).collect(),
        Atom::Fireable(transitions) => transitions.iter().flat_map(|&t| inputs(t)).collect(),
        Atom::Deadlock => net.transition_ids().flat_map(inputs).collect(),
        Atom::Prop(_) | Atom::Fires(_) => Vec::new(),
    };
    slots.sort_unstable();
    slots.dedup();
    slots
}

fn too_many(net: &Net, t: GroupId) -> ModelError {
    let name = &net.transition(TransitionId(t.0)).id();
    ModelError(format!("transition {name} puts more than 4294967295 tokens into a place"))
}

impl Pins for NetModel<'_> {
    fn slots(&self) -> usize {
        self.net.places().len()
    }

    fn slot_name(&self, slot: SlotId) -> String {
        self.net.place(PlaceId(slot.0)).id().into_owned()
    }

    fn initial(&self) -> Vec<u32> {
        self.net.initial_marking()
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn group_name(&self, group: GroupId) -> String {
        self.net.transition(TransitionId(group.0)).id().into_owned()
    }

    fn row(&self, group: GroupId) -> &MatrixRow {
        &self.groups[group.index()].row
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        let firing = &self.groups[group.index()];
        if firing.needs.iter().zip(reads).any(|(need, tokens)| tokens < need) {
            return Ok(());
        }
        let mut successor = Vec::with_capacity(firing.writes.len());
        for write in &firing.writes {
            let value = match *write {
                Write::Put(value) => Some(value),
                Write::Move { position, take, put } => (reads[position] - take).checked_add(put),
            };
            successor.push(Some(value.ok_or_else(|| too_many(self.net, group))?));
        }
        emit(&successor);
        Ok(())
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        let transition = self.net.transition(TransitionId(group.0));
        let mut after = state.to_vec();
        for &(p, w) in transition.pre {
            let Some(left) = after[p.index()].checked_sub(w) else { return Ok(Vec::new()) };
            after[p.index()] = left;
        }
        for &(p, w) in transition.post {
            let sum = after[p.index()].checked_add(w);
            after[p.index()] = sum.ok_or_else(|| too_many(self.net, group))?;
        }
        Ok(vec![after])
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn label_reads(&self, label: StateLabelId) -> &[SlotId] {
        &self.labels[label.index()].reads
    }

    fn label(&self, label: StateLabelId, reads: &[u32]) -> Result<bool, ModelError> {
        let NetLabel { atom, reads: slots } = &self.labels[label.index()];
        let tokens = |p: PlaceId| slots.binary_search(&slot(p)).map_or(0, |i| reads[i]);
        let enabled =
            |t: TransitionId| self.net.transition(t).pre.iter().all(|&(p, w)| tokens(p) >= w);
        match atom {
            Atom::Linear(linear) => {
                let term = |&(p, c): &(PlaceId, i64)| i128::from(c) * i128::from(tokens(p));
                Ok(linear.terms.iter().map(term).sum::<i128>() <= i128::from(linear.bound))
            }
            Atom::Fireable(transitions) => Ok(transitions.iter().any(|&t| enabled(t))),
            Atom::Deadlock => Ok(!self.net.transition_ids().any(enabled)),
            Atom::Prop(name) => {
                Err(ModelError(format!("the net says nothing about the proposition {name}")))
            }
            Atom::Fires(_) => Atom::refuse_event(),
        }
    }
}
