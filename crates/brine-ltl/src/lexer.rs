//! Words of the text syntax: a nom tokeniser that knows where each token stands.
//!
//! Several spellings of an operator, from Spot, TAPAAL, LTSmin, nuXmv and textbooks, become
//! one token. A character that no operator has becomes [`FormulaToken::Other`], so that the parser
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
pub(crate) enum FormulaToken {
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
    /// A path quantifier: `E`, or `A` (false). The parser makes them out of words.
    Path(bool),
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
    pub(crate) token: FormulaToken,
    pub(crate) offset: usize,
    pub(crate) end: usize,
}

fn symbol(input: &str) -> IResult<&str, FormulaToken> {
    let logic = alt((
        value(FormulaToken::Iff, alt((tag("<->"), tag("<=>"), tag("<-->"), one_of("↔⇔⟺")))),
        value(FormulaToken::Implies, alt((tag("->"), tag("=>"), tag("-->"), one_of("→⇒⟹")))),
        value(FormulaToken::And, alt((tag("&&"), tag("&"), tag("/\\"), one_of("∧")))),
        value(FormulaToken::Or, alt((tag("||"), tag("|"), tag("\\/"), one_of("∨")))),
        value(FormulaToken::Xor, alt((tag("^"), one_of("⊕")))),
    ));
    let temporal = alt((
        value(FormulaToken::Globally, alt((tag("[]"), one_of("□⬜◻")))),
        value(FormulaToken::Finally, one_of("◇⋄♢")),
        value(FormulaToken::Next, one_of("○◯")),
        value(FormulaToken::Angle, tag("<>")),
    ));
    let compare = alt((
        value(FormulaToken::Compare(Comparison::Le), alt((tag("<="), tag("≤")))),
        value(FormulaToken::Compare(Comparison::Ge), alt((tag(">="), tag("≥")))),
        value(FormulaToken::Compare(Comparison::Ne), alt((tag("!="), tag("≠")))),
        value(FormulaToken::Compare(Comparison::Eq), alt((tag("=="), tag("=")))),
        value(FormulaToken::Compare(Comparison::Lt), tag("<")),
        value(FormulaToken::Compare(Comparison::Gt), tag(">")),
    ));
    let rest = alt((
        value(FormulaToken::Not, alt((tag("!"), tag("~"), tag("¬")))),
        value(FormulaToken::OpenBracket, tag("[")),
        value(FormulaToken::CloseBracket, tag("]")),
        value(FormulaToken::Colon, tag(":")),
        value(FormulaToken::Open, tag("(")),
        value(FormulaToken::Close, tag(")")),
        value(FormulaToken::Comma, tag(",")),
        value(FormulaToken::Plus, tag("+")),
        value(FormulaToken::Minus, tag("-")),
        value(FormulaToken::Times, tag("*")),
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

fn token(input: &str) -> IResult<&str, FormulaToken> {
    alt((
        symbol,
        map(quoted, FormulaToken::Quoted),
        map(
            nom::sequence::terminated(
                digit1,
                nom::combinator::not(nom::character::complete::satisfy(is_word_char)),
            ),
            |s: &str| FormulaToken::Number(s.to_owned()),
        ),
        map(take_while1(is_word_char), |s: &str| FormulaToken::Word(s.to_owned())),
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
                all.push(Spanned { token: FormulaToken::Other(first), offset, end });
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
        let words = |s: &str| -> Vec<FormulaToken> {
            tokens(s).unwrap().into_iter().map(|s| s.token).collect()
        };
        assert_eq!(words("<->"), [FormulaToken::Iff]);
        assert_eq!(words("<=>"), [FormulaToken::Iff]);
        assert_eq!(
            words("<--> --> - ->"),
            [FormulaToken::Iff, FormulaToken::Implies, FormulaToken::Minus, FormulaToken::Implies]
        );
        assert_eq!(
            words("[] [ ]"),
            [FormulaToken::Globally, FormulaToken::OpenBracket, FormulaToken::CloseBracket]
        );
        assert_eq!(words("a?b")[1], FormulaToken::Other('?'));
        assert_eq!(
            words("!= ! ="),
            [
                FormulaToken::Compare(Comparison::Ne),
                FormulaToken::Not,
                FormulaToken::Compare(Comparison::Eq)
            ]
        );
        assert_eq!(
            words("12 1a \"x \\\"y\""),
            [
                FormulaToken::Number("12".into()),
                FormulaToken::Word("1a".into()),
                FormulaToken::Quoted("x \"y".into())
            ]
        );
    }

    #[test]
    fn errors_have_a_place() {
        assert!(tokens("a & \"b").err().unwrap().message.contains("never closed"));
    }
}
