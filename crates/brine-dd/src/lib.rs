//! Decision diagrams for sets of state vectors.
//!
//! A set of vectors of equal length is stored as a *list decision diagram* (LDD,
//! MKBP14): a node `(value, down, right)` stands for all vectors that start with
//! `value` and go on with a vector of `down`, together with the vectors of `right`,
//! whose values are larger. Following `right` from a node one reads off the arcs of
//! one multi-valued decision diagram (MDD) node, so algorithms that think in MDDs
//! (saturation) and those that think in lists (MKBP14) share one representation.
//! Nodes are hash-consed: equal sets have equal ids.
//!
//! ```
//! use brine_dd::{Dd, NodeId};
//! let mut dd = Dd::default();
//! let a = dd.singleton(&[1, 2])?;
//! let b = dd.singleton(&[1, 5])?;
//! let both = dd.union(a, b)?;
//! assert_eq!(dd.count(both).to_string(), "2");
//! assert!(dd.contains(both, &[1, 5]));
//! assert_eq!(dd.minus(both, a)?, b);
//! assert_eq!(dd.intersect(a, b)?, NodeId::EMPTY);
//! # Ok::<(), brine_dd::Stop>(())
//! ```
//!
//! Every operation that can create nodes returns `Result<_, Stop>`: running out of
//! memory or time is a value that flows up with `?`, never a panic.
//!
//! Operations recurse over levels (never along `right`). Diagrams of tens of
//! thousands of levels need [`with_deep_stack`].

mod cache;
mod count;
mod dot;
mod frames;
mod gc;
mod iter;
mod manager;
mod set_ops;
mod shape;
mod table;
mod validate;

pub use brine_run::{
    Control, Progress, Stop, Upkeep, peak_resident_bytes, resident_bytes, with_deep_stack,
};
pub use cache::{Cache, CacheStats, Key, Operator};
pub use frames::{Frames, Slot};
pub use iter::{VectorCursor, Vectors};
pub use manager::{Dd, DdStats};
pub use table::{ListNode, NodeId};
