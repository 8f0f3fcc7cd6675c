//! What the reader of nets noticed goes to stderr, and not with `--quiet`.

use std::process::{Command, Output};

fn brine(args: &[&str]) -> Output {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/dialects");
    let mut command = Command::new(env!("CARGO_BIN_EXE_brine"));
    command.current_dir(folder).args(args).output().expect("it runs")
}

#[test]
fn parts_of_tools_that_mention_features_are_named() {
    let expected = "standard-toolspecific.pnml:10:50: warning: a <toolspecific> of editor mentions \
                    \"inhibitor\"; such parts are not read, so editor may see another net than \
                    Brine\n";
    for command in [
        &["check", "standard-toolspecific.pnml", "--ltl", "G closed <= 1"][..],
        &["states", "standard-toolspecific.pnml"],
        &["explore", "standard-toolspecific.pnml"],
        &["info", "standard-toolspecific.pnml"],
    ] {
        let output = brine(command);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected, "{command:?}");
        if command[0] != "info" {
            let quiet = brine(&[command, &["--quiet"]].concat());
            assert!(quiet.stderr.is_empty(), "{quiet:?}");
        }
    }
}

#[test]
fn a_name_that_is_also_an_id_means_the_id() {
    let place = |id: &str, name: &str, tokens: u32| {
        format!(
            "<place id='{id}'><name><text>{name}</text></name>\
             <initialMarking><text>{tokens}</text></initialMarking></place>"
        )
    };
    let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
    let net = format!(
        "<pnml><net id='n' type='{kind}'>{}{}<transition id='t'/></net></pnml>",
        place("a", "b", 0),
        place("b", "c", 1)
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.pnml");
    std::fs::write(&path, net).expect("written");
    let check = |formula: &str, more: &[&str]| {
        let file = path.to_str().expect("a plain path");
        let output = brine(&[&["check", file, "--ltl", formula], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let expected = "warning: --ltl: \"b\" is the id of one place and the name of another: the id is \
                    meant\n";
    assert_eq!(check("G (b = 1 & b < 2)", &[]), expected);
    assert_eq!(check("G b = 1", &["--quiet"]), "");
    assert_eq!(check("G (c = 1 & a = 0)", &[]), "");
    // A formula may begin with a minus.
    assert_eq!(check("-c <= 0", &[]), "");
}

#[test]
fn an_inhibitor_arc_is_no_verdict() {
    // Fired as a normal arc, it would let the property hold.
    for file in ["tapaal-inhibitor.pnml", "tapaal-inhibitor.tapn", "pipe-inhibitor.pnml"] {
        let output = brine(&["check", file, "--ltl", "G true"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("inhibitor arcs are not supported"), "{message}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}
