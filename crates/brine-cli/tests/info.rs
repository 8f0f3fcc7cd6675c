//! `brine info` as users see it: output, exit codes, one clear line for bad input.

mod common;

use common::{brine, file, json, model, refuses_every_bad_net, stdout};
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
fn coloured_nets_show_both_sizes() {
    let path = model("philosophers-coloured-5.pnml");
    let text = stdout(&info(&path, &[]));
    assert!(text.contains(": unfolded coloured net, 25 places, 25 transitions, 80 arcs"), "{text}");
    assert!(text.contains("coloured     5 places, 5 transitions, 15 arcs\n"), "{text}");
    assert!(text.contains("skeleton     counts 5 of the places"), "{text}");
    let report = json("info", &path, &[]);
    assert_eq!((&report["places"], &report["coloured"]["places"]), (&25.into(), &5.into()));
    assert_eq!(json("info", &model("fork-join-2.pnml"), &[])["coloured"], serde_json::Value::Null);
}

#[test]
fn a_coloured_net_too_large_to_unfold_is_exit_3() {
    let range = |id: &str| {
        format!("<namedsort id='{id}'><finiteintrange start='1' end='100000'/></namedsort>")
    };
    let text = format!(
        "<pnml><net id='n' type='x/symmetricnet'><declaration><structure><declarations>{}{}\
         <namedsort id='P'><productsort><usersort declaration='A'/><usersort declaration='B'/>\
         </productsort></namedsort></declarations></structure></declaration><page id='g'>\
         <place id='many'><type><structure><usersort declaration='P'/></structure></type>\
         <hlinitialMarking><structure><all><usersort declaration='P'/></all></structure>\
         </hlinitialMarking></place><transition id='t'/></page></net></pnml>",
        range("A"),
        range("B")
    );
    let output = info(&file("too-large.pnml", text.as_bytes()), &["--json"]);
    assert_eq!(output.status.code(), Some(3));
    // What is known without unfolding is told.
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["coloured"]["places"], 1);
    assert_eq!(report["reason"], "unsupported");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains("too large to unfold: up to 1.0e10 places, 1 transitions"),
        "{message}"
    );
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
