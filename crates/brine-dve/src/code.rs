//! Expressions as postfix code, and the tests that guards are made of.
//!
//! Slots are numbers into whatever vector the code runs on: a whole state, or the short vector
//! of a group ([`Code::moved`]). Constant parts are folded, elements with a constant index are
//! plain slots, and the commonest guards are tests without code.

use crate::fault::DveFault;
use crate::syntax::{DveBinary, DveExpr, DveKind, DveNode, DveSystem, DveUnary, NodeNumber};
use std::sync::Arc;

/// A run of slots of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DveArray {
    pub(crate) first: u32,
    pub(crate) length: u32,
    pub(crate) kind: DveKind,
}

impl DveArray {
    /// The slot of an element.
    #[inline]
    pub(crate) fn slot(self, index: i32) -> Result<usize, DveFault> {
        match u32::try_from(index) {
            Ok(i) if i < self.length => Ok((self.first + i) as usize),
            _ => Err(DveFault::Index { index, length: self.length }),
        }
    }

    pub(crate) fn slots(self) -> std::ops::Range<u32> {
        self.first..self.first + self.length
    }
}

/// One instruction of a stack machine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum DveOp {
    Constant(i32),
    Slot(DveKind, u32),
    /// Whether a slot has a value.
    Is(u32, u32),
    /// Pops an index, pushes that element.
    Element(DveArray),
    /// The same with a constant array.
    ConstantElement(Arc<[i32]>),
    Unary(DveUnary),
    Binary(DveBinary),
    /// If the top is false, makes it 0 and jumps; else pops it.
    JumpIfFalse(u32),
    /// If the top is true, makes it 1 and jumps; else pops it.
    JumpIfTrue(u32),
    /// Makes the top 0 or 1.
    Truth,
}

/// An expression.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Code {
    ops: Vec<DveOp>,
    /// The largest height of the stack.
    height: usize,
}

/// Stacks up to this height need no allocation.
const SHALLOW: usize = 16;

enum Emit {
    Visit(NodeNumber),
    Op(DveOp),
    /// A jump over the right operand of a lazy operator, and that operand.
    Lazy(bool, NodeNumber),
    /// The jump at this position leads here.
    Land(usize),
}

impl Code {
    /// Compiles the part of an expression below a node.
    pub(crate) fn new(system: &DveSystem, expr: &DveExpr, root: NodeNumber) -> Code {
        let mut code = Code::default();
        let mut tasks = vec![Emit::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Emit::Visit(n) => Code::visit(system, expr.node(n), &mut tasks),
                Emit::Op(op) => code.push(op),
                Emit::Lazy(when, right) => {
                    let at = code.ops.len();
                    let jump = if when { DveOp::JumpIfTrue } else { DveOp::JumpIfFalse };
                    code.ops.push(jump(0));
                    let then = [Emit::Land(at), Emit::Op(DveOp::Truth), Emit::Visit(right)];
                    tasks.extend(then);
                }
                Emit::Land(at) => {
                    let here = code.ops.len() as u32;
                    if let DveOp::JumpIfTrue(to) | DveOp::JumpIfFalse(to) = &mut code.ops[at] {
                        *to = here;
                    }
                }
            }
        }
        code.height = code.measured();
        code
    }

    /// The value of a slot.
    pub(crate) fn slot(kind: DveKind, slot: u32) -> Code {
        Code { ops: vec![DveOp::Slot(kind, slot)], height: 1 }
    }

    fn visit(system: &DveSystem, node: DveNode, tasks: &mut Vec<Emit>) {
        let array = |v| {
            let variable = system.variable(v);
            let length = variable.length.unwrap_or(1);
            DveArray { first: variable.first, length, kind: variable.kind }
        };
        match node {
            DveNode::Number(value) => tasks.push(Emit::Op(DveOp::Constant(value))),
            DveNode::Variable(v) => {
                tasks.push(Emit::Op(DveOp::Slot(array(v).kind, array(v).first)));
            }
            DveNode::At { process, location } => {
                let slot = system.processes[process as usize].slot;
                tasks.push(Emit::Op(DveOp::Is(slot, location)));
            }
            DveNode::Element(v, index) => {
                tasks.extend([Emit::Op(DveOp::Element(array(v))), Emit::Visit(index)]);
            }
            DveNode::Constant(c, index) => {
                let array: Arc<[i32]> = system.constants[c as usize][..].into();
                tasks.extend([Emit::Op(DveOp::ConstantElement(array)), Emit::Visit(index)]);
            }
            DveNode::Unary(operator, operand) => {
                tasks.extend([Emit::Op(DveOp::Unary(operator)), Emit::Visit(operand)]);
            }
            DveNode::Binary(DveBinary::And, left, right) => {
                tasks.extend([Emit::Lazy(false, right), Emit::Visit(left)]);
            }
            DveNode::Binary(DveBinary::Or, left, right) => {
                tasks.extend([Emit::Lazy(true, right), Emit::Visit(left)]);
            }
            DveNode::Binary(DveBinary::Imply, left, right) => {
                let not = Emit::Op(DveOp::Unary(DveUnary::Not));
                tasks.extend([Emit::Lazy(true, right), not, Emit::Visit(left)]);
            }
            DveNode::Binary(operator, left, right) => {
                let op = Emit::Op(DveOp::Binary(operator));
                tasks.extend([op, Emit::Visit(right), Emit::Visit(left)]);
            }
        }
    }

    /// Appends an instruction, or what is left of it once constants are folded. No jump leads
    /// to a place right behind a constant: what is skipped ends with `Truth`.
    fn push(&mut self, op: DveOp) {
        let folded = match (&op, &self.ops[..]) {
            (DveOp::Binary(operator), [.., DveOp::Constant(a), DveOp::Constant(b)]) => {
                apply(*operator, *a, *b).ok().map(|value| (2, DveOp::Constant(value)))
            }
            (DveOp::Unary(operator), [.., DveOp::Constant(a)]) => {
                Some((1, DveOp::Constant(apply_unary(*operator, *a))))
            }
            (DveOp::Element(array), [.., DveOp::Constant(index)]) => {
                array.slot(*index).ok().map(|slot| (1, DveOp::Slot(array.kind, slot as u32)))
            }
            (DveOp::ConstantElement(array), [.., DveOp::Constant(index)]) => {
                let value = usize::try_from(*index).ok().and_then(|i| array.get(i));
                value.map(|&value| (1, DveOp::Constant(value)))
            }
            _ => None,
        };
        match folded {
            Some((operands, op)) => {
                self.ops.truncate(self.ops.len() - operands);
                self.ops.push(op);
            }
            None => self.ops.push(op),
        }
    }

    /// The largest height of the stack: jumps skip balanced code, so a straight walk will do.
    fn measured(&self) -> usize {
        let (mut height, mut most) = (0usize, 0);
        for op in &self.ops {
            match op {
                DveOp::Constant(_) | DveOp::Slot(..) | DveOp::Is(..) => height += 1,
                DveOp::Binary(_) | DveOp::JumpIfFalse(_) | DveOp::JumpIfTrue(_) => height -= 1,
                _ => (),
            }
            most = most.max(height);
        }
        most
    }

    /// The slots that the value may depend on.
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> + '_ {
        self.ops.iter().flat_map(|op| match *op {
            DveOp::Slot(_, slot) | DveOp::Is(slot, _) => slot..slot + 1,
            DveOp::Element(array) => array.slots(),
            _ => 0..0,
        })
    }

    /// The value, if it is known without a state.
    pub(crate) fn constant(&self) -> Option<i32> {
        match self.ops[..] {
            [DveOp::Constant(value)] => Some(value),
            _ => None,
        }
    }

    /// The same code on another vector.
    pub(crate) fn moved(&self, to: &dyn Fn(u32) -> u32) -> Code {
        let moved = |op: &DveOp| match *op {
            DveOp::Slot(kind, slot) => DveOp::Slot(kind, to(slot)),
            DveOp::Is(slot, value) => DveOp::Is(to(slot), value),
            DveOp::Element(array) => DveOp::Element(DveArray { first: to(array.first), ..array }),
            ref other => other.clone(),
        };
        Code { ops: self.ops.iter().map(moved).collect(), height: self.height }
    }

    /// Whether it might have no value.
    pub(crate) fn may_fail(&self) -> bool {
        self.ops.iter().any(|op| match op {
            DveOp::Element(_) | DveOp::ConstantElement(_) => true,
            DveOp::Binary(operator) => {
                matches!(operator, DveBinary::Divide | DveBinary::Remainder)
            }
            _ => false,
        })
    }

    /// The value on a vector.
    pub(crate) fn eval(&self, state: &[u32]) -> Result<i32, DveFault> {
        match self.ops[..] {
            [DveOp::Constant(value)] => Ok(value),
            [DveOp::Slot(kind, slot)] => Ok(kind.decode(state[slot as usize])),
            _ if self.height <= SHALLOW => self.run(state, &mut [0; SHALLOW]),
            _ => self.run(state, &mut vec![0; self.height]),
        }
    }

    fn run(&self, state: &[u32], stack: &mut [i32]) -> Result<i32, DveFault> {
        // The height; the top is below it.
        let mut top = 0;
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match op {
                DveOp::Constant(value) => {
                    stack[top] = *value;
                    top += 1;
                }
                DveOp::Slot(kind, slot) => {
                    stack[top] = kind.decode(state[*slot as usize]);
                    top += 1;
                }
                DveOp::Is(slot, value) => {
                    stack[top] = i32::from(state[*slot as usize] == *value);
                    top += 1;
                }
                DveOp::Element(array) => {
                    stack[top - 1] = array.kind.decode(state[array.slot(stack[top - 1])?]);
                }
                DveOp::ConstantElement(array) => {
                    let index = stack[top - 1];
                    let value = usize::try_from(index).ok().and_then(|i| array.get(i));
                    let length = array.len() as u32;
                    stack[top - 1] = *value.ok_or(DveFault::Index { index, length })?;
                }
                DveOp::Unary(operator) => {
                    stack[top - 1] = apply_unary(*operator, stack[top - 1]);
                }
                DveOp::Binary(operator) => {
                    top -= 1;
                    stack[top - 1] = apply(*operator, stack[top - 1], stack[top])?;
                }
                DveOp::JumpIfFalse(to) | DveOp::JumpIfTrue(to) => {
                    let holds = stack[top - 1] != 0;
                    if holds == matches!(op, DveOp::JumpIfTrue(_)) {
                        stack[top - 1] = i32::from(holds);
                        at = *to as usize;
                    } else {
                        top -= 1;
                    }
                }
                DveOp::Truth => stack[top - 1] = i32::from(stack[top - 1] != 0),
            }
        }
        debug_assert_eq!(top, 1, "an expression leaves one value");
        Ok(stack[0])
    }
}

fn apply_unary(operator: DveUnary, value: i32) -> i32 {
    match operator {
        DveUnary::Negate => 0i32.wrapping_sub(value),
        DveUnary::Complement => value ^ -1,
        DveUnary::Not => i32::from(value == 0),
    }
}

#[inline]
fn apply(operator: DveBinary, a: i32, b: i32) -> Result<i32, DveFault> {
    Ok(match operator {
        DveBinary::Add => a.wrapping_add(b),
        DveBinary::Subtract => a.wrapping_sub(b),
        DveBinary::Multiply => a.wrapping_mul(b),
        DveBinary::Divide if b != 0 => a.wrapping_div(b),
        DveBinary::Remainder if b != 0 => a.wrapping_rem(b),
        DveBinary::Divide | DveBinary::Remainder => return Err(DveFault::Division),
        DveBinary::BitAnd => a & b,
        DveBinary::BitOr => a | b,
        DveBinary::BitXor => a ^ b,
        DveBinary::ShiftLeft => a << (b & 31),
        DveBinary::ShiftRight => a >> (b & 31),
        DveBinary::Equal => i32::from(a == b),
        DveBinary::Different => i32::from(a != b),
        DveBinary::Less => i32::from(a < b),
        DveBinary::LessEqual => i32::from(a <= b),
        DveBinary::Greater => i32::from(a > b),
        DveBinary::GreaterEqual => i32::from(a >= b),
        DveBinary::And | DveBinary::Or | DveBinary::Imply => {
            debug_assert!(false, "lazy operators are jumps");
            0
        }
    })
}

/// A condition on a vector.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Test {
    /// A slot keeps a value.
    Is(u32, u32),
    /// A slot does not keep a value.
    IsNot(u32, u32),
    /// A slot keeps none of the marked values.
    Outside(u32, Arc<[bool]>),
    /// A slot keeps less than a value.
    Below(u32, u32),
    /// The code is true.
    Holds(Code),
    /// Nothing satisfies it.
    Never,
}

impl Test {
    /// The conjuncts of a guard, in the order in which they are evaluated.
    pub(crate) fn conjuncts(system: &DveSystem, guard: &DveExpr, out: &mut Vec<Test>) {
        let mut open = vec![guard.root()];
        while let Some(n) = open.pop() {
            match guard.node(n) {
                DveNode::Binary(DveBinary::And, left, right) => open.extend([right, left]),
                _ => out.push(Test::of(Code::new(system, guard, n))),
            }
        }
    }

    fn of(code: Code) -> Test {
        let is = |slot: u32, kind: DveKind, value: i32| {
            let (low, high) = kind.range();
            (low..=high).contains(&value).then(|| (slot, kind.encode(value)))
        };
        match code.ops[..] {
            [DveOp::Is(slot, value)] => Test::Is(slot, value),
            [DveOp::Is(slot, value), DveOp::Unary(DveUnary::Not)] => Test::IsNot(slot, value),
            [DveOp::Slot(kind, slot), DveOp::Constant(value), DveOp::Binary(operator)] => {
                match (operator, is(slot, kind, value)) {
                    (DveBinary::Equal, Some((slot, value))) => Test::Is(slot, value),
                    (DveBinary::Different, Some((slot, value))) => Test::IsNot(slot, value),
                    _ => Test::Holds(code),
                }
            }
            _ => Test::Holds(code),
        }
    }

    /// Whether it is satisfied.
    #[inline]
    pub(crate) fn holds(&self, state: &[u32]) -> Result<bool, DveFault> {
        Ok(match self {
            Test::Is(slot, value) => state[*slot as usize] == *value,
            Test::IsNot(slot, value) => state[*slot as usize] != *value,
            Test::Outside(slot, marked) => {
                // The error state has a location that its process does not.
                !marked.get(state[*slot as usize] as usize).is_some_and(|&m| m)
            }
            Test::Below(slot, value) => state[*slot as usize] < *value,
            Test::Holds(code) => code.eval(state)? != 0,
            Test::Never => false,
        })
    }

    /// The slots that it depends on.
    pub(crate) fn reads(&self) -> Vec<u32> {
        match self {
            Test::Is(slot, _)
            | Test::IsNot(slot, _)
            | Test::Outside(slot, _)
            | Test::Below(slot, _) => vec![*slot],
            Test::Holds(code) => code.reads().collect(),
            Test::Never => Vec::new(),
        }
    }

    /// Whether it might go wrong.
    pub(crate) fn may_fail(&self) -> bool {
        matches!(self, Test::Holds(code) if code.may_fail())
    }

    /// The same test on another vector.
    pub(crate) fn moved(&self, to: &dyn Fn(u32) -> u32) -> Test {
        match self {
            Test::Is(slot, value) => Test::Is(to(*slot), *value),
            Test::IsNot(slot, value) => Test::IsNot(to(*slot), *value),
            Test::Outside(slot, marked) => Test::Outside(to(*slot), marked.clone()),
            Test::Below(slot, value) => Test::Below(to(*slot), *value),
            Test::Holds(code) => Test::Holds(code.moved(to)),
            Test::Never => Test::Never,
        }
    }
}
