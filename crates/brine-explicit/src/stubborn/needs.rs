//! What the members of a stubborn set draw in, at one marking.
//!
//! The rules of the parent module as a graph: a set is closed under them when it contains,
//! with each node, the nodes this module gives for it. Only two things depend on the marking:
//! whether a transition is enabled, and for one that is not, the place to blame.

use super::graph::{Here, NeedGraph, NeedNode, Next, Stamps};
use super::tables::{NeedKind, Tables};
use crate::fire::Step;
use crate::markings::Markings;
use crate::store::MarkingId;
use brine_net::PlaceId;

/// The graph of dependencies at one marking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) here: &'a Here,
    pub(crate) ms: &'a Markings<'a>,
    pub(crate) at: MarkingId,
}

impl Needs<'_> {
    fn tokens(&self, p: PlaceId) -> u32 {
        self.ms.layout().field(p).get(self.ms.store().get(self.at))
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

impl NeedGraph for Needs<'_> {
    #[inline]
    fn here(&self) -> &Here {
        self.here
    }

    #[inline]
    fn step(&self, node: NeedNode) -> Option<Step> {
        self.tables.step(node)
    }

    #[inline]
    fn has_weaker_needs(&self, t: Step) -> bool {
        self.tables.has_weaker_needs(t)
    }

    #[inline]
    fn next(&self, node: NeedNode, i: usize, strong: bool, known: &Stamps) -> Next {
        match self.tables.kind(node) {
            NeedKind::Step(t) if self.here.enables(t) => {
                let list = self.tables.needs(t, strong);
                if i == list.len() && self.here.sees(t) {
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
            NeedKind::Visible => Next::item(self.here.visible(), i),
        }
    }
}
