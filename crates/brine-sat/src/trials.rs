//! The order that works: short trials first.
//!
//! No static score predicts how an order will do; two orders that look alike may differ
//! by a factor of a thousand, and so may an order and its reverse. But a good order
//! often finishes in milliseconds. So the most promising candidates get a little work
//! each; if none finishes, they get four times as much while the next ones begin, and so
//! on. With a factor of four the repeated work costs at most a third more.
//!
//! Work is counted in ticks (node look-ups), not seconds, so the same order is found on
//! every machine and in every run. Trials may run side by side; the outcome is the same.

use std::sync::atomic::Ordering;

use brine_dd::{Abort, Attempt, Limits, side_by_side};
use brine_net::order::{Candidate, OrderSpec};

/// Ticks that the first candidate gets in the first round.
const FIRST_TICKS: u64 = 60_000;
/// How much more work each round gives.
const GROWTH: u64 = 4;
/// No more candidates than these take part.
const FIELD: usize = 36;

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

/// Orders that compete, and how far the competition has come.
#[derive(Clone, Debug)]
pub struct Trials {
    /// Those still in the race, the most promising first.
    field: Vec<Candidate>,
    round: u32,
    trials: usize,
}

impl Trials {
    /// A competition of these candidates; of equal layouts, the first takes part.
    pub fn new(candidates: &[Candidate]) -> Self {
        let mut seen = rustc_hash::FxHashSet::default();
        let distinct = candidates.iter().filter(|c| seen.insert(&c.layout.levels));
        Trials { field: distinct.take(FIELD).cloned().collect(), round: 0, trials: 0 }
    }

    /// One round: every candidate whose turn it is gets its ticks. `None` if no one got done.
    ///
    /// At most `threads` trials run at a time. [`Abort::Work`] means that one of them used up
    /// the ticks of `limits`, not only those of its turn.
    pub fn round<T: Send>(
        &mut self,
        limits: &Limits,
        threads: usize,
        run: impl Fn(&Candidate, &Limits) -> Result<T, Abort> + Sync,
    ) -> Result<Option<Done<T>>, Abort> {
        let round = self.round;
        self.round += 1;
        let mut rank = 0;
        loop {
            let turns: Vec<u64> = (rank..self.field.len().min(rank + threads.max(1)))
                .map_while(|rank| round.checked_sub(delay(rank)))
                .map(|turn| FIRST_TICKS.saturating_mul(GROWTH.saturating_pow(turn)))
                .map(|ticks| ticks.min(limits.ticks))
                .collect();
            if turns.is_empty() {
                return Ok(None);
            }
            let results = self.heat(rank, &turns, limits, &run);
            for (result, ticks) in results.into_iter().zip(&turns) {
                self.trials += 1;
                match result {
                    Ok(result) => {
                        let order = self.field[rank].spec;
                        return Ok(Some(Done { result, order, trials: self.trials }));
                    }
                    Err(Abort::Work) if *ticks < limits.ticks => rank += 1,
                    // Another order may need less; this one will not need less next time.
                    // Those behind it move up, and may get more ticks than they just had.
                    Err(Abort::Memory) if self.field.len() > 1 => {
                        self.field.remove(rank);
                        break;
                    }
                    Err(other) => return Err(other),
                }
            }
        }
    }

    /// The trials of neighbours in the field, from `first` on, with these ticks.
    fn heat<T: Send>(
        &self,
        first: usize,
        ticks: &[u64],
        limits: &Limits,
        run: &(impl Fn(&Candidate, &Limits) -> Result<T, Abort> + Sync),
    ) -> Vec<Result<T, Abort>> {
        if let Some(progress) = &limits.progress {
            progress.trial.store(self.trials as u64 + 1, Ordering::Relaxed);
        }
        let alone =
            |i: usize| run(&self.field[first + i], &Limits { ticks: ticks[i], ..limits.clone() });
        if ticks.len() == 1 {
            return vec![alone(0)];
        }
        let attempt = |i: usize| -> Attempt<'_, Result<T, Abort>> {
            Box::new(move |cancel| {
                let limits = Limits { ticks: ticks[i], cancel: Some(cancel), ..limits.clone() };
                run(&self.field[first + i], &limits)
            })
        };
        let attempts = (0..ticks.len()).map(attempt).collect();
        let decides = |r: &Result<T, Abort>| !matches!(r, Err(Abort::Work | Abort::Memory));
        let mut results = side_by_side(attempts, limits.cancel.as_deref(), decides);
        // Neighbours share the memory: who ran out of it may do better alone.
        for (i, result) in results.iter_mut().enumerate() {
            if matches!(result, Err(Abort::Memory)) {
                *result = alone(i);
            }
        }
        results
    }
}

/// Runs a computation with several orders, in turns of growing length, until one gets
/// done; at most `threads` at a time. A single order may take as long as it needs.
pub fn first_to_finish<T: Send>(
    candidates: &[Candidate],
    limits: &Limits,
    threads: usize,
    run: impl Fn(&Candidate, &Limits) -> Result<T, Abort> + Sync,
) -> Result<Done<T>, Abort> {
    let mut trials = Trials::new(candidates);
    loop {
        if let [only] = trials.field.as_slice() {
            let done = |result| Done { result, order: only.spec, trials: trials.trials + 1 };
            return run(only, limits).map(done);
        }
        if let Some(done) = trials.round(limits, threads, &run)? {
            return Ok(done);
        }
    }
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
        assert!(Trials::new(&all).field.len() >= 4, "the test needs different orders");
        all
    }

    /// A computation that needs so many ticks with the candidates of each rank.
    fn compete(needs: &[Result<u64, Abort>], threads: usize) -> (OrderSpec, usize, usize) {
        let all = some_candidates();
        let field = Trials::new(&all).field;
        let rank = |c: &Candidate| field.iter().position(|f| f.spec == c.spec).unwrap();
        let run = |c: &Candidate, limits: &Limits| match needs.get(rank(c)) {
            Some(Ok(ticks)) if *ticks <= limits.ticks => Ok(rank(c)),
            Some(Err(abort)) => Err(*abort),
            _ => Err(Abort::Work),
        };
        let done = first_to_finish(&all, &Limits::default(), threads, run).unwrap();
        (done.order, done.trials, done.result)
    }

    #[test]
    fn the_outcome_does_not_depend_on_threads() {
        let needs: [&[Result<u64, Abort>]; 4] = [
            &[Ok(1), Ok(1)],
            &[Ok(1_000_000), Ok(300_000)],
            &[Ok(u64::MAX), Err(Abort::Memory), Ok(70_000), Ok(1)],
            &[Err(Abort::Memory), Err(Abort::Memory), Ok(u64::MAX), Ok(100)],
        ];
        for needs in needs {
            let alone = compete(needs, 1);
            assert_eq!([2, 3, 8].map(|threads| compete(needs, threads)), [alone; 3], "{needs:?}");
        }
    }

    #[test]
    fn who_runs_out_of_memory_is_not_tried_again() {
        let (_, trials, rank) = compete(&[Err(Abort::Memory), Ok(u64::MAX), Ok(60_000)], 1);
        assert_eq!((trials, rank), (3, 2), "it moved up into the first round");
    }
}
