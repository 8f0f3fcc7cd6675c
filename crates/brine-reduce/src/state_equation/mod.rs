//! The state equation: what no reachable marking can satisfy.
//!
//! A marking m that is reached by firing each live transition t some x(t) times satisfies
//! m = m0 + C x with x >= 0 and m >= 0 (Murata 1989), where C is the effect of the
//! transitions. So a conjunction of linear constraints that this system, relaxed to real
//! numbers, cannot satisfy is satisfied by no reachable marking. Two more facts
//! cut away solutions that are not reachable: proven upper bounds that do not follow from
//! the equation, and *traps* (`traps`): a set of places that is marked at the start and
//! that no transition can empty stays marked.
//!
//! ```text
//! excludes(constraints):
//!     loop
//!         solve the linear program m0 + C x >= 0, constraints, traps found so far
//!         no solution:   look for a certificate; answer "excluded" if it is proved
//!         solution m:    find a marked trap that m leaves empty; none: answer "open"
//! ```
//!
//! **The solver suggests, exact arithmetic proves.** Linear programs are solved in floating
//! point (`program`), and nothing a solver says is believed. "No solution" counts only with
//! a certificate: integer weights whose defining inequalities are checked one by one,
//! in integers that cannot overflow silently (`certificate`). A wrong or badly rounded
//! suggestion costs an answer, never its truth.
//!
//! A related question has a file of its own (`ranking`): which transitions cannot go on for
//! ever by themselves.
//!
//! Cost: one or a few linear programs with a column per different effect and a row per
//! place, under a deadline.

mod certificate;
mod program;
mod ranking;
#[cfg(test)]
mod tests;
mod traps;

use brine_net::{Bounds, Incidence, Net, PlaceId, Structure, TransitionId};
use brine_run::{Control, Stop};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Programs that one question may lead to: one, and one for each trap.
const ROUNDS: usize = 4;

/// The linear constraint `sum coefficient * place <= bound`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint {
    /// Coefficients by place: sorted, each place once, no zeros.
    pub terms: Vec<(PlaceId, i64)>,
    /// The right-hand side.
    pub bound: i64,
}

impl Constraint {
    /// Whether the places ascend and no coefficient is zero.
    fn is_in_order(&self) -> bool {
        self.terms.is_sorted_by(|a, b| a.0 < b.0) && self.terms.iter().all(|&(_, c)| c != 0)
    }
}

/// What proves that constraints exclude each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Proof {
    /// One constraint is outside the bounds of its places.
    Bounds,
    /// The state equation has no solution.
    Equation,
    /// The state equation has no solution that keeps the marked traps marked.
    Traps,
}

/// Weights that prove that constraints exclude each other, as the head of `certificate` says:
/// they were checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// One for each constraint, not negative.
    pub lambda: Vec<i128>,
    /// Marked traps, as the constraints that they stay marked, with their weights.
    pub traps: Vec<(Constraint, i128)>,
    /// One for each place: no live transition raises the weighted sum.
    pub y: Vec<i128>,
}

/// Counts of what was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EquationStats {
    /// Linear programs solved.
    pub programs: u64,
    /// Questions answered by a proof.
    pub proved: u64,
    /// Programs without a solution for which no suggestion passed the exact check.
    pub unproved: u64,
    /// Programs given up for lack of time or numerical trouble.
    pub gave_up: u64,
}

/// The state equation of one net.
#[derive(Clone, Debug)]
pub struct StateEquation<'a> {
    net: &'a Net,
    bounds: &'a Bounds,
    incidence: &'a Incidence,
    /// The different effects of live transitions, sorted by place.
    columns: Vec<Vec<(PlaceId, i64)>>,
    /// Live transitions that can empty a place.
    live: Vec<TransitionId>,
    /// Places whose bound does not follow from the equation.
    bounded: Vec<(PlaceId, u64)>,
    /// Marked traps that led to a proof, as constraints.
    traps: Vec<Constraint>,
    stats: EquationStats,
}

impl<'a> StateEquation<'a> {
    /// Collects the effects of all transitions that are not known to be dead.
    ///
    /// ```
    /// use brine_reduce::state_equation::{Constraint, Proof, StateEquation};
    /// use brine_net::{NetBuilder, Structure};
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 2), b.place("q", 0));
    /// b.transition("t", &[(p, 1)], &[(q, 1)]);
    /// let net = b.build().unwrap();
    /// let structure = Structure::new(&net);
    /// let mut equation = StateEquation::new(&net, &structure);
    /// let both = Constraint { terms: vec![(p, -1), (q, -1)], bound: -3 };
    /// assert_eq!(equation.excludes(&[both], None), Some(Proof::Equation));
    /// let empty = Constraint { terms: vec![(p, 1)], bound: 0 };
    /// assert_eq!(equation.excludes(&[empty], None), None);
    /// ```
    pub fn new(net: &'a Net, structure: &'a Structure) -> Self {
        match Self::within(net, structure, &Control::default()) {
            Ok(equation) => equation,
            Err(stop) => unreachable!("nothing stops it, but: {stop}"),
        }
    }

    /// The same under a control.
    pub fn within(net: &'a Net, structure: &'a Structure, control: &Control) -> Result<Self, Stop> {
        let mut pace = control.pace();
        let dead = &structure.facts.dead_transitions;
        let mut live: Vec<TransitionId> = net.transition_ids().collect();
        live.retain(|t| dead.binary_search(t).is_err());
        let mut different: FxHashSet<&[(PlaceId, i64)]> = FxHashSet::default();
        for &t in &live {
            let effect = structure.incidence.effect(t);
            pace.steps(1 + effect.len())?;
            different.insert(effect);
        }
        let mut columns: Vec<Vec<(PlaceId, i64)>> =
            different.into_iter().filter(|e| !e.is_empty()).map(<[_]>::to_vec).collect();
        columns.sort_unstable();
        pace.look()?;
        let implied = Bounds::new(net, &structure.incidence, &structure.semiflows.flows);
        let (bounds, incidence) = (&structure.bounds, &structure.incidence);
        let bounded = net
            .place_ids()
            .filter_map(|p| bounds.of(p).map(|b| (p, b)))
            .filter(|&(p, b)| implied.of(p).is_none_or(|i| b < i))
            .filter(|(p, _)| structure.facts.constant_places.binary_search(p).is_err())
            .collect();
        let (traps, stats) = (Vec::new(), EquationStats::default());
        pace.look()?;
        Ok(StateEquation { net, bounds, incidence, columns, live, bounded, traps, stats })
    }

    /// A proof that no reachable marking satisfies all constraints. `None` means that there
    /// may be such a marking, or that the time was too short to tell.
    pub fn excludes(
        &mut self,
        constraints: &[Constraint],
        deadline: Option<Instant>,
    ) -> Option<Proof> {
        debug_assert!(constraints.iter().all(Constraint::is_in_order), "{constraints:?}");
        if constraints.iter().any(|c| self.least(c) > i128::from(c.bound)) {
            return Some(Proof::Bounds);
        }
        let initially = |c: &Constraint| self.value_at_start(c) <= i128::from(c.bound);
        if constraints.iter().all(initially) {
            return None;
        }
        let refutation = self.refutes(constraints, deadline)?;
        Some(if refutation.traps.is_empty() { Proof::Equation } else { Proof::Traps })
    }

    /// The weights that prove it, from the equation and traps. `None` as in
    /// [`StateEquation::excludes`].
    pub fn refutes(
        &mut self,
        constraints: &[Constraint],
        deadline: Option<Instant>,
    ) -> Option<Refutation> {
        let refutation = self.search(constraints, deadline);
        self.stats.proved += u64::from(refutation.is_some());
        refutation
    }

    /// What was done so far.
    pub fn stats(&self) -> EquationStats {
        self.stats
    }

    fn search(
        &mut self,
        constraints: &[Constraint],
        deadline: Option<Instant>,
    ) -> Option<Refutation> {
        let mut all = constraints.to_vec();
        all.extend_from_slice(&self.traps);
        for _ in 0..ROUNDS {
            self.stats.programs += 1;
            match self.solve(&all, time_left(deadline)?) {
                program::Solved::Solution(marking) => all.push(self.unmarked_trap(&marking)?),
                program::Solved::Infeasible => {
                    return self.certify(all, constraints.len(), time_left(deadline)?);
                }
                program::Solved::Stopped => {
                    self.stats.gave_up += 1;
                    return None;
                }
            }
        }
        None
    }

    /// Looks for a certificate; the constraints from `asked` on are traps.
    fn certify(
        &mut self,
        mut all: Vec<Constraint>,
        asked: usize,
        time: Duration,
    ) -> Option<Refutation> {
        self.stats.programs += 1;
        let proof = self.suggest(&all, time).filter(|s| self.proves(&all, s));
        let Some(certificate::Suggestion { mut lambda, y }) = proof else {
            self.stats.unproved += 1;
            return None;
        };
        let found = all.split_off(asked);
        let weights = lambda.split_off(asked);
        let used = found.iter().cloned().zip(weights).filter(|trap| trap.1 != 0);
        let traps: Vec<(Constraint, i128)> = used.collect();
        if !traps.is_empty() {
            self.traps = found;
        }
        Some(Refutation { lambda, traps, y })
    }

    /// A lower bound of the constraint's left-hand side by the bounds of single places.
    fn least(&self, constraint: &Constraint) -> i128 {
        constraint.terms.iter().fold(0, |sum: i128, &(p, c)| {
            let most = if c > 0 { 0 } else { self.bounds.of(p).unwrap_or(u64::MAX) };
            // A coefficient times a bound stays below 2^127; sums may saturate downwards.
            sum.saturating_add(i128::from(c).saturating_mul(i128::from(most)))
        })
    }

    fn value_at_start(&self, constraint: &Constraint) -> i128 {
        let tokens = |p: PlaceId| i128::from(self.net.place(p).initial);
        constraint.terms.iter().map(|&(p, c)| i128::from(c) * tokens(p)).sum()
    }
}

/// The time until the deadline; `None` if there is none left.
fn time_left(deadline: Option<Instant>) -> Option<Duration> {
    match deadline {
        None => Some(Duration::MAX),
        Some(d) => Some(d.saturating_duration_since(Instant::now())).filter(|t| !t.is_zero()),
    }
}
