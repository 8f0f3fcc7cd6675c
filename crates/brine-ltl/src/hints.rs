//! Messages for formulas that are written as another tool wants them.
//!
//! - *Names that need quotes.* If the text of a formula has, without a space in it, the name
//!   of a place that is no plain word (`P-CS_21`, `think[2]`), this is an error, even where
//!   the text also has a meaning without quotes (P minus CS_21): it is never guessed which of
//!   the two Brine took. Inside of `fireable( )` and `fires( )` the same holds for
//!   transitions. Names with spaces are looked for only around other mistakes.
//! - *CTL* and operators about the *past*: what to write instead.
//!
//! Cost: each token is looked up together with at most [`LONGEST`] that follow it, in a table
//! of hashes that is made once for each net.

use crate::error::ParseError;
use crate::lexer::{FormulaToken, Spanned};
use crate::symbols::{NameKind, Symbols};

/// Most tokens of a name without quotes.
const LONGEST: usize = 32;

/// An error if a name that needs quotes stands without them.
pub(crate) fn refuse_bare_names(
    source: &str,
    tokens: &[Spanned],
    symbols: &Symbols,
) -> Result<(), ParseError> {
    let mut inside = 0_usize;
    for i in 0..tokens.len() {
        // Parentheses of `fireable(...)` and `fires(...)`, counted from its own.
        match &tokens[i].token {
            FormulaToken::Open
                if inside > 0 || (i > 0 && takes_transitions(&tokens[i - 1].token)) =>
            {
                inside += 1
            }
            FormulaToken::Close => inside = inside.saturating_sub(1),
            _ => (),
        }
        let kind = if inside > 0 { NameKind::Transition } else { NameKind::Place };
        for start in starts(&tokens[i]) {
            if let Some(name) = glued_name(source, &tokens[i..], start, kind, symbols) {
                let kind = kind.word();
                let message = format!(
                    "there is a {kind} called \"{name}\": put it in double quotes (or, if that \
                     is not meant, put spaces between its parts)"
                );
                return Err(ParseError::new(source, start, message));
            }
        }
    }
    Ok(())
}

fn takes_transitions(token: &FormulaToken) -> bool {
    let FormulaToken::Word(word) = token else { return false };
    matches!(word.trim_start_matches(['X', 'F', 'G']), "fireable" | "fires")
}

/// Where a name may start in a token: operators may be glued to it.
fn starts(token: &Spanned) -> impl Iterator<Item = usize> {
    let glued = match &token.token {
        FormulaToken::Word(w) => w.chars().take_while(|c| matches!(c, 'X' | 'F' | 'G')).count(),
        _ => 0,
    };
    (0..=glued.min(LONGEST)).map(|k| token.offset + k)
}

/// The longest name of this kind that starts here and has no space in it.
fn glued_name<'a>(
    source: &'a str,
    tokens: &[Spanned],
    start: usize,
    kind: NameKind,
    symbols: &Symbols,
) -> Option<&'a str> {
    let mut found = None;
    let mut last = start;
    // Signs alone are operators, whatever places are called.
    let mut has_word = false;
    for (i, token) in tokens.iter().take(LONGEST).enumerate() {
        if matches!(token.token, FormulaToken::Quoted(_)) || (i > 0 && token.offset != last) {
            break;
        }
        last = token.end;
        let odd = matches!(token.token, FormulaToken::Other(_));
        has_word |= odd || matches!(token.token, FormulaToken::Word(_) | FormulaToken::Number(_));
        let name = &source[start..last];
        if has_word && (i > 0 || odd) && symbols.needs_quotes(kind, name) {
            found = Some(name);
        }
    }
    found
}

/// A name with spaces that the token `at` is part of.
pub(crate) fn spaced_name(
    source: &str,
    tokens: &[Spanned],
    at: usize,
    symbols: &Symbols,
) -> Option<String> {
    let first = at.saturating_sub(LONGEST / 4);
    for start in first..=at.min(tokens.len().saturating_sub(1)) {
        for end in at.max(start)..tokens.len().min(start + LONGEST / 2) {
            let name = &source[tokens[start].offset..tokens[end].end];
            if !name.contains(char::is_whitespace) {
                continue;
            }
            let kinds = [NameKind::Place, NameKind::Transition];
            if let Some(kind) = kinds.into_iter().find(|&k| symbols.needs_quotes(k, name)) {
                let kind = kind.word();
                return Some(format!("\"{name}\" is a {kind}: put it in double quotes"));
            }
        }
    }
    None
}

/// What to say about an operator of CTL. `known` tells what may follow an operator that is
/// glued to it.
pub(crate) fn branching_time(word: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    let instead = match word.get(..2).unwrap_or(word) {
        "AG" => "write G f for AG f",
        "AF" => "write F f for AF f",
        "AX" => "write X f for AX f",
        "EF" => "EF f holds if G !f is violated",
        "EG" => "EG f holds if F !f is violated",
        "EX" => "EX f holds if X !f is violated",
        "A" => "leave out the A",
        "E" => "E f holds if !f is violated",
        _ => return None,
    };
    let rest = word.get(2..).unwrap_or("");
    let operators = |c: char| matches!(c, 'A' | 'E' | 'X' | 'F' | 'G');
    if !rest.chars().all(operators) && !known(rest) {
        return None;
    }
    let operator = word.get(..2).unwrap_or(word);
    Some(format!(
        "\"{operator}\" is CTL; formulas here are LTL and speak of all runs: {instead} (inside \
         of other operators, CTL has no counterpart)"
    ))
}

/// What to say about an operator of the past.
pub(crate) fn past(word: &str) -> Option<String> {
    let name = match word {
        "Y" | "Z" => "previous",
        "O" => "once",
        "H" => "historically",
        "S" => "since",
        "T" => "triggered",
        _ => return None,
    };
    Some(format!(
        "\"{word}\" ({name}) is an operator about the past; formulas here speak of the future \
         only: X F G U R W M"
    ))
}
