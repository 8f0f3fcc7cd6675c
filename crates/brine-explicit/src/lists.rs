//! Lists of different lengths in one allocation.

/// Numbered lists, written one after the other and then read.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    start: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T> Lists<T> {
    pub(crate) fn new() -> Self {
        Lists { start: vec![0], items: Vec::new() }
    }

    /// Ends the list that is being written.
    pub(crate) fn close(&mut self) {
        self.start.push(self.items.len() as u32);
    }

    /// Adds a whole list.
    pub(crate) fn add(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.close();
    }

    /// The list of that number.
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[T] {
        &self.items[self.start[i] as usize..self.start[i + 1] as usize]
    }
}
