//! True runs pass, and every kind of false run is told apart.

use super::*;
use brine_ltl::{Symbols, parse};
use brine_net::NetBuilder;

/// A switch that can break: on <-> off, on -> broken.
fn switch() -> Net {
    let mut b = NetBuilder::new("switch");
    let (on, off, broken) = (b.place("on", 1), b.place("off", 0), b.place("broken", 0));
    b.transition("down", &[(on, 1)], &[(off, 1)]);
    b.transition("up", &[(off, 1)], &[(on, 1)]);
    b.transition("break", &[(on, 1)], &[(broken, 1)]);
    b.build().unwrap()
}

fn check(formula: &str, prefix: &[u32], cycle: &[u32]) -> Result<(), ReplayError> {
    let net = switch();
    let mut formulas = Formulas::new();
    let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
    let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
    replay(&net, &formulas, f, &Run { prefix: ids(prefix), cycle: ids(cycle) })
}

#[test]
fn true_witnesses_pass() {
    assert_eq!(check("G on >= 1", &[], &[0, 1]), Ok(()));
    assert_eq!(check("F broken >= 1", &[0, 1], &[0, 1]), Ok(()));
    assert_eq!(check("G F on >= 1", &[2], &[]), Ok(()));
    assert_eq!(check("!deadlock U off >= 1", &[2], &[]), Ok(()));
    assert_eq!(check("G fireable(up, down)", &[0, 1, 2], &[]), Ok(()));
}

/// `grow` adds a token to q for ever.
fn check_growing(formula: &str, prefix: &[u32]) -> Result<(), ReplayError> {
    let mut b = NetBuilder::new("well");
    let (p, q) = (b.place("p", 1), b.place("q", 0));
    b.transition("grow", &[(p, 1)], &[(p, 1), (q, 1)]);
    b.transition("take", &[(q, 2)], &[(q, 2)]);
    b.transition("both", &[(p, 2), (q, 2)], &[]);
    let net = b.build().unwrap();
    let mut formulas = Formulas::new();
    let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
    let prefix = prefix.iter().copied().map(TransitionId).collect();
    replay(&net, &formulas, f, &Run { prefix, cycle: vec![TransitionId(0)] })
}

#[test]
fn growing_cycles_pass_if_no_atom_ever_changes() {
    assert_eq!(check_growing("F p = 0", &[]), Ok(()));
    assert_eq!(check_growing("G F deadlock", &[]), Ok(()));
    assert_eq!(check_growing("F fireable(both)", &[]), Ok(()));
    assert_eq!(check_growing("F q <= p", &[]), Err(ReplayError::NotSettled));
    assert_eq!(check_growing("F q >= 6", &[]), Err(ReplayError::NotSettled), "some day");
    assert_eq!(check_growing("G q <= p", &[0, 0]), Ok(()), "above for ever");
    assert_eq!(check_growing("F fireable(take)", &[]), Err(ReplayError::NotSettled));
    assert_eq!(check_growing("G !fireable(take)", &[0, 0]), Ok(()), "enabled for ever");
    assert_eq!(check_growing("G p >= 1", &[]), Err(ReplayError::Satisfies));
}

#[test]
fn every_kind_of_false_witness_is_told_apart() {
    let not_enabled = ReplayError::NotEnabled { step: 2, transition: "down".to_owned() };
    assert_eq!(check("false", &[0, 0], &[0]), Err(not_enabled));
    assert_eq!(check("false", &[], &[0]), Err(ReplayError::NotClosed));
    assert_eq!(check("false", &[0], &[]), Err(ReplayError::NotDead));
    assert_eq!(check("F off >= 1", &[], &[0, 1]), Err(ReplayError::Satisfies));
    // The violation must be on this run, not just on some run.
    assert_eq!(check("G on >= 1", &[], &[]), Err(ReplayError::NotDead));
}
