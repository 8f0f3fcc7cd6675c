//! Mistakes in the text of a model, with their place.

use std::fmt;

/// A mistake in the text of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DveError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl DveError {
    /// A mistake at a byte of the text.
    pub(crate) fn new(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let mut end = offset.min(source.len());
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        let before = &source[..end];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        DveError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for DveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for DveError {}
