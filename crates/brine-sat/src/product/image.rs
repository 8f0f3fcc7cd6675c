//! One step of the product, forward or backward, without closure.

use super::residual::Residual;
use super::tasks::Task;
use super::{Product, by_top, op};
use crate::model::Level;
use brine_dd::{Abort, NodeId};

impl Product<'_> {
    /// The states that `task` leads to from `node`, a set of states from `level` down.
    pub fn image(&mut self, node: NodeId, task: Task, level: Level) -> Result<NodeId, Abort> {
        if node == NodeId::EMPTY {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(op::IMAGE, node.raw(), task.raw()) {
            return Ok(r);
        }
        if level == Level(0) {
            let image = self.image_of_control(node, task)?;
            self.dd.client_cache.put(op::IMAGE, node.raw(), task.raw(), image);
            return Ok(image);
        }
        let base = self.open_frame();
        let skip = self.next_level(task) < level;
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            if skip {
                let image = self.image(n.down, task, level.below())?;
                self.add(base, n.value, image, NodeId::EMPTY)?;
                continue;
            }
            self.prepare(task, n.value)?;
            let mut i = 0;
            while let Some((to, next)) = self.get_move(task, n.value, i) {
                i += 1;
                let image = self.image(n.down, next, level.below())?;
                self.add(base, to, image, NodeId::EMPTY)?;
            }
        }
        let (image, _) = self.close_frame(base)?;
        self.dd.client_cache.put(op::IMAGE, node.raw(), task.raw(), image);
        Ok(image)
    }

    /// The control states that the automaton goes to from those of `node`.
    pub(super) fn image_of_control(&mut self, node: NodeId, task: Task) -> Result<NodeId, Abort> {
        let (class, backward) = self.letter_class(task);
        let mut targets: Vec<u32> = Vec::new();
        for (q, _) in self.dd.arcs(node).collect::<Vec<_>>() {
            targets.extend_from_slice(&self.successors(class, backward)[q as usize]);
        }
        targets.sort_unstable();
        targets.dedup();
        let arcs: Vec<(u32, NodeId)> = targets.into_iter().map(|q| (q, NodeId::UNIT)).collect();
        self.dd.make_list(&arcs)
    }

    /// The states that all events with top at most `level` lead to in one step.
    pub fn image_below(
        &mut self,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Abort> {
        self.step_below(node, residual, level, false)
    }

    /// The states from which events with top at most `level` lead to `node` in one step.
    /// They need not be reachable.
    pub fn preimage_below(
        &mut self,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Abort> {
        self.step_below(node, residual, level, true)
    }

    fn step_below(
        &mut self,
        node: NodeId,
        residual: Residual,
        level: Level,
        backward: bool,
    ) -> Result<NodeId, Abort> {
        if residual == Residual::STUCK || node == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        if backward && self.reversed.is_none() {
            let events = self.model.reversed_events(self.net, &self.dd.limits().control())?;
            self.reversed = Some(by_top(&self.model, &mut self.sets, events.into_iter()));
        }
        let events = if backward { self.reversed.as_ref() } else { Some(&self.events) };
        let rests = events.iter().flat_map(|e| &e[..=level.index()]).flatten().copied().collect();
        let Some(all) = self.sets.union_of(rests) else {
            return Ok(NodeId::EMPTY);
        };
        let task = self.task(all, residual, backward)?;
        self.image(node, task, level)
    }
}
