//! The meaning of a model: a plain interpreter of the syntax tree.
//!
//! It is what runs are replayed with and what the compiled groups are compared with, so it
//! shares nothing with `compile` but the tree and where values lie in the state. It makes no
//! attempt to be fast. `docs/dve.md` has the rules and where they come from:
//!
//! - A transition can be taken at its source, if its guard holds. While some process is at a
//!   committed location, only transitions from committed locations can be taken.
//! - A message over a channel without buffer needs both partners. Its values are computed one
//!   after the other and each is assigned at once; then come the effects of the receiver, and
//!   those of the sender. Elements that receive are chosen by the state before the step.
//! - A buffered message is put in or taken out after the effects.
//! - In a synchronous system every process moves by the state before the step; messages are
//!   not passed.
//!
//! Expressions are trees in a vector; they are walked with an explicit stack.

use crate::fault::DveFault;
use crate::groups::{DveGroup, TransitionRef};
use crate::syntax::{
    DveBinary, DveExpr, DveKind, DveNode, DveSync, DveSystem, DveTarget, DveUnary, DveVariable,
    NodeNumber, VariableId,
};

/// What expressions need to know about their model.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'a> {
    pub(crate) variables: &'a [DveVariable],
    pub(crate) constants: &'a [Vec<i32>],
    /// The slots of the processes' locations.
    pub(crate) locations: &'a [u32],
}

/// What is left to do for a node.
#[derive(Clone, Copy)]
enum Task {
    Visit(NodeNumber),
    /// Its operands are on the stack of values.
    Finish(NodeNumber),
    /// The left operand of a lazy operator is on the stack of values.
    Decide(DveBinary, NodeNumber),
    /// The value is a truth value.
    Truth,
}

impl Environment<'_> {
    /// The value of an expression in a state.
    pub(crate) fn evaluate(&self, expr: &DveExpr, state: &[u32]) -> Result<i32, DveFault> {
        let mut tasks = vec![Task::Visit(expr.root())];
        let mut values: Vec<i32> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(n) => match expr.node(n) {
                    DveNode::Number(value) => values.push(value),
                    DveNode::Variable(v) => values.push(self.read(v, 0, state)?),
                    DveNode::At { process, location } => {
                        let slot = self.locations[process as usize];
                        values.push(i32::from(state[slot as usize] == location));
                    }
                    DveNode::Element(_, operand)
                    | DveNode::Constant(_, operand)
                    | DveNode::Unary(_, operand) => {
                        tasks.extend([Task::Finish(n), Task::Visit(operand)]);
                    }
                    DveNode::Binary(
                        operator @ (DveBinary::And | DveBinary::Or | DveBinary::Imply),
                        left,
                        right,
                    ) => tasks.extend([Task::Decide(operator, right), Task::Visit(left)]),
                    DveNode::Binary(_, left, right) => {
                        tasks.extend([Task::Finish(n), Task::Visit(right), Task::Visit(left)]);
                    }
                },
                Task::Finish(n) => {
                    let last = values.pop().unwrap_or_default();
                    let value = match expr.node(n) {
                        DveNode::Element(v, _) => self.read(v, last, state)?,
                        DveNode::Constant(array, _) => {
                            let array = &self.constants[array as usize];
                            array[within(last, array.len() as u32)?]
                        }
                        DveNode::Unary(operator, _) => unary(operator, last),
                        DveNode::Binary(operator, ..) => {
                            arithmetic(operator, values.pop().unwrap_or_default(), last)?
                        }
                        DveNode::Number(_) | DveNode::Variable(_) | DveNode::At { .. } => last,
                    };
                    values.push(value);
                }
                Task::Decide(operator, right) => {
                    let left = values.pop().unwrap_or_default() != 0;
                    match operator {
                        DveBinary::And if !left => values.push(0),
                        DveBinary::Or if left => values.push(1),
                        DveBinary::Imply if !left => values.push(1),
                        _ => tasks.extend([Task::Truth, Task::Visit(right)]),
                    }
                }
                Task::Truth => {
                    let value = values.pop().unwrap_or_default();
                    values.push(i32::from(value != 0));
                }
            }
        }
        debug_assert_eq!(values.len(), 1, "an expression has one value");
        Ok(values.pop().unwrap_or_default())
    }

    /// The value of an expression of a declaration, of which only some slots are known.
    pub(crate) fn initial_value(&self, expr: &DveExpr, known: &[u32]) -> Result<i32, String> {
        let unknown = |node: &DveNode| match *node {
            DveNode::At { process, .. } => self.locations[process as usize] as usize >= known.len(),
            _ => false,
        };
        if expr.nodes.iter().any(unknown) {
            return Err("a declaration cannot depend on where a process is".to_owned());
        }
        self.evaluate(expr, known).map_err(|fault| fault.to_string())
    }

    fn read(&self, v: VariableId, index: i32, state: &[u32]) -> Result<i32, DveFault> {
        let variable = &self.variables[v.0 as usize];
        let at = within(index, variable.length.unwrap_or(1))?;
        Ok(variable.kind.decode(state[variable.first as usize + at]))
    }
}

fn within(index: i32, length: u32) -> Result<usize, DveFault> {
    match u32::try_from(index) {
        Ok(i) if i < length => Ok(i as usize),
        _ => Err(DveFault::Index { index, length }),
    }
}

fn unary(operator: DveUnary, value: i32) -> i32 {
    match operator {
        DveUnary::Negate => value.wrapping_neg(),
        DveUnary::Complement => !value,
        DveUnary::Not => i32::from(value == 0),
    }
}

/// Arithmetic of 32 bits that wraps around.
fn arithmetic(operator: DveBinary, a: i32, b: i32) -> Result<i32, DveFault> {
    Ok(match operator {
        DveBinary::Add => a.wrapping_add(b),
        DveBinary::Subtract => a.wrapping_sub(b),
        DveBinary::Multiply => a.wrapping_mul(b),
        DveBinary::Divide | DveBinary::Remainder if b == 0 => return Err(DveFault::Division),
        DveBinary::Divide => a.wrapping_div(b),
        DveBinary::Remainder => a.wrapping_rem(b),
        DveBinary::BitAnd => a & b,
        DveBinary::BitOr => a | b,
        DveBinary::BitXor => a ^ b,
        DveBinary::ShiftLeft => a.wrapping_shl(b as u32),
        DveBinary::ShiftRight => a.wrapping_shr(b as u32),
        DveBinary::Equal => i32::from(a == b),
        DveBinary::Different => i32::from(a != b),
        DveBinary::Less => i32::from(a < b),
        DveBinary::LessEqual => i32::from(a <= b),
        DveBinary::Greater => i32::from(a > b),
        DveBinary::GreaterEqual => i32::from(a >= b),
        DveBinary::And => i32::from(a != 0 && b != 0),
        DveBinary::Or => i32::from(a != 0 || b != 0),
        DveBinary::Imply => i32::from(a == 0 || b != 0),
    })
}

/// The steps of one model.
pub(crate) struct Interpreter<'s> {
    pub(crate) system: &'s DveSystem,
    pub(crate) locations: &'s [u32],
}

type Stepping<T> = Result<T, DveFault>;

impl Interpreter<'_> {
    fn environment(&self) -> Environment<'_> {
        Environment {
            variables: &self.system.variables,
            constants: &self.system.constants,
            locations: self.locations,
        }
    }

    /// The value of an expression in a state.
    pub(crate) fn evaluate(&self, expr: &DveExpr, state: &[u32]) -> Stepping<i32> {
        self.environment().evaluate(expr, state)
    }

    /// The successor of a state by a group, if the group can be taken.
    pub(crate) fn step(&self, group: &DveGroup, state: &[u32]) -> Stepping<Option<Vec<u32>>> {
        match group {
            DveGroup::Alone(t) => {
                if !self.can_move(&[*t], state)? || !self.has_room(*t, state) {
                    return Ok(None);
                }
                let mut next = state.to_vec();
                self.apply(*t, &mut next)?;
                self.buffer(*t, state, &mut next)?;
                Ok(Some(next))
            }
            DveGroup::Pair { sender, receiver } => {
                if !self.can_move(&[*sender, *receiver], state)? {
                    return Ok(None);
                }
                if self.conflict(*sender, *receiver) {
                    return Err(DveFault::Conflict);
                }
                let mut next = state.to_vec();
                self.pass(*sender, *receiver, state, &mut next)?;
                self.apply(*receiver, &mut next)?;
                self.apply(*sender, &mut next)?;
                Ok(Some(next))
            }
            DveGroup::Together(all) => self.together(all, state),
        }
    }

    /// Whether a process is at a committed location.
    fn is_committed(&self, process: usize, state: &[u32]) -> bool {
        let p = &self.system.processes[process];
        p.committed.get(state[p.slot as usize] as usize) == Some(&true)
    }

    /// Whether the transitions can be taken, in a state where none goes wrong before it is known
    /// that all are at their sources.
    fn can_move(&self, all: &[TransitionRef], state: &[u32]) -> Stepping<bool> {
        let someone = self.system.movers().any(|(p, _)| self.is_committed(p, state));
        for t in all {
            let at_source = state[self.system.processes[t.process].slot as usize];
            if at_source != t.of(self.system).source {
                return Ok(false);
            }
            if someone && !self.is_committed(t.process, state) {
                return Ok(false);
            }
        }
        for guard in all.iter().filter_map(|t| t.of(self.system).guard.as_ref()) {
            if self.evaluate(guard, state)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the buffer of a transition's channel allows it.
    fn has_room(&self, t: TransitionRef, state: &[u32]) -> bool {
        match t.of(self.system).sync {
            None => true,
            Some(DveSync::Send { channel, .. }) => {
                let channel = &self.system.channels[channel];
                state[channel.first as usize] < channel.capacity
            }
            Some(DveSync::Receive { channel, .. }) => {
                state[self.system.channels[channel].first as usize] > 0
            }
        }
    }

    /// Assigns a value; the element is chosen by the state `by`.
    fn assign(&self, target: &DveTarget, value: i32, by: &[u32], next: &mut [u32]) -> Stepping<()> {
        let variable = self.system.variable(target.variable);
        let index = match &target.index {
            Some(index) => self.evaluate(index, by)?,
            None => 0,
        };
        let at = within(index, variable.length.unwrap_or(1))?;
        let kind = variable.kind;
        let (low, high) = kind.range();
        if value < low || value > high {
            return Err(DveFault::Range { value, kind });
        }
        next[variable.first as usize + at] = kind.encode(value);
        Ok(())
    }

    /// Moves the process and applies the effects, each of which sees the former ones.
    fn apply(&self, t: TransitionRef, next: &mut [u32]) -> Stepping<()> {
        let transition = t.of(self.system);
        next[self.system.processes[t.process].slot as usize] = transition.target;
        for (target, value) in &transition.effects {
            let value = self.evaluate(value, next)?;
            let by = next.to_vec();
            self.assign(target, value, &by, next)?;
        }
        Ok(())
    }

    /// Passes the values of a message.
    fn pass(
        &self,
        sender: TransitionRef,
        receiver: TransitionRef,
        state: &[u32],
        next: &mut [u32],
    ) -> Stepping<()> {
        let (Some(DveSync::Send { channel, values }), Some(DveSync::Receive { targets, .. })) =
            (&sender.of(self.system).sync, &receiver.of(self.system).sync)
        else {
            return Ok(());
        };
        let types = &self.system.channels[*channel].types;
        for (i, (value, target)) in values.iter().zip(targets).enumerate() {
            let mut value = self.evaluate(value, next)?;
            if let Some(types) = types {
                value = truncated(types[i], value);
            }
            self.assign(target, value, state, next)?;
        }
        Ok(())
    }

    /// Puts a message into a buffer, or takes one out.
    fn buffer(&self, t: TransitionRef, state: &[u32], next: &mut [u32]) -> Stepping<()> {
        match &t.of(self.system).sync {
            None => Ok(()),
            Some(DveSync::Send { channel, values }) => {
                let channel = &self.system.channels[*channel];
                let message = next[channel.first as usize];
                next[channel.first as usize] += 1;
                for (i, (value, &kind)) in
                    values.iter().zip(channel.types.iter().flatten()).enumerate()
                {
                    let value = self.evaluate(value, next)?;
                    next[channel.slot(message, i as u32) as usize] = kind.encode(value);
                }
                Ok(())
            }
            Some(DveSync::Receive { channel, targets }) => {
                let channel = &self.system.channels[*channel];
                for (i, (target, kind)) in
                    targets.iter().zip(channel.types.iter().flatten()).enumerate()
                {
                    let value = kind.decode(next[channel.slot(0, i as u32) as usize]);
                    self.assign(target, value, state, next)?;
                }
                next[channel.first as usize] -= 1;
                let messages =
                    channel.slot(0, 0) as usize..channel.slot(channel.capacity, 0) as usize;
                let width = channel.width() as usize;
                next[messages.clone()].rotate_left(width);
                let end = messages.end;
                next[end - width..end].fill(0);
                Ok(())
            }
        }
    }

    /// Whether both transitions have effects on one global variable.
    fn conflict(&self, a: TransitionRef, b: TransitionRef) -> bool {
        let globals = |t: TransitionRef| {
            let targets = t.of(self.system).effects.iter().map(|(target, _)| target.variable);
            targets.filter(|&v| self.system.variable(v).global).collect::<Vec<_>>()
        };
        let mine = globals(a);
        globals(b).iter().any(|v| mine.contains(v))
    }

    fn together(&self, all: &[TransitionRef], state: &[u32]) -> Stepping<Option<Vec<u32>>> {
        let at = |t: &TransitionRef| state[self.system.processes[t.process].slot as usize];
        if all.iter().any(|t| at(t) != t.of(self.system).source) {
            return Ok(None);
        }
        for guard in all.iter().filter_map(|t| t.of(self.system).guard.as_ref()) {
            if self.evaluate(guard, state)? == 0 {
                return Ok(None);
            }
        }
        let pairs =
            all.iter().enumerate().flat_map(|(i, a)| all[i + 1..].iter().map(move |b| (a, b)));
        if pairs.into_iter().any(|(&a, &b)| self.conflict(a, b)) {
            return Err(DveFault::Conflict);
        }
        let mut next = state.to_vec();
        for &t in all {
            let mut alone = state.to_vec();
            self.apply(t, &mut alone)?;
            for (slot, (&new, &old)) in alone.iter().zip(state).enumerate() {
                if new != old {
                    next[slot] = new;
                }
            }
        }
        Ok(Some(next))
    }
}

/// The value that is left of one that passes through a typed channel.
fn truncated(kind: DveKind, value: i32) -> i32 {
    kind.decode(kind.encode(value))
}
