//! `brine analyse` against brute force: on the nets of `pnml/`, on random nets, and on workflow
//! nets whose answers are known.

mod common;

use brine_net::{Net, Rng, TransitionId};
use brine_oracle::QuestionGraph;
use brine_oracle::nets::random_net;
use brine_pnml::{Model, UnfoldLimits, read_model, write_pnml};
use common::{brine, file, json, refuses_every_bad_net, stdout};
use serde_json::Value;
use std::path::Path;

/// Nets with more markings are left to others.
const MARKINGS: usize = 3_000;

/// Compares a report with what brute force says of the net. Whether it could.
fn agrees(path: &Path, model: &Model) -> bool {
    let net = &model.net;
    let Some(graph) = QuestionGraph::new(net, MARKINGS) else { return false };
    let report = json("analyse", path, &[]);
    let what = format!("{}: {report}", path.display());
    let is = |key: &str, expected: bool| {
        assert_eq!(report[key], Value::Bool(expected), "{key} of {what}");
    };
    is("deadlock", graph.has_deadlock());
    is("bounded", true);
    assert_eq!(report["markings"], graph.markings.len().to_string(), "{what}");
    is("reversible", graph.is_home(&graph.markings[0]));
    is("has_home_marking", graph.markings.iter().any(|m| graph.is_home(m)));
    let groups: Vec<(String, Vec<TransitionId>)> = match &model.coloured {
        Some(groups) => {
            groups.transitions.iter().map(|g| (g.id.clone(), g.members().collect())).collect()
        }
        None => {
            net.transition_ids().map(|t| (net.transition(t).id().into_owned(), vec![t])).collect()
        }
    };
    let list = |test: &dyn Fn(&[TransitionId]) -> bool| -> Value {
        groups.iter().filter(|g| test(&g.1)).map(|g| Value::from(g.0.clone())).collect()
    };
    assert_eq!(report["dead_transitions"], list(&|g| !graph.can_fire(g)), "{what}");
    assert_eq!(report["not_live"], list(&|g| !graph.can_always_fire(g)), "{what}");
    if model.coloured.is_none() {
        is("one_safe", graph.is_one_safe());
        let bounds = report["bounds"].as_array().expect("a list");
        for (p, bound) in bounds.iter().enumerate() {
            assert_eq!(bound["bound"], graph.bound(&[p]), "place {p} of {what}");
            assert_eq!(bound["most"], graph.bound(&[p]), "place {p} of {what}");
        }
        let constant = report["constant_places"].as_array().expect("a list");
        assert_eq!(!constant.is_empty(), graph.has_stable_place(), "{what}");
    }
    if let Some(run) = report["deadlock_run"].as_array() {
        let fired = run.iter().map(|id| {
            let id = id.as_str().expect("an id");
            net.transition_ids().find(|&t| net.transition(t).id() == id).expect("a transition")
        });
        let dead = fired.fold(net.initial_marking(), |m, t| net.fire(t, &m).expect("it can fire"));
        assert!(!net.transition_ids().any(|t| net.is_enabled(t, &dead)), "{what}");
    }
    true
}

#[test]
fn the_nets_of_the_repository_are_analysed_rightly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("pnml") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|e| e == "pnml") {
            let model = read_model(&path, &UnfoldLimits::default()).expect("a net");
            compared += usize::from(agrees(&path, &model));
        }
    }
    assert!(compared >= 15, "{compared} nets");
}

#[test]
fn random_nets_are_analysed_rightly() {
    let mut compared = 0;
    for seed in 0..60 {
        let net: Net = random_net(&mut Rng::new(seed));
        let mut text = Vec::new();
        write_pnml(&net, &mut text).expect("written");
        let path = file(&format!("random-{seed}.pnml"), &text);
        compared += usize::from(agrees(&path, &Model::new(net)));
    }
    assert!(compared >= 20, "{compared} nets");
}

/// A net of arcs "a->t" over places that begin with `p`, `start` with a token, and `end`.
fn workflow(name: &str, arcs: &str) -> std::path::PathBuf {
    let mut ids: Vec<&str> = arcs.split([' ', '>']).map(|id| id.trim_end_matches('-')).collect();
    ids.sort_unstable();
    ids.dedup();
    let is_place = |id: &str| id.starts_with('p') || id == "start" || id == "end";
    let node = |id: &&str| match (is_place(id), *id) {
        (true, "start") => {
            "<place id='start'><initialMarking><text>1</text></initialMarking></place>".to_owned()
        }
        (true, id) => format!("<place id='{id}'/>"),
        (false, id) => format!("<transition id='{id}'/>"),
    };
    let arc = |(i, arc): (usize, &str)| {
        let (from, to) = arc.split_once("->").expect("an arc");
        format!("<arc id='a{i}' source='{from}' target='{to}'/>")
    };
    let nodes: String = ids.iter().map(node).collect();
    let arcs: String = arcs.split(' ').enumerate().map(arc).collect();
    file(&format!("{name}.pnml"), common::net(&(nodes + &arcs)).as_bytes())
}

#[test]
fn soundness_of_workflow_nets() {
    for (name, arcs, sound, violation) in [
        ("sound", "start->a a->p1 a->p2 p1->b p2->b b->end", true, ""),
        // Both branches go on, and the end is reached twice.
        ("left", "start->a a->p1 a->p2 p1->b b->end p2->c c->end", false, "others are left"),
        // A choice is joined as if both branches went on.
        ("stuck", "start->a a->p1 start->b b->p2 p1->c p2->c c->end", false, "before end holds"),
        // A loop without a way out.
        (
            "lost",
            "start->a a->p1 p1->b b->p2 p2->c c->p3 p3->d d->p2 p1->e e->end p3->f p4->f f->end \
             p3->g p4->g g->p4 p1->h p4->h h->p4",
            false,
            "end can become impossible to reach",
        ),
    ] {
        let report = json("analyse", &workflow(name, arcs), &[]);
        let workflow = &report["workflow"];
        assert_eq!(workflow["is_workflow_net"], Value::Bool(true), "{name}: {report}");
        assert_eq!(workflow["sound"], Value::Bool(sound), "{name}: {report}");
        assert!(workflow["violations"].to_string().contains(violation), "{name}: {report}");
    }
    let report = json("analyse", &common::model("philosophers-5.pnml"), &[]);
    assert_eq!(report["workflow"]["is_workflow_net"], Value::Bool(false));
}

#[test]
fn a_net_that_grows_is_not_bounded() {
    let net =
        common::net("<place id='p'/><transition id='make'/><arc id='a' source='make' target='p'/>");
    let report = json("analyse", &file("source.pnml", net.as_bytes()), &[]);
    assert_eq!(
        (&report["bounded"], &report["one_safe"]),
        (&Value::Bool(false), &Value::Bool(false))
    );
    assert_eq!(report["growing_run"]["cycle"][0], "make");
    assert_eq!(report["bounds"][0]["unbounded"], Value::Bool(true));
}

#[test]
fn what_a_budget_leaves_open_is_said_to_be_open() {
    let output = brine("analyse", &common::model("kanban-5.pnml"), &["--timeout", "0"]);
    assert_eq!(output.status.code(), Some(3));
    let text = stdout(&brine("analyse", &common::model("token-ring-5.pnml"), &["--full"]));
    assert!(text.contains("deadlock"), "{text}");
}

#[test]
fn every_bad_net_is_refused() {
    refuses_every_bad_net("analyse");
}

/// The table of the user guide says what the command says.
#[test]
fn the_table_of_the_user_guide_is_right() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/user-guide.md");
    let guide = std::fs::read_to_string(guide).expect("the user guide");
    let table = guide.split("| net | markings |").nth(1).expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut compared = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [net, markings, deadlock, most, quasi_live, live, home] = cells[..] else {
            panic!("{row}")
        };
        // Millions of markings are for builds without debug assertions.
        if markings.len() > 5 {
            continue;
        }
        let report = json("analyse", &common::model(&format!("{net}.pnml")), &[]);
        let word = |key: &str| if report[key] == Value::Bool(true) { "yes" } else { "no" };
        let is_home = match word("reversible") {
            "yes" => "initial",
            _ => word("has_home_marking"),
        };
        assert_eq!(report["markings"], markings, "{row}");
        assert_eq!(report["max_token_in_place"].to_string(), most, "{row}");
        let words = [word("deadlock"), word("quasi_live"), word("live"), is_home];
        assert_eq!([deadlock, quasi_live, live, home], words, "{row}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} nets");
}
