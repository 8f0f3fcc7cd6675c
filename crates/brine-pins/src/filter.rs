//! Parts of a set chosen by a question about some slots.
//!
//! The question is asked once for each short vector, as in learning; the answers form a
//! relation that only reads, and the part is the image under it. Enabled and dead states,
//! and edges, come from this.

use brine_dd::{Cursor, NodeId};
use num_bigint::BigUint;

use crate::explorer::Explorer;
use crate::interface::{Failure, GroupId, ModelError, Pins, SlotId};

impl Explorer<'_> {
    /// `{ s in set | keep(values of s on slots) }`; `slots` and the values ascend.
    pub(crate) fn filter(
        &mut self,
        set: NodeId,
        slots: &[SlotId],
        mut keep: impl FnMut(&[u32]) -> Result<bool, ModelError>,
    ) -> Result<NodeId, Failure> {
        let tail = self.read_tail(slots);
        let short = self.project(set, tail, 0)?;
        let mut by_depth: Vec<usize> = (0..slots.len()).collect();
        by_depth.sort_unstable_by_key(|&i| self.depths[slots[i].index()]);
        let mut values = vec![0; slots.len()];
        let mut cursor = Cursor::new(&self.dd, short);
        let (mut kept, mut batch) = (NodeId::EMPTY, Vec::new());
        while let Some(vector) = cursor.next(&self.dd) {
            self.dd.tick()?;
            by_depth.iter().zip(&vector).for_each(|(&i, &value)| values[i] = value);
            if keep(&values)? {
                batch.push(vector);
            }
            if batch.len() == 1 << 10 {
                let more = self.set_of(&mut batch)?;
                kept = self.dd.union(kept, more)?;
                batch.clear();
            }
        }
        let more = self.set_of(&mut batch)?;
        kept = self.dd.union(kept, more)?;
        self.ldd_next(set, kept, tail)
    }

    /// The states of `set` with a step of one group of `model`, whose slots are among those of
    /// the explored model.
    fn with_step(
        &mut self,
        set: NodeId,
        model: &dyn Pins,
        group: GroupId,
    ) -> Result<NodeId, Failure> {
        self.filter(set, model.row(group).read(), |values| {
            let mut any = false;
            model.next(group, values, &mut |_| any = true)?;
            Ok(any)
        })
    }

    /// The states of `set` without a step of any of the groups of `model`.
    pub(crate) fn without_steps(
        &mut self,
        set: NodeId,
        model: &dyn Pins,
    ) -> Result<NodeId, Failure> {
        let mut dead = set;
        for group in (0..model.groups() as u32).map(GroupId) {
            if dead == NodeId::EMPTY {
                break;
            }
            self.collect_if_due(&[set, dead]);
            let enabled = self.with_step(dead, model, group)?;
            dead = self.dd.minus(dead, enabled)?;
        }
        Ok(dead)
    }

    /// The states of `set` without any step.
    pub fn dead(&mut self, set: NodeId) -> Result<NodeId, Failure> {
        self.without_steps(set, self.model)
    }

    /// How many pairs of a state of `set` and a group that has a step there are: the edges of
    /// the state graph, for models whose groups have at most one step in a state.
    pub fn edges(&mut self, set: NodeId) -> Result<BigUint, Failure> {
        let mut edges = BigUint::default();
        for group in (0..self.model.groups() as u32).map(GroupId) {
            self.collect_if_due(&[set]);
            let enabled = self.with_step(set, self.model, group)?;
            edges += self.dd.count(enabled);
        }
        Ok(edges)
    }
}
