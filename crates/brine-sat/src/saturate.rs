//! Saturation (MVDBM16 section 3, Algorithms 1 and 2 without the constraint).
//!
//! A node of level k is *saturated* when its set is closed under all events whose top
//! level is at most k. `saturate` saturates the children first and then fires the
//! events with top k (`fire`) until nothing changes; each image is saturated on its
//! way up by `relprod`.
//!
//! *Why it is right.* Children in a frame are saturated at all times: they start so,
//! images come back so, and the union of two sets closed under the same events is
//! closed. When `fire` ends, each child of the frame has been fired, as a whole, since
//! it last changed; so the frame is closed under the events with top k as well.
//!
//! *Frames.* The nodes under construction lie on one stack of [`Frames`], which is also
//! the root set for garbage collection: whatever is alive hangs on a slot.

use brine_dd::{Abort, Dd, Frames, NodeId};

use crate::model::{Level, Model, TailId};
use crate::tailset::{TailSet, TailSets};

/// Operation tags in the client cache; all have a key `b` that is no node.
const SATURATE: u32 = Dd::B_IS_NOT_A_NODE;
const FIRE: u32 = Dd::B_IS_NOT_A_NODE | 1;
const RELPROD: u32 = Dd::B_IS_NOT_A_NODE | 2;

/// The saturation engine over one model.
#[derive(Debug)]
pub struct Saturation {
    /// The diagrams.
    pub dd: Dd,
    /// The events.
    pub model: Model,
    /// Events by top level, without those that change nothing.
    pub(crate) events: Vec<Option<TailSet>>,
    pub(crate) sets: TailSets,
    /// The lowest level at which an event has its top.
    pub(crate) lowest_top: Level,
    pub(crate) frames: Frames,
}

impl Saturation {
    /// Prepares the events of `model`.
    pub fn new(model: Model, dd: Dd) -> Self {
        let mut tails: Vec<Vec<TailId>> = vec![Vec::new(); model.levels.len()];
        for &tail in &model.events {
            if let Some((level, ..)) = model.split(tail)
                && !model.changes_nothing(tail)
            {
                tails[level.index()].push(tail);
            }
        }
        let mut sets = TailSets::new();
        let events: Vec<Option<TailSet>> =
            tails.into_iter().map(|t| (!t.is_empty()).then(|| sets.intern(&model, t))).collect();
        let lowest = events.iter().position(|e| e.is_some()).unwrap_or(events.len());
        Saturation {
            dd,
            model,
            events,
            sets,
            lowest_top: Level(lowest as u32),
            frames: Frames::default(),
        }
    }

    /// All markings reachable from the initial one. Run it under
    /// [`brine_dd::with_deep_stack`] when there are more than a few hundred levels.
    pub fn reach(&mut self) -> Result<NodeId, Abort> {
        let mut set = NodeId::UNIT;
        for level in 1..self.model.levels.len() {
            set = self.dd.make_node(self.model.initial[level], set, NodeId::EMPTY)?;
            set = self.fire_node(set, Level(level as u32))?;
            if let Some(progress) = &self.dd.limits().progress {
                progress.level.store(level as u64, std::sync::atomic::Ordering::Relaxed);
            }
        }
        self.dd.protect(set);
        Ok(set)
    }

    /// The closure of `set` under all events.
    pub fn saturate_all(&mut self, set: NodeId) -> Result<NodeId, Abort> {
        self.saturate(set, Level(self.model.level_count() as u32))
    }

    /// The closure of `node` under the events with top at most `level`.
    fn saturate(&mut self, node: NodeId, level: Level) -> Result<NodeId, Abort> {
        if level < self.lowest_top || node.is_terminal() {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(SATURATE, node.raw(), 0) {
            return Ok(r);
        }
        let base = self.frames.len();
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            let child = self.saturate(n.down, Level(level.0 - 1))?;
            self.frames.push(n.value, child);
            at = n.right;
        }
        let result = self.fire(base, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(SATURATE, node.raw(), 0, result);
        Ok(result)
    }

    /// The closure of a node whose children are saturated.
    fn fire_node(&mut self, node: NodeId, level: Level) -> Result<NodeId, Abort> {
        if self.events[level.index()].is_none() || node.is_terminal() {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(FIRE, node.raw(), 0) {
            return Ok(r);
        }
        // The key must stay alive: a collection would give its id to another node.
        let depth = self.dd.protected_len();
        self.dd.protect(node);
        let base = self.frames.open(&self.dd, node);
        let result = self.fire(base, level)?;
        self.dd.unprotect_to(depth);
        self.dd.client_cache.put(FIRE, node.raw(), 0, result);
        Ok(result)
    }

    /// Fires the events with top `level` on the frame above `base` until nothing
    /// changes; pops the frame and returns its node.
    fn fire(&mut self, base: usize, level: Level) -> Result<NodeId, Abort> {
        if let Some(events) = self.events[level.index()] {
            let mut next = base;
            while next < self.frames.len() {
                if self.frames[next].dirty {
                    next = self.fire_slot(base, next, level, events)?;
                } else {
                    next += 1;
                }
            }
        }
        self.frames.close(&mut self.dd, base)
    }

    /// Fires all events from one slot. Returns the lowest index that may be dirty now.
    fn fire_slot(
        &mut self,
        base: usize,
        mut index: usize,
        level: Level,
        events: TailSet,
    ) -> Result<usize, Abort> {
        self.collect_if_due();
        // A place that grows without end makes slots, not nodes.
        self.dd.tick()?;
        self.frames[index].dirty = false;
        let value = self.frames[index].value;
        let mut lowest = index;
        self.sets.prepare(&mut self.model, events, value)?;
        let mut i = 0;
        while let Some((to, rest)) = self.sets.get(events, value, i) {
            i += 1;
            let image = self.relprod(self.frames[index].node, rest, Level(level.0 - 1))?;
            if let Some((at, inserted)) = self.frames.add(&mut self.dd, base, to, image)? {
                index += usize::from(inserted && at <= index);
                lowest = lowest.min(at);
            }
        }
        Ok(lowest)
    }

    /// The saturated image of a saturated node of `level` under the rests of events.
    fn relprod(&mut self, node: NodeId, rests: TailSet, level: Level) -> Result<NodeId, Abort> {
        if rests == TailSet::DONE {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(RELPROD, node.raw(), rests.raw()) {
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
                let image = self.relprod(n.down, rests, below)?;
                self.frames.add(&mut self.dd, base, n.value, image)?;
                continue;
            }
            self.sets.prepare(&mut self.model, rests, n.value)?;
            let mut i = 0;
            while let Some((to, next)) = self.sets.get(rests, n.value, i) {
                i += 1;
                let image = self.relprod(n.down, next, below)?;
                self.frames.add(&mut self.dd, base, to, image)?;
            }
        }
        let image = self.frames.close(&mut self.dd, base)?;
        let result = self.fire_node(image, level)?;
        self.dd.client_cache.put(RELPROD, node.raw(), rests.raw(), result);
        Ok(result)
    }

    /// Collects garbage if it is time; whatever is alive hangs on the frames.
    pub(crate) fn collect_if_due(&mut self) {
        if self.dd.collection_due() {
            self.dd.collect(self.frames.nodes());
        }
    }
}
