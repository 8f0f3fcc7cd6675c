//! Exit codes (CLI.md), and the last line of defence against panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything was done; every property holds.
    Done = 0,
    /// A budget ran out.
    Unknown = 3,
}

/// The code for bad usage and bad input.
const BAD_INPUT: u8 = 2;
/// The code for a bug in Brine.
const INTERNAL: u8 = 4;

/// Runs a command. An error is bad usage or bad input; a panic is an internal error.
pub(crate) fn guarded(command: impl FnOnce() -> anyhow::Result<Exit>) -> ExitCode {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(Ok(exit)) => ExitCode::from(exit as u8),
        Ok(Err(error)) => {
            eprintln!("error: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
        Err(_) => {
            eprintln!("internal error: please report this with the command line and the model");
            ExitCode::from(INTERNAL)
        }
    }
}
