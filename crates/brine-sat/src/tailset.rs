//! Sets of event rests, fired together.
//!
//! Events with the same top that make the same local move there are fired in one
//! descent: what goes down is the *set* of their rests. This is the paper's diagram of
//! N_k with local steps as labels instead of pairs of values, unfolded lazily and
//! hash-consed, so no domains have to be known.

use brine_dd::Stop;

use crate::level_sets::{LevelSetId, LevelSets};
use crate::memo::Memo;
use crate::model::{Level, LevelModel, TailId};

/// A set of event rests; equal sets have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TailSet(LevelSetId);

impl TailSet {
    /// The set of just [`TailId::DONE`]: the identity.
    pub(crate) const DONE: TailSet = TailSet(LevelSetId(1));

    pub(crate) fn raw(self) -> u32 {
        self.0.0
    }
}

/// The moves of a set from one local state: new local state and the rests below.
pub(crate) type TailMoves = Box<[(u32, TailSet)]>;

#[derive(Debug)]
struct TailSetEntry {
    /// The highest level that a member touches.
    top: Level,
    /// Some member is [`TailId::DONE`].
    done: bool,
    /// Moves at `top`, per local state, as they get known.
    moves: Memo<TailMoves>,
}

/// All sets met so far.
#[derive(Debug)]
pub(crate) struct TailSets {
    sets: LevelSets,
    /// By number of the set.
    entries: Vec<TailSetEntry>,
}

impl TailSets {
    pub(crate) fn new() -> Self {
        let mut sets = TailSets { sets: LevelSets::new(), entries: Vec::new() };
        let done = sets.with(LevelSetId::EMPTY, vec![(Level(0), TailId::DONE.0)]);
        debug_assert_eq!(done, TailSet::DONE);
        sets
    }

    /// The set with more rests, each with the highest level that it touches.
    fn with(&mut self, set: LevelSetId, more: Vec<(Level, u32)>) -> TailSet {
        let set = self.sets.with(set, more);
        for id in self.entries.len()..self.sets.len() {
            let entry = match self.sets.first(LevelSetId(id as u32)) {
                Some((top, tails, rest)) => {
                    let done = tails.contains(&TailId::DONE.0);
                    let done = done || self.entries[rest.0 as usize].done;
                    TailSetEntry { top, done, moves: Memo::new() }
                }
                None => TailSetEntry { top: Level(0), done: false, moves: Memo::new() },
            };
            self.entries.push(entry);
        }
        TailSet(set)
    }

    /// The set of these rests.
    pub(crate) fn intern(&mut self, model: &LevelModel, tails: Vec<TailId>) -> TailSet {
        self.with(LevelSetId::EMPTY, levelled(model, tails))
    }

    /// The union of these sets; `None` without any.
    pub(crate) fn union_of(&mut self, sets: Vec<TailSet>) -> Option<TailSet> {
        let mut all = Vec::new();
        for TailSet(mut set) in sets {
            while let Some((level, tails, rest)) = self.sets.first(set) {
                all.extend(tails.iter().map(|&t| (level, t)));
                set = rest;
            }
        }
        (!all.is_empty()).then(|| self.with(LevelSetId::EMPTY, all))
    }

    /// True when some member has nothing left to do.
    pub(crate) fn has_done(&self, set: TailSet) -> bool {
        self.entries[set.raw() as usize].done
    }

    /// The highest level that a member of the set touches.
    #[inline]
    pub(crate) fn top(&self, set: TailSet) -> Level {
        self.entries[set.raw() as usize].top
    }

    /// The `i`-th move of `set` at its top level from `value`, once [`Self::prepare`] ran.
    #[inline]
    pub(crate) fn get(&self, set: TailSet, value: u32, i: usize) -> Option<(u32, TailSet)> {
        self.entries[set.raw() as usize].moves.get(value)?.get(i).copied()
    }

    /// Makes the moves of `set` from `value` known.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        model: &mut LevelModel,
        set: TailSet,
        value: u32,
    ) -> Result<(), Stop> {
        if self.entries[set.raw() as usize].moves.get(value).is_some() {
            return Ok(());
        }
        self.compute(model, set, value)
    }

    #[cold]
    fn compute(&mut self, model: &mut LevelModel, set: TailSet, value: u32) -> Result<(), Stop> {
        let mut targets: Vec<(u32, TailId)> = Vec::new();
        // Those that do not touch this level leave it as it is.
        let mut stay = LevelSetId::EMPTY;
        if let Some((_, tails, rest)) = self.sets.first(set.0) {
            stay = rest;
            for &tail in tails {
                match model.split(TailId(tail)) {
                    Some((_, step, next)) => {
                        if let Some(to) = model.apply(step, value)? {
                            targets.push((to, next));
                        }
                    }
                    None => stay = set.0,
                }
            }
        }
        targets.sort_unstable();
        let mut moves: Vec<(u32, TailSet)> = Vec::new();
        for run in targets.chunk_by(|a, b| a.0 == b.0) {
            let to = run[0].0;
            let base = if to == value { stay } else { LevelSetId::EMPTY };
            let more = levelled(model, run.iter().map(|r| r.1).collect());
            moves.push((to, self.with(base, more)));
        }
        if let Err(at) = moves.binary_search_by_key(&value, |m| m.0)
            && stay != LevelSetId::EMPTY
        {
            moves.insert(at, (value, TailSet(stay)));
        }
        debug_assert!(moves.is_sorted_by(|a, b| a.0 < b.0), "one move for each local state");
        debug_assert!(
            set == TailSet::DONE || moves.iter().all(|m| self.top(m.1) < self.top(set)),
            "rests lie below"
        );
        self.entries[set.raw() as usize].moves.insert(value, moves.into());
        Ok(())
    }
}

/// The rests with the highest level that each touches; 0 for [`TailId::DONE`].
fn levelled(model: &LevelModel, tails: Vec<TailId>) -> Vec<(Level, u32)> {
    let level = |t: TailId| model.split(t).map_or(Level(0), |s| s.0);
    tails.into_iter().map(|t| (level(t), t.0)).collect()
}
