//! What is known about the atoms of one net, seen as `view` says: which conjunctions of literals never hold.
//!
//! A question goes through the cheap answers first: an earlier question; a marking of the
//! sample in which the conjunction holds; single facts that contradict each other; then the
//! state equation, alternative by alternative. Answers are kept, for all formulas about the
//! net.

use super::cubes::alternatives;
use super::patience;
use super::sample::{Sample, SampleRow};
use super::view::NetView;
use brine_ltl::{Atom, Translations};
use brine_net::{PlaceId, Structure, TransitionId};
use brine_reduce::state_equation::{EquationStats, Proof, StateEquation};
use brine_run::{Control, Stop};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

/// The longest that one question to the state equation may take, and one about sets of
/// transitions, which are fewer.
const PATIENCE: Duration = Duration::from_millis(250);
const RANKING_PATIENCE: Duration = Duration::from_millis(1_000);
/// Most semiflows that are looked at.
const SEMIFLOWS: usize = 5_000;

/// An atom, numbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct AtomNumber(u32);

/// Why a conjunction of literals never holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Impossibility {
    /// The literals contradict each other, whatever the net is.
    Contradiction,
    /// By a linear argument about the net: the hardest one that was needed.
    Linear(Proof),
}

/// A net as it is seen, and the answers to all questions about its atoms.
#[derive(Debug)]
pub(crate) struct Knowledge<'a> {
    pub(super) view: NetView<'a>,
    pub(super) structure: &'a Structure,
    equation: StateEquation<'a>,
    sample: Sample,
    numbers: FxHashMap<Atom, AtomNumber>,
    /// For each atom, where in the sample it is false and true.
    rows: Vec<[SampleRow; 2]>,
    answers: FxHashMap<Vec<(AtomNumber, bool)>, Option<Impossibility>>,
    /// For each place, the semiflows it belongs to with its weight there.
    semiflows: Vec<Vec<(u32, u64)>>,
    /// Sets of transitions, and whether they are known to run out.
    rankings: FxHashMap<Vec<TransitionId>, bool>,
    /// Where automata are kept, maybe together with others.
    pub(crate) translations: Arc<Translations>,
}

impl<'a> Knowledge<'a> {
    pub(crate) fn new(
        view: NetView<'a>,
        structure: &'a Structure,
        control: &Control,
    ) -> Result<Self, Stop> {
        let net = view.net();
        let mut semiflows: Vec<Vec<(u32, u64)>> = vec![Vec::new(); net.places().len()];
        for (i, flow) in structure.semiflows.flows.iter().enumerate().take(SEMIFLOWS) {
            flow.weights.iter().for_each(|&(p, w)| semiflows[p.index()].push((i as u32, w)));
        }
        Ok(Knowledge {
            view,
            structure,
            equation: StateEquation::within(net, structure, control)?,
            sample: Sample::new(net, &structure.incidence, control)?,
            numbers: FxHashMap::default(),
            rows: Vec::new(),
            answers: FxHashMap::default(),
            semiflows,
            rankings: FxHashMap::default(),
            translations: Arc::default(),
        })
    }

    pub(crate) fn stats(&self) -> EquationStats {
        self.equation.stats()
    }

    /// Why no reachable marking satisfies all literals, if that can be proved in time.
    pub(crate) fn excludes(
        &mut self,
        literals: &[(&Atom, bool)],
        clock: &Control,
    ) -> Option<Impossibility> {
        let mut key: Vec<(AtomNumber, bool)> =
            literals.iter().map(|&(atom, value)| (self.number(atom), value)).collect();
        key.sort_unstable();
        key.dedup();
        if let Some(&known) = self.answers.get(&key) {
            return known;
        }
        let rows: Vec<&SampleRow> =
            key.iter().map(|&(n, value)| &self.rows[n.0 as usize][usize::from(value)]).collect();
        let answer = if SampleRow::meet(&rows) { Some(None) } else { self.prove(literals, clock) };
        // An answer that only lacked time may be better the next time.
        if let Some(answer) = answer {
            self.answers.insert(key, answer);
        }
        answer.flatten()
    }

    /// Whether the initial marking satisfies all literals.
    pub(super) fn holds_at_start(&self, literals: &[(Atom, bool)]) -> bool {
        literals.iter().all(|(atom, value)| self.view.value_at_start(atom) == Some(*value))
    }

    /// `None` if the time was too short.
    fn prove(
        &mut self,
        literals: &[(&Atom, bool)],
        clock: &Control,
    ) -> Option<Option<Impossibility>> {
        let mut reason = Impossibility::Contradiction;
        for alternative in alternatives(&self.view, &self.structure.bounds, literals) {
            // Bounds are looked at even if there is no time.
            match self.equation.excludes(&alternative, Some(patience(clock, PATIENCE))) {
                Some(proof) => reason = reason.max(Impossibility::Linear(proof)),
                None if clock.is_over() => return None,
                None => return Some(None),
            }
        }
        Some(Some(reason))
    }

    /// Is it proved that no run fires transitions of this set alone for ever?
    pub(crate) fn run_out(&mut self, transitions: Vec<TransitionId>, clock: &Control) -> bool {
        debug_assert!(transitions.is_sorted(), "equal sets are equal keys");
        if let Some(&known) = self.rankings.get(&transitions) {
            return known;
        }
        let patience = patience(clock, RANKING_PATIENCE);
        let answer = self.equation.runs_out(&transitions, Some(patience));
        self.rankings.insert(transitions, answer);
        answer
    }

    /// Can a reachable marking hold these tokens, as far as single places and semiflows say?
    pub(super) fn within_semiflows(&self, tokens: &FxHashMap<PlaceId, u64>) -> bool {
        let bounds = &self.structure.bounds;
        if tokens.iter().any(|(&p, &n)| bounds.of(p).is_some_and(|bound| n > bound)) {
            return false;
        }
        let mut weights: FxHashMap<u32, u128> = FxHashMap::default();
        for (p, &n) in tokens {
            for &(flow, weight) in &self.semiflows[p.index()] {
                let sum = weights.entry(flow).or_default();
                *sum = sum.saturating_add(u128::from(weight) * u128::from(n));
            }
        }
        let value = |flow: u32| u128::from(self.structure.semiflows.flows[flow as usize].value);
        weights.into_iter().all(|(flow, weight)| weight <= value(flow))
    }

    /// Is `u` surely enabled whenever `t` is?
    pub(super) fn asks_less(&self, u: TransitionId, t: TransitionId) -> bool {
        let net = self.view.net();
        self.view.is_exact(u) && covers(net.transition(t).pre, net.transition(u).pre)
    }

    /// Is `u` surely enabled after every firing of `t`?
    pub(super) fn puts_enough(&self, u: TransitionId, t: TransitionId) -> bool {
        let net = self.view.net();
        self.view.is_exact(u) && covers(net.transition(t).post, net.transition(u).pre)
    }

    fn number(&mut self, atom: &Atom) -> AtomNumber {
        if let Some(&n) = self.numbers.get(atom) {
            return n;
        }
        let n = AtomNumber(self.rows.len() as u32);
        let rows = [false, true].map(|value| self.sample.row(&self.view, atom, value));
        self.rows.push(rows);
        self.numbers.insert(atom.clone(), n);
        n
    }
}

/// Are the tokens enough for the demand?
fn covers(tokens: &[(PlaceId, u32)], demand: &[(PlaceId, u32)]) -> bool {
    demand
        .iter()
        .all(|&(p, w)| tokens.binary_search_by_key(&p, |a| a.0).is_ok_and(|i| tokens[i].1 >= w))
}
