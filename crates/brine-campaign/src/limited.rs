//! `brine limited ... -- ARGUMENTS`: another command of `brine`, under the limits of the kernel.
//!
//! A campaign starts its runs through this hidden command. The new process limits itself
//! before it reads any input: address space, processor time, no core files; and it dies
//! with the campaign, even if that was killed.

use anyhow::bail;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};
use std::ffi::OsString;

/// Run a command of brine under limits
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Bytes of address space
    #[arg(long)]
    address_space: u64,
    /// Seconds of processor time
    #[arg(long)]
    cpu: u64,
    /// The process to die with
    #[arg(long)]
    parent: i32,
    /// The command
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// Sets the limits, then runs the command in this same process.
pub fn run<T>(
    args: &Args,
    command: impl FnOnce(&[OsString]) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // The campaign may have ended before this process could ask to be told.
    if getppid() != Pid::from_raw(args.parent) {
        bail!("process {} is not the one that started this", args.parent);
    }
    limit(Resource::RLIMIT_AS, args.address_space)?;
    limit(Resource::RLIMIT_CPU, args.cpu)?;
    limit(Resource::RLIMIT_CORE, 0)?;
    command(&args.command)
}

/// Lowers a limit; what is lower already stays.
fn limit(resource: Resource, value: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    setrlimit(resource, value.min(hard), hard)
}
