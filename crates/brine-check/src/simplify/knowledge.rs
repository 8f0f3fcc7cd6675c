//! What is known about the atoms of one net: which conjunctions of literals never hold.
//!
//! A question goes through the cheap answers first: an earlier question; a marking of the
//! sample in which the conjunction holds; single facts that contradict each other; then the
//! state equation, alternative by alternative. Answers are kept, for all formulas about the
//! net.

use super::cubes::alternatives;
use super::sample::{Row, Sample};
use brine_ltl::Atom;
use brine_net::state_equation::{EquationStats, Proof, StateEquation};
use brine_net::{Net, Structure};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The longest that one linear program may take.
const PATIENCE: Duration = Duration::from_millis(500);

/// An atom, numbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Number(u32);

/// Why a conjunction of literals never holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The literals contradict each other, whatever the net is.
    Contradiction,
    /// By a linear argument about the net: the hardest one that was needed.
    Linear(Proof),
}

/// A net and the answers to all questions about its atoms.
#[derive(Debug)]
pub(super) struct Knowledge<'a> {
    pub(super) net: &'a Net,
    pub(super) structure: &'a Structure,
    pub(super) initial: Vec<u32>,
    equation: StateEquation<'a>,
    sample: Sample,
    numbers: FxHashMap<Atom, Number>,
    /// For each atom, where in the sample it is false and true.
    rows: Vec<[Row; 2]>,
    answers: FxHashMap<Vec<(Number, bool)>, Option<Reason>>,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(net: &'a Net, structure: &'a Structure) -> Self {
        Knowledge {
            net,
            structure,
            initial: net.initial_marking(),
            equation: StateEquation::new(net, structure),
            sample: Sample::new(net, &structure.incidence),
            numbers: FxHashMap::default(),
            rows: Vec::new(),
            answers: FxHashMap::default(),
        }
    }

    pub(super) fn stats(&self) -> EquationStats {
        self.equation.stats()
    }

    /// Why no reachable marking satisfies all literals, if that can be proved in time.
    pub(super) fn excludes(
        &mut self,
        literals: &[(&Atom, bool)],
        deadline: Option<Instant>,
    ) -> Option<Reason> {
        let mut key: Vec<(Number, bool)> =
            literals.iter().map(|&(atom, value)| (self.number(atom), value)).collect();
        key.sort_unstable();
        key.dedup();
        if let Some(&known) = self.answers.get(&key) {
            return known;
        }
        let rows: Vec<&Row> =
            key.iter().map(|&(n, value)| &self.rows[n.0 as usize][usize::from(value)]).collect();
        let answer = if Row::meet(&rows) { Some(None) } else { self.prove(literals, deadline) };
        // An answer that only lacked time may be better the next time.
        if let Some(answer) = answer {
            self.answers.insert(key, answer);
        }
        answer.flatten()
    }

    /// `None` if the time was too short.
    fn prove(
        &mut self,
        literals: &[(&Atom, bool)],
        deadline: Option<Instant>,
    ) -> Option<Option<Reason>> {
        let mut reason = Reason::Contradiction;
        for alternative in alternatives(self.net, literals) {
            let now = Instant::now();
            if deadline.is_some_and(|d| now >= d) {
                return None;
            }
            let patience = deadline.map_or(now + PATIENCE, |d| d.min(now + PATIENCE));
            match self.equation.excludes(&alternative, Some(patience)) {
                Some(proof) => reason = reason.max(Reason::Linear(proof)),
                None => return Some(None),
            }
        }
        Some(Some(reason))
    }

    fn number(&mut self, atom: &Atom) -> Number {
        if let Some(&n) = self.numbers.get(atom) {
            return n;
        }
        let n = Number(self.rows.len() as u32);
        let rows = [false, true].map(|value| self.sample.row(self.net, atom, value));
        self.rows.push(rows);
        self.numbers.insert(atom.clone(), n);
        n
    }
}
