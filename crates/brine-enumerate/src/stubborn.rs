//! Stubborn sets of any model behind the state-vector interface, from its matrix and its guards.
//!
//! The rules are those of `brine_explicit::stubborn`, whose head says why they are enough, and so
//! is the code that finds closed sets. Here is what a group draws in (Laarman, Pater, van de Pol
//! and Weber, "Guard-based partial-order reduction", 2013):
//!
//! - *enabled*: all groups that are not in accord with it. Two groups are in accord if neither
//!   writes what the other reads or writes; or if they are never enabled in the same state, because
//!   they need different values in one slot. Groups in accord neither disable each other nor
//!   care about their order. So all sets are strong.
//! - *disabled*: some guard does not hold, and one of these necessary enabling sets is taken:
//!   - all groups that may make the guard true: those that may write a slot it reads, but not those
//!     that always leave its one slot with a value for which it is false;
//!   - if it reads one slot: all groups that may change this slot from the value it has now. Those that
//!     need another value there to be enabled are left out. (These are the disabling sets of a
//!     guard that holds now and that excludes the other one.)
//!
//!   The set with the fewest enabled groups is taken, unless one was drawn in already.
//! - *visible* groups: those that may write a slot that a label reads, unless the values before
//!   and after are known and the label is the same for both.
//!
//! *Models that go wrong.* A step may lead to the error state, which ends everything; that is not
//! what the matrix says. Take the model in which such a step writes no more than its row says.
//! The rules are right for it. Whether a group goes wrong is a matter of what it reads, which groups
//! in accord with it do not change. So let a run of the model end with a step that goes wrong, its
//! first. If every cycle of the reduced graph has an expanded state, then a run of that graph has
//! the same labels up to stuttering, up to a step that goes wrong, perhaps before the end: each
//! member of a set that the run shares is moved to the front, past invisible ones if it is visible;
//! where nothing is shared, invisible keys are put in front until a state is expanded. So the
//! automaton is still alive where the step is met, and the search stops
//! ([`Vectors::went_wrong`](crate::vectors::Vectors::went_wrong)), to be done again without
//! reduction. A safety proviso is not enough: its way to an expanded state may lead over a visible
//! step that the automaton does not survive, and the step that goes wrong is itself invisible. (If
//! nothing is visible it is enough.)
//!
//! Groups may go wrong in a guard, too; so a guard that comes after such a guard says nothing about
//! when the group is disabled for good: groups are never enabled together only if *sure* guards say
//! so, and where another guard is false, all that may write what the guards from the first that may
//! go wrong on read is drawn in.

use crate::vectors::Vectors;
use brine_explicit::fire::Step;
use brine_explicit::lists::Lists;
use brine_explicit::reduction::StubbornSets;
use brine_explicit::store::MarkingId;
use brine_explicit::stubborn::graph::{Here, NeedGraph, NeedNode, Next, Stamps};
use brine_explicit::stubborn::visible::Sight;
use brine_explicit::stubborn::{Choice, SetChooser};
use brine_ltl::Atom;
use brine_pins::{GroupId, GuardId, Pins, SlotId, StateLabelId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Slots with larger values have no lists of the groups that change each of them.
const MOST_VALUES: u32 = 256;
/// No slot, or no list.
const NONE: u32 = u32::MAX;

/// The dependencies of a model's groups, numbered by the order in which they are asked.
#[derive(Debug)]
pub struct GroupDependencies {
    steps: u32,
    /// The groups that a group is not in accord with.
    conflicts: Lists<Step>,
    /// Sets of groups one of which must come first: by guard, then by group, then those that
    /// change a slot from a value.
    enabling: Lists<Step>,
    guards: u32,
    /// Of each group, its guards that count alone, and those that count with others.
    sure: Vec<Vec<GuardId>>,
    unsure: Vec<Vec<GuardId>>,
    /// Of each guard, the one slot that it reads.
    slot: Vec<u32>,
    /// Of each slot, where its values have their lists.
    leaving: Vec<Vec<u32>>,
}

/// What the tables are made from.
struct Rows<'m> {
    model: &'m dyn Pins,
    order: &'m [GroupId],
    /// The groups that read, and that may write, each slot.
    readers: Vec<Vec<Step>>,
    writers: Vec<Vec<Step>>,
    /// Of each group, its sure guards that read one slot.
    single: Vec<Vec<(SlotId, GuardId)>>,
    /// A state in which guards of one slot are looked at.
    state: Vec<u32>,
}

impl<'m> Rows<'m> {
    fn new(model: &'m dyn Pins, order: &'m [GroupId]) -> Self {
        let mut readers = vec![Vec::new(); model.slots()];
        let mut writers = vec![Vec::new(); model.slots()];
        let mut single = Vec::new();
        for (i, &group) in order.iter().enumerate() {
            let row = model.row(group);
            row.read().iter().for_each(|s| readers[s.index()].push(Step(i as u32)));
            row.may_write().iter().for_each(|s| writers[s.index()].push(Step(i as u32)));
            let sure = model.guards_of(group).iter().take(model.sure_guards(group));
            let of_one = |&guard: &GuardId| match model.guard_reads(guard) {
                [slot] => Some((*slot, guard)),
                _ => None,
            };
            single.push(sure.filter_map(of_one).collect());
        }
        Rows { model, order, readers, writers, single, state: vec![0; model.slots()] }
    }

    /// Whether a guard of one slot holds where that has a value.
    fn holds_for(&mut self, guard: GuardId, slot: SlotId, value: u32) -> bool {
        self.state[slot.index()] = value;
        let holds = self.model.guard_holds(guard, &self.state);
        self.state[slot.index()] = 0;
        holds
    }

    /// Whether a group can be enabled where a slot has a value.
    fn can_move_at(&mut self, t: Step, slot: SlotId, value: u32) -> bool {
        let guards = std::mem::take(&mut self.single[t.index()]);
        let can = guards.iter().all(|&(s, g)| s != slot || self.holds_for(g, slot, value));
        self.single[t.index()] = guards;
        can
    }

    /// Whether `u` cannot be enabled where `t` is, because `t` needs another value.
    fn excludes(&mut self, t: Step, u: Step) -> bool {
        let guards = std::mem::take(&mut self.single[t.index()]);
        let mut values = guards.iter().filter_map(|&(_, g)| self.model.guard_value(g));
        let excludes = values.any(|(slot, value)| !self.can_move_at(u, slot, value));
        self.single[t.index()] = guards;
        excludes
    }

    /// All groups that `t` is not in accord with, ascending.
    fn conflicts(&mut self, t: Step) -> Vec<Step> {
        let row = self.model.row(self.order[t.index()]);
        let mut all: Vec<Step> = Vec::new();
        for slot in row.may_write() {
            all.extend(&self.readers[slot.index()]);
            all.extend(&self.writers[slot.index()]);
        }
        for slot in row.read() {
            all.extend(&self.writers[slot.index()]);
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|&u| u != t && !self.excludes(t, u) && !self.excludes(u, t));
        all
    }

    /// All groups that may write one of these slots, ascending.
    fn writers_of(&self, slots: impl IntoIterator<Item = SlotId>) -> Vec<Step> {
        let mut all: Vec<Step> =
            slots.into_iter().flat_map(|s| &self.writers[s.index()]).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The groups that may make a guard true.
    fn enabling(&mut self, guard: GuardId) -> Vec<Step> {
        let reads = self.model.guard_reads(guard);
        let mut all = self.writers_of(reads.iter().copied());
        if let [slot] = *reads {
            all.retain(|t| {
                let sets = self.model.sets(self.order[t.index()]);
                let value = sets.iter().find(|s| s.0 == slot);
                value.is_none_or(|&(_, value)| self.holds_for(guard, slot, value))
            });
        }
        all
    }

    /// The groups that may change a slot from a value.
    fn leaving(&mut self, slot: SlotId, value: u32) -> Vec<Step> {
        let mut all = self.writers[slot.index()].clone();
        all.retain(|&t| self.can_move_at(t, slot, value));
        all
    }

    /// All groups that may write what a group's guards read that are not sure alone; or, of a group
    /// without guards, what it reads.
    fn enabling_unsure(&self, t: Step) -> Vec<Step> {
        let group = self.order[t.index()];
        let guards = self.model.guards_of(group);
        if guards.is_empty() {
            return self.writers_of(self.model.row(group).read().iter().copied());
        }
        let sure = self.model.sure_guards(group);
        if sure >= guards.len() {
            return Vec::new();
        }
        let reads =
            guards[sure.saturating_sub(1)..].iter().flat_map(|&g| self.model.guard_reads(g));
        self.writers_of(reads.copied())
    }
}

impl GroupDependencies {
    /// The dependencies of the groups of a model in an order.
    pub fn new(model: &dyn Pins, order: &[GroupId]) -> Self {
        let mut rows = Rows::new(model, order);
        let steps = order.len() as u32;
        let mut conflicts = Lists::new();
        for t in (0..steps).map(Step) {
            conflicts.add(rows.conflicts(t));
        }
        let mut enabling = Lists::new();
        let guards = model.guards() as u32;
        let mut slot = Vec::new();
        for guard in (0..guards).map(GuardId) {
            enabling.add(rows.enabling(guard));
            slot.push(if let [slot] = model.guard_reads(guard) { slot.0 } else { NONE });
        }
        for t in (0..steps).map(Step) {
            enabling.add(rows.enabling_unsure(t));
        }
        let mut leaving = vec![Vec::new(); model.slots()];
        let mut known: FxHashMap<Vec<Step>, u32> = FxHashMap::default();
        let mut next = guards + steps;
        for &s in &slot {
            if s == NONE
                || model.largest(SlotId(s)) >= MOST_VALUES
                || !leaving[s as usize].is_empty()
            {
                continue;
            }
            for value in 0..=model.largest(SlotId(s)) {
                let list = rows.leaving(SlotId(s), value);
                let at = *known.entry(list.clone()).or_insert_with(|| {
                    enabling.add(list);
                    next += 1;
                    next - 1
                });
                leaving[s as usize].push(at);
            }
        }
        let split = |group: &GroupId| {
            let (all, sure) = (model.guards_of(*group), model.sure_guards(*group));
            (all[..sure].to_vec(), all[sure..].to_vec())
        };
        let (sure, unsure) = order.iter().map(split).unzip();
        GroupDependencies { steps, conflicts, enabling, guards, sure, unsure, slot, leaving }
    }

    fn nodes(&self) -> usize {
        self.visible_node().index() + 1
    }

    /// The node of a list in `enabling`.
    fn enabling_node(&self, list: u32) -> NeedNode {
        NeedNode(self.steps + list)
    }

    fn visible_node(&self) -> NeedNode {
        NeedNode(self.steps + self.enabling.len() as u32)
    }
}

/// What a property over these atoms can see of a model that has them as labels.
pub fn sight(model: &dyn Pins, atoms: &[Atom], order: &[GroupId]) -> Sight {
    if atoms.contains(&Atom::Deadlock) {
        let only = atoms.iter().all(|atom| *atom == Atom::Deadlock);
        return if only { Sight::Deadlocks } else { Sight::All };
    }
    let labels = || (0..model.labels() as u32).map(StateLabelId);
    let visible = |t: &Step| labels().any(|label| is_seen(model, order[t.index()], label));
    Sight::Some((0..order.len() as u32).map(Step).filter(visible).collect())
}

/// Whether a step of a group may change a label.
fn is_seen(model: &dyn Pins, group: GroupId, label: StateLabelId) -> bool {
    let reads = model.label_reads(label);
    let written = model.row(group).may_write();
    if reads.iter().all(|slot| written.binary_search(slot).is_err()) {
        return false;
    }
    // With one slot both values may be known.
    let &[slot] = reads else { return true };
    let guards = model.guards_of(group).iter().take(model.sure_guards(group));
    let before = guards.filter_map(|&g| model.guard_value(g)).find(|v| v.0 == slot);
    let after = model.sets(group).iter().find(|s| s.0 == slot);
    let (Some((_, before)), Some(&(_, after))) = (before, after) else { return true };
    let value = |value: u32| model.label(label, &[value]).ok();
    value(before).is_none() || value(before) != value(after)
}

/// Computes stubborn sets of a model.
#[derive(Debug)]
pub struct GroupSets {
    tables: Arc<GroupDependencies>,
    here: Here,
    chooser: SetChooser,
    state: Vec<u32>,
}

impl GroupSets {
    /// For a property that sees these groups, by their place in the order.
    pub fn new(tables: Arc<GroupDependencies>, visible: Vec<Step>, choice: Choice) -> Self {
        GroupSets {
            here: Here::new(visible, tables.steps as usize),
            chooser: SetChooser::new(tables.nodes(), choice),
            state: Vec::new(),
            tables,
        }
    }
}

impl<'m> StubbornSets<Vectors<'m>> for GroupSets {
    fn set<'s>(
        &'s mut self,
        vectors: &mut Vectors<'m>,
        at: MarkingId,
        enabled: &'s [Step],
    ) -> &'s [Step] {
        vectors.state(at, &mut self.state);
        self.here.arrive(enabled);
        let needs = GroupNeeds {
            tables: &self.tables,
            here: &self.here,
            model: vectors.model(),
            state: &self.state,
        };
        self.chooser.choose(needs, enabled)
    }
}

/// The graph of dependencies at one state.
#[derive(Clone, Copy)]
struct GroupNeeds<'a> {
    tables: &'a GroupDependencies,
    here: &'a Here,
    model: &'a dyn Pins,
    state: &'a [u32],
}

/// What it costs to draw in an enabled group, next to a disabled one.
const ENABLED: usize = 1_000;

impl GroupNeeds<'_> {
    /// A necessary enabling set of a disabled group: one that is known already, else the
    /// cheapest.
    fn blame(&self, t: Step, known: &Stamps) -> Next {
        let tables = self.tables;
        let false_guard = |g: &&GuardId| !self.model.guard_holds(**g, self.state);
        let mut best: Option<(usize, NeedNode)> = None;
        let mut offer = |list: u32| {
            let node = tables.enabling_node(list);
            let cost = if known.has(node.index()) { 0 } else { 1 + self.cost(list) };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, node));
            }
        };
        let mut is_sure = false;
        for &guard in tables.sure[t.index()].iter().filter(false_guard) {
            is_sure = true;
            offer(guard.0);
            let slot = tables.slot[guard.index()] as usize;
            let of_slot = tables.leaving.get(slot).zip(self.state.get(slot));
            if let Some(&list) = of_slot.and_then(|(lists, &value)| lists.get(value as usize)) {
                offer(list);
            }
        }
        if !is_sure || tables.unsure[t.index()].iter().any(|g| false_guard(&g)) {
            offer(tables.guards + t.0);
        }
        best.map_or(Next::End, |(_, node)| Next::Node(node))
    }

    fn cost(&self, list: u32) -> usize {
        let cost = |&t: &Step| if self.here.enables(t) { ENABLED } else { 1 };
        self.tables.enabling.of(list as usize).iter().map(cost).sum()
    }
}

impl NeedGraph for GroupNeeds<'_> {
    fn here(&self) -> &Here {
        self.here
    }

    #[inline]
    fn step(&self, node: NeedNode) -> Option<Step> {
        (node.0 < self.tables.steps).then_some(Step(node.0))
    }

    #[inline]
    fn next(&self, node: NeedNode, i: usize, _strong: bool, known: &Stamps) -> Next {
        let tables = self.tables;
        match self.step(node) {
            Some(t) if self.here.enables(t) => {
                let list = tables.conflicts.of(t.index());
                if i == list.len() && self.here.sees(t) {
                    Next::Node(tables.visible_node())
                } else {
                    Next::item(list, i)
                }
            }
            Some(t) if i == 0 => self.blame(t, known),
            Some(_) => Next::End,
            None if node == tables.visible_node() => Next::item(self.here.visible(), i),
            None => Next::item(tables.enabling.of((node.0 - tables.steps) as usize), i),
        }
    }

    fn has_weaker_needs(&self, _: Step) -> bool {
        false
    }
}
