//! The synchronous product of a model and an automaton, as a model.
//!
//! The last slot holds a *control state*: a state of the automaton together with the
//! acceptance marks of the edge that led to it, so that acceptance becomes a matter of
//! states. A step fires a group of the model and lets the automaton read the letter of the
//! state that is *left*: `(s, q) -> (s', q')` with `s -> s'` and `q -> q'` under `L(s)`.
//!
//! There is one group for each pair of a group of the model and a label of the automaton.
//! It reads what its group reads, what the atoms of its label read, and the control state;
//! so a label that looks at few places makes few slots dependent.

use brine_ltl::{Automaton, LabelId as EdgeLabel, StateId};
use rustc_hash::FxHashMap;

use crate::interface::{Emit, GroupId, LabelId, ModelError, Pins, SlotId};
use crate::matrix::Row;

/// The product of a model and an automaton. The model's labels must be the automaton's atoms,
/// in the same order.
pub struct Product<'a> {
    pub(super) model: &'a dyn Pins,
    pub(super) automaton: &'a Automaton,
    control: Control,
    groups: Vec<Group>,
}

/// One group of the model under one label of the automaton.
struct Group {
    of: GroupId,
    label: EdgeLabel,
    row: Row,
    /// Where the slots that the model's group reads lie in the short vector.
    reads: Vec<usize>,
    /// The atoms of the label, with where the slots that they read lie.
    atoms: Vec<(LabelId, Vec<usize>)>,
}

/// Control states and their edges.
struct Control {
    /// State and the marks on the way to it.
    states: Vec<(StateId, u64)>,
    /// For each automaton state, its edges as (label, control state).
    edges: Vec<Vec<(EdgeLabel, u32)>>,
}

impl Control {
    fn new(automaton: &Automaton) -> Self {
        let mut states = vec![(automaton.initial(), 0)];
        let mut ids: FxHashMap<(StateId, u64), u32> = FxHashMap::default();
        ids.insert(states[0], 0);
        let mut edges = vec![Vec::new(); automaton.num_states()];
        for e in automaton.edges() {
            let new = states.len() as u32;
            let id = *ids.entry((e.dst, e.marks)).or_insert(new);
            if id == new {
                states.push((e.dst, e.marks));
            }
            edges[e.src.index()].push((e.label, id));
        }
        Control { states, edges }
    }

    /// Where a control state may go under a label.
    fn targets(&self, state: u32, label: EdgeLabel) -> impl Iterator<Item = u32> + '_ {
        let (q, _) = self.states[state as usize];
        self.edges[q.index()].iter().filter(move |e| e.0 == label).map(|e| e.1)
    }
}

impl<'a> Product<'a> {
    /// The product. Labels that no edge carries have no groups.
    pub fn new(model: &'a dyn Pins, automaton: &'a Automaton) -> Self {
        let control_slot = SlotId(model.slots() as u32);
        let mut used: Vec<EdgeLabel> = automaton.edges().iter().map(|e| e.label).collect();
        used.sort_unstable();
        used.dedup();
        let mut groups = Vec::new();
        for of in (0..model.groups() as u32).map(GroupId) {
            let group = |&label: &EdgeLabel| Group::new(model, automaton, of, label, control_slot);
            groups.extend(used.iter().map(group));
        }
        Product { model, automaton, control: Control::new(automaton), groups }
    }

    /// The slot of the control state.
    pub fn control_slot(&self) -> SlotId {
        SlotId(self.model.slots() as u32)
    }

    /// How many fair sets an accepting cycle has to meet; at least one.
    pub(super) fn fair_sets(&self) -> u32 {
        self.automaton.num_marks().max(1)
    }

    /// Whether a control state is in a fair set: its mark was on the way here. Without marks
    /// every state is.
    pub(super) fn is_fair(&self, control: u32, set: u32) -> bool {
        self.automaton.num_marks() == 0 || self.control.states[control as usize].1 >> set & 1 == 1
    }

    /// The slots that the automaton's atoms read, and the control state's.
    pub(super) fn letter_slots(&self) -> Vec<SlotId> {
        let atoms = (0..self.model.labels() as u32).map(LabelId);
        let mut slots: Vec<SlotId> =
            atoms.flat_map(|atom| self.model.label_reads(atom).to_vec()).collect();
        slots.push(self.control_slot());
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether the automaton accepts what it reads in a dead state, given the values of
    /// [`Product::letter_slots`].
    pub(super) fn accepts_for_ever(
        &self,
        slots: &[SlotId],
        values: &[u32],
    ) -> Result<bool, ModelError> {
        let mut letter = 0u64;
        for atom in (0..self.model.labels() as u32).map(LabelId) {
            let reads = self.model.label_reads(atom);
            let read = |slot: &SlotId| slots.binary_search(slot).ok().map(|i| values[i]);
            let short: Vec<u32> = reads.iter().filter_map(read).collect();
            letter |= u64::from(self.model.label(atom, &short)?) << atom.0;
        }
        let accepted =
            self.automaton.accepts_constant(|label| self.automaton.label(label).accepts(letter));
        let (q, _) = self.control.states[values[values.len() - 1] as usize];
        Ok(accepted[q.index()])
    }
}

impl Group {
    fn new(
        model: &dyn Pins,
        automaton: &Automaton,
        of: GroupId,
        label: EdgeLabel,
        control: SlotId,
    ) -> Self {
        let support = automaton.label(label).support();
        let atoms: Vec<LabelId> = (0..64).filter(|i| support >> i & 1 == 1).map(LabelId).collect();
        let inner = model.row(of);
        let mut read = inner.read().to_vec();
        read.extend(atoms.iter().flat_map(|&a| model.label_reads(a)));
        read.push(control);
        let must = [inner.must_write(), &[control]].concat();
        let row = Row::new(read, must, inner.may_write().to_vec());
        let positions = |slots: &[SlotId]| -> Vec<usize> {
            slots.iter().filter_map(|s| row.read().binary_search(s).ok()).collect()
        };
        let reads = positions(inner.read());
        let atoms = atoms.iter().map(|&a| (a, positions(model.label_reads(a)))).collect();
        Group { of, label, reads, atoms, row }
    }

    /// Whether the label holds, given the short vector.
    fn holds(&self, product: &Product<'_>, short: &[u32]) -> Result<bool, ModelError> {
        let mut letter = 0u64;
        for (atom, reads) in &self.atoms {
            let values: Vec<u32> = reads.iter().map(|&i| short[i]).collect();
            letter |= u64::from(product.model.label(*atom, &values)?) << atom.0;
        }
        Ok(product.automaton.label(self.label).accepts(letter))
    }
}

impl Pins for Product<'_> {
    fn slots(&self) -> usize {
        self.model.slots() + 1
    }

    fn slot_name(&self, slot: SlotId) -> String {
        if slot == self.control_slot() {
            "automaton".to_owned()
        } else {
            self.model.slot_name(slot)
        }
    }

    fn initial(&self) -> Vec<u32> {
        let mut initial = self.model.initial();
        initial.push(0);
        initial
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn group_name(&self, group: GroupId) -> String {
        let Group { of, label, .. } = self.groups[group.index()];
        format!("{} under label {}", self.model.group_name(of), label.0)
    }

    fn row(&self, group: GroupId) -> &Row {
        &self.groups[group.index()].row
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        let group = &self.groups[group.index()];
        // The control slot is the last one, here and in answers.
        let control = reads[reads.len() - 1];
        let targets: Vec<u32> = self.control.targets(control, group.label).collect();
        if targets.is_empty() || !group.holds(self, reads)? {
            return Ok(());
        }
        let short: Vec<u32> = group.reads.iter().map(|&i| reads[i]).collect();
        self.model.next(group.of, &short, &mut |answer| {
            let mut answer = answer.to_vec();
            answer.push(None);
            for &target in &targets {
                if let Some(last) = answer.last_mut() {
                    *last = Some(target);
                }
                emit(&answer);
            }
        })
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        let group = &self.groups[group.index()];
        let (inner, control) = state.split_at(state.len() - 1);
        let mut letter = 0u64;
        for atom in (0..self.model.labels() as u32).map(LabelId) {
            let reads = self.model.label_reads(atom).iter().map(|s| inner[s.index()]);
            letter |= u64::from(self.model.label(atom, &reads.collect::<Vec<_>>())?) << atom.0;
        }
        let mut successors = Vec::new();
        if self.automaton.label(group.label).accepts(letter) {
            for after in self.model.step(group.of, inner)? {
                for target in self.control.targets(control[0], group.label) {
                    successors.push([&after[..], &[target]].concat());
                }
            }
        }
        Ok(successors)
    }
}
