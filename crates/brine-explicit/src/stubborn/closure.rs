//! The closure of one transition, or of some nodes: everything they draw in, directly or not.
//!
//! With `weak`, only the transition that one starts from (the key) has to stay enabled; the
//! enabled ones it draws in need only commute. The closure is abandoned as soon as it has as
//! many enabled transitions as a set already known.

use super::graph::{NeedGraph, NeedNode, Next, Stamps};
use crate::fire::Step;

/// The workspace of closures.
#[derive(Debug)]
pub(crate) struct Closure {
    seen: Stamps,
    pending: Vec<NeedNode>,
    members: Vec<Step>,
}

impl Closure {
    pub(crate) fn new(nodes: usize) -> Self {
        Closure { seen: Stamps::new(nodes), pending: Vec::new(), members: Vec::new() }
    }

    /// The enabled transitions in the closure of an enabled one, if there are fewer than
    /// `fewer_than` of them.
    pub(crate) fn of(
        &mut self,
        key: Step,
        weak: bool,
        fewer_than: usize,
        needs: impl NeedGraph,
    ) -> Option<&[Step]> {
        let root = NeedNode::from(key);
        self.close(&[root], |node| !weak || node == root, fewer_than, needs)
    }

    /// The enabled transitions in the closure of some nodes, where all need only commute, if there
    /// are fewer than `fewer_than` of them.
    pub(crate) fn of_all(
        &mut self,
        roots: &[NeedNode],
        fewer_than: usize,
        needs: impl NeedGraph,
    ) -> Option<&[Step]> {
        self.close(roots, |_| false, fewer_than, needs)
    }

    fn close(
        &mut self,
        roots: &[NeedNode],
        is_strong: impl Fn(NeedNode) -> bool,
        fewer_than: usize,
        needs: impl NeedGraph,
    ) -> Option<&[Step]> {
        self.seen.clear();
        self.members.clear();
        self.pending.clear();
        for &root in roots {
            if self.seen.set(root.index()) {
                self.pending.push(root);
            }
        }
        while let Some(node) = self.pending.pop() {
            if let Some(t) = needs.enabled_step(node) {
                self.members.push(t);
                if self.members.len() >= fewer_than {
                    return None;
                }
            }
            let strong = is_strong(node);
            for i in 0.. {
                match needs.next(node, i, strong, &self.seen) {
                    Next::Node(n) if self.seen.set(n.index()) => self.pending.push(n),
                    Next::Node(_) | Next::Nothing => (),
                    Next::End => break,
                }
            }
        }
        Some(&self.members)
    }
}
