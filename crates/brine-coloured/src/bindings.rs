//! The bindings of one transition that can occur, value after value in one array.
//!
//! A transition may have millions of bindings: as lists of their own each would take an
//! allocation of 24 bytes and more besides its values.

/// Bindings of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bindings {
    /// How many variables there are.
    width: usize,
    count: usize,
    values: Vec<u32>,
}

impl Bindings {
    pub(crate) fn new(width: usize) -> Self {
        Bindings { width, count: 0, values: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn get(&self, i: usize) -> &[u32] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.count).map(|i| self.get(i))
    }

    pub(crate) fn push(&mut self, binding: &[u32]) {
        debug_assert_eq!(binding.len(), self.width);
        self.values.extend_from_slice(binding);
        self.count += 1;
    }

    /// Puts them in ascending order.
    pub(crate) fn sort(&mut self) {
        if !(1..self.count).all(|i| self.get(i - 1) <= self.get(i)) {
            let mut order: Vec<u32> = (0..self.count as u32).collect();
            order.sort_unstable_by(|&a, &b| self.get(a as usize).cmp(self.get(b as usize)));
            let mut sorted = Vec::with_capacity(self.values.len());
            order.iter().for_each(|&i| sorted.extend_from_slice(self.get(i as usize)));
            self.values = sorted;
        }
        self.values.shrink_to_fit();
        debug_assert!((1..self.count).all(|i| self.get(i - 1) < self.get(i)), "each once");
    }
}
