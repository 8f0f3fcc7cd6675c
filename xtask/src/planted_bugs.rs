//! `cargo xtask planted-bugs`: plant bugs, and see that the tests catch every one of them.
//!
//! An oracle that never failed proves little. Each file of `planted-bugs/` is one small,
//! plausible mistake in one algorithm: a patch, below a header that names the bug and the
//! test that must fail with it.
//!
//! ```text
//! Bug: couvreur: marks between components are lost
//! Test: -p brine-explicit --test graphs
//! Cases: 5000
//!
//! --- a/crates/brine-explicit/src/emptiness/couvreur.rs
//! +++ b/crates/brine-explicit/src/emptiness/couvreur.rs
//! ...
//! ```
//!
//! The workspace is copied to `target/planted-bugs`, one patch is applied at a time, and its
//! test must fail. A patch that no longer applies is an error, and a test of this file: the
//! patches follow the code (CONTRIBUTING.md tells how to renew one).

use anyhow::{Context, bail, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Plant bugs and see that the tests catch them
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only bugs whose name or patch contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Of those, only every Nth
    #[arg(long, default_value_t = 1)]
    every: usize,
}

/// One patch with its header.
#[derive(Debug)]
struct PlantedBug {
    file: PathBuf,
    name: String,
    /// Arguments of `cargo test`.
    test: String,
    /// How many random cases it takes to catch it.
    cases: u32,
}

impl PlantedBug {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file)?;
        let value = |key: &str| {
            let line = text.lines().take_while(|l| !l.is_empty()).find_map(|l| l.strip_prefix(key));
            line.map(|v| v.trim().to_owned())
                .with_context(|| format!("{}: no \"{key}\" in the header", file.display()))
        };
        let cases = value("Cases:")?;
        let cases = cases.parse().with_context(|| format!("{}: Cases", file.display()))?;
        Ok(PlantedBug { file: file.to_owned(), name: value("Bug:")?, test: value("Test:")?, cases })
    }

    fn contains(&self, filter: &str) -> bool {
        self.name.contains(filter)
            || fs::read_to_string(&self.file).is_ok_and(|text| text.contains(filter))
    }

    /// Runs `git apply` on the patch in a folder.
    fn apply(&self, folder: &Path, options: &[&str]) -> anyhow::Result<()> {
        let output = Command::new("git")
            .arg("apply")
            .args(options)
            .arg(&self.file)
            .current_dir(folder)
            // The folder may lie in a repository that ignores it: there git would do nothing.
            .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
            .output()
            .context("git apply")?;
        let says = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {}", self.file.display(), says.trim());
        Ok(())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All planted bugs, by name of their file.
fn all(root: &Path) -> anyhow::Result<Vec<PlantedBug>> {
    let folder = root.join("planted-bugs");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<_>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e == "patch"));
    files.sort();
    files.iter().map(|file| PlantedBug::read(file)).collect()
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = root().canonicalize()?;
    let copy = root.join("target/planted-bugs/work");
    copy_workspace(&root, &copy)?;
    let mut bugs = all(&root)?;
    bugs.retain(|bug| bug.contains(&args.filter));
    let bugs: Vec<PlantedBug> = bugs.into_iter().step_by(args.every.max(1)).collect();
    let tests: BTreeSet<(&str, u32)> = bugs.iter().map(|b| (b.test.as_str(), b.cases)).collect();
    for (test, cases) in tests {
        ensure!(passes(&copy, test, cases)?, "`cargo test {test}` fails without any planted bug");
    }
    let mut survivors = 0;
    for bug in &bugs {
        let start = Instant::now();
        bug.apply(&copy, &[])?;
        let passed = passes(&copy, &bug.test, bug.cases);
        bug.apply(&copy, &["--reverse"])?;
        let passed = passed.with_context(|| bug.file.display().to_string())?;
        let word = if passed { "SURVIVED" } else { "caught" };
        println!("{word:<8}  {}  ({:.0} s)", bug.name, start.elapsed().as_secs_f64());
        survivors += usize::from(passed);
    }
    println!("{} planted, {} caught", bugs.len(), bugs.len() - survivors);
    if survivors > 0 {
        bail!("{survivors} planted bugs were not caught");
    }
    Ok(())
}

/// Builds and runs a test; a planted bug that does not compile is an error. A test that uses
/// too much time or memory counts as failed: `timeout` also ends what cargo started.
fn passes(copy: &Path, test: &str, cases: u32) -> anyhow::Result<bool> {
    let cargo = |prefix: &str, suffix: &str| {
        let line = format!("{prefix} {} test --profile fast {test} {suffix}", env!("CARGO"));
        Command::new("sh")
            .args(["-c", &line])
            .env("CARGO_TARGET_DIR", copy.join("../target"))
            .env("BRINE_CASES", cases.to_string())
            // A bug changes a few lines: what the compiler did for the rest is kept.
            .env("CARGO_INCREMENTAL", "1")
            .current_dir(copy)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    };
    ensure!(cargo("", "--no-run")?.success(), "`cargo test {test}` does not compile");
    // Address space, not memory: each thread that makes automata reserves some hundred megabytes.
    Ok(cargo("ulimit -v 8000000; timeout 900", "")?.success())
}

/// Copies what cargo needs, and nothing that it made.
fn copy_workspace(root: &Path, copy: &Path) -> anyhow::Result<()> {
    if copy.exists() {
        fs::remove_dir_all(copy)?;
    }
    let mut folders: Vec<PathBuf> = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        fs::create_dir_all(copy.join(&folder))?;
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = folder.join(entry.file_name());
            let skip = ["target", ".git", "docs"].iter().any(|s| name == Path::new(s));
            if skip {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else {
                fs::copy(entry.path(), copy.join(&name))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The patches follow the code: each applies, and its test names a crate that is there.
    #[test]
    fn every_bug_can_be_planted() {
        let root = root().canonicalize().expect("the workspace");
        let bugs = all(&root).expect("patches with headers");
        assert!(bugs.len() > 200, "{} patches", bugs.len());
        let mut stale = Vec::new();
        for bug in &bugs {
            stale.extend(bug.apply(&root, &["--check"]).err().map(|e| e.to_string()));
            let package = bug.test.split_whitespace().nth(1).unwrap_or_default();
            assert!(root.join("crates").join(package).is_dir(), "{}: {package}", bug.name);
        }
        assert!(stale.is_empty(), "{}", stale.join("\n"));
    }

    #[test]
    fn names_are_unique() {
        let bugs = all(&root()).expect("patches with headers");
        let names: BTreeSet<&str> = bugs.iter().map(|b| b.name.as_str()).collect();
        assert_eq!(names.len(), bugs.len());
    }
}
