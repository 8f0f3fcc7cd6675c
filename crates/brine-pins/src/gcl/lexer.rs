//! Tokens of guarded-command models, and errors that say where.

use std::fmt;

/// A mistake in the text of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GclError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl GclError {
    pub(super) fn new(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &source[..offset.min(source.len())];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        GclError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for GclError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for GclError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum GclToken {
    Word(String),
    Number(i64),
    Symbol(&'static str),
}

/// A token and the byte at which it starts.
#[derive(Clone, Debug)]
pub(super) struct GclSpanned {
    pub(super) token: GclToken,
    pub(super) offset: usize,
}

/// Longer symbols come before their prefixes.
const SYMBOLS: [&str; 25] = [
    ":=", "->", "!=", "<=", ">=", ":", ";", ",", "(", ")", "[", "]", "{", "}", "=", "<", ">", "+",
    "-", "*", "/", "%", "!", "&", "|",
];

/// Splits a text into tokens; `//` starts a comment.
pub(super) fn tokens(source: &str) -> Result<Vec<GclSpanned>, GclError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let length_of = |test: fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        let (token, length) = if c.is_whitespace() {
            (None, c.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if c.is_ascii_digit() {
            let length = length_of(|c| c.is_ascii_digit());
            let number = rest[..length].parse().map_err(|_| {
                GclError::new(source, at, format!("{} is too large", &rest[..length]))
            })?;
            (Some(GclToken::Number(number)), length)
        } else if c.is_alphabetic() || c == '_' {
            let length = length_of(|c| c.is_alphanumeric() || c == '_');
            (Some(GclToken::Word(rest[..length].to_owned())), length)
        } else {
            let known = SYMBOLS.iter().find(|s| rest.starts_with(**s));
            let symbol = known
                .ok_or_else(|| GclError::new(source, at, format!("\"{c}\" has no meaning here")))?;
            (Some(GclToken::Symbol(symbol)), symbol.len())
        };
        tokens.extend(token.map(|token| GclSpanned { token, offset: at }));
        at += length;
    }
    Ok(tokens)
}
