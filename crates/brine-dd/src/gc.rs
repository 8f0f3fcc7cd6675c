//! Mark-and-sweep garbage collection.
//!
//! Nodes never move, so ids held by clients stay valid as long as the node is
//! protected or reachable from a protected one. Cache entries all of whose nodes
//! survive are kept: that is what makes collecting in the middle of a long fixpoint
//! cheap. A collection only happens when a client calls [`Dd::collect`] at a point
//! where everything it still needs is protected or handed over; set operations never collect.
//!
//! In debug builds a swept node is told by its empty `down`, which no live one has: [`Dd::node`]
//! asserts that what it is asked for was not collected.

use crate::manager::Dd;
use crate::table::NodeId;

impl Dd {
    /// Makes collections happen after `nodes` new nodes (tests use tiny numbers).
    pub fn set_gc_interval(&mut self, nodes: usize) {
        self.min_garbage = nodes;
        self.gc_threshold = self.table.live() + nodes;
    }

    /// True when enough nodes were made since the last collection to make one worthwhile.
    #[inline]
    pub fn collection_due(&self) -> bool {
        self.table.live() >= self.gc_threshold
    }

    /// Frees every node that is neither below a protected one nor below one of `roots`.
    pub fn collect(&mut self, roots: impl Iterator<Item = NodeId>) {
        debug_assert!(self.scratch.is_empty(), "a collection inside of a set operation");
        let marks = self.mark(self.protected.iter().copied().chain(roots));
        let live = |id: NodeId| marks[id.index() >> 6] >> (id.index() & 63) & 1 == 1;
        self.growth.note(self.ticks, self.table.live());
        self.table.sweep(live);
        self.growth.note(self.ticks, self.table.live());
        self.set_cache.sweep(live);
        self.client_cache.sweep(live);
        self.collections += 1;
        self.gc_threshold = self.table.live() + self.table.live().max(self.min_garbage);
        #[cfg(debug_assertions)]
        for i in 0..self.protected.len() {
            let root = self.protected[i];
            if self.table.live() < 1 << 12 {
                self.validate(root);
            }
        }
    }

    /// A bitmap of all nodes reachable from `roots`, terminals included.
    pub(crate) fn mark(&self, roots: impl Iterator<Item = NodeId>) -> Vec<u64> {
        let mut marks = vec![0u64; self.table.id_bound() / 64 + 1];
        marks[0] = 0b11;
        let mut stack: Vec<NodeId> = roots.collect();
        while let Some(mut id) = stack.pop() {
            loop {
                let (word, bit) = (id.index() >> 6, 1u64 << (id.index() & 63));
                if marks[word] & bit != 0 {
                    break;
                }
                marks[word] |= bit;
                let n = self.node(id);
                stack.push(n.down);
                id = n.right;
            }
        }
        marks
    }

    /// How many nodes the diagram has, terminals not counted.
    pub fn node_count(&self, root: NodeId) -> usize {
        let marks = self.mark(std::iter::once(root));
        marks.iter().map(|w| w.count_ones() as usize).sum::<usize>() - 2
    }
}
