//! The sparse tableau both eliminations work on.
//!
//! A row is a combination of places: its `weights` say which, its `effect` what each
//! transition does to the weighted sum. It starts with one row per place. Invariant: for
//! every row and transition t, effect(t) = sum over p of weights(p) * C(p, t). Adding
//! rows keeps this true, and so does dividing by a common divisor. A row whose effect is
//! empty is a place invariant. The one exception is marked: a negative effect may be struck
//! out (`falls`), and then effect(t) is an upper bound of the sum.
//!
//! Transitions with the same effect are one column.

use brine_run::{Control, Pace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Incidence, Net, PlaceId, TransitionId};

/// A sparse vector, sorted by index, without zeros.
pub(super) type Sparse = Vec<(u32, i64)>;

/// One row; see the module's head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TableauRow {
    pub(super) effect: Sparse,
    pub(super) weights: Sparse,
    /// A negative effect was struck out: the weighted sum may fall, but never rises.
    pub(super) falls: bool,
}

impl TableauRow {
    /// The effect of one transition.
    pub(super) fn effect_of(&self, t: u32) -> i64 {
        self.effect.binary_search_by_key(&t, |e| e.0).map_or(0, |i| self.effect[i].1)
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.effect.len() + self.weights.len()
    }
}

/// Counts elementary steps down from a limit. A budget that ends is as if it were passed.
#[derive(Clone, Debug)]
pub(super) struct StepLimit<'c> {
    pub(super) left: u64,
    pace: Pace<'c>,
}

impl<'c> StepLimit<'c> {
    pub(super) fn new(limit: u64, control: &'c Control) -> Self {
        StepLimit { left: limit, pace: control.pace() }
    }

    /// Takes `steps` off; false when the limit is passed.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.left.checked_sub(steps as u64);
        match left.filter(|_| self.pace.steps(steps).is_ok()) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }
}

/// One row per place, and the number of columns.
pub(super) fn initial_rows(net: &Net, incidence: &Incidence) -> (Vec<TableauRow>, usize) {
    let (column_of, columns) = distinct_columns(net, incidence);
    let rows = net
        .place_ids()
        .map(|p| {
            // Columns are numbered in the order of transitions, so this is sorted.
            let effect: Sparse = incidence
                .changers(p)
                .iter()
                .filter_map(|&(t, e)| column_of[t.index()].map(|column| (column, e)))
                .collect();
            TableauRow { effect, weights: vec![(p.0, 1)], falls: false }
        })
        .collect();
    (rows, columns)
}

/// Numbers the different effects; `None` for a transition that repeats an earlier one or
/// changes nothing.
fn distinct_columns(net: &Net, incidence: &Incidence) -> (Vec<Option<u32>>, usize) {
    let mut seen: FxHashSet<&[(PlaceId, i64)]> = FxHashSet::default();
    let mut column_of = vec![None; net.transitions().len()];
    let mut columns = 0;
    for t in net.transition_ids() {
        let effect = incidence.effect(t);
        if !effect.is_empty() && seen.insert(effect) {
            column_of[t.index()] = Some(columns as u32);
            columns += 1;
        }
    }
    (column_of, columns)
}

/// `a * x + b * y`, divided by its greatest common divisor; `None` on overflow.
pub(super) fn combine(x: &TableauRow, a: i64, y: &TableauRow, b: i64) -> Option<TableauRow> {
    let mut row = TableauRow {
        effect: add(&x.effect, a, &y.effect, b)?,
        weights: add(&x.weights, a, &y.weights, b)?,
        falls: x.falls || y.falls,
    };
    let mut divisor = 0_u64;
    for &(_, v) in row.effect.iter().chain(&row.weights) {
        divisor = gcd(divisor, v.unsigned_abs());
        if divisor == 1 {
            return Some(row);
        }
    }
    let divisor = i64::try_from(divisor).ok()?;
    for (_, v) in row.effect.iter_mut().chain(&mut row.weights) {
        *v /= divisor;
    }
    Some(row)
}

/// `a * x + b * y` for sparse vectors.
fn add(x: &Sparse, a: i64, y: &Sparse, b: i64) -> Option<Sparse> {
    let mut sum = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let left = x.get(i).map_or(u32::MAX, |e| e.0);
        let right = y.get(j).map_or(u32::MAX, |e| e.0);
        let index = left.min(right);
        let mut value = 0_i64;
        if left == index && i < x.len() {
            value = x[i].1.checked_mul(a)?;
            i += 1;
        }
        if right == index && j < y.len() {
            value = value.checked_add(y[j].1.checked_mul(b)?)?;
            j += 1;
        }
        if value != 0 {
            sum.push((index, value));
        }
    }
    Some(sum)
}

/// What each transition does to a weighted sum of tokens, straight from the arcs.
pub(super) fn effect(
    incidence: &Incidence,
    weights: impl Iterator<Item = (PlaceId, i128)>,
) -> FxHashMap<TransitionId, i128> {
    let mut effect = FxHashMap::default();
    for (p, weight) in weights {
        for &(t, change) in incidence.changers(p) {
            *effect.entry(t).or_insert(0) += weight * i128::from(change);
        }
    }
    effect
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
