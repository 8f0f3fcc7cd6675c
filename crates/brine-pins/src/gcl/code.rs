//! Expressions as postfix code: no tree, no recursion.

use crate::interface::SlotId;

/// An operator with two operands, both evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GclBinary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// One instruction of a stack machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GclOp {
    Constant(i64),
    /// The value of a slot.
    Slot(SlotId),
    /// Pops an index, pushes that element of the array.
    Element(ArraySlots),
    Negate,
    Not,
    Binary(GclBinary),
    /// If the top is false, makes it 0 and jumps; else pops it.
    JumpIfFalse(usize),
    /// If the top is true, makes it 1 and jumps; else pops it.
    JumpIfTrue(usize),
    /// Makes the top 0 or 1.
    Truth,
}

/// The slots of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ArraySlots {
    pub(super) first: u32,
    pub(super) length: u32,
}

impl ArraySlots {
    /// The slot of an element.
    pub(super) fn slot(self, index: i64) -> Result<SlotId, String> {
        match u32::try_from(index).ok().filter(|i| *i < self.length) {
            Some(i) => Ok(SlotId(self.first + i)),
            None => Err(format!("index {index} is outside of an array of {}", self.length)),
        }
    }

    /// All slots.
    pub(super) fn slots(self) -> impl Iterator<Item = SlotId> {
        (self.first..self.first + self.length).map(SlotId)
    }
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Code(pub(super) Vec<GclOp>);

impl Code {
    /// The slots that the value may depend on.
    pub(super) fn reads(&self) -> Vec<SlotId> {
        let of = |op: &GclOp| match *op {
            GclOp::Slot(slot) => vec![slot],
            GclOp::Element(array) => array.slots().collect(),
            _ => Vec::new(),
        };
        self.0.iter().flat_map(of).collect()
    }

    /// The value, if it does not depend on the state and has one.
    pub(super) fn constant(&self) -> Option<i64> {
        if !self.reads().is_empty() {
            return None;
        }
        self.eval(&|_| Err("no state".to_owned())).ok()
    }

    /// The value in a state.
    pub(super) fn eval(&self, read: &dyn Fn(SlotId) -> Result<u32, String>) -> Result<i64, String> {
        let mut stack: Vec<i64> = Vec::new();
        let mut at = 0;
        while let Some(&op) = self.0.get(at) {
            at += 1;
            let value = match op {
                GclOp::Constant(value) => value,
                GclOp::Slot(slot) => i64::from(read(slot)?),
                GclOp::Element(array) => i64::from(read(array.slot(pop(&mut stack)?)?)?),
                GclOp::Negate => pop(&mut stack)?.checked_neg().ok_or("a number is too large")?,
                GclOp::Not => i64::from(pop(&mut stack)? == 0),
                GclOp::Truth => i64::from(pop(&mut stack)? != 0),
                GclOp::Binary(operator) => {
                    let right = pop(&mut stack)?;
                    operator.apply(pop(&mut stack)?, right)?
                }
                GclOp::JumpIfFalse(target) | GclOp::JumpIfTrue(target) => {
                    let holds = pop(&mut stack)? != 0;
                    if holds != matches!(op, GclOp::JumpIfTrue(_)) {
                        continue;
                    }
                    at = target;
                    i64::from(holds)
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }
}

fn pop(stack: &mut Vec<i64>) -> Result<i64, String> {
    stack.pop().ok_or_else(|| "an operand is missing".to_owned())
}

impl GclBinary {
    fn apply(self, a: i64, b: i64) -> Result<i64, String> {
        let number = match self {
            GclBinary::Add => a.checked_add(b),
            GclBinary::Subtract => a.checked_sub(b),
            GclBinary::Multiply => a.checked_mul(b),
            GclBinary::Divide | GclBinary::Remainder if b == 0 => {
                return Err("division by zero".to_owned());
            }
            GclBinary::Divide => a.checked_div_euclid(b),
            GclBinary::Remainder => a.checked_rem_euclid(b),
            GclBinary::Equal => Some(i64::from(a == b)),
            GclBinary::Different => Some(i64::from(a != b)),
            GclBinary::Less => Some(i64::from(a < b)),
            GclBinary::LessEqual => Some(i64::from(a <= b)),
            GclBinary::Greater => Some(i64::from(a > b)),
            GclBinary::GreaterEqual => Some(i64::from(a >= b)),
        };
        number.ok_or_else(|| "a number is too large".to_owned())
    }
}
