//! Coloured runs on nets with many colours, and what happens when work runs out.

use super::*;
use brine_ltl::{Symbols, parse};
use brine_models::philosophers_coloured;
use brine_net::{NetBuilder, TransitionId};

/// Names and numbers of the coloured nodes, for the parser.
fn parse_over(net: &ColouredNet, text: &str) -> (Formulas, Formula) {
    let mut builder = NetBuilder::new("names");
    for place in &net.places {
        builder.place(&place.id, 0);
    }
    for transition in &net.transitions {
        builder.transition(&transition.id, &[], &[]);
    }
    let mut formulas = Formulas::new();
    let names = builder.build().unwrap();
    let formula = parse(text, &mut formulas, &mut Symbols::of_net(&names)).unwrap();
    (formulas, formula)
}

fn step(t: u32, x: u32) -> ColouredStep {
    ColouredStep { transition: TransitionId(t), binding: [x].into() }
}

const TAKE_LEFT: u32 = 0;
const THEN_RIGHT: u32 = 2;
const PUT: u32 = 4;

#[test]
fn a_hundred_thousand_philosophers_are_no_trouble() {
    let net = philosophers_coloured(100_000).coloured().unwrap();
    // Everyone takes the left fork: dead.
    let all = ColouredRun {
        prefix: (0..100_000).map(|x| step(TAKE_LEFT, x)).collect(),
        cycle: Vec::new(),
    };
    let (formulas, formula) = parse_over(&net, "G (fireable(take_left) | left <= 99999)");
    assert_eq!(replay_coloured(&net, &formulas, formula, &all), Ok(()));
    let (formulas, formula) = parse_over(&net, "F deadlock");
    assert_eq!(replay_coloured(&net, &formulas, formula, &all), Err(ReplayError::Satisfies));
    // All but one: the last can take a fork.
    let most = ColouredRun { prefix: all.prefix[1..].to_vec(), cycle: Vec::new() };
    assert_eq!(replay_coloured(&net, &formulas, formula, &most), Err(ReplayError::NotDead));
    // One eats for ever.
    let eats = vec![step(TAKE_LEFT, 7), step(THEN_RIGHT, 7), step(PUT, 7)];
    let eats = ColouredRun { prefix: Vec::new(), cycle: eats };
    assert_eq!(replay_coloured(&net, &formulas, formula, &eats), Ok(()));
    let (formulas, formula) = parse_over(&net, "G eat = 0 & G F fireable(put)");
    assert_eq!(replay_coloured(&net, &formulas, formula, &eats), Ok(()));
    // Another puts down what the first took.
    let wrong = vec![step(TAKE_LEFT, 7), step(THEN_RIGHT, 7), step(PUT, 8)];
    let wrong = ColouredRun { prefix: Vec::new(), cycle: wrong };
    let error = ReplayError::NotEnabled { step: 3, transition: "put".to_owned() };
    assert_eq!(replay_coloured(&net, &formulas, formula, &wrong), Err(error));
}

#[test]
fn steps_that_name_nothing_are_not_enabled() {
    let net = philosophers_coloured(3).coloured().unwrap();
    let (formulas, formula) = parse_over(&net, "false");
    let longer = ColouredStep { transition: TransitionId(0), binding: [0, 0].into() };
    for step in [step(9, 0), step(TAKE_LEFT, 3), longer] {
        let run = ColouredRun { prefix: vec![step], cycle: Vec::new() };
        let judged = replay_coloured(&net, &formulas, formula, &run);
        assert!(matches!(judged, Err(ReplayError::NotEnabled { step: 1, .. })), "{judged:?}");
    }
}

#[test]
fn without_work_nothing_is_claimed() {
    let net = philosophers_coloured(5).coloured().unwrap();
    let (formulas, formula) = parse_over(&net, "F eat >= 1");
    let dead =
        ColouredRun { prefix: (0..5).map(|x| step(TAKE_LEFT, x)).collect(), cycle: Vec::new() };
    let enough = (0..).find(|&work| {
        let judged = replay_within(&net, &formulas, formula, &dead, work);
        assert!(matches!(judged, Ok(()) | Err(ReplayError::CannotTell(_))), "{judged:?}");
        judged.is_ok()
    });
    assert!(enough.is_some_and(|work| work > 20), "{enough:?}");
}
