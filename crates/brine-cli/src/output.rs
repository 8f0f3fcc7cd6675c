//! Standard output and standard error that may fail.
//!
//! The macros of the standard library panic when a write fails, so a full disk or a reader
//! that has gone would end as an internal error. In this crate `print!`, `println!` and
//! `eprintln!` are the ones below. The first failure of standard output is kept and what
//! comes after it is dropped; [`ensure`] hands it on, so that no exit code claims that
//! everything was said. It is asked at the end, and between properties, so that nothing is
//! searched for when nobody listens.

use anyhow::Context;
use std::fmt::Arguments;
use std::io::{Error, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};

/// The first failure of standard output.
static FAILURE: Mutex<Option<Error>> = Mutex::new(None);

macro_rules! print {
    ($($words:tt)*) => { $crate::output::write(format_args!($($words)*)) };
}

macro_rules! println {
    ($($words:tt)*) => { print!("{}\n", format_args!($($words)*)) };
}

macro_rules! eprintln {
    ($($words:tt)*) => { $crate::output::tell(format_args!($($words)*)) };
}

/// Writes to standard output, unless that has failed before.
pub(crate) fn write(text: Arguments<'_>) {
    let mut failure = FAILURE.lock().unwrap_or_else(PoisonError::into_inner);
    if failure.is_none() {
        *failure = stdout().write_fmt(text).err();
    }
}

/// Writes a line to standard error. If that fails, there is nobody to tell.
pub(crate) fn tell(line: Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}

/// Hands on the failure of standard output, if there was one.
pub(crate) fn ensure() -> anyhow::Result<()> {
    let failure = FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let result = failure.map_or_else(|| stdout().flush(), Err);
    result.context("cannot write to standard output")
}
