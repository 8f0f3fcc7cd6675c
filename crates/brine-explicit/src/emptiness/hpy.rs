//! Nested depth-first search after Holzmann, Peled and Yannakakis (SE05 section 3.1).
//!
//! ```text
//! blue(s): blue, on the stack          red(s): red
//!   for t in post(s):                    for t in post(s):
//!     if not blue: blue(t)                 if t on blue's stack: report
//!   if s accepting: red(s)                 if not red: red(t)
//!   leave the stack
//! ```
//!
//! Idea: when the blue search leaves an accepting state, everything below it was visited, and
//! red searches in that order need to enter each state only once in total. A red edge to a
//! state of the blue stack closes a cycle through the seed: that state reaches the seed.
//!
//! Invariant: a red state never reaches the blue stack. State-based acceptance. Three bits of a
//! byte for each state; every transition is generated at most twice.

use super::{Check, Progress};
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

const BLUE: u8 = 1;
const RED: u8 = 2;
const STACK: u8 = 4;

/// The check on its way.
#[derive(Debug)]
pub struct Hpy {
    bits: Notes<u8>,
    blue: EdgeFrames,
    /// Empty unless a red search is on its way.
    red: EdgeFrames,
    entering: Option<GraphStateId>,
}

impl Hpy {
    pub(super) fn new(initial: GraphStateId) -> Self {
        let (blue, red) = (EdgeFrames::new(), EdgeFrames::new());
        Hpy { bits: Notes::new(), blue, red, entering: Some(initial) }
    }

    /// The blue search leaves its top state.
    #[inline(always)]
    fn leave_blue(&mut self, meter: &mut Meter) -> Result<(), Stop> {
        match self.blue.leave() {
            Some(s) => self.bits.set(s, self.bits.get(s) & !STACK, meter),
            None => Ok(()),
        }
    }

    /// One step of the red search, whose seed is the top of the blue stack.
    #[inline(never)]
    fn red_step<G: Graph>(
        &mut self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Progress, Stop> {
        let Some(edge) = self.red.next(graph, stats)? else {
            self.red.leave();
            if self.red.top().is_none() {
                self.leave_blue(graph.meter())?;
            }
            return Ok(Continue(()));
        };
        let seen = self.bits.get(edge.target);
        if seen & STACK != 0 {
            let tail = self.red.states().skip(1);
            return Ok(Break(Some(Lasso::closing(self.blue.states(), tail, edge.target))));
        }
        if seen & RED == 0 {
            self.bits.set(edge.target, seen | RED, graph.meter())?;
            self.red.enter(edge.target, graph.meter(), stats)?;
            stats.reached_depth(self.blue.len() + self.red.len());
        }
        Ok(Continue(()))
    }
}

impl Check for Hpy {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        if self.red.top().is_some() {
            return self.red_step(graph, stats);
        }
        if let Some(s) = self.entering.take() {
            debug_assert_eq!(self.bits.get(s), 0, "red searches stay where blue ones were");
            self.bits.set(s, BLUE | STACK, graph.meter())?;
            stats.state();
            self.blue.enter(s, graph.meter(), stats)?;
        }
        let Some(s) = self.blue.top() else { return Ok(Break(None)) };
        if let Some(edge) = self.blue.next(graph, stats)? {
            if self.bits.get(edge.target) & BLUE == 0 {
                self.entering = Some(edge.target);
            }
        } else if graph.accepting(s) {
            self.bits.set(s, self.bits.get(s) | RED, graph.meter())?;
            self.red.enter(s, graph.meter(), stats)?;
        } else {
            self.leave_blue(graph.meter())?;
        }
        Ok(Continue(()))
    }
}
