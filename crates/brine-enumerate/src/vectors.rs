//! The states of one model: packed, stored, and expanded.
//!
//! A slot gets as many bits as its largest value needs ([`Pins::largest`]); fields do not
//! straddle words. A value that does not fit breaks a promise of the model and is reported as
//! an error of the model, never stored. Groups that need a slot to have a value
//! ([`Pins::needs`]) are found by that value; the others are asked every time. Groups are
//! asked in their order: of the slots whose values they need, and among those of one slot as
//! the model numbers them, or as a seed has shuffled them.
//!
//! Graphs of which only a part is wanted ([`Expand`]) number the groups by their place in that
//! order, and generate one successor at a time. There a group must have at most one, and a step
//! into an error state ends the search ([`Vectors::went_wrong`]).

use brine_explicit::fire::Step;
use brine_explicit::meter::Meter;
use brine_explicit::setup::shuffled;
use brine_explicit::store::{Batch, MarkingId, StateStore};
use brine_explicit::successors::Expand;
use brine_pins::{Fired, GroupId, ModelError, Pins, PinsStop, SlotId};
use brine_run::{Control, Stop};
use std::fmt;

/// Where a slot lies in a packed state.
#[derive(Clone, Copy, Debug)]
struct VectorField {
    word: u32,
    shift: u8,
    largest: u32,
    mask: u64,
}

/// Groups by the value of a slot that they need.
#[derive(Debug)]
struct Home {
    slot: SlotId,
    groups: Vec<Vec<GroupId>>,
}

/// The states of a model that were found so far.
pub struct Vectors<'m> {
    model: &'m dyn Pins,
    /// The groups in the order in which they are asked, and the place of each.
    order: Vec<GroupId>,
    place: Vec<Step>,
    fields: Vec<VectorField>,
    store: StateStore,
    /// Counts the memory of the store and of whatever is built on it.
    pub meter: Meter,
    homes: Vec<Home>,
    homeless: Vec<GroupId>,
    scratch: Vec<u32>,
    batch: Batch,
    /// Packed successors of the state that is expanded, end to end.
    packed: Vec<u64>,
    found: Vec<(MarkingId, bool)>,
    /// States about which the model complains, and what it says about the first.
    complaint: Option<(u64, String)>,
    /// A state unpacked, and which: the one that was expanded last.
    unpacked: Vec<u32>,
    at: Option<MarkingId>,
    wrong: Option<WentWrong>,
}

/// Why a search over a part of the graph had to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WentWrong {
    /// A step leads to an error state.
    Step,
    /// The model says why.
    Model(ModelError),
}

/// Values of needed slots above this are not indexed.
const MOST_VALUES: u32 = 1 << 16;

impl<'m> Vectors<'m> {
    /// Starts with the initial state, which is number 0.
    pub fn new(model: &'m dyn Pins, control: Control) -> Result<Self, PinsStop> {
        Vectors::ordered(model, 0, control)
    }

    /// The same with another order of the groups for each seed; 0 keeps the model's.
    pub fn ordered(model: &'m dyn Pins, seed: u64, control: Control) -> Result<Self, PinsStop> {
        let (fields, words) = layout(model);
        let order = shuffled((0..model.groups() as u32).map(GroupId).collect(), seed);
        let (homes, homeless) = homes(model, &order);
        let mut place = vec![Step(0); order.len()];
        order.iter().enumerate().for_each(|(i, g)| place[g.index()] = Step(i as u32));
        let mut meter = Meter::new(control);
        meter.set_nodes(model.slots() + model.groups());
        let mut vectors = Vectors {
            model,
            order,
            place,
            fields,
            store: StateStore::new(words),
            meter,
            homes,
            homeless,
            scratch: Vec::new(),
            batch: Batch::default(),
            packed: Vec::new(),
            found: Vec::new(),
            complaint: None,
            unpacked: Vec::new(),
            at: None,
            wrong: None,
        };
        let initial = model.initial();
        pack(model, &vectors.fields, words, &initial, &mut vectors.packed)?;
        vectors.store.intern(&vectors.packed, &mut vectors.meter)?;
        Ok(vectors)
    }

    /// The model.
    pub fn model(&self) -> &'m dyn Pins {
        self.model
    }

    /// The groups in the order in which they are asked.
    pub fn order(&self) -> &[GroupId] {
        &self.order
    }

    /// Why [`Expand::fire`] or [`Expand::enabled`] gave up, if that was the model's doing.
    pub fn went_wrong(&mut self) -> Option<WentWrong> {
        self.wrong.take()
    }

    /// The search ends because of the model.
    pub(crate) fn give_up(&mut self, why: WentWrong) -> Stop {
        self.wrong = Some(why);
        Stop::Cancelled
    }

    /// An error that a graph can pass on; the model's own are kept.
    pub(crate) fn noted(&mut self, stop: PinsStop) -> Stop {
        match stop {
            PinsStop::Stop(stop) => stop,
            PinsStop::Model(error) => self.give_up(WentWrong::Model(error)),
        }
    }

    /// The states.
    pub fn store(&self) -> &StateStore {
        &self.store
    }

    /// In how many states something was met that the model forbids, and what first.
    pub fn complaint(&self) -> Option<(u64, String)> {
        self.complaint.clone()
    }

    /// Asks the model about a state.
    pub(crate) fn judge(&mut self, state: &[u32]) {
        if let Some(words) = self.model.complaint(state) {
            self.complaint.get_or_insert((0, words)).0 += 1;
        }
    }

    /// Unpacks a state.
    pub fn state(&self, id: MarkingId, out: &mut Vec<u32>) {
        let words = self.store.get(id);
        let value = |f: &VectorField| (words[f.word as usize] >> f.shift & f.mask) as u32;
        out.clear();
        out.extend(self.fields.iter().map(value));
    }

    /// The groups that may have successors in a state, and perhaps others.
    fn candidates<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = GroupId> + 's {
        let at = |home: &'s Home| home.groups.get(state[home.slot.index()] as usize);
        let found = self.homes.iter().filter_map(at).flatten();
        found.chain(&self.homeless).copied()
    }

    /// Finds the successors of a state: `edges` gets the group and the target of each, and
    /// whether the target is new. `state` is the state unpacked.
    pub fn successors(
        &mut self,
        id: MarkingId,
        state: &[u32],
        edges: &mut Vec<(GroupId, MarkingId, bool)>,
    ) -> Result<(), PinsStop> {
        let model = self.model;
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        edges.clear();
        let mut wrong = None;
        for group in self.candidates(state) {
            model.fire(group, state, &mut scratch, &mut |fired, next| {
                let packing = match fired {
                    Fired::Writes => {
                        self.repack(id, model.row(group).may_write(), next, &mut packed)
                    }
                    Fired::All => pack(model, &self.fields, self.store.words(), next, &mut packed),
                };
                wrong = wrong.take().or(packing.err());
                edges.push((group, MarkingId::INITIAL, false));
            })?;
        }
        if let Some(error) = wrong {
            return Err(error.into());
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.store.intern_batch(&packed, &mut self.batch, &mut found, &mut self.meter)?;
        for (edge, &(id, new)) in edges.iter_mut().zip(&found) {
            (edge.1, edge.2) = (id, new);
        }
        (self.scratch, self.packed, self.found) = (scratch, packed, found);
        Ok(())
    }

    /// Unpacks a state, unless it is there.
    fn look_at(&mut self, id: MarkingId) {
        if self.at != Some(id) {
            let mut state = std::mem::take(&mut self.unpacked);
            self.state(id, &mut state);
            (self.unpacked, self.at) = (state, Some(id));
        }
    }

    /// Packs the one successor of the unpacked state by a group.
    fn pack_successor(&mut self, from: MarkingId, group: GroupId) -> Result<(), Stop> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        let (mut count, mut result) = (0, Ok(()));
        let fired = self.model.fire(group, &self.unpacked, &mut scratch, &mut |fired, next| {
            count += 1;
            let slots = self.model.row(group).may_write();
            result = match fired {
                Fired::Writes => {
                    self.repack(from, slots, next, &mut packed).map_err(WentWrong::Model)
                }
                Fired::All => Err(WentWrong::Step),
            };
        });
        (self.scratch, self.packed) = (scratch, packed);
        match fired.map_err(WentWrong::Model).and(result) {
            Ok(()) if count == 1 => Ok(()),
            Ok(()) => {
                let name = self.model.group_name(group);
                let message = format!("{name} has {count} successors where one is expected");
                Err(self.give_up(WentWrong::Model(ModelError(message))))
            }
            Err(why) => Err(self.give_up(why)),
        }
    }

    /// Appends the words of a state that differs from another at most in these slots.
    fn repack(
        &self,
        from: MarkingId,
        slots: &[SlotId],
        state: &[u32],
        out: &mut Vec<u64>,
    ) -> Result<(), ModelError> {
        let start = out.len();
        out.extend_from_slice(self.store.get(from));
        let to = &mut out[start..];
        for slot in slots {
            let (field, value) = (self.fields[slot.index()], state[slot.index()]);
            if value > field.largest {
                return Err(too_large(self.model, *slot, value, field.largest));
            }
            let word = &mut to[field.word as usize];
            *word = *word & !(field.mask << field.shift) | u64::from(value) << field.shift;
        }
        Ok(())
    }
}

impl fmt::Debug for Vectors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vectors").field("states", &self.store.len()).finish_non_exhaustive()
    }
}

impl Expand for Vectors<'_> {
    #[inline]
    fn meter(&self) -> &Meter {
        &self.meter
    }

    #[inline]
    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    #[inline]
    fn known(&self) -> usize {
        self.store.len()
    }

    fn allocated(&self) -> u64 {
        self.store.allocated()
    }

    fn enabled(&mut self, m: MarkingId, out: &mut Vec<Step>) -> Result<(), Stop> {
        self.look_at(m);
        let first = out.len();
        let mut wrong = None;
        for group in self.candidates(&self.unpacked) {
            match self.model.moves(group, &self.unpacked) {
                Ok(true) => out.push(self.place[group.index()]),
                Ok(false) => (),
                Err(error) => wrong = Some(error),
            }
        }
        out[first..].sort_unstable();
        wrong.map_or(Ok(()), |error| Err(self.give_up(WentWrong::Model(error))))
    }

    fn enabled_after(
        &mut self,
        _: &[Step],
        _: Step,
        child: MarkingId,
        out: &mut Vec<Step>,
    ) -> Result<(), Stop> {
        self.enabled(child, out)
    }

    fn leaves_out(&self) -> bool {
        false
    }

    fn fire(&mut self, from: MarkingId, step: Step) -> Result<(MarkingId, bool), Stop> {
        self.look_at(from);
        self.pack_successor(from, self.order[step.index()])?;
        self.store.intern(&self.packed, &mut self.meter)
    }
}

/// Fields of as many bits as values need.
fn layout(model: &dyn Pins) -> (Vec<VectorField>, usize) {
    let (mut word, mut used) = (0u32, 0u32);
    let field = |slot| {
        let largest = model.largest(SlotId(slot));
        let bits = (32 - largest.leading_zeros()).max(1);
        if used + bits > 64 {
            (word, used) = (word + 1, 0);
        }
        let field = VectorField { word, shift: used as u8, largest, mask: (1 << bits) - 1 };
        used += bits;
        debug_assert!(used <= 64, "a field does not straddle words");
        field
    };
    let fields = (0..model.slots() as u32).map(field).collect();
    (fields, word as usize + 1)
}

/// Appends the words of a state.
fn pack(
    model: &dyn Pins,
    fields: &[VectorField],
    words: usize,
    state: &[u32],
    out: &mut Vec<u64>,
) -> Result<(), ModelError> {
    let start = out.len();
    out.resize(start + words, 0);
    let to = &mut out[start..];
    for (slot, (field, &value)) in fields.iter().zip(state).enumerate() {
        if value > field.largest {
            return Err(too_large(model, SlotId(slot as u32), value, field.largest));
        }
        to[field.word as usize] |= u64::from(value) << field.shift;
    }
    Ok(())
}

#[cold]
fn too_large(model: &dyn Pins, slot: SlotId, value: u32, largest: u32) -> ModelError {
    ModelError(format!("{} is {value}, and at most {largest} was promised", model.slot_name(slot)))
}

fn homes(model: &dyn Pins, order: &[GroupId]) -> (Vec<Home>, Vec<GroupId>) {
    let mut homes: Vec<Home> = Vec::new();
    let mut homeless = Vec::new();
    for &group in order {
        let Some((slot, value)) = model.needs(group).filter(|need| need.1 < MOST_VALUES) else {
            homeless.push(group);
            continue;
        };
        let at = homes.iter().position(|home| home.slot == slot).unwrap_or_else(|| {
            homes.push(Home { slot, groups: Vec::new() });
            homes.len() - 1
        });
        let groups = &mut homes[at].groups;
        if groups.len() <= value as usize {
            groups.resize(value as usize + 1, Vec::new());
        }
        groups[value as usize].push(group);
    }
    (homes, homeless)
}
