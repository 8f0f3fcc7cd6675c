//! From text to commands.
//!
//! ```text
//! model       ::=  { declaration }
//! declaration ::=  const NAME = expression ;
//!               |  var NAME = expression ;
//!               |  var NAME [ expression ] = expression ;
//!               |  var NAME [ expression ] = { expression , ... } ;
//!               |  NAME : expression -> assignment , ... ;
//!               |  NAME : expression -> skip ;
//! assignment  ::=  NAME := expression  |  NAME [ expression ] := expression
//! ```
//!
//! Names are declared before they are used. Expressions are read by a shunting yard, whose
//! operators wait on an explicit stack, straight into postfix code. Cost: linear in the
//! length of the text and the sizes of the arrays.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{ArraySlots, Code, GclBinary, GclOp};
use super::lexer::{GclError, GclSpanned, GclToken, tokens};
use super::model::{AssignmentTarget, GuardedCommand, GuardedCommands, LARGEST, Update};
use crate::interface::SlotId;

/// Most slots of a model.
const MAX_SLOTS: u32 = 1 << 20;

/// Reads a model.
///
/// ```
/// use brine_pins::{gcl, matrix_text};
/// let model = gcl::parse("var i = 0; var b[2] = 0; W: true -> b[i] := 1;").unwrap();
/// assert_eq!(matrix_text(&model), ["rWW"]);
/// let error = gcl::parse("var i = 0;\nw: i = 0 -> j := 1;").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 13));
/// ```
pub fn parse(source: &str) -> Result<GuardedCommands, GclError> {
    let tokens = tokens(source)?;
    let mut parser = GclParser {
        source,
        tokens,
        at: 0,
        meanings: FxHashMap::default(),
        model: GuardedCommands::default(),
    };
    while parser.at < parser.tokens.len() {
        parser.declaration()?;
    }
    Ok(parser.model)
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum NameMeaning {
    Constant(i64),
    Variable(SlotId),
    Array(ArraySlots),
    Command,
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy, PartialEq, Debug)]
enum GclWaiting {
    Open,
    Index(ArraySlots),
    Negate,
    Not,
    Binary(GclBinary),
    /// With the place of the jump over the right operand.
    And(usize),
    Or(usize),
}

impl GclWaiting {
    /// How tightly the operator binds; parentheses and brackets let nothing through.
    fn strength(self) -> u8 {
        match self {
            GclWaiting::Open | GclWaiting::Index(_) => 0,
            GclWaiting::Or(_) => 1,
            GclWaiting::And(_) => 2,
            GclWaiting::Not => 3,
            GclWaiting::Binary(op) => match op {
                GclBinary::Add | GclBinary::Subtract => 5,
                GclBinary::Multiply | GclBinary::Divide | GclBinary::Remainder => 6,
                _ => 4,
            },
            GclWaiting::Negate => 7,
        }
    }
}

struct GclParser<'a> {
    source: &'a str,
    tokens: Vec<GclSpanned>,
    at: usize,
    meanings: FxHashMap<String, NameMeaning>,
    model: GuardedCommands,
}

impl GclParser<'_> {
    fn token(&self) -> Option<&GclToken> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T, GclError> {
        let offset = self.tokens.get(at).map_or(self.source.len(), |t| t.offset);
        Err(GclError::new(self.source, offset, message))
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Some(GclToken::Symbol(s)) if *s == symbol)
    }

    /// Moves past a symbol if it is there.
    fn take(&mut self, symbol: &str) -> bool {
        let there = self.is(symbol);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, symbol: &str) -> Result<(), GclError> {
        if self.take(symbol) {
            Ok(())
        } else {
            self.error(self.at, format!("expected \"{symbol}\""))
        }
    }

    fn name(&mut self, what: &str) -> Result<String, GclError> {
        match self.token() {
            Some(GclToken::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.error(self.at, format!("expected the name of {what}")),
        }
    }

    /// A name that has no meaning yet.
    fn new_name(&mut self, what: &str) -> Result<String, GclError> {
        let at = self.at;
        let name = self.name(what)?;
        if matches!(name.as_str(), "true" | "false" | "skip" | "var" | "const") {
            return self.error(at, format!("\"{name}\" is a word of the language"));
        }
        if self.meanings.contains_key(&name) {
            return self.error(at, format!("\"{name}\" is declared twice"));
        }
        Ok(name)
    }

    fn declaration(&mut self) -> Result<(), GclError> {
        match self.token() {
            Some(GclToken::Word(word)) if word == "const" => {
                self.at += 1;
                let name = self.new_name("a constant")?;
                self.expect("=")?;
                let value = self.constant("a constant")?;
                self.meanings.insert(name, NameMeaning::Constant(value));
            }
            Some(GclToken::Word(word)) if word == "var" => {
                self.at += 1;
                self.variable()?;
            }
            Some(GclToken::Word(_)) => self.command()?,
            _ => return self.error(self.at, "expected var, const or a command (name: ...)"),
        }
        self.expect(";")
    }

    fn variable(&mut self) -> Result<(), GclError> {
        let name = self.new_name("a variable")?;
        if !self.take("[") {
            self.expect("=")?;
            let value = self.initial_value()?;
            let slot = self.add_slot(name.clone(), value)?;
            self.meanings.insert(name, NameMeaning::Variable(slot));
            return Ok(());
        }
        let at = self.at;
        let length = self.constant("the length of an array")?;
        let length = match u32::try_from(length) {
            Ok(length @ 1..=MAX_SLOTS) => length,
            _ => return self.error(at, format!("an array has 1 to {MAX_SLOTS} elements")),
        };
        self.expect("]")?;
        self.expect("=")?;
        let values = self.initial_values(length)?;
        let first = self.model.names.len() as u32;
        for (i, value) in values.into_iter().enumerate() {
            self.add_slot(format!("{name}[{i}]"), value)?;
        }
        self.meanings.insert(name, NameMeaning::Array(ArraySlots { first, length }));
        Ok(())
    }

    /// `{a, b, ...}`, or one value for all elements.
    fn initial_values(&mut self, length: u32) -> Result<Vec<u32>, GclError> {
        let at = self.at;
        if !self.take("{") {
            return Ok(vec![self.initial_value()?; length as usize]);
        }
        let mut values = vec![self.initial_value()?];
        while self.take(",") {
            values.push(self.initial_value()?);
        }
        self.expect("}")?;
        if values.len() != length as usize {
            let message = format!("{} values for {length} elements", values.len());
            return self.error(at, message);
        }
        Ok(values)
    }

    fn add_slot(&mut self, name: String, value: u32) -> Result<SlotId, GclError> {
        let slot = SlotId(self.model.names.len() as u32);
        if slot.0 >= MAX_SLOTS {
            return self.error(self.at, format!("more than {MAX_SLOTS} variables"));
        }
        self.model.names.push(name);
        self.model.initial.push(value);
        Ok(slot)
    }

    /// An expression that does not depend on the state.
    fn constant(&mut self, what: &str) -> Result<i64, GclError> {
        let at = self.at;
        let code = self.expression()?;
        match code.constant() {
            Some(value) => Ok(value),
            None => self.error(at, format!("{what} cannot depend on variables or be undefined")),
        }
    }

    fn initial_value(&mut self) -> Result<u32, GclError> {
        let at = self.at;
        let value = self.constant("an initial value")?;
        match u32::try_from(value) {
            Ok(value) if value <= LARGEST => Ok(value),
            _ => self.error(at, format!("the value {value} is not within 0 to {LARGEST}")),
        }
    }

    fn command(&mut self) -> Result<(), GclError> {
        let line = GclError::new(self.source, self.tokens[self.at].offset, "").line;
        let name = self.new_name("a command")?;
        self.expect(":")?;
        let guard = self.expression()?;
        self.expect("->")?;
        let mut updates = Vec::new();
        let mut assigned = FxHashSet::default();
        loop {
            if matches!(self.token(), Some(GclToken::Word(word)) if word == "skip") {
                self.at += 1;
            } else {
                let at = self.at;
                let update = self.assignment()?;
                if let Some(Update { target: AssignmentTarget::Slot(slot), .. }) = update
                    && !assigned.insert(slot)
                {
                    let name = self.model.names[slot.index()].clone();
                    return self.error(at, format!("{name} is assigned twice in one command"));
                }
                updates.extend(update);
            }
            if !self.take(",") {
                break;
            }
        }
        self.meanings.insert(name.clone(), NameMeaning::Command);
        let row = GuardedCommand::dependencies(&guard, &updates);
        self.model.commands.push(GuardedCommand { name, line, guard, updates, row });
        Ok(())
    }

    /// An assignment; `None` for a copy.
    fn assignment(&mut self) -> Result<Option<Update>, GclError> {
        let at = self.at;
        let name = self.name("a variable")?;
        let (target, same) = match self.meanings.get(&name).copied() {
            Some(NameMeaning::Variable(slot)) => {
                (AssignmentTarget::Slot(slot), vec![GclOp::Slot(slot)])
            }
            Some(NameMeaning::Array(array)) => {
                self.expect("[")?;
                let index = self.expression()?;
                self.expect("]")?;
                self.element(at, array, index)?
            }
            _ => return self.error(at, format!("\"{name}\" is no variable")),
        };
        self.expect(":=")?;
        let value = self.expression()?;
        Ok((value.0 != same).then_some(Update { target, value }))
    }

    /// An element as a target, with the code that reads it.
    fn element(
        &self,
        at: usize,
        array: ArraySlots,
        index: Code,
    ) -> Result<(AssignmentTarget, Vec<GclOp>), GclError> {
        let Some(constant) = index.constant() else {
            let mut same = index.0.clone();
            same.push(GclOp::Element(array));
            return Ok((AssignmentTarget::Element { array, index }, same));
        };
        match array.slot(constant) {
            Ok(slot) => Ok((AssignmentTarget::Slot(slot), vec![GclOp::Slot(slot)])),
            Err(message) => self.error(at, message),
        }
    }

    /// An expression up to the first token that cannot belong to it.
    fn expression(&mut self) -> Result<Code, GclError> {
        let mut code = Code::default();
        let mut waiting = Vec::new();
        loop {
            self.operand(&mut code, &mut waiting)?;
            self.close(&mut code, &mut waiting)?;
            let Some(operator) = self.operator() else { break };
            apply_until(operator.strength(), &mut code, &mut waiting);
            self.at += 1;
            waiting.push(match operator {
                GclWaiting::And(_) | GclWaiting::Or(_) => {
                    code.0.push(GclOp::Constant(0));
                    let jump = code.0.len() - 1;
                    if operator == GclWaiting::And(0) {
                        GclWaiting::And(jump)
                    } else {
                        GclWaiting::Or(jump)
                    }
                }
                other => other,
            });
        }
        apply_until(0, &mut code, &mut waiting);
        match waiting.pop() {
            Some(GclWaiting::Index(_)) => self.error(self.at, "expected \"]\" or an operator"),
            Some(_) => self.error(self.at, "expected \")\" or an operator"),
            None => Ok(code),
        }
    }

    /// Prefix operators and parentheses up to and including the next operand.
    fn operand(&mut self, code: &mut Code, waiting: &mut Vec<GclWaiting>) -> Result<(), GclError> {
        loop {
            let at = self.at;
            let token = self.token().cloned();
            self.at += 1;
            match token {
                Some(GclToken::Number(n)) => code.0.push(GclOp::Constant(n)),
                Some(GclToken::Symbol("(")) => {
                    waiting.push(GclWaiting::Open);
                    continue;
                }
                Some(GclToken::Symbol("-")) => {
                    waiting.push(GclWaiting::Negate);
                    continue;
                }
                Some(GclToken::Symbol("!")) => {
                    waiting.push(GclWaiting::Not);
                    continue;
                }
                Some(GclToken::Word(word)) => match self.meanings.get(&word).copied() {
                    _ if word == "true" => code.0.push(GclOp::Constant(1)),
                    _ if word == "false" => code.0.push(GclOp::Constant(0)),
                    Some(NameMeaning::Constant(value)) => code.0.push(GclOp::Constant(value)),
                    Some(NameMeaning::Variable(slot)) => code.0.push(GclOp::Slot(slot)),
                    Some(NameMeaning::Array(array)) => {
                        self.expect("[")?;
                        waiting.push(GclWaiting::Index(array));
                        continue;
                    }
                    Some(NameMeaning::Command) => {
                        return self.error(at, format!("\"{word}\" is a command, not a variable"));
                    }
                    None => return self.error(at, format!("\"{word}\" is not declared")),
                },
                _ => return self.error(at, "an expression is missing here"),
            }
            return Ok(());
        }
    }

    /// Closing parentheses and brackets after an operand, as far as they belong here.
    fn close(&mut self, code: &mut Code, waiting: &mut Vec<GclWaiting>) -> Result<(), GclError> {
        while self.is(")") || self.is("]") {
            apply_until(0, code, waiting);
            match (self.is(")"), waiting.last().copied()) {
                (true, Some(GclWaiting::Open)) => {}
                (false, Some(GclWaiting::Index(array))) => self.read_element(array, code)?,
                (_, None) => return Ok(()),
                (true, _) => return self.error(self.at, "expected \"]\" here"),
                (false, _) => return self.error(self.at, "expected \")\" here"),
            }
            waiting.pop();
            self.at += 1;
        }
        Ok(())
    }

    /// Appends the reading of an element whose index ends the code.
    fn read_element(&self, array: ArraySlots, code: &mut Code) -> Result<(), GclError> {
        match code.0.last() {
            // A lone constant index names one slot; longer code may look constant at its end.
            Some(&GclOp::Constant(index)) if self.follows_bracket() => match array.slot(index) {
                Ok(slot) => {
                    code.0.pop();
                    code.0.push(GclOp::Slot(slot));
                }
                Err(message) => return self.error(self.at - 1, message),
            },
            _ => code.0.push(GclOp::Element(array)),
        }
        Ok(())
    }

    /// Whether the index before the current `]` is a single token.
    fn follows_bracket(&self) -> bool {
        self.at >= 2 && self.tokens[self.at - 2].token == GclToken::Symbol("[")
    }

    /// The operator at the current token, without its jump.
    fn operator(&self) -> Option<GclWaiting> {
        let Some(GclToken::Symbol(symbol)) = self.token() else { return None };
        let binary = match *symbol {
            "&" => return Some(GclWaiting::And(0)),
            "|" => return Some(GclWaiting::Or(0)),
            "+" => GclBinary::Add,
            "-" => GclBinary::Subtract,
            "*" => GclBinary::Multiply,
            "/" => GclBinary::Divide,
            "%" => GclBinary::Remainder,
            "=" => GclBinary::Equal,
            "!=" => GclBinary::Different,
            "<" => GclBinary::Less,
            "<=" => GclBinary::LessEqual,
            ">" => GclBinary::Greater,
            ">=" => GclBinary::GreaterEqual,
            _ => return None,
        };
        Some(GclWaiting::Binary(binary))
    }
}

/// Applies waiting operators that bind at least as tightly, up to the next parenthesis.
fn apply_until(strength: u8, code: &mut Code, waiting: &mut Vec<GclWaiting>) {
    while let Some(&operator) = waiting.last() {
        if operator.strength() == 0 || operator.strength() < strength {
            return;
        }
        waiting.pop();
        match operator {
            GclWaiting::Negate => code.0.push(GclOp::Negate),
            GclWaiting::Not => code.0.push(GclOp::Not),
            GclWaiting::Binary(binary) => code.0.push(GclOp::Binary(binary)),
            GclWaiting::And(jump) | GclWaiting::Or(jump) => {
                code.0.push(GclOp::Truth);
                let end = code.0.len();
                let and = matches!(operator, GclWaiting::And(_));
                code.0[jump] = if and { GclOp::JumpIfFalse(end) } else { GclOp::JumpIfTrue(end) };
            }
            GclWaiting::Open | GclWaiting::Index(_) => {}
        }
    }
}
