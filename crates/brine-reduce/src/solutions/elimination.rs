//! Sums and maxima over all solutions of equations, one variable after the other.
//!
//! Places with the same factors in all equations are one *variable*, their sum. A variable has a
//! table, by its value (in how many ways its places come to it), and so has an equation, by what
//! the variables that occur nowhere else come to. Then
//!
//! ```text
//! a variable x in one equation only, with factor a:      table of the equation := its table
//!                                                        combined with that of x, stretched by a
//! an equation with one variable x, with factor a:        table of x at n := itself times the
//!                                                        equation's at (right side - a n)
//! two variables with the same factors:                   become one, tables combined
//! none of these:                                         try all values of the variable with
//!                                                        the fewest
//! ```
//!
//! until nothing is left. Which of these happens depends on the equations, not on the right sides,
//! so it is planned once ([`Elimination`]) and evaluated for many right sides. Numbers are
//! counted ([`super::number`]) or maximised ([`super::most`]): a [`Valuation`].
//!
//! *Invariant.* The sum (or maximum), over all values of the variables that are left, of the
//! product of all tables is the result. Each line keeps it; that is the law of distribution.
//!
//! *Cost.* A table has as many entries as its right side; the operations are those of the
//! valuation. Trying values multiplies it, and is limited ([`super::plan`]).

use super::invariants::Invariants;
use super::plan::{Column, Step, plan};
use brine_net::{Net, PlaceId};
use brine_run::{Pace, Stop};
use rustc_hash::FxHashMap;

/// Entries of a table.
const MOST_ENTRIES: i64 = 1 << 20;

/// What is computed over all solutions.
pub(super) trait Valuation {
    /// Values by a number of tokens, from 0.
    type Table: Clone;
    /// The result.
    type Value: Clone;

    /// What these places come to together, for 0 to `most` tokens.
    fn places(
        &self,
        places: &[PlaceId],
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Self::Table, Stop>;

    /// What nothing comes to: one for no token, for 0 to `most` tokens.
    fn nothing(&self, most: usize) -> Self::Table;

    /// All ways to come to n as i + `stride` * k, with i in `table` and k in `part`, for n up to
    /// `most`.
    fn combine(
        &self,
        table: &Self::Table,
        part: &Self::Table,
        stride: usize,
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Self::Table, Stop>;

    /// Multiplies the entry at n by that of `other` at `total` - `stride` * n.
    fn weigh(&self, table: &mut Self::Table, other: &Self::Table, total: usize, stride: usize);

    /// One entry; `None` if no case comes to it.
    fn at(&self, table: &Self::Table, n: usize) -> Option<Self::Value>;

    /// All entries together.
    fn total(&self, table: &Self::Table) -> Self::Value;

    /// Of two cases, all.
    fn either(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// Of two parts, together.
    fn both(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// What no case comes to.
    fn never(&self) -> Self::Value;

    /// What nothing comes to.
    fn always(&self) -> Self::Value;
}

/// Places with the same factors.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    places: Vec<PlaceId>,
    /// The equations it is in, with factors.
    pub(super) column: Column,
}

/// The plan.
#[derive(Debug)]
pub(super) struct Elimination {
    variables: Vec<Variable>,
    steps: Vec<Step>,
}

impl Elimination {
    /// `None` if too many values would have to be tried.
    pub(super) fn new(net: &Net, invariants: &Invariants) -> Option<Self> {
        let mut columns: Vec<Column> = vec![Vec::new(); net.places().len()];
        for (row, &i) in invariants.independent.iter().enumerate() {
            for &(p, factor) in &invariants.rows[i].terms {
                columns[p.index()].push((row, factor));
            }
        }
        let mut variables: Vec<Variable> = Vec::new();
        let mut known: FxHashMap<Column, usize> = FxHashMap::default();
        for (p, column) in net.place_ids().zip(columns) {
            let new = variables.len();
            let variable = *known.entry(column.clone()).or_insert(new);
            if variable == new {
                variables.push(Variable { places: Vec::new(), column });
            }
            variables[variable].places.push(p);
        }
        let values = invariants.values();
        let steps = plan(&variables, &values)?;
        Some(Elimination { variables, steps })
    }

    /// The result for these right sides.
    pub(super) fn evaluate<V: Valuation>(
        &self,
        valuation: &V,
        values: &[i64],
        pace: &mut Pace<'_>,
    ) -> Result<V::Value, Stop> {
        if values.iter().any(|&value| value >= MOST_ENTRIES) {
            return Err(Stop::Memory);
        }
        let state = State {
            values: values.to_vec(),
            variables: vec![None; self.variables.len()],
            rows: vec![None; values.len()],
            result: valuation.always(),
        };
        self.run(valuation, 0, state, pace)
    }

    /// The steps from `at` on. Recursive where values are tried, of which there are few.
    fn run<V: Valuation>(
        &self,
        valuation: &V,
        at: usize,
        mut state: State<V>,
        pace: &mut Pace<'_>,
    ) -> Result<V::Value, Stop> {
        for (i, step) in self.steps.iter().enumerate().skip(at) {
            pace.step()?;
            if let Step::Try { variable, column } = step {
                return self.try_all(valuation, i, (*variable, column), state, pace);
            }
            state.apply(&self.variables, valuation, step, pace)?;
        }
        Ok(state.result)
    }

    fn try_all<V: Valuation>(
        &self,
        valuation: &V,
        at: usize,
        (variable, column): (usize, &Column),
        mut state: State<V>,
        pace: &mut Pace<'_>,
    ) -> Result<V::Value, Stop> {
        let most = column.iter().map(|&(row, factor)| state.values[row] / factor).min();
        let own = state.take_variable(&self.variables, valuation, variable, pace)?;
        let mut sum = valuation.never();
        for n in 0..=most.unwrap_or(0) {
            let Some(weight) = valuation.at(&own, n as usize) else { continue };
            let mut case = state.clone();
            case.result = valuation.both(&case.result, &weight);
            for &(row, factor) in column {
                case.values[row] -= factor * n;
            }
            let value = self.run(valuation, at + 1, case, pace)?;
            sum = valuation.either(sum, value);
        }
        Ok(sum)
    }
}

/// The tables on the way; those that are not there yet are those of the places, and of nothing.
struct State<V: Valuation> {
    values: Vec<i64>,
    variables: Vec<Option<V::Table>>,
    rows: Vec<Option<V::Table>>,
    result: V::Value,
}

impl<V: Valuation> Clone for State<V> {
    fn clone(&self) -> Self {
        State {
            values: self.values.clone(),
            variables: self.variables.clone(),
            rows: self.rows.clone(),
            result: self.result.clone(),
        }
    }
}

impl<V: Valuation> State<V> {
    fn apply(
        &mut self,
        variables: &[Variable],
        valuation: &V,
        step: &Step,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        match *step {
            Step::Merge { into, from, within: (row, factor) } => {
                let most = (self.values[row] / factor) as usize;
                let a = self.take_variable(variables, valuation, into, pace)?;
                let b = self.take_variable(variables, valuation, from, pace)?;
                self.variables[into] = Some(valuation.combine(&a, &b, 1, most, pace)?);
            }
            Step::FoldVariable { variable, row, factor } => {
                let (most, stride) = (self.values[row] as usize, factor as usize);
                let table = self.take_row(valuation, row);
                let part = self.take_variable(variables, valuation, variable, pace)?;
                self.rows[row] = Some(valuation.combine(&table, &part, stride, most, pace)?);
            }
            Step::FoldRow { row, variable, factor } => {
                let (total, stride) = (self.values[row] as usize, factor as usize);
                let other = self.take_row(valuation, row);
                let mut table = self.take_variable(variables, valuation, variable, pace)?;
                valuation.weigh(&mut table, &other, total, stride);
                self.variables[variable] = Some(table);
            }
            Step::CloseRow { row } => {
                let table = self.take_row(valuation, row);
                let value = valuation.at(&table, self.values[row] as usize);
                let value = value.unwrap_or_else(|| valuation.never());
                self.result = valuation.both(&self.result, &value);
            }
            Step::CloseVariable { variable } => {
                let table = self.take_variable(variables, valuation, variable, pace)?;
                self.result = valuation.both(&self.result, &valuation.total(&table));
            }
            Step::Try { .. } => debug_assert!(false, "tried by the caller"),
        }
        Ok(())
    }

    fn take_row(&mut self, valuation: &V, row: usize) -> V::Table {
        let value = self.values[row] as usize;
        self.rows[row].take().unwrap_or_else(|| valuation.nothing(value))
    }

    fn take_variable(
        &mut self,
        variables: &[Variable],
        valuation: &V,
        at: usize,
        pace: &mut Pace<'_>,
    ) -> Result<V::Table, Stop> {
        if let Some(table) = self.variables[at].take() {
            return Ok(table);
        }
        let Variable { places, column } = &variables[at];
        let most = column.iter().map(|&(row, factor)| self.values[row] / factor).min();
        debug_assert!(most.is_some_and(|most| most >= 0), "invariants bound all places");
        valuation.places(places, most.unwrap_or(0) as usize, pace)
    }
}
