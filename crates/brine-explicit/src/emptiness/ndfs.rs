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

use super::nested::{Colour, enter_blue, red_search};
use crate::graph::{Frames, Graph, Lasso, Notes, SearchStats};
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
                Colour::Cyan if graph.accepting(s) || graph.accepting(edge.target) => {
                    return Ok(Some(Lasso::closing(blue.states(), [], edge.target)));
                }
                Colour::White => enter_blue(graph, edge.target, &mut colour, &mut blue, stats)?,
                _ => (),
            }
            continue;
        }
        let mut done = Colour::Blue;
        if graph.accepting(s) {
            if let Some(lasso) = red_search(graph, s, &mut colour, &blue, stats)? {
                return Ok(Some(lasso));
            }
            done = Colour::Red;
        }
        colour.set(s, done, graph.meter())?;
        blue.leave();
    }
    Ok(None)
}
