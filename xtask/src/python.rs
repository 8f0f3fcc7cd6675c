//! `cargo xtask python`: the Python package in a fresh virtual environment: built and installed by
//! `pip install ./python`, its tests, its types, its notebook.
//!
//! No part of the gate, which needs neither Python nor a network. What cannot be installed is left
//! out with a message. The notebook is executed and written as a page of the documentation.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Build, install and test the Python package; run its notebook
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where the virtual environment goes; an old one there is replaced
    #[arg(long, default_value = "target/python")]
    folder: PathBuf,
    /// The program that makes it
    #[arg(long, default_value = "python3")]
    python: String,
    /// The profile: release is what users get, quick takes a fraction of the time
    #[arg(long, default_value = "quick")]
    profile: String,
    /// Write the executed notebook to docs/notebooks
    #[arg(long)]
    update: bool,
}

/// Beside the package itself: data frames, graphs, plots, the notebook, types.
const EXTRAS: [&str; 10] = [
    "pandas",
    "matplotlib",
    "networkx",
    "pm4py",
    "tqdm",
    "nbclient",
    "nbconvert",
    "ipykernel",
    "mypy",
    "pandas-stubs",
];
const NOTEBOOK: &str = "python/docs/first-steps.ipynb";

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    if args.folder.exists() {
        std::fs::remove_dir_all(&args.folder)?;
    }
    if call(Command::new(&args.python).args(["-m", "venv"]).arg(&args.folder)).is_err() {
        println!("skipped: {} makes no virtual environment", args.python);
        return Ok(());
    }
    let bin = args.folder.canonicalize()?.join("bin");
    let pip = |words: &[&str]| {
        let mut command = Command::new(bin.join("pip"));
        command.args(["install", "--quiet"]).args(words).current_dir(&root);
        command.env("BRINE_PROFILE", &args.profile);
        command.env("CARGO_TARGET_DIR", root.join("python/target"));
        call(&mut command)
    };
    if let Err(error) = pip(&["maturin"]) {
        println!("skipped: no maturin: {error:#}");
        return Ok(());
    }
    pip(&["./python"])?;
    // From elsewhere, so that the sources beside this are not taken for the package.
    let python = |words: &[&str]| {
        let mut command = Command::new(bin.join("python"));
        command.args(words).current_dir(&args.folder);
        call(&mut command)
    };
    python(&["-c", "import brine; print(brine.__version__, brine.command())"])?;
    let extras = pip(&EXTRAS);
    if let Err(error) = &extras {
        println!("some packages cannot be installed, what needs them is skipped: {error:#}");
    }
    let tests = root.join("python/tests/test_brine.py");
    python(&[&tests.to_string_lossy()])?;
    if extras.is_ok() {
        notebook(&root, &bin, args)?;
    }
    Ok(())
}

/// Executes the notebook; any error in a cell is one here.
fn notebook(root: &Path, bin: &Path, args: &Args) -> anyhow::Result<()> {
    let out = match args.update {
        true => root.join("docs/notebooks"),
        false => args.folder.canonicalize()?.join("notebooks"),
    };
    std::fs::create_dir_all(&out)?;
    let mut command = Command::new(bin.join("python"));
    command.args(["-m", "nbconvert", "--to", "markdown", "--execute", "--output-dir"]).arg(&out);
    command.arg(root.join(NOTEBOOK)).current_dir(root.join("python/docs"));
    call(&mut command)?;
    println!("{}", out.join("first-steps.md").display());
    Ok(())
}

fn call(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    if status.success() { Ok(()) } else { bail!("{name}: {status}") }
}
