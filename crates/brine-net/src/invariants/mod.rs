//! Place invariants: weights y on places such that y * marking never changes.
//!
//! [`semiflows`] finds invariants without negative weights (they bound places), [`flows`]
//! a basis of all of them (cheap, for orders). Both eliminate one transition after the
//! other from a sparse tableau (`tableau`), under a limit counted in elementary steps, so
//! the same net always gives the same answer, on every machine. Whatever they return is
//! an invariant, complete or not: rows are only ever added up, and a row counts when
//! nothing is left of its effect.

mod flows;
mod semiflows;
mod tableau;

pub use flows::{Flow, Flows, flows, flows_within};
pub use semiflows::{Semiflow, Semiflows, semiflows, semiflows_within};

/// Elementary steps where nothing else is said: a tenth of a second or two at most.
pub const DEFAULT_WORK: u64 = 32_000_000;
