//! Expressions of random programs: their text, and their values.

use std::collections::BTreeMap;

/// Values of the array.
pub(super) const LENGTH: i64 = 3;

/// An expression.
#[derive(Clone, Debug)]
pub enum DveTree {
    /// A number.
    Number(i64),
    /// A variable: a global one, or one of a process.
    Variable(Option<usize>, &'static str),
    /// An element of the global array.
    Element(Box<DveTree>),
    /// Whether a process is at a location.
    At(usize, usize),
    /// An operator before its operand.
    Unary(&'static str, Box<DveTree>),
    /// An operator between its operands.
    Binary(&'static str, Box<DveTree>, Box<DveTree>),
}

/// A step went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong;

/// The values of a state, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DveValues {
    pub(super) globals: BTreeMap<&'static str, i64>,
    pub(super) array: [i64; LENGTH as usize],
    pub(super) buffer: Vec<i64>,
    pub(super) processes: Vec<(usize, BTreeMap<&'static str, i64>)>,
}

/// How tightly an operator binds, and what a program that groups to the left prints.
fn tightness(operator: &str) -> u32 {
    match operator {
        "imply" => 0,
        "&&" | "||" => 1,
        "&" | "|" | "^" => 2,
        "==" | "!=" => 3,
        "<" | "<=" | ">" | ">=" => 4,
        "<<" | ">>" => 5,
        "+" | "-" => 6,
        _ => 7,
    }
}

impl DveTree {
    /// The text, as process `home` writes it; outside of processes there is none.
    pub fn text(&self, home: Option<usize>) -> String {
        match self {
            DveTree::Number(n) if *n < 0 => format!("(-{})", -n),
            DveTree::Number(n) => n.to_string(),
            DveTree::Variable(None, name) => (*name).to_owned(),
            DveTree::Variable(owner, name) if *owner == home => (*name).to_owned(),
            DveTree::Variable(Some(p), name) => format!("P{p}->{name}"),
            DveTree::Element(index) => format!("a[{}]", index.text(home)),
            DveTree::At(p, l) => format!("P{p}.s{l}"),
            DveTree::Unary(operator, operand) => {
                let text = operand.text(home);
                match **operand {
                    DveTree::Binary(..) => format!("{operator} ({text})"),
                    _ => format!("{operator} {text}"),
                }
            }
            DveTree::Binary(operator, left, right) => {
                let side = |t: &DveTree, least| match t {
                    DveTree::Binary(o, ..) if tightness(o) < least => format!("({})", t.text(home)),
                    _ => t.text(home),
                };
                let own = tightness(operator);
                format!("{} {operator} {}", side(left, own), side(right, own + 1))
            }
        }
    }

    /// The text with all parentheses, as formulas about the program need it.
    pub fn text_with_parentheses(&self) -> String {
        match self {
            DveTree::Element(index) => format!("a[{}]", index.text_with_parentheses()),
            DveTree::Unary(operator, operand) => {
                format!("({operator} {})", operand.text_with_parentheses())
            }
            DveTree::Binary(operator, left, right) => {
                let (left, right) = (left.text_with_parentheses(), right.text_with_parentheses());
                format!("({left} {operator} {right})")
            }
            leaf => leaf.text(None),
        }
    }

    pub(super) fn value(&self, s: &DveValues) -> Result<i64, Wrong> {
        Ok(match self {
            DveTree::Number(n) => *n,
            DveTree::Variable(None, name) => s.globals[name],
            DveTree::Variable(Some(p), name) => s.processes[*p].1[name],
            DveTree::Element(index) => s.array[element(index.value(s)?)?],
            DveTree::At(p, l) => i64::from(s.processes[*p].0 == *l),
            DveTree::Unary(operator, operand) => {
                let v = operand.value(s)?;
                match *operator {
                    "-" => wrapped(-v),
                    "~" => -v - 1,
                    _ => i64::from(v == 0),
                }
            }
            DveTree::Binary(operator, left, right) => {
                let l = left.value(s)?;
                match (*operator, l != 0) {
                    ("&&", false) => return Ok(0),
                    ("||", true) | ("imply", false) => return Ok(1),
                    _ => (),
                }
                let r = right.value(s)?;
                match *operator {
                    "&&" | "||" | "imply" => i64::from(r != 0),
                    "+" => wrapped(l + r),
                    "-" => wrapped(l - r),
                    "*" => wrapped(l * r),
                    "/" | "%" if r == 0 => return Err(Wrong),
                    "/" => wrapped(l / r),
                    "%" => l % r,
                    "&" => l & r,
                    "|" => l | r,
                    "^" => l ^ r,
                    "<<" => wrapped(l << (r & 31)),
                    ">>" => l >> (r & 31),
                    "==" => i64::from(l == r),
                    "!=" => i64::from(l != r),
                    "<" => i64::from(l < r),
                    "<=" => i64::from(l <= r),
                    ">" => i64::from(l > r),
                    ">=" => i64::from(l >= r),
                    other => panic!("no operator {other}"),
                }
            }
        })
    }
}

/// The value in arithmetic of 32 bits.
fn wrapped(value: i64) -> i64 {
    let low = value & 0xFFFF_FFFF;
    if low >= 1 << 31 { low - (1 << 32) } else { low }
}

pub(super) fn element(index: i64) -> Result<usize, Wrong> {
    if (0..LENGTH).contains(&index) { Ok(index as usize) } else { Err(Wrong) }
}
