//! Operators over a number of steps: `X[n]`, `F[i,j]`, `G[i,j]`, `F[i,]`, `G[i,]`.
//!
//! They are abbreviations, and are written out while the formula is read:
//!
//! ```text
//! X[n] f    =  X ... X f                        n times
//! F[i,j] f  =  X[i] (f | X (f | X (... | X f))) j - i times X inside the parentheses
//! G[i,j] f  =  X[i] (f & X (f & X (... & X f)))
//! F[i,] f   =  X[i] F f
//! G[i,] f   =  X[i] G f
//! ```
//!
//! Subformulas are shared, so `F[i,j] f` adds about 2 j formulas to the store however large f
//! is; conjunctions and disjunctions are flat, so an operand that is a list is copied in each
//! step. [`Cost`] counts both for a whole formula, and what would pass [`MOST`] is refused.

use crate::formula::{Formula, Formulas, Node};

/// The most that the bounded operators of one formula may add to it.
const MOST: u64 = 10_000;

/// The steps of a bounded operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepRange {
    /// The first position that counts.
    pub(crate) from: u32,
    /// The last one; `None`: all that follow.
    pub(crate) to: Option<u32>,
}

/// What the bounded operators of a formula have added so far.
#[derive(Debug, Default)]
pub(crate) struct Cost(u64);

/// The formula would become too large.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "too many steps: the bounded operators of a formula may unfold into at most {MOST} \
             operators"
        )
    }
}

impl Cost {
    fn add(&mut self, times: u32, each: usize) -> Result<(), TooLarge> {
        self.0 = self.0.saturating_add(u64::from(times).saturating_mul(each as u64));
        if self.0 > MOST { Err(TooLarge) } else { Ok(()) }
    }

    /// `X[n] f`
    pub(crate) fn next(
        &mut self,
        fs: &mut Formulas,
        n: u32,
        f: Formula,
    ) -> Result<Formula, TooLarge> {
        // A plain X is as long as the text.
        self.add(n.saturating_sub(1), 1)?;
        Ok((0..n).fold(f, |f, _| fs.x(f)))
    }

    /// `F[steps] f`
    pub(crate) fn finally(
        &mut self,
        fs: &mut Formulas,
        steps: StepRange,
        f: Formula,
    ) -> Result<Formula, TooLarge> {
        let inner = match steps.to {
            None => fs.f(f),
            Some(to) => {
                let width = self.width(fs, f);
                self.add(to - steps.from, width)?;
                (steps.from..to).fold(f, |later, _| {
                    let later = fs.x(later);
                    fs.or([f, later])
                })
            }
        };
        self.next(fs, steps.from, inner)
    }

    /// `G[steps] f`
    pub(crate) fn globally(
        &mut self,
        fs: &mut Formulas,
        steps: StepRange,
        f: Formula,
    ) -> Result<Formula, TooLarge> {
        let inner = match steps.to {
            None => fs.g(f),
            Some(to) => {
                let width = self.width(fs, f);
                self.add(to - steps.from, width)?;
                (steps.from..to).fold(f, |later, _| {
                    let later = fs.x(later);
                    fs.and([f, later])
                })
            }
        };
        self.next(fs, steps.from, inner)
    }

    /// Operands that are copied when `f` becomes part of a list, and the new one.
    fn width(&self, fs: &Formulas, f: Formula) -> usize {
        match fs.node(f) {
            Node::And(l) | Node::Or(l) => 1 + fs.list(l).len(),
            _ => 2,
        }
    }
}
