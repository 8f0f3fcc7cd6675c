//! Linear programs, in floating point: nothing here is believed.
//!
//! Two programs, duals of each other, with the firing counts x of the columns as the
//! variables of the first:
//!
//! ```text
//! solve:    x >= 0,   m0 + C x >= 0,   m0 + C x <= u,   a(i) (m0 + C x) <= b(i)
//! suggest:  minimise  sum w(p) m0(p) + sum z(p) (u(p) - m0(p)) + sum lambda(i) (b(i) - a(i) m0)
//!           subject to  y C(t) <= 0 for all t,  where y = w - z - sum lambda(i) a(i),
//!           w, z, lambda >= 0,   sum lambda(i) <= 1
//! ```
//!
//! The first starts at x = 0, where only the constraints asked about can be violated, and
//! the simplex method leaves all columns alone that do not help. If it has no solution, the
//! second one has a negative minimum, and its solution (a vertex: small fractions) is
//! rounded to integer weights for the exact check.

use super::certificate::Suggestion;
use super::{Constraint, StateEquation};
use brine_net::PlaceId;
use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, SolveOptions, SolveOutcome, Variable,
};
use std::time::Duration;

/// What became of the first program.
pub(super) enum Solved {
    /// A marking that may or may not be reachable.
    Solution(Vec<f64>),
    /// The solver found none.
    Infeasible,
    /// No time, or numerical trouble.
    Stopped,
}

/// Values below this are zero.
const ZERO: f64 = 1e-9;
/// How far a fraction may be from the value it stands for.
const CLOSE: f64 = 1e-7;
/// Largest denominator of one value, and of all together.
const DENOMINATOR: i128 = 10_000;
const COMMON: i128 = 1_000_000_000_000;
/// Larger parts of a continued fraction are rounding errors.
const LARGEST: f64 = 1e15;

impl StateEquation<'_> {
    /// The first program.
    pub(super) fn solve(&self, constraints: &[Constraint], time: Duration) -> Solved {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let x: Vec<Variable> =
            self.columns.iter().map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); self.net.places().len()];
        for (&x, column) in x.iter().zip(&self.columns) {
            column.iter().for_each(|&(p, effect)| rows[p.index()].push((x, effect as f64)));
        }
        let tokens = |p: PlaceId| f64::from(self.net.place(p).initial);
        for (p, row) in self.net.place_ids().zip(&rows) {
            if row.iter().any(|&(_, effect)| effect < 0.0) {
                problem.add_constraint(row.as_slice(), ComparisonOp::Ge, -tokens(p));
            }
        }
        for &(p, bound) in &self.bounded {
            let room = bound as f64 - tokens(p);
            problem.add_constraint(rows[p.index()].as_slice(), ComparisonOp::Le, room);
        }
        for constraint in constraints {
            let row = self.effect_on(constraint).map(|(t, e)| (x[t], e));
            let room = self.room(constraint);
            problem.add_constraint(row.collect::<Vec<_>>().as_slice(), ComparisonOp::Le, room);
        }
        match problem.solve_with(options(time)) {
            Ok(SolveOutcome::Solution(solution)) => {
                let mut marking: Vec<f64> = self.net.place_ids().map(tokens).collect();
                for (&x, column) in x.iter().zip(&self.columns) {
                    let count = solution.var_value(x);
                    column.iter().for_each(|&(p, e)| marking[p.index()] += count * e as f64);
                }
                Solved::Solution(marking)
            }
            Err(Error::Infeasible) => Solved::Infeasible,
            _ => Solved::Stopped,
        }
    }

    /// The second program, rounded.
    pub(super) fn suggest(&self, constraints: &[Constraint], time: Duration) -> Option<Suggestion> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let range = (0.0, f64::INFINITY);
        let tokens = |p: PlaceId| f64::from(self.net.place(p).initial);
        let w: Vec<Variable> =
            self.net.place_ids().map(|p| problem.add_var(tokens(p), range)).collect();
        let room = |&(p, bound): &(PlaceId, u64)| bound as f64 - tokens(p);
        let z: Vec<Variable> =
            self.bounded.iter().map(|b| problem.add_var(room(b), range)).collect();
        let lambda: Vec<Variable> =
            constraints.iter().map(|c| problem.add_var(self.room(c), range)).collect();
        let mut rows: Vec<Vec<(Variable, f64)>> = self
            .columns
            .iter()
            .map(|column| column.iter().map(|&(p, e)| (w[p.index()], e as f64)).collect())
            .collect();
        let mut z_of = vec![None; w.len()];
        z.iter().zip(&self.bounded).for_each(|(&z, &(p, _))| z_of[p.index()] = Some(z));
        for (row, column) in rows.iter_mut().zip(&self.columns) {
            let ceilings = column.iter().filter_map(|&(p, e)| Some((z_of[p.index()]?, -e as f64)));
            row.extend(ceilings);
        }
        for (&lambda, constraint) in lambda.iter().zip(constraints) {
            self.effect_on(constraint).for_each(|(t, e)| rows[t].push((lambda, -e)));
        }
        for row in &rows {
            problem.add_constraint(row.as_slice(), ComparisonOp::Le, 0.0);
        }
        let sum: Vec<(Variable, f64)> = lambda.iter().map(|&l| (l, 1.0)).collect();
        problem.add_constraint(sum.as_slice(), ComparisonOp::Le, 1.0);
        let Ok(SolveOutcome::Solution(solution)) = problem.solve_with(options(time)) else {
            return None;
        };
        let values: Vec<f64> =
            w.iter().chain(&z).chain(&lambda).map(|&v| solution.var_value(v)).collect();
        let integers = to_integers(&values)?;
        let (w, rest) = integers.split_at(w.len());
        let (z, lambda) = rest.split_at(z.len());
        self.weights(constraints, w, z, lambda)
    }

    /// y = w - z - sum lambda(i) a(i)
    fn weights(
        &self,
        constraints: &[Constraint],
        w: &[i128],
        z: &[i128],
        lambda: &[i128],
    ) -> Option<Suggestion> {
        let mut y = w.to_vec();
        for (&z, &(p, _)) in z.iter().zip(&self.bounded) {
            y[p.index()] = y[p.index()].checked_sub(z)?;
        }
        for (&lambda, constraint) in lambda.iter().zip(constraints) {
            for &(p, c) in &constraint.terms {
                y[p.index()] = y[p.index()].checked_sub(lambda.checked_mul(i128::from(c))?)?;
            }
        }
        Some(Suggestion { lambda: lambda.to_vec(), y })
    }

    /// What each column changes of the constraint's left-hand side, if anything.
    fn effect_on(&self, constraint: &Constraint) -> impl Iterator<Item = (usize, f64)> {
        let mut coefficients = vec![0.0; self.net.places().len()];
        for &(p, c) in &constraint.terms {
            coefficients[p.index()] = c as f64;
        }
        self.columns.iter().enumerate().filter_map(move |(t, column)| {
            let change = column.iter().map(|&(p, e)| coefficients[p.index()] * e as f64).sum();
            (change != 0.0).then_some((t, change))
        })
    }

    /// How much the initial marking leaves of the right-hand side.
    fn room(&self, constraint: &Constraint) -> f64 {
        constraint.bound as f64 - self.value_at_start(constraint) as f64
    }
}

pub(super) fn options(time: Duration) -> SolveOptions {
    let mut options = SolveOptions::default();
    options.time_limit = Some(time);
    options
}

/// The values as fractions, times their common denominator.
pub(super) fn to_integers(values: &[f64]) -> Option<Vec<i128>> {
    let fractions: Vec<(i128, i128)> =
        values.iter().map(|&v| fraction(v)).collect::<Option<_>>()?;
    let mut common = 1_i128;
    for &(_, d) in &fractions {
        common = common / gcd(common, d) * d;
        if common > COMMON {
            return None;
        }
    }
    fractions.iter().map(|&(n, d)| n.checked_mul(common / d)).collect()
}

/// The fraction with the smallest denominator that is close to the value (its continued
/// fraction, cut off).
fn fraction(value: f64) -> Option<(i128, i128)> {
    if value.abs() < ZERO {
        return Some((0, 1));
    }
    let (mut before, mut now) = ((0_i128, 1_i128), (1_i128, 0_i128));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        // Also where the rest was too small to divide by.
        if !whole.is_finite() || whole.abs() > LARGEST {
            return None;
        }
        let whole_part = whole as i128;
        let next = (
            whole_part.checked_mul(now.0)?.checked_add(before.0)?,
            whole_part.checked_mul(now.1)?.checked_add(before.1)?,
        );
        if next.1 > DENOMINATOR {
            return None;
        }
        if (next.0 as f64 / next.1 as f64 - value).abs() <= CLOSE * value.abs().max(1.0) {
            return Some(next);
        }
        (before, now) = (now, next);
        rest = 1.0 / (rest - whole);
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
