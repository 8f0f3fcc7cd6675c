//! The most that a sum of token counts comes to.
//!
//! ```text
//! low = a value that was seen; high = a proved bound, or none; step = 0
//! until low = high:
//!     k = low + step, or half-way to high if that is less
//!     all runs satisfy G sum <= k:    high = k
//!     some run does not:              low = the most on that run; step = 2 step + 1
//! ```
//!
//! *Invariant.* Some reachable marking has at least `low`, and none more than `high`. The first
//! question is whether what was seen is all, which is mostly so; the state equation proves it
//! where it does. Steps grow, so that a bound that is far away takes a number of questions that is
//! logarithmic in its distance.

use super::{Asker, QueryAnswer};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Comparison, Expression, Formulas, Overflow};
use std::time::{Duration, Instant};

/// A search for a bound.
pub struct BoundCase<C> {
    formulas: Formulas,
    sum: Expression,
    low: i64,
    high: Option<i64>,
    step: i64,
    /// The question that is open, and its k.
    open: Option<(C, i64)>,
    spent: Duration,
}

impl<C> BoundCase<C> {
    /// For a sum of which `low` was seen and that never passes `high`.
    pub fn new(formulas: &Formulas, sum: Expression, low: i64, high: Option<i64>) -> Self {
        debug_assert!(high.is_none_or(|high| low <= high), "what was seen keeps the bound");
        BoundCase {
            formulas: formulas.clone(),
            sum,
            low,
            high,
            step: 0,
            open: None,
            spent: Duration::ZERO,
        }
    }

    /// Some reachable marking has this value.
    pub fn note_seen(&mut self, value: i64) {
        if value > self.low {
            self.low = value;
            // A question about less is answered.
            self.open.take_if(|(_, k)| *k < value);
        }
    }

    /// Goes on within a budget.
    pub(super) fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<(QueryAnswer, Decision), DecideError> {
        let start = Instant::now();
        let mut decision = Decision::open("structure");
        while self.high != Some(self.low) {
            let (mut case, k) = match self.open.take() {
                Some(open) => open,
                None => match self.ask(asker) {
                    Ok(open) => open,
                    Err(Overflow) => {
                        let what = "a bound of more than 64 bits".to_owned();
                        return Ok(self.unknown(decision, Reason::Unsupported(what), start));
                    }
                },
            };
            decision = asker.advance(&mut case, &budget.since(start), held)?;
            match &decision.verdict {
                Verdict::Holds => self.high = Some(k),
                Verdict::Violated(run) => {
                    let seen = run.as_ref().and_then(|run| asker.highest(&self.sum, run));
                    debug_assert!(seen.is_none_or(|seen| seen > k), "the run shows more than k");
                    self.low = seen.map_or(k + 1, |seen| seen.max(k + 1));
                    self.step = self.step.saturating_mul(2).saturating_add(1);
                }
                Verdict::Unknown(reason) => {
                    let reason = reason.clone();
                    self.open = Some((case, k));
                    return Ok(self.unknown(decision, reason, start));
                }
            }
        }
        self.spent += start.elapsed();
        decision.verdict = Verdict::Holds;
        decision.time = self.spent;
        Ok((QueryAnswer::Number(self.low), decision))
    }

    fn unknown(
        &mut self,
        mut decision: Decision,
        reason: Reason,
        start: Instant,
    ) -> (QueryAnswer, Decision) {
        self.spent += start.elapsed();
        decision.time = self.spent;
        decision.verdict = Verdict::Unknown(reason.clone());
        (QueryAnswer::Unknown(reason), decision)
    }

    /// The next question.
    fn ask<A: Asker<Case = C>>(&mut self, asker: &mut A) -> Result<(C, i64), Overflow> {
        let far = self.low.checked_add(self.step).ok_or(Overflow)?;
        let k = self.high.map_or(far, |high| far.min(self.low + (high - self.low) / 2));
        let constant = Expression::constant(k);
        let within = self.formulas.compare(self.sum.clone(), Comparison::Le, constant)?;
        let always = self.formulas.g(within);
        Ok((asker.begin(&self.formulas, always), k))
    }
}
