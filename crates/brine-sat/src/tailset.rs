//! Sets of event rests, fired together.
//!
//! Events with the same top that make the same local move there are fired in one
//! descent: what goes down is the *set* of their rests. This is the paper's diagram of
//! N_k with local steps as labels instead of pairs of values, unfolded lazily and
//! hash-consed, so no domains have to be known.

use brine_dd::Abort;
use rustc_hash::FxHashMap;

use crate::memo::Memo;
use crate::model::{Level, Model, TailId};

/// A set of event rests; equal sets have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TailSet(u32);

impl TailSet {
    /// The set of just [`TailId::DONE`]: the identity.
    pub(crate) const DONE: TailSet = TailSet(0);

    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// The moves of a set from one local state: new local state and the rests below.
pub(crate) type Moves = Box<[(u32, TailSet)]>;

#[derive(Debug)]
struct Entry {
    tails: Box<[TailId]>,
    /// The highest level that a member touches.
    top: Level,
    /// Moves at `top`, per local state, as they get known.
    moves: Memo<Moves>,
}

/// All sets met so far.
#[derive(Debug)]
pub(crate) struct TailSets {
    entries: Vec<Entry>,
    ids: FxHashMap<Box<[TailId]>, TailSet>,
}

impl TailSets {
    pub(crate) fn new() -> Self {
        let mut sets = TailSets { entries: Vec::new(), ids: FxHashMap::default() };
        sets.push(Box::new([TailId::DONE]), Level(0));
        sets
    }

    fn push(&mut self, tails: Box<[TailId]>, top: Level) -> TailSet {
        let id = TailSet(self.entries.len() as u32);
        self.ids.insert(tails.clone(), id);
        self.entries.push(Entry { tails, top, moves: Memo::new() });
        id
    }

    /// The set of these rests.
    pub(crate) fn intern(&mut self, model: &Model, mut tails: Vec<TailId>) -> TailSet {
        tails.sort_unstable();
        tails.dedup();
        if let Some(&id) = self.ids.get(tails.as_slice()) {
            return id;
        }
        let top = tails.iter().filter_map(|&t| model.split(t)).map(|s| s.0).max();
        self.push(tails.into(), top.unwrap_or(Level(0)))
    }

    /// The union of these sets; `None` without any.
    pub(crate) fn union_of(&mut self, model: &Model, sets: Vec<TailSet>) -> Option<TailSet> {
        let members = |s: &TailSet| self.entries[s.0 as usize].tails.to_vec();
        let tails: Vec<TailId> = sets.iter().flat_map(members).collect();
        (!tails.is_empty()).then(|| self.intern(model, tails))
    }

    /// True when some member has nothing left to do.
    pub(crate) fn has_done(&self, set: TailSet) -> bool {
        // `DONE` is the smallest, and members ascend.
        self.entries[set.0 as usize].tails.first() == Some(&TailId::DONE)
    }

    /// The highest level that a member of the set touches.
    #[inline]
    pub(crate) fn top(&self, set: TailSet) -> Level {
        self.entries[set.0 as usize].top
    }

    /// The `i`-th move of `set` at its top level from `value`, once [`Self::prepare`] ran.
    #[inline]
    pub(crate) fn get(&self, set: TailSet, value: u32, i: usize) -> Option<(u32, TailSet)> {
        self.entries[set.0 as usize].moves.get(value)?.get(i).copied()
    }

    /// Makes the moves of `set` from `value` known.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        model: &mut Model,
        set: TailSet,
        value: u32,
    ) -> Result<(), Abort> {
        if self.entries[set.0 as usize].moves.get(value).is_some() {
            return Ok(());
        }
        self.compute(model, set, value)
    }

    #[cold]
    fn compute(&mut self, model: &mut Model, set: TailSet, value: u32) -> Result<(), Abort> {
        let Entry { tails, top, .. } = &self.entries[set.0 as usize];
        let top = *top;
        let mut targets: Vec<(u32, TailId)> = Vec::new();
        for &tail in tails.iter() {
            match model.split(tail) {
                Some((level, step, next)) if level == top => {
                    if let Some(to) = model.apply(step, value)? {
                        targets.push((to, next));
                    }
                }
                _ => targets.push((value, tail)),
            }
        }
        targets.sort_unstable();
        let moves: Moves = targets
            .chunk_by(|a, b| a.0 == b.0)
            .map(|run| (run[0].0, self.intern(model, run.iter().map(|r| r.1).collect())))
            .collect();
        self.entries[set.0 as usize].moves.insert(value, moves);
        Ok(())
    }
}
