//! One error for everything, with the place where it is.

use brine_check::{BadOption, DecideError, SetupError, UnknownOption};
use brine_net::NetError;
use brine_pnml::ReadError;
use brine_run::Stop;
use brine_source::SourceError;
use std::fmt;

/// What kind of error this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A model, a formula or a file is wrong, or cannot be read.
    Input,
    /// Options do not fit each other, the model or the question.
    Options,
    /// A budget ran out before there was anything to ask, or the caller called it off.
    Stopped,
    /// A defect in Brine; please report it.
    Internal,
}

/// What went wrong. Displays as one message, with file, line and column where they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Error {
    /// What kind of error.
    pub kind: ErrorKind,
    /// The whole message.
    pub message: String,
    /// The file, if it is about one.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), file: None, line: None, column: None }
    }

    pub(crate) fn options(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Options, message)
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Input, message)
    }

    /// A mistake at a place in a text that messages call `file`.
    pub(crate) fn at(file: &str, line: usize, column: usize, message: &str) -> Self {
        Error {
            file: Some(file.to_owned()),
            line: Some(line),
            column: Some(column),
            ..Error::input(format!("{file}:{line}:{column}: {message}"))
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<brine_ltl::ParseError> for Error {
    fn from(error: brine_ltl::ParseError) -> Self {
        let (line, column) = (Some(error.line), Some(error.column));
        Error { line, column, ..Error::input(error.to_string()) }
    }
}

impl From<brine_ltl::Error> for Error {
    fn from(error: brine_ltl::Error) -> Self {
        Error::new(ErrorKind::Stopped, error.to_string())
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Io { file, .. } => Error { file: Some(file), ..Error::input(message) },
            ReadError::Invalid { file, at, .. } => Error {
                file: Some(file),
                line: usize::try_from(at.line).ok(),
                column: usize::try_from(at.column).ok(),
                ..Error::input(message)
            },
            ReadError::TooLarge { file, .. } | ReadError::Stopped { file, .. } => {
                Error { file: Some(file), ..Error::new(ErrorKind::Stopped, message) }
            }
        }
    }
}

impl From<SourceError> for Error {
    fn from(error: SourceError) -> Self {
        let message = error.to_string();
        match error {
            SourceError::Unusable { file, .. } => {
                Error { file: Some(file), ..Error::input(message) }
            }
            SourceError::TooLarge { file, .. } => {
                Error { file: Some(file), ..Error::new(ErrorKind::Stopped, message) }
            }
        }
    }
}

impl From<NetError> for Error {
    fn from(error: NetError) -> Self {
        match error {
            NetError::Stopped(stop) => stop.into(),
            other => Error::input(other.to_string()),
        }
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        Error::new(ErrorKind::Stopped, stop.to_string())
    }
}

impl From<BadOption> for Error {
    fn from(error: BadOption) -> Self {
        Error::options(error.0)
    }
}

impl From<UnknownOption> for Error {
    fn from(error: UnknownOption) -> Self {
        Error::options(error.to_string())
    }
}

impl From<SetupError> for Error {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::BadOption(option) => option.into(),
            SetupError::Stop(stop) => stop.into(),
        }
    }
}

impl From<DecideError> for Error {
    fn from(error: DecideError) -> Self {
        let kind = match &error {
            DecideError::BadOption(_) => ErrorKind::Options,
            DecideError::Model(_) => ErrorKind::Input,
            _ => ErrorKind::Internal,
        };
        Error::new(kind, error.to_string())
    }
}
