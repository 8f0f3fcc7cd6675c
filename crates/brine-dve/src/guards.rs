//! The conditions of groups one by one, and what their steps leave behind, for partial-order
//! reduction.
//!
//! The tests of a compiled group are its guards; equal tests of different groups are one guard.
//! They are looked at in their order, and one may go wrong (an index outside of its array): then
//! the group takes a step, into the error state. So a guard counts as holding where it goes wrong,
//! and a group is *sure* of its guards up to the first that may go wrong, that one included.

use crate::code::Test;
use crate::compile::{Action, CompiledGroup, Place};
use brine_pins::{GroupId, GuardId, SlotId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The conditions of all groups.
#[derive(Debug)]
pub(crate) struct Guards {
    tests: Vec<Test>,
    reads: Vec<Vec<SlotId>>,
    groups: Vec<GroupConditions>,
}

#[derive(Debug)]
struct GroupConditions {
    guards: Vec<GuardId>,
    sure: usize,
    sets: Vec<(SlotId, u32)>,
}

impl Guards {
    pub(crate) fn new(groups: &[CompiledGroup]) -> Self {
        let mut guards = Guards { tests: Vec::new(), reads: Vec::new(), groups: Vec::new() };
        let mut known: FxHashMap<Vec<SlotId>, Vec<GuardId>> = FxHashMap::default();
        for group in groups {
            let number = |test: &Test| guards.number(test, &mut known);
            let numbers = group.tests.iter().map(number).collect();
            let failing = group.tests.iter().position(Test::may_fail);
            let mut after = BTreeMap::new();
            constants(&group.actions, &mut after);
            let sets = after.into_iter().filter_map(|(s, v)| v.map(|v| (SlotId(s), v))).collect();
            guards.groups.push(GroupConditions {
                guards: numbers,
                sure: failing.map_or(group.tests.len(), |first| first + 1),
                sets,
            });
        }
        guards
    }

    /// The number of a test, a new one if it was not met before.
    fn number(&mut self, test: &Test, known: &mut FxHashMap<Vec<SlotId>, Vec<GuardId>>) -> GuardId {
        let mut reads: Vec<SlotId> = test.reads().into_iter().map(SlotId).collect();
        reads.sort_unstable();
        reads.dedup();
        let same_reads = known.entry(reads.clone()).or_default();
        let found = same_reads.iter().find(|g| self.tests[g.index()] == *test);
        if let Some(&guard) = found {
            return guard;
        }
        let guard = GuardId(self.tests.len() as u32);
        same_reads.push(guard);
        self.tests.push(test.clone());
        self.reads.push(reads);
        guard
    }

    pub(crate) fn count(&self) -> usize {
        self.tests.len()
    }

    pub(crate) fn of(&self, group: GroupId) -> &[GuardId] {
        &self.groups[group.index()].guards
    }

    pub(crate) fn sure(&self, group: GroupId) -> usize {
        self.groups[group.index()].sure
    }

    pub(crate) fn reads(&self, guard: GuardId) -> &[SlotId] {
        &self.reads[guard.index()]
    }

    pub(crate) fn holds(&self, guard: GuardId, state: &[u32]) -> bool {
        self.tests[guard.index()].holds(state).unwrap_or(true)
    }

    pub(crate) fn value(&self, guard: GuardId) -> Option<(SlotId, u32)> {
        match self.tests[guard.index()] {
            Test::Is(slot, value) => Some((SlotId(slot), value)),
            _ => None,
        }
    }

    pub(crate) fn sets(&self, group: GroupId) -> &[(SlotId, u32)] {
        &self.groups[group.index()].sets
    }
}

/// The slots that the actions write: those that certainly end with one value have it.
fn constants(actions: &[Action], after: &mut BTreeMap<u32, Option<u32>>) {
    for action in actions {
        match action {
            Action::Set(slot, value) => {
                after.insert(*slot, Some(*value));
            }
            Action::Assign(place, _) | Action::Pass(place, _, _) => match place {
                Place::Slot(_, slot) => {
                    after.insert(*slot, None);
                }
                Place::Element(array, _) => after.extend(array.slots().map(|slot| (slot, None))),
            },
            Action::Push { count, messages, capacity, values } => {
                let slots = *messages..messages + capacity * values.len() as u32;
                after.extend(slots.chain([*count]).map(|slot| (slot, None)));
            }
            Action::Pop { count, messages, capacity, width } => {
                let slots = *messages..messages + capacity * width;
                after.extend(slots.chain([*count]).map(|slot| (slot, None)));
            }
            // Parts of a synchronous step; there are no others inside.
            Action::Apart(actions) => {
                let mut alone = BTreeMap::new();
                constants(actions, &mut alone);
                after.extend(alone);
            }
            Action::Fail(_) => (),
        }
    }
}
