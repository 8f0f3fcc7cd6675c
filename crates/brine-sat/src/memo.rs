//! What is known per local state of a level, as it gets known.

use rustc_hash::FxHashMap;

/// Local states from here on are looked up in a hash table: token counts may be huge and lie
/// far apart.
const DENSE: u32 = 1 << 12;

/// A table by local state: an array for small ones, a hash table for the others.
#[derive(Debug)]
pub(crate) struct Memo<T> {
    near: Vec<Option<T>>,
    far: FxHashMap<u32, T>,
}

impl<T> Memo<T> {
    pub(crate) fn new() -> Self {
        Memo { near: Vec::new(), far: FxHashMap::default() }
    }

    #[inline]
    pub(crate) fn get(&self, value: u32) -> Option<&T> {
        if value < DENSE { self.near.get(value as usize)?.as_ref() } else { self.far.get(&value) }
    }

    pub(crate) fn insert(&mut self, value: u32, known: T) {
        if value >= DENSE {
            self.far.insert(value, known);
            return;
        }
        let at = value as usize;
        if self.near.len() <= at {
            self.near.resize_with(at + 1, || None);
        }
        self.near[at] = Some(known);
    }
}
