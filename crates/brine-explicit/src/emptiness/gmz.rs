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

use super::nested::{Colour, enter_blue, red_search};
use crate::graph::{Cursor, Frames, Graph, Lasso, Notes, SearchStats, StateId};
use crate::meter::Stop;

/// Searches for an accepting cycle.
pub fn search<G: Graph>(graph: &mut G, stats: &mut SearchStats) -> Result<Option<Lasso>, Stop> {
    let mut colour: Notes<Colour> = Notes::new();
    let mut blue = Frames::new();
    let initial = graph.initial()?;
    enter_blue(graph, initial, &mut colour, &mut blue, stats)?;
    while let Some(s) = blue.top() {
        if let Some(edge) = blue.next(graph, stats)? {
            match colour.get(edge.target) {
                Colour::Cyan if graph.accepting(edge.target) => {
                    return Ok(Some(Lasso::closing(blue.states(), [], edge.target)));
                }
                Colour::White => enter_blue(graph, edge.target, &mut colour, &mut blue, stats)?,
                _ => (),
            }
            continue;
        }
        let mut done = Colour::Blue;
        if all_black(graph, s, &colour, stats)? {
            done = Colour::Black;
        } else if graph.accepting(s) {
            if let Some(lasso) = red_search(graph, s, &mut colour, &blue, stats)? {
                return Ok(Some(lasso));
            }
            done = Colour::Black;
        }
        colour.set(s, done, graph.meter())?;
        blue.leave();
    }
    Ok(None)
}

/// Whether every successor is black.
fn all_black<G: Graph>(
    graph: &mut G,
    s: StateId,
    colour: &Notes<Colour>,
    stats: &mut SearchStats,
) -> Result<bool, Stop> {
    let mut cursor = Cursor::default();
    while let Some(edge) = graph.next(s, &mut cursor)? {
        stats.transitions += 1;
        if colour.get(edge.target) != Colour::Black {
            return Ok(false);
        }
    }
    Ok(true)
}
