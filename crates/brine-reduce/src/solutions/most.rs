//! The largest value of a sum of tokens with factors, over all solutions.
//!
//! The same elimination with maxima for sums, and sums for products. Places that are one
//! variable share its tokens in any way, so the one with the largest factor gets all. *Cost*:
//! the product of the lengths; where a table is a straight line, as those of places are, the
//! maximum over a window that slides along.

use super::elimination::Valuation;
use brine_net::{Net, PlaceId};
use brine_run::{Pace, Stop};
use std::collections::VecDeque;

/// Maximising.
pub(super) struct Most {
    factors: Vec<i64>,
}

/// The largest value by tokens; `None` where no solution has so many.
type Maxima = Vec<Option<i64>>;

/// Factors above could lead to sums of more than 64 bits.
const MOST_FACTOR: u64 = 1 << 16;

impl Most {
    /// For a sum.
    pub(super) fn new(net: &Net, factors: &[(PlaceId, u64)]) -> Result<Self, Stop> {
        let mut all = vec![0; net.places().len()];
        for &(p, factor) in factors {
            if factor > MOST_FACTOR {
                return Err(Stop::Overflow);
            }
            all[p.index()] = factor as i64;
        }
        Ok(Most { factors: all })
    }
}

impl Valuation for Most {
    type Table = Maxima;
    type Value = Option<i64>;

    fn places(&self, places: &[PlaceId], most: usize, pace: &mut Pace<'_>) -> Result<Maxima, Stop> {
        pace.steps(most)?;
        let factor = places.iter().map(|p| self.factors[p.index()]).max().unwrap_or(0);
        Ok((0..=most as i64).map(|n| Some(factor * n)).collect())
    }

    fn nothing(&self, most: usize) -> Maxima {
        let mut table = vec![None; most + 1];
        table[0] = Some(0);
        table
    }

    fn combine(
        &self,
        table: &Maxima,
        part: &Maxima,
        stride: usize,
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Maxima, Stop> {
        if let Some(slope) = slope(part) {
            return slide(table, (slope, part.len()), stride, most, pace);
        }
        let mut result = vec![None; most + 1];
        for (k, own) in part.iter().enumerate().take(most / stride + 1) {
            let Some(own) = own else { continue };
            pace.steps(most + 1 - k * stride)?;
            for (best, other) in result.iter_mut().skip(k * stride).zip(table) {
                *best = (*best).max(other.map(|other| other + own));
            }
        }
        Ok(result)
    }

    fn weigh(&self, table: &mut Maxima, other: &Maxima, total: usize, stride: usize) {
        for (n, value) in table.iter_mut().enumerate() {
            let weight = total.checked_sub(stride * n).and_then(|at| *other.get(at)?);
            *value = self.both(value, &weight);
        }
    }

    fn at(&self, table: &Maxima, n: usize) -> Option<Option<i64>> {
        table.get(n).copied().filter(Option::is_some)
    }

    fn total(&self, table: &Maxima) -> Option<i64> {
        table.iter().copied().max().flatten()
    }

    fn either(&self, a: Option<i64>, b: Option<i64>) -> Option<i64> {
        a.max(b)
    }

    fn both(&self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        Some((*a)? + (*b)?)
    }

    fn never(&self) -> Option<i64> {
        None
    }

    fn always(&self) -> Option<i64> {
        Some(0)
    }
}

/// The slope of a straight line through 0.
fn slope(table: &Maxima) -> Option<i64> {
    let slope = (*table.get(1)?)?;
    let is_on = |(n, value): (usize, &Option<i64>)| *value == Some(slope * n as i64);
    table.iter().enumerate().all(is_on).then_some(slope)
}

/// The largest `table[n - stride * k] + slope * k` with k less than `length`. Without the common
/// rise of `slope`, the largest entry in a window; the entries of the window that no later one
/// beats are kept in falling order.
fn slide(
    table: &Maxima,
    (slope, length): (i64, usize),
    stride: usize,
    most: usize,
    pace: &mut Pace<'_>,
) -> Result<Maxima, Stop> {
    pace.steps(2 * (most + 1))?;
    let mut result = vec![None; most + 1];
    for residue in 0..stride.min(most + 1) {
        let mut window: VecDeque<(usize, i64)> = VecDeque::new();
        for (at, n) in (residue..=most).step_by(stride).enumerate() {
            let rise = slope * at as i64;
            if let Some(value) = table.get(n).copied().flatten() {
                let level = value - rise;
                while window.back().is_some_and(|&(_, last)| last <= level) {
                    window.pop_back();
                }
                window.push_back((at, level));
            }
            while window.front().is_some_and(|&(first, _)| first + length <= at) {
                window.pop_front();
            }
            result[n] = window.front().map(|&(_, level)| level + rise);
        }
    }
    Ok(result)
}
