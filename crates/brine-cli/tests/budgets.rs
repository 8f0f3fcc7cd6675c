//! Budgets of whole commands: whatever they end, something whole is printed and the exit code
//! is 3. (That every pass looks at the clock, and how often, is tested in `brine-check`; times
//! on the clock are measured by `cargo xtask budgets`.)

#[expect(dead_code, reason = "the tests of single commands use the rest")]
mod common;

use brine_models::{database_coloured, philosophers};
use brine_pnml::write_pnml;
use common::{brine, file, model};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;

/// The JSON documents that a command printed whose budget ran out, one a line.
fn unknown(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}{errors}");
    assert!(text.ends_with('\n'), "{text}");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A net of 180,000 nodes, and a coloured one that unfolds to about as many.
static LARGE_NETS: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let (mut plain, mut coloured) = (Vec::new(), Vec::new());
    write_pnml(&philosophers(20_000), &mut plain).expect("written");
    database_coloured(200).write_pnml(&mut coloured).expect("written");
    [file("plain.pnml", &plain), file("coloured.pnml", &coloured)]
});

#[test]
fn no_time_at_all_is_unknown_everywhere() {
    let net = model("philosophers-5.pnml");
    for command in ["states", "explore", "info"] {
        let lines = unknown(&brine(command, &net, &["--json", "--timeout", "0"]));
        assert_eq!(lines.len(), 1, "{command}");
        assert_eq!((&lines[0]["reason"], &lines[0]["states"]), (&"timeout".into(), &Value::Null));
        let text = brine(command, &net, &["--timeout", "0"]);
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        assert!(text.starts_with("philosophers-5: unknown (timeout)\n"), "{command}: {text}");
    }
    let commands = file("step.gcl", b"var x = 0; step: x < 3 -> x := x + 1;");
    let output = brine("info", &commands, &["--json", "--timeout", "0"]);
    assert_eq!(unknown(&output)[0]["reason"], "timeout");
}

/// Properties from text and from a file, none of which was looked at: each has its line.
#[test]
fn every_property_gets_its_line_when_there_is_no_time_to_load_the_net() {
    let property = |id: &str| {
        format!(
            "<property><id>{id}</id><formula><all-paths><globally><integer-le>\
             <tokens-count><place>eat_0</place></tokens-count>\
             <integer-constant>1</integer-constant></integer-le></globally></all-paths>\
             </formula></property>"
        )
    };
    let set = format!("<property-set>{}{}</property-set>", property("a-00"), property("a-01"));
    let properties = file("properties.xml", set.as_bytes());
    let properties = properties.to_str().expect("UTF-8");
    let runs = file("runs.json", b"from before");
    let runs_name = runs.to_str().expect("UTF-8");
    let options = ["--ltl", "G eat_0 <= 1", "--mcc", properties, "--only", "1,0"];
    let net = model("philosophers-5.pnml");
    let limits = ["--timeout", "0", "--json", "--witness", runs_name];
    let lines = unknown(&brine("check", &net, &[&options[..], &limits[..]].concat()));
    let names: Vec<&str> = lines.iter().filter_map(|l| l["property"].as_str()).collect();
    assert_eq!(names, ["G eat_0 <= 1", "a-01", "a-00"]);
    assert!(lines.iter().all(|l| l["verdict"] == "unknown" && l["reason"] == "timeout"));
    assert_eq!(std::fs::read_to_string(runs).expect("there"), "", "no run was found");
    let text = brine("check", &net, &[&options[..], &["--timeout", "0"]].concat());
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert_eq!(text.matches(": unknown, timeout (").count(), 3, "{text}");
}

/// A budget that ends while a large net is read, unfolded, looked at or searched. Where it ends
/// depends on the machine; what comes out does not.
#[test]
fn large_nets_end_with_their_budget() {
    for (net, formula) in
        LARGE_NETS.iter().zip(["G F fireable(put_0)", "G F waiting = 0 & F waiting = 9"])
    {
        for time in ["0.2", "1"] {
            let limits = ["--json", "--timeout", time];
            for command in ["states", "info", "explore"] {
                done_or_unknown(command, net, &limits);
            }
            for engine in ["auto", "symbolic", "explicit", "hunt", "pins"] {
                let options = [&limits[..], &["--engine", engine, "--ltl", formula]].concat();
                done_or_unknown("check", net, &options);
            }
        }
    }
}

/// A fast machine may be done in time; any other says that it was not.
fn done_or_unknown(command: &str, net: &Path, options: &[&str]) {
    let output = brine(command, net, options);
    if !matches!(output.status.code(), Some(0 | 1)) {
        let lines = unknown(&output);
        let said = (lines.len(), &lines[0]["reason"]);
        assert_eq!(said, (1, &"timeout".into()), "{command} {options:?}");
    }
}

#[test]
fn memory_ends_loading_as_well() {
    let [plain, _] = &*LARGE_NETS;
    for command in ["states", "info", "explore"] {
        let lines = unknown(&brine(command, plain, &["--json", "--memory", "20"]));
        assert_eq!(lines[0]["reason"], "memory", "{command}");
    }
    let output = brine("check", plain, &["--json", "--memory", "20", "--ltl", "G eat_0 <= 1"]);
    assert_eq!(unknown(&output)[0]["reason"], "memory");
}

/// What was counted before the budget ended stands.
#[test]
fn explore_keeps_what_it_had_counted() {
    let mut text = Vec::new();
    write_pnml(&philosophers(14), &mut text).expect("written");
    let net = file("philosophers-14.pnml", &text);
    for por in [&[][..], &["--por", "--proviso", "Full"][..]] {
        let options = [&["--json", "--memory", "30"], por].concat();
        let lines = unknown(&brine("explore", &net, &options));
        assert_eq!(lines[0]["reason"], "memory");
        let states = lines[0]["states"].as_u64().expect("counted");
        let expanded = lines[0]["expanded"].as_u64().expect("counted");
        assert!(states > 1_000 && expanded > 0 && expanded <= states, "{}", lines[0]);
        let text = brine("explore", &net, &options[1..]);
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        assert!(text.contains(": at least ") && text.contains("unknown (memory)"), "{text}");
    }
}
