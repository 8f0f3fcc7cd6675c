//! `limited ... -- PROGRAM ARGUMENTS`: a program under the limits of the kernel.
//!
//! What runs under limits is started through this hidden command ([`crate::child`]). The new
//! process limits itself and becomes the program: address space, processor time, no core files;
//! and it dies with the process that started it, even if that was killed.

use anyhow::{Context, bail};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};
use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Run a program under limits
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Bytes of address space
    #[arg(long)]
    address_space: Option<u64>,
    /// Seconds of processor time
    #[arg(long)]
    cpu: Option<u64>,
    /// A core on which it may run; all if none is named
    #[arg(long)]
    core: Vec<usize>,
    /// A file of a control group to join, written 0
    #[arg(long)]
    join: Vec<PathBuf>,
    /// The process to die with
    #[arg(long)]
    parent: i32,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// Sets the limits and becomes the program; returns only if that fails.
pub fn run(args: &Args) -> anyhow::Result<Infallible> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // The parent may have ended before this process could ask to be told.
    if getppid() != Pid::from_raw(args.parent) {
        bail!("process {} is not the one that started this", args.parent);
    }
    for door in &args.join {
        let told = || format!("cannot join the control group of {}", door.display());
        std::fs::write(door, "0").with_context(told)?;
    }
    if !args.core.is_empty() {
        let mut cores = CpuSet::new();
        args.core.iter().try_for_each(|&core| cores.set(core))?;
        sched_setaffinity(Pid::from_raw(0), &cores).context("cannot bind it to its cores")?;
    }
    let (program, rest) = args.command.split_first().context("no program")?;
    limit(Resource::RLIMIT_AS, args.address_space)?;
    limit(Resource::RLIMIT_CPU, args.cpu)?;
    limit(Resource::RLIMIT_CORE, Some(0))?;
    let error = Command::new(program).args(rest).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}

/// Lowers a limit; what is lower already stays.
fn limit(resource: Resource, value: Option<u64>) -> nix::Result<()> {
    let Some(value) = value else { return Ok(()) };
    let (_, hard) = getrlimit(resource)?;
    setrlimit(resource, value.min(hard), hard)
}
