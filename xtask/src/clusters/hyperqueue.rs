//! HyperQueue from PyPI, driven by `hyperqueue.py`, which reads the lines of the script that
//! `hq submit` would read. The program `hq` itself is in no registry of packages (docs/log.md).

use super::{Array, said, wait_for_rows};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const DRIVER: &str = include_str!("hyperqueue.py");

/// Runs the array, kills server and worker, then a task, resumes, compares.
pub(super) fn run(array: &Array, folder: &Path, install: bool) -> anyhow::Result<()> {
    let Some(python) = python(folder, install)? else {
        println!("HyperQueue: skipped, no package (pip install hyperqueue, or --install)");
        return Ok(());
    };
    let (script, out) = array.script(folder, "hyperqueue")?;
    let driver = folder.join("driver.py");
    std::fs::write(&driver, DRIVER)?;
    let start = || -> anyhow::Result<Child> {
        let log = std::fs::File::create(folder.join("driver.log"))?;
        Command::new(&python)
            .arg(&driver)
            .arg(&script)
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("cannot start HyperQueue")
    };
    let mut first = start()?;
    let before = wait_for_rows(&out, 10)?;
    let tasks = children(first.id());
    first.kill()?;
    first.wait()?;
    // Those that outlive their server are taken down with it, as a node that fails does.
    for task in &tasks {
        let pid = nix::unistd::Pid::from_raw(*task);
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
    }
    println!(
        "HyperQueue: {before} rows, then the server, its worker and {} tasks were killed",
        tasks.len()
    );
    let mut second = start()?;
    let again = wait_for_rows(&out, before + 5)?;
    if let Some(&task) = children(second.id()).first() {
        let pid = nix::unistd::Pid::from_raw(task);
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        println!("HyperQueue: {again} rows, then one task was killed");
    }
    second.wait()?;
    // What failed is submitted again: tasks that were done find nothing to do.
    start()?.wait()?;
    array.finish(&out)?;
    println!("HyperQueue: equal");
    Ok(())
}

/// A Python with the package: this machine's, or one of our own.
fn python(folder: &Path, install: bool) -> anyhow::Result<Option<PathBuf>> {
    let has = |python: &Path| {
        let mut command = Command::new(python);
        said(command.args(["-c", "import hyperqueue"])).is_ok()
    };
    let own = folder.with_file_name("python");
    let candidates = [PathBuf::from("python3"), own.join("bin/python")];
    if let Some(found) = candidates.iter().find(|python| has(python)) {
        return Ok(Some(found.clone()));
    }
    if !install {
        return Ok(None);
    }
    said(Command::new("python3").args(["-m", "venv"]).arg(&own))?;
    said(Command::new(own.join("bin/pip")).args(["install", "--quiet", "hyperqueue"]))?;
    Ok(Some(own.join("bin/python")))
}

/// The processes that a process has started.
fn children(pid: u32) -> Vec<i32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let lists =
        threads.into_iter().flatten().flatten().map(|thread| {
            std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()
        });
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|p| p.parse().ok()).collect::<Vec<_>>())
        .collect()
}
