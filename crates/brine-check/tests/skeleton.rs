//! What the skeleton of a coloured net decides, against brute force on a naive unfolding that
//! shares no code: what is left of a formula is equivalent to it on every run of the coloured
//! net, what is excluded holds in no reachable marking, what is called known or exact is so.
//!
//! BRINE_CASES sets the number of pairs of nets and formulas, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::coloured::{ColouredProperty, SkeletonSimplifier};
use brine_check::{Budget, Finding, Impossibility};
use brine_coloured::{ColouredNet, Skeleton};
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas, Symbols, parse};
use brine_models::symmetric::{SymmetricNet, SymmetricSort, SymmetricTerm};
use brine_models::{
    database_coloured, naive_unfolding, philosophers_coloured, random_moves, random_symmetric,
};
use brine_net::{Net, PlaceId, Rng, Structure, TransitionId};
use brine_oracle::formulas::random_formula;
use brine_oracle::nets::{FORMULAS_PER_NET, MARKINGS_MAX};
use brine_oracle::{Kripke, number};
use brine_reduce::state_equation::Proof;
use brine_run::Control;
use std::collections::BTreeMap;

/// How often something was seen.
type Seen = BTreeMap<&'static str, u64>;

fn count(seen: &mut Seen, what: &'static str, times: u64) {
    *seen.entry(what).or_default() += times;
}

/// A coloured net, its skeleton, and its naive unfolding with all reachable markings.
struct Case {
    coloured: ColouredNet,
    skeleton: Skeleton,
    naive: Net,
    kripke: Kripke,
    places: Vec<Vec<PlaceId>>,
    transitions: Vec<Vec<TransitionId>>,
}

impl Case {
    /// `None` if there are too many markings.
    fn new(net: &SymmetricNet) -> Option<Case> {
        let naive = naive_unfolding::unfold(net);
        let kripke = Kripke::new(&naive, MARKINGS_MAX)?;
        let coloured = net.coloured().unwrap();
        let skeleton = Skeleton::new(&coloured, &Control::default()).unwrap();
        let part_of = |name: &str, id: &str| name.strip_prefix(id).is_some_and(is_colour);
        let places = coloured.places.iter().map(|place| {
            naive.place_ids().filter(|&p| part_of(&naive.place(p).id(), &place.id)).collect()
        });
        let transitions = coloured.transitions.iter().map(|transition| {
            let all = naive.transition_ids();
            all.filter(|&t| part_of(&naive.transition(t).id(), &transition.id)).collect()
        });
        let (places, transitions) = (places.collect(), transitions.collect());
        Some(Case { coloured, skeleton, kripke, places, transitions, naive })
    }

    /// The tokens of all colours.
    fn forget(&self, marking: &[u32]) -> Vec<u64> {
        let sum =
            |places: &Vec<PlaceId>| places.iter().map(|p| u64::from(marking[p.index()])).sum();
        self.places.iter().map(sum).collect()
    }

    fn is_fireable(&self, t: TransitionId, marking: &[u32]) -> bool {
        self.transitions[t.index()].iter().any(|&b| self.naive.is_enabled(b, marking))
    }

    /// The formula with atoms about the naive unfolding.
    fn restate(&self, fs: &Formulas, f: Formula, target: &mut Formulas) -> Formula {
        fs.substitute(f, target, |target, a| match fs.atom(a) {
            Atom::Linear(linear) => {
                let members = |&(p, c): &(PlaceId, i64)| {
                    self.places[p.index()].iter().map(move |&member| (member, c))
                };
                let terms = linear.terms.iter().flat_map(members).collect();
                let left = Expression { terms, constant: 0 };
                target.compare(left, Comparison::Le, Expression::constant(linear.bound)).unwrap()
            }
            Atom::Fireable(ts) => {
                let members = ts.iter().flat_map(|t| self.transitions[t.index()].clone());
                target.fireable(members.collect())
            }
            Atom::Deadlock => target.deadlock(),
            Atom::Prop(name) => panic!("a proposition {name}"),
            Atom::Fires(_) => panic!("an event"),
        })
    }

    fn holds(&self, fs: &Formulas, f: Formula) -> Option<bool> {
        brine_oracle::holds(&self.naive, &self.kripke, fs, f)
    }

    /// The head of `skeleton.rs`, sentence by sentence.
    fn check_skeleton(&self, seen: &mut Seen, context: &str) {
        let Case { skeleton, naive, .. } = self;
        let net = skeleton.net();
        let known: Vec<PlaceId> = net.place_ids().filter(|&p| skeleton.knows(p)).collect();
        count(seen, "unknown places", (net.places().len() - known.len()) as u64);
        let at = |arcs: &[(PlaceId, u32)], p: PlaceId| -> u64 {
            let inside = arcs.iter().filter(|(q, _)| self.places[p.index()].contains(q));
            inside.map(|&(_, w)| u64::from(w)).sum()
        };
        let weight = |arcs: &[(PlaceId, u32)], p: PlaceId| {
            u64::from(arcs.iter().find(|a| a.0 == p).map_or(0, |a| a.1))
        };
        for t in net.transition_ids() {
            let here = net.transition(t);
            for &binding in &self.transitions[t.index()] {
                let there = naive.transition(binding);
                for &p in &known {
                    assert_eq!(weight(here.pre, p), at(there.pre, p), "{context}: {t:?} {p:?}");
                    assert_eq!(weight(here.post, p), at(there.post, p), "{context}: {t:?} {p:?}");
                }
            }
        }
        for (i, marking) in self.kripke.markings.iter().enumerate() {
            self.check_marking(marking, i, seen, context);
        }
    }

    fn check_marking(&self, marking: &[u32], i: usize, seen: &mut Seen, context: &str) {
        let net = self.skeleton.net();
        let sums = self.forget(marking);
        let enough = |&(p, w): &(PlaceId, u32)| sums[p.index()] >= u64::from(w);
        let mut goes_on = false;
        for t in net.transition_ids() {
            let skeleton = net.transition(t).pre.iter().all(enough);
            let really = self.is_fireable(t, marking);
            assert!(skeleton || !really, "{context}: {t:?} fires outside of the skeleton");
            if self.skeleton.is_exact(t) {
                assert_eq!(skeleton, really, "{context}: {t:?} is not exact");
                count(seen, "exact and enabled", u64::from(really));
            }
            goes_on |= skeleton;
        }
        if i == 0 {
            let initial = net.place_ids().filter(|&p| self.skeleton.knows(p));
            for p in initial {
                assert_eq!(u64::from(net.place(p).initial), sums[p.index()], "{context}: {p:?}");
            }
        }
        let dead = self.kripke.is_dead(&self.naive, i);
        count(seen, "dead markings that the skeleton does not have", u64::from(dead && goes_on));
    }

    fn check_findings(&self, simplified: &brine_check::SimplifiedFormula, context: &str) {
        for literals in &simplified.excluded {
            let (mut fs, mut target) = (Formulas::new(), Formulas::new());
            let all = literals.iter().map(|(atom, value)| {
                let atom = fs.intern_atom(atom.clone());
                let atom = fs.atom_formula(atom);
                if *value { atom } else { fs.not(atom) }
            });
            let all: Vec<Formula> = all.collect();
            let all = fs.and(all);
            let never = fs.not(all);
            let never = fs.g(never);
            let never = self.restate(&fs, never, &mut target);
            assert_ne!(self.holds(&target, never), Some(false), "{context}: {literals:?}");
        }
    }

    fn check_formula(
        &self,
        simplifier: &mut SkeletonSimplifier<'_>,
        (fs, formula): (&Formulas, Formula),
        seen: &mut Seen,
        context: &str,
    ) {
        let mut naive = Formulas::new();
        let original = self.restate(fs, formula, &mut naive);
        let Some(expected) = self.holds(&naive, original) else { return };
        let property = ColouredProperty { net: &self.coloured, formulas: fs, formula };
        let simplified = simplifier.simplify(property, &Budget::default());
        let shown =
            simplified.formulas.print(simplified.formula, &Symbols::of_net(self.skeleton.net()));
        let context = format!(
            "{context}: {} became {shown} by {:?}",
            fs.print(formula, &Symbols::of_net(self.skeleton.net())),
            simplified.findings
        );
        if let Some(answer) = simplified.constant() {
            assert!(answer == expected, "expected {expected}: {context}");
            count(seen, if answer { "holds" } else { "violated by every run" }, 1);
        }
        self.check_findings(&simplified, &context);
        let now = self.restate(&simplified.formulas, simplified.formula, &mut naive);
        let same = naive.iff(original, now);
        if let Some(same) = self.holds(&naive, same) {
            assert!(same, "not equivalent: {context}");
            count(seen, "equivalences", 1);
        }
        count(seen, "pairs", 1);
        count(seen, "rewritten", u64::from(simplified.formula != formula));
        for finding in &simplified.findings {
            count(seen, way(finding), 1);
        }
        self.check_never(simplifier, (fs, formula), seen, &context);
    }

    fn check_never(
        &self,
        simplifier: &mut SkeletonSimplifier<'_>,
        (fs, formula): (&Formulas, Formula),
        seen: &mut Seen,
        context: &str,
    ) {
        let mut fs = fs.clone();
        let parts = fs.subformulas(formula);
        let implications: Vec<Formula> =
            parts.iter().map(|&part| fs.implies(part, formula)).collect();
        let all = fs.and(implications);
        let property = ColouredProperty { net: &self.coloured, formulas: &fs, formula: all };
        for left in simplifier.never_true(property) {
            let mut target = Formulas::new();
            let left = self.restate(&fs, left, &mut target);
            let not = target.not(left);
            let never = target.g(not);
            assert_ne!(self.holds(&target, never), Some(false), "{context}: never true");
            count(seen, "never true", 1);
        }
    }
}

/// Nothing, or a colour in brackets.
fn is_colour(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('[')
}

/// The way of simplification behind a finding, in words.
fn way(finding: &Finding) -> &'static str {
    match finding {
        Finding::Constant { reason, .. } | Finding::Excluded { reason, .. } => match reason {
            Impossibility::Contradiction => "contradiction",
            Impossibility::Linear(Proof::Bounds) => "bounds",
            Impossibility::Linear(Proof::Equation) => "equation",
            Impossibility::Linear(Proof::Traps) => "trap",
        },
        Finding::Smaller(Atom::Linear(_)) => "constant places",
        Finding::Smaller(_) => "useless transitions",
        Finding::Start => "initial marking",
        Finding::Rewritten => "rewriting",
        Finding::NoViolation => "no violation",
        Finding::NoModel => "no model",
        Finding::FirstSteps => "first steps",
        Finding::NoRecurrence => "no recurrence",
    }
}

/// What must be seen in a few thousand pairs.
const ALL: [&str; 19] = [
    "holds",
    "violated by every run",
    "rewritten",
    "equivalences",
    "never true",
    "unknown places",
    "exact and enabled",
    "dead markings that the skeleton does not have",
    "contradiction",
    "bounds",
    "equation",
    "constant places",
    "useless transitions",
    "initial marking",
    "rewriting",
    "no violation",
    "no model",
    "first steps",
    "no recurrence",
];

#[test]
fn what_the_skeleton_says_is_true_of_every_coloured_run() {
    let (first, pairs) = (number("BRINE_SEED", 0), number("BRINE_CASES", 4_000));
    let mut seen = Seen::new();
    let mut seed = first;
    while seen.get("pairs").copied().unwrap_or(0) < pairs {
        let mut rng = Rng::new(seed);
        let net = match seed % 5 {
            0 => random_symmetric::net(&mut rng),
            _ => random_moves::net(&mut rng),
        };
        // Nets in which nothing happens make formulas constant too easily.
        let lively = |case: &Case| case.kripke.markings.len() >= 4 || seed % 8 == 0;
        if let Some(case) = Case::new(&net).filter(lively) {
            check_case(&case, &mut rng, seed, &mut seen);
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if pairs >= 4_000 {
        for what in ALL {
            assert!(seen.get(what).is_some_and(|&n| n >= 3), "{what}: {seen:#?}");
        }
    }
}

fn check_case(case: &Case, rng: &mut Rng, seed: u64, seen: &mut Seen) {
    let context = format!("BRINE_SEED={seed}");
    case.check_skeleton(seen, &context);
    let structure = Structure::new(case.skeleton.net());
    let told = rng.chance(50);
    let start = case.naive.initial_marking();
    let initially = |t: TransitionId| told.then(|| case.is_fireable(t, &start));
    let mut simplifier =
        SkeletonSimplifier::within(&case.skeleton, &structure, initially, &Control::default())
            .unwrap();
    let depth = 1 + rng.below(4);
    for _ in 0..FORMULAS_PER_NET {
        let mut fs = Formulas::new();
        let formula = random_formula(rng, case.skeleton.net(), &mut fs, depth);
        case.check_formula(&mut simplifier, (&fs, formula), seen, &context);
    }
}

/// The answer to a formula about a coloured net, by its skeleton alone.
fn answer(net: &ColouredNet, formula: &str) -> Option<bool> {
    let skeleton = Skeleton::new(net, &Control::default()).unwrap();
    let structure = Structure::new(skeleton.net());
    let mut simplifier =
        SkeletonSimplifier::within(&skeleton, &structure, |_| None, &Control::default()).unwrap();
    let (mut formulas, mut symbols) = (Formulas::new(), Symbols::of_net(skeleton.net()));
    let formula = parse(formula, &mut formulas, &mut symbols).unwrap();
    let property = ColouredProperty { net, formulas: &formulas, formula };
    simplifier.simplify(property, &Budget::default()).constant()
}

#[test]
fn philosophers_are_decided_as_far_as_sums_go() {
    let net = philosophers_coloured(1_000).coloured().unwrap();
    assert_eq!(answer(&net, "G(fork + left + right + 2*eat = 1000)"), Some(true));
    assert_eq!(answer(&net, "F(eat > 500)"), Some(false));
    // The skeleton can let all take a left fork and then has a deadlock; so does the net, but
    // with two forks left it has one only in colours. Neither is said.
    assert_eq!(answer(&net, "F deadlock"), None);
    assert_eq!(answer(&net, "G !deadlock"), None);
    // `put` takes any philosopher that eats.
    assert_eq!(answer(&net, "G(eat > 0 -> fireable(put))"), Some(true));
    assert_eq!(answer(&net, "G(fork > 0 & left > 0 -> fireable(then_right))"), None);
}

#[test]
fn differences_are_counted_where_they_cannot_stop_at_zero() {
    let net = database_coloured(30).coloured().unwrap();
    let skeleton = Skeleton::new(&net, &Control::default()).unwrap();
    assert!(skeleton.net().place_ids().all(|p| skeleton.knows(p)));
    assert_eq!(answer(&net, "G(unused + sent + received + answered = 870)"), Some(true));
    assert_eq!(answer(&net, "G waiting <= 1"), Some(true));
}

/// One place, `all` of a product of two sorts of so many values, and a transition that takes one
/// token.
fn pairs(values: i64, multiple: u32) -> ColouredNet {
    let mut net = philosophers_coloured(2);
    net.sorts = vec![
        ("Number".to_owned(), SymmetricSort::Range(1, values)),
        ("Pair".to_owned(), SymmetricSort::Product(vec![0, 0])),
    ];
    net.places.truncate(2);
    net.places[0].sort = 1;
    net.places[0].initial =
        Some(SymmetricTerm::NumberOf(multiple, Box::new(SymmetricTerm::All(1))));
    net.places[1].initial = None;
    net.transitions.truncate(1);
    let x = || SymmetricTerm::Variable(0);
    net.transitions[0].inputs = vec![(0, SymmetricTerm::Tuple(vec![x(), x()]))];
    net.transitions[0].outputs = vec![(1, x())];
    net.coloured().unwrap()
}

#[test]
fn huge_sorts_are_counted_or_left_out() {
    let fits = pairs(60_000, 1);
    let skeleton = Skeleton::new(&fits, &Control::default()).unwrap();
    assert_eq!(skeleton.net().initial_marking()[0], 3_600_000_000);
    assert!(skeleton.knows(PlaceId(0)));
    assert!(!skeleton.is_exact(TransitionId(0)), "<x, x> is not any token");
    assert_eq!(answer(&fits, "G fork + think = 3600000000"), Some(true));
    for (values, multiple) in [(60_000, 2), (70_000, 1), (3_000_000, u32::MAX)] {
        let large = pairs(values, multiple);
        let skeleton = Skeleton::new(&large, &Control::default()).unwrap();
        assert!(!skeleton.knows(PlaceId(0)) && skeleton.knows(PlaceId(1)));
        assert_eq!(answer(&large, "G fork <= 0"), None, "nothing is said about it");
        assert_eq!(answer(&large, "G fork >= 1"), None, "nothing is said about it");
    }
}
