//! The letter that the property automaton reads in a marking, and the moves it allows.
//!
//! Evaluating all atoms costs more than anything else the product does with a known
//! marking, so each marking's letter is worked out once. Letters get small numbers, and for
//! each (letter, automaton state) the matching edges are listed once: afterwards a product
//! step is a table look-up.

use crate::fire::{Firing, Step};
use crate::markings::Markings;
use crate::meter::Meter;
use crate::store::MarkingId;
use crate::successors::Successors;
use brine_ltl::{Atom, Automaton, StateId};
use brine_net::PlaceId;
use brine_run::Stop;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A way for the automaton to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) state: u32,
    pub(crate) marks: u64,
}

/// An atom, ready to be evaluated on packed markings.
#[derive(Debug)]
enum Test {
    /// `sum coefficient * place <= bound`, small enough for 64-bit sums.
    Small { terms: Vec<(PlaceId, i64)>, bound: i64 },
    /// The same with any coefficients.
    Large { terms: Vec<(PlaceId, i64)>, bound: i64 },
    /// One of these transitions is enabled.
    Fireable(Vec<Step>),
    /// None is.
    Deadlock,
    /// A proposition that the net knows nothing of.
    Never,
}

/// The atoms of an automaton, ready to be evaluated on packed markings.
#[derive(Debug)]
pub struct Reader {
    tests: Vec<Test>,
}

impl Reader {
    pub(crate) fn new(aut: &Automaton, firing: &Firing) -> Self {
        let mut step_of = vec![Step(0); firing.len()];
        for step in firing.steps() {
            step_of[firing.transition(step).index()] = step;
        }
        Reader { tests: aut.atoms().iter().map(|a| test_of(a, &step_of)).collect() }
    }

    /// The letter of a marking: bit i says whether atom i holds.
    pub(crate) fn letter(&self, words: &[u64], ms: &Markings<'_>) -> u64 {
        self.reread(0, u64::MAX, words, ms)
    }

    /// The letter of a marking that differs from one with the letter `old` at most in the
    /// atoms `touched`.
    pub(crate) fn reread(&self, old: u64, touched: u64, words: &[u64], ms: &Markings<'_>) -> u64 {
        let mut letter = old & !touched;
        for (i, test) in self.tests.iter().enumerate() {
            if touched >> i & 1 == 1 {
                letter |= u64::from(holds(test, words, ms)) << i;
            }
        }
        letter
    }
}

/// Numbers for letters, and the moves of each automaton state for each letter seen so far.
#[derive(Debug)]
pub(crate) struct Moves {
    aut: Arc<Automaton>,
    states: usize,
    numbers: FxHashMap<u64, u32>,
    /// For letter l and state q, entry l * states + q: where its moves are.
    ranges: Vec<(u32, u32)>,
    moves: Vec<Move>,
}

impl Moves {
    pub(crate) fn new(aut: Arc<Automaton>) -> Self {
        Moves {
            states: aut.num_states(),
            aut,
            numbers: FxHashMap::default(),
            ranges: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The number of a letter; numbers are dense.
    pub(crate) fn number(&mut self, letter: u64, meter: &mut Meter) -> Result<u32, Stop> {
        match self.numbers.get(&letter) {
            Some(&n) => Ok(n),
            None => self.new_letter(letter, meter),
        }
    }

    /// Where the moves from state `q` with a letter are.
    #[inline]
    pub(crate) fn range(&self, letter: u32, q: u32) -> (u32, u32) {
        self.ranges[letter as usize * self.states + q as usize]
    }

    /// The moves from state `q` with a letter.
    pub(crate) fn of(&self, letter: u32, q: u32) -> &[Move] {
        let (from, to) = self.range(letter, q);
        &self.moves[from as usize..to as usize]
    }

    fn new_letter(&mut self, letter: u64, meter: &mut Meter) -> Result<u32, Stop> {
        let number = self.numbers.len() as u32;
        self.numbers.insert(letter, number);
        for q in 0..self.aut.num_states() as u32 {
            let from = self.moves.len() as u32;
            for e in self.aut.edges_of(StateId(q)) {
                let new = Move { state: e.dst.0, marks: e.marks };
                if self.aut.label(e.label).accepts(letter)
                    && !self.moves[from as usize..].contains(&new)
                {
                    meter.push(&mut self.moves, new)?;
                }
            }
            meter.push(&mut self.ranges, (from, self.moves.len() as u32))?;
        }
        Ok(number)
    }
}

const UNREAD: u32 = u32::MAX;

/// The letters of all markings under one automaton.
#[derive(Debug)]
pub(crate) struct Letters<M: Successors> {
    reader: M::Reader,
    moves: Moves,
    /// The number of the marking's letter.
    of: Vec<u32>,
}

impl<M: Successors> Letters<M> {
    pub(crate) fn new(aut: Arc<Automaton>, ms: &M) -> Self {
        Letters { reader: ms.reader(&aut), moves: Moves::new(aut), of: Vec::new() }
    }

    /// Where the moves of the automaton from state `q` in marking `m` are.
    #[inline]
    pub(crate) fn moves(&mut self, m: MarkingId, q: u32, ms: &mut M) -> Result<(u32, u32), Stop> {
        let letter = match self.of.get(m.index()) {
            Some(&letter) if letter != UNREAD => letter,
            _ => self.read(m, ms)?,
        };
        Ok(self.moves.range(letter, q))
    }

    #[inline]
    pub(crate) fn move_at(&self, i: u32) -> Move {
        self.moves.moves[i as usize]
    }

    pub(crate) fn moves_at(&self, from: u32, to: u32) -> &[Move] {
        &self.moves.moves[from as usize..to as usize]
    }

    /// The letter of a marking, worked out anew.
    pub(crate) fn letter(&self, m: MarkingId, ms: &mut M) -> Result<u64, Stop> {
        ms.letter(&self.reader, m)
    }

    /// Works out the letter of a marking.
    fn read(&mut self, m: MarkingId, ms: &mut M) -> Result<u32, Stop> {
        let letter = ms.letter(&self.reader, m)?;
        let number = self.moves.number(letter, ms.meter_mut())?;
        let known = ms.known();
        if self.of.len() <= m.index() {
            let more = known - self.of.len();
            ms.meter_mut().reserve(&mut self.of, more)?;
            self.of.resize(known, UNREAD);
        }
        self.of[m.index()] = number;
        Ok(number)
    }
}

fn test_of(atom: &Atom, step_of: &[Step]) -> Test {
    match atom {
        Atom::Linear(linear) => {
            let (terms, bound) = (linear.terms.clone(), linear.bound);
            let size: u128 = terms.iter().map(|(_, c)| u128::from(c.unsigned_abs())).sum();
            if size < 1 << 30 { Test::Small { terms, bound } } else { Test::Large { terms, bound } }
        }
        Atom::Fireable(ts) => Test::Fireable(ts.iter().map(|t| step_of[t.index()]).collect()),
        Atom::Deadlock => Test::Deadlock,
        // Of an event the marking says nothing: an edge adds it (`fair`).
        Atom::Prop(_) | Atom::Fires(_) => Test::Never,
    }
}

fn holds(test: &Test, words: &[u64], ms: &Markings<'_>) -> bool {
    let (layout, firing) = (ms.layout(), ms.firing());
    match test {
        Test::Small { terms, bound } => {
            let sum: i64 =
                terms.iter().map(|&(p, c)| c * i64::from(layout.field(p).get(words))).sum();
            sum <= *bound
        }
        Test::Large { terms, bound } => {
            let value = |p| i128::from(layout.field(p).get(words));
            terms.iter().map(|&(p, c)| i128::from(c) * value(p)).sum::<i128>() <= i128::from(*bound)
        }
        Test::Fireable(steps) => steps.iter().any(|&t| firing.enabled(t, words)),
        Test::Deadlock => !firing.steps().any(|t| firing.enabled(t, words)),
        Test::Never => false,
    }
}
