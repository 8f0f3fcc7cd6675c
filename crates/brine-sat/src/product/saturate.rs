//! `ProdSaturate` and `ProdRelProd` (MVDBM16 Algorithms 3 and 4), with someone watching.
//!
//! ```text
//! closure(n)             =  the least set with n and all (s', q') with (s, q) -> (s', q') in it
//! closure_before(n, w)   =  the least set with n and all (s, q) of w with (s, q) -> (s', q') in it
//! ```
//!
//! An instance of the [`driver`](crate::driver). What is different from plain saturation: the
//! residual goes down with every step and is part of every key, and even when an event has
//! nothing left to do, the recursion goes on to level 0, where the automaton moves. There a
//! move leads from a control state to those it is related to by the letter class.
//!
//! An [`Observer`] is told of every firing and of every node that became saturated; that is where
//! accepting cycles are looked for while the product grows. It is told once for each
//! (node, residual): what comes out of a cache was seen before. Results with and without
//! an observer therefore live under different keys.
//!
//! *Reachable context.* Whatever is computed belongs to reachable product states: the
//! local states above are those on [`Product::path`]. A node gets to be saturated only
//! when the image it belongs to is not empty, that is, when the event was really enabled.
//!
//! *Backward.* The residual of a closure is that of the local states above the node, forward and
//! backward. A backward step reads the letter of the states it comes from and ends below others,
//! so its task carries both residuals.

use super::letters::RelationId;
use super::residual::Residual;
use super::tasks::{Direction, Task};
use super::{Filter, Product, ProductOp, Region};
use crate::constrained::{Constrained, Constraining};
use crate::driver::{self, Fired, Operation, Saturable, Steps};
use crate::model::Level;
use brine_dd::{Dd, Frames, Key, NodeId, Stop};

/// Why a saturation stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A limit was reached.
    Stop(Stop),
    /// The observer has seen enough.
    Enough,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
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
    /// The node.
    pub node: NodeId,
    /// Where it is saturated.
    pub region: Region,
}

/// Someone who watches a saturation.
pub trait Observer {
    /// Whether there is anyone at all.
    const WATCHES: bool;

    /// A node is about to be fired.
    fn begin(&mut self, product: &mut Product<'_>);

    /// Events were fired, and the image was not empty. Must not collect garbage.
    fn fired(&mut self, product: &mut Product<'_>, firing: Firing) -> Result<(), Halt>;

    /// The node begun last is saturated.
    fn saturated(&mut self, product: &mut Product<'_>, node: Saturated) -> Result<(), Halt>;

    /// These control states were reached at level 0.
    fn reached(&mut self, product: &mut Product<'_>, states: NodeId) -> Result<(), Halt>;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoObserver;

impl Observer for NoObserver {
    const WATCHES: bool = false;

    fn begin(&mut self, _: &mut Product<'_>) {}

    fn fired(&mut self, _: &mut Product<'_>, _: Firing) -> Result<(), Halt> {
        Ok(())
    }

    fn saturated(&mut self, _: &mut Product<'_>, _: Saturated) -> Result<(), Halt> {
        Ok(())
    }

    fn reached(&mut self, _: &mut Product<'_>, _: NodeId) -> Result<(), Halt> {
        Ok(())
    }
}

impl Product<'_> {
    /// The states reachable from `node` by steps of the region, while `observer` watches.
    pub fn saturate<O: Observer>(
        &mut self,
        observer: &mut O,
        region: Region,
        node: NodeId,
    ) -> Result<NodeId, Halt> {
        let mut steps = ProductSteps { product: self, observer, backward: false };
        driver::saturate(&mut steps, node, region.residual, region.level)
    }

    /// The states reachable from `node` by steps of the region.
    pub fn closure(&mut self, region: Region, node: NodeId) -> Result<NodeId, Stop> {
        unwatched(self.saturate(&mut NoObserver, region, node))
    }

    /// The states of `node`, and those of `within` from which they can be reached by steps of
    /// the region through states of `within`.
    pub fn closure_before(
        &mut self,
        region: Region,
        node: NodeId,
        within: NodeId,
    ) -> Result<NodeId, Stop> {
        self.events.prepare_backward(&self.dd.control().without_work())?;
        let mut steps = ProductSteps { product: self, observer: &mut NoObserver, backward: true };
        let constrained = Constrained::new(&mut steps);
        unwatched(constrained.closure(node, region.residual, within, region.level))
    }
}

/// The result of a computation without an observer.
pub(super) fn unwatched(result: Result<NodeId, Halt>) -> Result<NodeId, Stop> {
    result.map_err(|halt| match halt {
        Halt::Stop(stop) => stop,
        Halt::Enough => unreachable!("nobody watches"),
    })
}

/// The steps of a product.
pub(super) struct ProductSteps<'p, 'a, O> {
    pub(super) product: &'p mut Product<'a>,
    pub(super) observer: &'p mut O,
    /// Whether closures go from targets to sources; for images the task tells.
    pub(super) backward: bool,
}

/// The moves of a task from one local state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskMoves {
    task: Task,
    /// By what the automaton moves, at level 0.
    relation: Option<RelationId>,
    value: u32,
    next: usize,
}

impl<O: Observer> Steps for ProductSteps<'_, '_, O> {
    type Rest = Task;
    type Cursor = TaskMoves;
    type Stop = Halt;

    #[inline]
    fn parts(&mut self) -> (&mut Dd, &mut Frames) {
        (&mut self.product.dd, &mut self.product.frames)
    }

    #[inline]
    fn image_key(&self, op: Operation, node: NodeId, task: Task) -> Key {
        Key::with_number(ProductOp::new(op, O::WATCHES), node, task.raw())
    }

    /// The automaton moves even when the marking does not: only below level 0 is nothing to do.
    #[inline]
    fn identity(&mut self, node: NodeId, _: Task) -> Result<Option<NodeId>, Halt> {
        Ok(node.is_terminal().then_some(node))
    }

    #[inline]
    fn top(&self, task: Task) -> Level {
        self.product.tasks.next(task)
    }

    #[inline]
    fn start(&mut self, task: Task, level: Level) -> Result<TaskMoves, Halt> {
        let mut relation = None;
        if level == Level(0) {
            let Product { tasks, letters, control, .. } = &mut *self.product;
            let class = tasks.parts(task).1;
            relation = Some(letters.relation(control, class, tasks.is_backward(task)));
        }
        Ok(TaskMoves { task, relation, value: 0, next: 0 })
    }

    #[inline]
    fn seek(&mut self, moves: &mut TaskMoves, value: u32) -> Result<(), Halt> {
        moves.value = value;
        moves.next = 0;
        if moves.relation.is_none() {
            self.product.prepare(moves.task, value)?;
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self, moves: &mut TaskMoves, _: NodeId) -> Result<Option<(u32, Task)>, Halt> {
        let TaskMoves { task, relation, value, next } = *moves;
        moves.next += 1;
        Ok(match relation {
            None => self.product.tasks.get(task, value, next),
            Some(relation) => {
                let targets = &self.product.letters.related(relation)[value as usize];
                targets.get(next).map(|q| (q.0, task))
            }
        })
    }
}

impl<O: Observer> Saturable for ProductSteps<'_, '_, O> {
    type Under = Residual;

    #[inline]
    fn closure_key(&self, op: Operation, node: NodeId, residual: Residual) -> Key {
        debug_assert!(!self.backward, "closures backward are constrained");
        Key::with_number(ProductOp::new(op, O::WATCHES), node, residual.raw())
    }

    #[inline]
    fn is_closed(&self, residual: Residual, _: Level) -> bool {
        residual == Residual::STUCK
    }

    #[inline]
    fn child(&mut self, residual: Residual, level: Level, value: u32) -> Residual {
        if level == Level(0) {
            return residual;
        }
        self.product.letters.step(&self.product.events.model, residual, level, value)
    }

    #[inline]
    fn target(&self, task: Task) -> Residual {
        self.product.tasks.target(task)
    }

    #[inline]
    fn has_events(&self, level: Level) -> bool {
        self.product.events.at(level, self.backward).is_some()
    }

    #[inline]
    fn events(&mut self, residual: Residual, level: Level) -> Result<Option<Task>, Halt> {
        let way = if self.backward { Direction::BackwardTo(residual) } else { Direction::Forward };
        Ok(self.product.events_at(Region { level, residual }, way)?)
    }

    #[inline]
    fn collect_if_due(&mut self) {
        let Product { dd, frames, kept, .. } = &mut *self.product;
        if dd.collection_due() {
            dd.collect(frames.nodes().chain(kept.nodes()));
        }
    }

    #[inline]
    fn enter(&mut self, value: u32) {
        self.product.place.path.push(value);
    }

    #[inline]
    fn leave(&mut self) {
        self.product.place.path.pop();
    }

    #[inline]
    fn begin(&mut self) {
        self.product.place.firing += 1;
        self.observer.begin(self.product);
    }

    #[inline]
    fn fired(&mut self, fired: Fired<Task>) -> Result<(), Halt> {
        if !O::WATCHES {
            return Ok(());
        }
        let Fired { level, from, to, source, rest, frame } = fired;
        let (above, levels) = (self.product.path().len() as u32, self.product.whole().level.0);
        debug_assert!(above + level.0 == levels, "the path leads to the node");
        let old = self.product.frames.get(frame, to);
        let firing = Firing { level, from, to, source, task: rest, old };
        self.observer.fired(self.product, firing)
    }

    #[inline]
    fn reached(&mut self, image: NodeId, level: Level) -> Result<(), Halt> {
        if level == Level(0) { self.observer.reached(self.product, image) } else { Ok(()) }
    }

    #[inline]
    fn saturated(&mut self, node: NodeId, residual: Residual, level: Level) -> Result<(), Halt> {
        debug_assert!(self.product.place.firing > 0, "no node was begun");
        self.product.place.firing -= 1;
        let region = Region { level, residual };
        self.observer.saturated(self.product, Saturated { node, region })
    }
}

/// Images within a set are restricted to states inside accepting components besides;
/// closures within a set go backward.
impl<O: Observer> Constraining for ProductSteps<'_, '_, O> {
    fn image_key_within(&self, op: Operation, node: NodeId, task: Task, within: NodeId) -> Key {
        let op = match op {
            Operation::Image => ProductOp::InnerImageWithin,
            _ => ProductOp::RelProdWithin,
        };
        Key::with_node(op, node, within).and(task.raw())
    }

    fn closure_key_within(
        &self,
        op: Operation,
        node: NodeId,
        residual: Residual,
        within: NodeId,
    ) -> Key {
        debug_assert!(self.backward, "closures within a set go backward");
        let op = match op {
            Operation::Saturate => ProductOp::SaturateWithin,
            _ => ProductOp::FireWithin,
        };
        Key::with_node(op, node, within).and(residual.raw())
    }

    #[inline]
    fn admits(&mut self, level: Level, to: u32, below: NodeId) -> bool {
        self.backward || self.product.child_has(level, to, below, Filter::INNER)
    }
}
