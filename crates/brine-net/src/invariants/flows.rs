//! A basis of all P-invariants (weights of both signs) by fraction-free Gaussian elimination.
//!
//! For every transition one row with an effect on it is the pivot: it cancels the
//! transition in all other rows and goes away. The pivot is the shortest row, so the
//! tableau stays sparse; transitions with few rows go first. A row that grows beyond
//! `i64` is dropped and the basis is then not complete.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tableau::{StepLimit, TableauRow, combine, effect, gcd, initial_rows};
use crate::{Incidence, Net, PlaceId};
use brine_run::Control;

/// A place invariant with weights of any sign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Flow {
    /// Places with their weights (never zero, the first positive), sorted by place.
    pub weights: Vec<(PlaceId, i64)>,
    /// The weighted sum in the initial marking, hence in every reachable one.
    pub value: i128,
}

impl Flow {
    /// True when no transition changes the weighted sum.
    fn is_kept(&self, incidence: &Incidence) -> bool {
        let effect = effect(incidence, self.weights.iter().map(|&(p, w)| (p, i128::from(w))));
        effect.into_values().all(|e| e == 0)
    }
}

/// What [`flows`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flows {
    /// Linearly independent invariants, sorted by their places.
    pub flows: Vec<Flow>,
    /// They span all invariants.
    pub complete: bool,
    /// Elementary steps used.
    pub work: u64,
}

/// Finds a basis of the P-invariants, with at most `limit` elementary steps.
///
/// ```
/// use brine_net::{NetBuilder, Incidence, invariants::flows};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 3), b.place("q", 1));
/// b.transition("t", &[], &[(p, 1), (q, 2)]);
/// let net = b.build().unwrap();
/// let found = flows(&net, &Incidence::new(&net), 1000);
/// assert_eq!(found.flows[0].weights, [(p, 2), (q, -1)]);
/// assert_eq!(found.flows[0].value, 5);
/// ```
pub fn flows(net: &Net, incidence: &Incidence, limit: u64) -> Flows {
    flows_within(net, incidence, limit, &Control::default())
}

/// The same under a control. When that stops it, what was found so far is given back, and is
/// not complete.
pub fn flows_within(net: &Net, incidence: &Incidence, limit: u64, control: &Control) -> Flows {
    if control.is_over() {
        return Flows::default();
    }
    let (rows, columns) = initial_rows(net, incidence);
    let mut gauss = Gauss {
        columns: vec![Vec::new(); columns],
        counts: vec![0; columns],
        rows: Vec::with_capacity(rows.len()),
        queue: BinaryHeap::new(),
        complete: true,
        work: StepLimit::new(limit, control),
    };
    for row in rows {
        gauss.insert(row);
    }
    for t in 0..columns as u32 {
        gauss.queue.push(Reverse((gauss.counts[t as usize], t)));
    }
    while let Some(Reverse((count, t))) = gauss.queue.pop() {
        let now = gauss.counts[t as usize];
        if count < now {
            gauss.queue.push(Reverse((now, t)));
        } else if !gauss.eliminate(t) {
            gauss.complete = false;
            break;
        }
    }
    let found = gauss.finish(net, limit);
    debug_assert!(found.flows.iter().all(|flow| flow.is_kept(incidence)), "a sum that changes");
    found
}

struct Gauss<'c> {
    rows: Vec<Option<TableauRow>>,
    /// Rows with an effect at each column; dropped rows are weeded out when met.
    columns: Vec<Vec<u32>>,
    /// Rows alive per column.
    counts: Vec<usize>,
    queue: BinaryHeap<Reverse<(usize, u32)>>,
    complete: bool,
    work: StepLimit<'c>,
}

impl Gauss<'_> {
    fn insert(&mut self, row: TableauRow) {
        let number = self.rows.len() as u32;
        for &(t, _) in &row.effect {
            self.columns[t as usize].push(number);
            self.counts[t as usize] += 1;
        }
        self.rows.push(Some(row));
    }

    fn take(&mut self, number: u32) -> Option<TableauRow> {
        let row = self.rows[number as usize].take()?;
        for &(t, _) in &row.effect {
            self.counts[t as usize] -= 1;
        }
        Some(row)
    }

    /// Cancels a column; false when the work is used up.
    fn eliminate(&mut self, t: u32) -> bool {
        let mut alive = std::mem::take(&mut self.columns[t as usize]);
        alive.retain(|&n| self.rows[n as usize].is_some());
        let key = |n: u32| self.rows[n as usize].as_ref().map_or(usize::MAX, TableauRow::len);
        let Some(pivot) = alive.iter().copied().min_by_key(|&n| (key(n), n)) else { return true };
        let Some(pivot_row) = self.take(pivot) else { return true };
        for number in alive.into_iter().filter(|&n| n != pivot) {
            let Some(row) = self.take(number) else { continue };
            if !self.work.spend(row.len() + pivot_row.len()) {
                return false;
            }
            match cancel(&row, &pivot_row, t) {
                Some(new) => self.insert(new),
                None => self.complete = false,
            }
        }
        true
    }

    fn finish(self, net: &Net, limit: u64) -> Flows {
        let mut flows: Vec<Flow> = self
            .rows
            .into_iter()
            .flatten()
            .filter(|row| row.effect.is_empty())
            .map(|row| to_flow(net, &row))
            .collect();
        flows.sort();
        Flows { flows, complete: self.complete, work: limit - self.work.left }
    }
}

fn cancel(x: &TableauRow, pivot: &TableauRow, t: u32) -> Option<TableauRow> {
    let (a, b) = (x.effect_of(t), pivot.effect_of(t));
    let divisor = i64::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
    let row = combine(x, b / divisor, pivot, (a / divisor).checked_neg()?)?;
    debug_assert!(row.effect_of(t) == 0, "the column is not cancelled");
    Some(row)
}

fn to_flow(net: &Net, row: &TableauRow) -> Flow {
    let sign = row.weights.first().map_or(1, |w| w.1.signum());
    let weights: Vec<(PlaceId, i64)> =
        row.weights.iter().map(|&(p, w)| (PlaceId(p), w.saturating_mul(sign))).collect();
    // At most 2^32 products below 2^95 each.
    let value =
        weights.iter().map(|&(p, w)| i128::from(w) * i128::from(net.place(p).initial)).sum();
    Flow { weights, value }
}
