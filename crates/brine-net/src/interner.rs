//! Values that are numbered as they are met.
//!
//! An [`Interner`] keeps each value once and gives it the next number, from 0 on without gaps;
//! equal values have equal numbers. So a number stands for its value: it is compared and hashed
//! in place of it, and what else is known of the value lies in vectors beside the interner, at
//! the same index. Nothing is ever removed. Clients that have several kinds of numbers wrap
//! them in types of their own.
//!
//! This is the `IndexSet` of the crate `indexmap` with a hash function for small keys. Cost: a
//! look-up in a hash table to find a number, an index into a vector to find a value.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::borrow::Borrow;
use std::hash::Hash;
use std::ops::Index;

/// Values with numbers.
///
/// ```
/// use brine_net::Interner;
/// let mut names = Interner::new();
/// let [a, b] = ["a", "b"].map(|name| names.intern(name));
/// assert_eq!((a, b, names.intern("a")), (0, 1, 0));
/// assert_eq!((names[1], names.find("c"), names.len()), ("b", None, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Interner<T: Hash + Eq> {
    values: IndexSet<T, FxBuildHasher>,
}

impl<T: Hash + Eq> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// One without values.
    pub fn new() -> Self {
        Interner { values: IndexSet::default() }
    }

    /// The number of a value; a new one is [`Self::len`] before the call.
    ///
    /// # Panics
    /// After 2^32 values.
    #[inline]
    pub fn intern(&mut self, value: T) -> u32 {
        number(self.values.insert_full(value).0)
    }

    /// The number of a value, if it has one.
    #[inline]
    pub fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.values.get_index_of(value).map(number)
    }

    /// How many values there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True before the first value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> + Clone {
        self.values.iter()
    }
}

impl<E: Hash + Eq + Clone> Interner<Box<[E]>> {
    /// The number of a list, which is copied only if it is new.
    #[inline]
    pub fn intern_slice(&mut self, list: &[E]) -> u32 {
        self.find(list).unwrap_or_else(|| self.intern(list.into()))
    }
}

impl<T: Hash + Eq> FromIterator<T> for Interner<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Interner { values: values.into_iter().collect() }
    }
}

/// The value of a number.
impl<T: Hash + Eq> Index<usize> for Interner<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: usize) -> &T {
        &self.values[number]
    }
}

#[inline]
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 values")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However often and in whatever order values come, numbers are given by first occurrence.
    #[test]
    fn numbers_follow_first_occurrences() {
        let mut lists: Interner<Box<[u32]>> = Interner::new();
        let mut met: Vec<Vec<u32>> = Vec::new();
        for i in 0..3_000u32 {
            let list: Vec<u32> = (0..i % 5).map(|j| i * 7 % 13 + j).collect();
            let expected = met.iter().position(|m| *m == list).unwrap_or(met.len());
            assert_eq!(lists.find(list.as_slice()).is_some(), expected < met.len());
            if expected == met.len() {
                met.push(list.clone());
            }
            let number =
                if i % 2 == 0 { lists.intern_slice(&list) } else { lists.intern(list.into()) };
            assert_eq!(number as usize, expected);
        }
        assert_eq!(lists.len(), met.len());
        assert!(lists.iter().zip(&met).all(|(a, b)| **a == **b));
        assert!((0..met.len()).all(|i| *lists[i] == *met[i]));
    }
}
