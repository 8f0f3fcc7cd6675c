//! The text syntax of formulas.
//!
//! ```text
//! formula  ::=  atom | true | false | 1 | 0 | ( formula )
//!            |  ! formula | X formula | F formula | G formula
//!            |  X[n] formula | F[i,j] formula | G[i,j] formula
//!            |  formula OP formula      OP, loosest first:  -> <->   |   xor   &   U R W M
//! atom     ::=  sum CMP sum | fireable(t, ...) | fires(t, ...) | deadlock | name
//!                                                                 CMP: <= < >= > = !=
//! sum      ::=  integers and places with + - * and parentheses
//! ```
//!
//! Most operators have other spellings as well (`docs/ltl.md`). Where a word or `<>` is an
//! operator and might also be part of a sum, what may stand there decides: see `is_summand`.
//!
//! `->`, `<->` and the temporal operators group to the right. Unary operators may be
//! glued together and to the name that follows, as elsewhere in the field: `GFa` is
//! `G F a`. A net's own names win (`Fork >= 1` is about the place `Fork` if there is
//! one); without a net, quote names that begin with F, G or X.
//!
//! The parser is a shunting yard: operands and operators wait on two explicit stacks, so
//! nesting costs memory, not call stack. Cost: linear in the length of the text.

mod atoms;
mod sum;

use crate::bounded::{Cost, StepRange};
use crate::ctl::{Quantifiers, Query};
use crate::error::ParseError;
use crate::formula::{Binary, Formula, Formulas};
use crate::hints;
use crate::lexer::{FormulaToken, Spanned, tokens};
use crate::symbols::Symbols;

/// Reads one formula.
///
/// ```
/// use brine_ltl::{Formulas, Symbols, parse};
/// let mut fs = Formulas::new();
/// let mut symbols = Symbols::open();
/// let f = parse("G(a -> F b)", &mut fs, &mut symbols).unwrap();
/// assert_eq!(f, parse("G (a -> Fb)", &mut fs, &mut symbols).unwrap());
/// let error = parse("G(a -> )", &mut fs, &mut symbols).unwrap_err();
/// assert_eq!(error.column, 8);
/// ```
pub fn parse(
    source: &str,
    fs: &mut Formulas,
    symbols: &mut Symbols,
) -> Result<Formula, ParseError> {
    let tokens = tokens(source)?;
    Parser::new(source, tokens, fs, symbols, None)?.formula()
}

/// Reads one formula of CTL: as [`parse`], and with `E` and `A` before a temporal operator, as in
/// `AG EF p >= 1` or `E[f U g]`.
///
/// ```
/// use brine_ltl::{Formulas, Query, Symbols, parse_query};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let query = parse_query("EF (a & b)", &mut fs, &mut symbols).unwrap();
/// assert!(matches!(query, Query::SomeRun(_)));
/// let query = parse_query("AG EF a", &mut fs, &mut symbols).unwrap();
/// assert!(matches!(query, Query::Branching(_)));
/// ```
pub fn parse_query(
    source: &str,
    fs: &mut Formulas,
    symbols: &mut Symbols,
) -> Result<Query, ParseError> {
    let mut quantifiers = Quantifiers::default();
    let tokens = quantified(tokens(source)?, symbols);
    let formula = Parser::new(source, tokens, fs, symbols, Some(&mut quantifiers))?.formula()?;
    quantifiers.query(fs, formula, true).map_err(|message| ParseError::new(source, 0, message))
}

/// Words of path quantifiers become tokens of their own, and brackets right behind them
/// parentheses. A net's own names win.
fn quantified(tokens: Vec<Spanned>, symbols: &Symbols) -> Vec<Spanned> {
    let mut out: Vec<Spanned> = Vec::with_capacity(tokens.len());
    let mut brackets = Vec::new();
    for Spanned { token, offset, end } in tokens {
        let after = matches!(out.last(), Some(Spanned { token: FormulaToken::Path(_), .. }));
        match token {
            FormulaToken::Word(word) if is_quantified(&word) && !symbols.knows_place(&word) => {
                for (i, c) in word.chars().enumerate() {
                    let token = match c {
                        'A' | 'E' => FormulaToken::Path(c == 'E'),
                        c => FormulaToken::Word(c.to_string()),
                    };
                    out.push(Spanned { token, offset: offset + i, end: offset + i + 1 });
                }
            }
            FormulaToken::OpenBracket => {
                brackets.push(after);
                let token = if after { FormulaToken::Open } else { FormulaToken::OpenBracket };
                out.push(Spanned { token, offset, end });
            }
            FormulaToken::CloseBracket => {
                let round = brackets.pop().unwrap_or(false);
                let token = if round { FormulaToken::Close } else { FormulaToken::CloseBracket };
                out.push(Spanned { token, offset, end });
            }
            token => out.push(Spanned { token, offset, end }),
        }
    }
    out
}

/// `A`, `E`, or pairs of a quantifier and a temporal operator, as in `AG` or `AGEF`.
fn is_quantified(word: &str) -> bool {
    let pair = |pair: &[u8]| matches!(pair, [b'A' | b'E', b'X' | b'F' | b'G']);
    matches!(word, "A" | "E") || word.as_bytes().chunks(2).all(pair)
}

impl<'a> Parser<'a> {
    fn new(
        source: &'a str,
        tokens: Vec<Spanned>,
        fs: &'a mut Formulas,
        symbols: &'a mut Symbols,
        quantifiers: Option<&'a mut Quantifiers>,
    ) -> Result<Self, ParseError> {
        hints::refuse_bare_names(source, &tokens, symbols)?;
        if let Some(Spanned { token: FormulaToken::Other(c), offset, .. }) =
            tokens.iter().find(|t| matches!(t.token, FormulaToken::Other(_)))
        {
            let message = format!("unknown operator {c:?} (names with it need double quotes)");
            return Err(ParseError::new(source, *offset, message));
        }
        let closing = match_parentheses(source, &tokens)?;
        if tokens.is_empty() {
            return Err(ParseError::new(source, source.len(), "the formula is empty"));
        }
        let cost = Cost::default();
        Ok(Parser { source, tokens, closing, at: 0, fs, symbols, cost, quantifiers })
    }
}

/// For each opening parenthesis, the token that closes it.
fn match_parentheses(source: &str, tokens: &[Spanned]) -> Result<Vec<usize>, ParseError> {
    let mut closing = vec![usize::MAX; tokens.len()];
    let mut open = Vec::new();
    for (i, t) in tokens.iter().enumerate() {
        match t.token {
            FormulaToken::Open => open.push(i),
            FormulaToken::Close => match open.pop() {
                Some(j) => closing[j] = i,
                None => {
                    let message = "this parenthesis was never opened";
                    return Err(ParseError::new(source, t.offset, message));
                }
            },
            _ => {}
        }
    }
    match open.pop() {
        Some(j) => {
            Err(ParseError::new(source, tokens[j].offset, "this parenthesis is never closed"))
        }
        None => Ok(closing),
    }
}

#[derive(Clone, Copy)]
enum Unary {
    Not,
    /// So many times.
    X(u32),
    F(StepRange),
    G(StepRange),
    /// `E`, or `A` (false).
    Path(bool),
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
enum WaitingOperator {
    Open,
    /// The operator and its token.
    Unary(Unary, usize),
    And,
    Or,
    Xnor,
    Binary(Binary),
}

impl WaitingOperator {
    /// How tightly the operator binds; parentheses let nothing through.
    fn strength(self) -> u8 {
        match self {
            WaitingOperator::Open => 0,
            WaitingOperator::Binary(Binary::Implies | Binary::Iff) => 1,
            WaitingOperator::Or => 2,
            WaitingOperator::Binary(Binary::Xor) | WaitingOperator::Xnor => 3,
            WaitingOperator::And => 4,
            WaitingOperator::Binary(Binary::U | Binary::R | Binary::W | Binary::M) => 5,
            WaitingOperator::Unary(..) => 6,
        }
    }

    fn groups_right(self) -> bool {
        !matches!(
            self,
            WaitingOperator::And
                | WaitingOperator::Or
                | WaitingOperator::Xnor
                | WaitingOperator::Binary(Binary::Xor)
        )
    }
}

/// An operand being built. Chains of `&` and `|` are collected and made into a node
/// once, or a chain of n operands would cost n^2.
enum Operand {
    Formula(Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Spanned>,
    closing: Vec<usize>,
    at: usize,
    fs: &'a mut Formulas,
    symbols: &'a mut Symbols,
    /// What bounded operators have added to the formula.
    cost: Cost,
    /// Those of a formula of CTL.
    quantifiers: Option<&'a mut Quantifiers>,
}

impl Parser<'_> {
    fn token(&self, i: usize) -> Option<&FormulaToken> {
        self.tokens.get(i).map(|t| &t.token)
    }

    fn error(&self, i: usize, message: impl Into<String>) -> ParseError {
        let offset = self.tokens.get(i).map_or(self.source.len(), |t| t.offset);
        let mut message: String = message.into();
        if let Some(hint) = hints::spaced_name(self.source, &self.tokens, i, self.symbols) {
            message = format!("{message} ({hint})");
        }
        ParseError::new(self.source, offset, message)
    }

    fn formula(&mut self) -> Result<Formula, ParseError> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut waiting: Vec<WaitingOperator> = Vec::new();
        loop {
            self.operand(&mut operands, &mut waiting)?;
            // After an operand: closing parentheses, then an operator or the end.
            while self.token(self.at) == Some(&FormulaToken::Close) {
                self.apply_until(0, false, &mut operands, &mut waiting)?;
                waiting.pop();
                self.at += 1;
            }
            let Some(op) = self.operator()? else {
                self.apply_until(0, false, &mut operands, &mut waiting)?;
                let operand = operands.pop();
                debug_assert!(operands.is_empty() && waiting.is_empty());
                return operand
                    .map(|o| self.finish(o))
                    .ok_or_else(|| self.error(self.at, "a formula is missing here"));
            };
            self.apply_until(op.strength(), op.groups_right(), &mut operands, &mut waiting)?;
            waiting.push(op);
            self.at += 1;
        }
    }

    /// Applies waiting operators that bind more tightly than `strength` (or as tightly,
    /// when grouping to the left), up to the next open parenthesis.
    fn apply_until(
        &mut self,
        strength: u8,
        groups_right: bool,
        operands: &mut Vec<Operand>,
        waiting: &mut Vec<WaitingOperator>,
    ) -> Result<(), ParseError> {
        while let Some(&op) = waiting.last() {
            let tighter = op.strength() > strength || (op.strength() == strength && !groups_right);
            if matches!(op, WaitingOperator::Open) || !tighter {
                break;
            }
            waiting.pop();
            let right = operands.pop().expect("an operand follows each operator");
            let result = if let WaitingOperator::Unary(op, at) = op {
                let f = self.finish(right);
                let (fs, cost) = (&mut *self.fs, &mut self.cost);
                let f = match (op, self.quantifiers.as_deref_mut()) {
                    (Unary::Path(exists), Some(q)) => Ok(q.quantify(fs, exists, f)),
                    (Unary::X(1), Some(q)) => Ok(q.next(fs, f)),
                    (Unary::Not | Unary::Path(_), _) => Ok(fs.not(f)),
                    (Unary::X(n), _) => cost.next(fs, n, f),
                    (Unary::F(steps), _) => cost.finally(fs, steps, f),
                    (Unary::G(steps), _) => cost.globally(fs, steps, f),
                };
                Operand::Formula(f.map_err(|e| self.error(at, e.to_string()))?)
            } else {
                let left = operands.pop().expect("an operand precedes each binary operator");
                self.combine(op, left, right)
            };
            operands.push(result);
        }
        Ok(())
    }

    fn combine(&mut self, op: WaitingOperator, left: Operand, right: Operand) -> Operand {
        match (op, left) {
            (WaitingOperator::And, Operand::And(mut list)) => {
                list.push(self.finish(right));
                Operand::And(list)
            }
            (WaitingOperator::Or, Operand::Or(mut list)) => {
                list.push(self.finish(right));
                Operand::Or(list)
            }
            (WaitingOperator::And, left) => {
                Operand::And(vec![self.finish(left), self.finish(right)])
            }
            (WaitingOperator::Or, left) => Operand::Or(vec![self.finish(left), self.finish(right)]),
            (WaitingOperator::Binary(op), left) => {
                let (left, right) = (self.finish(left), self.finish(right));
                Operand::Formula(self.fs.binary(op, left, right))
            }
            (WaitingOperator::Xnor, left) => {
                let (left, right) = (self.finish(left), self.finish(right));
                Operand::Formula(self.fs.iff(left, right))
            }
            (WaitingOperator::Open | WaitingOperator::Unary(..), _) => {
                unreachable!("parentheses and unary operators are handled before")
            }
        }
    }

    fn finish(&mut self, operand: Operand) -> Formula {
        match operand {
            Operand::Formula(f) => f,
            Operand::And(list) => self.fs.and(list),
            Operand::Or(list) => self.fs.or(list),
        }
    }

    /// The binary operator at the current token; `None` at the end.
    fn operator(&mut self) -> Result<Option<WaitingOperator>, ParseError> {
        let Some(token) = self.token(self.at) else {
            return Ok(None);
        };
        let op = match token {
            FormulaToken::And => WaitingOperator::And,
            FormulaToken::Or => WaitingOperator::Or,
            FormulaToken::Implies => WaitingOperator::Binary(Binary::Implies),
            FormulaToken::Iff => WaitingOperator::Binary(Binary::Iff),
            FormulaToken::Xor => WaitingOperator::Binary(Binary::Xor),
            FormulaToken::Word(w) => match binary_word(w) {
                Some(op) => op,
                None => {
                    let message = hints::past(w).unwrap_or_else(|| {
                        format!("expected an operator (& | -> <-> xor U R W M), found \"{w}\"")
                    });
                    return Err(self.error(self.at, message));
                }
            },
            _ => {
                let message = "expected an operator (& | -> <-> xor U R W M) or the end";
                return Err(self.error(self.at, message));
            }
        };
        Ok(Some(op))
    }

    /// Prefix operators and parentheses up to and including the next operand.
    fn operand(
        &mut self,
        operands: &mut Vec<Operand>,
        waiting: &mut Vec<WaitingOperator>,
    ) -> Result<(), ParseError> {
        loop {
            let at = self.at;
            match self.token(at) {
                Some(FormulaToken::Not) => waiting.push(WaitingOperator::Unary(Unary::Not, at)),
                Some(FormulaToken::Word(word)) if word == "not" && !self.is_summand(word, at) => {
                    waiting.push(WaitingOperator::Unary(Unary::Not, at));
                }
                Some(&FormulaToken::Path(exists)) => {
                    waiting.push(WaitingOperator::Unary(Unary::Path(exists), at));
                }
                Some(FormulaToken::Next) => self.temporal('X', waiting)?,
                Some(FormulaToken::Finally | FormulaToken::Angle) => self.temporal('F', waiting)?,
                Some(FormulaToken::Globally) => self.temporal('G', waiting)?,
                Some(FormulaToken::Open) if !self.starts_sum(at) => {
                    waiting.push(WaitingOperator::Open)
                }
                Some(
                    FormulaToken::Number(_)
                    | FormulaToken::Minus
                    | FormulaToken::Open
                    | FormulaToken::Quoted(_),
                ) => {
                    let f = self.atom()?;
                    operands.push(Operand::Formula(f));
                    return Ok(());
                }
                Some(FormulaToken::Word(word)) => {
                    let word = word.clone();
                    let prefix = self.glued_operators(&word, at);
                    let mut letters = word[..prefix].chars();
                    let last = if prefix == word.len() { letters.next_back() } else { None };
                    waiting.extend(letters.map(|c| WaitingOperator::Unary(plain(c), at)));
                    match last {
                        Some(last) => self.temporal(last, waiting)?,
                        None => {
                            self.tokens[at].token = FormulaToken::Word(word[prefix..].to_owned());
                            self.tokens[at].offset += prefix;
                            let f = self.atom()?;
                            operands.push(Operand::Formula(f));
                            return Ok(());
                        }
                    }
                }
                Some(_) | None => {
                    return Err(self.error(at, "a formula is missing here"));
                }
            }
            self.at += 1;
        }
    }

    /// Pushes the temporal operator at the current token with the bounds behind it, and moves to
    /// the last token of the two.
    fn temporal(
        &mut self,
        letter: char,
        waiting: &mut Vec<WaitingOperator>,
    ) -> Result<(), ParseError> {
        let at = self.at;
        let op = match self.token(at + 1) {
            Some(FormulaToken::OpenBracket) => self.bounded(letter)?,
            _ => plain(letter),
        };
        waiting.push(WaitingOperator::Unary(op, at));
        Ok(())
    }

    /// `X[n]`, `F[i,j]`, `F[i,]` and the same with G; the bounds may also be separated by `:`
    /// or `..`. Moves to the closing bracket.
    fn bounded(&mut self, letter: char) -> Result<Unary, ParseError> {
        let start = self.at + 2;
        let mut words: Vec<&str> = Vec::new();
        let mut end = start;
        while let Some(token) = self.token(end) {
            match token {
                FormulaToken::Number(n) => words.push(n),
                FormulaToken::Word(range) if range.contains("..") => {
                    let (from, to) = range.split_once("..").unwrap_or((range, ""));
                    words.extend([from, "..", to].into_iter().filter(|word| !word.is_empty()));
                }
                FormulaToken::Comma | FormulaToken::Colon => words.push(".."),
                _ => break,
            }
            end += 1;
        }
        let bound = |digits: &str| digits.parse::<u32>().ok();
        let closed = self.token(end) == Some(&FormulaToken::CloseBracket);
        let bounds = match words.as_slice() {
            _ if !closed => None,
            [n] if letter == 'X' => bound(n).map(Unary::X),
            [from, ".."] if letter != 'X' => bound(from).map(|from| over(letter, (from, None))),
            [from, "..", to] if letter != 'X' => {
                bound(from).zip(bound(to)).map(|(from, to)| over(letter, (from, Some(to))))
            }
            _ => None,
        };
        let example =
            if letter == 'X' { "X[3]" } else { "F[2,5], F[2:5] or F[2,] (the same for G)" };
        let op = bounds.ok_or_else(|| {
            self.error(start, format!("expected a number of steps here, as in {example}"))
        })?;
        if let Unary::F(StepRange { from, to: Some(to) })
        | Unary::G(StepRange { from, to: Some(to) }) = op
            && from > to
        {
            return Err(self.error(start, format!("no step is from {from} to {to}")));
        }
        self.at = end;
        Ok(op)
    }

    /// Does the word at `at` stand for a number of tokens because of what follows it? Only a
    /// name can stand before these; a minus may also begin an operand.
    fn is_summand(&self, word: &str, at: usize) -> bool {
        match self.token(at + 1) {
            Some(FormulaToken::Plus | FormulaToken::Times | FormulaToken::Compare(_)) => true,
            Some(FormulaToken::Angle) => !self.symbols.is_open() && self.symbols.knows_place(word),
            _ => false,
        }
    }

    /// How many leading letters of `word` are the operators X, F, G.
    fn glued_operators(&self, word: &str, at: usize) -> usize {
        let run = word.chars().take_while(|c| matches!(c, 'X' | 'F' | 'G')).count();
        if run == 0 || (run == word.len() && !self.is_summand(word, at)) {
            return run;
        }
        if self.symbols.knows_place(word)
            || (matches!(word, "fireable" | "fires") && self.is_call(at))
        {
            return 0;
        }
        if let Some(k) = (0..=run).find(|&k| &word[k..] == "FALSE") {
            return k;
        }
        if self.symbols.is_open() {
            let digit = word[run..].starts_with(|c: char| c.is_ascii_digit());
            return if digit { 0 } else { run };
        }
        let known = |rest: &str| {
            matches!(rest, "true" | "false" | "deadlock" | "fireable" | "fires")
                || self.symbols.knows_place(rest)
        };
        (1..=run).find(|&k| known(&word[k..])).unwrap_or(0)
    }

    fn is_call(&self, at: usize) -> bool {
        self.token(at + 1) == Some(&FormulaToken::Open)
    }

    fn is_arithmetic(&self, i: usize) -> bool {
        matches!(
            self.token(i),
            Some(
                FormulaToken::Plus
                    | FormulaToken::Minus
                    | FormulaToken::Times
                    | FormulaToken::Compare(_)
                    | FormulaToken::Angle
            )
        )
    }

    /// Does the parenthesis at `i` belong to a sum? It does when what follows its end is
    /// arithmetic.
    fn starts_sum(&self, i: usize) -> bool {
        self.is_arithmetic(self.closing[i] + 1)
    }
}

/// The operator X, F or G without bounds.
fn plain(letter: char) -> Unary {
    if letter == 'X' { Unary::X(1) } else { over(letter, (0, None)) }
}

/// F or G over these steps.
fn over(letter: char, (from, to): (u32, Option<u32>)) -> Unary {
    let steps = StepRange { from, to };
    if letter == 'F' { Unary::F(steps) } else { Unary::G(steps) }
}

/// A binary operator that is written as a word.
fn binary_word(word: &str) -> Option<WaitingOperator> {
    Some(match word {
        "and" => WaitingOperator::And,
        "or" => WaitingOperator::Or,
        "xor" => WaitingOperator::Binary(Binary::Xor),
        "xnor" => WaitingOperator::Xnor,
        "U" => WaitingOperator::Binary(Binary::U),
        "R" | "V" => WaitingOperator::Binary(Binary::R),
        "W" => WaitingOperator::Binary(Binary::W),
        "M" => WaitingOperator::Binary(Binary::M),
        _ => return None,
    })
}
