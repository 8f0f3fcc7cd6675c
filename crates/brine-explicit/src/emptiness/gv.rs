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
use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::{Meter, Stop};

const NO_GOAL: u32 = 0;

#[derive(Debug)]
struct Tarjan {
    numbers: Numbers,
    low: Notes<u32>,
    /// The number of the goal, for each frame of the call stack.
    goals: Vec<u32>,
}

impl Tarjan {
    fn open(&mut self, s: StateId, accepting: bool, meter: &mut Meter) -> Result<(), Stop> {
        let number = self.numbers.open(s, meter)?;
        self.low.set(s, number, meter)?;
        let inherited = self.goals.last().copied().unwrap_or(NO_GOAL);
        meter.push(&mut self.goals, if accepting { number } else { inherited })
    }

    /// Lowers `s` to a current successor; the number of the goal if that closes a cycle
    /// through it. `s` is the top of the call stack.
    fn lower(&mut self, s: StateId, t: StateId, meter: &mut Meter) -> Result<Option<u32>, Stop> {
        let low = self.low.get(s).min(self.low.get(t));
        self.low.set(s, low, meter)?;
        let goal = self.goals.last().copied().unwrap_or(NO_GOAL);
        Ok((goal != NO_GOAL && low <= goal).then_some(goal))
    }

    fn close(&mut self, s: StateId, meter: &mut Meter) -> Result<(), Stop> {
        self.goals.pop();
        if self.low.get(s) != self.numbers.get(s) {
            return Ok(());
        }
        self.numbers.remove_down_to(s, meter)
    }
}

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut tarjan = Tarjan { numbers: Numbers::new(), low: Notes::new(), goals: Vec::new() };
    let mut stack = Frames::new();
    let mut entering = Some(graph.initial()?);
    loop {
        if let Some(s) = entering.take() {
            let accepting = graph.accepting(s);
            tarjan.open(s, accepting, graph.meter())?;
            stats.state();
            stats.reached_stack(tarjan.numbers.current());
            stack.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = stack.top() else { return Ok(None) };
        let t = match stack.next(graph, stats)? {
            Some(edge) if tarjan.numbers.get(edge.target) == NEW => {
                entering = Some(edge.target);
                continue;
            }
            Some(edge) => edge.target,
            None => {
                tarjan.close(s, graph.meter())?;
                stack.leave();
                s
            }
        };
        // `t` was met again by the top of the stack, or was just left for it.
        let Some(s) = stack.top() else { return Ok(None) };
        if tarjan.numbers.is_current(t)
            && let Some(goal) = tarjan.lower(s, t, graph.meter())?
        {
            return complete(graph, goal, &stack, &tarjan).map(Some);
        }
    }
}

/// A cycle through the goal inside the current states.
fn complete<G: Graph>(
    graph: &mut G,
    goal: u32,
    stack: &Frames,
    tarjan: &Tarjan,
) -> Result<Lasso, Stop> {
    let mut prefix: Vec<StateId> =
        stack.states().take_while(|&s| tarjan.numbers.get(s) <= goal).collect();
    // The last one is the goal itself.
    let goal = match prefix.pop() {
        Some(goal) => goal,
        None => graph.initial()?,
    };
    let cycle = accepting_cycle(graph, goal, 0, &|s| tarjan.numbers.is_current(s))?;
    Ok(Lasso { prefix, cycle })
}
