//! What the tests of commands on nets share: running `brine`, and nets that it must refuse.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A net of `pnml/`.
pub(crate) fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name)
}

/// Runs `brine COMMAND PATH OPTIONS...`.
pub(crate) fn brine(command: &str, path: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg(command)
        .arg(path)
        .args(options)
        .output()
        .expect("brine starts")
}

/// What a command printed that must have succeeded.
pub(crate) fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The one JSON document that a command prints.
pub(crate) fn json(command: &str, path: &Path, options: &[&str]) -> serde_json::Value {
    let options = [&["--json"], options].concat();
    serde_json::from_str(&stdout(&brine(command, path, &options))).expect("one JSON document")
}

/// A file for this test run.
pub(crate) fn file(name: &str, content: &[u8]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME"));
    std::fs::create_dir_all(&dir).expect("temporary directory");
    let path = dir.join(name);
    std::fs::write(&path, content).expect("temporary file");
    path
}

/// A document whose net has this body, which starts at 3:1.
pub(crate) fn net(body: &str) -> String {
    format!("<pnml>\n<net id='n' type='http://x/ptnet'><page id='g'>\n{body}\n</page></net></pnml>")
}

/// A coloured net with a place of this type, which starts at 4:18.
fn coloured(sort: &str) -> String {
    format!(
        "<pnml>\n<net id='n' type='http://x/symmetricnet'><page id='g'>\n<place id='p'>\n\
         <type><structure>{sort}</structure></type></place>\n<transition id='t'/>\n\
         </page></net></pnml>"
    )
}

fn marking(text: &str) -> String {
    net(&format!("<place id='p'><initialMarking><text>{text}</text></initialMarking></place>"))
}

fn weight(text: &str) -> String {
    net(&format!(
        "<place id='p'/><transition id='t'/>\n<arc id='a' source='p' target='t'>\
         <inscription><text>{text}</text></inscription></arc>"
    ))
}

/// Checks that a command refuses every file that is no net: exit code 2, nothing on stdout,
/// one line on stderr that says where in the file the fault is and what was expected.
pub(crate) fn refuses_every_bad_net(command: &str) {
    let deep = "<page id='g'>".repeat(100_000);
    let cut = net("<place id='p'").split_once("\n</page").expect("the end").0.to_owned();
    let cases: &[(&str, String, &str)] = &[
        ("empty", String::new(), "1:1: the file is empty"),
        ("malformed", net("<place id='p'></plaace>"), "3:15: found </plaace>"),
        ("truncated", cut, "3:1: "),
        ("type", "<pnml><net id='n' type='timed'/></pnml>".to_owned(), "1:25: unknown net type"),
        ("coloured", coloured("<usersort declaration='B'/>"), "4:18: unknown sort \"B\""),
        ("sort", coloured("<dotconstant/>"), "4:18: not a sort"),
        ("arc", net("<transition id='t'/><arc id='a' source='q' target='t'/>"), "3:41: \"q\""),
        ("twice", net("<place id='p'/><place id='p'/>"), "3:27: id \"p\" is used twice"),
        ("marking-1", marking("-1"), "3:37: marking \"-1\" is negative"),
        ("marking-2", marking("two"), "3:37: marking \"two\" is not a number"),
        ("marking-3", marking("4294967296"), "3:37: marking \"4294967296\" is too large"),
        ("weight-1", weight("-1"), "4:54: weight \"-1\" is negative"),
        ("weight-2", weight("two"), "4:54: weight \"two\" is not a number"),
        ("weight-3", weight("4294967296"), "4:54: weight \"4294967296\" is too large"),
        ("weight-4", weight("0"), "4:54: weight \"0\" is zero"),
        ("no-net", net(""), "2:1: the net is empty"),
        ("no-transition", net("<place id='p'/>"), "2:1: the net has no transitions"),
        ("deep", net(&deep), "3:13274: elements are nested more than 1024 deep"),
        ("entities", "<!DOCTYPE p [<!ENTITY a 'b'>]><p>&a;</p>".to_owned(), "1:1: document type"),
    ];
    for (name, content, expected) in cases {
        let path = file(&format!("{name}.pnml"), content.as_bytes());
        let message = refused(command, &path);
        assert!(message.starts_with(&format!(":{expected}")), "{name}: {message}");
        assert!(message.contains("expected"), "{name}: {message}");
    }
    let message = refused(command, &file("latin.pnml", b"<pnml>\xE4</pnml>"));
    assert!(message.starts_with(":1:7: byte that is not UTF-8"), "{message}");
    let message = refused(command, Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(message.starts_with(": is a directory, expected"), "{message}");
    let message = refused(command, Path::new("/nowhere.pnml"));
    assert!(message.starts_with(": no such file, expected"), "{message}");
}

/// The one line of a command that must refuse this file, after the file's name.
fn refused(command: &str, path: &Path) -> String {
    let output = brine(command, path, &["--json"]);
    assert_eq!(output.status.code(), Some(2), "{}", path.display());
    assert!(output.stdout.is_empty(), "{}: nothing is written", path.display());
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(text.lines().count(), 1, "{text}");
    let prefix = format!("error: {}", path.display());
    text.strip_prefix(&prefix).expect("the file is named").trim_end().to_owned()
}
