//! `ProdSaturate` and `ProdRelProd` (MVDBM16 Algorithms 3 and 4), with someone watching.
//!
//! As in plain saturation, a node of level k is saturated under a residual when it is
//! closed under all product steps by events with top at most k; children first, then
//! the events with top k until nothing changes, each image saturated on its way up. What
//! is different: the residual goes down with every step and is part of every cache key, and even
//! when an event has nothing left to do, the recursion goes on to level 0, where the
//! automaton moves.
//!
//! An [`Observer`] is told of every firing and of every node that became saturated; that is where
//! accepting cycles are looked for while the product grows. It is told once for each
//! (node, residual): what comes out of a cache was seen before. Results with and without
//! an observer therefore live under different keys.
//!
//! *Reachable context.* Whatever is computed belongs to reachable product states: the
//! local states above are those on [`Product::path`]. A node gets to be saturated only
//! when the image it belongs to is not empty, that is, when the event was really enabled.

use super::residual::Residual;
use super::tasks::Task;
use super::{Product, Slot, op};
use crate::model::Level;
use brine_dd::{Abort, NodeId};

/// Why a saturation stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A limit was reached.
    Abort(Abort),
    /// The observer has seen enough.
    Enough,
}

impl From<Abort> for Halt {
    fn from(abort: Abort) -> Self {
        Halt::Abort(abort)
    }
}

/// Events with top `level` were fired from local state `from` to `to`.
#[derive(Clone, Copy, Debug)]
pub struct Firing {
    /// The level.
    pub level: Level,
    /// The local state before.
    pub from: u32,
    /// The local state after.
    pub to: u32,
    /// The states below `from` that were fired.
    pub source: NodeId,
    /// What was done below the level.
    pub task: Task,
    /// The states below `to` before the image is added.
    pub old: NodeId,
}

/// A node that has become saturated.
#[derive(Clone, Copy, Debug)]
pub struct Saturated {
    /// Its level.
    pub level: Level,
    /// The residual under which it is saturated.
    pub residual: Residual,
    /// The node.
    pub node: NodeId,
    /// What [`Observer::fired`] returned, put together.
    pub kept: NodeId,
}

/// Someone who watches a saturation.
pub trait Observer {
    /// Whether there is anyone at all.
    const WATCHES: bool;

    /// A node is about to be fired.
    fn begin(&mut self);

    /// Events were fired, and the image was not empty. Returns states below `to` to keep.
    /// Must not collect garbage.
    fn fired(&mut self, product: &mut Product<'_>, firing: Firing) -> Result<NodeId, Halt>;

    /// The node begun last is saturated.
    fn saturated(&mut self, product: &mut Product<'_>, node: Saturated) -> Result<(), Halt>;

    /// These control states were reached at level 0.
    fn reached(&mut self, product: &mut Product<'_>, states: NodeId) -> Result<(), Halt>;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    const WATCHES: bool = false;

    fn begin(&mut self) {}

    fn fired(&mut self, _: &mut Product<'_>, _: Firing) -> Result<NodeId, Halt> {
        Ok(NodeId::EMPTY)
    }

    fn saturated(&mut self, _: &mut Product<'_>, _: Saturated) -> Result<(), Halt> {
        Ok(())
    }

    fn reached(&mut self, _: &mut Product<'_>, _: NodeId) -> Result<(), Halt> {
        Ok(())
    }
}

impl Product<'_> {
    /// The closure of `node` under product steps by events with top at most `level`.
    pub fn saturate<O: Observer>(
        &mut self,
        observer: &mut O,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Halt> {
        if node == NodeId::EMPTY || residual == Residual::STUCK {
            return Ok(node);
        }
        let key = op::SATURATE | u32::from(O::WATCHES);
        if let Some(r) = self.dd.client_cache.get(key, node.raw(), residual.raw()) {
            return Ok(r);
        }
        // The key must stay alive: a collection would give its id to another node.
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.stack.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let mut child = n.down;
            if level > Level(0) {
                let below = self.step(residual, level, n.value);
                self.path.push(n.value);
                child = self.saturate(observer, n.down, below, level.below())?;
                self.path.pop();
            }
            self.stack.push(Slot::new(n.value, child, NodeId::EMPTY));
        }
        let result = self.fire(observer, base, residual, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(key, node.raw(), residual.raw(), result);
        Ok(result)
    }

    /// The closure of a node whose children are saturated.
    fn fire_node<O: Observer>(
        &mut self,
        observer: &mut O,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Halt> {
        if self.events[level.index()].is_none() || node.is_terminal() {
            return Ok(node);
        }
        let key = op::FIRE | u32::from(O::WATCHES);
        if let Some(r) = self.dd.client_cache.get(key, node.raw(), residual.raw()) {
            return Ok(r);
        }
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.stack.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            self.stack.push(Slot::new(n.value, n.down, NodeId::EMPTY));
            at = n.right;
        }
        let result = self.fire(observer, base, residual, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(key, node.raw(), residual.raw(), result);
        Ok(result)
    }

    /// Fires the events with top `level` on the node that begins at `base` until nothing
    /// changes, and ends it.
    fn fire<O: Observer>(
        &mut self,
        observer: &mut O,
        base: usize,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Halt> {
        let Some(task) = self.events_at(level, residual)? else {
            return Ok(self.close_frame(base)?.0);
        };
        observer.begin();
        self.firing += 1;
        let mut next = base;
        while next < self.stack.len() {
            if !self.stack[next].dirty {
                next += 1;
            } else if level == Level(0) {
                next = self.fire_control(observer, base, next, residual)?;
            } else {
                next = self.fire_slot(observer, base, next, task, level)?;
            }
        }
        self.firing -= 1;
        let (node, kept) = self.close_frame(base)?;
        observer.saturated(self, Saturated { level, residual, node, kept })?;
        Ok(node)
    }

    /// Fires all events from one arc, as a whole. Returns the lowest index that may be
    /// dirty now.
    fn fire_slot<O: Observer>(
        &mut self,
        observer: &mut O,
        base: usize,
        mut index: usize,
        events: Task,
        level: Level,
    ) -> Result<usize, Halt> {
        self.collect_if_due();
        // A place that grows without end makes arcs, not nodes.
        self.dd.tick()?;
        self.stack[index].dirty = false;
        let value = self.stack[index].value;
        let mut lowest = index;
        self.prepare(events, value)?;
        let mut i = 0;
        while let Some((to, task)) = self.get_move(events, value, i) {
            i += 1;
            let source = self.stack[index].node;
            self.path.push(to);
            let image = self.relprod(observer, source, task, level.below())?;
            self.path.pop();
            if image == NodeId::EMPTY {
                continue;
            }
            let mut kept = NodeId::EMPTY;
            if O::WATCHES {
                let old = self.old(base, to);
                let firing = Firing { level, from: value, to, source, task, old };
                kept = observer.fired(self, firing)?;
            }
            if let Some((at, inserted)) = self.add(base, to, image, kept)? {
                index += usize::from(inserted && at <= index);
                lowest = lowest.min(at);
            }
        }
        Ok(lowest)
    }

    /// The states below `value` in the node that begins at `base`.
    fn old(&self, base: usize, value: u32) -> NodeId {
        match self.stack[base..].binary_search_by_key(&value, |s| s.value) {
            Ok(i) => self.stack[base + i].node,
            Err(_) => NodeId::EMPTY,
        }
    }

    /// Fires the events that touch no place from one control state.
    fn fire_control<O: Observer>(
        &mut self,
        observer: &mut O,
        base: usize,
        index: usize,
        class: Residual,
    ) -> Result<usize, Halt> {
        self.dd.tick()?;
        self.stack[index].dirty = false;
        let value = self.stack[index].value;
        let targets = self.successors(class, false)[value as usize].clone();
        let Some(task) = self.events_at(Level(0), class)? else { return Ok(index + 1) };
        let mut lowest = index;
        for &to in &targets {
            let mut kept = NodeId::EMPTY;
            if O::WATCHES {
                let old = self.old(base, to);
                let source = NodeId::UNIT;
                let firing = Firing { level: Level(0), from: value, to, source, task, old };
                kept = observer.fired(self, firing)?;
            }
            if let Some((at, _)) = self.add(base, to, NodeId::UNIT, kept)? {
                lowest = lowest.min(at);
            }
        }
        Ok(lowest)
    }

    /// The saturated image of a saturated node of `level`.
    fn relprod<O: Observer>(
        &mut self,
        observer: &mut O,
        node: NodeId,
        task: Task,
        level: Level,
    ) -> Result<NodeId, Halt> {
        if node == NodeId::EMPTY {
            return Ok(node);
        }
        let key = op::RELPROD | u32::from(O::WATCHES);
        if let Some(r) = self.dd.client_cache.get(key, node.raw(), task.raw()) {
            return Ok(r);
        }
        if level == Level(0) {
            return self.move_control(observer, node, task);
        }
        let base = self.stack.len();
        let skip = self.next_level(task) < level;
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            if skip {
                self.path.push(n.value);
                let image = self.relprod(observer, n.down, task, level.below())?;
                self.path.pop();
                self.add(base, n.value, image, NodeId::EMPTY)?;
                continue;
            }
            self.prepare(task, n.value)?;
            let mut i = 0;
            while let Some((to, next)) = self.get_move(task, n.value, i) {
                i += 1;
                self.path.push(to);
                let image = self.relprod(observer, n.down, next, level.below())?;
                self.path.pop();
                self.add(base, to, image, NodeId::EMPTY)?;
            }
        }
        let (image, _) = self.close_frame(base)?;
        let residual = self.target_residual(task);
        let result = self.fire_node(observer, image, residual, level)?;
        self.dd.client_cache.put(key, node.raw(), task.raw(), result);
        Ok(result)
    }

    /// The residual under which the image of a task is saturated.
    fn target_residual(&self, task: Task) -> Residual {
        self.tasks.parts(task).1
    }

    /// The image of a set of control states: the automaton moves.
    fn move_control<O: Observer>(
        &mut self,
        observer: &mut O,
        node: NodeId,
        task: Task,
    ) -> Result<NodeId, Halt> {
        let image = self.image_of_control(node, task)?;
        observer.reached(self, image)?;
        let class = self.target_residual(task);
        let result = self.fire_node(observer, image, class, Level(0))?;
        let key = op::RELPROD | u32::from(O::WATCHES);
        self.dd.client_cache.put(key, node.raw(), task.raw(), result);
        Ok(result)
    }
}
