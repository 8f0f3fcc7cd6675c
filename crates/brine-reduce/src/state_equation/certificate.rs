//! The exact check of a suggested proof.
//!
//! A [`Suggestion`] gives a weight lambda(i) >= 0 to each constraint a(i) m <= b(i) and a
//! weight y(p) of any sign to each place. If
//!
//! 1. y C(t) <= 0 for the effect C(t) of every live transition t,
//!
//! then y m <= y m0 for every reachable m. Adding lambda times the constraints gives
//! w m <= lambda b + y m0 with w = y + sum lambda(i) a(i). On the other hand, with
//! 0 <= m <= u,
//!
//! 2. w m >= the sum of w(p) u(p) over all places with w(p) < 0 (each must have a bound).
//!
//! If that sum is larger than lambda b + y m0, no reachable m satisfies the constraints
//! (Farkas). All numbers are integers, every operation is checked; an overflow rejects.

use super::{Constraint, StateEquation};
use brine_net::PlaceId;

/// Integer weights that may prove that constraints exclude each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Suggestion {
    /// One for each constraint.
    pub(super) lambda: Vec<i128>,
    /// One for each place of the net.
    pub(super) y: Vec<i128>,
}

impl StateEquation<'_> {
    /// Does the suggestion prove that no reachable marking satisfies all constraints?
    pub(super) fn proves(&self, constraints: &[Constraint], suggestion: &Suggestion) -> bool {
        debug_assert_eq!(suggestion.lambda.len(), constraints.len(), "one for each constraint");
        debug_assert_eq!(suggestion.y.len(), self.net.places().len(), "one for each place");
        self.never_rises(&suggestion.y) && self.contradicts(constraints, suggestion) == Some(true)
    }

    /// Condition 1: no live transition raises the weighted sum.
    fn never_rises(&self, y: &[i128]) -> bool {
        self.columns.iter().all(|effect| {
            let change = effect.iter().try_fold(0_i128, |sum, &(p, e)| {
                sum.checked_add(y[p.index()].checked_mul(i128::from(e))?)
            });
            change.is_some_and(|change| change <= 0)
        })
    }

    /// Condition 2 and the comparison; `None` on overflow.
    fn contradicts(&self, constraints: &[Constraint], suggestion: &Suggestion) -> Option<bool> {
        let mut w = suggestion.y.clone();
        let mut most = 0_i128;
        for (p, &y) in suggestion.y.iter().enumerate() {
            let tokens = self.net.place(PlaceId(p as u32)).initial;
            most = most.checked_add(y.checked_mul(i128::from(tokens))?)?;
        }
        for (constraint, &lambda) in constraints.iter().zip(&suggestion.lambda) {
            if lambda < 0 {
                return Some(false);
            }
            most = most.checked_add(lambda.checked_mul(i128::from(constraint.bound))?)?;
            for &(p, c) in &constraint.terms {
                let w = &mut w[p.index()];
                *w = w.checked_add(lambda.checked_mul(i128::from(c))?)?;
            }
        }
        let mut least = 0_i128;
        for (p, &w) in w.iter().enumerate().filter(|(_, w)| **w < 0) {
            let Some(bound) = self.bounds.of(PlaceId(p as u32)) else { return Some(false) };
            least = least.checked_add(w.checked_mul(i128::from(bound))?)?;
        }
        Some(most < least)
    }
}
