//! What can go wrong while a net is read.

use std::fmt;
use std::io;

use crate::xml::{Position, XmlError};
use brine_coloured::UnfoldError;
use brine_run::Stop;

/// Why a net could not be read. Displays as one line: `FILE:LINE:COLUMN: message`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The file cannot be opened.
    Io {
        /// The file.
        file: String,
        /// What is wrong with it.
        message: String,
    },
    /// The file is not a well-formed PNML document with a valid net.
    Invalid {
        /// The file.
        file: String,
        /// Where it is wrong.
        at: Position,
        /// What is wrong and what was expected.
        message: String,
    },
    /// The coloured net unfolds to more than the limits allow.
    TooLarge {
        /// The file.
        file: String,
        /// Which limit, and where it was met.
        message: String,
    },
    /// A budget ended before the net was there.
    Stopped {
        /// The file.
        file: String,
        /// Which budget.
        stop: Stop,
    },
}

impl ReadError {
    pub(super) fn open(file: &str, error: &io::Error) -> Self {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "no such file, expected a PNML file".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => format!("cannot be opened: {error}"),
        };
        ReadError::Io { file: file.to_owned(), message }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io { file, message } | ReadError::TooLarge { file, message } => {
                write!(f, "{file}: {message}")
            }
            ReadError::Stopped { file, stop } => write!(f, "{file}: {stop}"),
            ReadError::Invalid { file, at, message } => write!(f, "{file}:{at}: {message}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// An error before the file's name is attached.
#[derive(Debug)]
pub(super) enum ReadFailure {
    Invalid(XmlError),
    TooLarge(String),
    Stopped(Stop),
}

impl ReadFailure {
    pub(super) fn in_file(self, file: &str) -> ReadError {
        let file = file.to_owned();
        match self {
            ReadFailure::Invalid(XmlError { at, message }) => {
                ReadError::Invalid { file, at, message: one_line(&message) }
            }
            ReadFailure::Stopped(stop) => ReadError::Stopped { file, stop },
            ReadFailure::TooLarge(message) => {
                ReadError::TooLarge { file, message: one_line(&message) }
            }
        }
    }
}

/// Messages quote the file, so line breaks are taken out and endless names cut short.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push_str("...");
    }
    line
}

impl From<XmlError> for ReadFailure {
    fn from(error: XmlError) -> Self {
        ReadFailure::Invalid(error)
    }
}

impl From<UnfoldError> for ReadFailure {
    fn from(error: UnfoldError) -> Self {
        match error {
            UnfoldError::Stopped(stop) => ReadFailure::Stopped(stop),
            UnfoldError::TooLarge(message) => ReadFailure::TooLarge(message),
            UnfoldError::Invalid { at, message } => {
                ReadFailure::Invalid(XmlError::new(at, message))
            }
        }
    }
}
