//! The check of Geldenhuys and Valmari (SE05 section 4.1 and figure 7).
//!
//! ```text
//! gv(s, goal): number s; low(s) := number; push s on Current
//!   for t in post(s):
//!     if t not numbered: gv(t, t if t accepting else goal)
//!     if t current:
//!       low(s) := min(low(s), low(t))
//!       if goal and low(s) <= number(goal): report
//!   if low(s) = number(s): pop Current down to s
//! ```
//!
//! Tarjan's algorithm with a goal: the latest accepting state of the call stack. Everything
//! current when the goal was entered reaches it, and those states are exactly the ones with
//! a low number up to the goal's: meeting one of them closes a cycle through the goal. So a
//! cycle is reported as soon as its last transition is explored.
//!
//! State-based acceptance. Two integers a state, a stack of current states; every
//! transition is generated once.

use super::lasso::accepting_cycle;
use super::numbers::{NEW, Numbers};
use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

const NO_GOAL: u32 = 0;

/// The check on its way.
#[derive(Debug)]
pub struct Gv {
    numbers: Numbers,
    low: Notes<u32>,
    /// The number of the goal, for each frame of the call stack.
    goals: Vec<u32>,
    stack: EdgeFrames,
    entering: Option<GraphStateId>,
}

impl Gv {
    pub(super) fn new(initial: GraphStateId) -> Self {
        Gv {
            numbers: Numbers::new(),
            low: Notes::new(),
            goals: Vec::new(),
            stack: EdgeFrames::new(),
            entering: Some(initial),
        }
    }

    fn open(&mut self, s: GraphStateId, accepting: bool, meter: &mut Meter) -> Result<(), Stop> {
        let number = self.numbers.open(s, meter)?;
        self.low.set(s, number, meter)?;
        let inherited = self.goals.last().copied().unwrap_or(NO_GOAL);
        meter.push(&mut self.goals, if accepting { number } else { inherited })
    }

    /// Lowers `s` to a current successor; the number of the goal if that closes a cycle
    /// through it. `s` is the top of the call stack.
    fn lower(
        &mut self,
        s: GraphStateId,
        t: GraphStateId,
        meter: &mut Meter,
    ) -> Result<Option<u32>, Stop> {
        let low = self.low.get(s).min(self.low.get(t));
        self.low.set(s, low, meter)?;
        let goal = self.goals.last().copied().unwrap_or(NO_GOAL);
        Ok((goal != NO_GOAL && low <= goal).then_some(goal))
    }

    fn close(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<(), Stop> {
        self.goals.pop();
        if self.low.get(s) != self.numbers.get(s) {
            return Ok(());
        }
        self.numbers.remove_down_to(s, meter)
    }
}

impl Check for Gv {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if let Some(s) = self.entering.take() {
            let accepting = graph.accepting(s);
            self.open(s, accepting, graph.meter())?;
            stats.state();
            stats.reached_stack(self.numbers.current());
            self.stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        let t = match self.stack.next(graph, stats)? {
            Some(edge) if self.numbers.get(edge.target) == NEW => {
                self.entering = Some(edge.target);
                return Ok(Continue(()));
            }
            Some(edge) => edge.target,
            None => {
                self.close(s, graph.meter())?;
                self.stack.leave();
                s
            }
        };
        // `t` was met again by the top of the stack, or was just left for it.
        let Some(s) = self.stack.top() else { return Ok(Break(None)) };
        if self.numbers.is_current(t)
            && let Some(goal) = self.lower(s, t, graph.meter())?
        {
            return self.complete(graph, goal).map(|l| Break(Some(l)));
        }
        Ok(Continue(()))
    }
}

impl Gv {
    /// A cycle through the goal inside the current states.
    fn complete<G: Graph>(&self, graph: &mut G, goal: u32) -> Result<Lasso, Stop> {
        let mut prefix: Vec<GraphStateId> =
            self.stack.states().take_while(|&s| self.numbers.get(s) <= goal).collect();
        // The last one is the goal itself.
        let goal = match prefix.pop() {
            Some(goal) => goal,
            None => graph.initial()?,
        };
        let cycle = accepting_cycle(graph, goal, 0, &|s| self.numbers.is_current(s))?;
        Ok(Lasso { prefix, cycle })
    }
}
