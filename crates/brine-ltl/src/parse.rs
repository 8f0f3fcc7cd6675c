//! The text syntax of formulas.
//!
//! ```text
//! formula  ::=  atom | true | false | 1 | 0 | ( formula )
//!            |  ! formula | X formula | F formula | G formula
//!            |  formula OP formula      OP, loosest first:  -> <->   xor   |   &   U R W M
//! atom     ::=  sum CMP sum | fireable(t, ...) | deadlock | name      CMP: <= < >= > = !=
//! sum      ::=  integers and places with + - * and parentheses
//! ```
//!
//! `->`, `<->` and the temporal operators group to the right. Unary operators may be
//! glued together and to the name that follows, as elsewhere in the field: `GFa` is
//! `G F a`. A net's own names win (`Fork >= 1` is about the place `Fork` if there is
//! one); without a net, quote names that begin with F, G or X.
//!
//! The parser is a shunting yard: operands and operators wait on two explicit stacks, so
//! nesting costs memory, not call stack. Cost: linear in the length of the text.

use crate::atom::{Comparison, Expression, Overflow};
use crate::error::ParseError;
use crate::formula::{Binary, Formula, Formulas};
use crate::lexer::{Spanned, Token, tokens};
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
    let closing = match_parentheses(source, &tokens)?;
    if tokens.is_empty() {
        return Err(ParseError::new(source, source.len(), "the formula is empty"));
    }
    let mut parser = Parser { source, tokens, closing, at: 0, fs, symbols };
    parser.formula()
}

/// For each opening parenthesis, the token that closes it.
fn match_parentheses(source: &str, tokens: &[Spanned]) -> Result<Vec<usize>, ParseError> {
    let mut closing = vec![usize::MAX; tokens.len()];
    let mut open = Vec::new();
    for (i, t) in tokens.iter().enumerate() {
        match t.token {
            Token::Open => open.push(i),
            Token::Close => match open.pop() {
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
    X,
    F,
    G,
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
enum Waiting {
    Open,
    Unary(Unary),
    And,
    Or,
    Binary(Binary),
}

impl Waiting {
    /// How tightly the operator binds; parentheses let nothing through.
    fn strength(self) -> u8 {
        match self {
            Waiting::Open => 0,
            Waiting::Binary(Binary::Implies | Binary::Iff) => 1,
            Waiting::Binary(Binary::Xor) => 2,
            Waiting::Or => 3,
            Waiting::And => 4,
            Waiting::Binary(Binary::U | Binary::R | Binary::W | Binary::M) => 5,
            Waiting::Unary(_) => 6,
        }
    }

    fn groups_right(self) -> bool {
        !matches!(self, Waiting::And | Waiting::Or | Waiting::Binary(Binary::Xor))
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
}

impl Parser<'_> {
    fn token(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i).map(|t| &t.token)
    }

    fn error(&self, i: usize, message: impl Into<String>) -> ParseError {
        let offset = self.tokens.get(i).map_or(self.source.len(), |t| t.offset);
        ParseError::new(self.source, offset, message)
    }

    fn formula(&mut self) -> Result<Formula, ParseError> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            self.operand(&mut operands, &mut waiting)?;
            // After an operand: closing parentheses, then an operator or the end.
            while self.token(self.at) == Some(&Token::Close) {
                self.apply_until(0, false, &mut operands, &mut waiting);
                waiting.pop();
                self.at += 1;
            }
            let Some(op) = self.operator()? else {
                self.apply_until(0, false, &mut operands, &mut waiting);
                let operand = operands.pop();
                debug_assert!(operands.is_empty() && waiting.is_empty());
                return operand
                    .map(|o| self.finish(o))
                    .ok_or_else(|| self.error(self.at, "a formula is missing here"));
            };
            self.apply_until(op.strength(), op.groups_right(), &mut operands, &mut waiting);
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
        waiting: &mut Vec<Waiting>,
    ) {
        while let Some(&op) = waiting.last() {
            let tighter = op.strength() > strength || (op.strength() == strength && !groups_right);
            if matches!(op, Waiting::Open) || !tighter {
                break;
            }
            waiting.pop();
            let right = operands.pop().expect("an operand follows each operator");
            let result = if let Waiting::Unary(op) = op {
                let f = self.finish(right);
                Operand::Formula(match op {
                    Unary::Not => self.fs.not(f),
                    Unary::X => self.fs.x(f),
                    Unary::F => self.fs.f(f),
                    Unary::G => self.fs.g(f),
                })
            } else {
                let left = operands.pop().expect("an operand precedes each binary operator");
                self.combine(op, left, right)
            };
            operands.push(result);
        }
    }

    fn combine(&mut self, op: Waiting, left: Operand, right: Operand) -> Operand {
        match (op, left) {
            (Waiting::And, Operand::And(mut list)) => {
                list.push(self.finish(right));
                Operand::And(list)
            }
            (Waiting::Or, Operand::Or(mut list)) => {
                list.push(self.finish(right));
                Operand::Or(list)
            }
            (Waiting::And, left) => Operand::And(vec![self.finish(left), self.finish(right)]),
            (Waiting::Or, left) => Operand::Or(vec![self.finish(left), self.finish(right)]),
            (Waiting::Binary(op), left) => {
                let (left, right) = (self.finish(left), self.finish(right));
                Operand::Formula(self.fs.binary(op, left, right))
            }
            (Waiting::Open | Waiting::Unary(_), _) => {
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
    fn operator(&mut self) -> Result<Option<Waiting>, ParseError> {
        let Some(token) = self.token(self.at) else {
            return Ok(None);
        };
        let op = match token {
            Token::And => Waiting::And,
            Token::Or => Waiting::Or,
            Token::Implies => Waiting::Binary(Binary::Implies),
            Token::Iff => Waiting::Binary(Binary::Iff),
            Token::Xor => Waiting::Binary(Binary::Xor),
            Token::Word(w) => match w.as_str() {
                "xor" => Waiting::Binary(Binary::Xor),
                "U" => Waiting::Binary(Binary::U),
                "R" | "V" => Waiting::Binary(Binary::R),
                "W" => Waiting::Binary(Binary::W),
                "M" => Waiting::Binary(Binary::M),
                _ => {
                    let message =
                        format!("expected an operator (& | -> <-> xor U R W M), found \"{w}\"");
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
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), ParseError> {
        loop {
            let at = self.at;
            match self.token(at) {
                Some(Token::Not) => waiting.push(Waiting::Unary(Unary::Not)),
                Some(Token::Open) if !self.starts_sum(at) => waiting.push(Waiting::Open),
                Some(Token::Number(_) | Token::Minus | Token::Open | Token::Quoted(_)) => {
                    let f = self.atom()?;
                    operands.push(Operand::Formula(f));
                    return Ok(());
                }
                Some(Token::Word(word)) => {
                    let word = word.clone();
                    let prefix = self.glued_operators(&word, at);
                    waiting.extend(word[..prefix].chars().map(|c| {
                        Waiting::Unary(match c {
                            'X' => Unary::X,
                            'F' => Unary::F,
                            _ => Unary::G,
                        })
                    }));
                    if prefix < word.len() {
                        self.tokens[at].token = Token::Word(word[prefix..].to_owned());
                        self.tokens[at].offset += prefix;
                        let f = self.atom()?;
                        operands.push(Operand::Formula(f));
                        return Ok(());
                    }
                }
                Some(_) | None => {
                    return Err(self.error(at, "a formula is missing here"));
                }
            }
            self.at += 1;
        }
    }

    /// How many leading letters of `word` are the operators X, F, G.
    fn glued_operators(&self, word: &str, at: usize) -> usize {
        let run = word.chars().take_while(|c| matches!(c, 'X' | 'F' | 'G')).count();
        // These can only follow the name of a place; a minus may also begin an operand.
        let next = self.token(at + 1);
        let in_sum = matches!(next, Some(Token::Plus | Token::Times | Token::Compare(_)));
        if run == 0 || (run == word.len() && !in_sum) {
            return run;
        }
        if self.symbols.knows_place(word) || (word == "fireable" && self.is_call(at)) {
            return 0;
        }
        if self.symbols.is_open() {
            let digit = word[run..].starts_with(|c: char| c.is_ascii_digit());
            return if digit { 0 } else { run };
        }
        let known = |rest: &str| {
            matches!(rest, "true" | "false" | "deadlock" | "fireable")
                || self.symbols.knows_place(rest)
        };
        (1..=run).find(|&k| known(&word[k..])).unwrap_or(0)
    }

    fn is_call(&self, at: usize) -> bool {
        self.token(at + 1) == Some(&Token::Open)
    }

    fn is_arithmetic(&self, i: usize) -> bool {
        matches!(self.token(i), Some(Token::Plus | Token::Minus | Token::Times | Token::Compare(_)))
    }

    /// Does the parenthesis at `i` belong to a sum? It does when what follows its end is
    /// arithmetic.
    fn starts_sum(&self, i: usize) -> bool {
        self.is_arithmetic(self.closing[i] + 1)
    }

    /// An atom or a constant, starting at the current token; moves past it.
    fn atom(&mut self) -> Result<Formula, ParseError> {
        let at = self.at;
        let single = !self.is_arithmetic(at + 1);
        let (name, quoted) = match self.token(at) {
            Some(Token::Number(n)) if single => {
                let value = match n.as_str() {
                    "0" => Formula::FALSE,
                    "1" => Formula::TRUE,
                    _ => {
                        let message = format!("expected a comparison after \"{n}\"");
                        return Err(self.error(at + 1, message));
                    }
                };
                self.at += 1;
                return Ok(value);
            }
            Some(Token::Word(w)) if single => (w.clone(), false),
            Some(Token::Quoted(w)) if single => (w.clone(), true),
            _ => return self.comparison(),
        };
        self.at += 1;
        if !quoted {
            match name.as_str() {
                "true" => return Ok(Formula::TRUE),
                "false" => return Ok(Formula::FALSE),
                "deadlock" => return Ok(self.fs.deadlock()),
                "fireable" if self.token(self.at) == Some(&Token::Open) => return self.fireable(),
                "U" | "R" | "V" | "W" | "M" | "xor" => {
                    return Err(self.error(at, format!("{name} needs a formula on its left")));
                }
                _ => {}
            }
        }
        if self.token(self.at) == Some(&Token::Open) && !quoted {
            let message = format!("unknown operator \"{name}\" (known: X F G fireable)");
            return Err(self.error(at, message));
        }
        self.proposition(at, &name)
    }

    /// A bare name: a proposition when there is no net, a mistake otherwise.
    fn proposition(&mut self, at: usize, name: &str) -> Result<Formula, ParseError> {
        if self.symbols.is_open() {
            return Ok(self.fs.prop(name));
        }
        if self.symbols.knows_transition(name) && !self.symbols.knows_place(name) {
            let message = format!("\"{name}\" is a transition: write fireable(\"{name}\")");
            return Err(self.error(at, message));
        }
        if let Err(e) = self.symbols.tokens(name) {
            return Err(self.error(at, e.message("place")));
        }
        let message = format!("compare place \"{name}\" with a number, as in \"{name}\" >= 1");
        Err(self.error(at, message))
    }

    /// `( t, ... )` after `fireable`.
    fn fireable(&mut self) -> Result<Formula, ParseError> {
        let close = self.closing[self.at];
        let mut transitions = Vec::new();
        self.at += 1;
        loop {
            let name = match self.token(self.at) {
                Some(Token::Word(name) | Token::Quoted(name) | Token::Number(name)) => name.clone(),
                _ => return Err(self.error(self.at, "the name of a transition is missing here")),
            };
            match self.symbols.transitions(&name) {
                Ok(targets) => transitions.extend(targets),
                Err(e) => return Err(self.error(self.at, e.message("transition"))),
            }
            self.at += 1;
            match self.token(self.at) {
                Some(Token::Comma) => self.at += 1,
                _ if self.at == close => break,
                _ => return Err(self.error(self.at, "expected a comma or a parenthesis here")),
            }
        }
        self.at = close + 1;
        Ok(self.fs.fireable(transitions))
    }

    /// `sum CMP sum`
    fn comparison(&mut self) -> Result<Formula, ParseError> {
        let start = self.at;
        let left = self.sum()?;
        let Some(&Token::Compare(cmp)) = self.token(self.at) else {
            return Err(self.error(self.at, "expected a comparison (<= < >= > = !=) here"));
        };
        self.at += 1;
        let right = self.sum()?;
        self.compare(start, left, cmp, right)
    }

    fn compare(
        &mut self,
        start: usize,
        left: Expression,
        cmp: Comparison,
        right: Expression,
    ) -> Result<Formula, ParseError> {
        self.fs.compare(left, cmp, right).map_err(|Overflow| self.overflow(start))
    }

    fn overflow(&self, i: usize) -> ParseError {
        self.error(i, "the numbers in this comparison are too large (64 bits)")
    }

    /// A sum: a second, smaller shunting yard over + - * and parentheses.
    fn sum(&mut self) -> Result<Expression, ParseError> {
        let mut values: Vec<Expression> = Vec::new();
        let mut ops: Vec<(char, usize)> = Vec::new();
        loop {
            match self.token(self.at) {
                Some(Token::Open) => {
                    ops.push(('(', self.at));
                    self.at += 1;
                    continue;
                }
                Some(Token::Minus) => {
                    ops.push(('~', self.at));
                    self.at += 1;
                    continue;
                }
                _ => values.push(self.factor()?),
            }
            self.at += 1;
            while self.token(self.at) == Some(&Token::Close) && ops.iter().any(|&(op, _)| op == '(')
            {
                self.apply_sums(1, &mut values, &mut ops)?;
                ops.pop();
                self.at += 1;
            }
            let (op, strength) = match self.token(self.at) {
                Some(Token::Plus) => ('+', 1),
                Some(Token::Minus) => ('-', 1),
                Some(Token::Times) => ('*', 2),
                _ => break,
            };
            self.apply_sums(strength, &mut values, &mut ops)?;
            ops.push((op, self.at));
            self.at += 1;
        }
        self.apply_sums(1, &mut values, &mut ops)?;
        if !ops.is_empty() {
            return Err(self.error(self.at, "expected + - * or a parenthesis here"));
        }
        Ok(values.pop().expect("a sum has a value"))
    }

    /// A number or a place.
    fn factor(&mut self) -> Result<Expression, ParseError> {
        match self.token(self.at) {
            Some(Token::Number(digits)) => {
                digits.parse().map(Expression::constant).map_err(|_| self.overflow(self.at))
            }
            Some(Token::Word(name) | Token::Quoted(name)) => {
                let name = name.clone();
                let tokens = self.symbols.tokens(&name);
                tokens.map_err(|e| self.error(self.at, e.message("place")))
            }
            _ => Err(self.error(self.at, "a number or a place is missing here")),
        }
    }

    fn apply_sums(
        &self,
        strength: u8,
        values: &mut Vec<Expression>,
        ops: &mut Vec<(char, usize)>,
    ) -> Result<(), ParseError> {
        while let Some(&(op, at)) = ops.last() {
            let tight = match op {
                '(' => 0,
                '+' | '-' => 1,
                '*' => 2,
                _ => 3,
            };
            if op == '(' || tight < strength {
                break;
            }
            ops.pop();
            let right = values.pop().expect("a value follows each operator");
            let result = if op == '~' {
                Expression::default().add_scaled(&right, -1)
            } else {
                let left = values.pop().expect("a value precedes each operator");
                match op {
                    '+' => left.plus(right),
                    '-' => left.add_scaled(&right, -1),
                    _ => left.multiply(&right).ok_or_else(|| {
                        self.error(at, "only linear expressions: one factor must be a number")
                    })?,
                }
            };
            values.push(result.map_err(|Overflow| self.overflow(at))?);
        }
        Ok(())
    }
}
