//! How many solutions a node has below it, for each number of tokens.
//!
//! A *kernel* is a function of the tokens n, written as a table, shifted, and added up over all
//! smaller arguments several times: distributing tokens over one more place without weight of
//! its own is adding up once more (a convolution with 1, 1, 1, ...), and a place that must hold
//! w tokens at least shifts by w. So only tables that are no constants are ever convolved.
//!
//! *Cost*: a sum is linear in the domain for each place, a convolution of two tables quadratic.

use brine_run::{Pace, Stop};
use num_bigint::BigUint;
use std::sync::Arc;

/// Numbers of solutions by tokens.
pub type Table = Arc<[BigUint]>;

/// `table` (1, 0, 0, ... if there is none) shifted up and summed so many times.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) table: Option<Table>,
    pub(super) sums: u64,
    pub(super) shift: u64,
}

impl Kernel {
    /// A place alone: one solution for every number.
    pub(super) const PLACE: Kernel = Kernel { table: None, sums: 1, shift: 0 };
    /// No place: one solution for no token.
    pub(super) const NOTHING: Kernel = Kernel { table: None, sums: 0, shift: 0 };

    pub(super) fn of(table: Vec<BigUint>) -> Kernel {
        Kernel { table: Some(table.into()), sums: 0, shift: 0 }
    }

    /// One solution for every number of tokens.
    pub(super) fn is_place(&self) -> bool {
        self.table.is_none() && self.sums == 1 && self.shift == 0
    }

    /// All ways to distribute tokens over both, for up to `most` tokens.
    pub(super) fn beside(
        self,
        other: &Kernel,
        most: u64,
        pace: &mut Pace<'_>,
    ) -> Result<Kernel, Stop> {
        let table = match (self.table, &other.table) {
            (Some(a), Some(b)) => Some(convolve(&a, b, most, pace)?),
            (a, b) => a.or_else(|| b.clone()),
        };
        Ok(Kernel { table, sums: self.sums + other.sums, shift: self.shift + other.shift })
    }

    /// The function itself, for 0 to `most` tokens.
    pub(super) fn values(&self, most: u64, pace: &mut Pace<'_>) -> Result<Vec<BigUint>, Stop> {
        let length = length(most)?;
        let mut values = vec![BigUint::ZERO; length];
        let shift = self.shift.min(length as u64) as usize;
        match &self.table {
            Some(table) => values[shift..].clone_from_slice(&table[..length - shift]),
            None => values[shift..].iter_mut().take(1).for_each(|n| *n = BigUint::from(1_u32)),
        }
        for _ in 0..self.sums {
            pace.steps(length)?;
            for n in shift + 1..length {
                let (before, after) = values.split_at_mut(n);
                after[0] += &before[n - 1];
            }
        }
        Ok(values)
    }
}

/// Entries of a table for 0 to `most` tokens; tables of more than a few million are a lack of
/// memory.
pub(super) fn length(most: u64) -> Result<usize, Stop> {
    if most < 1 << 22 { Ok(most as usize + 1) } else { Err(Stop::Memory) }
}

fn convolve(a: &[BigUint], b: &[BigUint], most: u64, pace: &mut Pace<'_>) -> Result<Table, Stop> {
    let length = length(most)?;
    debug_assert!(a.len() >= length && b.len() >= length, "tables go as far as the whole");
    let mut result = vec![BigUint::ZERO; length];
    for (n, sum) in result.iter_mut().enumerate() {
        pace.steps(4 * (n + 1))?;
        for i in 0..=n {
            *sum += &a[i] * &b[n - i];
        }
    }
    Ok(result.into())
}
