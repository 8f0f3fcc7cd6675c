//! What the members of a stubborn set draw in, at one marking.
//!
//! The rules of the parent module as a graph: a set is closed under them when it contains,
//! with each node, the nodes this module gives for it. Only two things depend on the marking:
//! whether a transition is enabled, and for one that is not, the place to blame.

use super::tables::{NeedKind, Node, Tables};
use crate::fire::Step;
use crate::markings::Markings;
use crate::store::MarkingId;
use brine_net::PlaceId;

/// Marks that are all taken away at once.
#[derive(Debug)]
pub(crate) struct Stamps {
    stamps: Vec<u32>,
    now: u32,
}

impl Stamps {
    pub(crate) fn new(size: usize) -> Self {
        Stamps { stamps: vec![0; size], now: 0 }
    }

    /// Takes all marks away.
    pub(crate) fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Sets a mark; `false` if it was there.
    #[inline]
    pub(crate) fn set(&mut self, i: u32) -> bool {
        let new = self.stamps[i as usize] != self.now;
        self.stamps[i as usize] = self.now;
        new
    }

    #[inline]
    pub(crate) fn has(&self, i: u32) -> bool {
        self.stamps[i as usize] == self.now
    }
}

/// What the property sees, for quick answers.
#[derive(Debug)]
pub(crate) struct Visible {
    pub(crate) steps: Vec<Step>,
    flags: Vec<bool>,
}

impl Visible {
    pub(crate) fn new(steps: Vec<Step>, all: usize) -> Self {
        let mut flags = vec![false; all];
        steps.iter().for_each(|&t| flags[t as usize] = true);
        Visible { steps, flags }
    }

    #[inline]
    pub(crate) fn has(&self, t: Step) -> bool {
        self.flags[t as usize]
    }
}

/// The next node that a node draws in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Node(Node),
    /// Nothing at this position, but there may be more.
    Nothing,
    End,
}

/// The graph of dependencies at one marking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) visible: &'a Visible,
    pub(crate) enabled: &'a Stamps,
    pub(crate) ms: &'a Markings<'a>,
    pub(crate) at: MarkingId,
}

impl Needs<'_> {
    fn tokens(&self, p: PlaceId) -> u32 {
        self.ms.layout().field(p).get(self.ms.store().get(self.at))
    }

    /// The i-th node that `node` draws in. `strong` says whether an enabled transition must
    /// also stay enabled; `known` are nodes that cost nothing.
    #[inline]
    pub(crate) fn next(&self, node: Node, i: usize, strong: bool, known: &Stamps) -> Next {
        let item = |list: &[Node]| list.get(i).map_or(Next::End, |&n| Next::Node(n));
        match self.tables.kind(node) {
            NeedKind::Step(t) if self.enabled.has(t) => {
                let list = self.tables.needs(t, strong);
                if i == list.len() && self.visible.has(t) {
                    Next::Node(self.tables.visible_node())
                } else {
                    item(list)
                }
            }
            NeedKind::Step(t) if i == 0 => self.blame(t, known),
            NeedKind::Step(_) => Next::End,
            NeedKind::Around => item(self.tables.around(node)),
            NeedKind::Producers(p) => match self.tables.producers(p).get(i) {
                None => Next::End,
                Some(producer) if producer.needs <= self.tokens(p) => Next::Node(producer.step),
                Some(_) => Next::Nothing,
            },
            NeedKind::Visible => item(&self.visible.steps),
        }
    }

    /// The producers of a place that lacks tokens for a disabled transition: one that is
    /// known already, else the one with the fewest producers.
    fn blame(&self, t: Step, known: &Stamps) -> Next {
        let lacking = |&&(p, w): &&(PlaceId, u32)| self.tokens(p) < w;
        let mut candidates = self.tables.inputs(t).iter().filter(lacking);
        let Some(&(first, _)) = candidates.next() else { return Next::End };
        let node = |p| self.tables.producers_node(p);
        let found = candidates.map(|&(p, _)| node(p)).find(|&n| known.has(n));
        match found {
            Some(n) if !known.has(node(first)) => Next::Node(n),
            _ => Next::Node(node(first)),
        }
    }
}
