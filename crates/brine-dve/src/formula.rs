//! LTL over a model: temporal and boolean operators around expressions of the language.
//!
//! ```text
//! formula  ::=  expression | deadlock | true | false | ( formula )
//!            |  (! | not | X | F | G) formula        tighter than what follows
//!            |  formula OP formula   OP, loosest first:  -> imply <->   || or   && and   U R W M
//! ```
//!
//! Expressions are those of the language without `&& || not imply` at their top; they are
//! delimited here and read by `expression`. So `G F x + 1 == y` needs no parentheses. `P.s` and
//! `P->x` are about process `P`; any other `->` is an implication. `->` and the temporal
//! operators group to the right. `GF` is `G F`. A declared name wins over an operator.
//!
//! A shunting yard, as everywhere; each expression becomes a label of the model, whose name is
//! its text.

use crate::error::DveError;
use crate::expression::{Scope, expression};
use crate::lexer::{DveSpanned, DveToken, tokens};
use crate::model::DveModel;
use brine_ltl::{Formula, Formulas};

#[derive(Clone, Copy)]
enum Temporal {
    Not,
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Implies,
    Iff,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    /// An operator of expressions.
    Glue,
}

enum FormulaWaiting {
    Before(Temporal),
    /// A sign of an expression.
    Sign(usize),
    Between(Joint),
    Open(usize),
}

/// What was read: tokens from one number up to another, and a formula if it is one.
#[derive(Clone, Copy)]
struct FormulaOperand {
    from: usize,
    to: usize,
    formula: Option<Formula>,
}

const UNARY: u8 = 5;

impl Joint {
    fn precedence(self) -> u8 {
        match self {
            Joint::Implies | Joint::Iff => 1,
            Joint::Or => 2,
            Joint::And => 3,
            Joint::Until | Joint::Release | Joint::WeakUntil | Joint::StrongRelease => 4,
            Joint::Glue => 6,
        }
    }

    fn groups_right(self) -> bool {
        !matches!(self, Joint::Or | Joint::And | Joint::Glue)
    }
}

struct FormulaYard<'y, 'a> {
    source: &'a str,
    tokens: &'y [DveSpanned<'a>],
    model: &'y mut DveModel,
    formulas: &'y mut Formulas,
    at: usize,
    operands: Vec<FormulaOperand>,
    waiting: Vec<FormulaWaiting>,
}

type Reading<T> = Result<T, DveError>;

impl DveModel {
    /// Reads a formula; its expressions become labels of the model.
    ///
    /// ```
    /// let text = "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; }
    ///             system async;";
    /// let mut model = brine_dve::parse(text).unwrap();
    /// let mut formulas = brine_ltl::Formulas::new();
    /// assert!(model.formula("G(P.a -> F x + 1 == 2)", &mut formulas).is_ok());
    /// let error = model.formula("G(P.c -> F x == 1)", &mut formulas).unwrap_err();
    /// assert_eq!(error.column, 3);
    /// ```
    pub fn formula(&mut self, text: &str, formulas: &mut Formulas) -> Result<Formula, DveError> {
        let tokens = tokens(text)?;
        let (operands, waiting) = (Vec::new(), Vec::new());
        let yard = FormulaYard {
            source: text,
            tokens: &tokens,
            model: self,
            formulas,
            at: 0,
            operands,
            waiting,
        };
        yard.run()
    }
}

impl<'a> FormulaYard<'_, 'a> {
    fn wrong<T>(&self, at: usize, message: impl Into<String>) -> Reading<T> {
        let offset = self.tokens.get(at).map_or(self.source.len(), |t| t.offset);
        Err(DveError::new(self.source, offset, message))
    }

    fn peek(&self) -> Option<DveToken<'a>> {
        self.tokens.get(self.at).map(|t| t.token)
    }

    fn run(mut self) -> Reading<Formula> {
        loop {
            while self.operand()? {}
            while self.peek() == Some(DveToken::Symbol(")")) {
                self.close()?;
            }
            if self.at == self.tokens.len() {
                break;
            }
            let at = self.at;
            let Some(joint) = self.joint() else {
                return self.wrong(at, "expected an operator or \")\" here");
            };
            self.apply_above(joint.precedence(), joint.groups_right())?;
            self.waiting.push(FormulaWaiting::Between(joint));
        }
        self.apply_above(0, false)?;
        if let Some(FormulaWaiting::Open(at)) = self.waiting.last() {
            return self.wrong(*at, "this \"(\" has no \")\"");
        }
        match self.operands.pop() {
            Some(operand) => self.as_formula(operand),
            None => self.wrong(0, "the formula is empty"),
        }
    }

    /// Reads what may stand where an operand is due; false once there was one.
    fn operand(&mut self) -> Reading<bool> {
        let at = self.at;
        self.at += 1;
        match self.tokens.get(at).map(|t| t.token) {
            Some(DveToken::Symbol("!") | DveToken::Word("not")) => {
                self.waiting.push(FormulaWaiting::Before(Temporal::Not));
            }
            Some(DveToken::Symbol("-" | "~")) => self.waiting.push(FormulaWaiting::Sign(at)),
            Some(DveToken::Symbol("(")) => self.waiting.push(FormulaWaiting::Open(at)),
            Some(DveToken::Digits(_)) => return self.take(at),
            Some(DveToken::Word(word)) => return self.word(at, word),
            _ => {
                self.at = at;
                return self.wrong(at, "expected a formula, an expression or \"(\" here");
            }
        }
        Ok(true)
    }

    /// The tokens since `at` are an operand.
    fn take(&mut self, at: usize) -> Reading<bool> {
        self.operands.push(FormulaOperand { from: at, to: self.at, formula: None });
        Ok(false)
    }

    fn word(&mut self, at: usize, word: &str) -> Reading<bool> {
        let constant = match word {
            "true" => Some(self.formulas.constant(true)),
            "false" => Some(self.formulas.constant(false)),
            "deadlock" if self.model.names.name(word).is_err() => Some(self.formulas.deadlock()),
            _ => None,
        };
        if constant.is_some() {
            self.operands.push(FormulaOperand { from: at, to: self.at, formula: constant });
            return Ok(false);
        }
        if self.model.names.is_process(word) {
            if let Some(DveToken::Symbol("." | "->")) = self.peek() {
                self.at += 2;
            }
        } else if self.model.names.name(word).is_err()
            && word.chars().all(|c| matches!(c, 'X' | 'F' | 'G'))
        {
            let operator = |c| match c {
                'X' => Temporal::Next,
                'F' => Temporal::Finally,
                _ => Temporal::Globally,
            };
            self.waiting.extend(word.chars().map(|c| FormulaWaiting::Before(operator(c))));
            return Ok(true);
        }
        if self.peek() == Some(DveToken::Symbol("[")) {
            self.skip_index()?;
        }
        self.at = self.at.min(self.tokens.len());
        self.take(at)
    }

    /// Skips an index, which is read later.
    fn skip_index(&mut self) -> Reading<()> {
        let open = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(DveToken::Symbol("[")) => depth += 1,
                Some(DveToken::Symbol("]")) => depth -= 1,
                None => return self.wrong(open, "this \"[\" has no \"]\""),
                _ => (),
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The operator at this place.
    fn joint(&mut self) -> Option<Joint> {
        let token = self.peek()?;
        let joint = match token {
            DveToken::Symbol("->") | DveToken::Word("imply") => Joint::Implies,
            DveToken::Symbol("||") | DveToken::Word("or") => Joint::Or,
            DveToken::Symbol("&&") | DveToken::Word("and") => Joint::And,
            DveToken::Word("U") => Joint::Until,
            DveToken::Word("R" | "V") => Joint::Release,
            DveToken::Word("W") => Joint::WeakUntil,
            DveToken::Word("M") => Joint::StrongRelease,
            DveToken::Symbol("<") => match self.tokens.get(self.at + 1).map(|t| t.token) {
                Some(DveToken::Symbol("->")) => {
                    self.at += 1;
                    Joint::Iff
                }
                _ => Joint::Glue,
            },
            DveToken::Symbol(
                "<=" | ">" | ">=" | "==" | "!=" | "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^"
                | "<<" | ">>",
            ) => Joint::Glue,
            _ => return None,
        };
        self.at += 1;
        Some(joint)
    }

    /// Applies waiting operators that bind more tightly, or as tightly and group to the left.
    fn apply_above(&mut self, least: u8, groups_right: bool) -> Reading<()> {
        loop {
            let (precedence, equal) = match self.waiting.last() {
                Some(FormulaWaiting::Before(_)) => (UNARY, false),
                Some(FormulaWaiting::Sign(_)) => (UNARY + 2, false),
                Some(FormulaWaiting::Between(joint)) => {
                    (joint.precedence(), joint.precedence() == least)
                }
                Some(FormulaWaiting::Open(_)) | None => return Ok(()),
            };
            if precedence < least || (equal && groups_right) {
                return Ok(());
            }
            self.apply()?;
        }
    }

    fn apply(&mut self) -> Reading<()> {
        let Some(last) = self.operands.pop() else { return Ok(()) };
        let combined = match self.waiting.pop() {
            Some(FormulaWaiting::Before(operator)) => {
                let f = self.as_formula(last)?;
                let formula = match operator {
                    Temporal::Not => self.formulas.not(f),
                    Temporal::Next => self.formulas.x(f),
                    Temporal::Finally => self.formulas.f(f),
                    Temporal::Globally => self.formulas.g(f),
                };
                FormulaOperand { formula: Some(formula), ..last }
            }
            Some(FormulaWaiting::Sign(at)) => {
                self.ensure_expression(last)?;
                FormulaOperand { from: at, ..last }
            }
            Some(FormulaWaiting::Between(joint)) => match self.operands.pop() {
                Some(first) => self.join(joint, first, last)?,
                None => last,
            },
            Some(FormulaWaiting::Open(_)) | None => last,
        };
        self.operands.push(combined);
        Ok(())
    }

    fn ensure_expression(&self, operand: FormulaOperand) -> Reading<()> {
        match operand.formula {
            None => Ok(()),
            Some(_) => self.wrong(operand.from, "this is a formula, and a number is needed here"),
        }
    }

    fn join(
        &mut self,
        joint: Joint,
        first: FormulaOperand,
        last: FormulaOperand,
    ) -> Reading<FormulaOperand> {
        let (from, to) = (first.from, last.to);
        if joint == Joint::Glue {
            self.ensure_expression(first)?;
            self.ensure_expression(last)?;
            return Ok(FormulaOperand { from, to, formula: None });
        }
        let (f, g) = (self.as_formula(first)?, self.as_formula(last)?);
        let formulas = &mut *self.formulas;
        let formula = match joint {
            Joint::Implies => formulas.implies(f, g),
            Joint::Iff => formulas.iff(f, g),
            Joint::Or => formulas.or([f, g]),
            Joint::And => formulas.and([f, g]),
            Joint::Until => formulas.u(f, g),
            Joint::Release => formulas.r(f, g),
            Joint::WeakUntil => formulas.w(f, g),
            Joint::StrongRelease => formulas.m(f, g),
            Joint::Glue => f,
        };
        Ok(FormulaOperand { from, to, formula: Some(formula) })
    }

    fn close(&mut self) -> Reading<()> {
        let at = self.at;
        self.at += 1;
        self.apply_above(0, false)?;
        match (self.waiting.pop(), self.operands.last_mut()) {
            (Some(FormulaWaiting::Open(open)), Some(operand)) => {
                (operand.from, operand.to) = (open, at + 1);
                Ok(())
            }
            _ => self.wrong(at, "this \")\" has no \"(\""),
        }
    }

    /// The operand as a formula: an expression becomes an atom.
    fn as_formula(&mut self, operand: FormulaOperand) -> Reading<Formula> {
        if let Some(formula) = operand.formula {
            return Ok(formula);
        }
        let mut tokens = &self.tokens[operand.from..operand.to];
        if let [DveSpanned { token: DveToken::Symbol("("), .. }, inner @ .., last] = tokens
            && last.token == DveToken::Symbol(")")
            && is_balanced(inner)
        {
            tokens = inner;
        }
        let expr = expression(self.source, tokens, &self.model.names)?;
        let name = joined(tokens);
        self.model.add_label(&name, expr);
        Ok(self.formulas.prop(&name))
    }
}

/// Whether every bracket has its partner among these tokens.
fn is_balanced(tokens: &[DveSpanned<'_>]) -> bool {
    let mut depth = 0usize;
    for t in tokens {
        match t.token {
            DveToken::Symbol("(") => depth += 1,
            DveToken::Symbol(")") if depth == 0 => return false,
            DveToken::Symbol(")") => depth -= 1,
            _ => (),
        }
    }
    depth == 0
}

/// The tokens as text, with spaces where they help.
pub(crate) fn joined(tokens: &[DveSpanned<'_>]) -> String {
    let mut text = String::new();
    for t in tokens {
        let word = match t.token {
            DveToken::Word(text) | DveToken::Digits(text) => text,
            DveToken::Symbol(text) => text,
        };
        let tight = matches!(word, "." | "[" | "]" | ")") || text.is_empty();
        if !tight && !text.ends_with(['.', '[', '(']) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
