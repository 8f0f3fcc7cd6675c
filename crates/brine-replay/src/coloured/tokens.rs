//! A coloured marking: maps from colours to counts, with indexes for the search of bindings.
//!
//! Invariant: the colours of every index of a place are those with a token there.

use super::Fault;
use super::terms::{Colour, Multiset};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for "as many as one likes", see [`super::growing`]: above every weight of 32 bits,
/// whatever a run of steps takes or puts.
pub(super) const PLENTY: u64 = 1 << 60;

/// The tokens of one place.
#[derive(Clone, Default)]
pub(super) struct Tokens {
    counts: Multiset,
    total: u128,
    /// By components, then by their values: the colours that have these values there.
    indexes: BTreeMap<Vec<usize>, BTreeMap<Colour, BTreeSet<Colour>>>,
}

impl Tokens {
    /// All tokens, of whatever colour.
    pub(super) fn total(&self) -> u128 {
        self.total
    }

    pub(super) fn counts(&self) -> &Multiset {
        &self.counts
    }

    /// Whether all these tokens are there.
    pub(super) fn include(&self, some: &Multiset) -> bool {
        some.iter().all(|(colour, n)| self.counts.get(colour).is_some_and(|have| have >= n))
    }

    /// Takes tokens; false, and no more to be used, if they are not there.
    pub(super) fn take(&mut self, some: &Multiset) -> bool {
        for (colour, &n) in some {
            let Some(count) = self.counts.get_mut(colour) else { return false };
            let Some(rest) = count.checked_sub(n) else { return false };
            *count = rest;
            self.total -= u128::from(n);
            if rest == 0 {
                self.counts.remove(colour);
                for (components, index) in &mut self.indexes {
                    index.entry(at(colour, components)).or_default().remove(colour);
                }
            }
        }
        true
    }

    /// Puts tokens; as in unfolded nets, one colour has at most 2^32 - 1.
    pub(super) fn put(&mut self, some: &Multiset) -> Result<(), Fault> {
        for (colour, &n) in some {
            let count = self.counts.entry(colour.clone()).or_default();
            let new = *count == 0;
            *count += n;
            if *count > u64::from(u32::MAX) && *count < PLENTY / 2 {
                return Err(Fault::TooMany);
            }
            self.total += u128::from(n);
            for (components, index) in self.indexes.iter_mut().filter(|_| new) {
                index.entry(at(colour, components)).or_default().insert(colour.clone());
            }
        }
        Ok(())
    }

    /// The colours that have these values in these components.
    pub(super) fn having(&mut self, components: &[usize], values: &[u32]) -> &BTreeSet<Colour> {
        static NONE: BTreeSet<Colour> = BTreeSet::new();
        if !self.indexes.contains_key(components) {
            let mut index: BTreeMap<Colour, BTreeSet<Colour>> = BTreeMap::new();
            for colour in self.counts.keys() {
                index.entry(at(colour, components)).or_default().insert(colour.clone());
            }
            self.indexes.insert(components.to_vec(), index);
        }
        self.indexes.get(components).and_then(|index| index.get(values)).unwrap_or(&NONE)
    }
}

impl PartialEq for Tokens {
    fn eq(&self, other: &Tokens) -> bool {
        self.counts == other.counts
    }
}

/// Some components of a colour.
fn at(colour: &Colour, components: &[usize]) -> Colour {
    components.iter().map(|&i| colour[i]).collect()
}
