//! `auto`: what answers most in the same time.
//!
//! No engine is best. Most contest properties are decided by looking at the net's
//! structure, most violated ones by a short walk, most that hold on large state spaces by
//! diagrams, and each of them fails on what the others do in milliseconds. So a question is
//! taken through stages, the cheap ones first:
//!
//! 1. the formula is simplified by what the net's structure tells;
//! 2. the net is reduced to what the formula can see;
//! 3. rounds: a hunt for a violation, explicit search with partial-order reduction, and
//!    saturation with several orders, each with so much *work*; in the next round with four
//!    times as much, until one of them decides or the budget ends.
//!
//! Work is counted in steps of the engines, not in seconds, and of engines that run side by
//! side the first in the list wins, not the first in time. So the same question gets the
//! same answer in the same way, on every machine and with any number of threads.
//!
//! An engine that runs out of memory leaves the competition and makes room for the others.
//! With a factor of four, what rounds repeat is at most a third of all work.

mod case;
mod rounds;
mod timeline;

pub use case::Case;
pub use timeline::Step;

/// What `auto` may do; leaving something out shows what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stages {
    /// Hunt for violations before and between proper searches.
    pub hunt: bool,
    /// Search explicitly.
    pub explicit: bool,
    /// Search symbolically.
    pub symbolic: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Stages { hunt: true, explicit: true, symbolic: true }
    }
}
