//! Random sequences of transitions on random nets: replay's own rules against those of
//! `brine-net` and `brine-ltl`, which it does not use.
//!
//! BRINE_CASES sets the number of sequences, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_ltl::{AtomId, Formula, Formulas, holds_on_lasso};
use brine_net::{Net, Rng, Run, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{grown_net, number};
use brine_replay::{ReplayError, replay};
use std::collections::BTreeMap;

/// Mostly enabled transitions, cut into a prefix and a cycle; a cycle that comes back to where
/// it began if the sequence has one.
fn random_run(net: &Net, rng: &mut Rng) -> Run {
    let mut marking = net.initial_marking();
    let mut seen = vec![marking.clone()];
    let mut steps: Vec<TransitionId> = Vec::new();
    for _ in 0..1 + rng.below(12) {
        let all: Vec<TransitionId> = net.transition_ids().collect();
        let enabled: Vec<TransitionId> =
            all.iter().copied().filter(|&t| net.is_enabled(t, &marking)).collect();
        let from = if rng.chance(95) { enabled } else { all };
        if from.is_empty() {
            return Run { prefix: steps, cycle: Vec::new() };
        }
        let t = from[rng.index(from.len())];
        steps.push(t);
        net.fire_in_place(t, &mut marking);
        if let Some(at) = seen.iter().position(|m| *m == marking).filter(|_| rng.chance(70)) {
            let cycle = steps.split_off(at);
            return Run { prefix: steps, cycle };
        }
        seen.push(marking.clone());
    }
    let cycle = steps.split_off(rng.index(steps.len() + 1));
    Run { prefix: steps, cycle }
}

/// What `brine-net` and `brine-ltl` say about the run; growing cycles are not judged.
fn expected(net: &Net, fs: &Formulas, formula: Formula, run: &Run) -> Option<Judgement> {
    let mut markings = vec![net.initial_marking()];
    for (i, t) in run.steps().enumerate() {
        match net.fire(t, &markings[i]) {
            Some(after) => markings.push(after),
            None => return Some(Judgement::NotEnabled(i + 1)),
        }
    }
    let (first, last) = (run.prefix.len(), run.len());
    if run.cycle.is_empty() {
        let dead = !net.transition_ids().any(|t| net.is_enabled(t, &markings[last]));
        if !dead {
            return Some(Judgement::NotDead);
        }
    } else if markings[first] != markings[last] {
        let grows = run.grows(net);
        return (!grows).then_some(Judgement::NotClosed);
    }
    let holds = |a: AtomId, i: usize| fs.atom(a).eval(net, &markings[i]).unwrap();
    let positions = run.cycle.len().max(1);
    let satisfies = holds_on_lasso(fs, formula, first, positions, holds);
    Some(if satisfies { Judgement::Satisfies } else { Judgement::Violates })
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Judgement {
    NotEnabled(usize),
    NotDead,
    NotClosed,
    Satisfies,
    Violates,
}

fn judge(result: Result<(), ReplayError>) -> Judgement {
    match result {
        Ok(()) => Judgement::Violates,
        Err(ReplayError::Satisfies) => Judgement::Satisfies,
        Err(ReplayError::NotEnabled { step, .. }) => Judgement::NotEnabled(step),
        Err(ReplayError::NotDead) => Judgement::NotDead,
        Err(ReplayError::NotClosed) => Judgement::NotClosed,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn replay_judges_as_the_rules_it_does_not_use() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 20_000));
    let mut seen: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let net = grown_net(&mut rng, 5);
        let mut fs = Formulas::new();
        let places = net.places().len().min(3) as u32;
        let transitions = net.transitions().len().min(3) as u32;
        let scope = AtomScope { places, transitions, deadlock: true, events: false, tokens: 2 };
        let depth = 1 + rng.below(3);
        let formula = random_formula_over(&mut rng, scope, &mut fs, depth);
        let run = random_run(&net, &mut rng);
        let Some(expected) = expected(&net, &fs, formula, &run) else { continue };
        let judged = judge(replay(&net, &fs, formula, &run));
        assert_eq!(judged, expected, "BRINE_SEED={seed}: {run:?} on {net:?}");
        let kind = match judged {
            Judgement::NotEnabled(_) => "not enabled",
            Judgement::NotDead => "not dead",
            Judgement::NotClosed => "not closed",
            Judgement::Satisfies => "satisfies",
            Judgement::Violates => "violates",
        };
        *seen.entry(kind).or_default() += 1;
    }
    println!("{seen:?}");
    if count >= 1_000 {
        assert!(seen.len() == 5 && seen.values().all(|&n| n * 100 > count), "{seen:?}");
    }
}
