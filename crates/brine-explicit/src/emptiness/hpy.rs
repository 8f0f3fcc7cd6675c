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

use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

const BLUE: u8 = 1;
const RED: u8 = 2;
const STACK: u8 = 4;

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut bits: Notes<u8> = Notes::new();
    let mut blue = Frames::new();
    let initial = graph.initial()?;
    enter_blue(graph, initial, &mut bits, &mut blue, stats)?;
    while let Some(s) = blue.top() {
        if let Some(edge) = blue.next(graph, stats)? {
            if bits.get(edge.target) & BLUE == 0 {
                enter_blue(graph, edge.target, &mut bits, &mut blue, stats)?;
            }
            continue;
        }
        if graph.accepting(s)
            && let Some(lasso) = red_search(graph, s, &mut bits, &blue, stats)?
        {
            return Ok(Some(lasso));
        }
        bits.set(s, bits.get(s) & !STACK, graph.meter())?;
        blue.leave();
    }
    Ok(None)
}

fn enter_blue<G: Graph>(
    graph: &mut G,
    s: StateId,
    bits: &mut Notes<u8>,
    blue: &mut Frames,
    stats: &mut SearchStats,
) -> Result<(), Stop> {
    bits.set(s, BLUE | STACK, graph.meter())?;
    stats.state();
    blue.enter(s, graph.meter(), stats)
}

/// Searches from an accepting seed, which is the top of the blue stack.
fn red_search<G: Graph>(
    graph: &mut G,
    seed: StateId,
    bits: &mut Notes<u8>,
    blue: &Frames,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let mut red = Frames::new();
    bits.set(seed, bits.get(seed) | RED, graph.meter())?;
    red.enter(seed, graph.meter(), stats)?;
    while red.top().is_some() {
        let Some(edge) = red.next(graph, stats)? else {
            red.leave();
            continue;
        };
        let seen = bits.get(edge.target);
        if seen & STACK != 0 {
            return Ok(Some(Lasso::closing(blue.states(), red.states().skip(1), edge.target)));
        }
        if seen & RED == 0 {
            bits.set(edge.target, seen | RED, graph.meter())?;
            red.enter(edge.target, graph.meter(), stats)?;
            stats.reached_depth(blue.len() + red.len());
        }
    }
    Ok(None)
}
