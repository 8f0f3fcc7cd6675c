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
use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

const REMOVED: u32 = u32::MAX;

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut number: Notes<u32> = Notes::new();
    let mut roots: Vec<StateId> = Vec::new();
    let mut stack = Frames::new();
    let mut count = 0;
    let mut entering = Some(graph.initial()?);
    loop {
        if let Some(s) = entering.take() {
            count += 1;
            number.set(s, count, graph.meter())?;
            graph.meter().push(&mut roots, s)?;
            stats.state();
            stats.reached_stack(roots.len());
            stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = stack.top() else { return Ok(None) };
        let Some(edge) = stack.next(graph, stats)? else {
            if roots.last() == Some(&s) {
                roots.pop();
                remove(graph, s, &mut number, stats)?;
            }
            stack.leave();
            continue;
        };
        let num = number.get(edge.target);
        if num == 0 {
            entering = Some(edge.target);
        } else if num != REMOVED
            && let Some(u) = merge_roots(graph, &mut roots, &number, num)
        {
            return complete(graph, u, &stack, &number).map(Some);
        }
    }
}

/// Merges the components on the cycle that an edge to number `num` closes; returns an
/// accepting root among them, if any.
fn merge_roots<G: Graph>(
    graph: &G,
    roots: &mut Vec<StateId>,
    number: &Notes<u32>,
    num: u32,
) -> Option<StateId> {
    while let Some(&u) = roots.last() {
        if graph.accepting(u) {
            return Some(u);
        }
        if number.get(u) <= num {
            break;
        }
        roots.pop();
    }
    None
}

/// Marks the component of `s`: everything current that `s` reaches.
fn remove<G: Graph>(
    graph: &mut G,
    s: StateId,
    number: &mut Notes<u32>,
    stats: &mut SearchStats,
) -> Result<(), Stop> {
    let mut depth = SearchStats::default();
    let mut stack = Frames::new();
    number.set(s, REMOVED, graph.meter())?;
    stack.enter(s, graph.meter(), &mut depth)?;
    while stack.top().is_some() {
        let Some(edge) = stack.next(graph, stats)? else {
            stack.leave();
            continue;
        };
        if ![0, REMOVED].contains(&number.get(edge.target)) {
            number.set(edge.target, REMOVED, graph.meter())?;
            stack.enter(edge.target, graph.meter(), &mut depth)?;
        }
    }
    Ok(())
}

/// A cycle through the accepting state `u` of the call stack, inside the current states.
fn complete<G: Graph>(
    graph: &mut G,
    u: StateId,
    stack: &Frames,
    number: &Notes<u32>,
) -> Result<Lasso, Stop> {
    let prefix: Vec<StateId> = stack.states().take_while(|&s| s != u).collect();
    let current = |s: StateId| ![0, REMOVED].contains(&number.get(s));
    let cycle = accepting_cycle(graph, u, 0, &current)?;
    Ok(Lasso { prefix, cycle })
}
