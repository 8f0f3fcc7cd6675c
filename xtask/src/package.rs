//! `cargo xtask package`: what the Model Checking Contest gets, and a dry run of it.
//!
//! The folder `BenchKit` has the script that BenchKit calls, the program in `bin`, the licences and
//! a file `VERSION` with what it was built from. The program is static (the musl target of Rust), so
//! that it runs on whatever the contest's machines are; without that target it is linked to this
//! machine's libraries, and `VERSION` says so.
//!
//! The dry run calls the script as BenchKit does, in the folder of each instance, with short limits,
//! for every examination. It looks at the form of what is printed (verdicts are the business of
//! `cargo xtask contest`): one line for each property of the examination, no other, in time.

use crate::mcc::{Set, data_dir, instances, models};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Build what the contest asks for, and call it as BenchKit would
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where the folder BenchKit and its archive go
    #[arg(long, default_value = "target/contest-package")]
    folder: PathBuf,
    /// The profile of the build
    #[arg(long, default_value = "release")]
    profile: String,
    /// Take this program instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Ask every examination of every so many-th smoke instance
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// BK_TIME_CONFINEMENT of the dry run
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    time: u64,
}

const TARGET: &str = "x86_64-unknown-linux-musl";
/// How late an answer may be.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let binary = args.binary.clone().map_or_else(|| build(&root, &args.profile), Ok)?;
    std::fs::create_dir_all(&args.folder)?;
    let folder = args.folder.canonicalize()?;
    let kit = pack(&root, &binary, &folder)?;
    let archive = folder.join("BenchKit.tar.gz");
    tell(
        "tar",
        Command::new("tar").args(["-czf"]).arg(&archive).arg("-C").arg(&folder).arg("BenchKit"),
    )?;
    let size = std::fs::metadata(&archive)?.len() / 1024;
    print!("{}: {size} KiB\n{}", archive.display(), std::fs::read_to_string(kit.join("VERSION"))?);
    dry_run(&kit, args)
}

/// The program: static if this machine can build that.
fn build(root: &Path, profile: &str) -> anyhow::Result<PathBuf> {
    let cargo = |target: Option<&str>| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--package", "brine-cli", "--profile", profile]);
        command.args(target.iter().flat_map(|t| ["--target", t])).current_dir(root);
        command.status().is_ok_and(|status| status.success())
    };
    let built = |middle: &str| root.join("target").join(middle).join(profile).join("brine");
    if cargo(Some(TARGET)) {
        return Ok(built(TARGET));
    }
    eprintln!("note: no target {TARGET} (rustup target add {TARGET}): linked to this machine");
    if !cargo(None) {
        bail!("the build failed");
    }
    Ok(built(""))
}

/// Writes the folder.
fn pack(root: &Path, binary: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let kit = folder.join("BenchKit");
    if kit.exists() {
        std::fs::remove_dir_all(&kit)?;
    }
    std::fs::create_dir_all(kit.join("bin"))?;
    let copy = |from: &Path, to: &str| {
        let told = || format!("cannot copy {}", from.display());
        std::fs::copy(from, kit.join(to)).with_context(told)
    };
    copy(binary, "bin/brine")?;
    for (from, to) in [
        ("contest/BenchKit_head.sh", "BenchKit_head.sh"),
        ("contest/README.txt", "README.txt"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        copy(&root.join(from), to)?;
    }
    let version = tell("brine", Command::new(kit.join("bin/brine")).arg("--version"))?;
    let commit = tell("git", Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root))
        .unwrap_or_else(|_| "unknown\n".to_owned());
    let linked = if is_static(binary)? { "static" } else { "linked to libraries" };
    let text = format!("{}\ncommit {}\n{linked}\n", version.trim(), commit.trim());
    std::fs::write(kit.join("VERSION"), text)?;
    Ok(kit)
}

/// A program for Linux that names no interpreter needs no library.
fn is_static(binary: &Path) -> anyhow::Result<bool> {
    let bytes = std::fs::read(binary)?;
    let end = bytes.len().min(4096);
    Ok(!bytes[..end].windows(7).any(|w| w == b"ld-linu"))
}

fn tell(name: &str, command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The examinations, and the file of each that has one.
const EXAMINATIONS: [(&str, Option<&str>); 13] = [
    ("StateSpace", None),
    ("ReachabilityDeadlock", None),
    ("OneSafe", None),
    ("StableMarking", None),
    ("QuasiLiveness", None),
    ("Liveness", None),
    ("UpperBounds", Some("UpperBounds.xml")),
    ("ReachabilityCardinality", Some("ReachabilityCardinality.xml")),
    ("ReachabilityFireability", Some("ReachabilityFireability.xml")),
    ("CTLCardinality", Some("CTLCardinality.xml")),
    ("CTLFireability", Some("CTLFireability.xml")),
    ("LTLCardinality", Some("LTLCardinality.xml")),
    ("LTLFireability", Some("LTLFireability.xml")),
];

fn dry_run(kit: &Path, args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let folder = models(Set::Smoke, &data)?;
    let (mut calls, mut open, mut lines) = (0, 0, 0);
    for instance in instances(Set::Smoke, "", &data)?.iter().step_by(args.every.max(1)) {
        let here = folder.join(instance);
        for (examination, file) in EXAMINATIONS {
            if file.is_some_and(|file| !here.join(file).exists()) {
                continue;
            }
            let printed = call(kit, &here, examination, args.time)
                .with_context(|| format!("{instance} {examination}"))?;
            let ids = file.map(|file| ids(&here.join(file))).transpose()?;
            check(examination, ids.as_deref(), &printed)
                .with_context(|| format!("{instance} {examination}:\n{printed}"))?;
            calls += 1;
            lines += printed.lines().count();
            open += printed.lines().filter(|l| l.contains("CANNOT_COMPUTE")).count();
        }
    }
    println!("dry run: {calls} calls, {lines} lines, {open} CANNOT_COMPUTE");
    if calls == 0 { bail!("nothing was called") } else { Ok(()) }
}

/// One call as BenchKit makes it.
fn call(kit: &Path, here: &Path, examination: &str, time: u64) -> anyhow::Result<String> {
    let start = Instant::now();
    let output = Command::new("bash")
        .arg(kit.join("BenchKit_head.sh"))
        .current_dir(here)
        .env_remove("BRINE")
        .env("BK_BIN_PATH", kit.join("bin"))
        .env("BK_EXAMINATION", examination)
        .env("BK_TIME_CONFINEMENT", time.to_string())
        .env("BK_MEMORY_CONFINEMENT", "4096")
        .env("BK_TOOL", "brine")
        .output()?;
    let time = Duration::from_secs(time) + GRACE;
    if start.elapsed() > time {
        bail!("{:.1} s are too many", start.elapsed().as_secs_f64());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The ids of a property file.
fn ids(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(path)?;
    let after = text.split("<id>").skip(1);
    Ok(after.filter_map(|part| Some(part.split_once("</id>")?.0.trim().to_owned())).collect())
}

/// Whether the lines have the contest's form: one for each of the `ids`, or for the examination.
fn check(examination: &str, ids: Option<&[String]>, printed: &str) -> anyhow::Result<()> {
    let lines: Vec<Vec<&str>> = printed.lines().map(|l| l.split_whitespace().collect()).collect();
    let value_is_fine = |value: &str| match examination {
        "UpperBounds" => value.parse::<u64>().is_ok(),
        _ => matches!(value, "TRUE" | "FALSE"),
    };
    let mut told = Vec::new();
    for line in &lines {
        match line[..] {
            ["CANNOT_COMPUTE"] => told.push(examination),
            ["STATE_SPACE", what, number, "TECHNIQUES", ..] if examination == "StateSpace" => {
                let known =
                    ["STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"];
                if !known.contains(&what) || !number.starts_with(|c: char| c.is_ascii_digit()) {
                    bail!("what is {what} {number}?");
                }
                told.push(what);
            }
            ["FORMULA", id, "CANNOT_COMPUTE"] => told.push(id),
            ["FORMULA", id, value, "TECHNIQUES", ..] if value_is_fine(value) => told.push(id),
            _ => bail!("what is \"{}\"?", line.join(" ")),
        }
    }
    let count = told.len();
    told.sort_unstable();
    told.dedup();
    if told.len() != count {
        bail!("something is told twice");
    }
    match ids {
        Some(ids) if ids.len() != count => bail!("{count} lines for {} properties", ids.len()),
        Some(ids) => ids.iter().try_for_each(|id| match told.contains(&id.as_str()) {
            true => Ok(()),
            false => bail!("no line for {id}"),
        }),
        None if count == 0 => bail!("nothing was told"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_contest_s_form_passes() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let ltl = |text: &str| check("LTLCardinality", Some(&ids), text).is_ok();
        assert!(ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA b CANNOT_COMPUTE\n"));
        assert!(!ltl("FORMULA a TRUE TECHNIQUES X\n"), "b has no line");
        assert!(!ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA a TRUE TECHNIQUES X\n"));
        assert!(!ltl("FORMULA a 7 TECHNIQUES X\nFORMULA b TRUE TECHNIQUES X\n"));
        assert!(!ltl("FORMULA a TRUE TECHNIQUES X\nFORMULA b TRUE TECHNIQUES X\nnote\n"));
        assert!(check("UpperBounds", Some(&ids[..1]), "FORMULA a 7 TECHNIQUES X").is_ok());
        assert!(check("StateSpace", None, "STATE_SPACE STATES 3 TECHNIQUES X").is_ok());
        assert!(check("StateSpace", None, "").is_err());
        assert!(check("OneSafe", None, "FORMULA OneSafe TRUE TECHNIQUES X").is_ok());
    }
}
