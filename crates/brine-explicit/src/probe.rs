//! A look around before the dive.
//!
//! A depth-first search may run far away from a violation that is only a few steps off, and
//! in an unbounded net it never comes back. So the part of the product nearest to the
//! initial state, a ball of a given number of states, is generated breadth first and
//! searched by itself. A cycle inside the ball is a cycle of the product, and it is close;
//! if the ball is the whole product, the answer is final either way.
//!
//! Cost: linear in the ball, which is small, and never more than half of the memory budget.

use crate::emptiness::couvreur;
use crate::graph::{Cursor, Edge, Graph, Lasso, Marks, Notes, SearchStats, StateId};
use crate::meter::{Meter, Stop};

/// What a look around found.
#[derive(Clone, Debug)]
pub enum Probe {
    /// An accepting run.
    Found(Lasso),
    /// There is none: the ball is the whole graph.
    Empty,
    /// There is none in the ball.
    NotNear,
}

/// What a ball knows of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Place {
    #[default]
    Outside,
    /// Seen, but its successors were not generated: cycles through it do not count.
    Border,
    Inside,
}

/// The part of a graph that was expanded breadth first.
#[derive(Debug)]
struct Ball<'g, G> {
    graph: &'g mut G,
    place: Notes<Place>,
}

impl<G: Graph> Graph for Ball<'_, G> {
    fn initial(&mut self) -> Result<StateId, Stop> {
        self.graph.initial()
    }

    fn next(&mut self, s: StateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        loop {
            match self.graph.next(s, cursor)? {
                Some(edge) if self.place.get(edge.target) != Place::Inside => (),
                found => return Ok(found),
            }
        }
    }

    fn accepting(&self, s: StateId) -> bool {
        self.graph.accepting(s)
    }

    fn all_marks(&self) -> Marks {
        self.graph.all_marks()
    }

    fn meter(&mut self) -> &mut Meter {
        self.graph.meter()
    }
}

/// Searches the ball of the `limit` states nearest to the initial one.
pub fn probe<G: Graph>(
    graph: &mut G,
    limit: usize,
    stats: &mut SearchStats,
) -> Result<Probe, Stop> {
    let mut place: Notes<Place> = Notes::new();
    let initial = graph.initial()?;
    place.set(initial, Place::Inside, graph.meter())?;
    let mut queue = Vec::new();
    graph.meter().push(&mut queue, initial)?;
    let mut next = 0;
    while next < queue.len() && queue.len() < limit {
        if graph.meter().is_half_used() {
            break;
        }
        let s = queue[next];
        place.set(s, Place::Inside, graph.meter())?;
        let mut cursor = Cursor::default();
        while let Some(edge) = graph.next(s, &mut cursor)? {
            if place.get(edge.target) == Place::Outside {
                place.set(edge.target, Place::Border, graph.meter())?;
                graph.meter().push(&mut queue, edge.target)?;
            }
        }
        next += 1;
    }
    let whole = next == queue.len();
    Ok(match couvreur::search(&mut Ball { graph, place }, stats)? {
        Some(lasso) => Probe::Found(lasso),
        None if whole => Probe::Empty,
        None => Probe::NotNear,
    })
}
