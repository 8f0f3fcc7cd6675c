//! What the engines on decision diagrams share: orders on trial, controls, reasons.
//!
//! The order of levels decides everything and cannot be known beforehand, so a question is
//! tried with several orders in turns of growing length ([`Trials`]). The order that
//! answered goes first next time: properties of one net share it. Diagrams are not shared:
//! what one property leaves behind would only weigh on the next.

use crate::budget::run_time;
use brine_net::order::{Candidate, OrderSpec, candidates_within};
use brine_net::{Net, Structure};
use brine_run::recent_resident_bytes;
use brine_run::{Control, Stop};
use brine_sat::{Done, Trials};
use std::time::Instant;

/// The orders of one engine for one net.
#[derive(Debug)]
pub(crate) struct Orders {
    /// The orders to try, the most promising first.
    candidates: Candidates,
    /// How far the trials for one question have come.
    trials: Option<Trials>,
    /// Memory of the process before the first question.
    resident: usize,
}

#[derive(Debug)]
enum Candidates {
    Known(Vec<Candidate>),
    /// Those of the net, or this one if the net has it; found when they are first needed.
    OfNet(Option<OrderSpec>),
}

impl Orders {
    /// These orders.
    pub(crate) fn new(candidates: Vec<Candidate>) -> Self {
        Orders::with(Candidates::Known(candidates))
    }

    /// The orders of a net, or the one that is wanted, where the net has it. They are found by
    /// the first search.
    pub(crate) fn of_net(wanted: Option<OrderSpec>) -> Self {
        Orders::with(Candidates::OfNet(wanted))
    }

    fn with(candidates: Candidates) -> Self {
        Orders { candidates, trials: None, resident: recent_resident_bytes() }
    }

    /// Another question begins.
    pub(crate) fn begin(&mut self) {
        self.trials = None;
    }

    /// A control for diagrams: what the process held before is not theirs.
    pub(crate) fn control(&self, control: &Control) -> Control {
        control.resident_beyond(self.resident)
    }

    /// Goes on with the trials of this question.
    pub(crate) fn advance<T: Send>(
        &mut self,
        net: &Net,
        structure: &Structure,
        control: &Control,
        run: impl Fn(&Candidate, &Control) -> Result<T, Stop> + Sync,
    ) -> Result<Done<T>, Stop> {
        let mut trials = match self.trials.take() {
            Some(trials) => trials,
            None => Trials::new(self.candidates.list(net, structure, &control.without_work())?),
        };
        let control = self.control(control);
        match trials.advance(&control, run) {
            Ok(done) => {
                self.candidates.prefer(done.order);
                Ok(done)
            }
            Err(stop) => {
                self.trials = Some(trials);
                Err(stop)
            }
        }
    }
}

impl Candidates {
    fn list(
        &mut self,
        net: &Net,
        structure: &Structure,
        control: &Control,
    ) -> Result<&[Candidate], Stop> {
        if let Candidates::OfNet(wanted) = *self {
            let layout = match wanted {
                Some(spec) => spec.layout_within(net, structure, control)?.map(|l| (spec, l)),
                None => None,
            };
            *self = Candidates::Known(match layout {
                Some((spec, layout)) => vec![Candidate { spec, layout, score: 0.0 }],
                None => candidates_within(net, structure, control)?,
            });
        }
        match self {
            Candidates::Known(list) => Ok(list),
            Candidates::OfNet(_) => Ok(&[]),
        }
    }

    /// Moves the candidate with this order to the front: it answered, and goes first next time.
    fn prefer(&mut self, order: OrderSpec) {
        if let Candidates::Known(list) = self
            && let Some(at) = list.iter().position(|c| c.spec == order)
        {
            list[..=at].rotate_right(1);
        }
    }
}

/// The control for finding the run of a violation, with a search that began at `start`. At most
/// half of the time that is left goes into it. The verdict is known by then: work no longer
/// matters.
pub(crate) fn witness_control(search: &Control, start: Instant) -> Control {
    let now = Instant::now();
    let left = search.deadline.map(|d| d.saturating_duration_since(now) / 2);
    let time = run_time(start.elapsed());
    let deadline = now.checked_add(left.map_or(time, |left| left.min(time)));
    Control { deadline, ..search.without_work() }
}
