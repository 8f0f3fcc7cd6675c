//! The net's side of the product: its events over levels, by their tops.

use super::tasks::{Direction, Sources};
use super::{Residual, Task, Tasks};
use crate::TailId;
use crate::model::{Level, LevelModel};
use crate::product::letters::LetterClasses;
use crate::tailset::{TailSet, TailSets};
use brine_dd::Stop;
use brine_net::{Net, TransitionId};

/// Sets of events by their top level; level 0 for those that touch no place.
type ByTop = Vec<Option<TailSet>>;

/// The events of a net, forward and, once they were needed, backward.
#[derive(Debug)]
pub(super) struct Events<'a> {
    pub(super) net: &'a Net,
    pub(super) model: LevelModel,
    pub(super) sets: TailSets,
    forward: ByTop,
    backward: Option<ByTop>,
    /// Those that go backward, by transition, once they were needed.
    reversed: Vec<TailId>,
}

impl<'a> Events<'a> {
    pub(super) fn new(net: &'a Net, model: LevelModel) -> Self {
        let mut sets = TailSets::new();
        let forward = by_top(&model, &mut sets, model.events.iter().copied());
        Events { net, model, sets, forward, backward: None, reversed: Vec::new() }
    }

    /// Makes the events known that go backward.
    pub(super) fn prepare_backward(&mut self, control: &brine_run::Control) -> Result<(), Stop> {
        if self.backward.is_none() {
            let events = self.model.reversed_events(self.net, control)?;
            self.backward = Some(by_top(&self.model, &mut self.sets, events.iter().copied()));
            self.reversed = events;
        }
        Ok(())
    }

    /// The events with top `level`.
    #[inline]
    pub(super) fn at(&self, level: Level, backward: bool) -> Option<TailSet> {
        match (backward, &self.backward) {
            (false, _) => self.forward[level.index()],
            (true, Some(events)) => events[level.index()],
            (true, None) => {
                debug_assert!(false, "events that go backward were not prepared");
                None
            }
        }
    }

    /// The events with top at most `level`.
    pub(super) fn up_to(&mut self, level: Level, backward: bool) -> Option<TailSet> {
        let all = (0..=level.0).filter_map(|l| self.at(Level(l), backward)).collect();
        self.sets.union_of(all)
    }

    /// The events of some transitions, backward, which must have been prepared.
    pub(super) fn reversed(&mut self, transitions: &[TransitionId]) -> TailSet {
        debug_assert!(self.backward.is_some(), "events that go backward were not prepared");
        let tails = transitions.iter().map(|t| self.reversed[t.index()]).collect();
        self.sets.intern(&self.model, tails)
    }

    /// The events, as far as tasks need to know them.
    #[inline]
    pub(super) fn sources<'s>(&'s mut self, letters: &'s mut LetterClasses) -> Sources<'s> {
        Sources { model: &mut self.model, sets: &mut self.sets, residuals: &mut letters.residuals }
    }

    /// The task of the events with top `level` under `residual`; `None` without events.
    pub(super) fn task_at(
        &mut self,
        (tasks, letters): (&mut Tasks, &mut LetterClasses),
        level: Level,
        residual: Residual,
        way: Direction,
    ) -> Result<Option<Task>, Stop> {
        match self.at(level, way != Direction::Forward) {
            Some(events) if residual != Residual::STUCK => {
                tasks.intern(&self.sources(letters), events, residual, way).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The sets of events by their highest level.
fn by_top(model: &LevelModel, sets: &mut TailSets, events: impl Iterator<Item = TailId>) -> ByTop {
    let mut tails = vec![Vec::new(); model.levels.len()];
    for tail in events {
        let level = model.split(tail).map_or(Level(0), |s| s.0);
        tails[level.index()].push(tail);
    }
    tails.into_iter().map(|t| (!t.is_empty()).then(|| sets.intern(model, t))).collect()
}
