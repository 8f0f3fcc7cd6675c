//! Merged nets against the nets they were made from: markings and steps one by one, verdicts by
//! brute force, and lifted runs by replay.
//!
//! BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_coloured::net::ColouredTransition;
use brine_coloured::{ColouredNet, ColouredRun, Merged, UnfoldLimits, Unfolded, merge, unfold};
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas};
use brine_models::naive_names::{coloured_steps, coloured_tokens};
use brine_models::symmetric::{
    SymmetricNet, SymmetricPlace, SymmetricSort, SymmetricTerm, SymmetricTransition,
};
use brine_models::{naive_unfolding, philosophers_coloured, random_symmetric};
use brine_net::{Net, PlaceId, Rng, Run, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{Kripke, holds, number};
use brine_replay::{ReplayError, replay, replay_coloured};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Markings that brute force looks at.
const MARKINGS: usize = 400;

/// A coloured net, its naive unfolding, and its merged net with the unfolding of that.
struct Case {
    coloured: ColouredNet,
    plain: Net,
    merged: Merged,
    small: Unfolded,
}

fn case(rng: &mut Rng) -> Option<Case> {
    let net = random_symmetric::net(rng);
    let coloured = net.coloured().ok()?;
    let bindings =
        |t: &ColouredTransition| -> u64 { t.variables.iter().map(|x| u64::from(x.size)).product() };
    if coloured.transitions.iter().map(bindings).sum::<u64>() > 2_000 {
        return None;
    }
    let merged = merge(&coloured, &Default::default()).unwrap()?;
    let small = unfold(&merged.net, &UnfoldLimits::default(), &Default::default()).ok()?;
    let plain = naive_unfolding::unfold(&net);
    Some(Case { coloured, plain, merged, small })
}

/// The formula about an unfolded net, of whose nodes `places` and `steps` say what they were;
/// `idle` tokens of coloured places are not in the net.
fn restate(
    fs: &Formulas,
    formula: Formula,
    places: &[usize],
    idle: &[u64],
    steps: &[TransitionId],
) -> (Formulas, Formula) {
    let mut target = Formulas::new();
    let restated = fs.substitute(formula, &mut target, |target, atom| match fs.atom(atom) {
        Atom::Linear(linear) => {
            let coefficient = |p: usize| {
                let term = linear.terms.iter().find(|(q, _)| q.index() == places[p]);
                term.map(|&(_, c)| (PlaceId(p as u32), c))
            };
            let terms = (0..places.len()).filter_map(coefficient).collect();
            let constant = linear.terms.iter().map(|&(q, c)| c * idle[q.index()] as i64).sum();
            let sum = Expression { terms, constant };
            target.compare(sum, Comparison::Le, Expression::constant(linear.bound)).unwrap()
        }
        Atom::Fireable(ts) => {
            let of = |t: &u32| ts.contains(&steps[*t as usize]);
            let all: Vec<_> = (0..steps.len() as u32).filter(of).map(TransitionId).collect();
            if all.is_empty() { Formula::FALSE } else { target.fireable(all) }
        }
        Atom::Deadlock => target.deadlock(),
        Atom::Prop(_) | Atom::Fires(_) => unreachable!("markings alone"),
    });
    (target, restated)
}

impl Case {
    fn about_plain(&self, fs: &Formulas, formula: Formula) -> (Formulas, Formula) {
        let tokens = coloured_tokens(&self.plain, &self.coloured);
        let places: Vec<usize> = tokens.into_iter().map(|(p, _)| p).collect();
        let steps = coloured_steps(&self.plain, &self.coloured);
        let steps: Vec<TransitionId> = steps.iter().map(|s| s.transition).collect();
        let idle = vec![0; self.coloured.places.len()];
        restate(fs, formula, &places, &idle, &steps)
    }

    fn about_small(&self, fs: &Formulas, formula: Formula) -> (Formulas, Formula) {
        let groups = &self.small.groups;
        let mut places = vec![0; self.small.net.places().len()];
        for (i, group) in groups.places.iter().enumerate() {
            group.members().for_each(|p| places[p.index()] = i);
        }
        let idle: Vec<u64> = groups.places.iter().map(|g| g.idle_tokens()).collect();
        let steps = coloured_steps(&self.small.net, &self.merged.net);
        let steps: Vec<TransitionId> = steps.iter().map(|s| s.transition).collect();
        restate(fs, formula, &places, &idle, &steps)
    }

    /// The classes of a marking of the naive unfolding, without colours that never move.
    fn classes(&self, tokens: &[(usize, Vec<u32>)], marking: &[u32]) -> Vec<u32> {
        let small = coloured_tokens(&self.small.net, &self.merged.net);
        let number: BTreeMap<&(usize, Vec<u32>), usize> = small.iter().zip(0..).collect();
        let mut classes = vec![0; small.len()];
        for ((place, colour), &n) in tokens.iter().zip(marking) {
            let class = (*place, self.merged.classes(*place, colour));
            if let Some(&at) = number.get(&class) {
                classes[at] += n;
            }
        }
        classes
    }

    /// Whether the merged net has exactly the classes of markings and steps of the net.
    fn compare_graphs(&self, plain: &Kripke, small: &Kripke) {
        let tokens = coloured_tokens(&self.plain, &self.coloured);
        let of = |m: &Vec<u32>| self.classes(&tokens, m);
        let classes: Vec<Vec<u32>> = plain.markings.iter().map(of).collect();
        let edges = |markings: &[Vec<u32>],
                     next: &[Vec<usize>]|
         -> BTreeSet<(Vec<u32>, Vec<u32>)> {
            let to = |(a, b): (usize, usize)| (markings[a].clone(), markings[b].clone());
            let all = next.iter().enumerate().flat_map(|(a, bs)| bs.iter().map(move |&b| (a, b)));
            all.map(to).collect()
        };
        assert_eq!(classes[0], small.markings[0]);
        assert_eq!(edges(&classes, &plain.next), edges(&small.markings, &small.next));
        let dead = |net: &Net, k: &Kripke, markings: &[Vec<u32>]| -> BTreeSet<Vec<u32>> {
            (0..markings.len())
                .filter(|&i| k.is_dead(net, i))
                .map(|i| markings[i].clone())
                .collect()
        };
        let expected = dead(&self.plain, plain, &classes);
        assert_eq!(dead(&self.small.net, small, &small.markings), expected);
    }
}

fn random_formula(net: &ColouredNet, fs: &mut Formulas, rng: &mut Rng) -> Formula {
    let (places, transitions) = (net.places.len() as u32, net.transitions.len() as u32);
    let scope = AtomScope { places, transitions, deadlock: true, events: false, tokens: 4 };
    let depth = 1 + rng.below(3);
    random_formula_over(rng, scope, fs, depth)
}

/// A walk, cut where a marking comes back, or one above it.
fn random_run(net: &Net, rng: &mut Rng) -> Option<Run> {
    let mut marking = net.initial_marking();
    let mut seen = vec![marking.clone()];
    let mut steps: Vec<TransitionId> = Vec::new();
    for _ in 0..20 {
        let enabled: Vec<TransitionId> =
            net.transition_ids().filter(|&t| net.is_enabled(t, &marking)).collect();
        if enabled.is_empty() {
            return Some(Run { prefix: steps, cycle: Vec::new() });
        }
        let t = enabled[rng.index(enabled.len())];
        steps.push(t);
        net.fire_in_place(t, &mut marking);
        let closes = |m: &Vec<u32>| m.iter().zip(&marking).all(|(a, b)| a <= b);
        if let Some(at) = seen.iter().position(closes).filter(|_| rng.chance(60)) {
            let cycle = steps.split_off(at);
            return Some(Run { prefix: steps, cycle });
        }
        seen.push(marking.clone());
    }
    None
}

#[derive(Default, Debug)]
struct Counts {
    merged: u64,
    smaller: u64,
    graphs: u64,
    verdicts: u64,
    violated: u64,
    lifted: u64,
    not_lifted: u64,
    longer: u64,
}

/// A run of the merged net is lifted, and its lifted run judged like it.
fn compare_run(case: &Case, fs: &Formulas, formula: Formula, rng: &mut Rng, counts: &mut Counts) {
    let Some(run) = random_run(&case.small.net, rng) else { return };
    let (target, restated) = case.about_small(fs, formula);
    if target.atoms_of(restated).len() != fs.atoms_of(formula).len() {
        return;
    }
    let judged = replay(&case.small.net, &target, restated, &run);
    if matches!(judged, Err(ReplayError::TooManyTokens(_))) {
        return;
    }
    let steps = coloured_steps(&case.small.net, &case.merged.net);
    let step = |&t: &TransitionId| steps[t.index()].clone();
    let (prefix, cycle) = (run.prefix.iter().map(step), run.cycle.iter().map(step));
    let merged = ColouredRun { prefix: prefix.collect(), cycle: cycle.collect() };
    let Some(lifted) = case.merged.lift(&case.coloured, &merged, &Default::default()).unwrap()
    else {
        counts.not_lifted += 1;
        return;
    };
    counts.lifted += 1;
    counts.longer += u64::from(lifted.cycle.len() + lifted.prefix.len() > run.len());
    let lifted = replay_coloured(&case.coloured, fs, formula, &lifted);
    // Lifting repeats the cycle; a growing one may have settled meanwhile.
    let settled = judged == Err(ReplayError::NotSettled)
        && matches!(lifted, Ok(()) | Err(ReplayError::Satisfies));
    assert!(lifted == judged || settled, "{merged:?}: {lifted:?}, expected {judged:?}");
}

#[test]
fn merged_nets_mean_the_same() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 4_000));
    let mut counts = Counts::default();
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let Some(case) = case(&mut rng) else { continue };
        println!("BRINE_SEED={seed}");
        counts.merged += 1;
        counts.smaller +=
            u64::from(case.small.net.transitions().len() < case.plain.transitions().len());
        let graphs = (Kripke::new(&case.plain, MARKINGS), Kripke::new(&case.small.net, MARKINGS));
        if let (Some(plain), Some(small)) = &graphs {
            case.compare_graphs(plain, small);
            counts.graphs += 1;
        }
        assert!(graphs.0.is_none() || graphs.1.is_some(), "the merged net has no more markings");
        for _ in 0..3 {
            let mut fs = Formulas::new();
            let formula = random_formula(&case.coloured, &mut fs, &mut rng);
            if let (Some(plain), Some(small)) = &graphs {
                let (target, restated) = case.about_plain(&fs, formula);
                let expected = holds(&case.plain, plain, &target, restated);
                let (target, restated) = case.about_small(&fs, formula);
                let verdict = holds(&case.small.net, small, &target, restated);
                if let (Some(expected), Some(verdict)) = (expected, verdict) {
                    assert_eq!(verdict, expected);
                    counts.verdicts += 1;
                    counts.violated += u64::from(!verdict);
                }
            }
            compare_run(&case, &fs, formula, &mut rng, &mut counts);
        }
    }
    println!("{counts:?}");
    if count >= 1_000 {
        assert!(counts.smaller * 4 > count, "{counts:?}");
        assert!(counts.verdicts > count / 2 && counts.violated * 4 > counts.verdicts, "{counts:?}");
        assert!(counts.lifted > count / 2 && counts.not_lifted * 100 < counts.lifted, "{counts:?}");
        assert!(counts.longer * 1_000 > counts.lifted, "{counts:?}");
    }
}

/// Three tokens of different colours, of which a transition takes two of the same colour.
#[test]
fn two_tokens_of_a_class_are_not_two_of_a_colour() {
    let x = || SymmetricTerm::Variable(0);
    let twice = SymmetricTerm::NumberOf(2, Box::new(x()));
    let net = SymmetricNet {
        name: "pairs".to_owned(),
        sorts: vec![(
            "C".to_owned(),
            SymmetricSort::Finite(["a", "b", "c"].map(str::to_owned).into()),
        )],
        variables: vec![("x".to_owned(), 0)],
        places: vec![
            SymmetricPlace { id: "p".to_owned(), sort: 0, initial: Some(SymmetricTerm::All(0)) },
            SymmetricPlace { id: "q".to_owned(), sort: 0, initial: None },
        ],
        transitions: vec![SymmetricTransition {
            id: "t".to_owned(),
            guard: None,
            inputs: vec![(0, twice)],
            outputs: vec![(1, x())],
        }],
    };
    let coloured = net.coloured().unwrap();
    let merged = merge(&coloured, &Default::default()).unwrap().unwrap();
    assert_eq!(merged.classes(0, &[2]), [2], "what is taken");
    assert_eq!(merged.classes(1, &[2]), [0], "what is only put");
    let small = unfold(&merged.net, &UnfoldLimits::default(), &Default::default()).unwrap();
    assert!(Kripke::new(&small.net, 9).unwrap().is_dead(&small.net, 0));
}

/// Philosophers need their colours, and that is known at once.
#[test]
fn a_hundred_thousand_colours_take_milliseconds() {
    let net = philosophers_coloured(100_000).coloured().unwrap();
    let start = Instant::now();
    assert!(merge(&net, &Default::default()).unwrap().is_none());
    println!("{:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
