//! The same run in fewer words.
//!
//! - *Rotation.* If prefix and cycle end in the same step, `u x (v x)` is `u (x v)`: the same
//!   infinite sequence of steps.
//! - *Root.* A cycle `v v v` is `v`: since three rounds lead back, so does one.
//! - *Joining.* If a marking of the prefix comes again in the cycle, the run may enter the cycle
//!   there.
//! - *Cutting.* What lies between two equal markings may be left out; of a cycle, what lies
//!   between them may be the whole cycle.
//!
//! The first two do not change the run; the others do, and all are replayed before they are
//! believed. Cost: markings of the run, hashed, per change.

use super::judge::Judge;
use brine_net::{Run, TransitionId};
use brine_replay::Replayable;
use brine_run::Pace;
use rustc_hash::FxHashMap;

/// Folds while that makes the run shorter, or until the work is done.
pub(super) fn folded(judge: &dyn Judge, mut run: Run, pace: &mut Pace<'_>) -> Run {
    while let Some(shorter) = better(judge, &run, pace) {
        debug_assert!(shorter.len() < run.len());
        run = shorter;
    }
    run
}

/// A shorter run, if there is one and work is left.
fn better(judge: &dyn Judge, run: &Run, pace: &mut Pace<'_>) -> Option<Run> {
    let markings = markings(judge.model(), run, pace)?;
    let mut all = vec![rotated(run), root(run)];
    all.extend(joined(run, &markings));
    all.extend(cut_prefix(run, &markings));
    all.extend(cut_cycle(run, &markings));
    let cost = run.len() * 8;
    all.into_iter().find(|candidate| {
        candidate.len() < run.len() && pace.steps(cost).is_ok() && judge.violates(candidate)
    })
}

/// The marking at each position, the one after the last step too.
fn markings(model: &dyn Replayable, run: &Run, pace: &mut Pace<'_>) -> Option<Vec<Vec<u32>>> {
    let mut state = model.initial();
    let mut all = vec![state.clone()];
    for t in run.steps() {
        pace.steps(state.len() / 8 + 1).ok()?;
        model.step(t, &mut state).ok()?;
        all.push(state.clone());
    }
    Some(all)
}

fn rotated(run: &Run) -> Run {
    let Run { prefix, cycle } = run;
    let pairs = prefix.iter().rev().zip(cycle.iter().rev().cycle());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let mut cycle = cycle.clone();
    if !cycle.is_empty() {
        let by = same % cycle.len();
        cycle.rotate_right(by);
    }
    Run { prefix: prefix[..prefix.len() - same].to_vec(), cycle }
}

fn root(run: &Run) -> Run {
    let n = run.cycle.len();
    let is_period =
        |k: &usize| n.is_multiple_of(*k) && (*k..n).all(|i| run.cycle[i] == run.cycle[i - k]);
    let k = (1..n).find(is_period).unwrap_or(n);
    Run { prefix: run.prefix.clone(), cycle: run.cycle[..k].to_vec() }
}

/// Enters the cycle at the first marking of the prefix that it has.
fn joined(run: &Run, markings: &[Vec<u32>]) -> Option<Run> {
    let home = run.prefix.len();
    let inside: FxHashMap<&[u32], usize> =
        (home..run.len()).rev().map(|i| (&markings[i][..], i - home)).collect();
    let (i, &at) = (0..home).find_map(|i| Some((i, inside.get(&markings[i][..])?)))?;
    let mut cycle = run.cycle.clone();
    cycle.rotate_left(at);
    Some(Run { prefix: run.prefix[..i].to_vec(), cycle })
}

/// The longest stretch of the prefix between two equal markings is left out.
fn cut_prefix(run: &Run, markings: &[Vec<u32>]) -> Option<Run> {
    let (i, j) = longest_loop(&markings[..=run.prefix.len()])?;
    let prefix = [&run.prefix[..i], &run.prefix[j..]].concat();
    Some(Run { prefix, cycle: run.cycle.clone() })
}

/// The same for the cycle; and what lies between as the cycle.
fn cut_cycle(run: &Run, markings: &[Vec<u32>]) -> Vec<Run> {
    let home = run.prefix.len();
    let inside = &markings[home..run.len()];
    let Some((i, j)) = longest_loop(inside) else { return Vec::new() };
    let outer = [&run.cycle[..i], &run.cycle[j..]].concat();
    let enter: Vec<TransitionId> = [&run.prefix[..], &run.cycle[..i]].concat();
    vec![
        Run { prefix: run.prefix.clone(), cycle: outer },
        Run { prefix: enter, cycle: run.cycle[i..j].to_vec() },
    ]
}

/// Two equal markings as far from each other as possible.
fn longest_loop(markings: &[Vec<u32>]) -> Option<(usize, usize)> {
    let mut first: FxHashMap<&[u32], usize> = FxHashMap::default();
    let loops = markings.iter().enumerate().map(|(j, m)| (*first.entry(m).or_insert(j), j));
    loops.max_by_key(|(i, j)| (j - i, usize::MAX - i)).filter(|(i, j)| i < j)
}
