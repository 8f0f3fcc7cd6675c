//! Input conditions of transitions, evaluated level by level.
//!
//! The *guard* of a transition is the list of its steps that take tokens, top level first;
//! rests of such lists are hash-consed. A *guard set* holds the guards that some
//! transitions still have to pass. Stepping it with the local state of its top level drops
//! those that fail and shortens those that pass; when one has nothing left, a transition is
//! enabled, whatever the levels below say. Fireability atoms and the search for dead
//! markings both walk down the levels with such a set.

use crate::level_sets::{LevelSetId, LevelSets};
use crate::model::{Level, LevelModel, StepId, TailId};
use brine_net::Interner;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct GuardRest(u32);

const PASSED: GuardRest = GuardRest(0);

/// A set of guards; equal sets have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GuardSet(LevelSetId);

impl GuardSet {
    /// Nothing can be enabled any more.
    pub(crate) const NONE: GuardSet = GuardSet(LevelSetId::EMPTY);

    pub(crate) fn raw(self) -> u32 {
        self.0.0
    }
}

/// What a local state makes of a guard set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// A transition is enabled.
    Enabled,
    /// These are left.
    Left(GuardSet),
}

/// All guards and guard sets met so far.
#[derive(Debug)]
pub(crate) struct Guards {
    /// Level, step and rest; number 0 is a placeholder for [`PASSED`].
    guards: Interner<(Level, StepId, GuardRest)>,
    sets: LevelSets,
    stepped: FxHashMap<(GuardSet, u32), Passed>,
}

impl Guards {
    pub(crate) fn new() -> Self {
        Guards {
            guards: Interner::from_iter([(Level(0), StepId::NONE, PASSED)]),
            sets: LevelSets::new(),
            stepped: FxHashMap::default(),
        }
    }

    /// The set of the guards of these events.
    pub(crate) fn of_events(
        &mut self,
        model: &LevelModel,
        events: impl Iterator<Item = TailId>,
    ) -> Passed {
        let guards = events.map(|e| self.guard(model, e)).collect();
        self.with(GuardSet::NONE, guards)
    }

    fn guard(&mut self, model: &LevelModel, mut event: TailId) -> GuardRest {
        let mut steps = Vec::new();
        while let Some((level, step, next)) = model.split(event) {
            if model.takes(step) {
                steps.push((level, step));
            }
            event = next;
        }
        debug_assert!(steps.is_sorted_by(|a, b| a.0 > b.0), "top level first");
        let mut guard = PASSED;
        for (level, step) in steps.into_iter().rev() {
            guard = GuardRest(self.guards.intern((level, step, guard)));
        }
        guard
    }

    /// The set with more guards.
    fn with(&mut self, set: GuardSet, more: Vec<GuardRest>) -> Passed {
        if more.contains(&PASSED) {
            return Passed::Enabled;
        }
        let levelled = more.iter().map(|g| (self.guards[g.0 as usize].0, g.0)).collect();
        Passed::Left(GuardSet(self.sets.with(set.0, levelled)))
    }

    /// The level that the set looks at next; 0 for [`GuardSet::NONE`].
    pub(crate) fn top(&self, set: GuardSet) -> Level {
        self.sets.first(set.0).map_or(Level(0), |(level, ..)| level)
    }

    /// What is left of `set` when its top level has the local state `value`.
    pub(crate) fn step(&mut self, model: &LevelModel, set: GuardSet, value: u32) -> Passed {
        if let Some(&r) = self.stepped.get(&(set, value)) {
            return r;
        }
        let Some((_, guards, rest)) = self.sets.first(set.0) else { return Passed::Left(set) };
        let left = |&g: &u32| {
            let (_, step, next) = self.guards[g as usize];
            model.enabled(step, value).then_some(next)
        };
        let left = guards.iter().filter_map(left).collect();
        let result = self.with(GuardSet(rest), left);
        if let Passed::Left(left) = result {
            debug_assert!(self.top(left) < self.top(set), "what is left lies below");
        }
        self.stepped.insert((set, value), result);
        result
    }
}
