//! `brine states` as users see it: numbers, JSON, orders, budgets, bad input.

mod common;

use common::{brine, file, json, model, net, refuses_every_bad_net, stdout};
use serde_json::Value;
use std::path::Path;

const TINY: &str = "kanban-1.pnml";

/// A producer that never waits: its place grows for ever.
fn unbounded() -> std::path::PathBuf {
    let body = "<place id='p'/><transition id='t'/><arc id='a' source='t' target='p'/>";
    file("unbounded.pnml", net(body).as_bytes())
}

/// The four numbers of a JSON document.
fn numbers(report: &Value) -> [&Value; 4] {
    ["states", "transitions", "max_token_in_place", "max_token_per_marking"].map(|k| &report[k])
}

#[test]
fn human_output() {
    let text = stdout(&brine("states", &model("philosophers-20.pnml"), &[]));
    let lines: Vec<&str> = text.lines().collect();
    let expected = [
        "philosophers-20",
        "  states                 3486784401",
        "  transitions            54238868460",
        "  max tokens in a place  1",
        "  max tokens per marking 40",
    ];
    assert_eq!(lines[..5], expected);
    assert!(lines[5].starts_with("  order ") && lines[5].ends_with(" MiB"), "{text}");
    assert_eq!(lines.len(), 6);
}

#[test]
fn tokens_of_coloured_nets_that_never_move_are_counted() {
    let place = |id: &str, count: u32| {
        format!(
            "<place id='{id}'><type><structure><usersort declaration='S'/></structure></type>\
             <hlinitialMarking><structure><numberof><numberconstant value='{count}'/>\
             <all><usersort declaration='S'/></all></numberof></structure></hlinitialMarking>\
             </place>"
        )
    };
    let text = format!(
        "<pnml><net id='n' type='x/symmetricnet'><declaration><structure><declarations>\
         <namedsort id='S'><finiteintrange start='1' end='3'/></namedsort></declarations>\
         </structure></declaration><page id='g'>{}{}<transition id='t'/>\
         <arc id='a' source='q' target='t'><hlinscription><structure><all>\
         <usersort declaration='S'/></all></structure></hlinscription></arc></page></net></pnml>",
        place("p", 7),
        place("q", 2)
    );
    // Place p never changes: 3 colours of 7 tokens, beside the 3 times 2 in q.
    for engine in ["symbolic", "explicit", "pins"] {
        let report = json("states", &file("idle.pnml", text.as_bytes()), &["--engine", engine]);
        assert_eq!(numbers(&report), [&Value::from("3"), &"2".into(), &7.into(), &27.into()]);
    }
}

#[test]
fn json_has_the_documented_keys_in_their_order() {
    let text = stdout(&brine("states", &model("kanban-5.pnml"), &["--json", "--no-reduction"]));
    assert_eq!(text.lines().count(), 1, "{text}");
    let keys = [
        "model",
        "states",
        "transitions",
        "max_token_in_place",
        "max_token_per_marking",
        "engine",
        "order",
        "time_s",
        "peak_mem_mib",
        "peak_nodes",
        "final_nodes",
        "reason",
    ];
    let places: Vec<usize> = keys
        .iter()
        .map(|key| text.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key}: {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report.as_object().map(serde_json::Map::len), Some(keys.len()), "{text}");
    assert_eq!(report["model"], "kanban-5");
    assert_eq!(report["engine"], "symbolic");
    let expected: [Value; 4] = ["2546432".into(), "24460016".into(), 5.into(), 20.into()];
    assert_eq!(numbers(&report), [&expected[0], &expected[1], &expected[2], &expected[3]]);
    assert_eq!(report["reason"], Value::Null);
    let (peak, last) = (report["peak_nodes"].as_u64(), report["final_nodes"].as_u64());
    assert!(last > Some(0) && peak >= last, "{text}");
}

#[test]
fn every_order_gives_the_same_numbers_and_is_reported() {
    let net = model("slotted-ring-3.pnml");
    for grouping in ["", "units/", "places/"] {
        for heuristic in ["given", "force", "sloan", "noack", "cuthill-mckee", "swap", "louvain"] {
            for tail in ["", "+force", "/reversed", "+force/reversed"] {
                let order = format!("{grouping}{heuristic}{tail}");
                let report = json("states", &net, &["--order", &order]);
                assert_eq!(report["order"], order.as_str());
                assert_eq!(report["states"], "504", "{order}");
                assert_eq!(report["transitions"], "1536", "{order}");
            }
        }
    }
    let report = json("states", &model("fork-join-8.pnml"), &["--order", "nupn/given"]);
    assert_eq!((&report["order"], &report["states"]), (&"nupn/given".into(), &"257".into()));
}

/// What is known of the shipped nets (`pnml/states.csv`), once more one marking at a time.
#[test]
fn explicit_counting_finds_the_known_numbers() {
    let mut nets = csv::Reader::from_path(model("states.csv")).expect("states.csv");
    let mut counted = 0;
    for row in nets.records() {
        let row = row.expect("a row");
        if row[4].parse::<u64>().is_ok_and(|states| states < 100_000) {
            let report = json("states", &model(&row[0]), &["--engine", "explicit"]);
            let texts = numbers(&report).map(|n| n.to_string().replace('"', ""));
            assert_eq!(texts, [&row[4], &row[5], &row[6], &row[7]], "{}", &row[0]);
            assert_eq!((&report["engine"], &report["order"]), (&"explicit".into(), &Value::Null));
            counted += 1;
        }
    }
    assert!(counted > 20);
    let report = json("states", &unbounded(), &["--engine", "explicit"]);
    assert_eq!(report["states"], "+inf");
    for (options, code) in [(["--timeout", "0"], 3), (["--order", "sloan"], 2)] {
        let options = [&["--engine", "explicit"], &options[..]].concat();
        let output = brine("states", &model("kanban-5.pnml"), &options);
        assert_eq!(output.status.code(), Some(code), "{options:?}");
    }
}

#[test]
fn an_order_that_does_not_exist_is_refused_with_those_that_do() {
    for order in ["sloon", "", "boxes/sloan", "sloan/upside-down", "Sloan"] {
        let output = brine("states", &model(TINY), &["--order", order]);
        assert_eq!(output.status.code(), Some(2), "{order}");
        assert!(output.stdout.is_empty(), "{order}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        for known in
            ["given", "force", "sloan", "noack", "cuthill-mckee", "swap", "louvain", "/reversed"]
        {
            assert!(text.contains(known), "{known} is missing: {text}");
        }
    }
    // A known order that needs what this net has not got.
    let output = brine("states", &model(TINY), &["--order", "nupn/sloan"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("this net has no such groups; try"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn bad_nets_are_refused() {
    refuses_every_bad_net("states");
}

#[test]
fn bad_options_are_refused() {
    let cases: [&[&str]; 5] = [
        &["--timeout", "soon"],
        &["--timeout", "-1"],
        &["--memory", "0"],
        &["--engine", "nonsense"],
        &["--nonsense"],
    ];
    for options in cases {
        let output = brine("states", &model(TINY), options);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(output.stdout.is_empty(), "{options:?}");
    }
}

/// A budget that is gone before the search starts: exit 3, the reason, and no number.
#[test]
fn a_budget_that_runs_out_never_gives_a_number() {
    for name in [TINY, "philosophers-20.pnml", "counters-3-1000.pnml"] {
        for (options, reason) in [(["--timeout", "0"], "timeout"), (["--memory", "1"], "memory")] {
            let output = brine("states", &model(name), &[&options[..], &["--json"]].concat());
            assert_eq!(output.status.code(), Some(3), "{name} {options:?}");
            let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(report["reason"], reason, "{name}");
            assert_eq!(numbers(&report), [&Value::Null; 4], "{name}");
            let output = brine("states", &model(name), &options);
            assert_eq!(output.status.code(), Some(3), "{name} {options:?}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains(&format!(": unknown ({reason})\n")), "{text}");
            assert!(!text.contains("states"), "{text}");
        }
    }
}

#[test]
fn an_unbounded_net_has_infinitely_many_states() {
    let report = json("states", &unbounded(), &[]);
    assert_eq!(numbers(&report), [&Value::from("+inf"); 4]);
    assert_eq!(report["reason"], Value::Null);
    let text = stdout(&brine("states", &unbounded(), &[]));
    assert!(text.contains("  states                 +inf\n"), "{text}");
}

#[test]
fn the_same_command_gives_the_same_answer() {
    let run = |path: &Path| {
        let mut report = json("states", path, &[]);
        for key in ["time_s", "peak_mem_mib"] {
            let number = report[key].take();
            assert!(number.as_f64() > Some(0.0), "{key}: {number}");
        }
        report
    };
    for name in ["philosophers-20.pnml", "lamport-3.pnml", "fms-5.pnml", "token-ring-10.pnml"] {
        assert_eq!(run(&model(name)), run(&model(name)));
    }
    assert_eq!(run(&unbounded()), run(&unbounded()));
}

#[test]
fn figures_of_the_search_go_to_stderr() {
    let of_diagrams = ["trials: ", "levels: ", "node look-ups: ", "garbage collections: "];
    let options = ["--stats", "--json"];
    for (more, figures) in [(&["--order", "given"][..], &of_diagrams[..]), (&[], &["invariants: "])]
    {
        let output = brine("states", &model(TINY), &[&options, more].concat());
        assert_eq!(stdout(&output).lines().count(), 1);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        for figure in figures {
            assert!(text.contains(figure), "{text}");
        }
    }
    let output = brine("states", &model(TINY), &["--json", "--quiet"]);
    assert!(output.stderr.is_empty());
}

#[test]
fn a_picture_of_the_diagram() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("diagram.svg");
    let options = ["--svg", picture.to_str().expect("UTF-8")];
    let net = model("kanban-5.pnml");
    let with = ["--order", "places/given", "--no-reduction"];
    let output = brine("states", &net, &[&options[..], &with].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&picture).expect("drawn");
    assert!(text.starts_with("<svg") && text.contains("order places/given"), "{text}");
    // 16 places are 16 levels, each with a bar; the sheet is one more.
    assert_eq!(text.matches("<rect").count(), 17);
    // Counted without a diagram.
    let output = brine("states", &net, &[&options[..], &["--quiet"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no picture"));
    let nowhere = brine("states", &net, &["--svg", "/nowhere/diagram.svg"]);
    assert_eq!((nowhere.status.code(), nowhere.stdout.is_empty()), (Some(2), true));
}

#[test]
fn a_net_in_parts_says_so() {
    let body: String = (0..3)
        .map(|i| {
            format!(
                "<place id='p{i}'><initialMarking><text>1</text></initialMarking></place>\
                 <place id='q{i}'/><place id='r{i}'/><transition id='t{i}'/>\
                 <transition id='u{i}'/><arc id='a{i}' source='p{i}' target='t{i}'/>\
                 <arc id='b{i}' source='t{i}' target='q{i}'><inscription><text>2</text>\
                 </inscription></arc><arc id='c{i}' source='q{i}' target='u{i}'/>\
                 <arc id='d{i}' source='u{i}' target='r{i}'><inscription><text>3</text>\
                 </inscription></arc><arc id='e{i}' source='r{i}' target='u{i}'/>"
            )
        })
        .collect();
    let path = file("parts.pnml", net(&body).as_bytes());
    let [parts, whole] = [&[][..], &["--no-reduction"]].map(|o| json("states", &path, o));
    assert_eq!((&parts["parts"], &whole["parts"]), (&3.into(), &Value::Null));
    assert_eq!(numbers(&parts), numbers(&whole));
    let text = stdout(&brine("states", &path, &[]));
    assert!(text.contains("3 parts that share nothing, "), "{text}");
}

#[test]
fn a_small_net_takes_little_memory() {
    // 12 places.
    let report = json("states", &model("philosophers-atomic-4.pnml"), &[]);
    let mib = report["peak_mem_mib"].as_f64().expect("a number");
    assert!(mib < 20.0, "{mib} MiB");
}

/// Five tokens in a chain of three places: nothing of the net is searched.
#[test]
fn a_net_is_reduced_unless_told_otherwise() {
    let body = "<place id='p'><initialMarking><text>5</text></initialMarking></place>\
                <place id='q'/><place id='r'/><transition id='t'/><transition id='u'/>\
                <arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>\
                <arc id='c' source='q' target='u'/><arc id='d' source='u' target='r'/>";
    let path = file("chain.pnml", net(body).as_bytes());
    let [reduced, whole] = [&[][..], &["--no-reduction"]].map(|o| json("states", &path, o));
    assert_eq!(numbers(&reduced), [&Value::from("21"), &"30".into(), &5.into(), &5.into()]);
    assert_eq!(numbers(&whole), numbers(&reduced));
    assert_eq!((&reduced["final_nodes"], &reduced["invariants"]), (&Value::Null, &1.into()));
    assert!(whole["final_nodes"].as_u64() > Some(0));
    for engine in ["explicit", "pins"] {
        let refused = brine("states", &path, &["--no-reduction", "--engine", engine]);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.contains("--no-reduction is for --engine symbolic"), "{text}");
    }
}
