//! What the engines on decision diagrams share: competing orders, limits, reasons.
//!
//! The order of levels decides everything and cannot be known beforehand, so a question is
//! tried with several orders in turns of growing length ([`first_to_finish`]). The order that
//! answered goes first next time: properties of one net share it. Diagrams are not shared:
//! what one property leaves behind would only weigh on the next.

use crate::budget::{Budget, run_time};
use crate::verdict::Reason;
use brine_dd::{Limits, Stop, resident_bytes};
use brine_net::order::{Candidate, OrderSpec};
use brine_sat::{Done, first_to_finish};
use std::time::Instant;

/// The orders of one engine for one net.
#[derive(Debug)]
pub(crate) struct Orders {
    /// The orders to try, the most promising first.
    candidates: Vec<Candidate>,
    /// Memory of the process before the first question.
    resident: usize,
}

impl Orders {
    pub(crate) fn new(candidates: Vec<Candidate>) -> Self {
        Orders { candidates, resident: resident_bytes() }
    }

    /// The limits of one question's diagrams.
    pub(crate) fn limits(&self, budget: &Budget) -> Limits {
        budget.diagram_limits(self.resident)
    }

    /// Runs a computation with one order after the other until one gets done.
    pub(crate) fn compete<T: Send>(
        &mut self,
        budget: &Budget,
        run: impl Fn(&Candidate, &Limits) -> Result<T, Stop> + Sync,
    ) -> Result<Done<T>, Reason> {
        let limits = self.limits(budget);
        let done = first_to_finish(&self.candidates, &limits, budget.threads, run);
        let done = done.map_err(reason)?;
        self.prefer(done.order);
        Ok(done)
    }

    /// Moves the candidate with this order to the front: it answered, and goes first next time.
    fn prefer(&mut self, order: OrderSpec) {
        if let Some(at) = self.candidates.iter().position(|c| c.spec == order) {
            self.candidates[..=at].rotate_right(1);
        }
    }
}

/// Limits for finding the run of a violation, with a search that began at `start`. At most half
/// of the time that is left goes into it. The verdict is known by then: ticks no longer matter.
pub(crate) fn witness_limits(search: &Limits, start: Instant) -> Limits {
    let now = Instant::now();
    let left = search.deadline.map(|d| d.saturating_duration_since(now) / 2);
    let time = run_time(start.elapsed());
    let deadline = now.checked_add(left.map_or(time, |left| left.min(time)));
    Limits { deadline, ticks: u64::MAX, ..search.clone() }
}

/// The reason that users get.
pub(crate) fn reason(abort: Stop) -> Reason {
    match abort {
        // Orders share the work of a question; that of all of them stands for time.
        Stop::Work => Reason::Timeout,
        abort => abort.into(),
    }
}
