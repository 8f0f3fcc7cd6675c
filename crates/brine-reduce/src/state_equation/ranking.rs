//! Which transitions cannot go on for ever by themselves.
//!
//! Let R be a set of transitions and y >= 0 weights with y C(t) <= -1 for all t in R: each
//! firing takes from a sum that is never negative. So no run fires transitions of R alone
//! for ever. Whether or not the net is bounded: the sum after n firings is at most y m - n.
//!
//! If there are no such weights, then some x >= 0, not zero, has C x >= 0 with transitions
//! of R only (Farkas), and nothing is known. As everywhere here, the weights are a
//! suggestion of a floating-point solver, rounded, and count if the exact check passes.

use super::StateEquation;
use super::program::{options, to_integers};
use brine_net::{PlaceId, TransitionId};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use std::time::{Duration, Instant};

impl StateEquation<'_> {
    /// Is it proved that every run fires a transition outside of the set infinitely often, or
    /// comes to an end?
    ///
    /// ```
    /// use brine_reduce::state_equation::StateEquation;
    /// use brine_net::{NetBuilder, Structure};
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 2), b.place("q", 0));
    /// let go = b.transition("go", &[(p, 1)], &[(q, 2)]);
    /// let back = b.transition("back", &[(q, 2)], &[(p, 1)]);
    /// let net = b.build().unwrap();
    /// let structure = Structure::new(&net);
    /// let mut equation = StateEquation::new(&net, &structure);
    /// assert!(equation.runs_out(&[go], None));
    /// assert!(!equation.runs_out(&[go, back], None));
    /// ```
    pub fn runs_out(&mut self, transitions: &[TransitionId], deadline: Option<Instant>) -> bool {
        self.ranking(transitions, deadline).is_some()
    }

    /// The weights that prove it, one for each place.
    pub fn ranking(
        &mut self,
        transitions: &[TransitionId],
        deadline: Option<Instant>,
    ) -> Option<Vec<i128>> {
        if transitions.is_empty() {
            return Some(vec![0; self.net.places().len()]);
        }
        let effects: Vec<_> = transitions.iter().map(|&t| self.incidence.effect(t)).collect();
        let takes = |effect: &&[_]| effect.iter().any(|&(_, e)| e < 0);
        if !effects.iter().all(takes) {
            return None;
        }
        let time = super::time_left(deadline)?;
        self.stats.programs += 1;
        let y = self.suggest_ranking(&effects, time)?;
        let proved = falls_always(&y, &effects);
        *(if proved { &mut self.stats.proved } else { &mut self.stats.unproved }) += 1;
        proved.then_some(y)
    }

    fn suggest_ranking(&self, effects: &[&[(PlaceId, i64)]], time: Duration) -> Option<Vec<i128>> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let range = (0.0, f64::INFINITY);
        let y: Vec<Variable> = self.net.places().map(|_| problem.add_var(1.0, range)).collect();
        let mut rows = effects.to_vec();
        rows.sort_unstable();
        rows.dedup();
        for effect in rows {
            let row: Vec<(Variable, f64)> =
                effect.iter().map(|&(p, e)| (y[p.index()], e as f64)).collect();
            problem.add_constraint(row.as_slice(), ComparisonOp::Le, -1.0);
        }
        match problem.solve_with(options(time)) {
            Ok(SolveOutcome::Solution(solution)) => {
                to_integers(&y.iter().map(|&v| solution.var_value(v)).collect::<Vec<_>>())
            }
            _ => None,
        }
    }
}

/// The exact check: no weight is negative, and every effect lowers the weighted sum.
fn falls_always(y: &[i128], effects: &[&[(PlaceId, i64)]]) -> bool {
    let change = |effect: &[(PlaceId, i64)]| {
        effect.iter().try_fold(0_i128, |sum, &(p, e)| {
            sum.checked_add(y[p.index()].checked_mul(i128::from(e))?)
        })
    };
    y.iter().all(|&y| y >= 0)
        && effects.iter().all(|effect| change(effect).is_some_and(|change| change < 0))
}
