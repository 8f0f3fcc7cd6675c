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
