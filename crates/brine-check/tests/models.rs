//! LTL on guarded commands against the oracle: random nets are written as guarded commands,
//! so that what is known of the net must be found in the model. Runs are replayed on both.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, DecideError, ModelEngine, ModelProperty, Reason, ReplayError, Schedule, Verdict,
    replay, replay_model,
};
use brine_ltl::{
    Atom, Comparison, Expression, Formula, Formulas, Options, Symbols, parse, translate,
};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Run, TransitionId};
use brine_oracle::commands::{RandomCommands, slot_names};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{AnsweredPair, Kripke, holds, number, random_pairs};
use brine_pins::{
    Emit, GroupId, MatrixOperation, MatrixOptions, MatrixRow, ModelError, Pins, Regroup, SlotId,
    Strategy, audit, gcl,
};
use std::fmt::Write;
use std::time::Duration;

/// The net as guarded commands: slot n is place n, group n is transition n. With `indexed`,
/// places are elements of an array whose index has to be computed, so that all are may-writes.
fn commands(net: &Net, indexed: bool) -> gcl::GuardedCommands {
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
    for (i, t) in net.transitions().enumerate() {
        let mut guard = String::from("true");
        for (p, w) in t.pre {
            let _ = write!(guard, " & {} >= {w}", name(p.index()));
        }
        let mut updates = Vec::new();
        for p in net.place_ids() {
            let weight = |arcs: &[(_, u32)]| arcs.iter().find(|a| a.0 == p).map_or(0, |a| a.1);
            let (take, put) = (weight(t.pre), weight(t.post));
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

/// An engine with random options, and a budget that collects garbage now and then.
fn random_way(strategy: Strategy, rng: &mut Rng) -> (ModelEngine, Budget) {
    let operations =
        (0..rng.below(4)).map(|_| MatrixOperation::ALL[rng.below(4) as usize]).collect();
    let matrix = MatrixOptions {
        must_to_may: rng.chance(30),
        may_to_read_write: rng.chance(30),
        regroup: Regroup(operations),
    };
    let gc_interval = rng.chance(50).then(|| 1 + rng.below(50) as usize);
    let schedule = Schedule { gc_interval, ..Schedule::default() };
    (ModelEngine::new(strategy, matrix), Budget { schedule, ..Budget::default() })
}

fn verdict(
    engine: &ModelEngine,
    property: ModelProperty<'_>,
    budget: &Budget,
    seed: u64,
) -> Verdict {
    engine.decide(property, budget).unwrap_or_else(|e| panic!("BRINE_SEED={seed}: {e}")).verdict
}

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    violated: u64,
    dead_ends: u64,
    cycles: u64,
}

fn check_pair(pair: AnsweredPair<'_>, rng: &mut Rng, seen: &mut Seen) {
    let AnsweredPair { net, formulas, formula, expected, seed } = pair;
    let model = commands(net, rng.chance(50));
    if rng.chance(5) {
        assert!(audit(&model, 500).unwrap().violation.is_none(), "BRINE_SEED={seed}");
    }
    let property = ModelProperty { model: &model, formulas, formula };
    for strategy in Strategy::ALL {
        let (engine, budget) = random_way(strategy, rng);
        let verdict = verdict(&engine, property, &budget, seed);
        let context = || format!("BRINE_SEED={seed} {engine:?} {verdict:?} on {net:?}");
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

/// The states of a model as places of a net, of which always one is marked; where the model
/// goes, the token goes.
fn one_place_a_state(commands: &RandomCommands, states: &[Vec<u32>]) -> Net {
    let mut b = NetBuilder::new("states");
    let places: Vec<PlaceId> =
        (0..states.len()).map(|s| b.place(&format!("s{s}"), u32::from(s == 0))).collect();
    for (s, state) in states.iter().enumerate() {
        for group in 0..commands.groups() {
            if let Some(after) = commands.successor(group, state) {
                let target = states.iter().position(|other| *other == after).unwrap();
                b.transition(&format!("c{group}-{s}"), &[(places[s], 1)], &[(places[target], 1)]);
            }
        }
    }
    b.build().unwrap()
}

/// The formula about that net: an atom becomes "one of the states where it is true is marked".
fn about_states(
    commands: &RandomCommands,
    states: &[Vec<u32>],
    fs: &Formulas,
    formula: Formula,
) -> (Formulas, Formula) {
    let fires = |g: usize, state: &Vec<u32>| commands.successor(g, state).is_some();
    let truth = |atom: &Atom, state: &Vec<u32>| match atom {
        Atom::Linear(linear) => linear.eval(state),
        Atom::Fireable(ts) => ts.iter().any(|t| fires(t.index(), state)),
        Atom::Deadlock => !(0..commands.groups()).any(|g| fires(g, state)),
        Atom::Prop(name) => panic!("an open proposition {name}"),
        Atom::Fires(_) => panic!("an event"),
    };
    let mut target = Formulas::new();
    let formula = fs.substitute(formula, &mut target, |target, a| {
        let here = states.iter().enumerate().filter(|(_, state)| truth(fs.atom(a), state));
        let places: Vec<PlaceId> = here.map(|(s, _)| PlaceId(s as u32)).collect();
        let marked = Expression::places(&places);
        target.compare(marked, Comparison::Ge, Expression::constant(1)).unwrap()
    });
    (target, formula)
}

#[test]
fn random_commands_agree_with_the_oracle() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 2_000));
    let (mut pairs, mut violated, mut seed) = (0, 0, first);
    while pairs < count {
        let mut rng = Rng::new(seed);
        let commands = RandomCommands::new(&mut rng);
        seed += 1;
        let Some(states) = commands.states(40).filter(|s| s.len() > 2) else { continue };
        let model = gcl::parse(&commands.text()).unwrap();
        let net = one_place_a_state(&commands, &states);
        let kripke = Kripke::new(&net, 100).unwrap();
        let scope = AtomScope {
            places: slot_names().len() as u32,
            transitions: commands.groups() as u32,
            deadlock: true,
            events: false,
            tokens: 2,
        };
        for _ in 0..3 {
            let mut fs = Formulas::new();
            let depth = 1 + rng.below(4);
            let formula = random_formula_over(&mut rng, scope, &mut fs, depth);
            let (about, translated) = about_states(&commands, &states, &fs, formula);
            let Some(expected) = holds(&net, &kripke, &about, translated) else { continue };
            let property = ModelProperty { model: &model, formulas: &fs, formula };
            let strategy = Strategy::ALL[rng.below(Strategy::ALL.len() as u32) as usize];
            let (engine, budget) = random_way(strategy, &mut rng);
            let verdict = verdict(&engine, property, &budget, seed - 1);
            let context = || format!("BRINE_SEED={} {engine:?}\n{}", seed - 1, commands.text());
            assert!(!matches!(verdict, Verdict::Unknown(_)), "{verdict:?} {}", context());
            assert_eq!(verdict == Verdict::Holds, expected, "{verdict:?} {}", context());
            pairs += 1;
            violated += u64::from(!expected);
        }
    }
    println!("seeds {first}..{seed}: {violated} of {pairs} violated");
    if count >= 1_000 {
        assert!(violated * 5 > pairs && violated * 5 < pairs * 4);
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
    let run = Run { prefix: ids(prefix), cycle: ids(cycle) };
    replay_model(ModelProperty { model: &model, formulas: &formulas, formula }, &run)
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
        let engine = ModelEngine::new(strategy, MatrixOptions::default());
        let decision = engine.decide(property, &Budget::default()).unwrap();
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
    let error = ModelEngine::default().decide(property, &Budget::default()).unwrap_err();
    assert!(!error.is_internal());
    assert!(error.to_string().contains("index 2 is outside"), "{error}");
}

/// x counts to 2. What is said about it may be wrong in two ways.
struct Counter {
    row: MatrixRow,
    /// Twice the same successor is no choice; this is one.
    chooses: bool,
}

impl Pins for Counter {
    fn slots(&self) -> usize {
        1
    }

    fn slot_name(&self, _: SlotId) -> String {
        "x".to_owned()
    }

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn groups(&self) -> usize {
        1
    }

    fn group_name(&self, _: GroupId) -> String {
        "up".to_owned()
    }

    fn row(&self, _: GroupId) -> &MatrixRow {
        &self.row
    }

    fn next(&self, _: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        // Without its read, it takes x for 0.
        let x = reads.first().copied().unwrap_or(0);
        if x < 2 {
            emit(&[Some(x + 1)]);
            if self.chooses {
                emit(&[Some(2)]);
            }
        }
        Ok(())
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        let mut all = Vec::new();
        self.next(group, state, &mut |answer| all.push(vec![answer[0].unwrap_or(state[0])]))?;
        Ok(all)
    }
}

fn ask_counter(row: MatrixRow, chooses: bool, formula: &str) -> Result<Verdict, DecideError> {
    let model = Counter { row, chooses };
    let mut formulas = Formulas::new();
    let formula = parse(formula, &mut formulas, &mut Symbols::of_names(["x"], ["up"])).unwrap();
    let property = ModelProperty { model: &model, formulas: &formulas, formula };
    ModelEngine::default().decide(property, &Budget::default()).map(|d| d.verdict)
}

#[test]
fn a_matrix_that_lies_is_found_out_when_a_run_is_shown() {
    let x = vec![SlotId(0)];
    let honest = || MatrixRow::new(x.clone(), x.clone(), x.clone());
    assert_eq!(ask_counter(honest(), false, "F x = 2"), Ok(Verdict::Holds));
    let lie = MatrixRow::new(Vec::new(), x.clone(), x.clone());
    let error = ask_counter(lie, false, "F x = 2").unwrap_err();
    assert!(error.is_internal() && matches!(error, DecideError::Replay { .. }), "{error}");
    let error = ask_counter(honest(), true, "G x = 0").unwrap_err();
    assert!(!error.is_internal() && error.to_string().contains("several successors"), "{error}");
}

#[test]
fn errors_in_states_that_are_not_reachable_are_none_and_empty_models_are_models() {
    let check = |text: &str, formula: &str, budget: &Budget| {
        let model = gcl::parse(text).unwrap();
        let mut formulas = Formulas::new();
        let mut symbols = Symbols::of_names(model.slot_names(), model.group_names());
        let formula = parse(formula, &mut formulas, &mut symbols).unwrap();
        let property = ModelProperty { model: &model, formulas: &formulas, formula };
        ModelEngine::default().decide(property, budget).unwrap().verdict
    };
    let forever = Budget::default();
    let guarded = "var x = 0; var a[2] = 0; t: x < 2 & a[x] = 0 -> a[x] := 1, x := x + 1;";
    assert_eq!(check(guarded, "F x = 2", &forever), Verdict::Holds);
    let still = Run::default();
    assert_eq!(check("var x = 1;", "F x = 2", &forever), Verdict::Violated(Some(still)));
    assert_eq!(check("var x = 1;", "G deadlock", &forever), Verdict::Holds);
    assert_eq!(check("t: true -> skip;", "G fireable(t)", &forever), Verdict::Holds);
    let large = "var x = 4294967293; t: x < 4294967294 -> x := x + 1;";
    assert_eq!(check(large, "F x = 4294967294", &forever), Verdict::Holds);
    let now = Budget { time: Some(Duration::ZERO), ..Budget::default() };
    assert_eq!(check(large, "F x = 1", &now), Verdict::Unknown(Reason::Timeout));
}
