//! The order that works: short trials first.
//!
//! No static score predicts how an order will do; two orders that look alike may differ
//! by a factor of a thousand, and so may an order and its reverse. But a good order
//! often finishes in milliseconds. So orders take turns of growing length ([`Deepening`]): the
//! most promising ones first, the others some rounds later. Diagrams under construction cannot be
//! left and taken up again, so each trial starts over.
//!
//! Work is counted in ticks (node look-ups), not seconds, so the same order is found on
//! every machine and in every run. Trials may run side by side; the outcome is the same.

use brine_dd::{Control, Stop};
use brine_net::order::{Candidate, OrderSpec};
use brine_run::{Deepening, Standing, Turn};
use std::sync::atomic::Ordering;

/// Ticks that the first candidate gets in the first round.
pub const FIRST_TICKS: u64 = 60_000;
/// No more candidates than these take part.
const MOST: usize = 36;

/// How many rounds later than the first one a candidate starts, by its rank.
fn delay(rank: usize) -> u32 {
    match rank {
        0..2 => 0,
        2..8 => 1,
        8..20 => 2,
        _ => 3,
    }
}

/// A computation that came to its end.
#[derive(Debug)]
pub struct Done<T> {
    /// What it computed.
    pub result: T,
    /// The order that was used.
    pub order: OrderSpec,
    /// How many trials it took.
    pub trials: usize,
}

/// Orders on trial, and how far the trials have come.
#[derive(Clone, Debug)]
pub struct Trials {
    /// Those that did not run out of memory, the most promising first.
    orders: Deepening<Candidate>,
    trials: usize,
    /// The most ticks that the first of them was given.
    tried: u64,
}

impl Trials {
    /// Trials of these candidates; of equal layouts, the first takes part.
    pub fn new(candidates: &[Candidate]) -> Self {
        let mut seen = rustc_hash::FxHashSet::default();
        let distinct = candidates.iter().filter(|c| seen.insert(&c.layout.levels));
        let orders = distinct.take(MOST).cloned().collect();
        let orders = Deepening::new(orders, FIRST_TICKS).with_delays(delay);
        Trials { orders, trials: 0, tried: 0 }
    }

    /// Tries orders until one gets done, or the first of them was given all the work of the
    /// control; at most `control.threads` at a time. Goes on with the trials that were not made
    /// yet: the outcome is the same in many steps as in one.
    pub fn advance<T: Send>(
        &mut self,
        control: &Control,
        run: impl Fn(&Candidate, &Control) -> Result<T, Stop> + Sync,
    ) -> Result<Done<T>, Stop> {
        loop {
            let most = control.work.unwrap_or(u64::MAX);
            if self.orders.members().len() <= 1 || self.orders.next_work() > most {
                match self.last_trial(most, control, &run) {
                    Err(Stop::Memory) if self.orders.members().len() > 1 => {
                        self.orders.leave_out(0);
                        self.tried = 0;
                        continue;
                    }
                    result => return result,
                }
            }
            if let Some(done) = self.round(control, &run)? {
                return Ok(done);
            }
        }
    }

    /// The first order, which would be the first to be tried again, with all the work there is.
    fn last_trial<T>(
        &mut self,
        most: u64,
        control: &Control,
        run: &impl Fn(&Candidate, &Control) -> Result<T, Stop>,
    ) -> Result<Done<T>, Stop> {
        let first = self.orders.members().first().ok_or(Stop::Memory)?;
        if most <= self.tried {
            return Err(Stop::Work);
        }
        self.tried = most;
        self.trials += 1;
        count_trial(control);
        let done = |result| Done { result, order: first.spec, trials: self.trials };
        run(first, control).map(done)
    }

    /// One round: every candidate whose turn it is gets its ticks. `None` if no one got done.
    fn round<T: Send>(
        &mut self,
        control: &Control,
        run: &(impl Fn(&Candidate, &Control) -> Result<T, Stop> + Sync),
    ) -> Result<Option<Done<T>>, Stop> {
        self.tried = self.orders.next_work();
        let trial = |candidate: &mut Candidate, turn: Turn| {
            count_trial(control);
            let cancel = turn.cancel.or_else(|| control.cancel.clone());
            let control = Control { work: Some(turn.work), cancel, ..control.clone() };
            (candidate.spec, run(candidate, &control))
        };
        let standing = |(_, result): &(OrderSpec, Result<T, Stop>)| match result {
            Err(Stop::Work) => Standing::Open,
            // Another order may need less; this one will not need less next time.
            Err(Stop::Memory) => Standing::Full,
            _ => Standing::Decided,
        };
        let cancel = control.cancel.as_deref();
        let mut results = self.orders.round(control.threads, cancel, trial, standing);
        self.trials += results.len();
        match results.pop() {
            _ if self.orders.members().is_empty() => Err(Stop::Memory),
            Some((order, Ok(result))) => Ok(Some(Done { result, order, trials: self.trials })),
            Some((_, Err(stop))) if !matches!(stop, Stop::Work | Stop::Memory) => Err(stop),
            _ => Ok(None),
        }
    }
}

/// Shows that another trial begins.
fn count_trial(control: &Control) {
    if let Some(progress) = &control.progress {
        progress.trial.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs a computation with several orders, in turns of growing length, until one gets done. A
/// single order may take as long as the control allows.
pub fn first_to_finish<T: Send>(
    candidates: &[Candidate],
    control: &Control,
    run: impl Fn(&Candidate, &Control) -> Result<T, Stop> + Sync,
) -> Result<Done<T>, Stop> {
    Trials::new(candidates).advance(control, run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::order::candidates;
    use brine_net::{NetBuilder, Structure};

    /// A few orders of a net that has different ones.
    fn some_candidates() -> Vec<Candidate> {
        let mut b = NetBuilder::new("ring");
        let places: Vec<_> = (0..6).map(|i| b.place(&format!("p{i}"), u32::from(i == 0))).collect();
        for i in [0, 3, 1, 5, 2, 4] {
            b.transition(&format!("t{i}"), &[(places[i], 1)], &[(places[(i + 2) % 6], 1)]);
        }
        let net = b.build().unwrap();
        let all = candidates(&net, &Structure::new(&net));
        assert!(Trials::new(&all).orders.members().len() >= 4, "the test needs different orders");
        all
    }

    type Costs<'a> = &'a [Result<u64, Stop>];

    /// Trials of a computation that needs so many ticks with the candidates of each rank,
    /// advanced up to each of `slices` in turn, and then without limit.
    fn compete(needs: Costs<'_>, threads: usize, slices: &[u64]) -> (OrderSpec, usize, usize) {
        let all = some_candidates();
        let mut trials = Trials::new(&all);
        let orders = trials.orders.members().to_vec();
        let rank = |c: &Candidate| orders.iter().position(|o| o.spec == c.spec).unwrap();
        let run = |c: &Candidate, control: &Control| match needs.get(rank(c)) {
            Some(Ok(ticks)) if *ticks <= control.work.unwrap_or(u64::MAX) => Ok(rank(c)),
            Some(Err(stop)) => Err(*stop),
            _ => Err(Stop::Work),
        };
        for work in slices.iter().copied().map(Some).chain([None]) {
            let control = Control { threads, work, ..Control::default() };
            match trials.advance(&control, run) {
                Ok(done) => return (done.order, done.trials, done.result),
                Err(stop) => assert_eq!((stop, work.is_some()), (Stop::Work, true)),
            }
        }
        unreachable!("without limit it ends");
    }

    const NEEDS: [Costs<'_>; 5] = [
        &[Ok(1), Ok(1)],
        &[Ok(1_000_000), Ok(300_000)],
        &[Ok(u64::MAX), Err(Stop::Memory), Ok(70_000), Ok(1)],
        &[Err(Stop::Memory), Err(Stop::Memory), Ok(u64::MAX), Ok(100)],
        &[Ok(u64::MAX), Ok(u64::MAX), Ok(200_000), Ok(40_000)],
    ];

    #[test]
    fn the_outcome_does_not_depend_on_threads() {
        for needs in NEEDS {
            let alone = compete(needs, 1, &[]);
            let others = [2, 3, 8].map(|threads| compete(needs, threads, &[]));
            assert_eq!(others, [alone; 3], "{needs:?}");
        }
    }

    #[test]
    fn the_outcome_does_not_depend_on_slices() {
        for needs in NEEDS {
            let (order, _, rank) = compete(needs, 1, &[]);
            let all: &[&[u64]] = &[
                &[0, 1, 1, 10, 59_999, 60_000, 60_001, 100_000, 240_000, 4_000_000],
                &[60_000, 240_000, 960_000, 3_840_000],
                &[50, 700_000, 900_000, 30_000_000],
            ];
            for slices in all {
                let sliced = compete(needs, 2, slices);
                assert_eq!((sliced.0, sliced.2), (order, rank), "{needs:?} {slices:?}");
            }
        }
        let exact = compete(NEEDS[4], 1, &[60_000, 240_000, 960_000]);
        assert_eq!(exact, compete(NEEDS[4], 1, &[]), "slices that are rounds repeat no trial");
    }

    #[test]
    fn who_runs_out_of_memory_is_not_tried_again() {
        let (_, trials, rank) = compete(&[Err(Stop::Memory), Ok(u64::MAX), Ok(60_000)], 1, &[]);
        assert_eq!((trials, rank), (4, 2), "two in the first round, and two without the first");
    }
}
