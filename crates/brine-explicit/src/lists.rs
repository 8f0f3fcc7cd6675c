//! Lists of different lengths in one allocation.

/// Numbered lists, written one after the other and then read.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    start: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T> Lists<T> {
    /// No list yet.
    #[allow(clippy::new_without_default, reason = "there is one way to begin")]
    pub fn new() -> Self {
        Lists { start: vec![0], items: Vec::new() }
    }

    /// Ends the list that is being written.
    pub fn close(&mut self) {
        self.start.push(self.items.len() as u32);
    }

    /// Adds a whole list.
    pub fn add(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.close();
    }

    /// How many lists there are.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// The list of that number.
    #[inline]
    pub fn of(&self, i: usize) -> &[T] {
        &self.items[self.start[i] as usize..self.start[i + 1] as usize]
    }
}
