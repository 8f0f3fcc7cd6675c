//! Reachability with the order that works: short trials first.
//!
//! No static score predicts how an order will do; two orders that look alike may differ
//! by a factor of a thousand, and so may an order and its reverse. But a good order
//! often finishes in milliseconds. So the most promising candidates get a little work
//! each; if none finishes, they get four times as much while the next ones begin, and so
//! on. With a factor of four the repeated work costs at most a third more.
//!
//! Work is counted in ticks (node look-ups), not seconds, so the same order is found on
//! every machine and in every run.

use std::sync::atomic::Ordering;

use brine_dd::{Abort, Dd, Limits, NodeId, with_deep_stack};
use brine_net::Net;
use brine_net::order::{Candidate, Layout, OrderSpec};

use crate::model::Model;
use crate::saturate::Saturation;

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

/// A finished search.
#[derive(Debug)]
pub struct Found {
    /// The engine that holds the diagrams.
    pub engine: Saturation,
    /// The reachable markings.
    pub reached: NodeId,
    /// The order that was used.
    pub order: OrderSpec,
    /// How many trials it took.
    pub trials: usize,
}

/// What is told about a trial before it starts.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The order.
    pub order: OrderSpec,
    /// Its levels.
    pub levels: usize,
    /// How many trials came before.
    pub number: usize,
}

/// Computes the reachable markings with one given order.
pub fn reach_with(
    net: &Net,
    layout: &Layout,
    limits: &Limits,
) -> Result<(Saturation, NodeId), Abort> {
    let run = || {
        let mut engine = Saturation::new(Model::new(net, layout), Dd::new(limits.clone()));
        let reached = engine.reach()?;
        Ok((engine, reached))
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(layout.levels.len(), run).unwrap_or(Err(Abort::Memory))
}

/// Computes the reachable markings with the first candidate that gets done.
pub fn reach_with_best(
    net: &Net,
    candidates: &[Candidate],
    limits: &Limits,
    watch: impl FnMut(Trial),
) -> Result<Found, Abort> {
    let run = |candidate: &Candidate, limits: &Limits| reach_with(net, &candidate.layout, limits);
    let done = first_to_finish(candidates, limits, watch, run)?;
    let (engine, reached) = done.result;
    Ok(Found { engine, reached, order: done.order, trials: done.trials })
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

/// Runs a computation with several orders, in turns of growing length, until one gets
/// done, or has used up the ticks of `limits` in one turn.
pub fn first_to_finish<T>(
    candidates: &[Candidate],
    limits: &Limits,
    mut watch: impl FnMut(Trial),
    mut run: impl FnMut(&Candidate, &Limits) -> Result<T, Abort>,
) -> Result<Done<T>, Abort> {
    let mut field = distinct(candidates);
    let mut trials = 0;
    for round in 0.. {
        let mut rank = 0;
        while let Some(turn) = u32::checked_sub(round, delay(rank)) {
            let Some(candidate) = field.get(rank) else { break };
            let levels = candidate.layout.levels.len();
            watch(Trial { order: candidate.spec, levels, number: trials });
            trials += 1;
            if let Some(progress) = &limits.progress {
                progress.trial.store(trials as u64, Ordering::Relaxed);
            }
            let work = FIRST_TICKS.saturating_mul(GROWTH.saturating_pow(turn));
            let ticks = if field.len() == 1 { u64::MAX } else { work }.min(limits.ticks);
            match run(candidate, &Limits { ticks, ..limits.clone() }) {
                Ok(result) => return Ok(Done { result, order: candidate.spec, trials }),
                Err(Abort::Ticks) if ticks < limits.ticks => rank += 1,
                // Another order may need less; this one will not need less next time.
                Err(Abort::Memory) if field.len() > 1 => drop(field.remove(rank)),
                Err(other) => return Err(other),
            }
        }
    }
    Err(Abort::Ticks)
}

/// Drops candidates whose layout stands further up in the list.
fn distinct(candidates: &[Candidate]) -> Vec<&Candidate> {
    let mut seen = rustc_hash::FxHashSet::default();
    candidates.iter().filter(|c| seen.insert(&c.layout.levels)).take(FIELD).collect()
}
