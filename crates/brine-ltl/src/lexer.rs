//! Words of the text syntax: a nom tokeniser that knows where each token stands.
//!
//! Several spellings of an operator, from Spot, TAPAAL, LTSmin, nuXmv and textbooks, become
//! one token. A character that no operator has becomes [`Token::Other`], so that the parser
//! can tell whether it belongs to a name that should be in quotes.

use crate::atom::Comparison;
use crate::error::ParseError;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, digit1, multispace0, none_of};
use nom::combinator::{map, recognize, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// One word of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    Comma,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Xor,
    Plus,
    Minus,
    Times,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    Colon,
    /// X, F and G as signs.
    Next,
    Finally,
    Globally,
    /// `<>`: "not equal" between numbers, "finally" before a formula.
    Angle,
    Compare(Comparison),
    /// Digits, as written.
    Number(String),
    /// An identifier or a word operator.
    Word(String),
    /// A name in quotes.
    Quoted(String),
    /// A character that means nothing here.
    Other(char),
}

/// A token, the byte where it starts and the byte after it.
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) offset: usize,
    pub(crate) end: usize,
}

fn symbol(input: &str) -> IResult<&str, Token> {
    let logic = alt((
        value(Token::Iff, alt((tag("<->"), tag("<=>"), tag("<-->"), one_of("↔⇔⟺")))),
        value(Token::Implies, alt((tag("->"), tag("=>"), tag("-->"), one_of("→⇒⟹")))),
        value(Token::And, alt((tag("&&"), tag("&"), tag("/\\"), one_of("∧")))),
        value(Token::Or, alt((tag("||"), tag("|"), tag("\\/"), one_of("∨")))),
        value(Token::Xor, alt((tag("^"), one_of("⊕")))),
    ));
    let temporal = alt((
        value(Token::Globally, alt((tag("[]"), one_of("□⬜◻")))),
        value(Token::Finally, one_of("◇⋄♢")),
        value(Token::Next, one_of("○◯")),
        value(Token::Angle, tag("<>")),
    ));
    let compare = alt((
        value(Token::Compare(Comparison::Le), alt((tag("<="), tag("≤")))),
        value(Token::Compare(Comparison::Ge), alt((tag(">="), tag("≥")))),
        value(Token::Compare(Comparison::Ne), alt((tag("!="), tag("≠")))),
        value(Token::Compare(Comparison::Eq), alt((tag("=="), tag("=")))),
        value(Token::Compare(Comparison::Lt), tag("<")),
        value(Token::Compare(Comparison::Gt), tag(">")),
    ));
    let rest = alt((
        value(Token::Not, alt((tag("!"), tag("~"), tag("¬")))),
        value(Token::OpenBracket, tag("[")),
        value(Token::CloseBracket, tag("]")),
        value(Token::Colon, tag(":")),
        value(Token::Open, tag("(")),
        value(Token::Close, tag(")")),
        value(Token::Comma, tag(",")),
        value(Token::Plus, tag("+")),
        value(Token::Minus, tag("-")),
        value(Token::Times, tag("*")),
    ));
    alt((logic, temporal, compare, rest)).parse(input)
}

/// One of these characters.
fn one_of<'a>(
    characters: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    recognize(nom::character::complete::one_of(characters))
}

/// A name in double quotes; `\"` and `\\` stand for themselves.
fn quoted(input: &str) -> IResult<&str, String> {
    let escaped = preceded(char('\\'), alt((char('"'), char('\\'))));
    let content = fold_many0(alt((none_of("\"\\"), escaped)), String::new, |mut s, c| {
        s.push(c);
        s
    });
    delimited(char('"'), content, char('"')).parse(input)
}

/// May this character be part of a name without quotes?
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

fn token(input: &str) -> IResult<&str, Token> {
    alt((
        symbol,
        map(quoted, Token::Quoted),
        map(
            nom::sequence::terminated(
                digit1,
                nom::combinator::not(nom::character::complete::satisfy(is_word_char)),
            ),
            |s: &str| Token::Number(s.to_owned()),
        ),
        map(take_while1(is_word_char), |s: &str| Token::Word(s.to_owned())),
    ))
    .parse(input)
}

/// Splits a formula into tokens.
pub(crate) fn tokens(source: &str) -> Result<Vec<Spanned>, ParseError> {
    let mut all = Vec::new();
    let mut rest = source;
    loop {
        rest = multispace0::<&str, nom::error::Error<&str>>(rest).map_or(rest, |(r, _)| r);
        let offset = source.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(all);
        };
        match token(rest) {
            Ok((next, token)) => {
                all.push(Spanned { token, offset, end: source.len() - next.len() });
                rest = next;
            }
            Err(_) if first == '"' => {
                return Err(ParseError::new(source, offset, "this quote is never closed"));
            }
            Err(_) => {
                let end = offset + first.len_utf8();
                all.push(Spanned { token: Token::Other(first), offset, end });
                rest = &source[end..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_match() {
        let words =
            |s: &str| -> Vec<Token> { tokens(s).unwrap().into_iter().map(|s| s.token).collect() };
        assert_eq!(words("<->"), [Token::Iff]);
        assert_eq!(words("<=>"), [Token::Iff]);
        assert_eq!(
            words("<--> --> - ->"),
            [Token::Iff, Token::Implies, Token::Minus, Token::Implies]
        );
        assert_eq!(words("[] [ ]"), [Token::Globally, Token::OpenBracket, Token::CloseBracket]);
        assert_eq!(words("a?b")[1], Token::Other('?'));
        assert_eq!(
            words("!= ! ="),
            [Token::Compare(Comparison::Ne), Token::Not, Token::Compare(Comparison::Eq)]
        );
        assert_eq!(
            words("12 1a \"x \\\"y\""),
            [Token::Number("12".into()), Token::Word("1a".into()), Token::Quoted("x \"y".into())]
        );
    }

    #[test]
    fn errors_have_a_place() {
        assert!(tokens("a & \"b").err().unwrap().message.contains("never closed"));
    }
}
