//! The synchronous product of a model and a property automaton, generated on the fly.
//!
//! As for nets (`brine_explicit::product`): the automaton reads the source of a step, and a
//! dead state stutters. The targets of a state's steps are kept once they were generated, and
//! so is the letter of a state; what the automaton does under a letter is looked up.
//!
//! A model that goes wrong stops the search; [`VectorProduct::wrong`] then says why.

use crate::vectors::Vectors;
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

/// The steps of a state: a part of the list of targets.
#[derive(Clone, Copy, Debug)]
struct Steps {
    first: u64,
    count: u32,
}

/// Steps that were not generated yet.
const UNKNOWN: Steps = Steps { first: 0, count: u32::MAX };

/// A move of the automaton.
#[derive(Clone, Copy, Debug)]
struct AutomatonMove {
    state: u32,
    marks: u64,
}

/// A product under construction.
pub struct VectorProduct<'m> {
    vectors: Vectors<'m>,
    automaton: Arc<Automaton>,
    accepting: Vec<bool>,
    pairs: Pairs,
    steps: Vec<Steps>,
    targets: Vec<MarkingId>,
    letters: Vec<u64>,
    /// The moves of an automaton state under a letter: a part of `moves`.
    known: FxHashMap<(u32, u64), (u32, u32)>,
    moves: Vec<AutomatonMove>,
    /// What the labels read, state after state.
    state: Vec<u32>,
    short: Vec<u32>,
    edges: Vec<(GroupId, MarkingId, bool)>,
    wrong: Option<ModelError>,
}

impl<'m> VectorProduct<'m> {
    /// The product of the states of a model, whose labels are the automaton's atoms, and an
    /// automaton; `accepting` says which of its states count as accepting.
    pub fn new(vectors: Vectors<'m>, automaton: Arc<Automaton>, accepting: Vec<bool>) -> Self {
        debug_assert_eq!(vectors.model().labels(), automaton.atoms().len(), "labels are atoms");
        VectorProduct {
            pairs: Pairs::new(automaton.num_states()),
            vectors,
            automaton,
            accepting,
            steps: Vec::new(),
            targets: Vec::new(),
            letters: Vec::new(),
            known: FxHashMap::default(),
            moves: Vec::new(),
            state: Vec::new(),
            short: Vec::new(),
            edges: Vec::new(),
            wrong: None,
        }
    }

    /// The states.
    pub fn vectors(&self) -> &Vectors<'m> {
        &self.vectors
    }

    /// Why the model went wrong, if that ended the search.
    pub fn wrong(&mut self) -> Option<ModelError> {
        self.wrong.take()
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
        self.vectors.state(from, &mut self.state);
        let mut edges = std::mem::take(&mut self.edges);
        self.vectors.successors(from, &self.state, &mut edges)?;
        let found = edges.iter().find(|edge| edge.1 == to).map(|edge| edge.0);
        self.edges = edges;
        Ok(found)
    }

    fn noted<T>(&mut self, result: Result<T, PinsStop>) -> Result<T, Stop> {
        result.map_err(|stop| match stop {
            PinsStop::Stop(stop) => stop,
            PinsStop::Model(error) => {
                self.wrong = Some(error);
                Stop::Cancelled
            }
        })
    }

    /// The steps of a state.
    #[inline]
    fn steps(&mut self, m: MarkingId) -> Result<Steps, Stop> {
        match self.steps.get(m.index()) {
            Some(steps) if steps.count != UNKNOWN.count => Ok(*steps),
            _ => self.expand(m),
        }
    }

    fn expand(&mut self, m: MarkingId) -> Result<Steps, Stop> {
        self.vectors.state(m, &mut self.state);
        let mut edges = std::mem::take(&mut self.edges);
        let result = self.vectors.successors(m, &self.state, &mut edges);
        self.noted(result)?;
        let meter = &mut self.vectors.meter;
        let steps = Steps { first: self.targets.len() as u64, count: edges.len() as u32 };
        meter.reserve(&mut self.targets, edges.len())?;
        self.targets.extend(edges.iter().map(|edge| edge.1));
        grow(&mut self.steps, m, UNKNOWN, meter)?;
        self.steps[m.index()] = steps;
        self.edges = edges;
        Ok(steps)
    }

    fn letter(&mut self, m: MarkingId) -> Result<u64, Stop> {
        match self.letters.get(m.index()) {
            Some(&letter) if letter != UNREAD => Ok(letter),
            _ => {
                self.vectors.state(m, &mut self.state);
                let read = read_letter(self.vectors.model(), &self.state, &mut self.short);
                let letter = self.noted(read.map_err(PinsStop::Model))?;
                grow(&mut self.letters, m, UNREAD, &mut self.vectors.meter)?;
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

/// Makes room for the entry of a state, and for some of those behind it.
fn grow<T: Copy>(list: &mut Vec<T>, m: MarkingId, empty: T, meter: &mut Meter) -> Result<(), Stop> {
    if m.index() >= list.len() {
        let room = m.index() + 1 + (m.index() >> 2);
        meter.reserve(list, room - list.len())?;
        list.resize(room, empty);
    }
    Ok(())
}

impl Graph for VectorProduct<'_> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        // Nothing has been read yet, so the first letter does not matter.
        let q = READING.start(&self.automaton, 0)[0].0;
        self.pairs.number(MarkingId::INITIAL, q, &mut self.vectors.meter)
    }

    #[inline]
    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        let (m, q) = self.pairs.pair(s);
        self.vectors.meter.tick()?;
        let letter = self.letter(m)?;
        let (from, to) = self.moves(q, letter);
        if from == to {
            return Ok(None);
        }
        if cursor.minor == to - from {
            *cursor = Cursor { major: cursor.major + 1, minor: 0 };
        }
        let steps = self.steps(m)?;
        if cursor.major >= steps.count.max(1) {
            return Ok(None);
        }
        let target = match steps.count {
            0 => m,
            _ => self.targets[(steps.first + u64::from(cursor.major)) as usize],
        };
        let step = self.moves[(from + cursor.minor) as usize];
        cursor.minor += 1;
        let target = self.pairs.number(target, step.state, &mut self.vectors.meter)?;
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
        &mut self.vectors.meter
    }
}
