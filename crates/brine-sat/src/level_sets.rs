//! Sets whose members each look at a level next, hash-consed.
//!
//! A set is a list of *groups*, the members of one level, top level first. Walking down the
//! levels takes the first group off and adds what is left of its members further down, so
//! sets share what they have in common below: the cost of a step is the number of groups
//! above the lowest addition, not the size of the set. With all transitions of a net in one
//! set, plain lists would cost the square of the number of levels on the way down.

use crate::model::Level;
use brine_net::Interner;
use std::cmp::Reverse;

/// A set; equal ones have equal ids. Ids are given out from 0 without gaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LevelSetId(pub(crate) u32);

impl LevelSetId {
    /// The empty set.
    pub(crate) const EMPTY: LevelSetId = LevelSetId(0);
}

/// Members of one level, ascending; equal groups have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LevelGroup(u32);

impl LevelGroup {
    /// No group: that of the empty set.
    const NONE: LevelGroup = LevelGroup(u32::MAX);
}

/// All sets met so far. Members are numbers that the client gives; each is always given with
/// the same level.
#[derive(Debug)]
pub(crate) struct LevelSets {
    groups: Interner<Box<[u32]>>,
    /// By number of the group.
    levels: Vec<Level>,
    /// The first group and the set of the others; number 0 is empty, and has neither.
    sets: Interner<(LevelGroup, LevelSetId)>,
}

impl LevelSets {
    pub(crate) fn new() -> Self {
        LevelSets {
            groups: Interner::new(),
            levels: Vec::new(),
            sets: Interner::from_iter([(LevelGroup::NONE, LevelSetId::EMPTY)]),
        }
    }

    /// How many ids were given out.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The top level, its members, and the set of the others; `None` if the set is empty.
    pub(crate) fn first(&self, set: LevelSetId) -> Option<(Level, &[u32], LevelSetId)> {
        if set == LevelSetId::EMPTY {
            return None;
        }
        let (group, rest) = self.sets[set.0 as usize];
        let group = group.0 as usize;
        Some((self.levels[group], &self.groups[group], rest))
    }

    /// The set with more members, each given with its level.
    pub(crate) fn with(&mut self, set: LevelSetId, mut more: Vec<(Level, u32)>) -> LevelSetId {
        more.sort_unstable_by_key(|&(level, member)| (Reverse(level), member));
        let mut rest = set;
        let mut above: Vec<LevelGroup> = Vec::new();
        for added in more.chunk_by(|a, b| a.0 == b.0) {
            let level = added[0].0;
            let mut members: Vec<u32> = added.iter().map(|a| a.1).collect();
            while let Some((top, old, next)) = self.first(rest) {
                if top < level {
                    break;
                }
                if top == level {
                    members.extend_from_slice(old);
                } else {
                    above.push(self.sets[rest.0 as usize].0);
                }
                rest = next;
            }
            above.push(self.group(level, members));
        }
        above.into_iter().rev().fold(rest, |rest, group| self.put_before(group, rest))
    }

    fn group(&mut self, level: Level, mut members: Vec<u32>) -> LevelGroup {
        members.sort_unstable();
        members.dedup();
        let id = LevelGroup(self.groups.intern_slice(&members));
        if id.0 as usize == self.levels.len() {
            self.levels.push(level);
        }
        debug_assert_eq!(self.levels[id.0 as usize], level, "members have one level");
        id
    }

    fn put_before(&mut self, group: LevelGroup, rest: LevelSetId) -> LevelSetId {
        let level = self.levels[group.0 as usize];
        debug_assert!(self.first(rest).is_none_or(|(l, ..)| l < level), "top level first");
        LevelSetId(self.sets.intern((group, rest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn members(sets: &LevelSets, mut set: LevelSetId) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        while let Some((level, members, rest)) = sets.first(set) {
            all.extend(members.iter().map(|&m| (level.0, m)));
            set = rest;
        }
        all
    }

    /// However a set was put together, its id is the same, and so are its members.
    #[test]
    fn equal_sets_have_equal_ids() {
        let mut sets = LevelSets::new();
        let all: Vec<(Level, u32)> = (0..40).map(|m| (Level(m % 7 + 1), m)).collect();
        for step in 1..40 {
            let at_once = sets.with(LevelSetId::EMPTY, all.clone());
            let mut bit_by_bit = LevelSetId::EMPTY;
            for part in all.chunks(step).rev() {
                bit_by_bit = sets.with(bit_by_bit, part.to_vec());
                bit_by_bit = sets.with(bit_by_bit, part.to_vec());
            }
            assert_eq!(at_once, bit_by_bit);
            let seen = members(&sets, at_once);
            assert!(seen.windows(2).all(|w| w[0].0 > w[1].0 || w[0] < w[1]), "{seen:?}");
            let expected: BTreeSet<(u32, u32)> = all.iter().map(|&(l, m)| (l.0, m)).collect();
            assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
        }
        assert!(sets.first(LevelSetId::EMPTY).is_none());
    }

    /// A walk down a chain of levels makes a few sets a level, not a copy of all at each.
    #[test]
    fn what_is_below_is_shared() {
        let mut sets = LevelSets::new();
        let levels = 1_000;
        let mut set = sets.with(LevelSetId::EMPTY, (1..=levels).map(|l| (Level(l), l)).collect());
        for level in (2..=levels).rev() {
            let Some((top, _, rest)) = sets.first(set) else { panic!("too short") };
            assert_eq!(top, Level(level));
            set = sets.with(rest, vec![(Level(level - 1), levels + level)]);
        }
        assert!(sets.len() < 3 * levels as usize, "{}", sets.len());
    }
}
