//! Constrained saturation (MVDBM16 section 3, Algorithms 1 and 2).
//!
//! Computes what is reachable from some states by steps whose *targets* lie in a given
//! set. Instead of intersecting images with the set again and again, which would undo
//! the locality of saturation, the constraint goes down together with the states: a
//! local move to `i'` is made only if the constraint has a child `i'`, and that child
//! constrains what happens below. States that one starts from need not lie in the set.
//!
//! *Invariant.* As in plain saturation, with "closed under events with top at most k
//! whose targets satisfy the constraint" in place of "closed". A node saturated under
//! two constraints is two results, so the constraint is part of every cache key.

use brine_dd::{Abort, NodeId};

use crate::model::Level;
use crate::saturate::Saturation;
use crate::tailset::TailSet;

/// Tags of client operations; the set of rests fills the upper bits.
const SATURATE: u32 = 0;
const FIRE: u32 = 1;
const RELPROD: u32 = 2;

fn key(tag: u32, rests: TailSet) -> u32 {
    debug_assert!(rests.raw() < 1 << 29);
    rests.raw() << 2 | tag
}

impl Saturation {
    /// All states reachable from `from` by steps with targets in `within`.
    pub fn reach_within(&mut self, from: NodeId, within: NodeId) -> Result<NodeId, Abort> {
        let depth = self.dd.protected_len();
        self.dd.protect(from);
        self.dd.protect(within);
        let top = Level(self.model.level_count() as u32);
        let result = self.saturate_within(from, within, top);
        self.dd.unprotect_to(depth);
        result
    }

    fn saturate_within(
        &mut self,
        node: NodeId,
        within: NodeId,
        level: Level,
    ) -> Result<NodeId, Abort> {
        if level < self.lowest_top || node.is_terminal() || within == NodeId::EMPTY {
            return Ok(node);
        }
        let op = key(SATURATE, TailSet::DONE);
        if let Some(r) = self.dd.client_cache.get(op, node.raw(), within.raw()) {
            return Ok(r);
        }
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            let allowed = self.dd.child(within, n.value).unwrap_or(NodeId::EMPTY);
            let child = self.saturate_within(n.down, allowed, Level(level.0 - 1))?;
            self.frames.push(n.value, child);
            at = n.right;
        }
        let result = self.fire_within(base, within, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(op, node.raw(), within.raw(), result);
        Ok(result)
    }

    /// The closure of a node whose children are saturated.
    fn fire_node_within(
        &mut self,
        node: NodeId,
        within: NodeId,
        level: Level,
    ) -> Result<NodeId, Abort> {
        if self.events[level.index()].is_none() || node.is_terminal() {
            return Ok(node);
        }
        let op = key(FIRE, TailSet::DONE);
        if let Some(r) = self.dd.client_cache.get(op, node.raw(), within.raw()) {
            return Ok(r);
        }
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.frames.open(&self.dd, node);
        let result = self.fire_within(base, within, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(op, node.raw(), within.raw(), result);
        Ok(result)
    }

    fn fire_within(&mut self, base: usize, within: NodeId, level: Level) -> Result<NodeId, Abort> {
        let Some(events) = self.events[level.index()] else {
            return self.frames.close(&mut self.dd, base);
        };
        let mut next = base;
        while next < self.frames.len() {
            if !self.frames[next].dirty {
                next += 1;
                continue;
            }
            self.collect_if_due();
            self.dd.tick()?;
            self.frames[next].dirty = false;
            let value = self.frames[next].value;
            self.sets.prepare(&mut self.model, events, value)?;
            let (mut index, mut lowest, mut i) = (next, next, 0);
            while let Some((to, rest)) = self.sets.get(events, value, i) {
                i += 1;
                let Some(allowed) = self.dd.child(within, to) else { continue };
                let source = self.frames[index].node;
                let image = self.relprod_within(source, rest, allowed, Level(level.0 - 1))?;
                if let Some((at, inserted)) = self.frames.add(&mut self.dd, base, to, image)? {
                    index += usize::from(inserted && at <= index);
                    lowest = lowest.min(at);
                }
            }
            next = lowest;
        }
        self.frames.close(&mut self.dd, base)
    }

    fn relprod_within(
        &mut self,
        node: NodeId,
        rests: TailSet,
        within: NodeId,
        level: Level,
    ) -> Result<NodeId, Abort> {
        if rests == TailSet::DONE {
            // Nothing changes below, but the target must satisfy its own constraint, under
            // which `node` was not saturated: its own value above may be another one.
            let allowed = self.dd.intersect(node, within)?;
            return self.saturate_within(allowed, within, level);
        }
        let op = key(RELPROD, rests);
        if let Some(r) = self.dd.client_cache.get(op, node.raw(), within.raw()) {
            return Ok(r);
        }
        let base = self.frames.len();
        let below = Level(level.0 - 1);
        let skip = self.sets.top(rests) < level;
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            if skip {
                let Some(allowed) = self.dd.child(within, n.value) else { continue };
                let image = self.relprod_within(n.down, rests, allowed, below)?;
                self.frames.add(&mut self.dd, base, n.value, image)?;
                continue;
            }
            self.sets.prepare(&mut self.model, rests, n.value)?;
            let mut i = 0;
            while let Some((to, next)) = self.sets.get(rests, n.value, i) {
                i += 1;
                let Some(allowed) = self.dd.child(within, to) else { continue };
                let image = self.relprod_within(n.down, next, allowed, below)?;
                self.frames.add(&mut self.dd, base, to, image)?;
            }
        }
        let image = self.frames.close(&mut self.dd, base)?;
        let result = self.fire_node_within(image, within, level)?;
        self.dd.client_cache.put(op, node.raw(), within.raw(), result);
        Ok(result)
    }
}
