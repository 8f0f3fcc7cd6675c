//! What a proviso sees of a system: states with successors, some of which are enough.

use crate::graph::GraphStateId;
use crate::meter::Meter;
use brine_run::Stop;

/// A transition system with a reduction function (DKPR16 section 2).
///
/// The successors of a state are numbered from 0; the first ones are its reduced set, which is
/// empty only if there are no successors at all.
pub trait Lts {
    /// The initial state.
    fn initial(&mut self) -> Result<GraphStateId, Stop>;

    /// The number of reduced successors, and of all.
    fn degrees(&mut self, s: GraphStateId) -> Result<(u32, u32), Stop>;

    /// The i-th successor.
    fn target(&mut self, s: GraphStateId, i: u32) -> Result<GraphStateId, Stop>;

    /// The account of time and memory.
    fn meter(&mut self) -> &mut Meter;
}
