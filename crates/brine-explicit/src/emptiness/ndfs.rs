//! The new nested depth-first search (SE05 figure 3): four colours, which take two bits
//! of a byte for each state.
//!
//! ```text
//! blue(s): cyan                                      red(s):
//!   for t in post(s):                                  for t in post(s):
//!     if t cyan and (s or t accepting): report           if t cyan: report
//!     if t white: blue(t)                                if t blue: t red; red(t)
//!   if s accepting: red(s); s red
//!   else: s blue
//! ```
//!
//! The red search and what the colours mean: `nested`. Invariant: no accepting run starts in a
//! red state.
//!
//! State-based acceptance. Every transition is generated at most twice.

use super::nested::{Nested, NestedColour};
use super::{Check, Progress};
use crate::graph::{Graph, GraphStateId, Lasso, SearchStats};
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

/// The check on its way.
#[derive(Debug)]
pub struct Ndfs(Nested);

impl Ndfs {
    pub(super) fn new(initial: GraphStateId) -> Self {
        Ndfs(Nested::new(initial))
    }
}

impl Check for Ndfs {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        let nested = &mut self.0;
        if nested.is_red() {
            return nested.red_step(graph, NestedColour::Red, stats);
        }
        let Some(s) = nested.blue_top(graph.meter(), stats)? else { return Ok(Break(None)) };
        if let Some(edge) = nested.blue.next(graph, stats)? {
            match nested.colour.get(edge.target) {
                NestedColour::Cyan if graph.accepting(s) || graph.accepting(edge.target) => {
                    let lasso = Lasso::closing(nested.blue.states(), [], edge.target);
                    return Ok(Break(Some(lasso)));
                }
                NestedColour::White => nested.enter(edge.target),
                _ => (),
            }
        } else if graph.accepting(s) {
            nested.begin_red(s, graph.meter(), stats)?;
        } else {
            nested.leave_blue(NestedColour::Blue, graph.meter())?;
        }
        Ok(Continue(()))
    }
}
