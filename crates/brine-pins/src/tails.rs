//! Rows of the matrix as lists over the levels, with shared ends.
//!
//! An image walks down the levels, and what it does below some level depends on the rest of
//! the row there. Equal rests get equal numbers, so that they can be part of the keys of
//! caches, and groups that agree below a level share the entries.

use crate::matrix::Dependency;
use brine_dd::Key;
use rustc_hash::FxHashMap;

/// The rest of a row from some level on; equal rests have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TailId(u32);

impl TailId {
    /// All levels below are copied.
    pub(crate) const DONE: TailId = TailId(0);

    /// The number, for keys of caches: below [`Key::THIRD`] by [`Tails::add`].
    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// The first entry of a rest that is no copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tail {
    pub(crate) depth: u32,
    pub(crate) dependency: Dependency,
    pub(crate) next: TailId,
}

/// All rests of rows.
#[derive(Debug)]
pub(crate) struct Tails {
    tails: Vec<Tail>,
    ids: FxHashMap<Tail, TailId>,
}

impl Tails {
    pub(crate) fn new() -> Self {
        let done = Tail { depth: u32::MAX, dependency: Dependency::Copy, next: TailId::DONE };
        Tails { tails: vec![done], ids: FxHashMap::default() }
    }

    /// The first entry; of [`TailId::DONE`], a copy below all levels.
    #[inline]
    pub(crate) fn get(&self, tail: TailId) -> Tail {
        self.tails[tail.0 as usize]
    }

    /// The list of `entries` (depth and dependency, top level first).
    ///
    /// # Panics
    /// After [`Key::THIRD`] different rests, as many as a key has room for.
    pub(crate) fn add(&mut self, entries: &[(u32, Dependency)]) -> TailId {
        entries.iter().rev().fold(TailId::DONE, |next, &(depth, dependency)| {
            debug_assert!(depth < self.get(next).depth, "top level first, each once");
            debug_assert!(dependency != Dependency::Copy, "copies are not listed");
            let tail = Tail { depth, dependency, next };
            let new = self.tails.len() as u32;
            assert!(new < Key::THIRD, "too many entries in the dependency matrix");
            let id = *self.ids.entry(tail).or_insert(TailId(new));
            if id == TailId(new) {
                self.tails.push(tail);
            }
            id
        })
    }
}
