//! What can go wrong in a step.

use crate::syntax::DveKind;
use std::fmt;

/// A step of a model goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DveFault {
    /// An index outside of its array.
    Index { index: i32, length: u32 },
    /// A division by zero, or the remainder of one.
    Division,
    /// A value that its variable cannot hold.
    Range { value: i32, kind: DveKind },
    /// Both partners of a step assign to one global variable.
    Conflict,
}

impl fmt::Display for DveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DveFault::Index { index, length } => {
                write!(f, "index {index} is outside of an array of {length}")
            }
            DveFault::Division => f.write_str("division by zero"),
            DveFault::Range { value, kind } => {
                write!(f, "the value {value} does not fit into a variable of type {}", kind.name())
            }
            DveFault::Conflict => {
                f.write_str("two processes assign to one global variable in the same step")
            }
        }
    }
}
