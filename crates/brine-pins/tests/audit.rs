//! The audit finds every kind of lie about dependencies.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_dd::Control;
use brine_pins::{
    Emit, Explorer, GroupId, MatrixRow, ModelError, Pins, Plan, SlotId, Strategy, ViolationKind,
    audit, gcl, reachable_states,
};

/// A model whose rows were changed. It answers as its rows make it: slots that it does not
/// read are 0 to it, slots that it does not declare as written stay as they are.
struct Liar {
    model: gcl::GuardedCommands,
    rows: Vec<MatrixRow>,
}

const TEXT: &str = "var x = 0; var y = 0; var a[2] = 0;
    up:   x < 2 -> x := x + 1;
    load: x > 0 -> y := x;
    mark: true  -> a[y % 2] := x;";

impl Liar {
    fn new(change: impl Fn(usize, &MatrixRow) -> MatrixRow) -> Self {
        let model = gcl::parse(TEXT).unwrap();
        let row = |g: usize| change(g, model.row(GroupId(g as u32)));
        let rows = (0..model.groups()).map(row).collect();
        Liar { model, rows }
    }
}

impl Pins for Liar {
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
        &self.rows[group.index()]
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        let (row, truth) = (&self.rows[group.index()], self.model.row(group));
        let mut seen = vec![0; self.slots()];
        row.read().iter().zip(reads).for_each(|(slot, value)| seen[slot.index()] = *value);
        let reads: Vec<u32> = truth.read().iter().map(|s| seen[s.index()]).collect();
        self.model.next(group, &reads, &mut |answer| {
            let of =
                |slot: &SlotId| truth.may_write().binary_search(slot).ok().and_then(|i| answer[i]);
            emit(&row.may_write().iter().map(of).collect::<Vec<_>>());
        })
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        self.model.step(group, state)
    }
}

fn without(slots: &[SlotId], slot: u32) -> Vec<SlotId> {
    slots.iter().copied().filter(|s| s.0 != slot).collect()
}

/// What the audit says when one row is changed.
fn verdict(group: usize, change: impl Fn(&MatrixRow) -> MatrixRow) -> Option<ViolationKind> {
    let liar = Liar::new(|g, row| if g == group { change(row) } else { row.clone() });
    let audit = audit(&liar, 1000).unwrap();
    if let Some(violation) = &audit.violation {
        assert_eq!(violation.group, GroupId(group as u32));
    }
    audit.violation.map(|v| v.kind)
}

fn copy(row: &MatrixRow) -> MatrixRow {
    MatrixRow::new(row.read().to_vec(), row.must_write().to_vec(), row.may_write().to_vec())
}

#[test]
fn honest_rows_pass() {
    assert_eq!(verdict(0, copy), None);
    // More than is needed is allowed.
    let wider = |row: &MatrixRow| {
        MatrixRow::new(
            vec![SlotId(0), SlotId(1), SlotId(3)],
            row.must_write().to_vec(),
            row.may_write().to_vec(),
        )
    };
    assert_eq!(verdict(1, wider), None);
}

#[test]
fn a_read_that_is_not_declared_is_found() {
    let blind = |slot| {
        move |row: &MatrixRow| {
            MatrixRow::new(
                without(row.read(), slot),
                row.must_write().to_vec(),
                row.may_write().to_vec(),
            )
        }
    };
    assert_eq!(verdict(1, blind(0)), Some(ViolationKind::Differs));
    assert_eq!(verdict(2, blind(1)), Some(ViolationKind::Differs), "an index is read, too");
}

#[test]
fn a_write_that_is_not_declared_is_found() {
    let secret = |row: &MatrixRow| {
        MatrixRow::new(row.read().to_vec(), Vec::new(), without(row.may_write(), 1))
    };
    assert_eq!(verdict(1, secret), Some(ViolationKind::Writes(SlotId(1))));
    let secret = |row: &MatrixRow| {
        MatrixRow::new(row.read().to_vec(), Vec::new(), without(row.may_write(), 3))
    };
    assert_eq!(verdict(2, secret), Some(ViolationKind::Writes(SlotId(3))));
}

#[test]
fn a_may_write_that_is_called_a_must_write_is_found() {
    let bold =
        |row: &MatrixRow| MatrixRow::new(row.read().to_vec(), row.may_write().to_vec(), Vec::new());
    assert!(matches!(verdict(2, bold), Some(ViolationKind::Copies(_))));
    // The explorer does not go on with such an answer either.
    let liar = Liar::new(|g, row| if g == 2 { bold(row) } else { row.clone() });
    let mut explorer = Explorer::new(&liar, &Plan::new(&liar), Control::default());
    let error = explorer.reach(Strategy::Bfs).unwrap_err().to_string();
    assert_eq!(error, "mark: a slot declared as must-write was not written");
}

#[test]
fn a_lie_makes_the_engine_wrong_without_a_sound() {
    // Why the audit exists: nothing else would notice.
    let blind = |row: &MatrixRow| {
        MatrixRow::new(Vec::new(), row.must_write().to_vec(), row.may_write().to_vec())
    };
    let liar = Liar::new(|g, row| if g == 1 { blind(row) } else { row.clone() });
    let mut explorer = Explorer::new(&liar, &Plan::new(&liar), Control::default());
    let reached = explorer.reach(Strategy::Saturation).unwrap();
    let truth = reachable_states(&liar, 1000).unwrap().unwrap().len();
    assert_ne!(explorer.dd.count(reached).to_string(), truth.to_string());
}
