//! Product states by control state.
//!
//! ```text
//! select(n, F)  =  { (s, q) in n | q in F }
//! has(n, F)     =  select(n, F) is not empty
//! ```

use super::control::{ControlState, Filter};
use super::{Product, ProductOp};
use crate::model::Level;
use brine_dd::{Key, NodeId, Stop};

impl Product<'_> {
    /// The states of `node` whose control state belongs to `filter`.
    pub fn select(&mut self, node: NodeId, filter: Filter, level: Level) -> Result<NodeId, Stop> {
        if node == NodeId::EMPTY {
            return Ok(node);
        }
        let key = Key::with_number(ProductOp::Select, node, filter.0);
        if let Some(r) = self.dd.client_cache.get(key) {
            return Ok(r);
        }
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let below = match level {
                Level(0) if self.control.is_in(ControlState(n.value), filter) => NodeId::UNIT,
                Level(0) => NodeId::EMPTY,
                _ => self.select(n.down, filter, level.below())?,
            };
            self.frames.add(&mut self.dd, base, n.value, below)?;
        }
        let result = self.frames.close(&mut self.dd, base)?;
        self.dd.client_cache.put(key, result);
        Ok(result)
    }

    /// True when some state of `node` has a control state in `filter`.
    pub fn has(&mut self, node: NodeId, filter: Filter, level: Level) -> bool {
        if node == NodeId::EMPTY {
            return false;
        }
        let key = Key::with_number(ProductOp::Has, node, filter.0);
        if let Some(r) = self.dd.client_cache.get(key) {
            return r == NodeId::UNIT;
        }
        let mut found = false;
        let mut at = node;
        while at != NodeId::EMPTY && !found {
            let n = self.dd.node(at);
            at = n.right;
            found = self.child_has(level, n.value, n.down, filter);
        }
        let result = if found { NodeId::UNIT } else { NodeId::EMPTY };
        self.dd.client_cache.put(key, result);
        found
    }

    /// True when some state with `value` at `level` and then a vector of `down` has a control
    /// state in `filter`.
    #[inline]
    pub fn child_has(&mut self, level: Level, value: u32, down: NodeId, filter: Filter) -> bool {
        match level {
            Level(0) => self.control.is_in(ControlState(value), filter),
            _ => self.has(down, filter, level.below()),
        }
    }
}
