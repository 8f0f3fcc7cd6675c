//! How a run may go on, so that a beginning becomes a whole run.
//!
//! First what the longer run did, as far as it is enabled; then walks that always take the first
//! enabled transition, counted from a different one each time, until a marking comes again or
//! nothing is enabled. *Invariant:* the whole run is replayed, and still violated after the
//! beginning. Cost: per step of a walk all transitions.

use super::Shown;
use super::judge::Judge;
use brine_net::{Run, TransitionId};
use brine_run::Pace;
use rustc_hash::FxHashMap;

/// Steps of one walk at most.
const STEPS: usize = 4_000;
/// Walks at most.
const WALKS: usize = 8;

/// A whole run that begins with these steps and is violated by them; `None` if none was found.
pub(super) fn complete(
    judge: &dyn Judge,
    beginning: &[TransitionId],
    longer: &Run,
    pace: &mut Pace<'_>,
) -> Option<Shown> {
    let accepted = |run: Run| {
        let violated_after = judge.violated_after_in(&run);
        let fits = violated_after.is_some_and(|k| k <= beginning.len()) && judge.violates(&run);
        fits.then_some(Shown { run, violated_after })
    };
    let same = Run { prefix: beginning.to_vec(), cycle: longer.cycle.clone() };
    if let Some(shown) = accepted(same) {
        return Some(shown);
    }
    if let Some(shown) = accepted(as_before(judge, beginning, longer)) {
        return Some(shown);
    }
    if !judge.is_whole() {
        return None;
    }
    let transitions = judge.model().transitions();
    let firsts = (0..WALKS).map(|i| i * transitions / WALKS);
    firsts.into_iter().find_map(|first| accepted(walk(judge, beginning, first, pace)?))
}

/// The rest of the longer run behind the beginning, without what is not enabled.
fn as_before(judge: &dyn Judge, beginning: &[TransitionId], longer: &Run) -> Run {
    let model = judge.model();
    let mut state = model.initial();
    let mut fire = |steps: &[TransitionId]| {
        let mut fired = Vec::new();
        for &t in steps {
            if model.enables(t, &state) == Ok(true) && model.step(t, &mut state).is_ok() {
                fired.push(t);
            }
        }
        fired
    };
    let mut prefix = fire(beginning);
    // Steps of the prefix that the beginning has were fired already.
    let mut left = beginning.to_vec();
    let rest: Vec<TransitionId> = longer
        .prefix
        .iter()
        .copied()
        .filter(|t| match left.iter().position(|l| l == t) {
            Some(i) => {
                left.remove(i);
                false
            }
            None => true,
        })
        .collect();
    prefix.extend(fire(&rest));
    let cycle = fire(&longer.cycle);
    Run { prefix, cycle }
}

/// A walk that takes the first enabled transition, counted from `first`.
fn walk(
    judge: &dyn Judge,
    beginning: &[TransitionId],
    first: usize,
    pace: &mut Pace<'_>,
) -> Option<Run> {
    let model = judge.model();
    let mut state = model.initial();
    beginning.iter().try_for_each(|&t| model.step(t, &mut state)).ok()?;
    let mut steps = beginning.to_vec();
    let mut seen: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let count = model.transitions();
    for _ in 0..STEPS {
        pace.steps(count + state.len() / 8 + 1).ok()?;
        if let Some(&home) = seen.get(&state) {
            let cycle = steps.split_off(home);
            return Some(Run { prefix: steps, cycle });
        }
        seen.insert(state.clone(), steps.len());
        let mut order = (first..count).chain(0..first).map(|t| TransitionId(t as u32));
        let Some(t) = order.find(|&t| model.enables(t, &state) == Ok(true)) else {
            return Some(Run { prefix: steps, cycle: Vec::new() });
        };
        model.step(t, &mut state).ok()?;
        steps.push(t);
    }
    None
}
