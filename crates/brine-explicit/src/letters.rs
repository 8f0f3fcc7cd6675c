//! The letter that the property automaton reads in a marking, and the moves it allows.
//!
//! Evaluating all atoms costs more than anything else the product does with a known
//! marking, so each marking's letter is worked out once. Letters get small numbers, and for
//! each (letter, automaton state) the matching edges are listed once: afterwards a product
//! step is a table look-up.

use crate::fire::Step;
use crate::graph::Marks;
use crate::markings::Markings;
use crate::meter::Stop;
use crate::store::MarkingId;
use brine_ltl::{Atom, Automaton, StateId};
use brine_net::PlaceId;
use rustc_hash::FxHashMap;

/// A way for the automaton to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) state: u32,
    pub(crate) marks: Marks,
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

const UNREAD: u32 = u32::MAX;

/// The letters of all markings under one automaton.
#[derive(Debug)]
pub(crate) struct Letters<'a> {
    aut: &'a Automaton,
    tests: Vec<Test>,
    /// The number of the marking's letter.
    of: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
    letters: Vec<u64>,
    /// For letter l and state q, entry l * states + q: where its moves are.
    ranges: Vec<(u32, u32)>,
    moves: Vec<Move>,
}

impl<'a> Letters<'a> {
    pub(crate) fn new(aut: &'a Automaton, ms: &Markings<'_>) -> Self {
        let firing = ms.firing();
        let mut step_of = vec![0; firing.len()];
        for step in 0..firing.len() as Step {
            step_of[firing.transition(step).index()] = step;
        }
        let tests = aut.atoms().iter().map(|a| test_of(a, &step_of)).collect();
        Letters {
            aut,
            tests,
            of: Vec::new(),
            numbers: FxHashMap::default(),
            letters: Vec::new(),
            ranges: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Where the moves of the automaton from state `q` in marking `m` are.
    #[inline]
    pub(crate) fn moves(
        &mut self,
        m: MarkingId,
        q: u32,
        ms: &mut Markings<'_>,
    ) -> Result<(u32, u32), Stop> {
        let letter = match self.of.get(m as usize) {
            Some(&letter) if letter != UNREAD => letter,
            _ => self.read(m, ms)?,
        };
        Ok(self.ranges[letter as usize * self.aut.num_states() + q as usize])
    }

    #[inline]
    pub(crate) fn move_at(&self, i: u32) -> Move {
        self.moves[i as usize]
    }

    /// Works out the letter of a marking.
    fn read(&mut self, m: MarkingId, ms: &mut Markings<'_>) -> Result<u32, Stop> {
        let words = ms.store().get(m);
        let mut letter = 0u64;
        for (i, test) in self.tests.iter().enumerate() {
            letter |= u64::from(holds(test, words, ms)) << i;
        }
        let number = match self.numbers.get(&letter) {
            Some(&n) => n,
            None => self.new_letter(letter, ms)?,
        };
        let known = ms.store().len();
        if self.of.len() <= m as usize {
            let more = known - self.of.len();
            ms.meter.reserve(&mut self.of, more)?;
            self.of.resize(known, UNREAD);
        }
        self.of[m as usize] = number;
        Ok(number)
    }

    fn new_letter(&mut self, letter: u64, ms: &mut Markings<'_>) -> Result<u32, Stop> {
        let number = self.letters.len() as u32;
        self.numbers.insert(letter, number);
        ms.meter.push(&mut self.letters, letter)?;
        for q in 0..self.aut.num_states() as u32 {
            let from = self.moves.len() as u32;
            for e in self.aut.edges_of(StateId(q)) {
                let new = Move { state: e.dst.0, marks: e.marks };
                if self.aut.label(e.label).accepts(letter)
                    && !self.moves[from as usize..].contains(&new)
                {
                    ms.meter.push(&mut self.moves, new)?;
                }
            }
            ms.meter.push(&mut self.ranges, (from, self.moves.len() as u32))?;
        }
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
        Atom::Prop(_) => Test::Never,
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
        Test::Deadlock => !(0..firing.len() as Step).any(|t| firing.enabled(t, words)),
        Test::Never => false,
    }
}
