//! Errors of reading and translating formulas.

use std::fmt;

/// A mistake in a formula or a file, with the place where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// What is wrong and what to do.
    pub message: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The line itself, or the part of it around the mistake.
    pub excerpt: String,
    /// How many characters of the excerpt come before the mistake.
    pub caret: usize,
}

/// Longest part of a line that is shown on each side of the mistake.
const EXCERPT: usize = 50;

impl ParseError {
    /// The error `message` at byte `offset` of `source`.
    pub fn new(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let mut offset = offset.min(source.len());
        while !source.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = source[..offset].rfind('\n').map_or(0, |i| i + 1);
        let end = source[offset..].find('\n').map_or(source.len(), |i| offset + i);
        let before: Vec<char> = source[start..offset].chars().collect();
        let shown: String = before[before.len().saturating_sub(EXCERPT)..].iter().collect();
        let after: String = source[offset..end].chars().take(EXCERPT).collect();
        ParseError {
            message: message.into(),
            line: source[..start].matches('\n').count() + 1,
            column: before.len() + 1,
            caret: shown.chars().count(),
            excerpt: (shown + &after).replace(['\t', '\r'], " "),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?;
        if !self.excerpt.is_empty() {
            write!(f, "\n  {}\n  {:caret$}^", self.excerpt, "", caret = self.caret)?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

/// Why a formula was not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The formula or automaton is larger than a fixed limit.
    Unsupported(String),
    /// The caller's hook asked to stop.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(what) => write!(f, "unsupported: {what}"),
            Error::Cancelled => write!(f, "stopped before the automaton was complete"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_under_the_spot() {
        let e = ParseError::new("a &\n(b | ) c", 9, "an operand is missing");
        assert_eq!((e.line, e.column), (2, 6));
        assert_eq!(e.to_string(), "line 2, column 6: an operand is missing\n  (b | ) c\n       ^");
    }

    #[test]
    fn long_lines_are_cut() {
        let source = "é".repeat(100_000);
        let e = ParseError::new(&source, 100_001, "x");
        assert_eq!(e.column, 50_001);
        assert!(e.to_string().len() < 400);
    }
}
