//! Expressions: from tokens to a tree, with names resolved.
//!
//! From loosest to tightest: `imply`; `or || and &&`; `| & ^`; `== !=`; `< <= >= >`; `<< >>`;
//! `+ -`; `* / %`; and before an operand `- ~ not`. All of them group to the left. That `and`
//! binds no tighter than `or` is DiVinE's grammar.
//!
//! A shunting yard: operators wait on an explicit stack, so nesting costs memory, not call
//! stack. Cost: linear in the number of tokens.

use crate::error::DveError;
use crate::lexer::{DveSpanned, DveToken, number};
use crate::syntax::{DveBinary, DveExpr, DveNode, DveUnary, NodeNumber, VariableId};

/// What a name means in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Variable(VariableId),
    Number(i32),
    /// A constant array.
    Constants(u32),
    At {
        process: u32,
        location: u32,
    },
}

/// Where names are looked up.
pub(crate) trait Scope {
    /// A name alone.
    fn name(&self, name: &str) -> Result<Meaning, String>;

    /// A name of a process: a location or a variable.
    fn member(&self, process: &str, name: &str) -> Result<Meaning, String>;

    /// Whether a variable is an array.
    fn is_array(&self, v: VariableId) -> bool;
}

enum Waiting {
    Unary(DveUnary),
    Binary(DveBinary),
    Parenthesis(usize),
    /// `[` after an array.
    Index(Meaning, usize),
}

const TIGHTEST: u8 = 8;

fn precedence(operator: DveBinary) -> u8 {
    match operator {
        DveBinary::Imply => 0,
        DveBinary::And | DveBinary::Or => 1,
        DveBinary::BitAnd | DveBinary::BitOr | DveBinary::BitXor => 2,
        DveBinary::Equal | DveBinary::Different => 3,
        DveBinary::Less | DveBinary::LessEqual | DveBinary::Greater | DveBinary::GreaterEqual => 4,
        DveBinary::ShiftLeft | DveBinary::ShiftRight => 5,
        DveBinary::Add | DveBinary::Subtract => 6,
        DveBinary::Multiply | DveBinary::Divide | DveBinary::Remainder => 7,
    }
}

fn binary(token: DveToken<'_>) -> Option<DveBinary> {
    let (DveToken::Symbol(text) | DveToken::Word(text)) = token else { return None };
    Some(match text {
        "imply" => DveBinary::Imply,
        "and" | "&&" => DveBinary::And,
        "or" | "||" => DveBinary::Or,
        "&" => DveBinary::BitAnd,
        "|" => DveBinary::BitOr,
        "^" => DveBinary::BitXor,
        "==" => DveBinary::Equal,
        "!=" => DveBinary::Different,
        "<" => DveBinary::Less,
        "<=" => DveBinary::LessEqual,
        ">" => DveBinary::Greater,
        ">=" => DveBinary::GreaterEqual,
        "<<" => DveBinary::ShiftLeft,
        ">>" => DveBinary::ShiftRight,
        "+" => DveBinary::Add,
        "-" => DveBinary::Subtract,
        "*" => DveBinary::Multiply,
        "/" => DveBinary::Divide,
        "%" => DveBinary::Remainder,
        _ => return None,
    })
}

/// Reads an expression that fills these tokens of a text.
pub(crate) fn expression(
    source: &str,
    tokens: &[DveSpanned<'_>],
    scope: &dyn Scope,
) -> Result<DveExpr, DveError> {
    let mut yard = Yard {
        source,
        tokens,
        scope,
        at: 0,
        nodes: Vec::new(),
        operands: Vec::new(),
        waiting: Vec::new(),
    };
    yard.run()?;
    debug_assert_eq!(yard.operands.len(), 1, "one expression");
    Ok(DveExpr { nodes: yard.nodes })
}

struct Yard<'s, 'a> {
    source: &'s str,
    tokens: &'s [DveSpanned<'a>],
    scope: &'s dyn Scope,
    at: usize,
    nodes: Vec<DveNode>,
    operands: Vec<NodeNumber>,
    waiting: Vec<Waiting>,
}

type Reading<T> = Result<T, DveError>;

impl<'a> Yard<'_, 'a> {
    fn offset(&self, at: usize) -> usize {
        match (self.tokens.get(at), self.tokens.last()) {
            (Some(token), _) => token.offset,
            // Where the text goes on behind the expression.
            (None, Some(last)) => last.offset + self.width(last.token),
            (None, None) => self.source.len(),
        }
    }

    fn width(&self, token: DveToken<'_>) -> usize {
        match token {
            DveToken::Word(text) | DveToken::Digits(text) => text.len(),
            DveToken::Symbol(text) => text.len(),
        }
    }

    fn wrong<T>(&self, at: usize, message: impl Into<String>) -> Reading<T> {
        Err(DveError::new(self.source, self.offset(at), message))
    }

    fn next(&mut self) -> Option<DveToken<'a>> {
        let token = self.tokens.get(self.at).map(|t| t.token);
        self.at += usize::from(token.is_some());
        token
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let takes = matches!(self.tokens.get(self.at), Some(DveSpanned { token: DveToken::Symbol(s), .. }) if *s == symbol);
        self.at += usize::from(takes);
        takes
    }

    fn push(&mut self, node: DveNode) {
        self.operands.push(NodeNumber(self.nodes.len() as u32));
        self.nodes.push(node);
    }

    fn run(&mut self) -> Reading<()> {
        loop {
            while self.operand()? {}
            loop {
                if self.at == self.tokens.len() {
                    return self.end();
                }
                let at = self.at;
                let token = self.next();
                if let Some(operator) = token.and_then(binary) {
                    self.apply_down_to(precedence(operator));
                    self.waiting.push(Waiting::Binary(operator));
                    break;
                }
                match token {
                    Some(DveToken::Symbol(")")) => self.close(at)?,
                    Some(DveToken::Symbol("]")) => self.close_index(at)?,
                    _ => return self.wrong(at, "expected an operator here"),
                }
            }
        }
    }

    /// Reads what may stand where an operand is due; false once there was one.
    fn operand(&mut self) -> Reading<bool> {
        let at = self.at;
        let waiting = match self.next() {
            Some(DveToken::Symbol("-")) => Waiting::Unary(DveUnary::Negate),
            Some(DveToken::Symbol("~")) => Waiting::Unary(DveUnary::Complement),
            Some(DveToken::Word("not")) => Waiting::Unary(DveUnary::Not),
            Some(DveToken::Symbol("!")) => {
                return self.wrong(at, "\"not\" is how this language negates");
            }
            Some(DveToken::Symbol("(")) => Waiting::Parenthesis(at),
            Some(DveToken::Digits(digits)) => match number(digits) {
                Ok(value) => {
                    self.push(DveNode::Number(value));
                    return Ok(false);
                }
                Err(message) => return self.wrong(at, message),
            },
            Some(DveToken::Word("true")) => {
                self.push(DveNode::Number(1));
                return Ok(false);
            }
            Some(DveToken::Word("false")) => {
                self.push(DveNode::Number(0));
                return Ok(false);
            }
            Some(DveToken::Word(word)) => return self.word(at, word),
            _ => return self.wrong(at, "expected a number, a name or \"(\" here"),
        };
        self.waiting.push(waiting);
        Ok(true)
    }

    /// A name, or the array whose index follows.
    fn word(&mut self, at: usize, word: &str) -> Reading<bool> {
        let meaning = if self.takes(".") || self.takes("->") {
            let behind = self.at;
            match self.next() {
                Some(DveToken::Word(name)) => self.scope.member(word, name),
                _ => return self.wrong(behind, format!("expected a name of process {word}")),
            }
        } else {
            self.scope.name(word)
        };
        let meaning = match meaning {
            Ok(meaning) => meaning,
            Err(message) => return self.wrong(at, message),
        };
        if self.takes("[") {
            let indexed = match meaning {
                Meaning::Variable(v) => self.scope.is_array(v),
                Meaning::Constants(_) => true,
                Meaning::Number(_) | Meaning::At { .. } => false,
            };
            if !indexed {
                return self.wrong(at, format!("{word} is no array"));
            }
            self.waiting.push(Waiting::Index(meaning, at));
            return Ok(true);
        }
        match meaning {
            Meaning::Variable(v) => self.push(DveNode::Variable(v)),
            Meaning::Number(value) => self.push(DveNode::Number(value)),
            Meaning::At { process, location } => self.push(DveNode::At { process, location }),
            Meaning::Constants(_) => {
                return self.wrong(at, format!("{word} is a constant array and needs an index"));
            }
        }
        Ok(false)
    }

    /// Applies waiting operators that bind at least as tightly.
    fn apply_down_to(&mut self, least: u8) {
        loop {
            match self.waiting.last() {
                Some(&Waiting::Unary(operator)) if TIGHTEST >= least => {
                    self.waiting.pop();
                    if let Some(operand) = self.operands.pop() {
                        self.push(DveNode::Unary(operator, operand));
                    }
                }
                Some(&Waiting::Binary(operator)) if precedence(operator) >= least => {
                    self.waiting.pop();
                    if let (Some(right), Some(left)) = (self.operands.pop(), self.operands.pop()) {
                        self.push(DveNode::Binary(operator, left, right));
                    }
                }
                _ => return,
            }
        }
    }

    fn close(&mut self, at: usize) -> Reading<()> {
        self.apply_down_to(0);
        match self.waiting.pop() {
            Some(Waiting::Parenthesis(_)) => Ok(()),
            _ => self.wrong(at, "this \")\" has no \"(\""),
        }
    }

    fn close_index(&mut self, at: usize) -> Reading<()> {
        self.apply_down_to(0);
        let (Some(Waiting::Index(meaning, _)), Some(index)) =
            (self.waiting.pop(), self.operands.pop())
        else {
            return self.wrong(at, "this \"]\" has no \"[\"");
        };
        match meaning {
            Meaning::Constants(array) => self.push(DveNode::Constant(array, index)),
            Meaning::Variable(v) => self.push(DveNode::Element(v, index)),
            Meaning::Number(_) | Meaning::At { .. } => (),
        }
        Ok(())
    }

    fn end(&mut self) -> Reading<()> {
        self.apply_down_to(0);
        match self.waiting.last() {
            Some(Waiting::Parenthesis(at)) => self.wrong(*at, "this \"(\" has no \")\""),
            Some(Waiting::Index(_, at)) => self.wrong(*at, "the index has no \"]\""),
            _ => Ok(()),
        }
    }
}
