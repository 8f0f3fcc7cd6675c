//! What an image has to do from some level down: rests of events, and the residual.
//!
//! A [`Task`] pairs a set of event rests with the residual of the automaton's labels on the
//! *target* marking. Its moves at a level say to which local state each rest goes and which
//! task remains below; they are worked out once per local state. Moves after which the
//! automaton is stuck are left out. When neither the rests nor the residual look at a
//! level, the task passes it unchanged.
//!
//! Backward tasks go from targets to sources: their rests are those of reversed events, and
//! the residual follows the local state that one comes *from*, which is the target of the
//! step taken backwards. Where the sources are closed in turn, the residual of the local
//! states that one goes *to* is needed as well ([`Direction::BackwardTo`]); forward, both are one.
//!
//! *Invariant.* What remains below a level has something to do only below that level.

use super::READING;
use super::residual::{Residual, Residuals};
use crate::memo::Memo;
use crate::model::{Level, LevelModel};
use crate::tailset::{TailSet, TailSets};
use brine_dd::{Key, Stop};
use brine_net::Interner;

/// Rests of events with a residual; equal ones have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Task(u32);

impl Task {
    /// For cache keys; stays below [`Key::THIRD`], see `Tasks::intern`.
    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// In which direction steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Direction {
    /// From sources to targets.
    Forward,
    /// From targets to sources.
    Backward,
    /// The same to sources below local states with this residual.
    BackwardTo(Residual),
}

/// New local state and what is left to do below.
pub(crate) type TaskMove = (u32, Task);

/// What makes a task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct TaskParts {
    rests: TailSet,
    residual: Residual,
    way: Direction,
}

#[derive(Debug)]
struct TaskEntry {
    /// The highest level at which there is something to do.
    next: Level,
    moves: Memo<Box<[TaskMove]>>,
}

/// All tasks met so far.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    parts: Interner<TaskParts>,
    /// By number of the task.
    entries: Vec<TaskEntry>,
}

/// Where moves are worked out from.
pub(crate) struct Sources<'m> {
    pub(crate) model: &'m mut LevelModel,
    pub(crate) sets: &'m mut TailSets,
    pub(crate) residuals: &'m mut Residuals,
}

impl Tasks {
    /// The task of these rests under this residual. Fails when there are too many.
    pub(crate) fn intern(
        &mut self,
        sources: &Sources<'_>,
        rests: TailSet,
        residual: Residual,
        way: Direction,
    ) -> Result<Task, Stop> {
        let task = Task(self.parts.intern(TaskParts { rests, residual, way }));
        if (task.0 as usize) < self.entries.len() {
            return Ok(task);
        }
        if task.0 >= Key::THIRD {
            return Err(Stop::Memory);
        }
        let mut next = sources.sets.top(rests).max(sources.residuals.next(residual));
        if let Direction::BackwardTo(to) = way {
            next = next.max(sources.residuals.next(to));
        }
        self.entries.push(TaskEntry { next, moves: Memo::new() });
        Ok(task)
    }

    /// The highest level at which there is something to do.
    #[inline]
    pub(crate) fn next(&self, task: Task) -> Level {
        self.entries[task.0 as usize].next
    }

    /// Rests and residual.
    pub(crate) fn parts(&self, task: Task) -> (TailSet, Residual) {
        let TaskParts { rests, residual, .. } = self.parts[task.0 as usize];
        (rests, residual)
    }

    /// The residual below the local states that the task leads to.
    #[inline]
    pub(crate) fn target(&self, task: Task) -> Residual {
        let TaskParts { residual, way, .. } = self.parts[task.0 as usize];
        debug_assert!(way != Direction::Backward, "the residual of the sources was not asked for");
        if let Direction::BackwardTo(to) = way { to } else { residual }
    }

    pub(crate) fn is_backward(&self, task: Task) -> bool {
        self.parts[task.0 as usize].way != Direction::Forward
    }

    /// The `i`-th move from `value`, once [`Self::prepare`] ran.
    #[inline]
    pub(crate) fn get(&self, task: Task, value: u32, i: usize) -> Option<TaskMove> {
        self.entries[task.0 as usize].moves.get(value)?.get(i).copied()
    }

    /// Makes the moves from `value` at the task's next level known.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        sources: &mut Sources<'_>,
        task: Task,
        value: u32,
    ) -> Result<(), Stop> {
        if self.entries[task.0 as usize].moves.get(value).is_some() {
            return Ok(());
        }
        self.compute(sources, task, value)
    }

    #[cold]
    fn compute(&mut self, sources: &mut Sources<'_>, task: Task, value: u32) -> Result<(), Stop> {
        let TaskParts { rests, residual, way } = self.parts[task.0 as usize];
        let next = self.next(task);
        debug_assert!(next > Level(0), "at level 0 the automaton moves");
        let mut targets: Vec<(u32, TailSet)> = Vec::new();
        if sources.sets.top(rests) == next {
            sources.sets.prepare(sources.model, rests, value)?;
            while let Some(target) = sources.sets.get(rests, value, targets.len()) {
                targets.push(target);
            }
        } else {
            targets.push((value, rests));
        }
        let mut moves: Vec<TaskMove> = Vec::with_capacity(targets.len());
        for (to, rest) in targets {
            let mut left = residual;
            if sources.residuals.next(residual) == next {
                let forward = way == Direction::Forward;
                let (source, target) = if forward { (value, to) } else { (to, value) };
                let read = READING.read(source, target);
                left = sources.residuals.step(sources.model, residual, read);
            }
            let mut way = way;
            if let Direction::BackwardTo(above) = &mut way
                && sources.residuals.next(*above) == next
            {
                *above = sources.residuals.step(sources.model, *above, to);
            }
            if left != Residual::STUCK {
                let task = self.intern(sources, rest, left, way)?;
                debug_assert!(self.next(task) < next, "rests lie below");
                moves.push((to, task));
            }
        }
        self.entries[task.0 as usize].moves.insert(value, moves.into());
        Ok(())
    }
}
