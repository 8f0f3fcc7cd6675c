//! Learning transitions on the fly (MKBP14 Algorithm 4).
//!
//! Before a group is applied to a set, the set is projected to the slots that the group
//! reads; the short vectors that were not asked about before are handed to the model's
//! `next`, and the answers added to the relation. Each short vector stands for all states
//! that look like it, so there are few calls.
//!
//! *Invariant.* When a group is applied to a set, every short vector of the set was asked.
//!
//! A group of the plan may stand for several groups of the model (merged rows) and may
//! depend on more than they do (coarser entries). Then the short vector is projected further
//! for each member, and what a member does not write is a copy: the value itself where the
//! row reads it, the copy symbol on may-write levels.

use brine_dd::{NodeId, Stop, VectorCursor};

use crate::explorer::{COPY, Explorer};
use crate::interface::{GroupId, ModelError, Pins, PinsStop, SlotId};
use crate::matrix::Dependency;

/// Short vectors whose answers are put into the relation together.
const BATCH: usize = 1 << 10;

/// How short vectors of a row become questions to the model, and answers members of the
/// relation.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    members: Vec<LearnedMember>,
}

/// One group of the model.
#[derive(Clone, Debug)]
struct LearnedMember {
    group: GroupId,
    /// For each slot that the member reads, its position in the short vector of the row.
    reads: Vec<usize>,
    /// For each level of the row, what goes into the relation.
    entries: Vec<LearnedEntry>,
}

/// How one level of the row is filled.
#[derive(Clone, Copy, Debug)]
struct LearnedEntry {
    dependency: Dependency,
    /// Position in the row's short vector, if the row reads the level.
    read: Option<usize>,
    /// Position in the member's answer, if the member may write the level.
    write: Option<usize>,
}

impl Learner {
    /// `entries` is the row in the order of the levels.
    pub(crate) fn new(
        model: &dyn Pins,
        members: &[GroupId],
        entries: &[(SlotId, Dependency)],
    ) -> Self {
        let short: Vec<SlotId> = entries.iter().filter(|e| e.1.reads()).map(|e| e.0).collect();
        let position = |slot: SlotId| short.iter().position(|&s| s == slot);
        let member = |&group: &GroupId| {
            let row = model.row(group);
            let entry = |&(slot, dependency): &(SlotId, Dependency)| LearnedEntry {
                dependency,
                read: position(slot),
                write: row.may_write().binary_search(&slot).ok(),
            };
            let of = |slot: SlotId| entries.iter().find(|e| e.0 == slot).map(|e| e.1);
            debug_assert!(
                row.combined().iter().all(|e| of(e.0).is_some_and(|d| e.1.is_below(d))),
                "the row lies above those of its members"
            );
            LearnedMember {
                group,
                reads: row.read().iter().filter_map(|&slot| position(slot)).collect(),
                entries: entries.iter().map(entry).collect(),
            }
        };
        Learner { members: members.iter().map(member).collect() }
    }

    /// Asks all members about one short vector; adds the answers to `found`.
    fn ask(
        &self,
        model: &dyn Pins,
        short: &[u32],
        found: &mut Vec<Vec<u32>>,
    ) -> Result<(), ModelError> {
        for member in &self.members {
            let reads: Vec<u32> = member.reads.iter().map(|&i| short[i]).collect();
            let mut broken = None;
            model.next(member.group, &reads, &mut |answer| match member.relate(short, answer) {
                Ok(vector) => found.push(vector),
                Err(error) => broken = Some(error),
            })?;
            if let Some(what) = broken {
                return Err(ModelError(format!("{}: {what}", model.group_name(member.group))));
            }
        }
        Ok(())
    }
}

impl LearnedMember {
    /// The member of the relation for a short vector and one answer.
    fn relate(&self, short: &[u32], answer: &[Option<u32>]) -> Result<Vec<u32>, &'static str> {
        let mut vector = Vec::with_capacity(self.entries.len() + short.len());
        for entry in &self.entries {
            let old = entry.read.map(|i| short[i]);
            let new = entry.write.and_then(|i| answer.get(i).copied().flatten());
            match entry.dependency {
                Dependency::Read => vector.extend(old),
                Dependency::ReadWrite => vector.extend(old.into_iter().chain(new.or(old))),
                Dependency::MustWrite => {
                    vector.push(new.ok_or("a slot declared as must-write was not written")?);
                }
                Dependency::MayWrite => vector.push(match new {
                    Some(value) => value.checked_add(1).ok_or("4294967295 does not fit")?,
                    None => COPY,
                }),
                Dependency::Copy => {}
            }
        }
        Ok(vector)
    }
}

impl Explorer<'_> {
    /// Learns what a group does from the states of `set` (Algorithm 4 for one group).
    pub(crate) fn learn(&mut self, set: NodeId, group: usize) -> Result<(), PinsStop> {
        let short = self.project(set, self.groups[group].reads, 0)?;
        self.learn_short(group, short)
    }

    /// The same for the states with `value` at the group's top level and `node` below.
    pub(crate) fn learn_below(
        &mut self,
        group: usize,
        value: u32,
        node: NodeId,
        depth: u32,
    ) -> Result<(), PinsStop> {
        let reads = self.groups[group].reads;
        let tail = self.tails.get(reads);
        let short = if tail.depth == depth {
            let below = self.project(node, tail.next, depth + 1)?;
            self.dd.make_node(value, below, NodeId::EMPTY)?
        } else {
            self.project(node, reads, depth + 1)?
        };
        self.learn_short(group, short)
    }

    /// Asks the model about the short vectors that are new.
    fn learn_short(&mut self, group: usize, short: NodeId) -> Result<(), PinsStop> {
        let new = self.dd.minus(short, self.groups[group].asked)?;
        if new == NodeId::EMPTY {
            return Ok(());
        }
        let mut cursor = VectorCursor::new(&self.dd, new);
        let mut found = Vec::new();
        while let Some(vector) = cursor.next(&self.dd) {
            self.dd.tick()?;
            self.counters.next_state[group] += 1;
            self.groups[group].learner.ask(self.model, &vector, &mut found)?;
            if found.len() >= BATCH {
                self.extend_relation(group, &mut found)?;
            }
        }
        self.extend_relation(group, &mut found)?;
        self.groups[group].asked = self.dd.union(self.groups[group].asked, new)?;
        debug_assert!(self.dd.is_subset(short, self.groups[group].asked), "not all were asked");
        Ok(())
    }

    fn extend_relation(&mut self, group: usize, found: &mut Vec<Vec<u32>>) -> Result<(), Stop> {
        let more = self.set_of(found)?;
        found.clear();
        self.groups[group].relation = self.dd.union(self.groups[group].relation, more)?;
        Ok(())
    }

    /// The set of some vectors of equal length: united pairwise, so that each of them takes
    /// part in few unions.
    pub(crate) fn set_of(&mut self, vectors: &mut [Vec<u32>]) -> Result<NodeId, Stop> {
        vectors.sort_unstable();
        let mut sets = Vec::with_capacity(vectors.len());
        for vector in &*vectors {
            sets.push(self.dd.singleton(vector)?);
        }
        while sets.len() > 1 {
            let mut half = Vec::with_capacity(sets.len().div_ceil(2));
            for pair in sets.chunks(2) {
                half.push(match *pair {
                    [a, b] => self.dd.union(a, b)?,
                    _ => pair[0],
                });
            }
            sets = half;
        }
        Ok(sets.first().copied().unwrap_or(NodeId::EMPTY))
    }
}
