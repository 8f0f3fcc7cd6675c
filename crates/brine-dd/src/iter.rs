//! Iteration over the vectors of a set, in lexicographic order.

use crate::manager::Dd;
use crate::table::NodeId;

/// Walks over the vectors of a set without holding on to the diagrams: they may grow
/// meanwhile, but the set must not be collected.
///
/// ```
/// use brine_dd::{VectorCursor, Dd};
/// let mut dd = Dd::default();
/// let set = dd.singleton(&[1, 2])?;
/// let mut cursor = VectorCursor::new(&dd, set);
/// while let Some(vector) = cursor.next(&dd) {
///     dd.singleton(&[vector[0], vector[1], 3])?;
/// }
/// # Ok::<(), brine_dd::Stop>(())
/// ```
#[derive(Debug)]
pub struct VectorCursor {
    /// The list position at each level of the path to the next vector.
    path: Vec<NodeId>,
    /// The set holds just the empty vector, which was not given out yet.
    unit: bool,
}

impl VectorCursor {
    /// Before the first vector of `set`.
    pub fn new(dd: &Dd, set: NodeId) -> Self {
        let mut cursor = VectorCursor { path: Vec::new(), unit: set == NodeId::UNIT };
        cursor.descend(dd, set);
        cursor
    }

    fn descend(&mut self, dd: &Dd, mut id: NodeId) {
        while !id.is_terminal() {
            self.path.push(id);
            id = dd.node(id).down;
        }
    }

    /// The next vector, if there is one.
    pub fn next(&mut self, dd: &Dd) -> Option<Vec<u32>> {
        if self.path.is_empty() {
            return std::mem::take(&mut self.unit).then(Vec::new);
        }
        let vector = self.path.iter().map(|&id| dd.node(id).value).collect();
        while let Some(id) = self.path.pop() {
            let right = dd.node(id).right;
            if right != NodeId::EMPTY {
                self.descend(dd, right);
                break;
            }
        }
        Some(vector)
    }
}

/// Iterator over the vectors of a set; made by [`Dd::vectors`].
#[derive(Debug)]
pub struct Vectors<'a> {
    dd: &'a Dd,
    cursor: VectorCursor,
}

impl Dd {
    /// All vectors of `set`, ascending.
    pub fn vectors(&self, set: NodeId) -> Vectors<'_> {
        Vectors { dd: self, cursor: VectorCursor::new(self, set) }
    }
}

impl Iterator for Vectors<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        self.cursor.next(self.dd)
    }
}
