//! Values that stay where they are put, for as long as the shelf.
//!
//! Searches borrow what they are about. A question that arises only when another one was answered
//! needs room that outlives both and that can be written through a shared reference: a shelf. It
//! is a list of cells, each written once; what was put there never moves.
//!
//! Cost: a walk along the list for each new value; shelves hold few.

use std::cell::OnceCell;

/// Room for values, each of which stays where it is put.
///
/// ```
/// use brine_run::Shelf;
/// let shelf = Shelf::default();
/// let (one, two) = (shelf.put("one".to_owned()), shelf.put("two".to_owned()));
/// assert_eq!((one.as_str(), two.as_str()), ("one", "two"));
/// ```
#[derive(Debug)]
pub struct Shelf<T> {
    first: OnceCell<Box<Cell<T>>>,
}

#[derive(Debug)]
struct Cell<T> {
    value: T,
    next: OnceCell<Box<Cell<T>>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Shelf { first: OnceCell::new() }
    }
}

impl<T> Shelf<T> {
    /// Puts a value down, and says where.
    pub fn put(&self, value: T) -> &T {
        let mut cell = &self.first;
        while let Some(taken) = cell.get() {
            cell = &taken.next;
        }
        &cell.get_or_init(|| Box::new(Cell { value, next: OnceCell::new() })).value
    }
}

impl<T> Drop for Shelf<T> {
    /// One by one: dropping a long list by itself would be a deep recursion.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut cell) = next {
            next = cell.next.take();
        }
    }
}
