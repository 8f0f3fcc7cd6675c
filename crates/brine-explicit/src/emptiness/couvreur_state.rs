//! Couvreur's check for state-based acceptance (SE05 figure 5).
//!
//! ```text
//! couv(s): number s; push s on Roots
//!   for t in post(s):
//!     if t not numbered: couv(t)
//!     else if t current:
//!       repeat u := pop Roots; if u accepting: report  until u.num <= t.num
//!       push u on Roots
//!   if top(Roots) = s: pop; remove(s)
//! remove(s): if s current: no longer; for t in post(s): remove(t)
//! ```
//!
//! Invariants: Roots is a subsequence of the call stack; the current states with numbers from
//! one root up to the next form one component of the explored part, none of them accepting
//! unless it is a single state; removed states lie in finished components without accepting
//! cycle. So a cycle is reported as soon as its last transition is explored.
//!
//! One integer a state (removed states share the number `REMOVED`); no stack of current
//! states, but the successors of a removed component are generated a second time.

use super::lasso::accepting_cycle;
use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

const REMOVED: u32 = u32::MAX;

/// The check on its way.
#[derive(Debug)]
pub struct CouvreurState {
    number: Notes<u32>,
    count: u32,
    roots: Vec<GraphStateId>,
    stack: EdgeFrames,
    entering: Option<GraphStateId>,
    /// The call stack of `remove`; empty when nothing is being removed.
    removing: EdgeFrames,
}

impl CouvreurState {
    pub(super) fn new(initial: GraphStateId) -> Self {
        CouvreurState {
            number: Notes::new(),
            count: 0,
            roots: Vec::new(),
            stack: EdgeFrames::new(),
            entering: Some(initial),
            removing: EdgeFrames::new(),
        }
    }

    /// A state with the call `remove(s)` becomes removed.
    fn enter_removal(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<(), Stop> {
        self.number.set(s, REMOVED, meter)?;
        self.removing.enter(s, meter, &mut SearchStats::default())
    }

    /// Marks one more state of the component that is being removed: everything current that its
    /// root reaches. At the end the root leaves the call stack.
    fn remove<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<(), Stop> {
        let Some(edge) = self.removing.next(graph, stats)? else {
            self.removing.leave();
            if self.removing.top().is_none() {
                self.stack.leave();
            }
            return Ok(());
        };
        if [0, REMOVED].contains(&self.number.get(edge.target)) {
            return Ok(());
        }
        self.enter_removal(edge.target, graph.meter())
    }
}

impl Check for CouvreurState {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if self.removing.top().is_some() {
            self.remove(graph, stats)?;
            return Ok(Continue(()));
        }
        if let Some(s) = self.entering.take() {
            self.count += 1;
            self.number.set(s, self.count, graph.meter())?;
            graph.meter().push(&mut self.roots, s)?;
            stats.state();
            stats.reached_stack(self.roots.len());
            self.stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        let Some(edge) = self.stack.next(graph, stats)? else {
            if self.roots.last() == Some(&s) {
                self.roots.pop();
                self.enter_removal(s, graph.meter())?;
            } else {
                self.stack.leave();
            }
            return Ok(Continue(()));
        };
        let num = self.number.get(edge.target);
        if num == 0 {
            self.entering = Some(edge.target);
        } else if num != REMOVED
            && let Some(u) = merge_roots(graph, &mut self.roots, &self.number, num)
        {
            return complete(graph, u, &self.stack, &self.number).map(|l| Break(Some(l)));
        }
        Ok(Continue(()))
    }
}

/// Merges the components on the cycle that an edge to number `num` closes; returns an
/// accepting root among them, if any.
fn merge_roots<G: Graph>(
    graph: &G,
    roots: &mut Vec<GraphStateId>,
    number: &Notes<u32>,
    num: u32,
) -> Option<GraphStateId> {
    while let Some(&u) = roots.last() {
        if graph.accepting(u) {
            return Some(u);
        }
        if number.get(u) <= num {
            break;
        }
        roots.pop();
    }
    debug_assert!(!roots.is_empty(), "a current state belongs to a root");
    None
}

/// A cycle through the accepting state `u` of the call stack, inside the current states.
fn complete<G: Graph>(
    graph: &mut G,
    u: GraphStateId,
    stack: &EdgeFrames,
    number: &Notes<u32>,
) -> Result<Lasso, Stop> {
    let prefix: Vec<GraphStateId> = stack.states().take_while(|&s| s != u).collect();
    let current = |s: GraphStateId| ![0, REMOVED].contains(&number.get(s));
    let cycle = accepting_cycle(graph, u, 0, &current)?;
    Ok(Lasso { prefix, cycle })
}
