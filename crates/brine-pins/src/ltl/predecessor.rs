//! One step back: a state of a set with a step to a given state.
//!
//! The given state, the set and a group's relation are walked down together, as in
//! [`crate::ldd_next`], but only where the step can lead to the given values. The search
//! backtracks; pairs of a set and a relation that led nowhere are remembered, so each is
//! looked at once.

use brine_dd::NodeId;
use rustc_hash::FxHashSet;

use crate::explorer::{COPY, Explorer};
use crate::matrix::Dependency;
use crate::tails::RowTailId;

/// The search for one group.
struct PredecessorSearch<'a, 'm> {
    explorer: &'a Explorer<'m>,
    target: &'a [u32],
    /// Set, relation and rest of the row from which there is no way.
    failed: FxHashSet<(NodeId, NodeId, RowTailId)>,
    /// The values of the source down to where the search is.
    source: Vec<u32>,
}

impl Explorer<'_> {
    /// A state of `set` from which some group leads to `target` by what was learned; both as
    /// vectors of the diagrams.
    pub(crate) fn predecessor(&self, set: NodeId, target: &[u32]) -> Option<Vec<u32>> {
        self.groups.iter().find_map(|group| {
            let mut search = PredecessorSearch {
                explorer: self,
                target,
                failed: FxHashSet::default(),
                source: Vec::with_capacity(target.len()),
            };
            let found = search.walk(set, group.relation, group.tail);
            debug_assert!(!found || self.dd.contains(set, &search.source), "not of the set");
            found.then_some(search.source)
        })
    }
}

impl PredecessorSearch<'_, '_> {
    /// Whether there is a way from here; if so, it is in `source`.
    fn walk(&mut self, set: NodeId, relation: NodeId, tail: RowTailId) -> bool {
        if set == NodeId::EMPTY || relation == NodeId::EMPTY {
            return false;
        }
        let depth = self.source.len();
        if tail == RowTailId::DONE {
            let rest = &self.target[depth..];
            let found = self.explorer.dd.contains(set, rest);
            if found {
                self.source.extend_from_slice(rest);
            }
            return found;
        }
        if self.failed.contains(&(set, relation, tail)) {
            return false;
        }
        let found = self.step(set, relation, tail);
        if !found {
            self.failed.insert((set, relation, tail));
        }
        found
    }

    /// One level.
    fn step(&mut self, set: NodeId, relation: NodeId, tail: RowTailId) -> bool {
        let depth = self.source.len();
        let value = self.target[depth];
        let row = self.explorer.tails.get(tail);
        if row.depth as usize > depth {
            return self.keep(value, set, relation, tail);
        }
        match row.dependency {
            Dependency::Copy => self.keep(value, set, relation, row.next),
            Dependency::Read => self.keep(value, set, self.child(relation, value), row.next),
            Dependency::ReadWrite => {
                let arcs: Vec<(u32, NodeId)> = self.explorer.dd.arcs(set).collect();
                arcs.into_iter().any(|(old, down)| {
                    let written = self.child(self.child(relation, old), value);
                    self.go(old, down, written, row.next)
                })
            }
            Dependency::MustWrite => self.any(set, self.child(relation, value), row.next),
            Dependency::MayWrite => {
                let copied = self.child(relation, COPY);
                let written =
                    value.checked_add(1).map_or(NodeId::EMPTY, |v| self.child(relation, v));
                self.keep(value, set, copied, row.next) || self.any(set, written, row.next)
            }
        }
    }

    fn child(&self, list: NodeId, value: u32) -> NodeId {
        self.explorer.dd.child(list, value).unwrap_or(NodeId::EMPTY)
    }

    /// The source has the value of the target.
    fn keep(&mut self, value: u32, set: NodeId, relation: NodeId, next: RowTailId) -> bool {
        self.go(value, self.child(set, value), relation, next)
    }

    /// The source may have any value.
    fn any(&mut self, set: NodeId, relation: NodeId, next: RowTailId) -> bool {
        let arcs: Vec<(u32, NodeId)> = self.explorer.dd.arcs(set).collect();
        arcs.into_iter().any(|(old, down)| self.go(old, down, relation, next))
    }

    fn go(&mut self, old: u32, down: NodeId, relation: NodeId, next: RowTailId) -> bool {
        let depth = self.source.len();
        self.source.push(old);
        let found = self.walk(down, relation, next);
        if !found {
            self.source.truncate(depth);
        }
        found
    }
}
