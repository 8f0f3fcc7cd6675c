//! Simplification on random nets and random formulas, against the oracle: what is left of a
//! formula is equivalent to it on every run of the net, what is excluded holds in no
//! reachable marking, and the automaton that ignores what is excluded gives the same verdict.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Budget, Finding, Impossibility, Simplified, Simplifier};
use brine_explicit::layout::Bound;
use brine_explicit::{Checker, Control, SearchOptions};
use brine_ltl::{Atom, Formula, Formulas, Options, translate};
use brine_net::{Net, Rng, Structure};
use brine_oracle::formulas::random_formula;
use brine_oracle::nets::{FORMULAS_PER_NET, MARKINGS_MAX, random_net};
use brine_oracle::{Kripke, number};
use brine_reduce::state_equation::Proof;
use std::collections::BTreeMap;

/// What was seen, so that the test can insist on every way of simplification.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    constant: u64,
    equivalences: u64,
    /// Left sides of implications that are never true.
    never: u64,
    ways: BTreeMap<&'static str, u64>,
}

/// The way of simplification behind a finding, in words.
fn way(finding: &Finding) -> &'static str {
    let by = |reason: &Impossibility, words: [&'static str; 4]| match reason {
        Impossibility::Contradiction => words[0],
        Impossibility::Linear(Proof::Bounds) => words[1],
        Impossibility::Linear(Proof::Equation) => words[2],
        Impossibility::Linear(Proof::Traps) => words[3],
    };
    match finding {
        Finding::Constant { reason, .. } => {
            by(reason, ["atom: contradiction", "atom: bounds", "atom: equation", "atom: trap"])
        }
        Finding::Excluded { reason, .. } => {
            by(reason, ["cube: contradiction", "cube: bounds", "cube: equation", "cube: trap"])
        }
        Finding::Smaller(Atom::Linear(_)) => "atom: constant places",
        Finding::Smaller(_) => "atom: useless transitions",
        Finding::Start => "initial marking",
        Finding::Rewritten => "rewriting",
        Finding::NoViolation => "no violation",
        Finding::NoModel => "no model",
        Finding::FirstSteps => "first steps",
        Finding::NoRecurrence => "no recurrence",
    }
}

/// The formula in another store.
fn copy(source: &Formulas, f: Formula, target: &mut Formulas) -> Formula {
    source.substitute(f, target, |target, a| {
        let atom = target.intern_atom(source.atom(a).clone());
        target.atom_formula(atom)
    })
}

fn check_findings(net: &Net, kripke: &Kripke, simplified: &Simplified<'_>, seed: u64) {
    let everywhere =
        |atom: &Atom, value: bool| kripke.markings.iter().all(|m| atom.eval(net, m) == Some(value));
    for finding in &simplified.findings {
        if let Finding::Constant { atom, value, .. } = finding {
            assert!(everywhere(atom, *value), "BRINE_SEED={seed}: {atom:?} on {net:?}");
        }
    }
    for literals in &simplified.excluded {
        let holds = |m: &Vec<u32>| literals.iter().all(|(a, v)| a.eval(net, m) == Some(*v));
        assert!(!kripke.markings.iter().any(holds), "BRINE_SEED={seed}: {literals:?} on {net:?}");
    }
}

/// The verdict of the explicit engine on the automaton that ignores what is excluded.
fn holds_by_automaton(net: &Net, simplified: &Simplified<'_>) -> bool {
    let mut fs = simplified.formulas.clone();
    let negation = fs.not(simplified.formula);
    let options = Options { net: Some(net), excluded: &simplified.excluded, ..Options::default() };
    let automaton = translate(&fs, negation, &options).unwrap();
    let bounds = vec![Bound::Guess(1); net.places().len()];
    let limits = Control { charged: Some(32 << 20), ..Control::default() };
    let answer = Checker::new(net, bounds, 0).check(&automaton, SearchOptions::default(), limits);
    answer.unwrap().run.unwrap().is_none()
}

fn check_pair(
    net: &Net,
    kripke: &Kripke,
    simplifier: &mut Simplifier<'_>,
    (fs, formula): (&Formulas, Formula),
    seed: u64,
    seen: &mut Seen,
) {
    let Some(expected) = brine_oracle::holds(net, kripke, fs, formula) else { return };
    let simplified = simplifier.simplify(fs, formula, &Budget::default());
    let context = || format!("BRINE_SEED={seed}: {simplified:?} on {net:?}");
    check_findings(net, kripke, &simplified, seed);
    assert_eq!(holds_by_automaton(net, &simplified), expected, "{}", context());
    let mut both = fs.clone();
    let left = copy(&simplified.formulas, simplified.formula, &mut both);
    let same = both.iff(formula, left);
    if let Some(same) = brine_oracle::holds(net, kripke, &both, same) {
        assert!(same, "not equivalent: {}", context());
        seen.equivalences += 1;
    }
    seen.never += check_never(net, kripke, simplifier, (fs, formula), seed);
    seen.pairs += 1;
    seen.constant += u64::from(simplified.constant().is_some());
    for finding in &simplified.findings {
        *seen.ways.entry(way(finding)).or_default() += 1;
    }
}

/// Makes left sides of implications of parts of a formula. What is then said to be never true is
/// true on no run; the number of them.
fn check_never(
    net: &Net,
    kripke: &Kripke,
    simplifier: &mut Simplifier<'_>,
    (fs, formula): (&Formulas, Formula),
    seed: u64,
) -> u64 {
    let mut fs = fs.clone();
    let mut all = formula;
    for part in fs.subformulas(formula) {
        let negation = fs.not(part);
        for left in [part, negation] {
            let implication = fs.implies(left, formula);
            let always = fs.g(implication);
            all = fs.and([all, always]);
        }
    }
    let never = simplifier.never_true(&fs, all);
    for &left in &never {
        let not = fs.not(left);
        let always_not = fs.g(not);
        if let Some(holds) = brine_oracle::holds(net, kripke, &fs, always_not) {
            assert!(holds, "BRINE_SEED={seed}: {left:?} of {fs:?} on {net:?}");
        }
    }
    never.len() as u64
}

#[test]
fn simplified_formulas_are_equivalent_on_every_run() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 10_000));
    let mut seen = Seen::default();
    let mut seed = first;
    while seen.pairs < count {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let depth_max = 1 + rng.below(4);
        // Nets in which nothing happens make formulas constant too easily.
        let lively = |kripke: &Kripke| kripke.markings.len() >= 6 || seed % 8 == 0;
        if let Some(kripke) = Kripke::new(&net, MARKINGS_MAX).filter(lively) {
            let structure = Structure::new(&net);
            let mut simplifier = Simplifier::new(&net, &structure);
            for _ in 0..FORMULAS_PER_NET {
                let mut fs = Formulas::new();
                let formula = random_formula(&mut rng, &net, &mut fs, depth_max);
                check_pair(&net, &kripke, &mut simplifier, (&fs, formula), seed, &mut seen);
            }
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if count >= 4_000 {
        assert!(seen.equivalences * 2 > seen.pairs, "{seen:?}");
        assert!(seen.constant * 10 > seen.pairs, "{seen:?}");
        assert!(seen.never * 10 > seen.pairs, "{seen:?}");
        let least = |way: &str| seen.ways.get(way).copied().unwrap_or(0);
        for way in WAYS {
            assert!(least(way) >= 3, "{way}: {seen:?}");
        }
    }
}

/// Every way of simplification (traps with several literals are too rare to insist on).
const WAYS: [&str; 15] = [
    "atom: contradiction",
    "atom: bounds",
    "atom: equation",
    "atom: trap",
    "atom: constant places",
    "atom: useless transitions",
    "cube: contradiction",
    "cube: bounds",
    "cube: equation",
    "initial marking",
    "rewriting",
    "no violation",
    "no model",
    "first steps",
    "no recurrence",
];
