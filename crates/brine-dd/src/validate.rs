//! The invariants of a whole diagram, checked by walking it.

use rustc_hash::FxHashMap;

use crate::manager::Dd;
use crate::table::NodeId;

impl Dd {
    /// Walks the diagram and panics if an invariant is broken: values ascend along
    /// `right`, `down` is never empty, all vectors have the same length, and each node
    /// is the one that the unique table names.
    pub fn validate(&self, set: NodeId) {
        let mut height: FxHashMap<NodeId, u32> = FxHashMap::default();
        let mut stack = vec![(set, false)];
        while let Some((id, children_done)) = stack.pop() {
            if id.is_terminal() || height.contains_key(&id) {
                continue;
            }
            let n = self.node(id);
            if !children_done {
                stack.extend([(id, true), (n.down, false), (n.right, false)]);
                continue;
            }
            assert!(n.down != NodeId::EMPTY, "arc to the empty set in {n:?}");
            assert!(self.table.find(n) == Ok(id), "{n:?} is not unique");
            let own = if n.down == NodeId::UNIT { 1 } else { height[&n.down] + 1 };
            if n.right != NodeId::EMPTY {
                assert!(n.right != NodeId::UNIT, "{n:?} goes right to the unit");
                assert!(self.node(n.right).value > n.value, "values descend after {n:?}");
                assert!(height[&n.right] == own, "vectors of different length after {n:?}");
            }
            height.insert(id, own);
        }
    }
}
