//! What stubborn sets are computed on: transitions, and what each draws in at one state.
//!
//! The rules of the parent module as a graph. Its first nodes are transitions; others stand for
//! sets of transitions that many of them draw in. A set of nodes is closed under the rules when
//! it contains, with each node, all that [`NeedGraph::next`] gives for it. The graph of a net is
//! `needs`; models behind the state-vector interface have one of their own, in
//! `brine-enumerate`.

use crate::fire::Step;

/// A node of the graph of dependencies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NeedNode(pub u32);

impl NeedNode {
    /// The number as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Step> for NeedNode {
    /// The node of a transition.
    #[inline]
    fn from(t: Step) -> NeedNode {
        NeedNode(t.0)
    }
}

/// Marks that are all taken away at once.
#[derive(Debug)]
pub struct Stamps {
    stamps: Vec<u32>,
    now: u32,
}

impl Stamps {
    /// So many, none of them marked once `clear` was called.
    pub fn new(size: usize) -> Self {
        Stamps { stamps: vec![0; size], now: 0 }
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Sets a mark; `false` if it was there.
    #[inline]
    pub fn set(&mut self, i: usize) -> bool {
        let new = self.stamps[i] != self.now;
        self.stamps[i] = self.now;
        new
    }

    /// Whether there is a mark.
    #[inline]
    pub fn has(&self, i: usize) -> bool {
        self.stamps[i] == self.now
    }
}

/// What the property sees, and what is enabled at the state at hand.
#[derive(Debug)]
pub struct Here {
    visible: Vec<Step>,
    seen: Vec<bool>,
    enabled: Stamps,
}

impl Here {
    /// For a property that sees these transitions, of so many.
    pub fn new(visible: Vec<Step>, steps: usize) -> Self {
        let mut seen = vec![false; steps];
        visible.iter().for_each(|&t| seen[t.index()] = true);
        Here { visible, seen, enabled: Stamps::new(steps) }
    }

    /// Another state, where these transitions are enabled.
    pub fn arrive(&mut self, enabled: &[Step]) {
        self.enabled.clear();
        for &t in enabled {
            self.enabled.set(t.index());
        }
    }

    /// Whether a transition is enabled.
    #[inline]
    pub fn enables(&self, t: Step) -> bool {
        self.enabled.has(t.index())
    }

    /// Whether the property sees a transition.
    #[inline]
    pub fn sees(&self, t: Step) -> bool {
        self.seen[t.index()]
    }

    /// All transitions that the property sees.
    pub fn visible(&self) -> &[Step] {
        &self.visible
    }
}

/// The next node that a node draws in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This one.
    Node(NeedNode),
    /// Nothing at this position, but there may be more.
    Nothing,
    /// There is no more.
    End,
}

impl Next {
    /// The i-th of a list of nodes or transitions.
    #[inline]
    pub fn item<T: Copy + Into<NeedNode>>(list: &[T], i: usize) -> Next {
        list.get(i).map_or(Next::End, |&n| Next::Node(n.into()))
    }
}

/// The graph of dependencies at one state.
pub trait NeedGraph: Copy {
    /// What is enabled, and what is seen.
    fn here(&self) -> &Here;

    /// The transition that a node stands for, if it is one.
    fn step(&self, node: NeedNode) -> Option<Step>;

    /// The i-th node that `node` draws in. `strong` says whether an enabled transition must
    /// also stay enabled; `known` are nodes that cost nothing.
    fn next(&self, node: NeedNode, i: usize, strong: bool, known: &Stamps) -> Next;

    /// Whether an enabled transition draws in less when it need not stay enabled.
    fn has_weaker_needs(&self, t: Step) -> bool;

    /// The enabled transition that a node stands for, if it is one.
    #[inline]
    fn enabled_step(&self, node: NeedNode) -> Option<Step> {
        self.step(node).filter(|&t| self.here().enables(t))
    }
}
