//! The edges of a model's graph as a product sees them: all of them, or those that
//! partial-order reduction leaves.

use crate::stubborn::GroupSets;
use crate::vectors::Vectors;
use brine_explicit::meter::Meter;
use brine_explicit::reduction::Reduction;
use brine_explicit::space::Space;
use brine_explicit::store::MarkingId;
use brine_explicit::successors::ReducedEdges;
use brine_pins::GroupId;
use brine_run::Stop;

/// What lies at a position among the edges of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelEdge {
    /// An edge that leads there.
    To(MarkingId),
    /// Nothing any more.
    End,
    /// Nothing at all.
    Dead,
}

/// A graph of states that is generated where it is looked at.
pub trait ModelEdges<'m> {
    /// The states.
    fn vectors(&self) -> &Vectors<'m>;

    /// The states, to be extended.
    fn vectors_mut(&mut self) -> &mut Vectors<'m>;

    /// The account of time and memory.
    fn meter(&mut self) -> &mut Meter;

    /// The k-th edge of a state.
    fn edge(&mut self, m: MarkingId, k: u32) -> Result<ModelEdge, Stop>;
}

/// The steps of a state: a part of the list of targets.
#[derive(Clone, Copy, Debug)]
struct Steps {
    first: u64,
    count: u32,
}

/// Steps that were not generated yet.
const UNKNOWN: Steps = Steps { first: 0, count: u32::MAX };

/// All edges. The targets of a state's steps are kept once they were generated.
#[derive(Debug)]
pub struct AllEdges<'m> {
    vectors: Vectors<'m>,
    steps: Vec<Steps>,
    targets: Vec<MarkingId>,
    state: Vec<u32>,
    edges: Vec<(GroupId, MarkingId, bool)>,
}

impl<'m> AllEdges<'m> {
    /// The graph of these states.
    pub fn new(vectors: Vectors<'m>) -> Self {
        AllEdges {
            vectors,
            steps: Vec::new(),
            targets: Vec::new(),
            state: Vec::new(),
            edges: Vec::new(),
        }
    }

    fn expand(&mut self, m: MarkingId) -> Result<Steps, Stop> {
        self.vectors.state(m, &mut self.state);
        let result = self.vectors.successors(m, &self.state, &mut self.edges);
        result.map_err(|stop| self.vectors.noted(stop))?;
        let meter = &mut self.vectors.meter;
        let steps = Steps { first: self.targets.len() as u64, count: self.edges.len() as u32 };
        meter.reserve(&mut self.targets, self.edges.len())?;
        self.targets.extend(self.edges.iter().map(|edge| edge.1));
        grow(&mut self.steps, m, UNKNOWN, &mut self.vectors)?;
        self.steps[m.index()] = steps;
        Ok(steps)
    }
}

impl<'m> ModelEdges<'m> for AllEdges<'m> {
    #[inline]
    fn vectors(&self) -> &Vectors<'m> {
        &self.vectors
    }

    #[inline]
    fn vectors_mut(&mut self) -> &mut Vectors<'m> {
        &mut self.vectors
    }

    #[inline]
    fn meter(&mut self) -> &mut Meter {
        &mut self.vectors.meter
    }

    #[inline]
    fn edge(&mut self, m: MarkingId, k: u32) -> Result<ModelEdge, Stop> {
        let steps = match self.steps.get(m.index()) {
            Some(steps) if steps.count != UNKNOWN.count => *steps,
            _ => self.expand(m)?,
        };
        Ok(match steps.count {
            0 => ModelEdge::Dead,
            count if k < count => {
                ModelEdge::To(self.targets[(steps.first + u64::from(k)) as usize])
            }
            _ => ModelEdge::End,
        })
    }
}

/// The edges that are left by stubborn sets and a proviso.
#[derive(Debug)]
pub struct KeptEdges<'m> {
    /// The graph.
    pub space: Space<Vectors<'m>>,
    /// What is left out.
    pub reduction: Reduction<GroupSets>,
}

impl<'m> ModelEdges<'m> for KeptEdges<'m> {
    #[inline]
    fn vectors(&self) -> &Vectors<'m> {
        self.space.markings()
    }

    #[inline]
    fn vectors_mut(&mut self) -> &mut Vectors<'m> {
        self.space.markings_mut()
    }

    #[inline]
    fn meter(&mut self) -> &mut Meter {
        &mut self.space.markings_mut().meter
    }

    #[inline]
    fn edge(&mut self, m: MarkingId, k: u32) -> Result<ModelEdge, Stop> {
        match self.reduction.degree(&mut self.space, m)? {
            0 => Ok(ModelEdge::Dead),
            count if k < count => self.reduction.target(&mut self.space, m, k).map(ModelEdge::To),
            _ => Ok(ModelEdge::End),
        }
    }
}

/// Makes room for the entry of a state, and for some of those behind it.
pub(crate) fn grow<T: Copy>(
    list: &mut Vec<T>,
    m: MarkingId,
    empty: T,
    vectors: &mut Vectors<'_>,
) -> Result<(), Stop> {
    if m.index() >= list.len() {
        let room = m.index() + 1 + (m.index() >> 2);
        vectors.meter.reserve(list, room - list.len())?;
        list.resize(room, empty);
    }
    Ok(())
}
