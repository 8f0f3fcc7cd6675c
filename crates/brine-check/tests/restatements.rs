//! Runs lifted over restatements, on random nets and random formulas: whatever a restatement
//! makes of a violating run of its own property is replayed on the property before, level by
//! level, down to the original net. Bounded nets and unbounded ones, whose runs may grow.
//!
//! BRINE_CASES sets the number of runs that are lifted, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, Chain, Engine, ExplicitEngine, FirstSteps, HuntEngine, Property, ReducedProperty,
    Restatement, Simplifier, SymbolicEngine, Verdict, class_of, decide,
};
use brine_explicit::hunt::HuntOptions;
use brine_ltl::{Formulas, Symbols};
use brine_net::order::candidates;
use brine_net::{Net, Rng, Run, Structure};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{Kripke, grown_net, number};
use brine_reduce::{Preserves, ReduceOptions};
use brine_replay::{ReplayError, replay};
use brine_scc::{Ideas, Method};
use std::collections::BTreeMap;

/// Nets with more markings count as unbounded.
const MARKINGS_MAX: usize = 60;

/// What was lifted, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    runs: u64,
    /// Runs over each kind of restatement.
    kinds: BTreeMap<&'static str, u64>,
    /// Runs over so many restatements.
    lengths: BTreeMap<usize, u64>,
    growing: u64,
    dead_ends: u64,
    /// Runs of unbounded nets that were not found.
    left_out: u64,
}

/// The restatements of a property, in a chain and one by one.
#[derive(Default)]
struct Levels<'a> {
    chain: Chain<'a>,
    each: Vec<(&'static str, Box<dyn Restatement + 'a>)>,
}

impl<'a> Levels<'a> {
    fn push(&mut self, kind: &'static str, restatement: impl Restatement + Clone + 'a) {
        self.chain.push(restatement.clone());
        self.each.push((kind, Box::new(restatement)));
    }

    /// Restates as `auto` does, leaving some of it out.
    fn new(property: Property<'a>, structure: &'a Structure, bounded: bool, rng: &mut Rng) -> Self {
        let budget = Budget::default();
        let mut levels = Levels::default();
        if rng.chance(60) {
            let mut simplifier = Simplifier::new(property.net, structure);
            let simplified = simplifier.simplify(property.formulas, property.formula, &budget);
            levels.push("simplified", simplified);
        }
        if rng.chance(60)
            && let Some(steps) = FirstSteps::new(levels.chain.property(property), &budget)
        {
            levels.push("first steps", steps);
        }
        let last = levels.chain.property(property);
        let class = if rng.chance(80) { class(last) } else { Preserves::AllLtl };
        // Lifting in an unbounded net may look for a long time, in vain.
        if rng.chance(if bounded { 80 } else { 10 })
            && let Some(small) = ReducedProperty::new(last, class, &ReduceOptions::default())
        {
            levels.push("reduced", small);
        }
        levels
    }

    /// Lifts a run of the last property, one restatement after the other. `None` if it is lost.
    fn lift(&self, original: Property<'_>, mut run: Run) -> Result<Option<Run>, String> {
        for (i, (kind, restatement)) in self.each.iter().enumerate().rev() {
            let before = match i.checked_sub(1) {
                Some(i) => self.each[i].1.property(),
                None => original,
            };
            let Some(lifted) = restatement.lift(before, run, &Budget::default()) else {
                return Ok(None);
            };
            let Property { net, formulas, formula } = before;
            match replay(net, formulas, formula, &lifted) {
                Ok(()) => run = lifted,
                Err(ReplayError::Satisfies) => return Err(format!("{kind}: it satisfies")),
                Err(ReplayError::NotSettled) => return Ok(None),
                Err(error) => return Err(format!("{kind}: {error}")),
            }
        }
        Ok(Some(run))
    }
}

/// The largest class of rules for the property.
fn class(property: Property<'_>) -> Preserves {
    let facts = decide(&mut hunter(property.net, 0), property, &Budget::default());
    let facts = facts.unwrap().automaton.unwrap();
    class_of(facts.stutter_invariant, facts.class)
}

/// A short search that unbounded nets do not lead astray.
fn hunter(net: &Net, seed: u64) -> HuntEngine<'_> {
    HuntEngine::new(net, HuntOptions { rounds: Some(1), seed, ..HuntOptions::default() })
}

/// What one engine says about the last property: hunt, explicit, symbolic.
fn ask(engine: u64, levels: &Levels<'_>, property: Property<'_>, seed: u64) -> Verdict {
    let net = levels.chain.property(property).net;
    let structure = Structure::new(net);
    let orders = candidates(net, &structure);
    let method = Method::OnTheFly(Ideas::default());
    let engine: &mut dyn Engine = match engine {
        0 => &mut hunter(net, seed),
        1 => &mut ExplicitEngine::new(net, &structure, None, seed),
        _ => &mut SymbolicEngine::new("symbolic", net, &structure, method, orders),
    };
    decide(engine, levels.chain.property(property), &Budget::default()).unwrap().verdict
}

fn check(property: Property<'_>, bounded: bool, rng: &mut Rng, seed: u64, seen: &mut Seen) {
    let structure = Structure::new(property.net);
    let levels = Levels::new(property, &structure, bounded, rng);
    if levels.chain.is_empty() {
        return;
    }
    let Property { net, formulas, formula } = property;
    for engine in [0, 1 + seed % 2].into_iter().take(if bounded { 2 } else { 1 }) {
        let verdict = ask(engine, &levels, property, seed);
        let Verdict::Violated(Some(run)) = verdict.clone() else { continue };
        let context = || {
            let text = formulas.print(formula, &Symbols::of_net(net));
            let kinds: Vec<_> = levels.each.iter().map(|l| l.0).collect();
            format!("BRINE_SEED={seed} engine {engine}, {kinds:?}: {run:?}, {text} on {net:?}")
        };
        let lifted = levels.lift(property, run.clone());
        let lifted = lifted.unwrap_or_else(|e| panic!("{e}: {}", context()));
        assert!(!bounded || lifted.is_some(), "not found: {}", context());
        let chained = levels.chain.lift(property, verdict, &Budget::default());
        assert_eq!(chained, Ok(Verdict::Violated(lifted.clone())), "{}", context());
        seen.note(&levels, net, lifted.as_ref());
    }
}

impl Seen {
    fn note(&mut self, levels: &Levels<'_>, net: &Net, lifted: Option<&Run>) {
        self.runs += 1;
        levels.each.iter().for_each(|(kind, _)| *self.kinds.entry(kind).or_default() += 1);
        *self.lengths.entry(levels.each.len()).or_default() += 1;
        self.growing += u64::from(lifted.is_some_and(|run| run.grows(net)));
        self.dead_ends += u64::from(lifted.is_some_and(|run| run.cycle.is_empty()));
        self.left_out += u64::from(lifted.is_none());
    }
}

#[test]
fn every_lifted_run_replays_on_every_level() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 2_000));
    let mut seen = Seen::default();
    let mut seed = first;
    while seen.runs < count {
        let mut rng = Rng::new(seed);
        let net = grown_net(&mut rng, 8);
        let bounded = Kripke::new(&net, MARKINGS_MAX).is_some();
        let places = 1 + rng.below(net.places().len().min(3) as u32);
        let transitions = 1 + rng.below(net.transitions().len().min(2) as u32);
        let scope =
            AtomScope { places, transitions, deadlock: rng.chance(10), events: false, tokens: 2 };
        let mut formulas = Formulas::new();
        let mut formula = random_formula_over(&mut rng, scope, &mut formulas, 2);
        for _ in 0..rng.below(3) {
            formula = formulas.x(formula);
        }
        let property = Property { net: &net, formulas: &formulas, formula };
        check(property, bounded, &mut rng, seed, &mut seen);
        seed += 1;
    }
    println!("seeds {first}..{seed}: {seen:#?}");
    if count >= 1_000 {
        let kinds = ["simplified", "first steps", "reduced"];
        assert!(kinds.iter().all(|k| seen.kinds[k] * 10 > count), "{seen:?}");
        assert!((1..=3).all(|n| seen.lengths[&n] * 100 > count), "{seen:?}");
        assert!(seen.growing * 100 > count && seen.dead_ends * 20 > count, "{seen:?}");
        assert!(seen.left_out * 10 < count, "{seen:?}");
    }
}
