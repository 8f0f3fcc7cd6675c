//! Partial-order reduction with every proviso, on random nets and random stutter-invariant
//! formulas, against the oracle. Witnesses are replayed.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Budget, ExplicitEngine, Property, Verdict, decide, replay};
use brine_explicit::emptiness::Accepts;
use brine_explicit::por::{Por, PorUse};
use brine_explicit::provisos::Proviso;
use brine_explicit::setup::place_bounds;
use brine_explicit::stubborn::{Choice, Strength};
use brine_explicit::{Answer, Checker, Control, Emptiness, SearchOptions};
use brine_ltl::{Automaton, Class, Formula, Formulas, Node, Options, Symbols, Translator, parse};
use brine_models::philosophers_ordered;
use brine_net::{Net, Rng, Structure};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::nets::random_concurrent_net;
use brine_oracle::{Kripke, number};
use std::collections::BTreeMap;

/// Nets with more markings are left out.
const MARKINGS_MAX: usize = 120;

/// One question, with the right answer.
struct Case<'a> {
    net: &'a Net,
    structure: &'a Structure,
    fs: &'a Formulas,
    formula: Formula,
    automaton: Automaton,
    stutter_invariant: bool,
    holds: bool,
    seed: u64,
}

impl Case<'_> {
    /// Asks, compares with the oracle, replays. `None` if the check does not fit.
    fn ask(&self, emptiness: Option<Emptiness>, por: Option<Por>) -> Option<Answer> {
        let bounds = place_bounds(self.net, &self.structure.bounds);
        let stutter_invariant = Some(self.stutter_invariant);
        let options = SearchOptions {
            emptiness,
            por,
            stutter_invariant,
            reachability: matches!(self.fs.node(self.formula), Node::G(f) if self.fs.is_boolean(f)),
        };
        let limits = Control { charged: Some(32 << 20), ..Control::default() };
        let mut checker = Checker::new(self.net, bounds, self.seed % 3);
        let answer = checker.check(&self.automaton, options, limits).ok()?;
        let context = || format!("BRINE_SEED={} {options:?} on {:?}", self.seed, self.net);
        let run = answer.run.clone().unwrap_or_else(|stop| panic!("{stop:?}: {}", context()));
        assert_eq!(run.is_none(), self.holds, "{run:?}: {}", context());
        if let Some(run) = run {
            let replayed = replay(self.net, self.fs, self.formula, &run);
            assert!(replayed.is_ok(), "{replayed:?}: {}", context());
        }
        Some(answer)
    }
}

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    with_next: u64,
    violated: u64,
    /// Pairs in which fewer markings were stored with reduction, by class of the automaton.
    smaller: BTreeMap<&'static str, u64>,
    applied: BTreeMap<String, u64>,
    not_applied: BTreeMap<&'static str, u64>,
}

impl Seen {
    fn note(&mut self, answer: &Answer) {
        match answer.por {
            Some(PorUse::Applied { proviso, .. }) => {
                *self.applied.entry(proviso.name()).or_default() += 1;
            }
            Some(PorUse::NotApplied(why)) => *self.not_applied.entry(why).or_default() += 1,
            None => panic!("reduction was asked for"),
        }
    }
}

/// Pairs that are decided within so few markings say little about reduction.
const TRIVIAL: u64 = 7;

fn check_case(case: &Case<'_>, rng: &mut Rng, seen: &mut Seen) {
    let plain = case.ask(Some(Emptiness::Couvreur), None).unwrap();
    if plain.markings <= TRIVIAL && !rng.chance(3) {
        return;
    }
    let mut fewest = u64::MAX;
    for proviso in Proviso::all().into_iter().map(Some).chain([None]) {
        let strength = [Strength::Strong, Strength::Weak][rng.below(2) as usize];
        let choice = Choice { strength, tries: 1 + rng.below(4) as usize };
        let emptiness = Emptiness::ALL[rng.below(Emptiness::ALL.len() as u32) as usize];
        let emptiness = Some(emptiness).filter(|_| rng.chance(70));
        let por = Some(Por { proviso, choice });
        let answer = case.ask(emptiness, por).or_else(|| case.ask(None, por)).unwrap();
        seen.note(&answer);
        fewest = fewest.min(answer.markings);
    }
    for emptiness in Emptiness::ALL {
        let fits = case.ask(Some(emptiness), Some(Por::default())).is_some();
        assert!(fits || matches!(emptiness.accepts(), Accepts::Weak | Accepts::Terminal));
    }
    seen.pairs += 1;
    seen.violated += u64::from(!case.holds);
    if case.holds && fewest < plain.markings {
        *seen.smaller.entry(case.automaton.class().name()).or_default() += 1;
    }
}

#[test]
fn verdicts_with_every_proviso_agree_with_the_oracle() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 1_500));
    let mut seen = Seen::default();
    let mut seed = first;
    while seen.pairs < count {
        let mut rng = Rng::new(seed);
        let (net, mut scope) = random_concurrent_net(&mut rng);
        if rng.chance(20) {
            scope = AtomScope::of(&net);
        }
        if let Some(kripke) = Kripke::new(&net, MARKINGS_MAX) {
            for _ in 0..4 {
                ask_about(&net, scope, &kripke, &mut rng, seed, &mut seen);
            }
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if count >= 1_000 {
        assert!(seen.violated * 10 > seen.pairs && seen.violated * 10 < seen.pairs * 9);
        assert!(seen.with_next > 0, "{seen:?}");
        assert!(seen.smaller.len() == 3 && seen.smaller.values().all(|&n| n > 10), "{seen:?}");
        assert_eq!(seen.applied.len(), Proviso::all().len(), "{seen:?}");
        assert_eq!(seen.not_applied.len(), 5, "{seen:?}");
    }
}

/// A formula of a shape that people write; these decide late more often than others.
fn random_idiom(rng: &mut Rng, scope: AtomScope, fs: &mut Formulas) -> Formula {
    let depth = rng.below(2);
    let mut part = |fs: &mut Formulas| random_formula_over(rng, scope, fs, depth);
    let (a, b, c) = (part(fs), part(fs), part(fs));
    let then = fs.f(b);
    let until = fs.u(b, c);
    match rng.below(8) {
        0 => fs.g(a),
        1 => {
            let inner = fs.implies(a, then);
            fs.g(inner)
        }
        2 => {
            let inner = fs.implies(a, until);
            fs.g(inner)
        }
        3 => fs.implies(then, until),
        4 => {
            let again = fs.g(then);
            fs.implies(again, until)
        }
        5 => fs.g(then),
        6 => {
            let always = fs.g(a);
            let stays = fs.f(always);
            fs.or([stays, until])
        }
        _ => {
            let (ever, never) = (fs.f(a), fs.g(b));
            fs.or([ever, never])
        }
    }
}

/// Asks one random question, if its formula is stutter-invariant (or one time in twenty).
fn ask_about(
    net: &Net,
    scope: AtomScope,
    kripke: &Kripke,
    rng: &mut Rng,
    seed: u64,
    seen: &mut Seen,
) {
    let mut fs = Formulas::new();
    let depth = 1 + rng.below(4);
    let formula = if rng.chance(40) {
        random_formula_over(rng, scope, &mut fs, depth)
    } else {
        random_idiom(rng, scope, &mut fs)
    };
    let options = Options { net: Some(net), ..Options::default() };
    let negation = fs.not(formula);
    let mut translator = Translator::new(&fs, negation, &options).unwrap();
    let automaton = translator.tgba().unwrap();
    // Now and then that is too hard to tell.
    let Ok(stutter_invariant) = translator.is_stutter_invariant() else { return };
    if !stutter_invariant && !rng.chance(5) {
        return;
    }
    let Some(holds) = brine_oracle::holds(net, kripke, &fs, formula) else { return };
    let structure = &Structure::new(net);
    let case = Case { net, structure, fs: &fs, formula, automaton, stutter_invariant, holds, seed };
    check_case(&case, rng, seen);
    let text = fs.print(formula, &Symbols::of_net(net));
    seen.with_next += u64::from(stutter_invariant && text.contains('X'));
}

/// A formula that is not stutter-invariant is answered without reduction, and that is said.
#[test]
fn reduction_is_not_applied_where_it_does_not_fit() {
    let net = philosophers_ordered(4);
    let structure = Structure::new(&net);
    let mut fs = Formulas::new();
    let por = |name: Option<&str>| Por {
        proviso: name.map(|n| Proviso::from_name(n).unwrap()),
        choice: Choice::default(),
    };
    let eating = "eat_0 = 1";
    let questions = [
        (format!("X {eating}"), None, "not stutter-invariant"),
        (format!("F G ({eating} -> !deadlock)"), None, "`deadlock` beside other atoms"),
        (format!("G F {eating}"), Some("C2S_e"), "needs a liveness proviso"),
        (format!("G !{eating}"), Some("None"), "needs a safety or liveness proviso"),
    ];
    for (text, proviso, why) in questions {
        let formula = parse(&text, &mut fs, &mut Symbols::of_net(&net)).unwrap();
        let mut engine =
            ExplicitEngine::new(&net, &structure, None, 0).with_por(Some(por(proviso)));
        let property = Property { net: &net, formulas: &fs, formula };
        let decision = decide(&mut engine, property, &Budget::default()).unwrap();
        assert!(!matches!(decision.verdict, Verdict::Unknown(_)));
        match decision.stats.por {
            Some(PorUse::NotApplied(reason)) => assert!(reason.contains(why), "{reason}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // Where it fits: a marking of some kind needs no proviso, a terminal automaton only a safety
    // proviso.
    let fitting = [
        ("G !deadlock".to_owned(), "None", Class::Terminal),
        (format!("G !{eating}"), "None", Class::Terminal),
        (format!("G ({eating} -> !deadlock)"), "None", Class::Terminal),
        (format!("eat_1 = 0 W {eating}"), "Delegate", Class::Terminal),
        (format!("G F {eating}"), "Acyclic", Class::Weak),
    ];
    for (text, expected, class) in fitting {
        let formula = parse(&text, &mut fs, &mut Symbols::of_net(&net)).unwrap();
        let mut engine = ExplicitEngine::new(&net, &structure, None, 0).with_por(Some(por(None)));
        let property = Property { net: &net, formulas: &fs, formula };
        let decision = decide(&mut engine, property, &Budget::default()).unwrap();
        assert_eq!(decision.automaton.map(|a| a.class), Some(class));
        match decision.stats.por {
            Some(PorUse::Applied { proviso, .. }) => assert_eq!(proviso.name(), expected),
            other => panic!("{text}: {other:?}"),
        }
    }
}
