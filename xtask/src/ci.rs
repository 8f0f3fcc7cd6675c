//! `cargo xtask ci`: everything that must be clean before a change is delivered.
//!
//! `.ci/run` is the gate and runs the tests alone; this adds what would otherwise rot:
//! formatting, lints and documentation. Warnings are errors here.

use anyhow::{Context, bail};
use std::process::Command;

/// Check formatting, lints, documentation and benches, then run the gate
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Leave out the tests
    #[arg(long)]
    no_tests: bool,
}

const CHECKS: [&[&str]; 3] = [
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    &["doc", "--workspace", "--no-deps"],
];

/// Runs the checks, stopping at the first that fails.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    for check in CHECKS {
        run_one(Command::new(&cargo).args(check).env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    if !args.no_tests {
        run_one(&mut Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/run")))?;
    }
    Ok(())
}

fn run_one(command: &mut Command) -> anyhow::Result<()> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    eprintln!("running {command:?}");
    let status = command.current_dir(root).status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    Ok(())
}
