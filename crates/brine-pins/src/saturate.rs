//! Saturation over relations that are learned on the way (MVDBM16 section 3 on top of MKBP14).
//!
//! ```text
//! closure(set)  =  the least set with set and all t with s -> t by some group, s in the set
//! ```
//!
//! An instance of the driver (`brine_sat::driver`). The top of a group is the highest level that it
//! depends on; the events of a level are the groups with their top there, one after the other.
//!
//! *Learning.* Just before a group is fired from a value, it is asked about the short vectors
//! of the states there. All levels that it depends on lie at or below its top, so these are
//! all it needs to know.
//!
//! *New states only.* Models of processes with shared variables have their groups' tops near
//! the root, since the variables are declared first; then a slot there gains a few states at a
//! time, and firing from the whole slot again costs as much as breadth-first search without
//! the previous level. So groups are fired from the states that are new
//! (`Saturable::NEW_ONLY`): on BEEM's anderson.6 a quarter of the calls.
//!
//! *Why caches stay right.* What is remembered for a node is its closure under the model's
//! own steps, not under what happened to be learned: at the end of `fire` each state of each
//! value was fired from, after learning. Images are remembered under the relation's
//! node, which is another one after it grew.
//!
//! *Invariant.* While the groups of one level are fired, inner calls learn only for groups with
//! lower tops, so the relations in use do not change.

use brine_dd::{Key, NodeId};
use brine_sat::Level;
use brine_sat::driver::{self, Operation, Saturable};

use crate::explorer::{Explorer, PinsOp};
use crate::interface::PinsStop;
use crate::ldd_next::{Groups, Rest, RowMoves};

impl Explorer<'_> {
    /// The closure of a set of states under all groups.
    pub(crate) fn saturate(&mut self, set: NodeId) -> Result<NodeId, PinsStop> {
        let top = self.level(0);
        driver::saturate(self, set, (), top)
    }

    /// Goes on to the next group: learns from the states with the value and `below`, and finds
    /// the moves. False when there is none.
    pub(crate) fn next_group(
        &mut self,
        moves: &mut RowMoves,
        groups: Groups,
        below: NodeId,
    ) -> Result<bool, PinsStop> {
        let Groups { depth, next } = groups;
        let Some(&group) = self.by_top[depth as usize].get(next) else { return Ok(false) };
        moves.groups = Some(Groups { depth, next: next + 1 });
        self.learn_below(group, moves.value, below, depth)?;
        let (tail, relation) = (self.groups[group].tail, self.groups[group].relation);
        debug_assert!(self.tails.get(tail).depth == depth, "the group's top is another level");
        if relation != NodeId::EMPTY {
            self.begin_row(moves, tail, relation);
            self.seek_in_row(moves, moves.value);
        }
        Ok(true)
    }
}

impl Saturable for Explorer<'_> {
    type Under = ();
    const NEW_ONLY: bool = true;

    #[inline]
    fn closure_key(&self, op: Operation, node: NodeId, (): ()) -> Key {
        Key::of(PinsOp::new(op), node)
    }

    #[inline]
    fn is_closed(&self, (): (), level: Level) -> bool {
        self.depth(level) as usize >= self.by_top.len()
    }

    #[inline]
    fn child(&mut self, (): (), _: Level, _: u32) {}

    #[inline]
    fn target(&self, _: Rest) {}

    #[inline]
    fn has_events(&self, level: Level) -> bool {
        self.by_top.get(self.depth(level) as usize).is_some_and(|groups| !groups.is_empty())
    }

    #[inline]
    fn events(&mut self, (): (), level: Level) -> Result<Option<Rest>, PinsStop> {
        Ok(self.has_events(level).then_some(Rest::Groups))
    }

    #[inline]
    fn close_identity(&mut self, image: NodeId, _: Rest, level: Level) -> Result<NodeId, PinsStop> {
        driver::saturate(self, image, (), level)
    }

    fn collect_if_due(&mut self) {
        Explorer::collect_if_due(self, &[]);
    }
}
