//! Steps that are not needed are left out, with all that depends on them.
//!
//! A block of steps is taken out, the rest fired in order, and what is not enabled any more
//! skipped: so whatever needed the block goes with it. If what is left still violates the
//! property, it is kept. Blocks begin at half the run and are halved down to single steps; single
//! steps are tried until none can be left out. This is delta debugging (Zeller) with the causal
//! order of the net for its dependencies.
//!
//! *Invariant:* what is kept was replayed and is shorter than before. *Cost:* one replay per
//! block: for n steps n log n replays if blocks fall early, n squared at worst, cut off by the
//! counted work.

use super::judge::Judge;
use brine_net::{Run, TransitionId};
use brine_run::Pace;

/// Shortens steps after which the property is violated whatever follows.
pub(super) fn beginning(
    judge: &dyn Judge,
    steps: Vec<TransitionId>,
    pace: &mut Pace<'_>,
) -> Vec<TransitionId> {
    without_blocks(steps, pace, |candidate, pace| {
        let fired = fired(judge, &[], candidate, pace)?;
        let k = judge.violated_after(&fired)?;
        Some(fired[..k].to_vec())
    })
}

/// Shortens the prefix of a run, then its cycle.
pub(super) fn lasso(judge: &dyn Judge, run: Run, pace: &mut Pace<'_>) -> Run {
    let Run { prefix, cycle } = run;
    let violating = |run: Run, pace: &mut Pace<'_>| {
        pace.steps(run.len() * 4 + 1).ok()?;
        judge.violates(&run).then_some(run)
    };
    let cycle_of = cycle.clone();
    let prefix = without_blocks(prefix, pace, |candidate, pace| {
        let prefix = fired(judge, &[], candidate, pace)?;
        Some(violating(Run { prefix, cycle: cycle_of.clone() }, pace)?.prefix)
    });
    let prefix_of = prefix.clone();
    let cycle = without_blocks(cycle, pace, |candidate, pace| {
        let cycle = fired(judge, &prefix_of, candidate, pace)?;
        // An empty cycle would claim a dead marking.
        if cycle.is_empty() {
            return None;
        }
        Some(violating(Run { prefix: prefix_of.clone(), cycle }, pace)?.cycle)
    });
    Run { prefix, cycle }
}

/// Tries to leave out blocks; `kept` says what becomes of what is left, if that will do.
fn without_blocks(
    mut steps: Vec<TransitionId>,
    pace: &mut Pace<'_>,
    kept: impl Fn(&[TransitionId], &mut Pace<'_>) -> Option<Vec<TransitionId>>,
) -> Vec<TransitionId> {
    let mut block = steps.len().div_ceil(2).max(1);
    while !steps.is_empty() && pace.steps(1).is_ok() {
        let before = steps.len();
        let mut end = steps.len();
        while end > 0 && pace.steps(1).is_ok() {
            let start = end.saturating_sub(block);
            let candidate = [&steps[..start], &steps[end..]].concat();
            if let Some(shorter) = kept(&candidate, pace).filter(|s| s.len() < steps.len()) {
                steps = shorter;
            }
            end = start.min(steps.len());
        }
        if block == 1 && steps.len() == before {
            break;
        }
        block = (block / 2).max(1);
    }
    steps
}

/// The steps that can be fired in this order after `before`; the others are skipped. `None` if
/// the work is done.
fn fired(
    judge: &dyn Judge,
    before: &[TransitionId],
    steps: &[TransitionId],
    pace: &mut Pace<'_>,
) -> Option<Vec<TransitionId>> {
    let model = judge.model();
    let mut state = model.initial();
    for &t in before {
        pace.steps(4).ok()?;
        model.step(t, &mut state).ok()?;
    }
    let mut fired = Vec::with_capacity(steps.len());
    for &t in steps {
        pace.steps(8).ok()?;
        if model.enables(t, &state) == Ok(true) && model.step(t, &mut state).is_ok() {
            fired.push(t);
        }
    }
    Some(fired)
}
