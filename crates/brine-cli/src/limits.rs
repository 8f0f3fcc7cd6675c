//! `--timeout` and `--memory`, the same for all commands, and what the process used.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use std::num::NonZeroUsize;
use std::time::Duration;

/// Budgets from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up before using more than this many mebibytes [default: three quarters of what is free]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory: Option<u64>,
}

/// `--threads` from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ThreadArgs {
    /// Run at most N searches at the same time; verdicts do not depend on it [default: as many as
    /// there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// How much to do at a time.
    pub(crate) fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }
}

impl LimitArgs {
    /// The memory budget in bytes: what was asked for, or three quarters of what is free, and
    /// never more than the kernel's limit of the address space allows.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        let wanted = self.memory.map(|mib| mib << 20).or_else(usable_memory);
        [wanted, address_space_left()].into_iter().flatten().min()
    }
}

/// The bytes that a process may use unasked: three quarters of what is free.
pub(crate) fn usable_memory() -> Option<u64> {
    Some(status("/proc/meminfo", "MemAvailable")? / 4 * 3)
}

/// Mebibytes of address space that threads, their stacks and their heaps reserve.
pub(crate) const ROOM: u64 = 128;
/// The same where formulas are translated: oxidd reserves a stack of a gibibyte.
pub(crate) const ROOM_TO_TRANSLATE: u64 = 1_280;

/// The kernel allows too little address space.
#[derive(Debug, thiserror::Error)]
#[error("the limit of the address space leaves {left} MiB, expected {needed} (see ulimit -v)")]
pub(crate) struct NoRoom {
    left: u64,
    needed: u64,
}

/// Refuses to begin what the system would not let us end: a thread that is refused later is
/// no longer a matter of budgets.
pub(crate) fn ensure_room(needed: u64) -> Result<(), NoRoom> {
    let left = address_space_left().map_or(u64::MAX, |usable| usable / 3 * 4) >> 20;
    if left < needed { Err(NoRoom { left, needed }) } else { Ok(()) }
}

/// Three quarters of the address space that this process may still take, if that is limited:
/// tables that grow are there twice for a moment.
fn address_space_left() -> Option<u64> {
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    let used = status("/proc/self/status", "VmSize")?;
    (limit != RLIM_INFINITY).then(|| limit.saturating_sub(used) / 4 * 3)
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| format!("\"{text}\" is not a number of seconds"))?;
    Duration::try_from_secs_f64(value).map_err(|_| format!("\"{text}\" is not a usable time"))
}

/// The largest memory of this process so far, in mebibytes.
pub(crate) fn peak_mem_mib() -> Option<f64> {
    status("/proc/self/status", "VmHWM").map(|bytes| bytes as f64 / (1 << 20) as f64)
}

/// A line "Key:   123 kB" of a status file, in bytes.
fn status(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|l| l.strip_prefix(key).is_some_and(|l| l.starts_with(':')))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}
