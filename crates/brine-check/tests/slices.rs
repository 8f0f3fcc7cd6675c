//! Every search, advanced by random slices of work, against itself in one go and against brute
//! force: what it finds does not depend on how its work was sliced; where a search goes on from
//! the state in which it stopped, what it counts does not either.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Auto, Engine, ExplicitEngine, HuntEngine, ModelEngine, ModelProperty, PinsEngine, Property,
    Question, Reason, Stages, Stats, SymbolicEngine, Verdict, replay,
};
use brine_explicit::hunt::HuntOptions;
use brine_explicit::por::Por;
use brine_explicit::setup::{guessed_bounds, place_bounds};
use brine_explicit::{Answer, Checker, Emptiness, SearchOptions, Stop};
use brine_ltl::{Automaton, Formulas, Node, Options, Symbols, Translator, parse};
use brine_net::order::candidates;
use brine_net::{Net, Rng, Structure};
use brine_oracle::{AnsweredPair, random_pairs};
use brine_pins::{MatrixOptions, Strategy};
use brine_run::{Control, Search};
use brine_scc::Method;
use std::sync::Arc;

/// So small a net needs next to nothing; a search gone wild is stopped.
fn control(work: Option<u64>) -> Control {
    Control { work, charged: Some(64 << 20), ..Control::default() }
}

/// Advances a search by random slices of work, up to `most` at a time, until it ends.
fn in_slices<S: Search + ?Sized>(
    search: &mut S,
    rng: &mut Rng,
    most: u32,
    goes_on: impl Fn(&S::Outcome) -> bool,
) -> (S::Outcome, u32) {
    let (mut work, mut slices) = (0, 0);
    loop {
        let outcome = search.advance(&control(Some(work)));
        if !goes_on(&outcome) {
            return (outcome, slices);
        }
        slices += 1;
        assert!(slices < 100_000, "a search that never ends");
        work += u64::from(rng.below(most));
    }
}

/// The answer of an explicit search says the same, and counted the same.
fn assert_same(whole: &Answer, parts: &Answer, context: &str) {
    assert_eq!((&whole.run, whole.por), (&parts.run, parts.por), "{context}");
    let figures = |answer: &Answer| (answer.stats, answer.work, answer.markings, answer.search);
    assert_eq!(figures(whole), figures(parts), "{context}");
}

/// The automaton of the violations, and whether it is stutter-invariant.
fn violations(pair: &AnsweredPair<'_>) -> (Arc<Automaton>, Option<bool>) {
    let mut formulas = pair.formulas.clone();
    let negation = formulas.not(pair.formula);
    let options = Options { net: Some(pair.net), ..Options::default() };
    let mut translator = Translator::new(&formulas, negation, &options).unwrap();
    let violations = Arc::new(translator.tgba().unwrap());
    (violations, translator.is_stutter_invariant().ok())
}

/// Every emptiness check, with and without partial-order reduction, with and without bounds.
fn explicit(pair: &AnsweredPair<'_>, structure: &Structure, rng: &mut Rng) -> u32 {
    let AnsweredPair { net, expected, seed, .. } = *pair;
    let (aut, stutter_invariant) = violations(pair);
    let fs = pair.formulas;
    let reachability = matches!(fs.node(pair.formula), Node::G(f) if fs.is_boolean(f));
    let mut slices = 0;
    for emptiness in Emptiness::ALL.into_iter().map(Some).chain([None]) {
        let por = rng.chance(50).then(Por::default);
        let options = SearchOptions { emptiness, por, stutter_invariant, reachability };
        let bounds = match rng.chance(50) {
            true => place_bounds(net, &structure.bounds),
            false => guessed_bounds(net),
        };
        let mut checker = Checker::new(net, bounds.clone(), seed % 3);
        if checker.begin(aut.clone(), options).is_err() {
            continue;
        }
        let whole = checker.advance(&control(None));
        let context = format!("BRINE_SEED={seed} {options:?} on {net:?}");
        assert_eq!(whole.run.as_ref().unwrap().is_none(), expected, "{context}");
        let mut checker = Checker::new(net, bounds, seed % 3);
        checker.begin(aut.clone(), options).unwrap();
        let most = [2, 5, 40, 1_000][rng.index(4)];
        let (parts, count) =
            in_slices(&mut checker, rng, most, |answer| answer.run == Err(Stop::Work));
        slices += count;
        assert_same(&whole, &parts, &context);
    }
    slices
}

#[test]
fn explicit_searches_go_on_where_they_stopped() {
    let mut slices = 0;
    let pairs = random_pairs(2_000, |pair, rng| {
        let structure = Structure::new(pair.net);
        slices += explicit(&pair, &structure, rng);
    });
    println!("{slices} slices");
    assert!(u64::from(slices) > 20 * pairs, "{slices} slices of {pairs} questions");
}

fn open((verdict, _): &(Verdict, Stats)) -> bool {
    *verdict == Verdict::Unknown(Reason::Steps)
}

fn engines<'n>(net: &'n Net, structure: &'n Structure) -> Vec<(Box<dyn Engine + 'n>, u32)> {
    let orders = candidates(net, structure);
    let symbolic =
        SymbolicEngine::new("symbolic", net, structure, Method::default(), orders.clone());
    let matrix = MatrixOptions::default();
    let pins = PinsEngine::new(net, structure, Strategy::default(), matrix, orders);
    let explicit = ExplicitEngine::new(net, structure, None, 0).with_por(Some(Por::default()));
    vec![
        (Box::new(explicit), 50),
        (Box::new(HuntEngine::new(net, HuntOptions::default())), 100_000),
        (Box::new(symbolic), 5_000),
        (Box::new(pins), 20_000),
    ]
}

#[test]
fn every_engine_finds_the_same_in_slices() {
    random_pairs(600, |pair, rng| {
        let AnsweredPair { net, formulas, formula, expected, seed } = pair;
        let structure = Structure::new(net);
        let (violations, stutter_invariant) = violations(&pair);
        let reachability = matches!(formulas.node(formula), Node::G(f) if formulas.is_boolean(f));
        let question = Question { violations, stutter_invariant, reachability };
        let whole = engines(net, &structure);
        for ((mut one, most), (mut other, _)) in whole.into_iter().zip(engines(net, &structure)) {
            let context = format!("BRINE_SEED={seed} {} on {net:?}", one.name());
            one.begin(question.clone()).unwrap();
            let (whole, figures) = one.advance(&control(None));
            other.begin(question.clone()).unwrap();
            let ((parts, again), _) = in_slices(&mut *other, rng, most, open);
            assert_eq!(whole, parts, "{context}");
            assert_eq!(whole == Verdict::Holds, expected, "{context}");
            assert_eq!(figures.order, again.order, "{context}");
            if let Verdict::Violated(Some(witness)) = &parts {
                replay(net, formulas, formula, witness).unwrap();
            }
        }
    });
}

#[test]
fn auto_finds_the_same_in_slices() {
    random_pairs(600, |AnsweredPair { net, formulas, formula, expected, seed }, rng| {
        let structure = &Structure::new(net);
        let property = Property { net, formulas, formula };
        let stages = Stages { simplification: rng.chance(30), ..Stages::default() };
        let auto = Auto::new(net, &structure, stages);
        let whole = auto.case(property).advance(&control(None)).unwrap();
        let (parts, _) = in_slices(&mut auto.case(property), rng, 100_000, |decision| {
            decision.as_ref().is_ok_and(|d| d.verdict == Verdict::Unknown(Reason::Steps))
        });
        let parts = parts.unwrap();
        let context = format!("BRINE_SEED={seed} on {net:?}");
        assert_eq!(whole.verdict == Verdict::Holds, expected, "{context}");
        assert_eq!((whole.verdict, whole.engine), (parts.verdict, parts.engine), "{context}");
    });
}

/// Guarded commands: a search that starts over comes to the same.
#[test]
fn a_model_is_decided_the_same_in_slices() {
    let model = brine_pins::gcl::parse(
        "var x = 0; var y = 0; up: x < 40 -> x := x + 1; over: y < 40 -> y := y + 1; \
         back: x = 40 -> x := 0; down: y = 40 -> y := 0;",
    )
    .unwrap();
    for (text, holds) in
        [("F x = 40", false), ("G (x <= 40 & y <= 40)", true), ("G F x = 0", false)]
    {
        let mut formulas = Formulas::new();
        let mut symbols = Symbols::of_names(["x", "y"], ["up", "over", "back", "down"]);
        let formula = parse(text, &mut formulas, &mut symbols).unwrap();
        let property = ModelProperty { model: &model, formulas: &formulas, formula };
        let engine = ModelEngine::default();
        let whole = engine.search(property).advance(&control(None)).unwrap();
        assert_eq!(whole.verdict == Verdict::Holds, holds, "{text}: {:?}", whole.verdict);
        let rng = &mut Rng::new(1);
        let (parts, slices) = in_slices(&mut engine.search(property), rng, 300, |decision| {
            decision.as_ref().is_ok_and(|d| d.verdict == Verdict::Unknown(Reason::Steps))
        });
        assert_eq!(whole.verdict, parts.unwrap().verdict, "{text}");
        assert!(slices > 2, "{text}: {slices} slices");
    }
}
