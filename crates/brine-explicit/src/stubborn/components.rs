//! A smallest closed set, found in one pass.
//!
//! Every closed set of nodes is a union of strongly connected components of the graph of
//! dependencies and of all they lead to. A component that contains enabled transitions and
//! leads to no other such component is a *bottom*: with everything it leads to it is closed,
//! and no closed set inside it has fewer enabled transitions (blamed places being fixed).
//! Tarjan's algorithm meets the bottoms first. The pass starts from the enabled transitions in
//! turn and keeps the smallest bottom met; it ends at a bottom with one enabled transition, or
//! after the given number of bottoms.
//!
//! Cost: linear in the part of the graph that is visited. No recursion, no allocation once the
//! vectors have grown.

use super::graph::{NeedGraph, NeedNode, Next, Stamps};
use crate::fire::Step;

/// Whether a finished node leads to (or is) an enabled transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VisitState {
    Open,
    Light,
    Heavy,
}

#[derive(Clone, Copy, Debug)]
struct VisitFrame {
    node: NeedNode,
    next: u32,
    low: u32,
    heavy: bool,
}

/// The workspace of the pass.
#[derive(Debug)]
pub(crate) struct StubbornComponents {
    seen: Stamps,
    number: Vec<u32>,
    state: Vec<VisitState>,
    frames: Vec<VisitFrame>,
    open: Vec<NeedNode>,
    count: u32,
    members: Vec<Step>,
    best: Vec<Step>,
}

impl StubbornComponents {
    pub(crate) fn new(nodes: usize) -> Self {
        StubbornComponents {
            seen: Stamps::new(nodes),
            number: vec![0; nodes],
            state: vec![VisitState::Open; nodes],
            frames: Vec::new(),
            open: Vec::new(),
            count: 0,
            members: Vec::new(),
            best: Vec::new(),
        }
    }

    /// The enabled transitions of the smallest of the first `tries` bottoms that pass `fits`;
    /// empty if there is none.
    pub(crate) fn smallest(
        &mut self,
        needs: impl NeedGraph,
        enabled: &[Step],
        tries: usize,
        fits: impl Fn(&[Step]) -> bool,
    ) -> &[Step] {
        self.seen.clear();
        self.count = 0;
        self.best.clear();
        let mut left = tries;
        for &root in enabled {
            if self.seen.has(root.index()) {
                continue;
            }
            self.enter(root.into());
            while self.step(needs) {
                if self.members.is_empty() || !fits(&self.members) {
                    continue;
                }
                if self.best.is_empty() || self.members.len() < self.best.len() {
                    std::mem::swap(&mut self.best, &mut self.members);
                }
                left -= 1;
                if left == 0 || self.best.len() == 1 {
                    self.frames.clear();
                    self.open.clear();
                    return &self.best;
                }
            }
        }
        &self.best
    }

    fn enter(&mut self, node: NeedNode) {
        self.seen.set(node.index());
        self.count += 1;
        self.number[node.index()] = self.count;
        self.state[node.index()] = VisitState::Open;
        self.open.push(node);
        self.frames.push(VisitFrame { node, next: 0, low: self.count, heavy: false });
    }

    /// Goes on until a component is complete (`members` then holds the enabled transitions of a
    /// bottom, and is empty for any other) or nothing is left to do (`false`).
    fn step(&mut self, needs: impl NeedGraph) -> bool {
        self.members.clear();
        while let Some(frame) = self.frames.last_mut() {
            let i = frame.next as usize;
            frame.next += 1;
            match needs.next(frame.node, i, true, &self.seen) {
                Next::Nothing => (),
                Next::Node(n) if !self.seen.has(n.index()) => self.enter(n),
                Next::Node(n) => match self.state[n.index()] {
                    VisitState::Open => frame.low = frame.low.min(self.number[n.index()]),
                    VisitState::Light => (),
                    VisitState::Heavy => frame.heavy = true,
                },
                Next::End => {
                    let frame = *frame;
                    self.frames.pop();
                    if self.leave(frame, needs) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Leaves a node; `true` if that completes a component.
    fn leave(&mut self, frame: VisitFrame, needs: impl NeedGraph) -> bool {
        let complete = frame.low == self.number[frame.node.index()];
        let own = complete && self.close(frame, needs);
        let heavy = frame.heavy || own;
        if let Some(above) = self.frames.last_mut() {
            above.heavy |= heavy;
            if !complete {
                above.low = above.low.min(frame.low);
            }
        }
        complete
    }

    /// Closes the component of a node; says whether it has enabled transitions of its own, and
    /// lists them in `members` if it is a bottom.
    fn close(&mut self, frame: VisitFrame, needs: impl NeedGraph) -> bool {
        let first = self.open.iter().rposition(|&n| n == frame.node).unwrap_or(0);
        let component = self.open[first..].iter();
        self.members.extend(component.filter_map(|&n| needs.enabled_step(n)));
        let has_enabled = !self.members.is_empty();
        if frame.heavy {
            self.members.clear();
        }
        let state = if frame.heavy || has_enabled { VisitState::Heavy } else { VisitState::Light };
        for n in self.open.drain(first..) {
            self.state[n.index()] = state;
        }
        has_enabled
    }
}
