//! A model is the same from a file, compressed, in an archive, in a folder, or from stdin: the
//! commands say the same about it, and errors name the file and the place in it.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const PROPERTIES: &str = r#"<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/">
<property><id>N-00</id><description>d</description><formula><all-paths><globally>
<integer-le><tokens-count><place>eat_0</place></tokens-count>
<integer-constant>1</integer-constant></integer-le></globally></all-paths></formula></property>
<property><id>N-01</id><description>d</description><formula><all-paths><finally>
<is-fireable><transition>put_0</transition></is-fireable></finally></all-paths></formula></property>
</property-set>
"#;

/// A net of `pnml/`.
fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(name)
}

/// Runs `brine COMMAND PATH OPTIONS...`.
fn brine(command: &str, path: &Path, options: &[&str]) -> Output {
    let mut brine = Command::new(env!("CARGO_BIN_EXE_brine"));
    brine.arg(command).arg(path).args(options).output().expect("brine starts")
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a temporary file");
    encoder.finish().expect("a temporary file")
}

fn tgz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *content).expect("a temporary file");
    }
    gz(&builder.into_inner().expect("a temporary file"))
}

/// Every form of a model: a folder with `x.pnml`, `x.pnml.gz`, `x.tgz`, `NAME/model.pnml`.
struct Forms {
    dir: TempDir,
}

impl Forms {
    fn new(pnml: &[u8]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary file");
        let contest: [(&str, &[u8]); 2] =
            [("NAME/LTLFireability.xml", PROPERTIES.as_bytes()), ("NAME/model.pnml", pnml)];
        let write = |name: &str, bytes: &[u8]| {
            std::fs::write(dir.path().join(name), bytes).expect("a temporary file")
        };
        write("x.pnml", pnml);
        write("x.pnml.gz", &gz(pnml));
        write("x.tgz", &tgz(&contest));
        std::fs::create_dir(dir.path().join("NAME")).expect("a temporary file");
        contest.iter().for_each(|(name, bytes)| write(name, bytes));
        Forms { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

fn with_stdin(input: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(args)
        .stdin(Stdio::from(File::open(input).expect("a temporary file")))
        .output()
        .expect("brine starts")
}

/// Documents without what depends on the clock.
fn documents(output: &Output) -> Vec<Value> {
    let untimed = |line: &str| {
        let mut document: Value = serde_json::from_str(line).expect("JSON");
        strip(&mut document);
        document
    };
    String::from_utf8_lossy(&output.stdout).lines().map(untimed).collect()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| {
                !key.ends_with("_s") && !key.contains("mem") && !key.contains("per_s")
            });
            map.values_mut().for_each(strip);
        }
        Value::Array(all) => all.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn every_form_says_the_same() {
    for name in ["philosophers-5.pnml", "database-coloured-4.pnml"] {
        let forms = Forms::new(&std::fs::read(model(name)).unwrap());
        let questions: [&[&str]; 4] = [
            &["info", "--json"],
            &["states", "--json"],
            &["explore", "--json"],
            &["check", "--json", "--engine", "explicit", "--ltl", "F deadlock"],
        ];
        for words in questions {
            let (command, options) = words.split_first().unwrap();
            let plain = brine(command, &forms.path("x.pnml"), options);
            assert_eq!(documents(&plain).len(), 1, "{name} {command}");
            for form in ["x.pnml.gz", "x.tgz", "NAME"] {
                let other = brine(command, &forms.path(form), options);
                assert_eq!(other.status.code(), plain.status.code(), "{form} {command}");
                assert_eq!(documents(&other), documents(&plain), "{form} {command}");
            }
            for form in ["x.pnml", "x.pnml.gz", "x.tgz"] {
                let other = with_stdin(&forms.path(form), &[&[command, "-"], options].concat());
                assert_eq!(documents(&other), documents(&plain), "{form} {command} -");
            }
        }
    }
}

#[test]
fn errors_name_the_file_and_the_place_in_it() {
    let forms = Forms::new(b"<pnml>\n<net id='n' type='http://x/ptnet'><page id='g'>\n<place/>");
    let cases = [
        ("x.pnml", "x.pnml:3:1: "),
        ("x.pnml.gz", "x.pnml.gz:3:1: "),
        ("x.tgz", "x.tgz:NAME/model.pnml:3:1: "),
        ("NAME", "NAME/model.pnml:3:1: "),
    ];
    for command in ["info", "states", "explore"] {
        for (form, expected) in cases {
            let output = brine(command, &forms.path(form), &[]);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
            let expected = format!("error: {}/{expected}", forms.dir.path().display());
            assert!(error.starts_with(&expected), "{error}");
        }
        let output = with_stdin(&forms.path("x.tgz"), &[command, "-"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.starts_with("error: stdin:NAME/model.pnml:3:1: "), "{error}");
    }
}

#[test]
fn damage_and_bombs_are_bad_input_and_the_budget_is_a_budget() {
    let whole = std::fs::read(model("philosophers-5.pnml")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let run = |name: &str, bytes: &[u8], options: &[&str]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let output = brine("states", &path, options);
        assert!(output.stdout.is_empty());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        let error = error.replace(&format!("error: {}/", dir.path().display()), "");
        (output.status.code(), error)
    };
    let packed = gz(&whole);
    let (code, error) = run("cut.gz", &packed[..packed.len() / 2], &[]);
    assert_eq!(code, Some(2));
    let place = error.strip_prefix("cut.gz:").expect("the file");
    assert!(place.contains(": the compressed data ends too early, expected"), "{error}");
    assert!(place.split(':').take(2).all(|n| n.parse::<u32>().is_ok()), "line and column: {error}");
    // 4 GiB of comments in one document.
    let comment = gz(format!("<!--{}-->", " ".repeat((1 << 20) - 7)).as_bytes());
    let (code, error) = run("bomb.gz", &comment.repeat(4096), &[]);
    assert_eq!(code, Some(2));
    assert!(error.starts_with("bomb.gz: expands to more than 250 times its size"), "{error}");
    // Noise does not expand much, but more than the budget; none of it stays in memory.
    let noise: String = (0..24_000_000_u32)
        .map(|i| match i % 4_000 {
            0..7 => "--><!--".as_bytes()[i as usize % 4_000] as char,
            _ => char::from(b'a' + (i.wrapping_mul(i) >> 9) as u8 % 26),
        })
        .collect();
    let commented = [b"<!--", noise.as_bytes(), b"-->", &whole].concat();
    let (code, error) = run("large.gz", &gz(&commented), &["--memory", "16"]);
    assert_eq!(code, Some(3), "{error}");
    assert!(error.starts_with("large.gz: expands to more than the memory budget of 16 MiB"));
    // The tail of an archive is looked at, too: checksum, length, and what lies behind.
    let archive = tgz(&[("NAME/model.pnml", &whole)]);
    for cut in [1, 4, 8, 20] {
        let (code, error) = run("tail.tgz", &archive[..archive.len() - cut], &[]);
        assert_eq!(code, Some(2), "{cut}: {error}");
    }
    let mut flipped = archive.clone();
    let at = flipped.len() - 6;
    flipped[at] ^= 1;
    assert_eq!(run("flipped.tgz", &flipped, &[]).0, Some(2));
    assert_eq!(run("junk.tgz", &[&archive[..], b"junk"].concat(), &[]).0, Some(2));
    let (code, error) = run("none.tgz", &tgz(&[("NAME/net.pnml", &whole)]), &[]);
    assert_eq!((code, error.trim()), (Some(2), "none.tgz: no model.pnml in it, expected one"));
}

#[test]
fn property_files_beside_the_model() {
    let forms = Forms::new(&std::fs::read(model("philosophers-5.pnml")).unwrap());
    for form in ["x.tgz", "NAME"] {
        for name in ["LTLFireability.xml", "LTLFireability"] {
            let output = brine("check", &forms.path(form), &["--mcc", name, "--quiet", "--json"]);
            let found = documents(&output);
            let verdicts: Vec<&str> =
                found.iter().map(|d| d["verdict"].as_str().unwrap()).collect();
            assert_eq!(verdicts, ["holds", "violated"], "{form} {name}");
            assert_eq!(output.status.code(), Some(1));
        }
    }
    let error = |form: &str| {
        let output = brine("check", &forms.path(form), &["--mcc", "Nothing.xml"]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr)
            .replace(&format!("{}/", forms.dir.path().display()), "")
    };
    let start =
        "error: Nothing.xml: no such file, expected a property file (looked for Nothing.xml";
    assert_eq!(
        error("x.tgz").trim(),
        format!("{start}, Nothing.xml beside x.tgz:model.pnml, Nothing beside x.tgz:model.pnml)")
    );
    assert_eq!(error("NAME").trim(), format!("{start}, NAME/Nothing.xml, NAME/Nothing)"));
    assert_eq!(error("x.pnml").trim(), format!("{start})"));
    // A mistake in the file is named where it is.
    let broken = tgz(&[
        ("NAME/model.pnml", &std::fs::read(model("philosophers-5.pnml")).unwrap()),
        ("NAME/P.xml", b"<property-set>\n<property>"),
    ]);
    std::fs::write(forms.path("broken.tgz"), broken).unwrap();
    let output = brine("check", &forms.path("broken.tgz"), &["--mcc", "P"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("broken.tgz:NAME/P.xml: "), "{error}");
}

#[test]
fn the_contest_mode_takes_archives() {
    let forms = Forms::new(&std::fs::read(model("philosophers-5.pnml")).unwrap());
    let answers = |form: &str, examination: &str| {
        let options = ["--examination", examination, "--timeout", "60"];
        let output = brine("mcc", &forms.path(form), &options);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let found = answers("x.tgz", "LTLFireability");
    assert!(found[0].starts_with("FORMULA N-00 TRUE "), "{found:?}");
    assert!(found[1].starts_with("FORMULA N-01 FALSE "), "{found:?}");
    assert_eq!(found.len(), 2);
    assert_eq!(answers("NAME", "LTLFireability"), found);
    assert_eq!(answers("NAME", "StateSpace"), answers("x.tgz", "StateSpace"));
    // Only what is beside the model counts, not what is where the command is run.
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("LTLCardinality.xml"), PROPERTIES).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_brine"))
        .current_dir(elsewhere.path())
        .args(["mcc", "--examination", "LTLCardinality"])
        .arg(forms.path("x.tgz"))
        .output()
        .expect("brine starts");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn guarded_commands_may_be_compressed() {
    let gcl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gcl");
    let plain = std::fs::read_dir(gcl).unwrap().map(|f| f.unwrap().path());
    let plain = plain.filter(|p| p.extension().is_some_and(|e| e == "gcl")).min().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let name = format!("{}.gz", plain.file_name().unwrap().to_str().unwrap());
    let packed = dir.path().join(name);
    std::fs::write(&packed, gz(&std::fs::read(&plain).unwrap())).unwrap();
    let [a, b] = [&plain, &packed].map(|path| brine("info", path, &["--json"]));
    assert_eq!(documents(&a), documents(&b));
    assert_eq!(documents(&a).len(), 1);
}
