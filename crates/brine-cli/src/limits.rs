//! `--timeout` and `--memory`, the same for all commands, and what the process used.

use std::num::NonZeroUsize;
use std::time::Duration;

/// Budgets from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Give up after this many seconds, or with a unit: 90s, 10m, 1.5h
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up before using more than this many mebibytes, or with a unit: 512M, 2G [default: three
    /// quarters of what is free]
    #[arg(long, value_name = "MIB", value_parser = mebibytes)]
    pub memory: Option<u64>,
}

/// `--threads` from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
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

/// The bytes that a process may use unasked.
pub(crate) fn usable_memory() -> Option<u64> {
    brine_run::usable_bytes()
}

/// Mebibytes of address space that threads, their stacks and their heaps reserve.
pub(crate) const ROOM: u64 = 128;
/// The same where formulas are translated, beside the stacks that oxidd reserves: one for each of
/// the two managers that there are while labels move from a small one to a large one.
const ROOM_TO_TRANSLATE: u64 = 252;

/// The variable from which oxidd takes the size of such a stack, in bytes.
const STACK_SIZE: &str = "OXIDD_STACK_SIZE";
/// What it reserves without.
const STACK: u64 = 1 << 30;
/// What it needs at most: it descends over the 64 atoms of an automaton.
const SMALL_STACK: u64 = 4 << 20;

/// Makes sure that there is room to translate formulas. If there is none only because of the
/// stacks, which are merely reserved, this process begins anew and reserves less: a process
/// cannot safely change its own environment.
pub(crate) fn ensure_room_to_translate() -> Result<(), NoRoom> {
    let given = std::env::var(STACK_SIZE).ok().and_then(|bytes| bytes.parse::<u64>().ok());
    let room = |stack: u64| ensure_room(ROOM_TO_TRANSLATE + 2 * (stack >> 20));
    let enough = room(given.unwrap_or(STACK));
    if enough.is_err() && given.is_none() {
        room(SMALL_STACK)?;
        begin_anew();
    }
    enough
}

/// Becomes the same command with a small stack for oxidd; returns only if that fails.
#[cfg(unix)]
fn begin_anew() {
    use std::os::unix::process::CommandExt;
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = std::process::Command::new(program);
    // What is wrong is told by the one who asked for room.
    let _ =
        command.args(std::env::args_os().skip(1)).env(STACK_SIZE, SMALL_STACK.to_string()).exec();
}

#[cfg(not(unix))]
fn begin_anew() {}

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
#[cfg(unix)]
fn address_space_left() -> Option<u64> {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    let used = status("/proc/self/status", "VmSize")?;
    (limit != RLIM_INFINITY).then(|| limit.saturating_sub(used) / 4 * 3)
}

/// Other systems do not limit it.
#[cfg(not(unix))]
fn address_space_left() -> Option<u64> {
    None
}

/// Units of time, in seconds.
const TIMES: [(&str, f64); 5] =
    [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0)];

/// Units of memory, in mebibytes.
const SIZES: [(&str, f64); 8] = [
    ("KiB", 1.0 / 1024.0),
    ("K", 1.0 / 1024.0),
    ("MiB", 1.0),
    ("M", 1.0),
    ("GiB", 1024.0),
    ("G", 1024.0),
    ("TiB", 1048576.0),
    ("T", 1048576.0),
];

/// A number with one of these units behind it, or alone.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |i| i + 1);
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let factor = match unit {
        "" => 1.0,
        unit => units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1,
    };
    number.parse::<f64>().ok().map(|number| number * factor)
}

/// Reads a time: seconds, or a number with a unit.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let value = with_unit(text, &TIMES).ok_or_else(|| {
        format!("\"{text}\" is not a time: expected seconds, or a number with ms, s, m or h")
    })?;
    Duration::try_from_secs_f64(value).map_err(|_| format!("\"{text}\" is not a usable time"))
}

/// Reads an amount of memory in mebibytes: a whole number of them, or a number with a unit.
pub(crate) fn mebibytes(text: &str) -> Result<u64, String> {
    let most = 1_u64 << 40;
    // Large numbers of mebibytes are exact.
    let value = text.parse::<u64>().ok().or_else(|| {
        let plain = text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
        with_unit(text, &SIZES).filter(|_| !plain).map(|mib| mib as u64)
    });
    let value = value.ok_or_else(|| {
        format!(
            "\"{text}\" is not an amount of memory: expected mebibytes, or a number with K, M, G \
             or T (1G is 1024M)"
        )
    })?;
    match value {
        0 => Err(format!("\"{text}\" is less than one mebibyte")),
        value if value > most => Err(format!("\"{text}\" is more than {most} mebibytes")),
        value => Ok(value),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in [
            ("10", 10_000),
            ("0", 0),
            ("0.25", 250),
            (".5", 500),
            ("1e3", 1_000_000),
            ("90s", 90_000),
            ("10m", 600_000),
            ("10 min", 600_000),
            ("1h", 3_600_000),
            ("1.5h", 5_400_000),
            ("250ms", 250),
            ("2H", 7_200_000),
        ] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "soon", "10x", "m", "1d", "10 m s", "5 0", "1h30m", "inf", "nan", "-é"] {
            assert!(seconds(text).unwrap_err().contains("ms, s, m or h"), "{text}");
        }
        for text in ["-1", "-1s", "1e300h"] {
            assert!(seconds(text).unwrap_err().contains("not a usable time"), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, mib) in [
            ("512", 512),
            ("1", 1),
            ("512M", 512),
            ("512MiB", 512),
            ("2G", 2048),
            ("2g", 2048),
            ("1.5G", 1536),
            ("1T", 1 << 20),
            ("4096K", 4),
            ("1099511627776", 1 << 40),
        ] {
            assert_eq!(mebibytes(text), Ok(mib), "{text}");
        }
        for text in ["", "much", "2GB", "2X", "G", "1.5", "-1", "-1G1", "1e3", "2G5"] {
            assert!(mebibytes(text).unwrap_err().contains("K, M, G or T"), "{text}");
        }
        for text in ["0", "0G", "-1G", "1023K"] {
            assert!(mebibytes(text).unwrap_err().contains("less than one mebibyte"), "{text}");
        }
        for text in ["1099511627777", "1048577T"] {
            assert!(mebibytes(text).unwrap_err().contains("is more than"), "{text}");
        }
    }
}
