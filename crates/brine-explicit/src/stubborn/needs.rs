//! What the members of a stubborn set draw in, at one marking.
//!
//! The rules of the parent module as a graph: a set is closed under them when it contains,
//! with each node, the nodes this module gives for it. Only two things depend on the marking:
//! whether a transition is enabled, and for one that is not, the place to blame.

use super::tables::{NeedKind, NeedNode, Tables};
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
    pub(crate) fn set(&mut self, i: usize) -> bool {
        let new = self.stamps[i] != self.now;
        self.stamps[i] = self.now;
        new
    }

    #[inline]
    pub(crate) fn has(&self, i: usize) -> bool {
        self.stamps[i] == self.now
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
        steps.iter().for_each(|&t| flags[t.index()] = true);
        Visible { steps, flags }
    }

    #[inline]
    pub(crate) fn has(&self, t: Step) -> bool {
        self.flags[t.index()]
    }
}

/// The next node that a node draws in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Node(NeedNode),
    /// Nothing at this position, but there may be more.
    Nothing,
    End,
}

impl Next {
    /// The i-th of a list of nodes or transitions.
    #[inline]
    fn item<T: Copy + Into<NeedNode>>(list: &[T], i: usize) -> Next {
        list.get(i).map_or(Next::End, |&n| Next::Node(n.into()))
    }
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

    /// The enabled transition that a node stands for, if it is one.
    #[inline]
    pub(crate) fn enabled_step(&self, node: NeedNode) -> Option<Step> {
        self.tables.step(node).filter(|t| self.enabled.has(t.index()))
    }

    /// The i-th node that `node` draws in. `strong` says whether an enabled transition must
    /// also stay enabled; `known` are nodes that cost nothing.
    #[inline]
    pub(crate) fn next(&self, node: NeedNode, i: usize, strong: bool, known: &Stamps) -> Next {
        match self.tables.kind(node) {
            NeedKind::Step(t) if self.enabled.has(t.index()) => {
                let list = self.tables.needs(t, strong);
                if i == list.len() && self.visible.has(t) {
                    Next::Node(self.tables.visible_node())
                } else {
                    Next::item(list, i)
                }
            }
            NeedKind::Step(t) if i == 0 => self.blame(t, known),
            NeedKind::Step(_) => Next::End,
            NeedKind::Around => Next::item(self.tables.around(node), i),
            NeedKind::Producers(p) => match self.tables.producers(p).get(i) {
                None => Next::End,
                Some(producer) if producer.needs <= self.tokens(p) => {
                    Next::Node(producer.step.into())
                }
                Some(_) => Next::Nothing,
            },
            NeedKind::Visible => Next::item(&self.visible.steps, i),
        }
    }

    /// The producers of a place that lacks tokens for a disabled transition: one that is
    /// known already, else the one with the fewest producers.
    fn blame(&self, t: Step, known: &Stamps) -> Next {
        let lacking = |&&(p, w): &&(PlaceId, u32)| self.tokens(p) < w;
        let mut candidates = self.tables.inputs(t).iter().filter(lacking);
        let Some(&(first, _)) = candidates.next() else { return Next::End };
        let node = |p| self.tables.producers_node(p);
        let found = candidates.map(|&(p, _)| node(p)).find(|n| known.has(n.index()));
        match found {
            Some(n) if !known.has(node(first).index()) => Next::Node(n),
            _ => Next::Node(node(first)),
        }
    }
}
