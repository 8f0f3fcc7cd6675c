//! One step of the product, without closure.
//!
//! ```text
//! image(n)              =  { t | s in n, s -> t }
//! preimage(n)           =  { s | t in n, s -> t }
//! preimage_by(n, T)     =  { s | t in n, s -> t by a transition of T }
//! targets_within(n, w)  =  { t in w | s in n, s -> t by a task, t inside an accepting component }
//! ```
//!
//! Instances of the [`driver`](crate::driver); the last one is constrained.

use super::saturate::{NoObserver, ProductSteps, unwatched};
use super::tasks::{Direction, Task};
use super::{ControlState, Filter, Product, Region, Residual};
use crate::constrained::Constrained;
use crate::driver;
use crate::model::Level;
use crate::tailset::TailSet;
use brine_dd::{NodeId, Stop};
use brine_net::TransitionId;

impl Product<'_> {
    /// The states that steps of the region lead to from those of `node`.
    pub fn image(&mut self, region: Region, node: NodeId) -> Result<NodeId, Stop> {
        self.one_step(region, node, Direction::Forward)
    }

    /// The states from which steps of the region lead to those of `node`. They need not be
    /// reachable.
    pub fn preimage(&mut self, region: Region, node: NodeId) -> Result<NodeId, Stop> {
        self.events.prepare_backward(&self.dd.control().without_work())?;
        self.one_step(region, node, Direction::Backward)
    }

    /// The same by some transitions alone, of which there is at least one; the region is that of
    /// all levels.
    pub fn preimage_by(
        &mut self,
        region: Region,
        node: NodeId,
        transitions: &[TransitionId],
    ) -> Result<NodeId, Stop> {
        self.events.prepare_backward(&self.dd.control().without_work())?;
        let some = self.events.reversed(transitions);
        self.one_step_by(region, node, some, Direction::Backward)
    }

    fn one_step(&mut self, region: Region, node: NodeId, way: Direction) -> Result<NodeId, Stop> {
        match self.events.up_to(region.level, way == Direction::Backward) {
            Some(all) => self.one_step_by(region, node, all, way),
            None => Ok(NodeId::EMPTY),
        }
    }

    fn one_step_by(
        &mut self,
        region: Region,
        node: NodeId,
        all: TailSet,
        way: Direction,
    ) -> Result<NodeId, Stop> {
        let Region { level, residual } = region;
        if residual == Residual::STUCK || node == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        let sources = self.events.sources(&mut self.letters);
        let task = self.tasks.intern(&sources, all, residual, way)?;
        let mut steps = ProductSteps { product: self, observer: &mut NoObserver, backward: false };
        unwatched(driver::image(&mut steps, node, task, level))
    }

    /// The states of `within` that `task` leads to directly from `node`, as far as they lie
    /// inside accepting components. Both are sets of states from `level` down.
    pub fn targets_within(
        &mut self,
        level: Level,
        node: NodeId,
        task: Task,
        within: NodeId,
    ) -> Result<NodeId, Stop> {
        if node == NodeId::EMPTY || !self.has(within, Filter::INNER, level) {
            return Ok(NodeId::EMPTY);
        }
        let mut steps = ProductSteps { product: self, observer: &mut NoObserver, backward: false };
        unwatched(Constrained::new(&mut steps).image(node, task, within, level))
    }

    /// The same for the events with top at the region's level, along the arcs from one local
    /// state to another that `allowed` admits. (At level 0 all arcs are.)
    pub fn targets_of_level(
        &mut self,
        region: Region,
        node: NodeId,
        within: NodeId,
        allowed: impl Fn(u32, u32) -> bool,
    ) -> Result<NodeId, Stop> {
        let Some(events) = self.events_at(region, Direction::Forward)? else {
            return Ok(NodeId::EMPTY);
        };
        if region.level == Level(0) {
            return self.targets_within(region.level, node, events, within);
        }
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            self.prepare(events, n.value)?;
            let mut i = 0;
            while let Some((to, task)) = self.tasks.get(events, n.value, i) {
                i += 1;
                let below = self.dd.child(within, to).filter(|_| allowed(n.value, to));
                if let Some(below) = below {
                    let found = self.targets_within(region.level.below(), n.down, task, below)?;
                    self.frames.add(&mut self.dd, base, to, found)?;
                }
            }
        }
        self.frames.close(&mut self.dd, base)
    }

    /// Calls `tell` for the moves of the region's level from `value` that are certain: an event
    /// leaves all levels below alone, whatever they are, and the letter that the automaton will
    /// read is known already. With the local state it leads to and the successors of each
    /// control state.
    pub fn certain_moves(
        &mut self,
        region: Region,
        value: u32,
        mut tell: impl FnMut(u32, &[Box<[ControlState]>]),
    ) -> Result<(), Stop> {
        let Some(events) = self.events_at(region, Direction::Forward)? else { return Ok(()) };
        self.prepare(events, value)?;
        let mut i = 0;
        while let Some((to, task)) = self.tasks.get(events, value, i) {
            i += 1;
            let (rests, residual) = self.tasks.parts(task);
            let known = self.letters.residuals.next(residual) == Level(0);
            if known && self.events.sets.has_done(rests) {
                let relation = self.letters.relation(&self.control, residual, false);
                tell(to, self.letters.related(relation));
            }
        }
        Ok(())
    }
}
