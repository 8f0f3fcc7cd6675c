//! Nested depth-first search after Gastin, Moro and Zeitoun (SE05 section 3.1).
//!
//! ```text
//! blue(s): cyan                            red(s):
//!   for t in post(s):                        for t in post(s):
//!     if t cyan and t accepting: report        if t cyan: report
//!     if t white: blue(t)                      if t blue: t red; red(t)
//!   if all of post(s) is black: s black
//!   else if s accepting: red(s); s black
//!   else: s blue
//! ```
//!
//! Two additions to the nested search: the blue search itself reports an edge back to an
//! accepting state of its stack, and states from which no accepting run starts become black
//! and are spared by red searches. The price is a second look at the successors of every
//! state (which here ends at the first successor that is not black).
//!
//! The red search and what the colours mean: `nested`. Invariant: no accepting run starts in a
//! black or red state. State-based acceptance.

use super::nested::{Nested, NestedColour};
use super::{Check, Progress};
use crate::graph::{Cursor, Graph, GraphStateId, Lasso, Notes, SearchStats};
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

/// The check on its way.
#[derive(Debug)]
pub struct Gmz(Nested);

impl Gmz {
    pub(super) fn new(initial: GraphStateId) -> Self {
        Gmz(Nested::new(initial))
    }
}

impl Check for Gmz {
    #[inline(always)]
    fn step<G: Graph>(&mut self, graph: &mut G, stats: &mut SearchStats) -> Result<Progress, Stop> {
        let nested = &mut self.0;
        if nested.is_red() {
            return nested.red_step(graph, NestedColour::Black, stats);
        }
        let Some(s) = nested.blue_top(graph.meter(), stats)? else { return Ok(Break(None)) };
        if let Some(edge) = nested.blue.next(graph, stats)? {
            match nested.colour.get(edge.target) {
                NestedColour::Cyan if graph.accepting(edge.target) => {
                    let lasso = Lasso::closing(nested.blue.states(), [], edge.target);
                    return Ok(Break(Some(lasso)));
                }
                NestedColour::White => nested.enter(edge.target),
                _ => (),
            }
        } else if all_black(graph, s, &nested.colour, stats)? {
            nested.leave_blue(NestedColour::Black, graph.meter())?;
        } else if graph.accepting(s) {
            nested.begin_red(s, graph.meter(), stats)?;
        } else {
            nested.leave_blue(NestedColour::Blue, graph.meter())?;
        }
        Ok(Continue(()))
    }
}

/// Whether every successor is black.
fn all_black<G: Graph>(
    graph: &mut G,
    s: GraphStateId,
    colour: &Notes<NestedColour>,
    stats: &mut SearchStats,
) -> Result<bool, Stop> {
    let mut cursor = Cursor::default();
    while let Some(edge) = graph.next(s, &mut cursor)? {
        stats.transitions += 1;
        if colour.get(edge.target) != NestedColour::Black {
            return Ok(false);
        }
    }
    Ok(true)
}
