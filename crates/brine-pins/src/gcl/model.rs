//! Guarded commands through the interface.
//!
//! Dependencies are found in the text (MKBP14 Definitions 4, 5 and 7): a command reads what
//! occurs in its guard, in right-hand sides and in indices; it must write what it assigns by
//! name or by a constant index; an assignment to `a[i]` with any other index may write every
//! element of `a`. Copies (`x := x`) were dropped when the text was read.

use super::code::{ArraySlots, Code};
use crate::interface::{Emit, GroupId, ModelError, Pins, SlotId};
use crate::matrix::MatrixRow;

/// The left-hand side of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AssignmentTarget {
    Slot(SlotId),
    Element { array: ArraySlots, index: Code },
}

#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) target: AssignmentTarget,
    pub(super) value: Code,
}

#[derive(Clone, Debug)]
pub(super) struct GuardedCommand {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) guard: Code,
    pub(super) updates: Vec<Update>,
    pub(super) row: MatrixRow,
}

/// A model in the language of guarded commands; made by [`super::parse()`].
#[derive(Clone, Default, Debug)]
pub struct GuardedCommands {
    pub(super) names: Vec<String>,
    pub(super) initial: Vec<u32>,
    pub(super) commands: Vec<GuardedCommand>,
}

/// The largest value of a slot: one less than fits, for the copy symbol.
pub(super) const LARGEST: u32 = u32::MAX - 1;

impl GuardedCommand {
    /// What the text says about dependencies.
    pub(super) fn dependencies(guard: &Code, updates: &[Update]) -> MatrixRow {
        let mut read = guard.reads();
        let (mut must, mut may) = (Vec::new(), Vec::new());
        for update in updates {
            read.extend(update.value.reads());
            match &update.target {
                AssignmentTarget::Slot(slot) => must.push(*slot),
                AssignmentTarget::Element { array, index } => {
                    read.extend(index.reads());
                    may.extend(array.slots());
                }
            }
        }
        MatrixRow::new(read, must, may)
    }

    /// The slots assigned, in order, with their new values; `None` if the guard is false.
    fn assignments(
        &self,
        read: &dyn Fn(SlotId) -> Result<u32, String>,
    ) -> Result<Option<Vec<(SlotId, u32)>>, ModelError> {
        let wrong = |e| ModelError(format!("command {} (line {}): {e}", self.name, self.line));
        if self.guard.eval(read).map_err(wrong)? == 0 {
            return Ok(None);
        }
        let assign = |update: &Update| {
            let slot = match &update.target {
                AssignmentTarget::Slot(slot) => *slot,
                AssignmentTarget::Element { array, index } => array.slot(index.eval(read)?)?,
            };
            let value = update.value.eval(read)?;
            let fits = u32::try_from(value).ok().filter(|v| *v <= LARGEST);
            let value = fits.ok_or(format!("the value {value} is not within 0 to {LARGEST}"))?;
            Ok((slot, value))
        };
        self.updates.iter().map(assign).collect::<Result<_, _>>().map(Some).map_err(wrong)
    }
}

impl GuardedCommands {
    /// The variables and elements of arrays, by slot.
    pub fn slot_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The commands, by group.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.commands.iter().map(|c| c.name.as_str())
    }
}

impl Pins for GuardedCommands {
    fn slots(&self) -> usize {
        self.initial.len()
    }

    fn slot_name(&self, slot: SlotId) -> String {
        self.names[slot.index()].clone()
    }

    fn initial(&self) -> Vec<u32> {
        self.initial.clone()
    }

    fn groups(&self) -> usize {
        self.commands.len()
    }

    fn group_name(&self, group: GroupId) -> String {
        self.commands[group.index()].name.clone()
    }

    fn row(&self, group: GroupId) -> &MatrixRow {
        &self.commands[group.index()].row
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        let command = &self.commands[group.index()];
        let read = |slot: SlotId| match command.row.read().binary_search(&slot) {
            Ok(position) => Ok(reads[position]),
            Err(_) => Err(format!("{} is read, but not declared", self.names[slot.index()])),
        };
        if let Some(assignments) = command.assignments(&read)? {
            let mut answer = vec![None; command.row.may_write().len()];
            for (slot, value) in assignments {
                if let Ok(position) = command.row.may_write().binary_search(&slot) {
                    answer[position] = Some(value);
                }
            }
            emit(&answer);
        }
        Ok(())
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        let assignments = self.commands[group.index()].assignments(&|s| Ok(state[s.index()]))?;
        let successor = assignments.map(|assignments| {
            let mut successor = state.to_vec();
            assignments.into_iter().for_each(|(slot, value)| successor[slot.index()] = value);
            successor
        });
        Ok(successor.into_iter().collect())
    }
}
