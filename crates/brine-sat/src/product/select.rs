//! Product states by control state.

use super::control::Filter;
use super::{Product, op};
use crate::model::Level;
use brine_dd::{Abort, NodeId};

impl Product<'_> {
    /// The states of `node` whose control state belongs to `filter`.
    pub fn select(&mut self, node: NodeId, filter: Filter, level: Level) -> Result<NodeId, Abort> {
        if node == NodeId::EMPTY {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(op::SELECT, node.raw(), filter.0) {
            return Ok(r);
        }
        let base = self.open_frame();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let below = match level {
                Level(0) if self.control.is_in(n.value, filter) => NodeId::UNIT,
                Level(0) => NodeId::EMPTY,
                _ => self.select(n.down, filter, level.below())?,
            };
            self.add(base, n.value, below, NodeId::EMPTY)?;
        }
        let (result, _) = self.close_frame(base)?;
        self.dd.client_cache.put(op::SELECT, node.raw(), filter.0, result);
        Ok(result)
    }

    /// True when some state of `node` has a control state in `filter`.
    pub fn has(&mut self, node: NodeId, filter: Filter, level: Level) -> bool {
        if node == NodeId::EMPTY {
            return false;
        }
        if let Some(r) = self.dd.client_cache.get(op::HAS, node.raw(), filter.0) {
            return r == NodeId::UNIT;
        }
        let mut found = false;
        let mut at = node;
        while at != NodeId::EMPTY && !found {
            let n = self.dd.node(at);
            at = n.right;
            found = match level {
                Level(0) => self.control.is_in(n.value, filter),
                _ => self.has(n.down, filter, level.below()),
            };
        }
        let result = if found { NodeId::UNIT } else { NodeId::EMPTY };
        self.dd.client_cache.put(op::HAS, node.raw(), filter.0, result);
        found
    }
}
