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
use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

/// What a frame of the call stack knows of the part of its component below it.
#[derive(Clone, Copy, Debug)]
struct Below {
    low: u32,
    marks: u64,
    /// There is an edge inside the component, so it has a cycle.
    cyclic: bool,
    /// Marks of the edge that led here.
    entry: u64,
}

/// The check on its way.
#[derive(Debug)]
pub struct Tarjan {
    numbers: Numbers,
    /// One for each frame of the call stack.
    below: Vec<Below>,
    stack: EdgeFrames,
    /// A new state, and the marks of the edge that led to it.
    entering: Option<(GraphStateId, u64)>,
}

impl Tarjan {
    pub(super) fn new(initial: GraphStateId) -> Self {
        Tarjan {
            numbers: Numbers::new(),
            below: Vec::new(),
            stack: EdgeFrames::new(),
            entering: Some((initial, 0)),
        }
    }

    fn open(&mut self, s: GraphStateId, entry: u64, meter: &mut Meter) -> Result<(), Stop> {
        let low = self.numbers.open(s, meter)?;
        meter.push(&mut self.below, Below { low, marks: 0, cyclic: false, entry })
    }

    /// The top frame has an edge with these marks into its own component.
    fn inner_edge(&mut self, low: u32, marks: u64) {
        if let Some(top) = self.below.last_mut() {
            top.low = top.low.min(low);
            top.marks |= marks;
            top.cyclic = true;
        }
    }
}

impl Check for Tarjan {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if let Some((s, marks)) = self.entering.take() {
            self.open(s, marks, graph.meter())?;
            stats.state();
            stats.reached_stack(self.numbers.current());
            self.stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        if let Some(edge) = self.stack.next(graph, stats)? {
            match self.numbers.get(edge.target) {
                NEW => self.entering = Some((edge.target, edge.marks)),
                REMOVED => (),
                number => self.inner_edge(number, edge.marks),
            }
            return Ok(Continue(()));
        }
        let all = graph.all_marks();
        let Some(&done) = self.below.last() else { return Ok(Break(None)) };
        let is_root = done.low == self.numbers.get(s);
        if is_root && done.cyclic && done.marks & all == all {
            return complete(graph, s, &self.stack, &self.numbers).map(|l| Break(Some(l)));
        }
        self.below.pop();
        if is_root {
            self.numbers.remove_down_to(s, graph.meter())?;
        } else {
            self.inner_edge(done.low, done.marks | done.entry);
        }
        self.stack.leave();
        Ok(Continue(()))
    }
}

/// A cycle with all marks inside the component of `root`, the top of the call stack.
fn complete<G: Graph>(
    graph: &mut G,
    root: GraphStateId,
    stack: &EdgeFrames,
    numbers: &Numbers,
) -> Result<Lasso, Stop> {
    let prefix: Vec<GraphStateId> = stack.states().take_while(|&s| s != root).collect();
    let inside = |s: GraphStateId| (numbers.get(root)..REMOVED).contains(&numbers.get(s));
    let all = graph.all_marks();
    let cycle = accepting_cycle(graph, root, all, &inside)?;
    Ok(Lasso { prefix, cycle })
}
