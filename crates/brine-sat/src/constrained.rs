//! Constrained saturation (MVDBM16 section 3, Algorithms 1 and 2), for any relation.
//!
//! ```text
//! closure(from, within)  =  the least set with from and all t in within with s -> t, s in the set
//! image(node, within)    =  { t in within | s -> t, s in node }
//! ```
//!
//! Instead of intersecting images with the set again and again, which would undo the locality
//! of saturation, the constraint goes down together with the states: a local move to `i'` is
//! made only if the constraint has a child `i'`, and that child constrains what happens below.
//! States that one starts from need not lie in the set.
//!
//! An instance of the [`driver`](crate::driver) on top of another one: the rest of a step and the
//! context of a closure each get the constraint as a second part.
//!
//! *Invariant.* "Saturated" means closed under events with top at most k whose targets satisfy
//! the constraint. A node saturated under two constraints is two results, so the constraint is
//! part of every key. A constraint that goes down with a rest is never empty.

use brine_dd::{Dd, Frames, Key, NodeId};

use crate::driver::{self, Operation, Saturable, Steps};
use crate::model::Level;

/// A relation that can be constrained: it has keys with room for a constraint.
pub(crate) trait Constraining: Saturable {
    /// Names an image within a set.
    fn image_key_within(
        &self,
        op: Operation,
        node: NodeId,
        rest: Self::Rest,
        within: NodeId,
    ) -> Key;

    /// Names a closure within a set.
    fn closure_key_within(
        &self,
        op: Operation,
        node: NodeId,
        under: Self::Under,
        within: NodeId,
    ) -> Key;

    /// False when no target is wanted that has `to` at `level` and then a vector of `below`.
    #[inline]
    fn admits(&mut self, level: Level, to: u32, below: NodeId) -> bool {
        let _ = (level, to, below);
        true
    }
}

/// A relation whose steps lead into a given set only.
pub(crate) struct Constrained<'s, S> {
    relation: &'s mut S,
}

impl<'s, S: Constraining> Constrained<'s, S> {
    pub(crate) fn new(relation: &'s mut S) -> Self {
        Constrained { relation }
    }

    /// The states reachable from `from` by steps with targets in `within`.
    pub(crate) fn closure(
        mut self,
        from: NodeId,
        under: S::Under,
        within: NodeId,
        level: Level,
    ) -> Result<NodeId, S::Stop> {
        let dd = self.relation.parts().0;
        let depth = dd.protected_len();
        dd.protect(within);
        let result = driver::saturate(&mut self, from, (under, within), level);
        self.relation.parts().0.unprotect_to(depth);
        result
    }

    /// The states of `within` that `rest` leads to from `node`. Neither is empty.
    pub(crate) fn image(
        mut self,
        node: NodeId,
        rest: S::Rest,
        within: NodeId,
        level: Level,
    ) -> Result<NodeId, S::Stop> {
        driver::image(&mut self, node, (rest, within), level)
    }
}

/// Moves with targets in a constraint.
pub(crate) struct MovesWithin<S: Steps> {
    level: Level,
    within: Children,
    moves: Ahead<S>,
}

/// Where the moves come from.
enum Ahead<S: Steps> {
    /// The relation has something to do at this level.
    Moves(S::Cursor),
    /// It passes the level; the value stays unless that was the last move.
    Stays { rest: S::Rest, value: Option<u32> },
}

/// The arcs of a constraint, to be looked up by value.
enum Children {
    /// Few of them: a list.
    Few(NodeId),
    /// Many: a table.
    Many(Vec<(u32, NodeId)>),
}

impl Children {
    /// A list that is longer than this is copied into a table.
    const FEW: usize = 16;

    #[inline]
    fn new(dd: &Dd, list: NodeId) -> Children {
        if dd.arcs(list).nth(Self::FEW).is_none() {
            Children::Few(list)
        } else {
            Children::Many(dd.arcs(list).collect())
        }
    }

    #[inline]
    fn get(&self, dd: &Dd, value: u32) -> Option<NodeId> {
        match self {
            Children::Few(list) => dd.child(*list, value),
            Children::Many(arcs) => {
                arcs.binary_search_by_key(&value, |a| a.0).ok().map(|i| arcs[i].1)
            }
        }
    }
}

impl<S: Constraining> Steps for Constrained<'_, S> {
    type Rest = (S::Rest, NodeId);
    type Cursor = MovesWithin<S>;
    type Stop = S::Stop;

    #[inline]
    fn parts(&mut self) -> (&mut Dd, &mut Frames) {
        self.relation.parts()
    }

    fn image_key(&self, op: Operation, node: NodeId, (rest, within): Self::Rest) -> Key {
        self.relation.image_key_within(op, node, rest, within)
    }

    /// Nothing changes below, but what is there must satisfy the constraint.
    fn identity(
        &mut self,
        node: NodeId,
        (rest, within): Self::Rest,
    ) -> Result<Option<NodeId>, S::Stop> {
        debug_assert!(within != NodeId::EMPTY, "nothing leads into the empty set");
        match self.relation.identity(node, rest)? {
            Some(image) => Ok(Some(self.relation.parts().0.intersect(image, within)?)),
            None => Ok(None),
        }
    }

    fn top(&self, (rest, _): Self::Rest) -> Level {
        self.relation.top(rest)
    }

    /// The constraint looks at every level.
    fn passes(&self, _: Self::Rest, _: Level) -> bool {
        false
    }

    /// A walk that finds nothing makes no nodes.
    fn descend(&mut self) -> Result<(), S::Stop> {
        Ok(self.relation.parts().0.tick()?)
    }

    fn start(&mut self, (rest, within): Self::Rest, level: Level) -> Result<Self::Cursor, S::Stop> {
        let within = Children::new(self.relation.parts().0, within);
        let moves = if self.relation.passes(rest, level) {
            Ahead::Stays { rest, value: None }
        } else {
            Ahead::Moves(self.relation.start(rest, level)?)
        };
        Ok(MovesWithin { level, within, moves })
    }

    fn seek(&mut self, cursor: &mut Self::Cursor, at: u32) -> Result<(), S::Stop> {
        match &mut cursor.moves {
            Ahead::Moves(inner) => self.relation.seek(inner, at),
            Ahead::Stays { value, .. } => {
                *value = Some(at);
                Ok(())
            }
        }
    }

    fn next(
        &mut self,
        cursor: &mut Self::Cursor,
        below: NodeId,
    ) -> Result<Option<(u32, Self::Rest)>, S::Stop> {
        loop {
            let found = match &mut cursor.moves {
                Ahead::Moves(inner) => self.relation.next(inner, below)?,
                Ahead::Stays { rest, value } => value.take().map(|value| (value, *rest)),
            };
            let Some((to, rest)) = found else { return Ok(None) };
            if let Some(allowed) = cursor.within.get(self.relation.parts().0, to)
                && self.relation.admits(cursor.level, to, allowed)
            {
                return Ok(Some((to, (rest, allowed))));
            }
        }
    }
}

impl<S: Constraining> Saturable for Constrained<'_, S> {
    type Under = (S::Under, NodeId);

    fn closure_key(&self, op: Operation, node: NodeId, (under, within): Self::Under) -> Key {
        self.relation.closure_key_within(op, node, under, within)
    }

    fn is_closed(&self, (under, within): Self::Under, level: Level) -> bool {
        within == NodeId::EMPTY || self.relation.is_closed(under, level)
    }

    fn child(&mut self, (under, within): Self::Under, level: Level, value: u32) -> Self::Under {
        let below = self.relation.parts().0.child(within, value).unwrap_or(NodeId::EMPTY);
        (self.relation.child(under, level, value), below)
    }

    fn target(&self, (rest, within): Self::Rest) -> Self::Under {
        (self.relation.target(rest), within)
    }

    fn has_events(&self, level: Level) -> bool {
        self.relation.has_events(level)
    }

    fn events(
        &mut self,
        (under, within): Self::Under,
        level: Level,
    ) -> Result<Option<Self::Rest>, S::Stop> {
        let events = self.relation.events(under, level)?;
        Ok(events.filter(|_| within != NodeId::EMPTY).map(|rest| (rest, within)))
    }

    /// The image was saturated under another constraint: its value above may be another one.
    fn close_identity(
        &mut self,
        image: NodeId,
        rest: Self::Rest,
        level: Level,
    ) -> Result<NodeId, S::Stop> {
        let under = self.target(rest);
        driver::saturate(self, image, under, level)
    }

    fn collect_if_due(&mut self) {
        self.relation.collect_if_due();
    }

    fn enter(&mut self, value: u32) {
        self.relation.enter(value);
    }

    fn leave(&mut self) {
        self.relation.leave();
    }
}
