//! Counting vectors with big integers, level by level.
//!
//! The counts of one level depend only on those of the level below, so at most two
//! levels of big numbers are alive at a time. A first pass lists the MDD nodes of
//! each level; a second goes bottom-up.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::manager::Dd;
use crate::table::NodeId;

impl Dd {
    /// The MDD nodes of each level, top level first, without the terminal.
    pub fn levels(&self, set: NodeId) -> Vec<Vec<NodeId>> {
        let mut levels = Vec::new();
        let mut current = vec![set];
        current.retain(|id| !id.is_terminal());
        let mut seen = vec![0u64; self.table.id_bound() / 64 + 1];
        while !current.is_empty() {
            let mut below = Vec::new();
            for &id in &current {
                for (_, down) in self.arcs(id) {
                    let (word, bit) = (down.index() >> 6, 1u64 << (down.index() & 63));
                    if !down.is_terminal() && seen[word] & bit == 0 {
                        seen[word] |= bit;
                        below.push(down);
                    }
                }
            }
            levels.push(std::mem::replace(&mut current, below));
        }
        levels
    }

    /// `|set|`
    pub fn count(&self, set: NodeId) -> BigUint {
        if set.is_terminal() {
            return BigUint::from(set.0);
        }
        let mut below: FxHashMap<NodeId, BigUint> = FxHashMap::default();
        below.insert(NodeId::UNIT, BigUint::from(1u32));
        for level in self.levels(set).iter().rev() {
            let mut counts = FxHashMap::default();
            counts.reserve(level.len());
            for &id in level {
                let sum: BigUint = self.arcs(id).map(|(_, down)| &below[&down]).sum();
                counts.insert(id, sum);
            }
            below = counts;
        }
        below.remove(&set).unwrap_or_default()
    }
}
