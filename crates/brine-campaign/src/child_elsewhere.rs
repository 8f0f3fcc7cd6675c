//! Processes under limits, where Linux is not there to keep them: nothing is started.
//!
//! The same types as on Linux, so that plans, results and reports are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// This program.
pub const THIS_PROGRAM: &str = "brine";

/// A command and the limits under which it would run.
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
    /// Seconds of processor time.
    pub cpu_s: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Bytes of address space.
    pub address_space: Option<u64>,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Exited(ExitStatus),
    /// Its time was up.
    Timeout,
    /// It took too much memory.
    Memory,
    /// This process was interrupted.
    Interrupted,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Time on the clock.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Duration,
    /// The most memory that was seen, in mebibytes.
    pub peak_mem_mib: Option<f64>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said.
    pub stderr: Vec<u8>,
}

impl Finished {
    /// The exit code.
    pub fn exit(&self) -> Option<i32> {
        match self.end {
            End::Exited(status) => status.code(),
            _ => None,
        }
    }

    /// Why a process that printed no answer has none.
    pub fn reason(&self) -> &'static str {
        "error"
    }

    /// The first line of what it said.
    pub fn message(&self) -> Option<String> {
        None
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
        }
    }

    /// Adds arguments.
    pub fn args<A: Into<OsString>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Job {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Says that campaigns need Linux.
    pub fn run(&self, _interrupted: &AtomicBool) -> anyhow::Result<Finished> {
        anyhow::bail!(
            "brine bench runs on Linux only, which limits processes for it; run brine check by hand"
        )
    }
}
