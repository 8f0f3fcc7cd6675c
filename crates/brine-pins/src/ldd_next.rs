//! Images under learned relations: LDD-Next, LDD-Write, LDD-Copy (MKBP14 Algorithms 5 to 7).
//!
//! ```text
//! next(set, group)  =  { t | s in set, s -> t by what was learned of the group }
//! ```
//!
//! A set and a relation are walked down together, level by level:
//! - a level that the group copies keeps its values (LDD-Copy);
//! - a level that it reads keeps those that the relation has, too;
//! - a level that it reads and writes replaces each value that the relation has by those that
//!   the relation writes for it (LDD-Write);
//! - a level that it writes replaces every value by those that the relation writes;
//! - on a may-write level the relation may also hold the copy symbol: values are kept.
//!
//! When the row is done, everything below is kept as it is.
//!
//! *An instance of the driver* (`brine_sat::driver`): the rest of a step is the rest of a row and of the
//! relation, and the cases above are its moves from a value. Saturation uses the same moves;
//! there each image is closed under the groups with lower tops on its way up
//! ([`crate::saturate`]).
//!
//! *Deviations.* Lists are walked by loops where the paper recurses to the right, and written
//! values are gathered in a frame instead of being united one by one.
//!
//! *Keys.* An image depends on the set, the relation and the rest of the row. The level is
//! implied: vectors of a set are as long as there are levels from there on.
//!
//! *Invariant.* Relations hold no empty set behind a value: a rest of a relation is never empty.

use brine_dd::{Dd, Frames, Key, NodeId};
use brine_sat::Level;
use brine_sat::driver::{self, Operation, Steps};

use crate::explorer::{COPY, Explorer, PinsOp};
use crate::interface::Failure;
use crate::matrix::Dependency;
use crate::tails::TailId;

/// What a step still has to do from some level down.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// The rest of a row, with what the relation says about it.
    Row(TailId, NodeId),
    /// All groups with their top at the level, in turn. Each learns before it is fired.
    Groups,
}

/// A place in the moves of a [`Rest`].
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// The groups that have not been fired yet, for [`Rest::Groups`].
    pub(crate) groups: Option<Groups>,
    dependency: Dependency,
    /// The rest of the row below.
    next: TailId,
    /// What the relation says about values that were not passed yet.
    row: NodeId,
    pub(crate) value: u32,
    /// The value stays, and this is the rest of the relation.
    keep: Option<NodeId>,
    /// What is left to be written: a list of values, shifted by one on may-write levels.
    writes: NodeId,
}

/// The groups of a level from some number on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    pub(crate) depth: u32,
    pub(crate) next: usize,
}

impl Moves {
    /// The moves of groups that are still to be fired.
    fn of_groups(depth: u32) -> Moves {
        Moves {
            groups: Some(Groups { depth, next: 0 }),
            dependency: Dependency::Copy,
            next: TailId::DONE,
            row: NodeId::EMPTY,
            value: 0,
            keep: None,
            writes: NodeId::EMPTY,
        }
    }
}

impl Explorer<'_> {
    /// `{ t | s in set, s -> t by what was learned of the group }` (`Next`, Definition 12).
    pub(crate) fn next(&mut self, set: NodeId, group: usize) -> Result<NodeId, Failure> {
        let Some(g) = self.groups.get(group) else { return Ok(NodeId::EMPTY) };
        let (tail, relation) = (g.tail, g.relation);
        self.ldd_next(set, relation, tail)
    }

    /// The image of a set of states under a relation with the row `tail` (Algorithm 5).
    pub(crate) fn ldd_next(
        &mut self,
        set: NodeId,
        relation: NodeId,
        tail: TailId,
    ) -> Result<NodeId, Failure> {
        if set == NodeId::EMPTY || relation == NodeId::EMPTY {
            self.counters.ldd_next += 1;
            return Ok(NodeId::EMPTY);
        }
        let top = self.level(0);
        driver::image(self, set, Rest::Row(tail, relation), top)
    }

    /// The level of the driver for a depth: the lowest one has number 1.
    pub(crate) fn level(&self, depth: u32) -> Level {
        Level(self.depths.len() as u32 - depth)
    }

    /// The inverse of [`Self::level`].
    #[inline]
    pub(crate) fn depth(&self, level: Level) -> u32 {
        self.depths.len() as u32 - level.0
    }

    /// The first entry of a row at this level, with what the relation says about it.
    pub(crate) fn begin_row(&self, moves: &mut Moves, tail: TailId, relation: NodeId) {
        debug_assert!(relation != NodeId::EMPTY, "a relation that leads nowhere");
        let tail = self.tails.get(tail);
        (moves.dependency, moves.next, moves.row) = (tail.dependency, tail.next, relation);
    }

    /// Finds the moves of the row from `value` (Algorithm 5, lines 4 to 14).
    pub(crate) fn seek_in_row(&self, moves: &mut Moves, value: u32) {
        moves.value = value;
        (moves.keep, moves.writes) = (None, NodeId::EMPTY);
        match moves.dependency {
            Dependency::Read | Dependency::ReadWrite => {
                // Both lists ascend: what was passed is not needed again.
                while moves.row != NodeId::EMPTY && self.dd.node(moves.row).value < value {
                    moves.row = self.dd.node(moves.row).right;
                }
                if moves.row == NodeId::EMPTY || self.dd.node(moves.row).value > value {
                    return;
                }
                let found = self.dd.node(moves.row).down;
                if moves.dependency == Dependency::Read {
                    moves.keep = Some(found);
                } else {
                    moves.writes = found;
                }
            }
            Dependency::MustWrite => moves.writes = moves.row,
            Dependency::MayWrite => {
                let first = self.dd.node(moves.row);
                if first.value == COPY {
                    (moves.keep, moves.writes) = (Some(first.down), first.right);
                } else {
                    moves.writes = moves.row;
                }
            }
            Dependency::Copy => unreachable!("copies are not listed in rows"),
        }
    }

    /// The next move of the row: a value that is kept (Algorithm 7) or written (Algorithm 6).
    #[inline]
    pub(crate) fn next_in_row(&self, moves: &mut Moves) -> Option<(u32, Rest)> {
        if let Some(relation) = moves.keep.take() {
            return Some((moves.value, Rest::Row(moves.next, relation)));
        }
        if moves.writes == NodeId::EMPTY {
            return None;
        }
        let n = self.dd.node(moves.writes);
        moves.writes = n.right;
        let shift = u32::from(moves.dependency == Dependency::MayWrite);
        Some((n.value - shift, Rest::Row(moves.next, n.down)))
    }
}

impl Steps for Explorer<'_> {
    type Rest = Rest;
    type Cursor = Moves;
    type Stop = Failure;

    #[inline]
    fn parts(&mut self) -> (&mut Dd, &mut Frames) {
        (&mut self.dd, &mut self.frames)
    }

    #[inline]
    fn image_key(&self, op: Operation, node: NodeId, rest: Rest) -> Key {
        match rest {
            Rest::Row(tail, relation) => {
                Key::with_node(PinsOp::new(op), node, relation).and(tail.raw())
            }
            Rest::Groups => unreachable!("the groups of a level are fired, not remembered"),
        }
    }

    #[inline]
    fn identity(&mut self, node: NodeId, rest: Rest) -> Result<Option<NodeId>, Failure> {
        self.counters.ldd_next += 1;
        Ok(matches!(rest, Rest::Row(TailId::DONE, _)).then_some(node))
    }

    #[inline]
    fn top(&self, rest: Rest) -> Level {
        match rest {
            Rest::Row(TailId::DONE, _) | Rest::Groups => Level(0),
            Rest::Row(tail, _) => self.level(self.tails.get(tail).depth),
        }
    }

    #[inline]
    fn descend(&mut self) -> Result<(), Failure> {
        Ok(self.dd.tick()?)
    }

    #[inline]
    fn start(&mut self, rest: Rest, level: Level) -> Result<Moves, Failure> {
        let mut moves = Moves::of_groups(self.depth(level));
        if let Rest::Row(tail, relation) = rest {
            moves.groups = None;
            self.begin_row(&mut moves, tail, relation);
        }
        Ok(moves)
    }

    #[inline]
    fn seek(&mut self, moves: &mut Moves, value: u32) -> Result<(), Failure> {
        match moves.groups {
            Some(_) => moves.value = value,
            None => self.seek_in_row(moves, value),
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self, moves: &mut Moves, below: NodeId) -> Result<Option<(u32, Rest)>, Failure> {
        loop {
            if let Some(found) = self.next_in_row(moves) {
                return Ok(Some(found));
            }
            let Some(groups) = moves.groups else { return Ok(None) };
            if !self.next_group(moves, groups, below)? {
                return Ok(None);
            }
        }
    }
}
