//! Random sequences of steps on random coloured nets: replay on the coloured net against replay
//! of the same sequence on the naive unfolding, with the formula restated by sums.
//!
//! BRINE_CASES sets the number of sequences, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_coloured::net::ColouredTransition;
use brine_coloured::{ColouredNet, ColouredRun, ColouredStep};
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas};
use brine_models::naive_names::{coloured_places, coloured_steps};
use brine_models::{naive_unfolding, random_symmetric};
use brine_net::{Net, PlaceId, Rng, Run, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::number;
use brine_replay::{ReplayError, replay, replay_coloured};
use std::collections::BTreeMap;

/// A coloured net and its naive unfolding.
struct Pair {
    coloured: ColouredNet,
    plain: Net,
    places: Vec<usize>,
    steps: Vec<ColouredStep>,
}

fn pair(rng: &mut Rng) -> Option<Pair> {
    let net = random_symmetric::net(rng);
    let coloured = net.coloured().ok()?;
    let bindings =
        |t: &ColouredTransition| -> u64 { t.variables.iter().map(|x| u64::from(x.size)).product() };
    if coloured.transitions.iter().map(bindings).sum::<u64>() > 5_000 {
        return None;
    }
    let plain = naive_unfolding::unfold(&net);
    let places = coloured_places(&plain, &coloured);
    let steps = coloured_steps(&plain, &coloured);
    Some(Pair { coloured, plain, places, steps })
}

/// The formula about the unfolded net: places become sums, transitions all their bindings.
fn restate(pair: &Pair, fs: &Formulas, formula: Formula) -> (Formulas, Formula) {
    let mut target = Formulas::new();
    let restated = fs.substitute(formula, &mut target, |target, atom| match fs.atom(atom) {
        Atom::Linear(linear) => {
            let coefficient = |p: usize| {
                let term = linear.terms.iter().find(|(q, _)| q.index() == pair.places[p]);
                term.map(|&(_, c)| (PlaceId(p as u32), c))
            };
            let terms = (0..pair.places.len()).filter_map(coefficient).collect();
            let sum = Expression { terms, constant: 0 };
            target.compare(sum, Comparison::Le, Expression::constant(linear.bound)).unwrap()
        }
        Atom::Fireable(ts) => {
            let of = |t: &u32| ts.contains(&pair.steps[*t as usize].transition);
            let all = (0..pair.steps.len() as u32).filter(of).map(TransitionId);
            target.fireable(all.collect())
        }
        Atom::Deadlock => target.deadlock(),
        Atom::Prop(_) | Atom::Fires(_) => unreachable!("markings alone"),
    });
    (target, restated)
}

/// Mostly enabled transitions of the unfolded net, cut into a prefix and a cycle; a cycle that
/// comes back to where it began, or above, if the sequence has one.
fn random_run(net: &Net, rng: &mut Rng) -> Run {
    let mut marking = net.initial_marking();
    let mut seen = vec![marking.clone()];
    let mut steps: Vec<TransitionId> = Vec::new();
    for _ in 0..1 + rng.below(12) {
        let all: Vec<TransitionId> = net.transition_ids().collect();
        let enabled: Vec<TransitionId> =
            all.iter().copied().filter(|&t| net.is_enabled(t, &marking)).collect();
        let from = if rng.chance(97) { enabled } else { all };
        if from.is_empty() {
            return Run { prefix: steps, cycle: Vec::new() };
        }
        let t = from[rng.index(from.len())];
        steps.push(t);
        net.fire_in_place(t, &mut marking);
        let closes = |m: &Vec<u32>| m.iter().zip(&marking).all(|(a, b)| a <= b);
        if let Some(at) = seen.iter().position(closes).filter(|_| rng.chance(60)) {
            let cycle = steps.split_off(at);
            return Run { prefix: steps, cycle };
        }
        seen.push(marking.clone());
    }
    let cycle = steps.split_off(rng.index(steps.len() + 1));
    Run { prefix: steps, cycle }
}

/// The run in colours, now and then with another value of a variable. Its steps as the unfolded
/// net knows them, up to the first that it does not know.
fn coloured(pair: &Pair, run: &Run, rng: &mut Rng) -> (ColouredRun, Vec<Option<TransitionId>>) {
    let step = |&t: &TransitionId| pair.steps[t.index()].clone();
    let mut coloured = ColouredRun {
        prefix: run.prefix.iter().map(step).collect(),
        cycle: run.cycle.iter().map(step).collect(),
    };
    if rng.chance(15) {
        let (first, count) = (coloured.prefix.len(), run.len());
        let at = if count == 0 { return (coloured, Vec::new()) } else { rng.index(count) };
        let steps = (&mut coloured.prefix, &mut coloured.cycle);
        let step = if at < first { &mut steps.0[at] } else { &mut steps.1[at - first] };
        let variables = &pair.coloured.transitions[step.transition.index()].variables;
        if !variables.is_empty() {
            let x = rng.index(variables.len());
            step.binding[x] = rng.below(variables[x].size + 1);
        }
    }
    let known: BTreeMap<(u32, &[u32]), TransitionId> = pair
        .steps
        .iter()
        .zip(pair.plain.transition_ids())
        .map(|(s, t)| ((s.transition.0, &*s.binding), t))
        .collect();
    let find = |s: &ColouredStep| known.get(&(s.transition.0, &*s.binding)).copied();
    let plain = coloured.steps().map(find).collect();
    (coloured, plain)
}

/// What kind of judgement it is, and at which step.
fn judge(result: Result<(), ReplayError>) -> (&'static str, usize) {
    match result {
        Ok(()) => ("violates", 0),
        Err(ReplayError::Satisfies) => ("satisfies", 0),
        Err(ReplayError::NotEnabled { step, .. }) => ("not enabled", step),
        Err(ReplayError::NotDead) => ("not dead", 0),
        Err(ReplayError::NotClosed) => ("not closed", 0),
        Err(ReplayError::NotSettled) => ("not settled", 0),
        Err(ReplayError::TooManyTokens(step)) => ("too many tokens", step),
        Err(error) => panic!("{error}"),
    }
}

/// What replay on the unfolded net says.
fn expected(
    pair: &Pair,
    fs: &Formulas,
    formula: Formula,
    run: &ColouredRun,
    steps: &[Option<TransitionId>],
) -> (&'static str, usize) {
    let first = run.prefix.len();
    match steps.iter().position(Option::is_none) {
        None => {
            let all: Vec<TransitionId> = steps.iter().copied().flatten().collect();
            let plain = Run { prefix: all[..first].to_vec(), cycle: all[first..].to_vec() };
            judge(replay(&pair.plain, fs, formula, &plain))
        }
        // The guard does not hold there, if the run comes that far.
        Some(at) => {
            let prefix = steps[..at].iter().copied().flatten().collect();
            match judge(replay(&pair.plain, fs, formula, &Run { prefix, cycle: Vec::new() })) {
                early @ ("not enabled" | "too many tokens", _) => early,
                _ => ("not enabled", at + 1),
            }
        }
    }
}

#[test]
fn coloured_replay_judges_as_replay_of_the_unfolding() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 6_000));
    let (mut seen, mut runs): (BTreeMap<&'static str, u64>, u64) = Default::default();
    let (mut grown, mut cycles) = (0, 0);
    for seed in first..first + count.div_ceil(4) {
        let mut rng = Rng::new(seed);
        let Some(pair) = pair(&mut rng) else { continue };
        for _ in 0..4 {
            let mut fs = Formulas::new();
            let scope = AtomScope {
                places: pair.coloured.places.len() as u32,
                transitions: pair.coloured.transitions.len() as u32,
                deadlock: true,
                events: false,
                tokens: 3,
            };
            let depth = 1 + rng.below(3);
            let formula = random_formula_over(&mut rng, scope, &mut fs, depth);
            let (target, restated) = restate(&pair, &fs, formula);
            if target.atoms_of(restated).len() != fs.atoms_of(formula).len() {
                continue;
            }
            let plain = random_run(&pair.plain, &mut rng);
            let (run, steps) = coloured(&pair, &plain, &mut rng);
            let expected = expected(&pair, &target, restated, &run, &steps);
            let judged = judge(replay_coloured(&pair.coloured, &fs, formula, &run));
            assert_eq!(judged, expected, "BRINE_SEED={seed}: {run:?} on {:?}", pair.coloured);
            *seen.entry(judged.0).or_default() += 1;
            runs += 1;
            if matches!(judged.0, "violates" | "satisfies") && !run.cycle.is_empty() {
                cycles += 1;
                grown += u64::from(plain.grows(&pair.plain));
            }
        }
    }
    println!("{runs} runs: {seen:?}; {cycles} cycles, {grown} of them grow");
    if count >= 1_000 {
        let often = ["violates", "satisfies", "not enabled", "not dead", "not closed"];
        assert!(often.iter().all(|kind| seen[kind] * 100 > runs), "{seen:?}");
        assert!(seen["not settled"] * 1_000 > runs, "{seen:?}");
        assert!(grown * 100 > cycles && grown < cycles, "{grown} of {cycles} cycles grow");
    }
}
