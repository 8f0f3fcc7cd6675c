//! Formulas as text that reads back as the same formula.
//!
//! An explicit work list instead of recursion: pending pieces of text and subformulas,
//! the leftmost on top. Parentheses are set where the strengths of [`crate::parse()`]
//! need them. Cost: linear in the size of the text (shared subformulas are printed as
//! often as they occur).

use crate::atom::{Atom, Linear};
use crate::formula::{Formula, Formulas, Node};
use crate::lexer::is_word_char;
use crate::symbols::Symbols;
use std::fmt::Write;

/// A piece of work: text to print or a formula, with the strength of its surroundings.
enum Piece {
    Text(&'static str),
    Formula(Formula, u8),
}

/// Strengths, as in the parser.
const ARROW: u8 = 1;
const OR: u8 = 2;
const XOR: u8 = 3;
const AND: u8 = 4;
const UNTIL: u8 = 5;
const UNARY: u8 = 6;

impl Formulas {
    /// The text of `f`.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Symbols, parse};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("(F(a)) U (G(b & !c))", &mut fs, &mut symbols).unwrap();
    /// assert_eq!(fs.print(f, &symbols), "F a U G (b & !c)");
    /// ```
    pub fn print(&self, f: Formula, symbols: &Symbols) -> String {
        let mut out = String::new();
        let mut work = vec![Piece::Formula(f, 0)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Formula(f, around) => {
                    self.print_node(f, around, symbols, &mut out, &mut work)
                }
            }
        }
        out
    }

    fn print_node(
        &self,
        f: Formula,
        around: u8,
        symbols: &Symbols,
        out: &mut String,
        work: &mut Vec<Piece>,
    ) {
        let (strength, text, left, right) = match self.node(f) {
            Node::True => return out.push_str("true"),
            Node::False => return out.push_str("false"),
            Node::Atom(a) => return self.atom(a).print_as(true, symbols, out),
            Node::Not(g) => {
                if let Node::Atom(a) = self.node(g) {
                    return self.atom(a).print_as(false, symbols, out);
                }
                out.push('!');
                return work.push(Piece::Formula(g, UNARY));
            }
            Node::X(g) => return unary("X ", g, out, work),
            Node::F(g) => return unary("F ", g, out, work),
            Node::G(g) => return unary("G ", g, out, work),
            Node::And(l) => {
                if let Some((sum, bound)) = self.equation(self.list(l), 0) {
                    return sum.print_with(" = ", bound, symbols, out);
                }
                return list(self.list(l), AND, " & ", around, out, work);
            }
            Node::Or(l) => {
                if let Some((sum, bound)) = self.equation(self.list(l), 1) {
                    return sum.print_with(" != ", bound, symbols, out);
                }
                return list(self.list(l), OR, " | ", around, out, work);
            }
            Node::Implies(a, b) => (ARROW, " -> ", a, b),
            Node::Iff(a, b) => (ARROW, " <-> ", a, b),
            Node::Xor(a, b) => (XOR, " xor ", a, b),
            Node::U(a, b) => (UNTIL, " U ", a, b),
            Node::R(a, b) => (UNTIL, " R ", a, b),
            Node::W(a, b) => (UNTIL, " W ", a, b),
            Node::M(a, b) => (UNTIL, " M ", a, b),
        };
        let bracket = around >= strength;
        if bracket {
            out.push('(');
            work.push(Piece::Text(")"));
        }
        work.push(Piece::Formula(right, strength));
        work.push(Piece::Text(text));
        work.push(Piece::Formula(left, strength));
    }
}

impl Formulas {
    /// What an equation, or with `slack` 1 its negation, was read as: `sum <= b` and
    /// `!(sum <= b - 1)`, or `sum <= b - 1` and `!(sum <= b)`. The sum and b.
    fn equation(&self, operands: &[Formula], slack: i64) -> Option<(&Linear, i64)> {
        let linear = |f: Formula| match self.node(f) {
            Node::Atom(a) => match self.atom(a) {
                Atom::Linear(linear) => Some(linear),
                _ => None,
            },
            _ => None,
        };
        let negated = |f: Formula| match self.node(f) {
            Node::Not(g) => linear(g),
            _ => None,
        };
        let &[f, g] = operands else { return None };
        let (below, not_below) = linear(f).zip(negated(g)).or(linear(g).zip(negated(f)))?;
        let bound = below.bound.checked_add(slack)?;
        let other = not_below.bound.checked_add(1 - slack)?;
        (below.terms == not_below.terms && bound == other).then_some((below, bound))
    }
}

fn unary(op: &str, operand: Formula, out: &mut String, work: &mut Vec<Piece>) {
    out.push_str(op);
    // One less: X X a needs no parentheses.
    work.push(Piece::Formula(operand, UNARY - 1));
}

fn list(
    operands: &[Formula],
    strength: u8,
    op: &'static str,
    around: u8,
    out: &mut String,
    work: &mut Vec<Piece>,
) {
    if around >= strength {
        out.push('(');
        work.push(Piece::Text(")"));
    }
    for (i, &g) in operands.iter().enumerate().rev() {
        work.push(Piece::Formula(g, strength));
        if i > 0 {
            work.push(Piece::Text(op));
        }
    }
}

impl Atom {
    /// The text of the atom.
    pub fn print(&self, symbols: &Symbols) -> String {
        let mut out = String::new();
        self.print_as(true, symbols, &mut out);
        out
    }

    /// The text of the atom or of its negation.
    fn print_as(&self, positive: bool, symbols: &Symbols, out: &mut String) {
        if let Atom::Linear(linear) = self {
            return linear.print(positive, symbols, out);
        }
        if !positive {
            out.push('!');
        }
        match self {
            Atom::Prop(name) => out.push_str(&quote(name)),
            Atom::Deadlock => out.push_str("deadlock"),
            Atom::Fireable(transitions) | Atom::Fires(transitions) => {
                out.push_str(if self.is_event() { "fires(" } else { "fireable(" });
                for (i, &t) in transitions.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    match symbols.transition_label(t) {
                        Some(name) => out.push_str(&quote(name)),
                        None => write!(out, "\"t#{}\"", t.0).expect("strings take all text"),
                    }
                }
                out.push(')');
            }
            Atom::Linear(_) => unreachable!("handled above"),
        }
    }
}

impl Linear {
    /// `sum <= bound`, or for the negation `sum > bound`; negative terms change sides.
    fn print(&self, positive: bool, symbols: &Symbols, out: &mut String) {
        self.print_with(if positive { " <= " } else { " > " }, self.bound, symbols, out);
    }

    /// The sum compared with `bound`.
    fn print_with(&self, comparison: &str, bound: i64, symbols: &Symbols, out: &mut String) {
        let bound = i128::from(bound);
        side(self, 1, (-bound).max(0), symbols, out);
        out.push_str(comparison);
        side(self, -1, bound.max(0), symbols, out);
    }
}

fn side(linear: &Linear, sign: i128, constant: i128, symbols: &Symbols, out: &mut String) {
    let mut separator = "";
    for &(p, c) in &linear.terms {
        let c = i128::from(c) * sign;
        if c <= 0 {
            continue;
        }
        out.push_str(separator);
        separator = " + ";
        if c > 1 {
            write!(out, "{c}*").expect("strings take all text");
        }
        match symbols.place_label(p) {
            Some(name) => out.push_str(&quote(name)),
            None => write!(out, "\"p#{}\"", p.0).expect("strings take all text"),
        }
    }
    if constant > 0 || separator.is_empty() {
        write!(out, "{separator}{constant}").expect("strings take all text");
    }
}

/// The name as it may stand in a formula: in quotes unless it is a plain identifier that
/// cannot be taken for an operator.
fn quote(name: &str) -> String {
    let reserved = [
        "true", "false", "TRUE", "FALSE", "deadlock", "fireable", "not", "and", "or", "xor",
        "xnor", "U", "R", "V", "W", "M",
    ];
    let plain = name.chars().all(is_word_char)
        && !name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'X' | 'F' | 'G'))
        && !name.is_empty()
        && !reserved.contains(&name);
    if plain {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
