//! Groups as tests and actions, and what they read and write.
//!
//! Dependencies are exact as far as the text shows (MKBP14 section 4): a slot is read if its
//! old value can make a difference, so not if an action before has certainly overwritten it;
//! an element with a constant index is one slot, any other index reads or may write the whole
//! array. `next` gets a second copy of the code that runs on a group's short vector.

use crate::code::{Code, DveArray, Test};
use crate::fault::DveFault;
use crate::groups::{DveGroup, TransitionRef};
use crate::syntax::{DveExpr, DveKind, DveSync, DveSystem, DveTarget};
use brine_pins::{MatrixRow, SlotId};
use std::collections::BTreeSet;

/// Where a value goes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Place {
    Slot(DveKind, u32),
    Element(DveArray, Code),
}

/// A part of a step. Actions see what the actions before them did.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Action {
    /// A slot is set: a process moves, or a constant is assigned.
    Set(u32, u32),
    /// A value is assigned.
    Assign(Place, Code),
    /// A value passes through a typed channel, or none, to an element chosen by the old state.
    Pass(Place, Code, Option<DveKind>),
    /// A message is put into a buffer.
    Push { count: u32, messages: u32, capacity: u32, values: Vec<(DveKind, Code)> },
    /// The first message is taken out.
    Pop { count: u32, messages: u32, capacity: u32, width: u32 },
    /// These run on the old state, whatever was done before: one process of a synchronous step.
    Apart(Vec<Action>),
    /// Nothing can be done without a fault.
    Fail(DveFault),
}

/// A group that can be run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CompiledGroup {
    pub(crate) tests: Vec<Test>,
    pub(crate) actions: Vec<Action>,
}

/// What a step writes down about slots that it sets.
pub(crate) trait Note {
    fn set(&mut self, slot: usize);
}

/// Nothing is noted.
pub(crate) struct Silent;

impl Note for Silent {
    #[inline]
    fn set(&mut self, _: usize) {}
}

/// Every slot that was set is marked.
pub(crate) struct Marks<'m>(pub(crate) &'m mut [bool]);

impl Note for Marks<'_> {
    fn set(&mut self, slot: usize) {
        self.0[slot] = true;
    }
}

impl Place {
    fn new(system: &DveSystem, target: &DveTarget) -> Place {
        let variable = system.variable(target.variable);
        let array = DveArray {
            first: variable.first,
            length: variable.length.unwrap_or(1),
            kind: variable.kind,
        };
        let Some(index) = &target.index else { return Place::Slot(array.kind, array.first) };
        let index = Code::new(system, index, index.root());
        match index.constant().map(|i| array.slot(i)) {
            Some(Ok(slot)) => Place::Slot(array.kind, slot as u32),
            _ => Place::Element(array, index),
        }
    }

    /// Assigns a value; the element is chosen by `by`, or by `next` if there is none.
    #[inline]
    fn assign(
        &self,
        value: i32,
        by: Option<&[u32]>,
        next: &mut [u32],
        note: &mut impl Note,
    ) -> Result<(), DveFault> {
        let (kind, slot) = match self {
            Place::Slot(kind, slot) => (*kind, *slot as usize),
            Place::Element(array, index) => {
                (array.kind, array.slot(index.eval(by.unwrap_or(next))?)?)
            }
        };
        let kept = kind.encode(value);
        if kind.decode(kept) != value {
            return Err(DveFault::Range { value, kind });
        }
        next[slot] = kept;
        note.set(slot);
        Ok(())
    }

    fn moved(&self, to: &dyn Fn(u32) -> u32) -> Place {
        match self {
            Place::Slot(kind, slot) => Place::Slot(*kind, to(*slot)),
            Place::Element(array, index) => {
                let array = DveArray { first: to(array.first), ..*array };
                Place::Element(array, index.moved(to))
            }
        }
    }
}

impl Action {
    #[inline]
    fn run(&self, old: &[u32], next: &mut [u32], note: &mut impl Note) -> Result<(), DveFault> {
        match self {
            Action::Set(slot, value) => {
                next[*slot as usize] = *value;
                note.set(*slot as usize);
                Ok(())
            }
            Action::Assign(place, value) => {
                let value = value.eval(next)?;
                place.assign(value, None, next, note)
            }
            Action::Pass(place, value, kind) => {
                let value = value.eval(next)?;
                let value = kind.map_or(value, |k| k.decode(k.encode(value)));
                place.assign(value, Some(old), next, note)
            }
            Action::Push { count, messages, values, .. } => {
                let message = next[*count as usize];
                let width = values.len() as u32;
                next[*count as usize] = message + 1;
                note.set(*count as usize);
                for (i, (kind, value)) in values.iter().enumerate() {
                    let slot = (messages + message * width) as usize + i;
                    next[slot] = kind.encode(value.eval(next)?);
                    note.set(slot);
                }
                Ok(())
            }
            Action::Pop { count, messages, capacity, width } => {
                next[*count as usize] -= 1;
                note.set(*count as usize);
                let slots = *messages as usize..(messages + capacity * width) as usize;
                let end = slots.end;
                next.copy_within(slots.start + *width as usize..end, slots.start);
                next[end - *width as usize..end].fill(0);
                slots.for_each(|slot| note.set(slot));
                Ok(())
            }
            Action::Apart(actions) => {
                let mut alone = old.to_vec();
                let mut marks = vec![false; old.len()];
                for action in actions {
                    action.run(old, &mut alone, &mut Marks(&mut marks))?;
                }
                for slot in (0..old.len()).filter(|&slot| marks[slot]) {
                    next[slot] = alone[slot];
                    note.set(slot);
                }
                Ok(())
            }
            Action::Fail(fault) => Err(*fault),
        }
    }

    fn moved(&self, to: &dyn Fn(u32) -> u32) -> Action {
        match self {
            Action::Set(slot, value) => Action::Set(to(*slot), *value),
            Action::Assign(place, value) => Action::Assign(place.moved(to), value.moved(to)),
            Action::Pass(place, value, kind) => {
                Action::Pass(place.moved(to), value.moved(to), *kind)
            }
            Action::Push { count, messages, capacity, values } => Action::Push {
                count: to(*count),
                messages: to(*messages),
                capacity: *capacity,
                values: values.iter().map(|(kind, value)| (*kind, value.moved(to))).collect(),
            },
            Action::Pop { count, messages, capacity, width } => Action::Pop {
                count: to(*count),
                messages: to(*messages),
                capacity: *capacity,
                width: *width,
            },
            Action::Apart(actions) => {
                Action::Apart(actions.iter().map(|action| action.moved(to)).collect())
            }
            Action::Fail(fault) => Action::Fail(*fault),
        }
    }
}

impl CompiledGroup {
    /// Compiles a group.
    pub(crate) fn new(system: &DveSystem, group: &DveGroup) -> CompiledGroup {
        let mut compiled = CompiledGroup { tests: Vec::new(), actions: Vec::new() };
        match group {
            DveGroup::Alone(t) => {
                compiled.test(system, &[*t], true);
                compiled.test_buffer(system, *t);
                compiled.effects(system, *t);
                compiled.buffer(system, *t);
            }
            DveGroup::Pair { sender, receiver } => {
                compiled.test(system, &[*sender, *receiver], true);
                if conflict(system, *sender, *receiver) {
                    compiled.actions.push(Action::Fail(DveFault::Conflict));
                }
                compiled.pass(system, *sender, *receiver);
                compiled.effects(system, *receiver);
                compiled.effects(system, *sender);
            }
            DveGroup::Together(all) => compiled.together(system, all),
        }
        compiled
    }

    /// Locations first, then who is committed, then guards.
    fn test(&mut self, system: &DveSystem, all: &[TransitionRef], commits: bool) {
        for t in all {
            let slot = system.processes[t.process].slot;
            self.tests.push(Test::Is(slot, t.of(system).source));
        }
        if commits {
            self.test_commits(system, all);
        }
        for guard in all.iter().filter_map(|t| t.of(system).guard.as_ref()) {
            Test::conjuncts(system, guard, &mut self.tests);
        }
    }

    fn test_commits(&mut self, system: &DveSystem, all: &[TransitionRef]) {
        let committed = |t: &&TransitionRef| {
            system.processes[t.process].committed[t.of(system).source as usize]
        };
        let count = all.iter().filter(committed).count();
        if count == all.len() {
            return;
        }
        if count > 0 {
            self.tests.push(Test::Never);
            return;
        }
        for (p, process) in system.movers() {
            // Those that move are at locations that are not committed.
            if process.committed.contains(&true) && all.iter().all(|t| t.process != p) {
                self.tests.push(Test::Outside(process.slot, process.committed[..].into()));
            }
        }
    }

    fn test_buffer(&mut self, system: &DveSystem, t: TransitionRef) {
        match t.of(system).sync {
            None => (),
            Some(DveSync::Send { channel, .. }) => {
                let channel = &system.channels[channel];
                self.tests.push(Test::Below(channel.first, channel.capacity));
            }
            Some(DveSync::Receive { channel, .. }) => {
                self.tests.push(Test::IsNot(system.channels[channel].first, 0));
            }
        }
    }

    fn effects(&mut self, system: &DveSystem, t: TransitionRef) {
        let transition = t.of(system);
        let slot = system.processes[t.process].slot;
        self.actions.push(Action::Set(slot, transition.target));
        for (target, value) in &transition.effects {
            let place = Place::new(system, target);
            let code = Code::new(system, value, value.root());
            self.actions.push(match (&place, code.constant()) {
                (Place::Slot(kind, slot), Some(value))
                    if kind.decode(kind.encode(value)) == value =>
                {
                    Action::Set(*slot, kind.encode(value))
                }
                _ => Action::Assign(place, code),
            });
        }
    }

    fn together(&mut self, system: &DveSystem, all: &[TransitionRef]) {
        self.test(system, all, false);
        let mut pairs =
            all.iter().enumerate().flat_map(|(i, a)| all[..i].iter().map(move |b| (a, b)));
        if pairs.any(|(&a, &b)| conflict(system, a, b)) {
            self.actions.push(Action::Fail(DveFault::Conflict));
        }
        for &t in all {
            let mut alone = CompiledGroup { tests: Vec::new(), actions: Vec::new() };
            alone.effects(system, t);
            self.actions.push(Action::Apart(alone.actions));
        }
    }

    fn pass(&mut self, system: &DveSystem, sender: TransitionRef, receiver: TransitionRef) {
        let (Some(DveSync::Send { channel, values }), Some(DveSync::Receive { targets, .. })) =
            (&sender.of(system).sync, &receiver.of(system).sync)
        else {
            return;
        };
        let types = &system.channels[*channel].types;
        for (i, (value, target)) in values.iter().zip(targets).enumerate() {
            let kind = types.as_ref().map(|types| types[i]);
            let code = Code::new(system, value, value.root());
            self.actions.push(Action::Pass(Place::new(system, target), code, kind));
        }
    }

    fn buffer(&mut self, system: &DveSystem, t: TransitionRef) {
        let code = |value: &DveExpr| Code::new(system, value, value.root());
        match &t.of(system).sync {
            None => (),
            Some(DveSync::Send { channel, values }) => {
                let channel = &system.channels[*channel];
                let kinds = channel.types.iter().flatten();
                self.actions.push(Action::Push {
                    count: channel.first,
                    messages: channel.slot(0, 0),
                    capacity: channel.capacity,
                    values: kinds.copied().zip(values.iter().map(code)).collect(),
                });
            }
            Some(DveSync::Receive { channel, targets }) => {
                let channel = &system.channels[*channel];
                for (i, target) in targets.iter().enumerate() {
                    let kind = channel.types.as_ref().map_or(DveKind::Byte, |types| types[i]);
                    let value = Code::slot(kind, channel.slot(0, i as u32));
                    self.actions.push(Action::Pass(Place::new(system, target), value, None));
                }
                self.actions.push(Action::Pop {
                    count: channel.first,
                    messages: channel.slot(0, 0),
                    capacity: channel.capacity,
                    width: channel.width(),
                });
            }
        }
    }

    /// Whether the group can be taken.
    #[inline]
    pub(crate) fn can_move(&self, state: &[u32]) -> Result<bool, DveFault> {
        for test in &self.tests {
            if !test.holds(state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the group: `next` begins as a copy of `old`.
    #[inline]
    pub(crate) fn run(
        &self,
        old: &[u32],
        next: &mut [u32],
        note: &mut impl Note,
    ) -> Result<(), DveFault> {
        self.actions.iter().try_for_each(|action| action.run(old, next, note))
    }

    /// The same group on another vector.
    pub(crate) fn moved(&self, to: &dyn Fn(u32) -> u32) -> CompiledGroup {
        CompiledGroup {
            tests: self.tests.iter().map(|t| t.moved(to)).collect(),
            actions: self.actions.iter().map(|a| a.moved(to)).collect(),
        }
    }

    /// What the group reads and writes.
    pub(crate) fn row(&self) -> MatrixRow {
        let mut rows = Dependencies::default();
        for test in &self.tests {
            rows.read.extend(test.reads());
        }
        for action in &self.actions {
            rows.add(action);
        }
        let slots = |set: BTreeSet<u32>| set.into_iter().map(SlotId).collect();
        MatrixRow::new(slots(rows.read), slots(rows.must), slots(rows.may))
    }
}

/// Whether both transitions have effects on one global variable.
fn conflict(system: &DveSystem, a: TransitionRef, b: TransitionRef) -> bool {
    let assigns = |t: TransitionRef| t.of(system).effects.iter().map(|e| e.0.variable);
    assigns(a).any(|v| system.variable(v).global && assigns(b).any(|w| w == v))
}

/// The slots that actions read and write, as far as they have been looked at.
#[derive(Default)]
struct Dependencies {
    read: BTreeSet<u32>,
    must: BTreeSet<u32>,
    may: BTreeSet<u32>,
}

impl Dependencies {
    /// The code runs on what the actions so far have made.
    fn reads(&mut self, code: &Code) {
        let must = &self.must;
        self.read.extend(code.reads().filter(|slot| !must.contains(slot)));
    }

    fn writes(&mut self, place: &Place) {
        match place {
            Place::Slot(_, slot) => {
                self.must.insert(*slot);
            }
            Place::Element(array, _) => self.may.extend(array.slots()),
        }
    }

    fn add(&mut self, action: &Action) {
        match action {
            Action::Set(slot, _) => {
                self.must.insert(*slot);
            }
            Action::Assign(place, value) => {
                self.reads(value);
                if let Place::Element(_, index) = place {
                    self.reads(index);
                }
                self.writes(place);
            }
            Action::Pass(place, value, _) => {
                self.reads(value);
                if let Place::Element(_, index) = place {
                    self.read.extend(index.reads());
                }
                self.writes(place);
            }
            Action::Push { count, messages, capacity, values } => {
                self.read.insert(*count);
                self.must.insert(*count);
                for (_, value) in values {
                    self.reads(value);
                }
                self.may.extend(*messages..messages + capacity * values.len() as u32);
            }
            Action::Pop { count, messages, capacity, width } => {
                self.read.insert(*count);
                self.must.insert(*count);
                let slots = *messages..messages + capacity * width;
                self.read.extend(slots.clone());
                self.must.extend(slots);
            }
            Action::Apart(actions) => {
                let mut alone = Dependencies::default();
                actions.iter().for_each(|action| alone.add(action));
                self.read.extend(alone.read);
                self.must.extend(alone.must);
                self.may.extend(alone.may);
            }
            Action::Fail(_) => (),
        }
    }
}
