//! The colours that a place can hold, as the fixpoint has found them so far, with indexes.
//!
//! An index groups the colours by the values of some components. The plans of the joins
//! say which groupings they need before the fixpoint starts; every new colour goes into
//! all of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::sorts::ColourLayout;

/// The colours of one place.
#[derive(Debug)]
pub(crate) struct ColourRelation {
    pub(crate) layout: ColourLayout,
    colours: FxHashSet<u64>,
    indexes: Vec<Index>,
}

#[derive(Debug)]
struct Index {
    components: Vec<usize>,
    groups: FxHashMap<u64, Vec<u64>>,
}

impl ColourRelation {
    pub(crate) fn new(layout: ColourLayout) -> Self {
        ColourRelation { layout, colours: FxHashSet::default(), indexes: Vec::new() }
    }

    /// The index on these components; made if there is none. Only before the first colour.
    pub(crate) fn index_on(&mut self, components: &[usize]) -> usize {
        debug_assert!(self.colours.is_empty());
        let known = self.indexes.iter().position(|i| i.components == components);
        known.unwrap_or_else(|| {
            let components = components.to_vec();
            self.indexes.push(Index { components, groups: FxHashMap::default() });
            self.indexes.len() - 1
        })
    }

    /// Adds a colour that is not there.
    pub(crate) fn insert(&mut self, colour: u64) {
        let new = self.colours.insert(colour);
        debug_assert!(new);
        for index in &mut self.indexes {
            let layout = &self.layout;
            let share = |&i: &usize| layout.weight(i, layout.component(colour, i));
            let key = index.components.iter().map(share).sum();
            index.groups.entry(key).or_default().push(colour);
        }
    }

    pub(crate) fn contains(&self, colour: u64) -> bool {
        self.colours.contains(&colour)
    }

    /// The colours whose indexed components add up to `key` (their [`ColourLayout::weight`]s).
    pub(crate) fn group(&self, index: usize, key: u64) -> &[u64] {
        self.indexes[index].groups.get(&key).map_or(&[], Vec::as_slice)
    }
}
