//! Dependency matrices (MKBP14 section 3): one [`MatrixRow`] for each group.
//!
//! A group is *read* dependent on a slot when the slot's value can make a difference to
//! anything but the slot itself, *may-write* dependent when it can change the slot, and
//! *must-write* dependent when it writes the slot whatever it held before. Combined
//! (Table 1), a slot is copied, read, may-written, must-written, or both read and written.

use std::fmt;

use crate::interface::{GroupId, Pins, SlotId};

/// An entry of the combined matrix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dependency {
    /// `-`: neither read nor written.
    Copy,
    /// `r`: read, not written.
    Read,
    /// `w`: always written, not read.
    MustWrite,
    /// `W`: written or copied, not read.
    MayWrite,
    /// `+`: read and written.
    ReadWrite,
}

impl Dependency {
    /// Whether the group looks at the slot.
    pub fn reads(self) -> bool {
        matches!(self, Dependency::Read | Dependency::ReadWrite)
    }

    /// Whether the group may change the slot.
    pub fn writes(self) -> bool {
        matches!(self, Dependency::MustWrite | Dependency::MayWrite | Dependency::ReadWrite)
    }

    /// The partial order of figure 3: what can be done under `self` can be done under
    /// `other`. A must-write is no copy, so `-` does not lie below `w`.
    ///
    /// ```
    /// use brine_pins::Dependency::*;
    /// assert!(Copy.is_below(MayWrite) && MustWrite.is_below(MayWrite));
    /// assert!(!Copy.is_below(MustWrite) && !Read.is_below(MayWrite));
    /// ```
    pub fn is_below(self, other: Dependency) -> bool {
        use Dependency::{Copy, MayWrite, MustWrite, Read, ReadWrite};
        self == other
            || matches!(
                (self, other),
                (Copy, Read | MayWrite | ReadWrite)
                    | (MustWrite, MayWrite)
                    | (Read | MustWrite | MayWrite, ReadWrite)
            )
    }
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dependency::Copy => "-",
            Dependency::Read => "r",
            Dependency::MustWrite => "w",
            Dependency::MayWrite => "W",
            Dependency::ReadWrite => "+",
        })
    }
}

/// What one group reads and writes: its rows in the three matrices, as ascending slots.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MatrixRow {
    read: Vec<SlotId>,
    must_write: Vec<SlotId>,
    may_write: Vec<SlotId>,
}

impl MatrixRow {
    /// A row. What must be written also may be; the order of the lists does not matter.
    ///
    /// ```
    /// use brine_pins::{Dependency::*, MatrixRow, SlotId};
    /// let [x, y, z] = [SlotId(0), SlotId(1), SlotId(2)];
    /// // x = 1 -> y := 1, a[x] := 0 where a is y and z
    /// let row = MatrixRow::new(vec![x], vec![y], vec![z, y]);
    /// assert_eq!(row.combined(), [(x, Read), (y, MustWrite), (z, MayWrite)]);
    /// ```
    pub fn new(read: Vec<SlotId>, must_write: Vec<SlotId>, may_write: Vec<SlotId>) -> MatrixRow {
        let tidy = |mut slots: Vec<SlotId>| {
            slots.sort_unstable();
            slots.dedup();
            slots
        };
        let may_write = tidy([&may_write[..], &must_write[..]].concat());
        MatrixRow { read: tidy(read), must_write: tidy(must_write), may_write }
    }

    /// The slots that are read.
    pub fn read(&self) -> &[SlotId] {
        &self.read
    }

    /// The slots that are always written.
    pub fn must_write(&self) -> &[SlotId] {
        &self.must_write
    }

    /// The slots that may be written, those that always are included.
    pub fn may_write(&self) -> &[SlotId] {
        &self.may_write
    }

    /// The entry of the combined matrix for a slot (Table 1).
    pub fn dependency(&self, slot: SlotId) -> Dependency {
        let has = |slots: &[SlotId]| slots.binary_search(&slot).is_ok();
        match (has(&self.read), has(&self.may_write)) {
            (true, true) => Dependency::ReadWrite,
            (true, false) => Dependency::Read,
            (false, true) if has(&self.must_write) => Dependency::MustWrite,
            (false, true) => Dependency::MayWrite,
            (false, false) => Dependency::Copy,
        }
    }

    /// The entries of the combined matrix that are not copies, by slot.
    pub fn combined(&self) -> Vec<(SlotId, Dependency)> {
        let mut slots = [&self.read[..], &self.may_write[..]].concat();
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().map(|slot| (slot, self.dependency(slot))).collect()
    }
}

/// The combined matrix of a model as text: one line for each group, one character for each
/// slot.
pub fn matrix_text(model: &dyn Pins) -> Vec<String> {
    let slots = (0..model.slots() as u32).map(SlotId);
    let line = |group| {
        let row = model.row(GroupId(group));
        slots.clone().map(|slot| row.dependency(slot).to_string()).collect()
    };
    (0..model.groups() as u32).map(line).collect()
}
