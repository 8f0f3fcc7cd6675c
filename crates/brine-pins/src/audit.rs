//! A check of declared dependencies on explored states.
//!
//! A wrong matrix makes every symbolic engine wrong without a sound. So it is compared with
//! what the model does: for each explored state and group, the successors of the whole state
//! ([`Pins::step`]) against the answers to its short vector ([`Pins::next`]), put back into
//! the state. If they agree for all reachable states, the learned relation is right: the
//! answer is the same for all states that look alike to the group, and each of them was
//! compared. No engine is involved. Cost: two calls for each state and group.

use std::collections::BTreeSet;
use std::fmt;

use crate::brute::first_states;
use crate::interface::{GroupId, ModelError, Pins, SlotId};

/// A declared dependency that is not true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The group.
    pub group: GroupId,
    /// A reachable state that shows it.
    pub state: Vec<u32>,
    /// What is wrong.
    pub kind: ViolationKind,
}

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViolationKind {
    /// The group changes a slot that it does not declare as may-write.
    Writes(SlotId),
    /// The group copies a slot that it declares as must-write.
    Copies(SlotId),
    /// From the slots declared as read, the group computes other successors than from the
    /// whole state: it reads more than it declares, or reads it wrongly.
    Differs,
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViolationKind::Writes(slot) => write!(f, "changes slot {}, undeclared", slot.0),
            ViolationKind::Copies(slot) => {
                write!(f, "copies slot {}, declared as must-write", slot.0)
            }
            ViolationKind::Differs => {
                f.write_str("does something else when it sees only the slots declared as read")
            }
        }
    }
}

/// What an audit found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit {
    /// States that were looked at.
    pub states: usize,
    /// Whether these are all reachable ones.
    pub complete: bool,
    /// The first violation, if any.
    pub violation: Option<Violation>,
}

/// Audits the matrix of a model on its first `limit` reachable states.
///
/// ```
/// use brine_net::Structure;
/// use brine_pins::{NetModel, audit};
/// let net = brine_models::fork_join(2);
/// let model = NetModel::new(&net, &Structure::new(&net).bounds);
/// let audit = audit(&model, 1000)?;
/// assert!(audit.complete && audit.violation.is_none());
/// # Ok::<(), brine_pins::ModelError>(())
/// ```
pub fn audit(model: &dyn Pins, limit: usize) -> Result<Audit, ModelError> {
    let (states, complete) = first_states(model, limit)?;
    let mut audit = Audit { states: states.len(), complete, violation: None };
    for state in states {
        for group in (0..model.groups() as u32).map(GroupId) {
            if let Some(kind) = violation(model, group, &state)? {
                audit.violation = Some(Violation { group, state, kind });
                return Ok(audit);
            }
        }
    }
    Ok(audit)
}

/// What one group does wrong in one state.
fn violation(
    model: &dyn Pins,
    group: GroupId,
    state: &[u32],
) -> Result<Option<ViolationKind>, ModelError> {
    let row = model.row(group);
    let successors: BTreeSet<Vec<u32>> = model.step(group, state)?.into_iter().collect();
    let reads: Vec<u32> = row.read().iter().map(|s| state[s.index()]).collect();
    let mut copied = None;
    let mut from_reads = BTreeSet::new();
    model.next(group, &reads, &mut |answer| {
        let mut successor = state.to_vec();
        for (slot, value) in row.may_write().iter().zip(answer) {
            match value {
                Some(value) => successor[slot.index()] = *value,
                None if row.must_write().binary_search(slot).is_ok() => copied = Some(*slot),
                None => {}
            }
        }
        from_reads.insert(successor);
    })?;
    for slot in (0..state.len() as u32).map(SlotId) {
        let changed = successors.iter().any(|t| t[slot.index()] != state[slot.index()]);
        if changed && row.may_write().binary_search(&slot).is_err() {
            return Ok(Some(ViolationKind::Writes(slot)));
        }
    }
    let differs = (from_reads != successors).then_some(ViolationKind::Differs);
    Ok(copied.map(ViolationKind::Copies).or(differs))
}
