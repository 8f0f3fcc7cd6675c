//! In which order variables and equations are eliminated ([`super::elimination`]).
//!
//! *Invariant.* A variable's column holds its equations that are left, an equation's list its
//! variables that are left. *Cost*: quadratic in their number.

use super::elimination::Variable;
use rustc_hash::FxHashMap;

/// Combinations of values that may be tried.
const MOST_TRIED: i64 = 10_000;
/// Variables whose values may be tried: the depth of a recursion.
const MOST_TRIED_VARIABLES: usize = 8;

/// The equations of a variable, with its factors there.
pub(super) type Column = Vec<(usize, i64)>;

/// One step. Variables and equations are named by numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Two variables with the same factors become the first; one of their equations limits it.
    Merge { into: usize, from: usize, within: (usize, i64) },
    /// A variable goes into its only equation.
    FoldVariable { variable: usize, row: usize, factor: i64 },
    /// An equation goes into its only variable.
    FoldRow { row: usize, variable: usize, factor: i64 },
    /// An equation without variables.
    CloseRow { row: usize },
    /// A variable without equations.
    CloseVariable { variable: usize },
    /// All values of a variable are tried.
    Try { variable: usize, column: Column },
}

/// The steps, or `None` if too many values would have to be tried.
pub(super) fn plan(variables: &[Variable], values: &[i64]) -> Option<Vec<Step>> {
    let mut rows = vec![Some(0); values.len()];
    for &(row, _) in variables.iter().flat_map(|v| &v.column) {
        rows[row] = rows[row].map(|n: usize| n + 1);
    }
    let columns = variables.iter().map(|v| Some(v.column.clone())).collect();
    let mut planner = Planner { columns, rows };
    let (mut steps, mut tried, mut combinations) = (Vec::new(), 0, 1_i64);
    while let Some(step) = planner.next_step(values) {
        if let Step::Try { column, .. } = &step {
            combinations = combinations.checked_mul(most(column, values).checked_add(1)?)?;
            tried += 1;
            if combinations > MOST_TRIED || tried > MOST_TRIED_VARIABLES {
                return None;
            }
        }
        planner.take(&step);
        steps.push(step);
    }
    Some(steps)
}

/// The most that a variable can come to.
fn most(column: &Column, values: &[i64]) -> i64 {
    column.iter().map(|&(row, factor)| values[row] / factor).min().unwrap_or(0)
}

/// What is left.
struct Planner {
    columns: Vec<Option<Column>>,
    /// How many variables an equation has.
    rows: Vec<Option<usize>>,
}

impl Planner {
    fn next_step(&self, values: &[i64]) -> Option<Step> {
        self.of_variable()
            .or_else(|| self.of_row())
            .or_else(|| self.merge())
            .or_else(|| self.to_try(values))
    }

    fn left(&self) -> impl Iterator<Item = (usize, &Column)> {
        self.columns.iter().enumerate().filter_map(|(v, column)| Some((v, column.as_ref()?)))
    }

    fn of_variable(&self) -> Option<Step> {
        self.left().find_map(|(variable, column)| match *column.as_slice() {
            [] => Some(Step::CloseVariable { variable }),
            [(row, factor)] => Some(Step::FoldVariable { variable, row, factor }),
            _ => None,
        })
    }

    fn of_row(&self) -> Option<Step> {
        let single = |row: usize| {
            let of = |(variable, column): (usize, &Column)| {
                let factor = column.iter().find(|entry| entry.0 == row)?.1;
                Some(Step::FoldRow { row, variable, factor })
            };
            self.left().find_map(of)
        };
        let mut rows = self.rows.iter().enumerate();
        rows.find_map(|(row, count)| match *count {
            Some(0) => Some(Step::CloseRow { row }),
            Some(1) => single(row),
            _ => None,
        })
    }

    fn merge(&self) -> Option<Step> {
        let mut known: FxHashMap<&Column, usize> = FxHashMap::default();
        self.left().find_map(|(from, column)| {
            let within = *column.first()?;
            let into = *known.entry(column).or_insert(from);
            (into != from).then_some(Step::Merge { into, from, within })
        })
    }

    fn to_try(&self, values: &[i64]) -> Option<Step> {
        let few = |&(variable, column): &(usize, &Column)| {
            (most(column, values), std::cmp::Reverse(column.len()), variable)
        };
        let (variable, column) = self.left().min_by_key(few)?;
        Some(Step::Try { variable, column: column.clone() })
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Merge { from: variable, .. }
            | Step::FoldVariable { variable, .. }
            | Step::CloseVariable { variable }
            | Step::Try { variable, .. } => {
                for (row, _) in self.columns[variable].take().into_iter().flatten() {
                    self.rows[row] = self.rows[row].map(|n| n - 1);
                }
            }
            Step::FoldRow { row, .. } | Step::CloseRow { row } => {
                debug_assert!(self.rows[row].is_some_and(|n| n <= 1), "few are in it");
                self.rows[row] = None;
                self.columns.iter_mut().flatten().for_each(|c| c.retain(|entry| entry.0 != row));
            }
        }
    }
}
