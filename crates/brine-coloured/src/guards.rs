//! Guards: when a binding of a transition's variables is allowed.
//!
//! A guard is a list of conjuncts, each a small postfix program over comparisons. The
//! outermost conjunction is split so that the unfolding can test each conjunct as soon as
//! its own variables are bound.

use crate::terms::Component;

/// How two values of one simple sort are compared. Orders are those of the declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColourComparison {
    /// The same value.
    Equal,
    /// Different values.
    Different,
    /// Before.
    Less,
    /// Before, or the same.
    LessOrEqual,
    /// After.
    Greater,
    /// After, or the same.
    GreaterOrEqual,
}

impl ColourComparison {
    fn holds(self, a: u32, b: u32) -> bool {
        match self {
            ColourComparison::Equal => a == b,
            ColourComparison::Different => a != b,
            ColourComparison::Less => a < b,
            ColourComparison::LessOrEqual => a <= b,
            ColourComparison::Greater => a > b,
            ColourComparison::GreaterOrEqual => a >= b,
        }
    }
}

/// One step of a conjunct's program, for a stack of truth values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuardOp {
    /// Push a constant.
    Constant(bool),
    /// Push whether the comparison holds.
    Compare(ColourComparison, Component, Component),
    /// Pop that many and push whether all hold.
    And(usize),
    /// Pop that many and push whether one holds.
    Or(usize),
    /// Negate the topmost.
    Not,
}

/// One conjunct.
pub type Conjunct = Vec<GuardOp>;

/// All conjuncts hold; none is no condition.
pub type Guard = Vec<Conjunct>;

/// The truth of a conjunct under a binding of its variables.
pub fn holds(conjunct: &[GuardOp], binding: &[u32]) -> bool {
    let mut stack = Vec::new();
    for op in conjunct {
        let value = match op {
            GuardOp::Constant(value) => *value,
            // Comparisons are checked to have one value on each side.
            GuardOp::Compare(comparison, a, b) => match (a.value(binding), b.value(binding)) {
                (Some(a), Some(b)) => comparison.holds(a, b),
                _ => false,
            },
            GuardOp::And(n) => {
                let from = stack.len().saturating_sub(*n);
                stack.drain(from..).fold(true, |all, v| all & v)
            }
            GuardOp::Or(n) => {
                let from = stack.len().saturating_sub(*n);
                stack.drain(from..).fold(false, |any, v| any | v)
            }
            GuardOp::Not => !stack.pop().unwrap_or(false),
        };
        stack.push(value);
    }
    debug_assert!(stack.len() <= 1, "the program of a condition leaves one value");
    stack.pop().unwrap_or(true)
}

/// The variables of a conjunct, each as often as it occurs.
pub fn variables(conjunct: &[GuardOp]) -> impl Iterator<Item = usize> + '_ {
    conjunct
        .iter()
        .flat_map(|op| match op {
            GuardOp::Compare(_, a, b) => [a.variable(), b.variable()],
            _ => [None, None],
        })
        .flatten()
}

/// One program for the conjunction.
pub fn join(mut guard: Guard) -> Conjunct {
    match guard.len() {
        1 => guard.pop().unwrap_or_default(),
        n => {
            let mut ops: Conjunct = guard.into_iter().flatten().collect();
            ops.push(GuardOp::And(n));
            ops
        }
    }
}
