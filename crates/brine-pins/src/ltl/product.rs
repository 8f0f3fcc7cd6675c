//! The synchronous product of a model and an automaton, as a model.
//!
//! A product step fires a group of the model and lets the automaton read the *source*
//! ([`Reading`]): `(s, q) -> (s', q')` with `s -> s'` and `q -> q'` under `L(s)`. Here it is
//! taken in two halves, told apart by one more slot, the *phase*:
//!
//! ```text
//! read:  (s, q, Read) -> (s, q', Fire)   if q -> q' under L(s)
//! fire:  (s, q', Fire) -> (s', q', Read) if s -> s'
//! ```
//!
//! So there is one group for each label of the automaton, which depends on what the label's
//! atoms read, and one for each group of the model, which depends on no more than that and the
//! phase. One group for each *pair* would ask the model about every combination of what the
//! two of them read; that was three times slower on Dekker-PT-010 (docs/experiments/mkbp14.md).
//!
//! *Why it is right.* Every second state of a path has phase `Read`, and these states form
//! exactly the paths of the product. Whoever looks at states (fair sets, dead states, runs)
//! looks at those.
//!
//! The automaton's slot holds a *control state*: a state of the automaton together with the
//! acceptance marks of the edge that led to it, so that acceptance becomes a matter of states.

use brine_ltl::{Automaton, LabelId, Reading, StateId};
use brine_net::Interner;

use crate::interface::{Emit, GroupId, ModelError, Pins, SlotId, StateLabelId};
use crate::matrix::MatrixRow;

/// The automaton has read everything before the state it stands beside.
const READING: Reading = Reading::Source;
/// The phase in which the automaton reads.
const READ: u32 = 0;
/// The phase in which the model fires.
const FIRE: u32 = 1;

/// The product of a model and an automaton. The model's labels must be the automaton's atoms,
/// in the same order.
pub struct PinsProduct<'a> {
    pub(super) model: &'a dyn Pins,
    pub(super) automaton: &'a Automaton,
    control: ControlTable,
    /// The first groups: the automaton reads.
    readings: Vec<ReadGroup>,
    /// The rows of the other groups, which are those of the model.
    firings: Vec<MatrixRow>,
}

/// The automaton reads letters of one label.
struct ReadGroup {
    label: LabelId,
    row: MatrixRow,
    /// The atoms of the label, with where the slots that they read lie in the short vector.
    atoms: Vec<(StateLabelId, Vec<usize>)>,
}

/// What a group of the product does.
enum Half<'p> {
    Read(&'p ReadGroup),
    Fire(GroupId),
}

/// Control states and their edges.
struct ControlTable {
    /// State and the marks on the way to it.
    states: Interner<(StateId, u64)>,
    /// For each automaton state, its edges as (label, control state).
    edges: Vec<Vec<(LabelId, u32)>>,
}

impl ControlTable {
    fn new(automaton: &Automaton) -> Self {
        let mut states = Interner::from_iter([(automaton.initial(), 0)]);
        let mut edges = vec![Vec::new(); automaton.num_states()];
        for e in automaton.edges() {
            edges[e.src.index()].push((e.label, states.intern((e.dst, e.marks))));
        }
        ControlTable { states, edges }
    }

    /// Where a control state may go under a label.
    fn targets(&self, state: u32, label: LabelId) -> impl Iterator<Item = u32> + '_ {
        let (q, _) = self.states[state as usize];
        self.edges[q.index()].iter().filter(move |e| e.0 == label).map(|e| e.1)
    }
}

impl<'a> PinsProduct<'a> {
    /// The product. Labels that no edge carries have no groups.
    pub fn new(model: &'a dyn Pins, automaton: &'a Automaton) -> Self {
        let control = SlotId(model.slots() as u32);
        let phase = SlotId(control.0 + 1);
        let mut used: Vec<LabelId> = automaton.edges().iter().map(|e| e.label).collect();
        used.sort_unstable();
        used.dedup();
        let reading = |&label: &LabelId| ReadGroup::new(model, automaton, label, [control, phase]);
        let firing = |group| {
            let row = model.row(GroupId(group));
            let read = [row.read(), &[phase]].concat();
            MatrixRow::new(read, [row.must_write(), &[phase]].concat(), row.may_write().to_vec())
        };
        PinsProduct {
            model,
            automaton,
            control: ControlTable::new(automaton),
            readings: used.iter().map(reading).collect(),
            firings: (0..model.groups() as u32).map(firing).collect(),
        }
    }

    /// The slot of the control state.
    pub fn control_slot(&self) -> SlotId {
        SlotId(self.model.slots() as u32)
    }

    /// The slot of the phase, the last one.
    pub fn phase_slot(&self) -> SlotId {
        SlotId(self.model.slots() as u32 + 1)
    }

    /// Whether this is the phase in which a state is one of the product.
    pub(super) fn is_whole(phase: u32) -> bool {
        // What is read is the source: the automaton still has to read this state.
        phase == READING.read(READ, FIRE)
    }

    fn half(&self, group: GroupId) -> Half<'_> {
        match self.readings.get(group.index()) {
            Some(reading) => Half::Read(reading),
            None => Half::Fire(GroupId(group.0 - self.readings.len() as u32)),
        }
    }

    /// How many fair sets an accepting cycle has to meet; at least one.
    pub(super) fn fair_sets(&self) -> u32 {
        self.automaton.num_marks().max(1)
    }

    /// Whether a state is in a fair set: the mark was on the way here. Without marks every state
    /// of the product is.
    pub(super) fn is_fair(&self, control: u32, phase: u32, set: u32) -> bool {
        let marks = self.control.states[control as usize].1;
        Self::is_whole(phase) && (self.automaton.num_marks() == 0 || marks >> set & 1 == 1)
    }

    /// The slots that the automaton's atoms read, and the control state's.
    pub(super) fn letter_slots(&self) -> Vec<SlotId> {
        let atoms = (0..self.model.labels() as u32).map(StateLabelId);
        let mut slots: Vec<SlotId> =
            atoms.flat_map(|atom| self.model.label_reads(atom).to_vec()).collect();
        slots.push(self.control_slot());
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether the automaton accepts what it reads in a dead state, given the values of
    /// [`PinsProduct::letter_slots`].
    pub(super) fn accepts_for_ever(
        &self,
        slots: &[SlotId],
        values: &[u32],
    ) -> Result<bool, ModelError> {
        let mut letter = 0u64;
        for atom in (0..self.model.labels() as u32).map(StateLabelId) {
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

impl ReadGroup {
    fn new(model: &dyn Pins, automaton: &Automaton, label: LabelId, own: [SlotId; 2]) -> Self {
        let support = automaton.label(label).support();
        let atoms: Vec<StateLabelId> =
            (0..64).filter(|i| support >> i & 1 == 1).map(StateLabelId).collect();
        let mut read: Vec<SlotId> =
            atoms.iter().flat_map(|&a| model.label_reads(a)).copied().collect();
        read.extend(own);
        let row = MatrixRow::new(read, own.to_vec(), Vec::new());
        let positions = |slots: &[SlotId]| -> Vec<usize> {
            slots.iter().filter_map(|s| row.read().binary_search(s).ok()).collect()
        };
        let atoms = atoms.iter().map(|&a| (a, positions(model.label_reads(a)))).collect();
        ReadGroup { label, atoms, row }
    }

    /// Whether the label holds, given the short vector.
    fn holds(&self, product: &PinsProduct<'_>, short: &[u32]) -> Result<bool, ModelError> {
        let mut letter = 0u64;
        for (atom, reads) in &self.atoms {
            let values: Vec<u32> = reads.iter().map(|&i| short[i]).collect();
            letter |= u64::from(product.model.label(*atom, &values)?) << atom.0;
        }
        Ok(product.automaton.label(self.label).accepts(letter))
    }
}

impl Pins for PinsProduct<'_> {
    fn slots(&self) -> usize {
        self.model.slots() + 2
    }

    fn slot_name(&self, slot: SlotId) -> String {
        if slot == self.control_slot() {
            "automaton".to_owned()
        } else if slot == self.phase_slot() {
            "phase".to_owned()
        } else {
            self.model.slot_name(slot)
        }
    }

    fn initial(&self) -> Vec<u32> {
        [&self.model.initial()[..], &[0, READ]].concat()
    }

    fn groups(&self) -> usize {
        self.readings.len() + self.firings.len()
    }

    fn group_name(&self, group: GroupId) -> String {
        match self.half(group) {
            Half::Read(reading) => format!("the automaton reads label {}", reading.label.0),
            Half::Fire(group) => self.model.group_name(group),
        }
    }

    fn row(&self, group: GroupId) -> &MatrixRow {
        match self.half(group) {
            Half::Read(reading) => &reading.row,
            Half::Fire(group) => &self.firings[group.index()],
        }
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        // The control slot and the phase are the last ones, here and in answers.
        let (phase, others) = (reads[reads.len() - 1], &reads[..reads.len() - 1]);
        debug_assert!(phase == READ || phase == FIRE, "there are two phases");
        match self.half(group) {
            Half::Read(reading) if phase == READ => {
                let control = others[others.len() - 1];
                let mut targets = self.control.targets(control, reading.label).peekable();
                if targets.peek().is_some() && reading.holds(self, reads)? {
                    targets.for_each(|target| emit(&[Some(target), Some(FIRE)]));
                }
            }
            Half::Fire(group) if phase == FIRE => {
                self.model.next(group, others, &mut |answer| {
                    emit(&[answer, &[Some(READ)]].concat());
                })?;
            }
            Half::Read(_) | Half::Fire(_) => {}
        }
        Ok(())
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        let (inner, own) = state.split_at(self.model.slots());
        let (control, phase) = (own[0], own[1]);
        match self.half(group) {
            Half::Read(reading) if phase == READ => {
                let mut letter = 0u64;
                for atom in (0..self.model.labels() as u32).map(StateLabelId) {
                    let reads = self.model.label_reads(atom).iter().map(|s| inner[s.index()]);
                    let holds = self.model.label(atom, &reads.collect::<Vec<_>>())?;
                    letter |= u64::from(holds) << atom.0;
                }
                if !self.automaton.label(reading.label).accepts(letter) {
                    return Ok(Vec::new());
                }
                let targets = self.control.targets(control, reading.label);
                Ok(targets.map(|target| [inner, &[target, FIRE]].concat()).collect())
            }
            Half::Fire(group) if phase == FIRE => {
                let after = self.model.step(group, inner)?;
                Ok(after.iter().map(|after| [&after[..], &[control, READ]].concat()).collect())
            }
            Half::Read(_) | Half::Fire(_) => Ok(Vec::new()),
        }
    }
}
