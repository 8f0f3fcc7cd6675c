//! The equations between the places of the original net and those of the reduced one.
//!
//! A *node* is a number of tokens: an original place, tokens that are gone, or the sum of
//! several nodes. Each place of the draft stands for a node; a rule that removes places makes
//! an equation about their nodes:
//!
//! - `Fixed`: the node always has so many tokens.
//! - `Sum`: the node is a sum of other nodes, each times a factor, and a number.
//! - `Parts`: the node is new; the tokens of its parts add up to it, in any way.
//!
//! *Invariant*: equations are in the order in which they were made, and a node that is fixed, a
//! sum or a part is in no later equation but those about nodes above it. So one pass in this
//! order computes what goes from the original places up, and one pass backward what goes down.
//! *Cost*: linear.

use brine_net::PlaceId;

/// A number of tokens; original places have their own numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(pub(super) u32);

impl Node {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An equation about nodes.
#[derive(Clone, Debug)]
pub(super) enum Equation {
    /// `node = tokens`
    Fixed { node: Node, tokens: u32 },
    /// `node = sum of factor * term + offset`
    Sum { node: Node, terms: Vec<(Node, u32)>, offset: i64 },
    /// `whole = sum of parts`, in all ways
    Parts { whole: Node, parts: Vec<Node> },
}

/// All equations, in the order in which they were made.
#[derive(Clone, Debug)]
pub(super) struct Equations {
    pub(super) list: Vec<Equation>,
    /// How many nodes are original places; they come first.
    pub(super) places: usize,
    /// How many nodes there are.
    pub(super) nodes: usize,
    /// The node of each place of the draft.
    of: Vec<Node>,
    /// Nodes that have several solutions below them.
    distributed: Vec<bool>,
    /// Nodes that are fixed, sums or parts.
    settled: Vec<bool>,
}

impl Equations {
    pub(super) fn new(places: usize) -> Self {
        Equations {
            list: Vec::new(),
            places,
            nodes: places,
            of: (0..places as u32).map(Node).collect(),
            distributed: vec![false; places],
            settled: vec![false; places],
        }
    }

    /// The node of a place of the draft.
    pub(super) fn node(&self, p: PlaceId) -> Node {
        self.of[p.index()]
    }

    /// Whether the tokens of the place are distributed among others in several ways.
    pub(super) fn is_distributed(&self, p: PlaceId) -> bool {
        self.distributed[self.node(p).index()]
    }

    fn add_node(&mut self, distributed: bool) -> Node {
        let node = Node(self.nodes as u32);
        self.nodes += 1;
        self.distributed.push(distributed);
        self.settled.push(false);
        node
    }

    /// The node is in no later equation but those about nodes above it.
    fn settle(&mut self, node: Node) {
        let earlier = std::mem::replace(&mut self.settled[node.index()], true);
        debug_assert!(!earlier, "{node:?} is settled twice");
    }

    /// `p` always has so many tokens.
    pub(super) fn fix(&mut self, p: PlaceId, tokens: u32) {
        let node = self.node(p);
        self.settle(node);
        self.list.push(Equation::Fixed { node, tokens });
    }

    /// `p` has any number up to `tokens`.
    pub(super) fn drain(&mut self, p: PlaceId, tokens: u32) {
        let (node, gone) = (self.node(p), self.add_node(false));
        let whole = self.add_node(true);
        [node, gone].into_iter().for_each(|part| self.settle(part));
        self.list.push(Equation::Parts { whole, parts: vec![node, gone] });
        self.settle(whole);
        self.list.push(Equation::Fixed { node: whole, tokens });
    }

    /// `p` is the sum of others, each times a factor, and `offset`.
    pub(super) fn sum(&mut self, p: PlaceId, terms: &[(PlaceId, u32)], offset: i64) {
        let node = self.node(p);
        self.settle(node);
        let terms: Vec<(Node, u32)> = terms.iter().map(|&(q, k)| (self.node(q), k)).collect();
        if self.distributed[node.index()] {
            debug_assert!(terms.len() <= 1, "what a sum is worth cannot be counted");
            terms.iter().for_each(|(q, _)| self.distributed[q.index()] = true);
        }
        self.list.push(Equation::Sum { node, terms, offset });
    }

    /// The first place now stands for all of them, whose tokens may be anywhere.
    pub(super) fn unite(&mut self, places: &[PlaceId]) {
        let parts: Vec<Node> = places.iter().map(|&p| self.node(p)).collect();
        parts.iter().for_each(|&part| self.settle(part));
        let whole = self.add_node(true);
        self.of[places[0].index()] = whole;
        self.list.push(Equation::Parts { whole, parts });
    }
}
