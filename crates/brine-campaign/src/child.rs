//! A command in a process of its own, under limits, watched and measured until it ends.
//!
//! The watch kills the process group when its time is up or when the process takes too much
//! memory. Behind that stand the kernel's limits of processor time and address space, which
//! [`crate::limited`] sets: the program of this process must have that as its hidden command
//! `limited`. What was started dies with this process, even if that is killed.
//!
//! A program that starts others gets a control group of the kernel where that can be had, which
//! limits, counts and ends all of them (`control_group.rs`). Else its process group is watched:
//!
//! Processor time is that of the process and of everything that it has waited for, as the
//! kernel counts it when the process is reaped. Memory is what was seen by looking every 20 ms
//! at most: the kernel's own figure would include that of this process, from which it was
//! forked.
//!
//! All of that is Linux's (`linux.rs`); elsewhere nothing is started, and the error says why.

#[cfg(target_os = "linux")]
mod control_group;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub use control_group::why_not as why_no_control_groups;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// This program, even after its file was replaced by another build.
pub const THIS_PROGRAM: &str = "/proc/self/exe";

/// The numbers of signals, which are the same on all systems that have them.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

/// The signal that ended a process, if one did.
#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// A command and the limits under which it runs; what is `None` is not limited.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables of its environment beside those of this process.
    pub env: Vec<(String, String)>,
    /// Where it runs; by default where this process does.
    pub folder: Option<PathBuf>,
    /// On the clock: when it is killed.
    pub time: Option<Duration>,
    /// Seconds of processor time after which the kernel ends it.
    pub cpu_s: Option<u64>,
    /// Bytes of memory at which it is killed.
    pub memory: Option<u64>,
    /// Bytes of address space that the kernel gives it.
    pub address_space: Option<u64>,
    /// Whether it starts others, which count: memory and processor time are then those of all of
    /// its group.
    pub whole_group: bool,
    /// Whether the kernel is to limit and count its group, where it can
    /// ([`why_no_control_groups`]).
    pub control_group: bool,
    /// The cores on which it may run; all if there are none.
    pub cores: Vec<usize>,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChildEnd {
    /// By itself, or by a signal that was not ours.
    Exited(ExitStatus),
    /// Killed because its time was up.
    Timeout,
    /// Killed because it took too much memory.
    Memory,
    /// Killed because this process was interrupted.
    Interrupted,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub end: ChildEnd,
    /// Time on the clock.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Duration,
    /// The most memory that was seen, in mebibytes, if it lived long enough for that.
    pub peak_mem_mib: Option<f64>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said.
    pub stderr: Vec<u8>,
}

impl Finished {
    /// The exit code; a signal's number, negated, if one ended the process.
    pub fn exit(&self) -> Option<i32> {
        match self.end {
            ChildEnd::Exited(status) => status.code().or(signal_of(status).map(|s| -s)),
            ChildEnd::Timeout | ChildEnd::Memory => Some(-SIGKILL),
            ChildEnd::Interrupted => None,
        }
    }

    /// Why a process that printed no answer has none.
    pub fn reason(&self) -> &'static str {
        match self.end {
            ChildEnd::Timeout => "timeout",
            ChildEnd::Memory => "memory",
            ChildEnd::Interrupted => "interrupted",
            ChildEnd::Exited(status) => match (status.code(), signal_of(status)) {
                (Some(2), _) => "error",
                // An allocation hit the limit of the address space.
                (Some(3), _) => "memory",
                (_, Some(SIGXCPU)) => "timeout",
                _ => "crash",
            },
        }
    }

    /// The first line of what it said.
    pub fn message(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.stderr);
        text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    }
}

impl Job {
    /// A command without limits.
    pub fn new(program: impl Into<PathBuf>) -> Job {
        Job {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            folder: None,
            time: None,
            cpu_s: None,
            memory: None,
            address_space: None,
            whole_group: false,
            control_group: false,
            cores: Vec::new(),
        }
    }

    /// Adds arguments.
    pub fn args<A: Into<OsString>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Job {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }
}

/// Why runs of other programs get no control groups, if they do not.
#[cfg(not(target_os = "linux"))]
pub fn why_no_control_groups() -> Option<&'static str> {
    Some("this is not Linux")
}

#[cfg(not(target_os = "linux"))]
impl Job {
    /// Says that campaigns need Linux.
    pub fn run(&self, _: &std::sync::atomic::AtomicBool) -> anyhow::Result<Finished> {
        anyhow::bail!(
            "processes are limited by means of Linux, which this is not: use brine check by itself"
        )
    }
}
