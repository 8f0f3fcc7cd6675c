//! Comparisons of sums: a second, smaller shunting yard.

use super::Parser;
use crate::atom::{Comparison, Expression, Overflow};
use crate::error::ParseError;
use crate::formula::Formula;
use crate::lexer::FormulaToken;
use crate::symbols::{NameError, NameKind};

impl Parser<'_> {
    /// `sum CMP sum`
    pub(super) fn comparison(&mut self) -> Result<Formula, ParseError> {
        let start = self.at;
        let left = self.sum()?;
        let cmp = match self.token(self.at) {
            Some(&FormulaToken::Compare(cmp)) => cmp,
            Some(FormulaToken::Angle) => Comparison::Ne,
            _ => return Err(self.error(self.at, "expected a comparison (<= < >= > = !=) here")),
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
                Some(FormulaToken::Open) => {
                    ops.push(('(', self.at));
                    self.at += 1;
                    continue;
                }
                Some(FormulaToken::Minus) => {
                    ops.push(('~', self.at));
                    self.at += 1;
                    continue;
                }
                _ => values.push(self.factor()?),
            }
            self.at += 1;
            while self.token(self.at) == Some(&FormulaToken::Close)
                && ops.iter().any(|&(op, _)| op == '(')
            {
                self.apply_sums(1, &mut values, &mut ops)?;
                ops.pop();
                self.at += 1;
            }
            let (op, strength) = match self.token(self.at) {
                Some(FormulaToken::Plus) => ('+', 1),
                Some(FormulaToken::Minus) => ('-', 1),
                Some(FormulaToken::Times) => ('*', 2),
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
            Some(FormulaToken::Number(digits)) => {
                digits.parse().map(Expression::constant).map_err(|_| self.overflow(self.at))
            }
            Some(FormulaToken::Word(name) | FormulaToken::Quoted(name)) => {
                let name = name.clone();
                self.symbols.tokens(&name).map_err(|e| self.unknown_place(&e))
            }
            _ => Err(self.error(self.at, "a number or a place is missing here")),
        }
    }

    fn unknown_place(&self, e: &NameError) -> ParseError {
        // A single letter is more likely a name.
        let likely = e.name.len() > 1 || self.token(self.at + 1) == Some(&FormulaToken::Angle);
        let foreign = if likely { self.foreign_operator(self.at, &e.name) } else { None };
        self.error(self.at, foreign.unwrap_or_else(|| self.symbols.trouble(NameKind::Place, e)))
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
