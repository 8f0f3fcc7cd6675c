//! Automata as properties: every engine against brute force, through HOA files.
//!
//! Automata of negated random formulas must give the verdict of the formula; random automata,
//! which need be neither trimmed nor stutter-invariant nor of any class, that of a search of the
//! whole product written here. Runs are replayed by `decide_automaton`.
//!
//! BRINE_CASES sets the number of cases, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{
    Budget, DecideError, Decision, EngineSpec, ModelEngine, ModelProperty, Verdict, Violations,
};
use brine_ltl::{Automaton, Options, Symbols, Translator, parse, read_hoa};
use brine_net::{Net, PlaceId, Rng, Structure, TransitionId};
use brine_oracle::nets::{MARKINGS_MAX, random_net};
use brine_oracle::{AnsweredPair, Kripke, number, random_pairs};
use brine_run::Control;
use std::time::Duration;

/// Every engine, and what changes how it uses an automaton.
const ENGINES: [&str; 15] = [
    "--engine auto",
    "--engine auto --without explicit,hunt",
    "--engine explicit",
    "--engine explicit --emptiness couvreur",
    "--engine explicit --emptiness ndfs",
    "--engine explicit --emptiness hpy",
    "--engine explicit --emptiness gmz",
    "--engine explicit --emptiness gv",
    "--engine explicit --emptiness tarjan",
    "--engine explicit --por",
    "--engine symbolic",
    "--engine symbolic --no-otf",
    "--engine hull-el",
    "--engine hull-owcty",
    "--engine pins",
];

fn budget() -> Budget {
    Budget { time: Some(Duration::from_secs(60)), memory: Some(256 << 20), ..Budget::default() }
}

fn ask(net: &Net, engine: &str, violations: &Violations) -> Result<Decision, DecideError> {
    let structure = &Structure::new(net);
    let spec: EngineSpec = engine.parse().unwrap();
    let mut decider = spec.build(net, &structure, &Control::default()).unwrap();
    decider.decide_automaton(net, violations, &budget())
}

/// Asks all engines; how many runs were shown.
fn ask_all(net: &Net, text: &str, expected: bool, seed: u64) -> u64 {
    let automaton = read_hoa(text, &mut Symbols::of_net(net)).unwrap();
    let violations = Violations::new(automaton, &budget());
    let mut runs = 0;
    for engine in ENGINES {
        let decision = ask(net, engine, &violations)
            .unwrap_or_else(|e| panic!("BRINE_SEED={seed} {engine}: {e} on {net:?}\n{text}"));
        match decision.verdict {
            Verdict::Holds => assert!(expected, "BRINE_SEED={seed} {engine} on {net:?}\n{text}"),
            Verdict::Violated(run) => {
                assert!(!expected, "BRINE_SEED={seed} {engine} on {net:?}\n{text}");
                runs += u64::from(run.is_some());
            }
            Verdict::Unknown(reason) => panic!("BRINE_SEED={seed} {engine}: {reason}"),
        }
    }
    runs
}

#[test]
fn automata_of_formulas_give_the_verdicts_of_the_formulas() {
    let (mut violated, mut runs) = (0, 0);
    let cases = random_pairs(800, |pair, rng| {
        let AnsweredPair { net, formulas, formula, expected, seed } = pair;
        let mut formulas = formulas.clone();
        let negation = formulas.not(formula);
        let options = Options { net: rng.chance(50).then_some(net), ..Options::default() };
        let mut translator = Translator::new(&formulas, negation, &options).unwrap();
        let automaton = if rng.chance(50) { translator.ba() } else { translator.tgba() }.unwrap();
        let text = automaton.to_hoa("the negation", &Symbols::of_net(net));
        runs += ask_all(net, &text, expected, seed);
        violated += u64::from(!expected);
    });
    assert!(violated * 4 > cases && violated < cases, "{violated} of {cases}");
    assert_eq!(runs, violated * ENGINES.len() as u64, "each violation has its run");
}

/// A proposition about the net, as a user may write it.
fn proposition(rng: &mut Rng, net: &Net) -> String {
    let place = |rng: &mut Rng| net.place(PlaceId(rng.below(net.places().len() as u32))).id();
    match rng.below(6) {
        0 => "deadlock".to_owned(),
        1 | 2 if net.transitions().len() > 0 => {
            let t = net.transition(TransitionId(rng.below(net.transitions().len() as u32))).id();
            format!("fireable(\"{t}\")")
        }
        3 => format!("\"{}\" = {} | deadlock", place(rng), rng.below(3)),
        4 => format!("\"{}\" <= \"{}\"", place(rng), place(rng)),
        _ => format!("\"{}\" >= {}", place(rng), rng.below(3)),
    }
}

/// A random automaton in HOA, with what the format allows: labels on states, marks on states,
/// several starts, states without edges, marks that nobody carries.
fn random_hoa(rng: &mut Rng, net: &Net) -> String {
    let quoted = |s: String| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
    let (states, atoms, marks) = (1 + rng.below(4), 1 + rng.below(3), rng.below(3));
    let names: Vec<String> = (0..atoms).map(|_| quoted(proposition(rng, net))).collect();
    let infinite: Vec<String> = (0..marks).map(|m| format!("Inf({m})")).collect();
    let condition = if marks == 0 { "t".to_owned() } else { infinite.join(" & ") };
    let mut text = format!("HOA: v1 States: {states} Start: {}", rng.below(states));
    if rng.chance(20) {
        text.push_str(&format!(" Start: {}", rng.below(states)));
    }
    text.push_str(&format!(
        "\nAP: {atoms} {}\nAlias: @a {}\nAcceptance: {marks} {condition}\n--BODY--\n",
        names.join(" "),
        rng.below(atoms)
    ));
    let label = |rng: &mut Rng| {
        let literal = |rng: &mut Rng| match rng.below(4) {
            0 => "@a".to_owned(),
            1 => format!("!{}", rng.below(atoms)),
            2 => "t".to_owned(),
            _ => rng.below(atoms).to_string(),
        };
        let (a, b) = (literal(rng), literal(rng));
        if rng.chance(50) { a } else { format!("({a} | !({b} & {a}))") }
    };
    let some_marks = |rng: &mut Rng| -> String {
        let list: Vec<String> =
            (0..marks).filter(|_| rng.chance(40)).map(|m| m.to_string()).collect();
        if list.is_empty() { String::new() } else { format!(" {{{}}}", list.join(" ")) }
    };
    for q in 0..states {
        let on_state = rng.chance(20);
        let state_label = if on_state { format!("[{}] ", label(rng)) } else { String::new() };
        let state_marks = if rng.chance(30) { some_marks(rng) } else { String::new() };
        text.push_str(&format!("State: {state_label}{q}{state_marks}\n"));
        for _ in 0..rng.below(4) {
            let edge = if on_state { String::new() } else { format!("[{}] ", label(rng)) };
            text.push_str(&format!("{edge}{}{}\n", rng.below(states), some_marks(rng)));
        }
    }
    text + "--END--\n"
}

/// Whether no run is accepted: the product of all markings with the automaton, and for each of
/// its nodes the nodes that it reaches and that reach it. A dead marking repeats for ever.
fn brute_force(net: &Net, kripke: &Kripke, automaton: &Automaton) -> bool {
    let states = automaton.num_states();
    let mut edges: Vec<(usize, usize, u64)> = Vec::new();
    for (m, marking) in kripke.markings.iter().enumerate() {
        let letter = automaton.letter(net, marking);
        for edge in automaton.edges().iter().filter(|e| automaton.label(e.label).accepts(letter)) {
            for &next in &kripke.next[m] {
                let (from, to) = (m * states + edge.src.index(), next * states + edge.dst.index());
                edges.push((from, to, edge.marks));
            }
        }
    }
    let nodes = kripke.markings.len() * states;
    let closure = |from: usize, forwards: bool| {
        let mut seen = vec![false; nodes];
        seen[from] = true;
        loop {
            let before = seen.iter().filter(|s| **s).count();
            for &(a, b, _) in &edges {
                let (a, b) = if forwards { (a, b) } else { (b, a) };
                seen[b] |= seen[a];
            }
            if seen.iter().filter(|s| **s).count() == before {
                return seen;
            }
        }
    };
    let reached = closure(automaton.initial().index(), true);
    !(0..nodes).filter(|&n| reached[n]).any(|n| {
        let (after, before) = (closure(n, true), closure(n, false));
        let inside: Vec<u64> = edges
            .iter()
            .filter(|e| [e.0, e.1].iter().all(|&n| after[n] && before[n]))
            .map(|e| e.2)
            .collect();
        !inside.is_empty() && inside.iter().fold(0, |all, m| all | m) == automaton.all_marks()
    })
}

#[test]
fn random_automata_give_the_verdicts_of_brute_force() {
    let first = number("BRINE_SEED", 1);
    let (mut violated, mut invariant, mut cases) = (0, 0, 0);
    for seed in first..first + number("BRINE_CASES", 1_500) {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let Some(kripke) = Kripke::new(&net, MARKINGS_MAX) else { continue };
        let text = random_hoa(&mut rng, &net);
        let automaton = read_hoa(&text, &mut Symbols::of_net(&net)).unwrap();
        let expected = brute_force(&net, &kripke, &automaton);
        ask_all(&net, &text, expected, seed);
        let known = automaton.known_language(&Options::default()).unwrap();
        invariant += u64::from(known.stutter_invariant == Some(true));
        violated += u64::from(!expected);
        cases += 1;
    }
    assert!(cases > 20 && violated * 10 > cases && violated < cases, "{violated} of {cases}");
    assert!(invariant * 20 > cases, "reduction had a chance in {invariant} of {cases}");
}

/// A word that repeats letters is told from one that does not, whatever reduction is asked for.
#[test]
fn reduction_keeps_off_what_is_not_stutter_invariant() {
    let mut b = brine_net::NetBuilder::new("two lamps");
    for i in 0..2 {
        let (on, off) = (b.place(&format!("on{i}"), 1), b.place(&format!("off{i}"), 0));
        b.transition(&format!("down{i}"), &[(on, 1)], &[(off, 1)]);
    }
    let net = b.build().unwrap();
    // on0 = 1 in the first two markings, and 0 in the third.
    let text = "HOA: v1 States: 4 Start: 0 AP: 1 \"on0 = 1\" Acceptance: 1 Inf(0) --BODY--
        State: 0 [0] 1 State: 1 [0] 2 State: 2 [!0] 3 State: 3 {0} [t] 3 --END--";
    let automaton = read_hoa(text, &mut Symbols::of_net(&net)).unwrap();
    let violations = Violations::new(automaton, &budget());
    let decision = ask(&net, "--engine explicit --por", &violations).unwrap();
    assert_eq!(decision.automaton.unwrap().stutter_invariant, Some(false));
    assert!(matches!(decision.verdict, Verdict::Violated(Some(_))));
    assert!(matches!(decision.stats.por, Some(brine_explicit::por::PorUse::NotApplied(_))));
}

#[test]
fn guarded_commands_are_asked_about_automata_as_well() {
    let model =
        brine_pins::gcl::parse("var x = 0; up: x < 3 -> x := x + 1; stay: x = 1 -> x := 1;")
            .unwrap();
    let names = || Symbols::of_names(["x"], ["up", "stay"]);
    let engine = ModelEngine::default();
    for text in ["F x = 3", "G x <= 2", "F G x >= 1", "G F fireable(up)", "X X x = 2"] {
        let mut formulas = brine_ltl::Formulas::new();
        let formula = parse(text, &mut formulas, &mut names()).unwrap();
        let property = ModelProperty { model: &model, formulas: &formulas, formula };
        let by_formula = engine.decide(property, &budget()).unwrap().verdict;
        let negation = formulas.not(formula);
        let automaton = brine_ltl::translate(&formulas, negation, &Options::default()).unwrap();
        let hoa = automaton.to_hoa(text, &names());
        let again = Violations::new(read_hoa(&hoa, &mut names()).unwrap(), &budget());
        let by_automaton = engine.decide_automaton(&model, &again, &budget()).unwrap().verdict;
        let holds = |v: &Verdict| *v == Verdict::Holds;
        assert_eq!(holds(&by_formula), holds(&by_automaton), "{text}");
    }
}
