//! The tokens of a place in one marking, with indexes: what joins look up.
//!
//! Like the relation of the fixpoint, but with counts, and colours leave as well: every index
//! knows where in its group a colour stands, so that removing one moves only the last of the
//! group. Invariant: a colour is in every index exactly if its count is above zero.

use rustc_hash::FxHashMap;

use crate::relation::{Relation, group_key};
use crate::sorts::ColourLayout;

/// The tokens of one place.
#[derive(Clone, Debug)]
pub(crate) struct TokenRelation {
    layout: ColourLayout,
    counts: FxHashMap<u64, u64>,
    indexes: Vec<TokenIndex>,
}

#[derive(Clone, Debug)]
struct TokenIndex {
    components: Vec<usize>,
    groups: FxHashMap<u64, Vec<u64>>,
    /// Where in its group a colour stands.
    position: FxHashMap<u64, u32>,
}

impl TokenIndex {
    fn insert(&mut self, layout: &ColourLayout, colour: u64) {
        let group = self.groups.entry(group_key(layout, &self.components, colour)).or_default();
        self.position.insert(colour, group.len() as u32);
        group.push(colour);
    }

    fn remove(&mut self, layout: &ColourLayout, colour: u64) {
        let key = group_key(layout, &self.components, colour);
        let (Some(at), Some(group)) = (self.position.remove(&colour), self.groups.get_mut(&key))
        else {
            debug_assert!(false, "a colour that leaves was there");
            return;
        };
        group.swap_remove(at as usize);
        match group.get(at as usize) {
            Some(&moved) => {
                self.position.insert(moved, at);
            }
            None if group.is_empty() => {
                self.groups.remove(&key);
            }
            None => {}
        }
    }
}

impl TokenRelation {
    pub(crate) fn new(layout: ColourLayout) -> Self {
        TokenRelation { layout, counts: FxHashMap::default(), indexes: Vec::new() }
    }

    /// The tokens of a colour.
    #[inline]
    pub(crate) fn count(&self, colour: u64) -> u64 {
        self.counts.get(&colour).copied().unwrap_or(0)
    }

    /// Sets the tokens of a colour.
    pub(crate) fn set(&mut self, colour: u64, count: u64) {
        let old = match count {
            0 => self.counts.remove(&colour),
            _ => self.counts.insert(colour, count),
        };
        let layout = &self.layout;
        match (old, count) {
            (None, 0) | (Some(_), 1..) => {}
            (None, _) => self.indexes.iter_mut().for_each(|i| i.insert(layout, colour)),
            (Some(_), 0) => self.indexes.iter_mut().for_each(|i| i.remove(layout, colour)),
        }
    }

    /// The colours that are there.
    pub(crate) fn colours(&self) -> usize {
        self.counts.len()
    }

    /// Takes all tokens away.
    pub(crate) fn clear(&mut self) {
        self.counts.clear();
        for index in &mut self.indexes {
            index.groups.clear();
            index.position.clear();
        }
    }

    /// About the bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.colours() * (18 + 40 * self.indexes.len())) as u64
    }
}

impl Relation for TokenRelation {
    const COUNTS: bool = true;

    fn holds(&self, colour: u64, count: u64) -> bool {
        self.count(colour) >= count
    }

    fn layout(&self) -> &ColourLayout {
        &self.layout
    }

    fn index_on(&mut self, components: &[usize]) -> usize {
        debug_assert!(self.counts.is_empty());
        let known = self.indexes.iter().position(|i| i.components == components);
        known.unwrap_or_else(|| {
            let (groups, position) = (FxHashMap::default(), FxHashMap::default());
            self.indexes.push(TokenIndex { components: components.to_vec(), groups, position });
            self.indexes.len() - 1
        })
    }

    #[inline]
    fn contains(&self, colour: u64) -> bool {
        self.counts.contains_key(&colour)
    }

    fn group(&self, index: usize, key: u64) -> &[u64] {
        self.indexes[index].groups.get(&key).map_or(&[], Vec::as_slice)
    }
}
