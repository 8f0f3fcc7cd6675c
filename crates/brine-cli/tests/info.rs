//! `brine info` as users see it: output, exit codes, one clear line for bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name)
}

fn info(path: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg("info")
        .arg(path)
        .args(options)
        .output()
        .expect("brine starts")
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json(path: &Path, options: &[&str]) -> serde_json::Value {
    let options = [&["--json"], options].concat();
    serde_json::from_str(&stdout(&info(path, &options))).expect("one JSON document")
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
    let report = json(&model("fork-join-2.pnml"), &[]);
    assert_eq!(report["places"], 5);
    assert_eq!(report["nupn"]["safety"], "proved");
    assert_eq!(report["bounds"]["safe"], true);
    assert_eq!(report["units"]["groups"], 2);
    assert_eq!(report["semiflows"]["list"], serde_json::Value::Null);
    let report = json(&model("counters-2-100.pnml"), &["--invariants"]);
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
    let report = json(&model("fork-join-2.pnml"), &["--matrix"]);
    assert_eq!(report["matrix"]["rows"][0]["dependencies"], "+w-w-");
    assert_eq!(report["matrix"]["copy"], 16);
    let report = json(&model("philosophers-20.pnml"), &["--matrix"]);
    assert_eq!(report["matrix"]["rows"], serde_json::Value::Null);
}

#[test]
fn dot_output() {
    let text = stdout(&info(&model("counters-2-100.pnml"), &["--dot"]));
    assert!(text.starts_with("digraph \"counters-2-100\" {\n"));
    assert!(text.contains("p0 -> t2 [label=\"100\"];"), "{text}");
    assert!(text.ends_with("}\n"));
}

/// Runs on a file with this content; gives the message after the file's name.
fn refused(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("temporary file");
    let output = info(&path, &["--json"]);
    assert_eq!(output.status.code(), Some(2), "{name}");
    assert!(output.stdout.is_empty(), "{name}: nothing is written");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(text.lines().count(), 1, "{text}");
    let prefix = format!("error: {}:", path.display());
    text.strip_prefix(&prefix).expect("the file is named").trim_end().to_owned()
}

#[test]
fn bad_input_is_exit_2_and_one_line() {
    let net = |body: &str| {
        format!(
            "<pnml>\n<net id='n' type='http://x/ptnet'><page id='g'>\n{body}\n</page></net></pnml>"
        )
    };
    let deep = "<page id='g'>".repeat(100_000);
    let cases: &[(&str, String, &str)] = &[
        ("empty", String::new(), "1:1: the file is empty"),
        ("malformed", net("<place id='p'></plaace>"), "3:15: found </plaace>"),
        ("truncated", net("<place id='p'").split_once("\n</page").unwrap().0.to_owned(), "3:1: "),
        ("type", "<pnml><net id='n' type='timed'/></pnml>".to_owned(), "1:25: unknown net type"),
        ("coloured", "<pnml><net type='x/symmetricnet'/></pnml>".to_owned(), "1:18: coloured"),
        ("arc", net("<transition id='t'/><arc id='a' source='q' target='t'/>"), "3:41: \"q\""),
        ("twice", net("<place id='p'/><place id='p'/>"), "3:27: id \"p\" is used twice"),
        (
            "negative",
            net("<place id='p'><initialMarking><text>-1</text></initialMarking></place>"),
            "3:37: marking \"-1\" is negative",
        ),
        ("no-net", net(""), "2:1: the net is empty"),
        ("no-transition", net("<place id='p'/>"), "2:1: the net has no transitions"),
        ("deep", net(&deep), "3:13274: elements are nested more than 1024 deep"),
        ("entities", "<!DOCTYPE p [<!ENTITY a 'b'>]><p>&a;</p>".to_owned(), "1:1: document type"),
    ];
    for (name, content, expected) in cases {
        let message = refused(&format!("{name}.pnml"), content.as_bytes());
        assert!(message.starts_with(expected), "{name}: {message}");
        assert!(message.contains("expected"), "{name}: {message}");
    }
    let message = refused("latin.pnml", b"<pnml>\xE4</pnml>");
    assert!(message.starts_with("1:7: byte that is not UTF-8"), "{message}");
}

#[test]
fn no_file_and_bad_options() {
    let output = info(Path::new(env!("CARGO_TARGET_TMPDIR")), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is a directory"));
    assert_eq!(info(Path::new("/nowhere.pnml"), &[]).status.code(), Some(2));
    assert_eq!(info(&model("kanban-5.pnml"), &["--dot", "--json"]).status.code(), Some(2));
    assert_eq!(info(&model("kanban-5.pnml"), &["--nonsense"]).status.code(), Some(2));
}
