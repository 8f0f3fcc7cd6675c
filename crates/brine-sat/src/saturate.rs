//! Plain saturation: the reachable markings of a net (MVDBM16 section 3, Algorithms 1 and 2
//! without the constraint).
//!
//! ```text
//! reach  =  the least set with the initial marking and all t with s -> t, s in the set
//! ```
//!
//! An instance of the [`driver`](crate::driver): the rest of a step is a set of rests of events
//! ([`TailSet`]), the closure of a node depends on the node alone. Events that change nothing
//! are left out.
//!
//! *Invariant.* The rests that go down below a level touch only levels below it; when nothing is
//! left to do ([`TailSet::DONE`]), a saturated node is its own saturated image.

use brine_dd::{Dd, Frames, Key, NodeId, Operator, Stop};

use crate::constrained::{Constrained, Constraining};
use crate::driver::{self, Operation, Saturable, Steps};
use crate::model::{Level, LevelModel, TailId};
use crate::tailset::{TailSet, TailSets};

/// The operations of [`Saturation`] in the client cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlainOp {
    Saturate,
    Fire,
    RelProd,
    Image,
    SaturateWithin,
    FireWithin,
    RelProdWithin,
    ImageWithin,
}

impl Operator for PlainOp {
    #[inline]
    fn tag(self) -> u32 {
        self as u32
    }
}

impl PlainOp {
    #[inline]
    fn new(op: Operation) -> PlainOp {
        match op {
            Operation::Saturate => PlainOp::Saturate,
            Operation::Fire => PlainOp::Fire,
            Operation::RelProd => PlainOp::RelProd,
            Operation::Image => PlainOp::Image,
        }
    }

    fn within(op: Operation) -> PlainOp {
        match op {
            Operation::Saturate => PlainOp::SaturateWithin,
            Operation::Fire => PlainOp::FireWithin,
            Operation::RelProd => PlainOp::RelProdWithin,
            Operation::Image => PlainOp::ImageWithin,
        }
    }
}

/// The saturation engine over one model.
#[derive(Debug)]
pub struct Saturation {
    /// The diagrams.
    pub dd: Dd,
    /// The events.
    pub model: LevelModel,
    pub(crate) events: LevelEvents,
    pub(crate) sets: TailSets,
    pub(crate) frames: Frames,
}

/// Events by top level, without those that change nothing.
#[derive(Clone, Debug)]
pub(crate) struct LevelEvents {
    at: Vec<Option<TailSet>>,
    /// The lowest level at which an event has its top.
    lowest_top: Level,
}

impl LevelEvents {
    pub(crate) fn new(model: &LevelModel, sets: &mut TailSets, events: &[TailId]) -> Self {
        let mut tails: Vec<Vec<TailId>> = vec![Vec::new(); model.levels.len()];
        for &tail in events {
            if let Some((level, ..)) = model.split(tail)
                && !model.changes_nothing(tail)
            {
                tails[level.index()].push(tail);
            }
        }
        let at: Vec<Option<TailSet>> =
            tails.into_iter().map(|t| (!t.is_empty()).then(|| sets.intern(model, t))).collect();
        let lowest = at.iter().position(|e| e.is_some()).unwrap_or(at.len());
        LevelEvents { at, lowest_top: Level(lowest as u32) }
    }
}

impl Saturation {
    /// Prepares the events of `model`.
    pub fn new(model: LevelModel, dd: Dd) -> Self {
        let events = model.events.clone();
        Saturation::with_events(model, dd, &events)
    }

    /// Prepares other events of `model`.
    pub(crate) fn with_events(model: LevelModel, dd: Dd, events: &[TailId]) -> Self {
        let mut sets = TailSets::new();
        let events = LevelEvents::new(&model, &mut sets, events);
        Saturation { dd, model, events, sets, frames: Frames::default() }
    }

    /// Fires other events from now on; gives back those so far.
    pub(crate) fn replace_events(&mut self, events: LevelEvents) -> LevelEvents {
        // What was remembered is about the events so far.
        self.dd.client_cache.clear();
        std::mem::replace(&mut self.events, events)
    }

    /// All markings reachable from the initial one. Run it under
    /// [`brine_dd::with_deep_stack`] when there are more than a few hundred levels.
    pub fn reach(&mut self) -> Result<NodeId, Stop> {
        let mut set = NodeId::UNIT;
        for level in 1..self.model.levels.len() {
            set = self.dd.make_node(self.model.initial[level], set, NodeId::EMPTY)?;
            set = driver::fire_node(self, set, (), Level(level as u32))?;
            if let Some(progress) = &self.dd.control().progress {
                progress.level.store(level as u64, std::sync::atomic::Ordering::Relaxed);
            }
        }
        self.dd.protect(set);
        Ok(set)
    }

    /// The closure of `set` under all events.
    pub fn saturate_all(&mut self, set: NodeId) -> Result<NodeId, Stop> {
        let top = self.top_level();
        driver::saturate(self, set, (), top)
    }

    /// All states reachable from `from` by steps with targets in `within`.
    pub fn reach_within(&mut self, from: NodeId, within: NodeId) -> Result<NodeId, Stop> {
        let top = self.top_level();
        Constrained::new(self).closure(from, (), within, top)
    }

    pub(crate) fn top_level(&self) -> Level {
        Level(self.model.level_count() as u32)
    }
}

/// The moves of a set of rests from one value.
#[derive(Clone, Copy, Debug)]
pub struct EventMoves {
    rests: TailSet,
    value: u32,
    next: usize,
}

impl Steps for Saturation {
    type Rest = TailSet;
    type Cursor = EventMoves;
    type Stop = Stop;

    #[inline]
    fn parts(&mut self) -> (&mut Dd, &mut Frames) {
        (&mut self.dd, &mut self.frames)
    }

    #[inline]
    fn image_key(&self, op: Operation, node: NodeId, rests: TailSet) -> Key {
        Key::with_number(PlainOp::new(op), node, rests.raw())
    }

    #[inline]
    fn identity(&mut self, node: NodeId, rests: TailSet) -> Result<Option<NodeId>, Stop> {
        Ok((rests == TailSet::DONE).then_some(node))
    }

    #[inline]
    fn top(&self, rests: TailSet) -> Level {
        self.sets.top(rests)
    }

    #[inline]
    fn start(&mut self, rests: TailSet, _: Level) -> Result<EventMoves, Stop> {
        Ok(EventMoves { rests, value: 0, next: 0 })
    }

    #[inline]
    fn seek(&mut self, moves: &mut EventMoves, value: u32) -> Result<(), Stop> {
        moves.value = value;
        moves.next = 0;
        self.sets.prepare(&mut self.model, moves.rests, value)
    }

    #[inline]
    fn next(&mut self, moves: &mut EventMoves, _: NodeId) -> Result<Option<(u32, TailSet)>, Stop> {
        let found = self.sets.get(moves.rests, moves.value, moves.next);
        moves.next += 1;
        Ok(found)
    }
}

impl Saturable for Saturation {
    type Under = ();

    #[inline]
    fn closure_key(&self, op: Operation, node: NodeId, (): ()) -> Key {
        Key::of(PlainOp::new(op), node)
    }

    #[inline]
    fn is_closed(&self, (): (), level: Level) -> bool {
        level < self.events.lowest_top
    }

    #[inline]
    fn child(&mut self, (): (), _: Level, _: u32) {}

    #[inline]
    fn target(&self, _: TailSet) {}

    #[inline]
    fn has_events(&self, level: Level) -> bool {
        self.events.at[level.index()].is_some()
    }

    #[inline]
    fn events(&mut self, (): (), level: Level) -> Result<Option<TailSet>, Stop> {
        Ok(self.events.at[level.index()])
    }
}

impl Constraining for Saturation {
    fn image_key_within(&self, op: Operation, node: NodeId, rests: TailSet, within: NodeId) -> Key {
        Key::with_node(PlainOp::within(op), node, within).and(rests.raw())
    }

    fn closure_key_within(&self, op: Operation, node: NodeId, (): (), within: NodeId) -> Key {
        Key::with_node(PlainOp::within(op), node, within)
    }
}
