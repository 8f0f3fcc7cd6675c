//! The synchronous product of a net and a property automaton, generated on the fly.
//!
//! A product state is a pair (marking, automaton state). The automaton reads the source of a
//! step ([`READING`]): from (m, q) the product moves to (m', q') when the net moves from m to
//! m' and the automaton has an edge from q to q' whose label holds in m. A dead marking
//! stutters: m' = m is then its only successor.
//!
//! Successors come net edge by net edge, and for each the automaton's moves. If the
//! automaton cannot move, no net transition is fired. With a reduction the net's edges are
//! those that partial-order reduction leaves; but from states in which a terminal automaton
//! accepts, all of them, since any run will do there.

use crate::graph::{Cursor, Edge, Graph, GraphStateId};
use crate::letters::{Letters, Move};
use crate::meter::Meter;
use crate::pairs::Pairs;
use crate::space::Space;
use crate::store::MarkingId;
use crate::successors::{ReducedEdges, Successors};
use brine_ltl::{Automaton, Class, Reading};
use brine_run::Stop;
use std::sync::Arc;

/// The automaton has read everything before the marking it stands beside.
pub const READING: Reading = Reading::Source;

/// A product under construction.
#[derive(Debug)]
pub struct Product<M: Successors> {
    space: Space<M>,
    reduction: Option<M::Reduction>,
    letters: Letters<M>,
    pairs: Pairs,
    accepting: Vec<bool>,
    /// Whether whatever is read from an accepting state is accepted.
    terminal: bool,
    initial: u32,
    all_marks: u64,
}

impl<M: Successors> Product<M> {
    /// The product of a marking graph, reduced or not, and an automaton; `accepting` says which
    /// automaton states count as accepting: those of accepting components, for weak automata, or
    /// those of a degeneralised one.
    pub fn new(
        space: Space<M>,
        reduction: Option<M::Reduction>,
        aut: Arc<Automaton>,
        accepting: Vec<bool>,
    ) -> Self {
        let pairs = Pairs::new(aut.num_states());
        // Nothing has been read yet, so the first letter does not matter.
        let (initial, all_marks) = (READING.start(&aut, 0)[0].0, aut.all_marks());
        let terminal = aut.class() == Class::Terminal;
        let letters = Letters::new(aut, space.markings());
        Product { space, reduction, letters, pairs, accepting, terminal, initial, all_marks }
    }

    /// The marking of a product state.
    pub fn marking_of(&self, s: GraphStateId) -> MarkingId {
        self.pairs.pair(s).0
    }

    /// The marking and the automaton state of a product state.
    pub(crate) fn pair_of(&self, s: GraphStateId) -> (MarkingId, u32) {
        self.pairs.pair(s)
    }

    /// Ends the reduction, if there is one: from now on all edges count.
    pub fn unreduce(&mut self) -> Option<M::Reduction> {
        self.reduction.take()
    }

    #[inline]
    fn is_reduced(&self, q: u32) -> bool {
        !(self.terminal && self.accepting[q as usize])
    }

    #[inline]
    fn degree(&mut self, (m, q): (MarkingId, u32)) -> Result<u32, Stop> {
        let is_reduced = self.is_reduced(q);
        match &mut self.reduction {
            Some(reduction) if is_reduced => reduction.degree(&mut self.space, m),
            _ => self.space.degree(m),
        }
    }

    #[inline]
    fn target(&mut self, (m, q): (MarkingId, u32), k: u32) -> Result<MarkingId, Stop> {
        let is_reduced = self.is_reduced(q);
        match &mut self.reduction {
            Some(reduction) if is_reduced => reduction.target(&mut self.space, m, k),
            _ => self.space.target(m, k),
        }
    }

    /// The moves of the automaton from a product state.
    pub(crate) fn moves(&mut self, s: GraphStateId) -> Result<&[Move], Stop> {
        let (m, q) = self.pairs.pair(s);
        let (from, to) = self.letters.moves(m, q, self.space.markings_mut())?;
        Ok(self.letters.moves_at(from, to))
    }

    /// The letter of a marking.
    pub(crate) fn letter(&mut self, m: MarkingId) -> Result<u64, Stop> {
        self.letters.letter(m, self.space.markings_mut())
    }

    /// The k-th edge of the net, or the repetition of a dead marking, with a move of the
    /// automaton.
    pub(crate) fn successor(&mut self, s: GraphStateId, k: u32, step: Move) -> Result<Edge, Stop> {
        let pair = self.pairs.pair(s);
        let marking = if self.degree(pair)? == 0 { pair.0 } else { self.target(pair, k)? };
        self.edge(marking, step)
    }

    #[inline]
    fn edge(&mut self, marking: MarkingId, step: Move) -> Result<Edge, Stop> {
        let meter = self.space.markings_mut().meter_mut();
        let target = self.pairs.number(marking, step.state, meter)?;
        Ok(Edge { target, marks: step.marks })
    }

    /// The marking graph.
    pub fn space(&mut self) -> &mut Space<M> {
        &mut self.space
    }

    /// The markings found so far.
    pub fn markings(&self) -> &M {
        self.space.markings()
    }

    /// The marking graph, for the next product.
    pub fn into_space(self) -> Space<M> {
        self.space
    }
}

impl<M: Successors> Graph for Product<M> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        self.pairs.number(MarkingId::INITIAL, self.initial, self.space.markings_mut().meter_mut())
    }

    #[inline]
    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        let (m, q) = self.pairs.pair(s);
        self.space.markings_mut().meter_mut().tick()?;
        let (from, to) = self.letters.moves(m, q, self.space.markings_mut())?;
        if from == to {
            return Ok(None);
        }
        if cursor.minor == to - from {
            *cursor = Cursor { major: cursor.major + 1, minor: 0 };
        }
        let degree = self.degree((m, q))?;
        if cursor.major >= degree.max(1) {
            return Ok(None);
        }
        let marking = if degree == 0 { m } else { self.target((m, q), cursor.major)? };
        let step = self.letters.move_at(from + cursor.minor);
        cursor.minor += 1;
        self.edge(marking, step).map(Some)
    }

    #[inline]
    fn accepting(&self, s: GraphStateId) -> bool {
        self.accepting[self.pairs.pair(s).1 as usize]
    }

    fn all_marks(&self) -> u64 {
        self.all_marks
    }

    fn meter(&mut self) -> &mut Meter {
        self.space.markings_mut().meter_mut()
    }
}
