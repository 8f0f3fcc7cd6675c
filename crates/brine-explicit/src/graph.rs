//! What an emptiness check sees: a graph with acceptance marks, generated on demand.
//!
//! Every check of SE05 is written once, over [`Graph`]. The product of a net and an
//! automaton is one implementation, random graphs in the tests are another.
//!
//! Successors come one at a time through [`Graph::next`], so that a search that ends early has
//! generated only what it looked at. The graph is fixed: whoever asks again for the successors
//! of a state gets the same ones in the same order. Partial-order reduction keeps to that
//! (`reduction`), so extra searches need no care.

use crate::meter::Meter;
use brine_run::Stop;

/// Number of a graph state. Dense enough to index arrays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphStateId(pub u32);

impl GraphStateId {
    /// The number as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position in the successor list of a state; starts at the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    /// Position among the net's edges.
    pub major: u32,
    /// Position among the automaton's edges.
    pub minor: u32,
}

/// An edge as seen from its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: GraphStateId,
    /// The acceptance sets it belongs to, bit i for set i.
    pub marks: u64,
}

/// A transition-based generalised Büchi graph.
///
/// A cycle is accepting when its edges together carry all of [`Graph::all_marks`]. Checks
/// for state-based acceptance additionally use [`Graph::accepting`] and are sound only where
/// a cycle is accepting exactly when it visits an accepting state.
pub trait Graph {
    /// The initial state.
    fn initial(&mut self) -> Result<GraphStateId, Stop>;

    /// The successor at the cursor, which moves on; `None` at the end.
    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop>;

    /// Whether the state is accepting, for state-based acceptance.
    fn accepting(&self, s: GraphStateId) -> bool;

    /// The marks that an accepting cycle must collect.
    fn all_marks(&self) -> u64;

    /// The account of time and memory.
    fn meter(&mut self) -> &mut Meter;
}

/// The implementation-independent figures of SE05, Table 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStats {
    /// Distinct states visited (column "st").
    pub states: u64,
    /// Transitions generated, counted each time (column "tr").
    pub transitions: u64,
    /// Largest depth of the call stack (column "dp").
    pub depth: u64,
    /// Largest size of the explicit stack of roots, or of current states; 0 where there is none.
    pub stack: u64,
}

impl SearchStats {
    /// A state was seen for the first time.
    pub(crate) fn state(&mut self) {
        self.states += 1;
    }

    /// A call stack of this depth was reached.
    pub(crate) fn reached_depth(&mut self, depth: usize) {
        self.depth = self.depth.max(depth as u64);
    }

    /// An explicit stack of this size was reached.
    pub(crate) fn reached_stack(&mut self, size: usize) {
        self.stack = self.stack.max(size as u64);
    }
}

/// An accepting run: `prefix` leads from the initial state to the first state of `cycle`
/// (not included); from the last state of `cycle` an edge leads back to its first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// States before the cycle.
    pub prefix: Vec<GraphStateId>,
    /// States of the cycle, at least one.
    pub cycle: Vec<GraphStateId>,
}

/// The number of reachable states and of their edges.
pub fn size<G: Graph>(graph: &mut G) -> Result<(u64, u64), Stop> {
    let mut seen: Notes<bool> = Notes::new();
    let initial = graph.initial()?;
    let mut pending = vec![initial];
    seen.set(initial, true, graph.meter())?;
    let (mut states, mut edges) = (0, 0);
    while let Some(s) = pending.pop() {
        states += 1;
        let mut cursor = Cursor::default();
        while let Some(edge) = graph.next(s, &mut cursor)? {
            edges += 1;
            if !seen.get(edge.target) {
                seen.set(edge.target, true, graph.meter())?;
                graph.meter().push(&mut pending, edge.target)?;
            }
        }
    }
    Ok((states, edges))
}

/// One value per state, `T::default()` until it is set.
#[derive(Debug, Default)]
pub(crate) struct Notes<T> {
    values: Vec<T>,
}

impl<T: Copy + Default> Notes<T> {
    pub(crate) fn new() -> Self {
        Notes { values: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, s: GraphStateId) -> T {
        self.values.get(s.index()).copied().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn set(&mut self, s: GraphStateId, value: T, meter: &mut Meter) -> Result<(), Stop> {
        if s.index() >= self.values.len() {
            self.grow(s, meter)?;
        }
        self.values[s.index()] = value;
        Ok(())
    }

    #[cold]
    fn grow(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<(), Stop> {
        let more = s.index() + 1 - self.values.len();
        meter.reserve(&mut self.values, more)?;
        let room = self.values.capacity().min(s.index() + 1 + (s.index() >> 2));
        self.values.resize(room.max(s.index() + 1), T::default());
        Ok(())
    }
}

/// The call stack of a depth-first search made explicit.
#[derive(Debug, Default)]
pub(crate) struct EdgeFrames {
    frames: Vec<(GraphStateId, Cursor)>,
}

impl EdgeFrames {
    pub(crate) fn new() -> Self {
        EdgeFrames { frames: Vec::new() }
    }

    pub(crate) fn enter(
        &mut self,
        s: GraphStateId,
        meter: &mut Meter,
        stats: &mut SearchStats,
    ) -> Result<(), Stop> {
        meter.push(&mut self.frames, (s, Cursor::default()))?;
        stats.reached_depth(self.frames.len());
        Ok(())
    }

    /// The state whose successors are being visited.
    pub(crate) fn top(&self) -> Option<GraphStateId> {
        self.frames.last().map(|f| f.0)
    }

    /// The next successor of the top state.
    #[inline]
    pub(crate) fn next(
        &mut self,
        graph: &mut impl Graph,
        stats: &mut SearchStats,
    ) -> Result<Option<Edge>, Stop> {
        let Some((s, cursor)) = self.frames.last_mut() else { return Ok(None) };
        let edge = graph.next(*s, cursor)?;
        stats.transitions += u64::from(edge.is_some());
        Ok(edge)
    }

    pub(crate) fn leave(&mut self) -> Option<GraphStateId> {
        self.frames.pop().map(|f| f.0)
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn states(&self) -> impl DoubleEndedIterator<Item = GraphStateId> + '_ {
        self.frames.iter().map(|f| f.0)
    }
}
