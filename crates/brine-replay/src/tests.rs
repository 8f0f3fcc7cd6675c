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

/// `[0] 0 {0}`-style automata over "on >= 1" on the switch.
fn check_automaton(body: &str, prefix: &[u32], cycle: &[u32]) -> Result<(), ReplayError> {
    let net = switch();
    let text = format!(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"on >= 1\" Acceptance: 2 Inf(0)&Inf(1) --BODY-- \
         {body} --END--"
    );
    let violations = brine_ltl::read_hoa(&text, &mut Symbols::of_net(&net)).unwrap();
    let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
    replay_automaton(&net, &violations, &Run { prefix: ids(prefix), cycle: ids(cycle) })
}

#[test]
fn words_are_accepted_if_all_marks_come_again_and_again() {
    // Infinitely often on, and infinitely often off.
    let both = "State: 0 [0] 0 {0} [!0] 0 {1}";
    assert_eq!(check_automaton(both, &[], &[0, 1]), Ok(()));
    assert_eq!(check_automaton(both, &[0, 1, 2], &[]), Err(ReplayError::NotAccepted));
    // A mark that only the way to the cycle has does not count.
    let early = "State: 0 [0] 1 {0} State: 1 [t] 1 {1}";
    assert_eq!(check_automaton(early, &[], &[0, 1]), Err(ReplayError::NotAccepted));
    // The automaton may go round more slowly than the word.
    let slow = "State: 0 [0] 0 [!0] 1 {0} State: 1 [0] 1 [!0] 0 {1}";
    assert_eq!(check_automaton(slow, &[], &[0, 1]), Ok(()));
    // And must not get stuck.
    assert_eq!(
        check_automaton("State: 0 [0] 0 {0 1}", &[], &[0, 1]),
        Err(ReplayError::NotAccepted)
    );
    // A run must be one.
    assert_eq!(check_automaton(both, &[], &[0]), Err(ReplayError::NotClosed));
    assert_eq!(check_automaton(both, &[0], &[]), Err(ReplayError::NotDead));
}
