//! Iteration over the vectors of a set, in lexicographic order.

use crate::manager::Dd;
use crate::table::NodeId;

/// Iterator over the vectors of a set; made by [`Dd::vectors`].
#[derive(Debug)]
pub struct Vectors<'a> {
    dd: &'a Dd,
    /// The list position at each level of the path to the next vector.
    path: Vec<NodeId>,
    /// The set holds just the empty vector, which was not given out yet.
    unit: bool,
}

impl Dd {
    /// All vectors of `set`, ascending.
    pub fn vectors(&self, set: NodeId) -> Vectors<'_> {
        let mut it = Vectors { dd: self, path: Vec::new(), unit: set == NodeId::UNIT };
        it.descend(set);
        it
    }
}

impl Vectors<'_> {
    fn descend(&mut self, mut id: NodeId) {
        while !id.is_terminal() {
            self.path.push(id);
            id = self.dd.node(id).down;
        }
    }
}

impl Iterator for Vectors<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        if self.path.is_empty() {
            return std::mem::take(&mut self.unit).then(Vec::new);
        }
        let vector = self.path.iter().map(|&id| self.dd.node(id).value).collect();
        while let Some(id) = self.path.pop() {
            let right = self.dd.node(id).right;
            if right != NodeId::EMPTY {
                self.descend(right);
                break;
            }
        }
        Some(vector)
    }
}
