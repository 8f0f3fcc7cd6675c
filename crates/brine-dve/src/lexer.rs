//! Words of the language: a nom tokeniser that knows where each token stands.
//!
//! Comments are `//` to the end of the line and `/* */`; a backslash at the end of a line is
//! space. Words are ASCII letters, digits, `_`, `$` and `#`, and do not begin with a digit.

use crate::error::DveError;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while};
use nom::character::complete::{char, digit1, multispace1, not_line_ending, satisfy};
use nom::combinator::{map, recognize, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, pair};
use nom::{IResult, Parser};

/// One word of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveToken<'a> {
    Word(&'a str),
    /// Digits, as written.
    Digits(&'a str),
    Symbol(&'static str),
}

/// A token and the byte at which it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DveSpanned<'a> {
    pub(crate) token: DveToken<'a>,
    pub(crate) offset: usize,
}

/// Longer symbols come before their prefixes.
const SYMBOLS: [&str; 34] = [
    "<<", ">>", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", ".", ",", ";", ":", "{", "}", "[",
    "]", "(", ")", "?", "!", "~", "=", "+", "-", "*", "/", "%", "|", "&", "^", "<", ">",
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#')
}

/// Space and comments.
fn blank(input: &str) -> IResult<&str, ()> {
    let line = value((), pair(tag("//"), not_line_ending));
    let block = value((), delimited(tag("/*"), take_until("*/"), tag("*/")));
    let continued = value((), pair(char('\\'), take_while(|c| c == ' ' || c == '\t')));
    fold_many0(alt((value((), multispace1), line, block, continued)), || (), |(), ()| ())
        .parse(input)
}

fn symbol(input: &str) -> IResult<&str, DveToken<'_>> {
    match SYMBOLS.iter().find(|s| input.starts_with(**s)) {
        Some(symbol) => Ok((&input[symbol.len()..], DveToken::Symbol(symbol))),
        None => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag))),
    }
}

fn token(input: &str) -> IResult<&str, DveToken<'_>> {
    let first = satisfy(|c| c.is_ascii_alphabetic() || c == '_');
    let word = recognize(pair(first, take_while(is_word)));
    let digits = recognize(pair(digit1, take_while(is_word)));
    alt((map(word, DveToken::Word), map(digits, DveToken::Digits), symbol)).parse(input)
}

/// Splits a text into tokens.
pub(crate) fn tokens(source: &str) -> Result<Vec<DveSpanned<'_>>, DveError> {
    let mut tokens = Vec::new();
    let mut rest = source;
    loop {
        let skipped: IResult<&str, ()> = blank(rest);
        rest = skipped.map_or(rest, |(rest, ())| rest);
        let offset = source.len() - rest.len();
        let Some(c) = rest.chars().next() else { return Ok(tokens) };
        // Comments that end were skipped.
        if rest.starts_with("/*") {
            return Err(DveError::new(
                source,
                offset,
                "this comment has no end: \"*/\" is missing",
            ));
        }
        match token(rest) {
            Ok((after, token)) => {
                tokens.push(DveSpanned { token, offset });
                rest = after;
            }
            Err(_) => {
                return Err(DveError::new(source, offset, format!("{c:?} has no meaning here")));
            }
        }
    }
}

/// A number that fits the language's arithmetic.
pub(crate) fn number(digits: &str) -> Result<i32, String> {
    if let Some(c) = digits.chars().find(|c| !c.is_ascii_digit()) {
        return Err(format!("{digits} is no number: it contains {c:?}"));
    }
    digits.parse().map_err(|_| format!("{digits} is too large: numbers go up to {}", i32::MAX))
}
