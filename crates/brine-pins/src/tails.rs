//! Rows of the matrix as lists over the levels, with shared ends.
//!
//! An image walks down the levels, and what it does below some level depends on the rest of
//! the row there. Equal rests get equal numbers, so that they can be part of the keys of
//! caches, and groups that agree below a level share the entries.

use crate::matrix::Dependency;
use brine_dd::Key;
use brine_net::Interner;

/// The rest of a row from some level on; equal rests have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowTailId(u32);

impl RowTailId {
    /// All levels below are copied.
    pub(crate) const DONE: RowTailId = RowTailId(0);

    /// The number, for keys of caches: below [`Key::THIRD`] by [`Tails::add`].
    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// The first entry of a rest that is no copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RowTail {
    pub(crate) depth: u32,
    pub(crate) dependency: Dependency,
    pub(crate) next: RowTailId,
}

/// All rests of rows.
#[derive(Debug)]
pub(crate) struct Tails {
    tails: Interner<RowTail>,
}

impl Tails {
    pub(crate) fn new() -> Self {
        let done = RowTail { depth: u32::MAX, dependency: Dependency::Copy, next: RowTailId::DONE };
        Tails { tails: Interner::from_iter([done]) }
    }

    /// The first entry; of [`RowTailId::DONE`], a copy below all levels.
    #[inline]
    pub(crate) fn get(&self, tail: RowTailId) -> RowTail {
        self.tails[tail.0 as usize]
    }

    /// The list of `entries` (depth and dependency, top level first).
    ///
    /// # Panics
    /// After [`Key::THIRD`] different rests, as many as a key has room for.
    pub(crate) fn add(&mut self, entries: &[(u32, Dependency)]) -> RowTailId {
        entries.iter().rev().fold(RowTailId::DONE, |next, &(depth, dependency)| {
            debug_assert!(depth < self.get(next).depth, "top level first, each once");
            debug_assert!(dependency != Dependency::Copy, "copies are not listed");
            let id = self.tails.intern(RowTail { depth, dependency, next });
            assert!(id < Key::THIRD, "too many entries in the dependency matrix");
            RowTailId(id)
        })
    }
}
