//! Numbers of solutions, by convolution.
//!
//! Tables are mostly *piecewise polynomials*: k places hold n tokens in a polynomial number of
//! ways, cut off where an equation ends. So their differences, taken a few times, are nearly
//! empty, and a convolution with D / (1 - z)^d is one with the few entries of D, then d times a
//! sum over all smaller arguments. The number of differences that makes this cheapest is taken;
//! without any it is the convolution of the textbook. *Cost*: (entries of D + d) times the length.

use super::elimination::Valuation;
use brine_net::PlaceId;
use brine_run::{Pace, Stop};
use num_bigint::{BigInt, BigUint};

/// Differences that are tried.
const MOST_DIFFERENCES: usize = 16;

/// Counting.
pub(super) struct Number;

/// Numbers of solutions, from 0 tokens on.
pub(super) type Numbers = Vec<BigInt>;

impl Valuation for Number {
    type Table = Numbers;
    type Value = BigUint;

    fn places(
        &self,
        places: &[PlaceId],
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Numbers, Stop> {
        let mut table = self.nothing(most);
        for _ in places {
            sum_up(&mut table, 1, pace)?;
        }
        Ok(table)
    }

    fn nothing(&self, most: usize) -> Numbers {
        let mut table = vec![BigInt::ZERO; most + 1];
        table[0] = BigInt::from(1);
        table
    }

    fn combine(
        &self,
        table: &Numbers,
        part: &Numbers,
        stride: usize,
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Numbers, Stop> {
        let sparse = SparseDifferences::new(part, most / stride, pace)?;
        let mut result = vec![BigInt::ZERO; most + 1];
        for (at, value) in &sparse.entries {
            let shift = at * stride;
            pace.steps(2 * (most + 1).saturating_sub(shift))?;
            for (sum, number) in result.iter_mut().skip(shift).zip(table) {
                if *number != BigInt::ZERO {
                    *sum += number * value;
                }
            }
        }
        for _ in 0..sparse.times {
            sum_up(&mut result, stride, pace)?;
        }
        debug_assert!(result.iter().all(|n| *n >= BigInt::ZERO), "numbers of solutions");
        Ok(result)
    }

    fn weigh(&self, table: &mut Numbers, other: &Numbers, total: usize, stride: usize) {
        for (n, number) in table.iter_mut().enumerate() {
            match total.checked_sub(stride * n).and_then(|at| other.get(at)) {
                Some(weight) => *number *= weight,
                None => *number = BigInt::ZERO,
            }
        }
    }

    fn at(&self, table: &Numbers, n: usize) -> Option<BigUint> {
        let number = table.get(n)?.magnitude();
        (*number != BigUint::ZERO).then(|| number.clone())
    }

    fn total(&self, table: &Numbers) -> BigUint {
        table.iter().map(BigInt::magnitude).sum()
    }

    fn either(&self, a: BigUint, b: BigUint) -> BigUint {
        a + b
    }

    fn both(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a * b
    }

    fn never(&self) -> BigUint {
        BigUint::ZERO
    }

    fn always(&self) -> BigUint {
        BigUint::from(1_u32)
    }
}

/// Adds to each entry all those that lie a multiple of `stride` before it.
fn sum_up(table: &mut [BigInt], stride: usize, pace: &mut Pace<'_>) -> Result<(), Stop> {
    pace.steps(table.len())?;
    for n in stride..table.len() {
        let (before, after) = table.split_at_mut(n);
        after[0] += &before[n - stride];
    }
    Ok(())
}

/// A table as what is left of it after some differences.
struct SparseDifferences {
    times: usize,
    /// All that is not zero, with its place.
    entries: Vec<(usize, BigInt)>,
}

impl SparseDifferences {
    /// Of a table, as a function up to `most`.
    fn new(table: &[BigInt], most: usize, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let filled = |table: &[BigInt]| table.iter().filter(|n| **n != BigInt::ZERO).count();
        // Beyond its end the table is zero, which its differences must know.
        let mut now: Vec<BigInt> = table.iter().take(most + 1).cloned().collect();
        now.resize(most + 1, BigInt::ZERO);
        let (mut best, mut best_cost) = ((0, now.clone()), filled(&now));
        for times in 1..=MOST_DIFFERENCES {
            if times > best_cost {
                break;
            }
            pace.steps(2 * now.len())?;
            for n in (1..now.len()).rev() {
                let (before, after) = now.split_at_mut(n);
                after[0] -= &before[n - 1];
            }
            let cost = filled(&now) + times;
            if cost < best_cost {
                (best, best_cost) = ((times, now.clone()), cost);
            }
        }
        let entries = best.1.into_iter().enumerate().filter(|entry| entry.1 != BigInt::ZERO);
        Ok(SparseDifferences { times: best.0, entries: entries.collect() })
    }
}
