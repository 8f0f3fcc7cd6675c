//! Tarjan's algorithm as an emptiness check (SE05 section 4).
//!
//! Components are looked at when they are complete: at that moment the frame of the root has
//! collected the marks of all edges inside (an edge is inside when its target is still
//! current after the edge was dealt with). Handles transition-based generalised acceptance.
//!
//! Invariant: `low(s)` is the number of some current state that `s` reaches; roots are the
//! states with `low = number`. Reports later than the other SCC-based checks (a component
//! and all that it reaches must be finished), which is why it serves as the baseline.
//! One integer a state (`low` is kept on the call stack), a stack of current states; every
//! transition is generated once.

use super::lasso::accepting_cycle;
use super::numbers::{NEW, Numbers, REMOVED};
use crate::graph::{Frames, Graph, Lasso, Marks, SearchStats, StateId};
use crate::meter::{Meter, Stop};

/// What a frame of the call stack knows of the part of its component below it.
#[derive(Clone, Copy, Debug)]
struct Below {
    low: u32,
    marks: Marks,
    /// There is an edge inside the component, so it has a cycle.
    cyclic: bool,
    /// Marks of the edge that led here.
    entry: Marks,
}

#[derive(Debug)]
struct Tarjan {
    numbers: Numbers,
    below: Vec<Below>,
}

impl Tarjan {
    fn open(&mut self, s: StateId, entry: Marks, meter: &mut Meter) -> Result<(), Stop> {
        let low = self.numbers.open(s, meter)?;
        meter.push(&mut self.below, Below { low, marks: 0, cyclic: false, entry })
    }

    /// The top frame has an edge with these marks into its own component.
    fn inner_edge(&mut self, low: u32, marks: Marks) {
        if let Some(top) = self.below.last_mut() {
            top.low = top.low.min(low);
            top.marks |= marks;
            top.cyclic = true;
        }
    }
}

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let all = graph.all_marks();
    let mut tarjan = Tarjan { numbers: Numbers::new(), below: Vec::new() };
    let mut stack = Frames::new();
    let mut entering = Some((graph.initial()?, 0));
    loop {
        if let Some((s, marks)) = entering.take() {
            tarjan.open(s, marks, graph.meter())?;
            stats.state();
            stats.reached_stack(tarjan.numbers.current());
            stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = stack.top() else { return Ok(None) };
        if let Some(edge) = stack.next(graph, stats)? {
            match tarjan.numbers.get(edge.target) {
                NEW => entering = Some((edge.target, edge.marks)),
                REMOVED => (),
                number => tarjan.inner_edge(number, edge.marks),
            }
            continue;
        }
        let Some(done) = tarjan.below.pop() else { return Ok(None) };
        if done.low < tarjan.numbers.get(s) {
            tarjan.inner_edge(done.low, done.marks | done.entry);
        } else if done.cyclic && done.marks & all == all {
            return complete(graph, s, &stack, &tarjan.numbers).map(Some);
        } else {
            tarjan.numbers.remove_down_to(s, graph.meter())?;
        }
        stack.leave();
    }
}

/// A cycle with all marks inside the component of `root`, the top of the call stack.
fn complete<G: Graph>(
    graph: &mut G,
    root: StateId,
    stack: &Frames,
    numbers: &Numbers,
) -> Result<Lasso, Stop> {
    let prefix: Vec<StateId> = stack.states().take_while(|&s| s != root).collect();
    let inside = |s: StateId| (numbers.get(root)..REMOVED).contains(&numbers.get(s));
    let all = graph.all_marks();
    let cycle = accepting_cycle(graph, root, all, &inside)?;
    Ok(Lasso { prefix, cycle })
}
