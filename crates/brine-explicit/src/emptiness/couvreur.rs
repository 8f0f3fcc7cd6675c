//! Couvreur's check for transition-based generalised acceptance (SE05 sections 4.2 and 5.2).
//!
//! As in `couvreur_state`, but an entry of Roots also keeps the acceptance marks met inside
//! its component, and the marks of the edge by which the search came to it. When an edge
//! closes a cycle, the components it joins and the edges between them pool their marks; a
//! component that has them all holds an accepting cycle.
//!
//! Invariants: as for `couvreur_state`, and the marks of an entry are the union over the
//! explored edges inside its component. A cycle is reported as soon as its last transition
//! is explored, with every transition generated once, whatever the number of marks.
//!
//! Here the current states are kept in a stack as well (four bytes each): removing a
//! component then needs no second look at its successors.

use super::lasso::accepting_cycle;
use super::numbers::{NEW, Numbers, REMOVED};
use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

/// A component of the explored part whose first state is on the call stack.
#[derive(Clone, Copy, Debug)]
struct Root {
    state: GraphStateId,
    number: u32,
    /// Marks of the edge that led to `state`.
    entry: u64,
    /// Marks of the edges inside the component.
    inside: u64,
}

/// The check on its way.
#[derive(Debug)]
pub struct Couvreur {
    numbers: Numbers,
    roots: Vec<Root>,
    stack: EdgeFrames,
    /// A new state, and the marks of the edge that led to it.
    entering: Option<(GraphStateId, u64)>,
}

impl Couvreur {
    pub(crate) fn new(initial: GraphStateId) -> Self {
        Couvreur {
            numbers: Numbers::new(),
            roots: Vec::new(),
            stack: EdgeFrames::new(),
            entering: Some((initial, 0)),
        }
    }

    fn open(&mut self, s: GraphStateId, entry: u64, meter: &mut Meter) -> Result<(), Stop> {
        let number = self.numbers.open(s, meter)?;
        debug_assert!(self.roots.last().is_none_or(|r| r.number < number), "roots ascend");
        meter.push(&mut self.roots, Root { state: s, number, entry, inside: 0 })
    }

    /// Joins all components that lie on a cycle through an edge to number `num`; returns the
    /// joint component.
    fn merge(&mut self, num: u32, mut marks: u64) -> Option<Root> {
        while let Some(root) = self.roots.pop() {
            marks |= root.inside;
            if root.number <= num {
                self.roots.push(Root { inside: marks, ..root });
                break;
            }
            marks |= root.entry;
        }
        debug_assert!(self.roots.last().is_some(), "a current state belongs to a root");
        self.roots.last().copied()
    }

    /// Ends the component of `s` if `s` is its root.
    fn close(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<(), Stop> {
        if self.roots.last().is_none_or(|r| r.state != s) {
            let number = self.numbers.get(s);
            debug_assert!(
                self.roots.last().is_some_and(|r| r.number < number),
                "its root is above"
            );
            return Ok(());
        }
        self.roots.pop();
        self.numbers.remove_down_to(s, meter)
    }
}

impl Check for Couvreur {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if let Some((s, marks)) = self.entering.take() {
            self.open(s, marks, graph.meter())?;
            stats.state();
            stats.reached_stack(self.roots.len());
            self.stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        let Some(edge) = self.stack.next(graph, stats)? else {
            self.close(s, graph.meter())?;
            self.stack.leave();
            return Ok(Continue(()));
        };
        let all = graph.all_marks();
        let num = self.numbers.get(edge.target);
        if num == NEW {
            self.entering = Some((edge.target, edge.marks));
        } else if num != REMOVED
            && let Some(root) = self.merge(num, edge.marks).filter(|r| r.inside & all == all)
        {
            return complete(graph, root, &self.stack, &self.numbers).map(|l| Break(Some(l)));
        }
        Ok(Continue(()))
    }
}

/// A cycle with all marks inside the component of `root`.
fn complete<G: Graph>(
    graph: &mut G,
    root: Root,
    stack: &EdgeFrames,
    numbers: &Numbers,
) -> Result<Lasso, Stop> {
    let prefix: Vec<GraphStateId> = stack.states().take_while(|&s| s != root.state).collect();
    let inside = |s: GraphStateId| (root.number..REMOVED).contains(&numbers.get(s));
    let all = graph.all_marks();
    let cycle = accepting_cycle(graph, root.state, all, &inside)?;
    Ok(Lasso { prefix, cycle })
}
