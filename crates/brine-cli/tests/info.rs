//! `brine info` as users see it: output, exit codes, one clear line for bad input.

mod common;

use common::{brine, json, model, refuses_every_bad_net, stdout};
use std::path::Path;
use std::process::Output;

fn info(path: &Path, options: &[&str]) -> Output {
    brine("info", path, options)
}

#[test]
fn human_output() {
    let text = stdout(&info(&model("kanban-5.pnml"), &["--invariants"]));
    assert!(text.starts_with("kanban-5: P/T net, 16 places, 16 transitions, 40 arcs"), "{text}");
    assert!(text.contains("every place is bounded, by at most 5"), "{text}");
    assert!(text.contains("machine_1 + back_1 + cards_1 + done_1 = 5\n"), "{text}");
}

#[test]
fn json_output() {
    let report = json("info", &model("fork-join-2.pnml"), &[]);
    assert_eq!(report["places"], 5);
    assert_eq!(report["nupn"]["safety"], "proved");
    assert_eq!(report["bounds"]["safe"], true);
    assert_eq!(report["units"]["groups"], 2);
    assert_eq!(report["semiflows"]["list"], serde_json::Value::Null);
    let report = json("info", &model("counters-2-100.pnml"), &["--invariants"]);
    assert_eq!(report["max_weight"], 100);
    assert_eq!(report["bounds"]["max"], 100);
    assert_eq!(report["semiflows"]["list"][0], "value_0 + rest_0 = 100");
}

#[test]
fn dependency_matrix_of_the_paper() {
    // MKBP14 Table 2, its first five rows and columns; t5 follows from listing 1.1.
    let text = stdout(&info(&model("fork-join-2.pnml"), &["--matrix"]));
    let table = "   p0 p1 p2 p3 p4\n\
                 t0 +  w  -  w  -\n\
                 t1 -  +  w  -  -\n\
                 t2 -  w  +  -  -\n\
                 t3 -  -  -  +  w\n\
                 t4 -  -  -  w  +\n\
                 t5 w  -  +  -  +\n";
    assert!(text.ends_with(table), "{text}");
    let report = json("info", &model("fork-join-2.pnml"), &["--matrix"]);
    assert_eq!(report["matrix"]["rows"][0]["dependencies"], "+w-w-");
    assert_eq!(report["matrix"]["copy"], 16);
    let report = json("info", &model("philosophers-20.pnml"), &["--matrix"]);
    assert_eq!(report["matrix"]["rows"], serde_json::Value::Null);
}

#[test]
fn dot_output() {
    let text = stdout(&info(&model("counters-2-100.pnml"), &["--dot"]));
    assert!(text.starts_with("digraph \"counters-2-100\" {\n"));
    assert!(text.contains("p0 -> t2 [label=\"100\"];"), "{text}");
    assert!(text.ends_with("}\n"));
}

#[test]
fn bad_nets_are_refused() {
    refuses_every_bad_net("info");
}

#[test]
fn bad_options_are_refused() {
    assert_eq!(info(&model("kanban-5.pnml"), &["--dot", "--json"]).status.code(), Some(2));
    assert_eq!(info(&model("kanban-5.pnml"), &["--nonsense"]).status.code(), Some(2));
}
