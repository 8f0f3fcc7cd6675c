//! The synchronous product of a model and a property automaton, generated on the fly.
//!
//! As for nets (`brine_explicit::product`): the automaton reads the source of a step, and a
//! dead state stutters. The letter of a state is kept; what the automaton does under a letter is
//! looked up.
//!
//! A model that goes wrong stops the search; [`Vectors::went_wrong`](crate::vectors::Vectors::went_wrong)
//! then says why.

use crate::edges::{ModelEdge, ModelEdges, grow};
use brine_explicit::graph::{Cursor, Edge, Graph, GraphStateId};
use brine_explicit::meter::Meter;
use brine_explicit::pairs::Pairs;
use brine_explicit::store::MarkingId;
use brine_ltl::{Automaton, Reading};
use brine_pins::{GroupId, ModelError, Pins, PinsStop, StateLabelId};
use brine_run::Stop;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The automaton has read everything before the state it stands beside.
const READING: Reading = Reading::Source;
/// The letter of a state is not known yet. (Should all of 64 atoms hold, it is read every time.)
const UNREAD: u64 = u64::MAX;

/// A move of the automaton.
#[derive(Clone, Copy, Debug)]
struct AutomatonMove {
    state: u32,
    marks: u64,
}

/// A product under construction.
pub struct VectorProduct<E> {
    edges: E,
    automaton: Arc<Automaton>,
    accepting: Vec<bool>,
    pairs: Pairs,
    letters: Vec<u64>,
    /// The moves of an automaton state under a letter: a part of `moves`.
    known: FxHashMap<(u32, u64), (u32, u32)>,
    moves: Vec<AutomatonMove>,
    /// What the labels read, state after state.
    state: Vec<u32>,
    short: Vec<u32>,
}

impl<'m, E: ModelEdges<'m>> VectorProduct<E> {
    /// The product of the states of a model, whose labels are the automaton's atoms, and an
    /// automaton; `accepting` says which of its states count as accepting.
    pub fn new(edges: E, automaton: Arc<Automaton>, accepting: Vec<bool>) -> Self {
        let labels = edges.vectors().model().labels();
        debug_assert_eq!(labels, automaton.atoms().len(), "labels are atoms");
        VectorProduct {
            pairs: Pairs::new(automaton.num_states()),
            edges,
            automaton,
            accepting,
            letters: Vec::new(),
            known: FxHashMap::default(),
            moves: Vec::new(),
            state: Vec::new(),
            short: Vec::new(),
        }
    }

    /// The graph of the model.
    pub fn into_edges(self) -> E {
        self.edges
    }

    /// The model's state of a product state.
    pub fn state_of(&self, s: GraphStateId) -> MarkingId {
        self.pairs.pair(s).0
    }

    /// A group that leads from one state to another, if there is one.
    pub fn group_between(
        &mut self,
        from: MarkingId,
        to: MarkingId,
    ) -> Result<Option<GroupId>, PinsStop> {
        let vectors = self.edges.vectors_mut();
        let mut edges = Vec::new();
        vectors.state(from, &mut self.state);
        vectors.successors(from, &self.state, &mut edges)?;
        Ok(edges.iter().find(|edge| edge.1 == to).map(|edge| edge.0))
    }

    fn letter(&mut self, m: MarkingId) -> Result<u64, Stop> {
        match self.letters.get(m.index()) {
            Some(&letter) if letter != UNREAD => Ok(letter),
            _ => {
                let vectors = self.edges.vectors_mut();
                vectors.state(m, &mut self.state);
                let read = read_letter(vectors.model(), &self.state, &mut self.short);
                let letter = read.map_err(|error| vectors.noted(PinsStop::Model(error)))?;
                grow(&mut self.letters, m, UNREAD, vectors)?;
                self.letters[m.index()] = letter;
                Ok(letter)
            }
        }
    }

    /// The moves of the automaton under a letter, as a part of `moves`.
    fn moves(&mut self, q: u32, letter: u64) -> (u32, u32) {
        let (automaton, moves) = (&self.automaton, &mut self.moves);
        *self.known.entry((q, letter)).or_insert_with(|| {
            let first = moves.len() as u32;
            let edges = automaton.edges_of(brine_ltl::StateId(q)).iter();
            let possible = edges.filter(|e| automaton.label(e.label).accepts(letter));
            moves.extend(possible.map(|e| AutomatonMove { state: e.dst.0, marks: e.marks }));
            (first, moves.len() as u32)
        })
    }
}

/// The atoms that hold in a state.
fn read_letter(model: &dyn Pins, state: &[u32], short: &mut Vec<u32>) -> Result<u64, ModelError> {
    let mut letter = 0;
    for label in (0..model.labels() as u32).map(StateLabelId) {
        short.clear();
        short.extend(model.label_reads(label).iter().map(|slot| state[slot.index()]));
        letter |= u64::from(model.label(label, short)?) << label.0;
    }
    Ok(letter)
}

impl<'m, E: ModelEdges<'m>> Graph for VectorProduct<E> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        // Nothing has been read yet, so the first letter does not matter.
        let q = READING.start(&self.automaton, 0)[0].0;
        self.pairs.number(MarkingId::INITIAL, q, self.edges.meter())
    }

    #[inline]
    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        let (m, q) = self.pairs.pair(s);
        self.edges.meter().tick()?;
        let letter = self.letter(m)?;
        let (from, to) = self.moves(q, letter);
        if from == to {
            return Ok(None);
        }
        if cursor.minor == to - from {
            *cursor = Cursor { major: cursor.major + 1, minor: 0 };
        }
        let target = match self.edges.edge(m, cursor.major)? {
            ModelEdge::To(target) => target,
            ModelEdge::Dead if cursor.major == 0 => m,
            ModelEdge::Dead | ModelEdge::End => return Ok(None),
        };
        let step = self.moves[(from + cursor.minor) as usize];
        cursor.minor += 1;
        let target = self.pairs.number(target, step.state, self.edges.meter())?;
        Ok(Some(Edge { target, marks: step.marks }))
    }

    #[inline]
    fn accepting(&self, s: GraphStateId) -> bool {
        self.accepting[self.pairs.pair(s).1 as usize]
    }

    fn all_marks(&self) -> u64 {
        self.automaton.all_marks()
    }

    fn meter(&mut self) -> &mut Meter {
        self.edges.meter()
    }
}
