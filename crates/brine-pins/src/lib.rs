//! The state-vector interface with read, write and copy dependencies (MKBP14).
//!
//! A modelling language implements [`Pins`]: slots, groups of steps, what each group reads
//! and writes, and the successors of short vectors. In return it gets symbolic exploration:
//! an [`Explorer`] learns the transition relation on the fly and computes the reachable
//! states by breadth-first search, chaining or saturation. [`NetModel`] does it for nets,
//! [`gcl`] for a small language of guarded commands. [`ltl`] decides LTL properties.
//!
//! ```
//! use brine_dd::Control;
//! use brine_net::Structure;
//! use brine_pins::{Explorer, NetModel, Plan, Strategy};
//! let net = brine_models::fork_join(3);
//! let model = NetModel::new(&net, &Structure::new(&net).bounds);
//! let mut plan = Plan::new(&model);
//! let mut explorer = Explorer::new(&model, &plan, Control::default());
//! let reached = explorer.reach(Strategy::Saturation)?;
//! assert_eq!(explorer.dd.count(reached).to_string(), "9");
//! # Ok::<(), brine_pins::PinsStop>(())
//! ```

mod audit;
mod brute;
mod column_swap;
mod explorer;
mod filter;
pub mod gcl;
mod interface;
mod labels;
mod ldd_next;
mod learn;
pub mod ltl;
mod matrix;
mod net;
mod plan;
mod project;
mod reach;
mod regroup;
mod saturate;
mod tails;

pub use audit::{Audit, Violation, ViolationKind, audit};
pub use brute::reachable_states;
pub use column_swap::{column_cost, order_cost};
pub use explorer::{Counters, Explorer, Sizes};
pub use interface::{
    Emit, Fired, GroupId, GuardId, ModelError, Pins, PinsStop, SlotId, StateLabelId,
};
pub use labels::{Labelled, own_label};
pub use matrix::{Dependency, MatrixRow, matrix_text};
pub use net::NetModel;
pub use plan::{Plan, PlannedGroup};
pub use reach::Strategy;
pub use regroup::{MatrixOperation, MatrixOptions, Regroup};
