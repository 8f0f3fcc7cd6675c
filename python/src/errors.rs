//! Errors of the library as exceptions of `brine._errors`, with their place.

use pyo3::prelude::*;

/// The exception for an error.
pub(crate) fn raise(py: Python<'_>, error: brine::Error) -> PyErr {
    let class = match error.kind {
        brine::ErrorKind::Input => "InputError",
        brine::ErrorKind::Options => "OptionsError",
        brine::ErrorKind::Stopped => "StoppedError",
        _ => "InternalError",
    };
    let make = || {
        let class = py.import("brine._errors")?.getattr(class)?;
        class.call1((error.message, error.file, error.line, error.column))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}
