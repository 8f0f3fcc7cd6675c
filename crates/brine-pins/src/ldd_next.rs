//! Images under learned relations: LDD-Next, LDD-Write, LDD-Copy (MKBP14 Algorithms 5 to 7).
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
//! *Deviations.* Lists are walked by loops where the paper recurses to the right, and written
//! values are gathered in a frame instead of being united one by one. Saturation uses the
//! same walk; there each image is closed under the groups with lower tops on its way up
//! ([`Mode::Saturated`]).
//!
//! *Keys.* An image depends on the set, the relation and the rest of the row. The level is
//! implied: vectors of a set are as long as there are levels from there on.

use brine_dd::NodeId;

use crate::explorer::{COPY, Explorer, op};
use crate::interface::Stop;
use crate::matrix::Dependency;
use crate::tails::{Tail, TailId};

/// What happens to an image on its way up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing.
    Plain,
    /// It is saturated; so must the set be whose image it is.
    Saturated,
}

/// What an image still has to do: the rest of a row from some level on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub(crate) tail: TailId,
    pub(crate) depth: u32,
    pub(crate) mode: Mode,
}

impl Rest {
    fn below(self, tail: TailId) -> Rest {
        Rest { tail, depth: self.depth + 1, mode: self.mode }
    }
}

impl Explorer<'_> {
    /// `{ t | s in set, s -> t by what was learned of the group }` (`Next`, Definition 12).
    pub(crate) fn next(&mut self, set: NodeId, group: usize) -> Result<NodeId, Stop> {
        let Some(g) = self.groups.get(group) else { return Ok(NodeId::EMPTY) };
        let rest = Rest { tail: g.tail, depth: 0, mode: Mode::Plain };
        self.ldd_next(set, g.relation, rest)
    }

    /// Algorithm 5.
    pub(crate) fn ldd_next(
        &mut self,
        set: NodeId,
        relation: NodeId,
        rest: Rest,
    ) -> Result<NodeId, Stop> {
        self.counters.ldd_next += 1;
        if set == NodeId::EMPTY || relation == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        if rest.tail == TailId::DONE {
            return Ok(set);
        }
        let tag = if rest.mode == Mode::Plain { op::NEXT } else { op::NEXT_SATURATED };
        let key = tag | rest.tail.raw();
        if let Some(r) = self.dd.client_cache.get(key, set.raw(), relation.raw()) {
            return Ok(r);
        }
        self.dd.tick()?;
        let base = self.frames.len();
        let tail = self.tails.get(rest.tail);
        if tail.depth > rest.depth {
            self.ldd_copy(base, set, relation, rest.below(rest.tail))?;
        } else {
            self.ldd_level(base, set, relation, tail, rest.below(tail.next))?;
        }
        let mut image = self.frames.close(&mut self.dd, base)?;
        if rest.mode == Mode::Saturated {
            image = self.fire_node(image, rest.depth)?;
        }
        self.dd.client_cache.put(key, set.raw(), relation.raw(), image);
        Ok(image)
    }

    /// A level that the group depends on (Algorithm 5, lines 4 to 14).
    fn ldd_level(
        &mut self,
        base: usize,
        set: NodeId,
        relation: NodeId,
        tail: Tail,
        below: Rest,
    ) -> Result<(), Stop> {
        let (mut at, mut row) = (set, relation);
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            match tail.dependency {
                Dependency::Read | Dependency::ReadWrite => {
                    // Both lists ascend: what was passed is not needed again.
                    while row != NodeId::EMPTY && self.dd.node(row).value < n.value {
                        row = self.dd.node(row).right;
                    }
                    if row == NodeId::EMPTY {
                        return Ok(());
                    }
                    let step = self.dd.node(row);
                    if step.value > n.value {
                        continue;
                    }
                    if tail.dependency == Dependency::Read {
                        self.ldd_one(base, n.value, n.down, step.down, below)?;
                    } else {
                        self.ldd_write(base, n.down, step.down, 0, below)?;
                    }
                }
                Dependency::MustWrite => self.ldd_write(base, n.down, relation, 0, below)?,
                Dependency::MayWrite => {
                    let first = self.dd.node(relation);
                    if first.value == COPY {
                        self.ldd_one(base, n.value, n.down, first.down, below)?;
                        self.ldd_write(base, n.down, first.right, 1, below)?;
                    } else {
                        self.ldd_write(base, n.down, relation, 1, below)?;
                    }
                }
                Dependency::Copy => unreachable!("copies are not listed in rows"),
            }
        }
        Ok(())
    }

    /// Algorithm 6: writes every value of the list `writes`, less `shift`, in front of the
    /// images of `down`.
    fn ldd_write(
        &mut self,
        base: usize,
        down: NodeId,
        writes: NodeId,
        shift: u32,
        below: Rest,
    ) -> Result<(), Stop> {
        let mut at = writes;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            self.ldd_one(base, n.value - shift, down, n.down, below)?;
        }
        Ok(())
    }

    /// Algorithm 7: keeps every value of the set in front of its image.
    fn ldd_copy(
        &mut self,
        base: usize,
        set: NodeId,
        relation: NodeId,
        below: Rest,
    ) -> Result<(), Stop> {
        let mut at = set;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            self.ldd_one(base, n.value, n.down, relation, below)?;
        }
        Ok(())
    }

    /// Adds the image of `down` behind `value` to the frame.
    fn ldd_one(
        &mut self,
        base: usize,
        value: u32,
        down: NodeId,
        relation: NodeId,
        below: Rest,
    ) -> Result<(), Stop> {
        let image = self.ldd_next(down, relation, below)?;
        self.frames.add(&mut self.dd, base, value, image)?;
        Ok(())
    }
}
