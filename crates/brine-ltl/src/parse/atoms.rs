//! Atoms that are no comparisons: constants, `deadlock`, `fireable(...)`, `fires(...)`,
//! propositions, and what to say about names that are operators elsewhere.

use super::{Parser, binary_word};
use crate::error::ParseError;
use crate::formula::Formula;
use crate::hints;
use crate::lexer::FormulaToken;
use crate::symbols::NameKind;
use brine_net::TransitionId;

impl Parser<'_> {
    /// An atom or a constant, starting at the current token; moves past it.
    pub(super) fn atom(&mut self) -> Result<Formula, ParseError> {
        let at = self.at;
        let single = !self.is_arithmetic(at + 1);
        let (name, quoted) = match self.token(at) {
            Some(FormulaToken::Number(n)) if single => {
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
            Some(FormulaToken::Word(w)) if single => (w.clone(), false),
            Some(FormulaToken::Quoted(w)) if single => (w.clone(), true),
            _ => return self.comparison(),
        };
        self.at += 1;
        if !quoted {
            match name.as_str() {
                "true" | "TRUE" => return Ok(Formula::TRUE),
                "false" | "FALSE" => return Ok(Formula::FALSE),
                "deadlock" => return Ok(self.fs.deadlock()),
                "fireable" if self.token(self.at) == Some(&FormulaToken::Open) => {
                    let transitions = self.transitions()?;
                    return Ok(self.fs.fireable(transitions));
                }
                "fires" if self.token(self.at) == Some(&FormulaToken::Open) => {
                    if self.quantifiers.is_some() {
                        let message = "fires(...) speaks of runs, and a marking has many: only \
                                       formulas of LTL (--ltl) may have it";
                        return Err(self.error(at, message));
                    }
                    let transitions = self.transitions()?;
                    return Ok(self.fs.fires(transitions));
                }
                _ if binary_word(&name).is_some() && !self.symbols.knows_place(&name) => {
                    return Err(self.error(at, format!("{name} needs a formula on its left")));
                }
                _ => {}
            }
            if let Some(message) = self.foreign_operator(at, &name) {
                return Err(self.error(at, message));
            }
        }
        if self.token(self.at) == Some(&FormulaToken::Open) && !quoted {
            let message = format!("unknown operator \"{name}\" (known: X F G fireable fires)");
            return Err(self.error(at, message));
        }
        self.proposition(at, &name)
    }

    /// What to say about an operator of CTL or of the past at `at`, if it is one: it is if
    /// there is no such name, or, without a net, if something follows that no name has behind
    /// it.
    pub(super) fn foreign_operator(&self, at: usize, name: &str) -> Option<String> {
        let operand_follows = match self.token(at + 1) {
            Some(FormulaToken::Word(next)) => {
                binary_word(next).is_none() && hints::past(next).is_none()
            }
            Some(
                FormulaToken::Open
                | FormulaToken::OpenBracket
                | FormulaToken::Not
                | FormulaToken::Number(_)
                | FormulaToken::Quoted(_)
                | FormulaToken::Next
                | FormulaToken::Finally
                | FormulaToken::Globally
                | FormulaToken::Angle,
            ) => true,
            _ => false,
        };
        let free = !self.symbols.is_open() && !self.symbols.knows_transition(name);
        if self.symbols.knows_place(name) || !(operand_follows || free) {
            return None;
        }
        let known = |rest: &str| {
            matches!(rest, "true" | "false" | "deadlock" | "fireable" | "fires" | "not")
                || self.symbols.knows_place(rest)
        };
        let past = hints::past(name).filter(|_| !matches!(name, "S" | "T"));
        hints::branching_time(name, known).or(past)
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
            return Err(self.error(at, self.symbols.trouble(NameKind::Place, &e)));
        }
        let message = format!("compare place \"{name}\" with a number, as in \"{name}\" >= 1");
        Err(self.error(at, message))
    }

    /// `( t, ... )` after `fireable` or `fires`.
    fn transitions(&mut self) -> Result<Vec<TransitionId>, ParseError> {
        let close = self.closing[self.at];
        let mut transitions = Vec::new();
        self.at += 1;
        loop {
            let name = match self.token(self.at) {
                Some(
                    FormulaToken::Word(name)
                    | FormulaToken::Quoted(name)
                    | FormulaToken::Number(name),
                ) => name.clone(),
                _ => return Err(self.error(self.at, "the name of a transition is missing here")),
            };
            match self.symbols.transitions(&name) {
                Ok(targets) => transitions.extend(targets),
                Err(e) => {
                    let message = self.symbols.trouble(NameKind::Transition, &e);
                    return Err(self.error(self.at, message));
                }
            }
            self.at += 1;
            match self.token(self.at) {
                Some(FormulaToken::Comma) => self.at += 1,
                _ if self.at == close => break,
                _ => return Err(self.error(self.at, "expected a comma or a parenthesis here")),
            }
        }
        self.at = close + 1;
        Ok(transitions)
    }
}
