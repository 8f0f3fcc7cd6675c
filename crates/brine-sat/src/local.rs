//! Local states of a level.
//!
//! A level of one place has its token count as local state. A level of several places
//! numbers the sub-markings of its places as they are discovered; nothing is assumed
//! about how many there are.

use brine_net::{Interner, PlaceId};

/// The places of one level and, if they are several, their numbered sub-markings.
#[derive(Clone, Debug)]
pub(crate) struct LocalSpace {
    pub(crate) places: Vec<PlaceId>,
    table: Option<Interner<Box<[u32]>>>,
}

impl LocalSpace {
    pub(crate) fn new(places: Vec<PlaceId>) -> Self {
        let table = (places.len() != 1).then(Interner::new);
        LocalSpace { places, table }
    }

    /// The number of a sub-marking; a new one if it was not met before.
    pub(crate) fn number(&mut self, marking: &[u32]) -> u32 {
        debug_assert_eq!(marking.len(), self.places.len(), "a number for each place");
        match &mut self.table {
            Some(table) => table.intern_slice(marking),
            None => marking[0],
        }
    }

    /// The number of a sub-marking, if it was met before.
    pub(crate) fn find(&self, marking: &[u32]) -> Option<u32> {
        debug_assert_eq!(marking.len(), self.places.len(), "a number for each place");
        match &self.table {
            Some(table) => table.find(marking),
            None => marking.first().copied(),
        }
    }

    /// Tokens in each place of the level, for the local state `value`.
    pub(crate) fn marking(&self, value: u32) -> Vec<u32> {
        match &self.table {
            Some(table) => table[value as usize].to_vec(),
            None => vec![value],
        }
    }

    /// Tokens in the whole level.
    pub(crate) fn tokens(&self, value: u32) -> u64 {
        match &self.table {
            Some(table) => table[value as usize].iter().map(|&t| u64::from(t)).sum(),
            None => u64::from(value),
        }
    }

    /// Tokens in the level's `i`-th place.
    pub(crate) fn tokens_in(&self, value: u32, i: usize) -> u32 {
        match &self.table {
            Some(table) => table[value as usize][i],
            None => value,
        }
    }
}
