//! Structural reductions on random nets and random formulas, against the oracle: all rules
//! together, each alone, and random selections. Lifted runs are replayed.
//!
//! BRINE_CASES sets the number of reductions that are checked, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, Chain, Engine, ExplicitEngine, FirstSteps, Property, ReducedProperty, Restatement,
    SymbolicEngine, Verdict, class_of, decide_restated,
};
use brine_ltl::{Formula, Formulas, Options, Symbols, Translator};
use brine_net::order::candidates;
use brine_net::{Net, Rng, Structure};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{Kripke, grown_net, number};
use brine_reduce::{Preserves, ReduceOptions, Rule};
use brine_scc::{Ideas, Method};
use std::collections::BTreeMap;

/// Nets with more markings are left out.
const MARKINGS_MAX: usize = 40;
/// The most additions to the small net that a random net grows from.
const STEPS_MAX: u32 = 8;

/// One question, with the right answer.
struct Case<'a> {
    property: Property<'a>,
    holds: bool,
    seed: u64,
}

impl Case<'_> {
    fn context(&self, preserves: Preserves, rules: &[Rule]) -> String {
        let Property { net, formulas, formula } = self.property;
        let text = formulas.print(formula, &Symbols::of_net(net));
        format!("BRINE_SEED={} {preserves:?} {rules:?}: {text} on {net:?}", self.seed)
    }

    /// Reduces; `None` if nothing is reduced.
    fn reduce(&self, preserves: Preserves, rules: &[Rule]) -> Option<ReducedProperty> {
        let options = ReduceOptions { rules: rules.to_vec(), ..ReduceOptions::default() };
        ReducedProperty::new(self.property, preserves, &options)
    }

    /// The oracle's answer on the reduced net.
    fn answer(&self, small: &ReducedProperty) -> Option<bool> {
        let Property { net, formulas, formula } = small.property();
        let kripke = Kripke::new(net, 2 * MARKINGS_MAX)?;
        brine_oracle::holds(net, &kripke, formulas, formula)
    }

    /// Reduces, compares answers, lifts the run. Counts in `seen`.
    fn check(&self, preserves: Preserves, rules: &[Rule], seen: &mut Seen) {
        let Some(small) = self.reduce(preserves, rules) else { return };
        let context = || format!("{}: {:?}", self.context(preserves, rules), small.property().net);
        let Some(answer) = self.answer(&small) else { return };
        assert_eq!(answer, self.holds, "{}", context());
        let mut chain = Chain::default();
        chain.push(small.clone());
        let verdict = ask(&chain, self.property, self.seed.is_multiple_of(4));
        assert_right(&verdict, self.holds, context);
        seen.note(&small, self.holds);
    }
}

/// The verdict is the right one, and a violation has a run.
fn assert_right(verdict: &Verdict, holds: bool, context: impl Fn() -> String) {
    match verdict {
        Verdict::Holds => assert!(holds, "{}", context()),
        Verdict::Violated(run) => assert!(!holds && run.is_some(), "{}", context()),
        Verdict::Unknown(why) => panic!("{why}: {}", context()),
    }
}

/// What an engine says about the last property of the chain, and so about this one.
fn ask(chain: &Chain<'_>, property: Property<'_>, symbolic: bool) -> Verdict {
    let net = chain.property(property).net;
    let structure = Structure::new(net);
    let mut explicit = ExplicitEngine::new(net, &structure, None, 0);
    let method = Method::OnTheFly(Ideas::default());
    let orders = candidates(net, &structure);
    let mut saturation = SymbolicEngine::new("symbolic", net, &structure, method, orders);
    let engine: &mut dyn Engine = if symbolic { &mut saturation } else { &mut explicit };
    decide_restated(engine, chain, property, &Budget::default()).unwrap().verdict
}

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    reductions: u64,
    violated: u64,
    applied: BTreeMap<&'static str, u64>,
}

impl Seen {
    fn note(&mut self, small: &ReducedProperty, holds: bool) {
        self.reductions += 1;
        self.violated += u64::from(!holds);
        for (rule, n) in small.reduced().counts() {
            *self.applied.entry(rule.name()).or_default() += u64::from(n > 0);
        }
    }
}

/// A random net, if it is small enough, and what its formulas may speak of.
fn random_case(rng: &mut Rng) -> Option<(Net, Kripke, AtomScope)> {
    let net = grown_net(rng, STEPS_MAX);
    let kripke = Kripke::new(&net, MARKINGS_MAX)?;
    let places = 1 + rng.below(net.places().len().min(3) as u32);
    let transitions = 1 + rng.below(net.transitions().len().min(2) as u32);
    Some((
        net,
        kripke,
        AtomScope { places, transitions, deadlock: rng.chance(10), events: false, tokens: 2 },
    ))
}

/// The class of a formula, as the automaton of its violations tells.
fn class(net: &Net, fs: &mut Formulas, formula: Formula) -> Preserves {
    let negation = fs.not(formula);
    let options = Options { net: Some(net), ..Options::default() };
    let mut translator = Translator::new(fs, negation, &options).unwrap();
    let class = translator.tgba().unwrap().class();
    class_of(translator.is_stutter_invariant().ok(), class)
}

#[test]
fn answers_on_reduced_nets_agree_with_the_oracle() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 6_000));
    let mut seen = Seen::default();
    let mut seed = first;
    while seen.reductions < count {
        let mut rng = Rng::new(seed);
        if let Some((net, kripke, scope)) = random_case(&mut rng) {
            for _ in 0..3 {
                ask_about(&net, &kripke, scope, &mut rng, seed, &mut seen);
            }
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if count >= 1_000 {
        assert!(seen.violated * 10 > seen.reductions && seen.violated * 10 < seen.reductions * 9);
        assert!(Rule::ALL.iter().all(|r| seen.applied[r.name()] * 200 > count), "{seen:?}");
    }
}

/// Checks one random formula with all rules, with each alone, and with some.
fn ask_about(
    net: &Net,
    kripke: &Kripke,
    scope: AtomScope,
    rng: &mut Rng,
    seed: u64,
    seen: &mut Seen,
) {
    let mut formulas = Formulas::new();
    let depth = 1 + rng.below(3);
    let formula = random_formula_over(rng, scope, &mut formulas, depth);
    let largest = class(net, &mut formulas, formula);
    let Some(holds) = brine_oracle::holds(net, kripke, &formulas, formula) else { return };
    let property = Property { net, formulas: &formulas, formula };
    let case = Case { property, holds, seed };
    let classes = match largest {
        Preserves::AllLtl => vec![Preserves::AllLtl],
        Preserves::StutterInvariant => vec![Preserves::AllLtl, Preserves::StutterInvariant],
        Preserves::StutterSafety => {
            vec![Preserves::AllLtl, Preserves::StutterInvariant, Preserves::StutterSafety]
        }
    };
    for preserves in classes {
        case.check(preserves, &Rule::ALL, seen);
        let alone = Rule::ALL[rng.below(Rule::ALL.len() as u32) as usize];
        case.check(preserves, &[alone], seen);
        let some: Vec<Rule> = Rule::ALL.into_iter().filter(|_| rng.chance(50)).collect();
        case.check(preserves, &some, seen);
    }
}

/// Properties with `X`: the first steps are taken, then all rules of the new class are used.
#[test]
fn answers_after_the_first_steps_agree_with_the_oracle() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 6_000) / 4);
    let (mut asked, mut violated, mut reduced) = (0, 0, 0);
    let mut steps_taken: BTreeMap<usize, u64> = BTreeMap::new();
    let mut seed = first;
    while asked < count {
        let mut rng = Rng::new(seed);
        seed += 1;
        let Some((net, kripke, scope)) = random_case(&mut rng) else { continue };
        let mut formulas = Formulas::new();
        let mut formula = random_formula_over(&mut rng, scope, &mut formulas, 2);
        for _ in 0..rng.below(3) {
            formula = formulas.x(formula);
        }
        let property = Property { net: &net, formulas: &formulas, formula };
        let Some(steps) = FirstSteps::new(property, &Budget::default()) else { continue };
        let Some(holds) = brine_oracle::holds(&net, &kripke, &formulas, formula) else { continue };
        let Property { net: new, formulas: fs, formula: restated } = steps.property();
        let kripke = Kripke::new(new, 4 * MARKINGS_MAX).unwrap();
        let Some(answer) = brine_oracle::holds(new, &kripke, fs, restated) else { continue };
        let context = || format!("BRINE_SEED={}: {new:?}", seed - 1);
        assert_eq!(answer, holds, "{}", context());
        let class = class(new, &mut fs.clone(), restated);
        assert_ne!(class, Preserves::AllLtl, "{}", context());
        let all = ReduceOptions::default();
        let mut chain = Chain::default();
        if let Some(small) = ReducedProperty::new(steps.property(), class, &all) {
            chain.push(small);
            reduced += 1;
        }
        let verdict = ask(&chain, steps.property(), false);
        assert_right(&verdict, holds, context);
        if let Verdict::Violated(Some(run)) = &verdict {
            let mut chain = Chain::default();
            chain.push(steps.clone());
            let lifted = chain.lift(property, verdict.clone(), &Budget::default()).unwrap();
            let Verdict::Violated(Some(lifted)) = lifted else { panic!("{}", context()) };
            *steps_taken.entry(lifted.prefix.len() + 1 - run.prefix.len()).or_default() += 1;
        }
        asked += 1;
        violated += u64::from(!holds);
    }
    println!("{asked} asked, {violated} violated, {reduced} reduced, steps {steps_taken:?}");
    if count >= 1_000 {
        assert!(violated * 10 > asked && violated * 10 < asked * 9 && reduced * 2 > asked);
        assert!((0..=3).all(|n| steps_taken.contains_key(&n)), "{steps_taken:?}");
    }
}

/// A rule that is used for properties it was not made for gives wrong answers, and this
/// campaign notices: stutter rules for formulas with `X`, safety for other properties. The
/// exception is the perpetual part, which does no harm to other properties by itself.
#[test]
fn rules_outside_of_their_class_are_caught() {
    let harmful = |r: &Rule| !r.preserves_all_ltl() && *r != Rule::PerpetualPart;
    let outside: Vec<Rule> = Rule::ALL.into_iter().filter(harmful).collect();
    let mut caught: BTreeMap<&'static str, u64> = outside.iter().map(|r| (r.name(), 0)).collect();
    for seed in 0..100_000 {
        if caught.values().all(|&n| n > 0) {
            break;
        }
        let mut rng = Rng::new(seed);
        let Some((net, kripke, scope)) = random_case(&mut rng) else { continue };
        let mut formulas = Formulas::new();
        let mut formula = random_formula_over(&mut rng, scope, &mut formulas, 1);
        for _ in 0..rng.below(4) {
            formula = formulas.x(formula);
        }
        let wrong = match class(&net, &mut formulas, formula) {
            Preserves::AllLtl => Preserves::StutterInvariant,
            Preserves::StutterInvariant => Preserves::StutterSafety,
            Preserves::StutterSafety => continue,
        };
        let Some(holds) = brine_oracle::holds(&net, &kripke, &formulas, formula) else { continue };
        let property = Property { net: &net, formulas: &formulas, formula };
        let case = Case { property, holds, seed };
        for &rule in &outside {
            let Some(small) = case.reduce(wrong, &[rule]) else { continue };
            let differs = case.answer(&small).is_some_and(|answer| answer != holds);
            *caught.entry(rule.name()).or_default() += u64::from(differs);
        }
    }
    println!("{caught:?}");
    assert!(caught.values().all(|&n| n > 0), "{caught:?}");
}
