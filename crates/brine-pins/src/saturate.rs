//! Saturation over relations that are learned on the way (MVDBM16 section 3 on top of MKBP14).
//!
//! The top of a group is the highest level that it depends on. A node is *saturated* when its
//! set is closed under all groups whose top is its level or below. `saturate` saturates the
//! children first, then fires the groups with top here until nothing changes; images are
//! saturated on their way up ([`crate::ldd_next`]).
//!
//! *Learning.* Just before a group is fired from a value, it is asked about the short vectors
//! of the states there. All levels that it depends on lie at or below its top, so these are
//! all it needs to know.
//!
//! *Why caches stay right.* What is remembered for a node is its closure under the model's
//! own steps, not under what happened to be learned: at the end of `fire` each value was
//! fired, after learning, since it last changed. Images are remembered under the relation's
//! node, which is another one after it grew. While the groups of one level are fired, inner
//! calls learn only for groups with lower tops, so the relations in use do not change.

use brine_dd::NodeId;

use crate::explorer::{COPY, Explorer, op};
use crate::interface::Stop;
use crate::ldd_next::{Mode, Rest};
use crate::matrix::Dependency;

impl Explorer<'_> {
    /// The closure of `node` under the groups whose top is `depth` or below.
    pub(crate) fn saturate(&mut self, node: NodeId, depth: u32) -> Result<NodeId, Stop> {
        if depth as usize >= self.by_top.len() || node.is_terminal() {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(op::SATURATE, node.raw(), 0) {
            return Ok(r);
        }
        let protected = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let child = self.saturate(n.down, depth + 1)?;
            self.frames.push(n.value, child);
        }
        let result = self.fire(base, depth)?;
        self.dd.unprotect_to(protected);
        self.dd.client_cache.put(op::SATURATE, node.raw(), 0, result);
        Ok(result)
    }

    /// The closure of a node whose children are saturated.
    pub(crate) fn fire_node(&mut self, node: NodeId, depth: u32) -> Result<NodeId, Stop> {
        if self.by_top.get(depth as usize).is_none_or(Vec::is_empty) || node.is_terminal() {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(op::FIRE, node.raw(), 0) {
            return Ok(r);
        }
        let protected = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.frames.open(&self.dd, node);
        let result = self.fire(base, depth)?;
        self.dd.unprotect_to(protected);
        self.dd.client_cache.put(op::FIRE, node.raw(), 0, result);
        Ok(result)
    }

    /// Fires the groups with top `depth` on the frame until nothing changes; closes it.
    fn fire(&mut self, base: usize, depth: u32) -> Result<NodeId, Stop> {
        let mut next = base;
        while next < self.frames.len() {
            if self.frames[next].dirty {
                next = self.fire_slot(base, next, depth)?;
            } else {
                next += 1;
            }
        }
        Ok(self.frames.close(&mut self.dd, base)?)
    }

    /// Fires all groups from one slot. Returns the lowest index that may be dirty now.
    fn fire_slot(&mut self, base: usize, mut index: usize, depth: u32) -> Result<usize, Stop> {
        self.collect_if_due(&[]);
        self.dd.tick()?;
        self.frames[index].dirty = false;
        let value = self.frames[index].value;
        let mut lowest = index;
        for i in 0..self.by_top[depth as usize].len() {
            let group = self.by_top[depth as usize][i];
            self.learn_below(group, value, self.frames[index].node, depth)?;
            let tail = self.tails.get(self.groups[group].tail);
            let rest = Rest { tail: tail.next, depth: depth + 1, mode: Mode::Saturated };
            for (to, relation) in self.moves(group, value, tail.dependency) {
                let image = self.ldd_next(self.frames[index].node, relation, rest)?;
                if let Some((at, inserted)) = self.frames.add(&mut self.dd, base, to, image)? {
                    index += usize::from(inserted && at <= index);
                    lowest = lowest.min(at);
                }
            }
        }
        Ok(lowest)
    }

    /// Where a group leads from `value` at its top level, with the rest of the relation.
    fn moves(&self, group: usize, value: u32, dependency: Dependency) -> Vec<(u32, NodeId)> {
        let relation = self.groups[group].relation;
        let writes = |list: NodeId| self.dd.arcs(list).collect::<Vec<_>>();
        match dependency {
            Dependency::Copy | Dependency::Read => {
                self.dd.child(relation, value).map(|rest| (value, rest)).into_iter().collect()
            }
            Dependency::ReadWrite => self.dd.child(relation, value).map_or_else(Vec::new, writes),
            Dependency::MustWrite => writes(relation),
            Dependency::MayWrite => {
                let to = |written| if written == COPY { value } else { written - 1 };
                self.dd.arcs(relation).map(|(written, rest)| (to(written), rest)).collect()
            }
        }
    }
}
