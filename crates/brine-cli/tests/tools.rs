//! `brine bench` runs other programs under the same limits and reads their verdicts.

#![cfg(target_os = "linux")]

mod common {
    #[allow(dead_code, reason = "other tests use the rest")]
    pub(crate) mod campaign;
}

use common::campaign::Campaign;
use std::os::unix::fs::PermissionsExt;

/// A program that knows the answers by heart, sleeps, eats memory, or says nonsense.
const TOOL: &str = r#"#!/bin/sh
case "$2" in
    "G !deadlock") echo "answer: no";;
    "F deadlock") echo "answer: yes" >&2; exit 7;;
    "G eat_0 <= 1") echo "answer: yes"; echo "answer: no";;
    "F eat_0 = 1") sleep 100;;
    *) echo "I cannot tell";;
esac
"#;

const PLAN: &str = r#"
[limits]
time_s = 2
memory_mib = 512
cores = 1
[[models]]
glob = "nets/*.pnml"
[[properties]]
ltl = "G !deadlock"
expected = "violated"
[[properties]]
ltl = "F deadlock"
expected = "violated"
[[properties]]
ltl = "G eat_0 <= 1"
[[properties]]
ltl = "F eat_0 = 1"
[[properties]]
ltl = "G F eat_0 = 1"
[[configurations]]
name = "Brine"
options = ["--engine", "explicit"]
[[configurations]]
name = "oracle"
[configurations.tool]
command = ["./oracle", "{model}", "{formula}"]
holds = ["answer: yes"]
violated = ["answer: no"]
gives_up = ["cannot tell"]
[[configurations]]
name = "absent"
[configurations.tool]
command = ["no-such-program-anywhere"]
holds = ["yes"]
violated = ["no"]
"#;

fn campaign(plan: &str) -> Campaign {
    let campaign = Campaign::new(plan, &["philosophers-5"]);
    let path = campaign.path("oracle");
    std::fs::write(&path, TOOL).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    campaign
}

#[test]
fn another_program_is_run_measured_read_and_compared() {
    let campaign = campaign(PLAN);
    let output = campaign.run(&["plan.toml", "-o", "r.csv"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "one verdict is wrong: {told}");
    assert!(told.contains("no program no-such-program-anywhere: \"absent\" is left out"), "{told}");
    let mut reader = csv::Reader::from_path(campaign.path("r.csv")).expect("results");
    let header = reader.headers().expect("header").clone();
    let at = |name: &str| header.iter().position(|h| h == name).expect("a column");
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    let of = |property: &str, column: &str| {
        let row = rows.iter().find(|r| &r[1] == property && &r[2] == "oracle").expect("a row");
        row[at(column)].to_owned()
    };
    assert_eq!(of("G !deadlock", "verdict"), "violated");
    assert_eq!(of("G !deadlock", "correct"), "true");
    // A verdict counts whatever the exit code; this one is wrong.
    assert_eq!(of("F deadlock", "verdict"), "holds");
    assert_eq!(of("F deadlock", "correct"), "false");
    assert_eq!(of("G eat_0 <= 1", "verdict"), "unknown");
    assert_eq!(of("G eat_0 <= 1", "reason"), "error");
    assert_eq!(of("F eat_0 = 1", "reason"), "timeout");
    assert_eq!(of("G F eat_0 = 1", "reason"), "unsupported");
    assert!(of("G !deadlock", "version").starts_with("oracle+"));
    assert!(of("G !deadlock", "limits").ends_with("bound to 1 cores"));
    assert_eq!(rows.len(), 10, "the absent one has no rows");

    // A tool that changed makes its own rows old, and nobody else's.
    std::fs::write(campaign.path("oracle"), TOOL.replace("yes\" >&2", "no\"")).expect("written");
    let output = campaign.run(&["plan.toml", "-o", "r.csv"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("5 rows: version") && !told.contains("[Brine]"), "{told}");
    let output = campaign.run(&["plan.toml", "-o", "r.csv", "--rerun-changed"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_cannot_work_is_told_before_anything_runs() {
    for (from, to, what) in [
        (
            "{model}\", \"{formula}",
            "{modle}",
            "plan.toml:23:1: configuration \"oracle\": {modle} stands",
        ),
        ("{model}\", \"{formula}", "{file}", "{file} has no value here"),
        ("name = \"oracle\"", "name = \"oracle\"\noptions = [\"--por\"]", "a tool has its command"),
        ("cores = 1", "cores = 100000", "need more than the"),
    ] {
        let campaign = campaign(&PLAN.replace(from, to));
        let output = campaign.run(&["plan.toml", "-o", "r.csv"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(what), "{told}");
    }
}
