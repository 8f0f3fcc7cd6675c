//! The colours that a place can hold, as the fixpoint has found them so far, with indexes.
//!
//! An index groups the colours by the values of some components. The plans of the joins
//! say which groupings they need before the fixpoint starts; every new colour goes into
//! all of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::sorts::ColourLayout;

/// What joins need of the colours in a place: those that can occur, or those that are there.
pub(crate) trait Relation {
    /// Whether it knows how many tokens of a colour there are.
    const COUNTS: bool;

    /// Whether there are so many tokens of a colour.
    fn holds(&self, colour: u64, count: u64) -> bool;

    /// How the colours are numbered.
    fn layout(&self) -> &ColourLayout;

    /// The index on these components; made if there is none. Only before the first colour.
    fn index_on(&mut self, components: &[usize]) -> usize;

    /// Whether a colour is in the place.
    fn contains(&self, colour: u64) -> bool;

    /// The colours whose indexed components add up to `key` (their [`ColourLayout::weight`]s).
    fn group(&self, index: usize, key: u64) -> &[u64];
}

/// The sum of the weights of some components of a colour: its group in the index on them.
pub(crate) fn group_key(layout: &ColourLayout, components: &[usize], colour: u64) -> u64 {
    components.iter().map(|&i| layout.weight(i, layout.component(colour, i))).sum()
}

/// The colours of one place.
#[derive(Debug)]
pub(crate) struct ColourRelation {
    layout: ColourLayout,
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

    /// Adds a colour that is not there.
    pub(crate) fn insert(&mut self, colour: u64) {
        let new = self.colours.insert(colour);
        debug_assert!(new);
        for index in &mut self.indexes {
            let key = group_key(&self.layout, &index.components, colour);
            index.groups.entry(key).or_default().push(colour);
        }
    }
}

impl Relation for ColourRelation {
    const COUNTS: bool = false;

    fn holds(&self, colour: u64, _: u64) -> bool {
        self.contains(colour)
    }

    fn layout(&self) -> &ColourLayout {
        &self.layout
    }

    fn index_on(&mut self, components: &[usize]) -> usize {
        debug_assert!(self.colours.is_empty());
        let known = self.indexes.iter().position(|i| i.components == components);
        known.unwrap_or_else(|| {
            let components = components.to_vec();
            self.indexes.push(Index { components, groups: FxHashMap::default() });
            self.indexes.len() - 1
        })
    }

    fn contains(&self, colour: u64) -> bool {
        self.colours.contains(&colour)
    }

    fn group(&self, index: usize, key: u64) -> &[u64] {
        self.indexes[index].groups.get(&key).map_or(&[], Vec::as_slice)
    }
}
