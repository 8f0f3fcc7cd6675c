//! The interface itself (MKBP14 section 2): what a modelling language has to provide.
//!
//! A state is a vector of slots. Steps come in *groups*; each group says beforehand which
//! slots it reads and which it writes ([`MatrixRow`]), and computes successors from the values of
//! the slots it reads alone (`Next-state^p`, Definition 11): for each slot that it may write
//! the new value, or none where the old one is kept. Engines need nothing else, so whoever
//! implements [`Pins`] can use all of them. `docs/pins.md` shows how.

use crate::matrix::MatrixRow;
use brine_dd::Stop;

/// A position in the state vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub u32);

/// A transition group of the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(pub u32);

/// A condition that groups have, perhaps several of them the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GuardId(pub u32);

/// A state label: something that is true or false in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateLabelId(pub u32);

impl SlotId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GroupId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GuardId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl StateLabelId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The model itself goes wrong in a reachable state: an index outside of its array, a value
/// that does not fit, a broken promise of its matrix.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ModelError(pub String);

/// Why a computation ended before its result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PinsStop {
    /// A budget ran out.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The model went wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Takes successors: one entry for each slot that the group may write, ascending by slot;
/// `None` copies the old value.
pub type Emit<'a> = dyn FnMut(&[Option<u32>]) + 'a;

/// What differs between a state and its successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fired {
    /// Only what the group may write.
    Writes,
    /// Perhaps everything: the model went wrong, and says how it goes on.
    All,
}

/// A model in some language, seen through the state-vector interface.
///
/// The answers must not change between calls: they are learned once and used for ever.
pub trait Pins: Sync {
    /// How many slots a state has.
    fn slots(&self) -> usize;

    /// What the output calls a slot.
    fn slot_name(&self, slot: SlotId) -> String;

    /// The initial state.
    fn initial(&self) -> Vec<u32>;

    /// How many groups there are.
    fn groups(&self) -> usize;

    /// What the output calls a group.
    fn group_name(&self, group: GroupId) -> String;

    /// What a group reads and writes.
    fn row(&self, group: GroupId) -> &MatrixRow;

    /// The successors by one group, given the values of the slots that it reads, ascending
    /// by slot. Where several states share these values, it answers for all of them.
    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError>;

    /// The successors of a whole state by one group, computed without regard to what
    /// [`Pins::row`] promises. [`crate::audit`] compares them with those of [`Pins::next`].
    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError>;

    /// No value of the slot is larger, in any reachable state. Stores pack states by it.
    fn largest(&self, _slot: SlotId) -> u32 {
        u32::MAX - 1
    }

    /// A slot and a value without which the group has no successor, if there is such a slot.
    /// Searches use it to leave groups out.
    fn needs(&self, _group: GroupId) -> Option<(SlotId, u32)> {
        None
    }

    /// How many guards there are. Partial-order reduction uses them; a model may have none.
    fn guards(&self) -> usize {
        0
    }

    /// The conditions of a group, in the order in which they are looked at. If there are any, the
    /// group has a successor, or goes wrong, exactly where all of them hold.
    fn guards_of(&self, _group: GroupId) -> &[GuardId] {
        &[]
    }

    /// How many guards of a group are *sure*, from the first one on: none before them can go
    /// wrong. So where a sure guard does not hold the group cannot even go wrong.
    fn sure_guards(&self, group: GroupId) -> usize {
        self.guards_of(group).len()
    }

    /// The slots that a guard reads, ascending.
    fn guard_reads(&self, _guard: GuardId) -> &[SlotId] {
        &[]
    }

    /// Whether a guard holds, or goes wrong, in a state of which only the slots count that it
    /// reads.
    fn guard_holds(&self, _guard: GuardId, _state: &[u32]) -> bool {
        true
    }

    /// The slot that a guard reads, if it reads one, and the value it needs there, if there is just
    /// one.
    fn guard_value(&self, _guard: GuardId) -> Option<(SlotId, u32)> {
        None
    }

    /// The slots that have the same value after each step of a group, with that value.
    fn sets(&self, _group: GroupId) -> &[(SlotId, u32)] {
        &[]
    }

    /// Whether a group has a successor in a state.
    fn moves(&self, group: GroupId, state: &[u32]) -> Result<bool, ModelError> {
        let mut moves = false;
        self.fire(group, state, &mut Vec::new(), &mut |_, _| moves = true)?;
        Ok(moves)
    }

    /// The successors of a whole state by one group, for explicit engines. It must agree with
    /// [`Pins::step`].
    fn fire(
        &self,
        group: GroupId,
        state: &[u32],
        scratch: &mut Vec<u32>,
        emit: &mut dyn FnMut(Fired, &[u32]),
    ) -> Result<(), ModelError> {
        let row = self.row(group);
        let reads: Vec<u32> = row.read().iter().map(|s| state[s.index()]).collect();
        self.next(group, &reads, &mut |answer| {
            scratch.clear();
            scratch.extend_from_slice(state);
            for (slot, value) in row.may_write().iter().zip(answer) {
                if let Some(value) = *value {
                    scratch[slot.index()] = value;
                }
            }
            emit(Fired::Writes, scratch);
        })
    }

    /// What the output calls a value of a slot.
    fn value_name(&self, _slot: SlotId, value: u32) -> String {
        value.to_string()
    }

    /// What the model's text forbids and this state does, if anything. It goes on all the same.
    fn complaint(&self, _state: &[u32]) -> Option<String> {
        None
    }

    /// How many state labels there are.
    fn labels(&self) -> usize {
        0
    }

    /// The slots that a label reads, ascending.
    fn label_reads(&self, _label: StateLabelId) -> &[SlotId] {
        &[]
    }

    /// What formulas call a label.
    fn label_name(&self, label: StateLabelId) -> String {
        format!("label {}", label.0)
    }

    /// Whether a label holds in a whole state, computed without regard to what
    /// [`Pins::label_reads`] promises: for replay.
    fn label_holds(&self, label: StateLabelId, state: &[u32]) -> Result<bool, ModelError> {
        let reads: Vec<u32> = self.label_reads(label).iter().map(|s| state[s.index()]).collect();
        self.label(label, &reads)
    }

    /// Whether a label holds, given the values of the slots that it reads.
    fn label(&self, label: StateLabelId, _reads: &[u32]) -> Result<bool, ModelError> {
        Err(ModelError(format!("there is no label {}", label.0)))
    }
}
