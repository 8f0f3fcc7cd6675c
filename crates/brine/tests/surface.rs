//! What users of the library rely on: threads, cancelling, budgets, positions, sets of markings.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine::{ErrorKind, Kind, Markings, Model, NetBuilder, Options, Question, Size, Verdict};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[path = "../examples/mutual_exclusion.rs"]
mod mutual_exclusion;

fn nets(name: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    brine::load(format!("{folder}/{name}")).unwrap()
}

#[test]
fn the_example_runs() {
    mutual_exclusion::main().unwrap();
}

#[test]
fn threads_may_share_models_answers_and_sets() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Model>();
    shared::<brine::Answer>();
    shared::<brine::Reachable>();
    shared::<Markings<Arc<brine::Reachable>>>();
    shared::<brine::Error>();
    let model = nets("pnml/philosophers-5.pnml");
    let ask = |text: &str| model.check(text, &Options::new()).unwrap().verdict;
    std::thread::scope(|scope| {
        let holds = scope.spawn(|| ask("G fork_0 <= 1"));
        let violated = scope.spawn(|| ask("G F eat_0 = 1"));
        assert_eq!(holds.join().unwrap(), Verdict::Holds);
        assert_eq!(violated.join().unwrap(), Verdict::Violated);
    });
}

#[test]
fn a_question_that_is_called_off_or_out_of_time_is_unknown() {
    let model = nets("pnml/philosophers-20.pnml");
    let question = "G (eat_0 = 1 -> X eat_1 = 0)";
    let words = ["--engine", "explicit"];
    let cancelled = Options::new().cancel(Arc::new(AtomicBool::new(true)));
    let answer = model.check(question, &cancelled.words(words).unwrap()).unwrap();
    assert_eq!((answer.verdict, answer.reason.as_deref()), (Verdict::Unknown, Some("cancelled")));
    let late = Options::new().timeout(Duration::ZERO).words(words).unwrap();
    let answer = model.check(question, &late).unwrap();
    assert_eq!((answer.verdict, answer.reason.as_deref()), (Verdict::Unknown, Some("timeout")));
    let states = model.states(&late).unwrap();
    assert_eq!((states.states, states.reason.as_deref()), (None, Some("timeout")));
    assert_eq!(model.reachable(&late).unwrap_err().kind, ErrorKind::Stopped);
    let refused = model.analyse(&late).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Options, "{refused}");
    let refused = model.analyse(&Options::new().shortest()).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Options, "{refused}");
    let analysis = model.analyse(&Options::new().timeout(Duration::ZERO)).unwrap();
    assert_eq!(analysis.reason, Some("timeout"));
    // What the net says by itself is told in no time.
    assert_eq!((analysis.places, analysis.markings), (100, None));
}

#[test]
fn mistakes_have_a_kind_and_a_place() {
    let model = nets("pnml/philosophers-5.pnml");
    let error = model.check("G fork_0 <", &Options::new()).unwrap_err();
    assert_eq!((error.kind, error.line, error.column), (ErrorKind::Input, Some(1), Some(11)));
    let error = model.check(Question::reach("AG EF fork_0 = 1"), &Options::new()).unwrap_err();
    assert!(error.message.contains("expected EF f or AG f"), "{error}");
    let error = Options::new().words(["--engine", "swift"]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Options);
    let error = model.check(Question::PropertyProcess, &Options::new()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Options);
    let error = brine::load("no such file.pnml").unwrap_err();
    assert_eq!(error.file.as_deref(), Some("no such file.pnml"));
    let error = Model::from_dve("process P {").unwrap_err();
    assert_eq!((error.kind, error.line), (ErrorKind::Input, Some(1)));
}

#[test]
fn what_can_be_reached_is_shown_by_a_run() {
    let ask =
        |name: &str, text: &str| nets(name).check(Question::reach(text), &Options::new()).unwrap();
    for name in ["pnml/philosophers-5.pnml", "pnml/philosophers-coloured-5.pnml"] {
        let answer = ask(name, "EF deadlock");
        assert_eq!(answer.verdict, Verdict::Holds, "{name}");
        assert!(answer.run.is_some_and(|run| run.is_example()), "{name}");
    }
    assert_eq!(ask("pnml/kanban-1.pnml", "EF deadlock").verdict, Verdict::Violated);
}

#[test]
fn the_set_of_markings_is_the_reachability_graph_s() {
    let model = nets("pnml/philosophers-5.pnml");
    let markings = model.reachable(&Options::new()).unwrap();
    let all: HashSet<Vec<u32>> = markings.iter().collect();
    assert_eq!(markings.count(), all.len().into());
    let net = model.net().unwrap();
    let mut initial = model.initial_marking();
    assert!(all.contains(&initial));
    // It is closed under firing, and nothing else is in it.
    for marking in &all {
        for t in net.transition_ids() {
            if let Some(next) = net.fire(t, marking) {
                assert!(all.contains(&next));
            }
        }
    }
    initial[0] += 1;
    assert!(!markings.contains(&initial) && !markings.contains(&[]));
    // Each is drawn now and then.
    let drawn: HashSet<Vec<u32>> = (0..20_000).map(|seed| markings.sample(seed)).collect();
    assert_eq!(drawn, all);
}

/// Of `p` tokens in three places with a ratio of 1 to 20, draws show the ratio.
#[test]
fn draws_are_uniform() {
    let mut net = NetBuilder::new("urn");
    let (one, many) = (net.place("one", 0), net.place("many", 0));
    let start = net.place("start", 1);
    net.transition("a", &[(start, 1)], &[(one, 1)]);
    net.transition("b", &[(start, 1)], &[(many, 20)]);
    net.transition("c", &[(many, 1)], &[]);
    let markings = Model::from_net(net.build().unwrap()).unwrap();
    let markings = markings.reachable(&Options::new()).unwrap();
    // start, one, and many with 0 to 20.
    assert_eq!(markings.count(), 23_u32.into());
    let draws = 23_000;
    let single = (0..draws).filter(|&seed| markings.sample(seed)[0] == 1).count();
    assert!((850..1150).contains(&single), "{single} of {draws}");
}

#[test]
fn every_kind_of_model_answers() {
    let commands = Model::from_commands("var x = 0; up: x < 2 -> x := x + 1;").unwrap();
    assert_eq!(commands.kind(), Kind::Commands);
    let answer = commands.check("G x < 2", &Options::new()).unwrap();
    let run = answer.run.unwrap();
    assert_eq!((run.places(), run.markings().last().unwrap()), (&["x".to_owned()][..], &vec![2]));

    let coloured = brine::load(format!(
        "{}/../../pnml/philosophers-coloured-5.pnml",
        env!("CARGO_MANIFEST_DIR")
    ));
    let coloured = coloured.unwrap();
    assert_eq!(coloured.kind(), Kind::Coloured);
    let states = coloured.states(&Options::new()).unwrap().states;
    let plain = nets("pnml/philosophers-5.pnml").states(&Options::new()).unwrap().states;
    assert_eq!(states, plain);
    assert!(matches!(states, Some(Size::Finite(_))));
    for question in [Question::ltl("G F fireable(put)"), Question::ctl("AG EF eat >= 1")] {
        let answer = coloured.check(question, &Options::new()).unwrap();
        assert_eq!(answer.verdict, Verdict::Violated);
    }
}
