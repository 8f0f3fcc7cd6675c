//! A model as a syntax tree with resolved names.
//!
//! Everything that has a name in the text has a number here, and every variable knows where
//! its values lie in the state: global variables, buffers of channels, and for each process
//! its location and its variables, in the order of the text. What a step *does* is not
//! decided here, but twice and independently: in `compile` for the engines, in `interpret`
//! for replay.

/// The two types of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveKind {
    /// 0 to 255.
    Byte,
    /// 16 bits with a sign.
    Int,
}

impl DveKind {
    /// The smallest and the largest value.
    pub(crate) fn range(self) -> (i32, i32) {
        match self {
            DveKind::Byte => (0, 255),
            DveKind::Int => (i32::from(i16::MIN), i32::from(i16::MAX)),
        }
    }

    /// The value as it is kept in a slot: that of an `int` without its sign.
    pub(crate) fn encode(self, value: i32) -> u32 {
        match self {
            DveKind::Byte => u32::from(value as u8),
            DveKind::Int => u32::from(value as u16),
        }
    }

    /// The value that a slot keeps.
    pub(crate) fn decode(self, kept: u32) -> i32 {
        match self {
            DveKind::Byte => i32::from(kept as u8),
            DveKind::Int => i32::from(kept as u16 as i16),
        }
    }

    /// How the language spells it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DveKind::Byte => "byte",
            DveKind::Int => "int",
        }
    }
}

/// Number of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct VariableId(pub(crate) u32);

/// Number of a node in its expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeNumber(pub(crate) u32);

/// A variable or an array. Constants are none: they are in the expressions.
#[derive(Clone, Debug)]
pub(crate) struct DveVariable {
    pub(crate) kind: DveKind,
    /// The slot of the (first) value.
    pub(crate) first: u32,
    /// How many values an array has.
    pub(crate) length: Option<u32>,
    /// Whether it belongs to no process.
    pub(crate) global: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct DveChannel {
    /// The types of a message, if they are declared.
    pub(crate) types: Option<Vec<DveKind>>,
    /// Messages that fit; none: sender and receiver move together.
    pub(crate) capacity: u32,
    /// The slot of the number of messages; the messages follow, if there is a capacity.
    pub(crate) first: u32,
}

impl DveChannel {
    /// Values of a message.
    pub(crate) fn width(&self) -> u32 {
        self.types.as_ref().map_or(0, Vec::len) as u32
    }

    /// The slot of a value of a message.
    pub(crate) fn slot(&self, message: u32, value: u32) -> u32 {
        self.first + 1 + message * self.width() + value
    }

    /// Whether messages wait in a buffer.
    pub(crate) fn is_buffered(&self) -> bool {
        self.capacity > 0
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveUnary {
    Negate,
    Complement,
    Not,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveBinary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Imply,
}

/// A node of an expression; operands have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveNode {
    Number(i32),
    /// A variable; of an array, its first value.
    Variable(VariableId),
    Element(VariableId, NodeNumber),
    /// An element of a constant array.
    Constant(u32, NodeNumber),
    /// Whether a process is at a location.
    At {
        process: u32,
        location: u32,
    },
    Unary(DveUnary, NodeNumber),
    Binary(DveBinary, NodeNumber, NodeNumber),
}

/// An expression: its nodes, the root last.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct DveExpr {
    pub(crate) nodes: Vec<DveNode>,
}

impl DveExpr {
    /// The root.
    pub(crate) fn root(&self) -> NodeNumber {
        debug_assert!(!self.nodes.is_empty(), "an expression has a root");
        NodeNumber(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn node(&self, n: NodeNumber) -> DveNode {
        self.nodes[n.0 as usize]
    }
}

/// What is assigned to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DveTarget {
    pub(crate) variable: VariableId,
    /// Of an array; without one, its first value.
    pub(crate) index: Option<DveExpr>,
}

/// What a transition does with a channel.
#[derive(Clone, Debug)]
pub(crate) enum DveSync {
    Send { channel: usize, values: Vec<DveExpr> },
    Receive { channel: usize, targets: Vec<DveTarget> },
}

/// A transition of a process.
#[derive(Clone, Debug)]
pub(crate) struct DveTransition {
    /// Where it stands in the text.
    pub(crate) line: usize,
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) guard: Option<DveExpr>,
    /// The text of a property's guard.
    pub(crate) guard_text: String,
    pub(crate) sync: Option<DveSync>,
    pub(crate) effects: Vec<(DveTarget, DveExpr)>,
}

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct DveProcess {
    pub(crate) name: String,
    /// The slot of its location.
    pub(crate) slot: u32,
    pub(crate) locations: Vec<String>,
    pub(crate) initial: u32,
    pub(crate) committed: Vec<bool>,
    pub(crate) accepting: Vec<bool>,
    /// What must hold at locations, with the text.
    pub(crate) assertions: Vec<(u32, DveExpr, String)>,
    pub(crate) transitions: Vec<DveTransition>,
}

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SlotKind {
    Value(DveKind),
    /// The location of a process.
    Location(u32),
    /// The number of messages in a channel.
    Messages(u32),
}

/// A slot of the state.
#[derive(Clone, Debug)]
pub(crate) struct DveSlot {
    pub(crate) name: String,
    pub(crate) kind: SlotKind,
    pub(crate) initial: u32,
}

/// How the processes move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveMode {
    /// One at a time, or two over a channel.
    Async,
    /// All at once.
    Sync,
}

/// A whole model.
#[derive(Clone, Debug)]
pub(crate) struct DveSystem {
    pub(crate) slots: Vec<DveSlot>,
    pub(crate) variables: Vec<DveVariable>,
    pub(crate) constants: Vec<Vec<i32>>,
    pub(crate) channels: Vec<DveChannel>,
    pub(crate) processes: Vec<DveProcess>,
    pub(crate) mode: DveMode,
    /// The process that is a property.
    pub(crate) property: Option<usize>,
}

impl DveSystem {
    pub(crate) fn variable(&self, v: VariableId) -> &DveVariable {
        &self.variables[v.0 as usize]
    }

    /// The processes that take steps, with their numbers: all but the property.
    pub(crate) fn movers(&self) -> impl Iterator<Item = (usize, &DveProcess)> {
        self.processes.iter().enumerate().filter(|(p, _)| Some(*p) != self.property)
    }
}
