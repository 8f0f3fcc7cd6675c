//! Why a computation ended before its end.

use std::fmt;

/// Why a computation stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The deadline has passed.
    Timeout,
    /// The memory budget is used up.
    Memory,
    /// Somebody set the cancel flag.
    Cancelled,
    /// The counted work is used up. Unlike a deadline, this ends a computation at the same point
    /// on every machine.
    Work,
    /// A value passed `u32`: the system is unbounded, or as good as.
    Overflow,
    /// A place holds so many tokens that the net is probably unbounded (only where a search
    /// asks for it).
    Runaway,
}

impl Stop {
    /// The word that users read: in JSON, and in brackets after "unknown".
    pub fn word(self) -> &'static str {
        match self {
            // The work that a user can set is none: it stands for time.
            Stop::Timeout | Stop::Work => "timeout",
            Stop::Memory | Stop::Runaway => "memory",
            Stop::Cancelled => "cancelled",
            Stop::Overflow => "overflow",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Timeout => "out of time budget",
            Stop::Memory => "out of memory budget",
            Stop::Cancelled => "cancelled",
            Stop::Work => "out of work budget",
            Stop::Overflow => "a value passed 4294967295",
            Stop::Runaway => "a place seems to grow without bound",
        })
    }
}

impl std::error::Error for Stop {}
