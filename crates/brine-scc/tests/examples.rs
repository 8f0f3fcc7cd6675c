//! Small nets on which one can see what the search does.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_dd::{Control, Stop};
use brine_ltl::{Automaton, Formulas, Options, Symbols, parse, translate};
use brine_models::producer_consumer;
use brine_net::order::Layout;
use brine_net::{Net, NetBuilder, PlaceId, Run, Structure};
use brine_scc::{Ideas, Method, SymbolicAnswer, SymbolicQuestion, SymbolicStats, check};

fn violations_of(net: &Net, formula: &str) -> Automaton {
    let mut formulas = Formulas::new();
    let f = parse(formula, &mut formulas, &mut Symbols::of_net(net)).unwrap();
    let negation = formulas.not(f);
    translate(&formulas, negation, &Options::default()).unwrap()
}

fn ask(
    net: &Net,
    layout: &Layout,
    formula: &str,
    method: Method,
) -> (SymbolicAnswer, SymbolicStats) {
    let violations = violations_of(net, formula);
    let bounds = Structure::new(net).bounds;
    let question = SymbolicQuestion { net, violations: &violations, bounds: &bounds };
    let control = Control { work: Some(1_000_000), ..Control::default() };
    check(question, layout, method, &control, || control.clone()).unwrap()
}

fn run_of(answer: SymbolicAnswer) -> Run {
    match answer {
        SymbolicAnswer::Violation(run) => run.unwrap(),
        SymbolicAnswer::None => panic!("there is a violation"),
    }
}

/// MVDBM16 figures 6 and 7: consumer above buffer above producer. Only the node of the top
/// level has a cycle in its abstraction, so nothing below it is searched.
#[test]
fn in_the_papers_example_only_the_top_node_is_searched() {
    let net = producer_consumer(1);
    let ids: Vec<PlaceId> = net.place_ids().collect();
    // Levels are given from the lowest up; places come as consumer, buffer, producer.
    let levels = ids.chunks(2).rev().map(<[PlaceId]>::to_vec).collect();
    let layout = Layout { levels };
    // The paper looks for a cycle through the state in which only places on the right are marked.
    let formula = "!G F (consumer_consumes = 1 & full_0 = 1 & producer_holds = 1)";
    let only = |recurring, abstraction| {
        Method::OnTheFly(Ideas { recurring, abstraction, ..Ideas::default() })
    };
    let (answer, with) = ask(&net, &layout, formula, only(false, true));
    run_of(answer);
    // Two nodes below the top have events of their own, and no cycle in their abstraction.
    assert_eq!((with.scc.calls + with.scc.certain, with.scc.prevented_abstraction), (1, 2));
    let (answer, without) = ask(&net, &layout, formula, only(false, false));
    run_of(answer);
    assert_eq!((without.scc.calls, without.scc.prevented_abstraction), (3, 0));
}

/// A net without end that has a violation in its first states: the search stops there.
#[test]
fn an_infinite_net_with_a_finite_counterexample_gets_an_answer() {
    let mut b = NetBuilder::new("planning");
    let (idle, work) = (b.place("idle", 1), b.place("work", 0));
    let stock = b.place("stock", 0);
    b.transition("begin", &[(idle, 1)], &[(work, 1)]);
    b.transition("end", &[(work, 1)], &[(idle, 1)]);
    b.transition("deliver", &[], &[(stock, 1)]);
    let net = b.build().unwrap();
    let layout = Layout { levels: vec![vec![idle], vec![work], vec![stock]] };
    let (answer, stats) = ask(&net, &layout, "F G work = 1", Method::default());
    let run = run_of(answer);
    assert!(!run.cycle.is_empty());
    assert_eq!(stats.product_states, None, "the product was not finished");
    // Reachability, too: the automaton of violations is terminal.
    let (answer, _) = ask(&net, &layout, "G work = 0", Method::default());
    assert!(!run_of(answer).prefix.is_empty());
}

/// The same net, asked for what holds: the product is infinite, and a budget ends it.
#[test]
fn an_infinite_product_ends_with_the_budget() {
    let mut b = NetBuilder::new("growing");
    let stock = b.place("stock", 0);
    b.transition("deliver", &[], &[(stock, 1)]);
    let net = b.build().unwrap();
    let violations = violations_of(&net, "F stock >= 1");
    let bounds = Structure::new(&net).bounds;
    let question = SymbolicQuestion { net: &net, violations: &violations, bounds: &bounds };
    let layout = Layout { levels: vec![vec![stock]] };
    let control = Control { work: Some(100_000), ..Control::default() };
    let result = check(question, &layout, Method::default(), &control, || control.clone());
    // Nothing is left of the automaton once there is stock: the product is finite.
    assert_eq!(result.unwrap().0, SymbolicAnswer::None);
    let violations = violations_of(&net, "G F stock >= 3");
    let question = SymbolicQuestion { violations: &violations, ..question };
    let result = check(question, &layout, Method::default(), &control, || control.clone());
    assert_eq!(result.unwrap_err(), Stop::Work);
}

/// Events that touch no place have their top at the automaton's level.
#[test]
fn a_transition_without_arcs_moves_the_automaton_alone() {
    let mut b = NetBuilder::new("tick");
    let p = b.place("p", 1);
    b.transition("tick", &[], &[]);
    let net = b.build().unwrap();
    let layout = Layout { levels: vec![vec![p]] };
    let (answer, _) = ask(&net, &layout, "F p = 0", Method::default());
    assert_eq!(run_of(answer).cycle.len(), 1);
    let (answer, _) = ask(&net, &layout, "G F p = 1", Method::default());
    assert_eq!(answer, SymbolicAnswer::None);
}
