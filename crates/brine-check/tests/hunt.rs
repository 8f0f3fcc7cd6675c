//! The hunt on random nets and random formulas against the oracle. Witnesses are replayed by
//! `decide`, so a violation that is none fails here as an error.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Budget, HuntEngine, Property, Reason, Verdict, decide};
use brine_explicit::hunt::{HuntOptions, Ways};
use brine_ltl::{Atom, Formula, Formulas, Symbols, parse};
use brine_net::{Net, NetBuilder, Rng, TransitionId};
use brine_oracle::formulas::random_formula;
use brine_oracle::nets::{MARKINGS_MAX, random_net};
use brine_oracle::{AnsweredPair, Kripke, RandomNets, number, random_pairs};
use std::collections::BTreeMap;

const WALKS: Ways = Ways { walks: true, ..Ways::NONE };
const NEIGHBOURHOODS: Ways = Ways { neighbourhoods: true, ..Ways::NONE };
const GUIDED: Ways = Ways { guided_searches: true, ..Ways::NONE };

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    violated: u64,
    /// Violations found, by the ways used.
    found: BTreeMap<&'static str, u64>,
    /// Properties proved, by the ways used.
    proved: BTreeMap<&'static str, u64>,
    /// What decided when all ways were used.
    by: BTreeMap<&'static str, u64>,
    dead_ends: u64,
}

fn hunt(
    net: &Net,
    fs: &Formulas,
    formula: Formula,
    options: HuntOptions,
) -> (Verdict, &'static str) {
    let property = Property { net, formulas: fs, formula };
    let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
    let decision = decide(&mut HuntEngine::new(net, options), property, &budget)
        .unwrap_or_else(|error| panic!("{options:?}: {error} on {net:?}"));
    (decision.verdict, decision.stats.emptiness.unwrap_or("-"))
}

fn check_pair(pair: AnsweredPair<'_>, seen: &mut Seen) {
    let AnsweredPair { net, formulas: fs, formula, expected, seed } = pair;
    seen.pairs += 1;
    seen.violated += u64::from(!expected);
    let all = Ways::default();
    for (name, ways) in
        [("walks", WALKS), ("neighbourhoods", NEIGHBOURHOODS), ("guided", GUIDED), ("all", all)]
    {
        let options = HuntOptions { seed, ways, rounds: Some(2) };
        let (verdict, by) = hunt(net, fs, formula, options);
        match verdict {
            Verdict::Holds => {
                assert!(expected, "BRINE_SEED={seed} {name}: a violation was missed on {net:?}");
                *seen.proved.entry(name).or_default() += 1;
            }
            Verdict::Violated(witness) => {
                assert!(!expected, "BRINE_SEED={seed} {name}: {witness:?} on {net:?}");
                *seen.found.entry(name).or_default() += 1;
                let dead_end = witness.unwrap().cycle.is_empty();
                seen.dead_ends += u64::from(dead_end && name == "walks");
            }
            Verdict::Unknown(reason) => assert_eq!(reason, Reason::Steps),
        }
        if name == "all" {
            *seen.by.entry(by).or_default() += 1;
        }
    }
}

#[test]
fn what_the_hunt_says_is_true_and_it_finds_nearly_all_violations() {
    let mut seen = Seen::default();
    let pairs = random_pairs(8_000, |pair, _| check_pair(pair, &mut seen));
    println!("{seen:?}");
    if pairs >= 1_000 {
        let of = |map: &BTreeMap<&str, u64>, name: &str| map.get(name).copied().unwrap_or(0);
        for name in ["neighbourhoods", "guided", "all"] {
            assert_eq!(of(&seen.found, name), seen.violated, "{name}: the products are small");
            assert_eq!(of(&seen.proved, name), seen.pairs - seen.violated, "{name}");
        }
        assert_eq!(of(&seen.proved, "walks"), 0, "walks prove nothing");
        assert!(of(&seen.found, "walks") * 1000 >= seen.violated * 995, "{seen:?}");
        assert!(seen.dead_ends > seen.pairs / 20, "{seen:?}");
        assert!(of(&seen.by, "walk") > 0 && of(&seen.by, "probe") > 0, "{seen:?}");
    }
}

/// Runs that never come back: each is replayed by `decide`, and fired for many rounds here, to
/// see that the truth of the formula's atoms at each position is that of the first round.
#[test]
fn growing_runs_are_found_and_no_atom_ever_changes() {
    let cases = number("BRINE_CASES", 20_000) / 20;
    let (mut growing, mut fireable) = (0, 0);
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let (net, formula, fs) = {
            let net = RandomNets { balanced: 10, ..RandomNets::default() }.net(&mut rng);
            let mut fs = Formulas::new();
            let formula = random_formula(&mut rng, &net, &mut fs, 2);
            (net, formula, fs)
        };
        let options = HuntOptions { seed, ways: WALKS, rounds: Some(2) };
        let (Verdict::Violated(Some(witness)), _) = hunt(&net, &fs, formula, options) else {
            continue;
        };
        let letters = |marking: &[u32]| -> Vec<Option<bool>> {
            fs.atoms_of(formula).iter().map(|&a| fs.atom(a).eval(&net, marking)).collect()
        };
        let mut marking = net.initial_marking();
        witness.prefix.iter().for_each(|&t| fire(&net, t, &mut marking));
        let start = marking.clone();
        let mut first: Vec<Vec<Option<bool>>> = Vec::new();
        for round in 0..50 {
            for (i, &t) in witness.cycle.iter().enumerate() {
                let now = letters(&marking);
                if round == 0 {
                    first.push(now);
                } else {
                    assert_eq!(now, first[i], "seed {seed}, round {round}: {witness:?} {net:?}");
                }
                fire(&net, t, &mut marking);
            }
        }
        growing += u32::from(start != marking);
        let atoms = fs.atoms_of(formula);
        let speaks = atoms.iter().any(|&a| matches!(fs.atom(a), Atom::Fireable(_)));
        fireable += u32::from(start != marking && speaks);
    }
    println!("{growing} of {cases} grow, {fireable} with fireable atoms");
    if cases >= 1_000 {
        assert!(growing > 100 && fireable > 20, "{growing} grow, {fireable} fireable");
    }
}

fn fire(net: &Net, t: TransitionId, marking: &mut [u32]) {
    net.transition(t).pre.iter().for_each(|&(p, w)| marking[p.index()] -= w);
    net.transition(t).post.iter().for_each(|&(p, w)| marking[p.index()] += w);
}

/// The guided search decides products that are larger than the neighbourhood searched.
#[test]
fn guided_searches_decide_what_lies_deep() {
    let mut b = NetBuilder::new("counters");
    let (p, q) = (b.place("p", 60), b.place("q", 0));
    let (r, s) = (b.place("r", 60), b.place("s", 0));
    b.transition("pq", &[(p, 1)], &[(q, 1)]);
    b.transition("qp", &[(q, 1)], &[(p, 1)]);
    b.transition("rs", &[(r, 1)], &[(s, 1)]);
    b.transition("sr", &[(s, 1)], &[(r, 1)]);
    let net = b.build().unwrap();
    let mut fs = Formulas::new();
    let formula = parse("G !(q = 60 & s = 60)", &mut fs, &mut Symbols::of_net(&net)).unwrap();
    let options = HuntOptions {
        ways: Ways { walks: false, ..Ways::default() },
        rounds: Some(1),
        ..HuntOptions::default()
    };
    let (verdict, by) = hunt(&net, &fs, formula, options);
    assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
    assert_eq!(by, "guided");
}

#[test]
fn the_same_seed_gives_the_same_hunt() {
    let mut different = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let mut fs = Formulas::new();
        let formula = random_formula(&mut rng, &net, &mut fs, 3);
        let ask =
            |seed| hunt(&net, &fs, formula, HuntOptions { seed, ways: WALKS, rounds: Some(2) });
        assert_eq!(ask(1), ask(1));
        different += u32::from(ask(1) != ask(2));
    }
    assert!(different > 20, "only {different} of 200 hunts depend on the seed");
}

/// However small the memory budget is, the answer is right or unknown.
#[test]
fn a_small_memory_budget_never_makes_a_wrong_answer() {
    let (mut solved, mut open) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let Some(kripke) = Kripke::new(&net, MARKINGS_MAX) else { continue };
        let mut fs = Formulas::new();
        let formula = random_formula(&mut rng, &net, &mut fs, 3);
        let Some(expected) = brine_oracle::holds(&net, &kripke, &fs, formula) else { continue };
        for memory in [100, 1_000, 4_000, 20_000, 200_000, 1 << 30] {
            let budget = Budget { memory: Some(memory), ..Budget::default() };
            let property = Property { net: &net, formulas: &fs, formula };
            let mut engine =
                HuntEngine::new(&net, HuntOptions { rounds: Some(2), ..HuntOptions::default() });
            match decide(&mut engine, property, &budget).unwrap().verdict {
                Verdict::Unknown(reason) => {
                    assert!(memory < 1 << 30 && matches!(reason, Reason::Memory | Reason::Steps));
                    open += 1;
                }
                verdict => {
                    assert_eq!(verdict == Verdict::Holds, expected, "seed {seed}");
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 200 && open > 200, "{solved} solved, {open} open");
}
