//! Projections (MKBP14 Definition 10): what a set looks like on some slots alone.

use brine_dd::{Key, NodeId, Stop};

use crate::explorer::{Explorer, PinsOp};
use crate::tails::RowTailId;

impl Explorer<'_> {
    /// `{ the values of v on the levels of reads | v in set }`, for a set whose top level is
    /// `depth`. Recurses over levels; each node is looked at once for each rest of a row.
    pub(crate) fn project(
        &mut self,
        set: NodeId,
        reads: RowTailId,
        depth: u32,
    ) -> Result<NodeId, Stop> {
        if set == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        if reads == RowTailId::DONE {
            return Ok(NodeId::UNIT);
        }
        let key = Key::with_number(PinsOp::Project, set, reads.raw());
        if let Some(r) = self.dd.client_cache.get(key) {
            return Ok(r);
        }
        self.dd.tick()?;
        let tail = self.tails.get(reads);
        let base = self.frames.len();
        let mut result = NodeId::EMPTY;
        let mut at = set;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            if tail.depth > depth {
                let below = self.project(n.down, reads, depth + 1)?;
                result = self.dd.union(result, below)?;
            } else {
                let below = self.project(n.down, tail.next, depth + 1)?;
                self.frames.push(n.value, below);
            }
        }
        if tail.depth == depth {
            result = self.frames.close(&mut self.dd, base)?;
        }
        self.dd.client_cache.put(key, result);
        Ok(result)
    }
}
