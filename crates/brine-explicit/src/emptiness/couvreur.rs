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
use crate::graph::{Frames, Graph, Lasso, Marks, SearchStats, StateId};
use crate::meter::{Meter, Stop};

/// A component of the explored part whose first state is on the call stack.
#[derive(Clone, Copy, Debug)]
struct Root {
    state: StateId,
    number: u32,
    /// Marks of the edge that led to `state`.
    entry: Marks,
    /// Marks of the edges inside the component.
    inside: Marks,
}

#[derive(Debug)]
struct Components {
    numbers: Numbers,
    roots: Vec<Root>,
}

impl Components {
    fn open(&mut self, s: StateId, entry: Marks, meter: &mut Meter) -> Result<(), Stop> {
        let number = self.numbers.open(s, meter)?;
        meter.push(&mut self.roots, Root { state: s, number, entry, inside: 0 })
    }

    /// Joins all components that lie on a cycle through an edge to number `num`; returns the
    /// joint component.
    fn merge(&mut self, num: u32, mut marks: Marks) -> Option<Root> {
        while let Some(root) = self.roots.pop() {
            marks |= root.inside;
            if root.number <= num {
                self.roots.push(Root { inside: marks, ..root });
                break;
            }
            marks |= root.entry;
        }
        self.roots.last().copied()
    }

    /// Ends the component of `s` if `s` is its root.
    fn close(&mut self, s: StateId, meter: &mut Meter) -> Result<(), Stop> {
        if self.roots.last().is_none_or(|r| r.state != s) {
            return Ok(());
        }
        self.roots.pop();
        self.numbers.remove_down_to(s, meter)
    }
}

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let all = graph.all_marks();
    let mut scc = Components { numbers: Numbers::new(), roots: Vec::new() };
    let mut stack = Frames::new();
    let mut entering = Some((graph.initial()?, 0));
    loop {
        if let Some((s, marks)) = entering.take() {
            scc.open(s, marks, graph.meter())?;
            stats.state();
            stats.reached_stack(scc.roots.len());
            stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = stack.top() else { return Ok(None) };
        let Some(edge) = stack.next(graph, stats)? else {
            scc.close(s, graph.meter())?;
            stack.leave();
            continue;
        };
        let num = scc.numbers.get(edge.target);
        if num == NEW {
            entering = Some((edge.target, edge.marks));
        } else if num != REMOVED
            && let Some(root) = scc.merge(num, edge.marks).filter(|r| r.inside & all == all)
        {
            return complete(graph, root, &stack, &scc.numbers).map(Some);
        }
    }
}

/// A cycle with all marks inside the component of `root`.
fn complete<G: Graph>(
    graph: &mut G,
    root: Root,
    stack: &Frames,
    numbers: &Numbers,
) -> Result<Lasso, Stop> {
    let prefix: Vec<StateId> = stack.states().take_while(|&s| s != root.state).collect();
    let inside = |s: StateId| (root.number..REMOVED).contains(&numbers.get(s));
    let all = graph.all_marks();
    let cycle = accepting_cycle(graph, root.state, all, &inside)?;
    Ok(Lasso { prefix, cycle })
}
