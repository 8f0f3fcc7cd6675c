//! LTL on guarded commands against the oracle: random nets are written as guarded commands,
//! so that what is known of the net must be found in the model. Runs are replayed on both.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, ModelProperty, ReplayError, Schedule, Search, Verdict, Witness, decide_model, replay,
    replay_model,
};
use brine_ltl::{Formulas, Options, Symbols, parse, translate};
use brine_net::generate::Rng;
use brine_net::{Net, TransitionId};
use brine_oracle::{Pair, random_pairs};
use brine_pins::{MatrixOptions, Operation, Regroup, Strategy, audit, gcl};
use std::fmt::Write;

/// The net as guarded commands: slot n is place n, group n is transition n. With `indexed`,
/// places are elements of an array whose index has to be computed, so that all are may-writes.
fn commands(net: &Net, indexed: bool) -> gcl::Model {
    let name = |p: usize| if indexed { format!("m[zero + {p}]") } else { format!("m{p}") };
    let initial = net.initial_marking();
    let mut text = String::new();
    if indexed {
        let values: Vec<String> = initial.iter().map(u32::to_string).collect();
        let _ = write!(text, "var m[{}] = {{{}}}; ", values.len(), values.join(", "));
        text.push_str("var zero = 0; ");
    } else {
        initial.iter().enumerate().for_each(|(p, m)| {
            let _ = write!(text, "var m{p} = {m}; ");
        });
    }
    for (i, t) in net.transitions().iter().enumerate() {
        let mut guard = String::from("true");
        for (p, w) in &t.pre {
            let _ = write!(guard, " & {} >= {w}", name(p.index()));
        }
        let mut updates = Vec::new();
        for p in net.place_ids() {
            let weight = |arcs: &[(_, u32)]| arcs.iter().find(|a| a.0 == p).map_or(0, |a| a.1);
            let (take, put) = (weight(&t.pre), weight(&t.post));
            if take != put {
                let name = name(p.index());
                updates.push(format!("{name} := {name} - {take} + {put}"));
            }
        }
        let updates = if updates.is_empty() { "skip".to_owned() } else { updates.join(", ") };
        let _ = write!(text, "t{i}: {guard} -> {updates}; ");
    }
    gcl::parse(&text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    violated: u64,
    dead_ends: u64,
    cycles: u64,
}

fn check_pair(pair: Pair<'_>, rng: &mut Rng, seen: &mut Seen) {
    let Pair { net, formulas, formula, expected, seed } = pair;
    let model = commands(net, rng.chance(50));
    if rng.chance(5) {
        assert!(audit(&model, 500).unwrap().violation.is_none(), "BRINE_SEED={seed}");
    }
    let property = ModelProperty { model: &model, formulas, formula };
    for strategy in Strategy::ALL {
        let operations = (0..rng.below(4)).map(|_| Operation::ALL[rng.below(4) as usize]).collect();
        let matrix = MatrixOptions {
            must_to_may: rng.chance(30),
            may_to_read_write: rng.chance(30),
            regroup: Regroup(operations),
        };
        let gc_interval = rng.chance(50).then(|| 1 + rng.below(50) as usize);
        let schedule = Schedule { gc_interval, ..Schedule::default() };
        let search = Search { strategy, matrix };
        let decision = decide_model(property, &search, &Budget { schedule, ..Budget::default() });
        let verdict = decision.unwrap_or_else(|e| panic!("BRINE_SEED={seed}: {e}")).verdict;
        let context = || format!("BRINE_SEED={seed} {search:?} {verdict:?} on {net:?}");
        match &verdict {
            Verdict::Holds => assert!(expected, "{}", context()),
            Verdict::Violated(Some(witness)) => {
                assert!(!expected, "{}", context());
                replay(net, formulas, formula, witness)
                    .unwrap_or_else(|e| panic!("{e}: {}", context()));
                seen.dead_ends += u64::from(witness.cycle.is_empty());
                seen.cycles += u64::from(!witness.cycle.is_empty());
            }
            _ => panic!("{}", context()),
        }
    }
    seen.violated += u64::from(!expected);
}

#[test]
fn nets_as_guarded_commands_agree_with_the_oracle() {
    let mut seen = Seen::default();
    let pairs = random_pairs(2_000, |pair, rng| check_pair(pair, rng, &mut seen));
    println!("{seen:?}");
    if pairs >= 1_000 {
        assert!(seen.violated * 5 > pairs && seen.violated * 5 < pairs * 4, "{seen:?}");
        assert!(seen.dead_ends > pairs / 20 && seen.cycles > pairs / 20, "{seen:?}");
    }
}

/// A counter that goes round; `stop` ends it at 1.
fn replay_on_counter(formula: &str, prefix: &[u32], cycle: &[u32]) -> Result<(), ReplayError> {
    let text = "var x = 0; up: x < 2 -> x := x + 1; wrap: x = 2 -> x := 0; \
                stop: x = 1 -> x := 7;";
    let model = gcl::parse(text).unwrap();
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_names(["x"], ["up", "wrap", "stop"]);
    let formula = parse(formula, &mut formulas, &mut symbols).unwrap();
    let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
    let witness = Witness { prefix: ids(prefix), cycle: ids(cycle) };
    replay_model(ModelProperty { model: &model, formulas: &formulas, formula }, &witness)
}

#[test]
fn replay_tells_true_runs_from_false_ones() {
    assert_eq!(replay_on_counter("F x = 7", &[], &[0, 0, 1]), Ok(()));
    assert_eq!(replay_on_counter("G F fireable(up)", &[0, 2], &[]), Ok(()));
    assert_eq!(replay_on_counter("G !deadlock", &[0, 2], &[]), Ok(()));
    let early = ReplayError::NotEnabled { step: 2, transition: "wrap".to_owned() };
    assert_eq!(replay_on_counter("false", &[0], &[1]), Err(early));
    assert_eq!(replay_on_counter("false", &[], &[0]), Err(ReplayError::NotClosed));
    assert_eq!(replay_on_counter("false", &[0], &[]), Err(ReplayError::NotDead));
    assert_eq!(replay_on_counter("F x = 2", &[], &[0, 0, 1]), Err(ReplayError::Satisfies));
}

/// A token on a ring can also go to and fro anywhere, so a cycle that forgets one of the fair
/// sets is a likely mistake; the replay would not let it pass.
#[test]
fn cycles_visit_every_fair_set() {
    let text = "var x = 0; up: true -> x := (x + 1) % 6; down: x % 2 = 1 -> x := x - 1;";
    let model = gcl::parse(text).unwrap();
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_names(model.slot_names(), model.group_names());
    let text = "F G x != 1 | F G x != 3 | F G x != 5 | F G !fireable(down)";
    let formula = parse(text, &mut formulas, &mut symbols).unwrap();
    let negation = formulas.not(formula);
    let violations = translate(&formulas, negation, &Options::default()).unwrap();
    assert!(violations.num_marks() >= 3, "{} marks", violations.num_marks());
    let property = ModelProperty { model: &model, formulas: &formulas, formula };
    for strategy in Strategy::ALL {
        let search = Search { strategy, ..Search::default() };
        let decision = decide_model(property, &search, &Budget::default()).unwrap();
        let Verdict::Violated(Some(run)) = decision.verdict else { panic!("{decision:?}") };
        assert!(run.cycle.len() >= 6, "{run:?}");
    }
}

#[test]
fn a_model_that_goes_wrong_is_neither_right_nor_a_bug_of_ours() {
    let model = gcl::parse("var x = 0; var a[2] = 0; t: true -> a[x] := 1, x := x + 1;").unwrap();
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_names(model.slot_names(), model.group_names());
    let formula = parse("F x = 9", &mut formulas, &mut symbols).unwrap();
    let property = ModelProperty { model: &model, formulas: &formulas, formula };
    let error = decide_model(property, &Search::default(), &Budget::default()).unwrap_err();
    assert!(!error.is_internal());
    assert!(error.to_string().contains("index 2 is outside"), "{error}");
}
