//! Questions about coloured nets.
//!
//! A [`ColouredProperty`] speaks of coloured places (the sum of their tokens of all colours) and
//! of coloured transitions (some binding is enabled), by their numbers. [`ColouredAuto`] decides it in
//! stages, and unfolds the net only where the cheap ones do not suffice.

mod case;
mod hunt;
mod model;
mod skeleton;
mod unfolded;

pub use case::{ColouredAuto, ColouredCase, ColouredQuestion};
pub use hunt::ColouredHunt;
pub use model::ColouredModel;
pub use skeleton::SkeletonSimplifier;
pub(crate) use unfolded::restate_question;

use brine_coloured::ColouredNet;
use brine_ltl::{Formula, Formulas};

/// Do all runs of a coloured net satisfy a formula?
#[derive(Clone, Copy, Debug)]
pub struct ColouredProperty<'a> {
    /// The net.
    pub net: &'a ColouredNet,
    /// The store of the formula; its places and transitions are those of the coloured net.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
}
