//! The neighbourhood of the initial state, searched before anything else.
//!
//! A depth-first search may run far away from a violation that is only a few steps off, and
//! in an unbounded net it never comes back. So the part of the product nearest to the
//! initial state, a *neighbourhood* of a given number of states, is generated breadth first and
//! searched by itself. A cycle inside the neighbourhood is a cycle of the product, and it is
//! close; if the neighbourhood is the whole product, the answer is final either way.
//!
//! Cost: linear in the neighbourhood, which is small, and never more than half of the memory
//! budget.

use crate::emptiness::{CycleSearch, Emptiness};
use crate::graph::{Cursor, Edge, Graph, GraphStateId, Lasso, Notes, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;

/// What a look around found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Probe {
    /// An accepting run.
    Found(Lasso),
    /// There is none: the neighbourhood is the whole graph.
    Empty,
    /// There is none in the neighbourhood.
    NotNear,
}

/// What a neighbourhood knows of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ProbePlace {
    #[default]
    Outside,
    /// Seen, but its successors were not generated: cycles through it do not count.
    Border,
    Inside,
}

/// The part of a graph that was expanded breadth first.
#[derive(Debug)]
struct Inside<'g, G> {
    graph: &'g mut G,
    place: &'g Notes<ProbePlace>,
}

impl<G: Graph> Graph for Inside<'_, G> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        self.graph.initial()
    }

    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        loop {
            match self.graph.next(s, cursor)? {
                Some(edge) if self.place.get(edge.target) != ProbePlace::Inside => (),
                found => return Ok(found),
            }
        }
    }

    fn accepting(&self, s: GraphStateId) -> bool {
        self.graph.accepting(s)
    }

    fn all_marks(&self) -> u64 {
        self.graph.all_marks()
    }

    fn meter(&mut self) -> &mut Meter {
        self.graph.meter()
    }
}

/// The search of a neighbourhood: first it is generated, then searched for a cycle.
#[derive(Debug)]
pub struct NeighbourhoodSearch {
    /// Most states.
    limit: usize,
    place: Notes<ProbePlace>,
    /// All states of the neighbourhood, the nearest first.
    queue: Vec<GraphStateId>,
    /// The first of them whose successors were not generated.
    next: usize,
    /// The search for a cycle, once the neighbourhood is there.
    cycles: Option<CycleSearch>,
}

impl NeighbourhoodSearch {
    /// The neighbourhood of the `limit` states nearest to the initial one.
    pub fn new<G: Graph>(graph: &mut G, initial: GraphStateId, limit: usize) -> Result<Self, Stop> {
        let mut place: Notes<ProbePlace> = Notes::new();
        place.set(initial, ProbePlace::Inside, graph.meter())?;
        let mut queue = Vec::new();
        graph.meter().push(&mut queue, initial)?;
        Ok(NeighbourhoodSearch { limit, place, queue, next: 0, cycles: None })
    }

    /// Goes on until the neighbourhood is searched, or the work of the graph's meter is done.
    /// Only after [`Stop::Work`] may it be advanced again.
    pub fn advance<G: Graph>(
        &mut self,
        graph: &mut G,
        stats: &mut SearchStats,
    ) -> Result<Probe, Stop> {
        while self.cycles.is_none() {
            graph.meter().pause()?;
            self.expand_one(graph)?;
        }
        let whole = self.next == self.queue.len();
        let Some(cycles) = &mut self.cycles else { return Ok(Probe::NotNear) };
        Ok(match cycles.advance(&mut Inside { graph, place: &self.place }, stats)? {
            Some(lasso) => Probe::Found(lasso),
            None if whole => Probe::Empty,
            None => Probe::NotNear,
        })
    }

    /// Generates the successors of the next state, if the neighbourhood may grow.
    fn expand_one<G: Graph>(&mut self, graph: &mut G) -> Result<(), Stop> {
        let complete = self.next == self.queue.len() || self.queue.len() >= self.limit;
        if complete || graph.meter().is_half_used() {
            self.cycles = Some(Emptiness::Couvreur.begin(self.queue[0]));
            return Ok(());
        }
        let s = self.queue[self.next];
        self.place.set(s, ProbePlace::Inside, graph.meter())?;
        let mut cursor = Cursor::default();
        while let Some(edge) = graph.next(s, &mut cursor)? {
            if self.place.get(edge.target) == ProbePlace::Outside {
                self.place.set(edge.target, ProbePlace::Border, graph.meter())?;
                graph.meter().push(&mut self.queue, edge.target)?;
            }
        }
        self.next += 1;
        Ok(())
    }
}

/// Searches the neighbourhood of the `limit` states nearest to the initial one.
pub fn probe<G: Graph>(
    graph: &mut G,
    limit: usize,
    stats: &mut SearchStats,
) -> Result<Probe, Stop> {
    let initial = graph.initial()?;
    NeighbourhoodSearch::new(graph, initial, limit)?.advance(graph, stats)
}
