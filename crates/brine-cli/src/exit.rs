//! Exit codes (docs/user-guide.md), and the last line of defence against panics and aborts.

use crate::limits::NoRoom;
use crate::output;
use brine_pnml::ReadError;
use brine_run::Stop;
use brine_source::SourceError;
use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything was done; every property holds.
    Done = 0,
    /// At least one property is violated.
    Violated = 1,
    /// A budget ran out.
    Unknown = 3,
    /// A bug in Brine.
    Internal = 4,
    /// A signal ended a campaign in good order; what shells say for Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// The one to report for both: an internal error before a violation before unknown.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let weight = |e: Exit| match e {
            Exit::Done => 0,
            Exit::Unknown => 1,
            Exit::Violated => 2,
            Exit::Interrupted => 3,
            Exit::Internal => 4,
        };
        if weight(other) > weight(self) { other } else { self }
    }
}

/// The code for bad usage, bad input, and output that cannot be written.
const BAD_INPUT: u8 = 2;
/// The code when the reader of our output has gone, as in `brine info ... | head`: what shells
/// say of a process that SIGPIPE ended. It is never 0, which would be a verdict.
const NO_READER: u8 = 141;

/// Gives aborts an exit code. The standard library aborts when the system refuses memory (a
/// limit of the address space, say): that is a budget that ran out, and never a verdict.
pub(crate) fn name_aborts() {
    let always = Arc::new(AtomicBool::new(true));
    // It can only fail if the system has no such signal; then the abort stays one.
    let _ = register_conditional_shutdown(SIGABRT, Exit::Unknown as i32, always);
}

/// Runs a command. An error is bad usage or bad input; a panic is an internal error.
pub(crate) fn guarded(command: impl FnOnce() -> anyhow::Result<Exit>) -> ExitCode {
    let and_said = || command().and_then(|exit| output::ensure().map(|()| exit));
    match catch_unwind(AssertUnwindSafe(and_said)) {
        Ok(Ok(exit)) => ExitCode::from(exit as u8),
        Ok(Err(error)) => ExitCode::from(tell(&error)),
        Err(_) => {
            eprintln!("internal error: please report this with the command line and the model");
            ExitCode::from(Exit::Internal as u8)
        }
    }
}

/// Says what went wrong; the exit code.
fn tell(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return NO_READER;
    }
    eprintln!("error: {error:#}");
    if ran_out(error) { Exit::Unknown as u8 } else { BAD_INPUT }
}

/// The exit code of a process that ends here and now, if all of its output was written.
pub(crate) fn code_after_output(exit: Exit) -> i32 {
    i32::from(output::ensure().map_or_else(|error| tell(&error), |()| exit as u8))
}

/// Whether a limit ran out before anything was searched.
fn ran_out(error: &anyhow::Error) -> bool {
    is_too_large(error) || error.is::<NoRoom>() || stop_of(error).is_some()
}

/// The budget that ended what was to be done, if it was one.
pub(crate) fn stop_of(error: &anyhow::Error) -> Option<Stop> {
    match error.downcast_ref() {
        Some(ReadError::Stopped { stop, .. }) => Some(*stop),
        _ => error.downcast_ref().copied(),
    }
}

/// A coloured net that is too large to unfold, or a file that expands to too much, is no bad
/// input: a limit ran out.
pub(crate) fn is_too_large(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ReadError::TooLarge { .. }))
        || matches!(error.downcast_ref(), Some(SourceError::TooLarge { .. }))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
