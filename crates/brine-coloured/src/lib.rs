//! Coloured nets: the symmetric nets of ISO/IEC 15909-2, what they mean, and their unfolding.
//!
//! A token has a colour from the finite sort of its place; arcs take and put multisets of
//! colours that depend on the transition's variables; a guard says which bindings of the
//! variables are allowed. A [`net::ColouredNet`] is checked and flat ([`sorts`], [`terms`],
//! [`guards`]); `brine-pnml` reads it. [`unfold()`] gives the place/transition net that means the
//! same: a place per colour that can occur and a transition per binding that can occur.
//!
//! Without unfolding: [`bags`] keeps the multisets of a marking, [`enabling`] finds the bindings
//! that are enabled in it.
//! [`Skeleton`] is the small plain net that is left when colours are forgotten.
//!
//! What can occur is found by `plan` and `join` (bindings), `relation` and `fixpoint`.
//! `docs/coloured.md` tells the story.

pub mod bags;
mod bindings;
mod cardinality;
pub mod enabling;
mod fixpoint;
mod groups;
pub mod guards;
mod join;
mod merge;
mod names;
pub mod net;
mod part;
mod plan;
mod position;
mod relation;
mod run;
mod size;
mod skeleton;
pub mod sorts;
mod start;
pub mod terms;
mod tokens;
mod unfold;

pub use groups::{Groups, PlaceGroup, TransitionGroup, Unfolded};
pub use merge::{Merged, merge};
pub use net::ColouredNet;
pub use part::part_of;
pub use position::Position;
pub use run::{ColouredRun, ColouredStep};
pub use size::TextbookSize;
pub use skeleton::Skeleton;
pub use start::initially_fireable;
pub use unfold::{UnfoldError, UnfoldLimits, unfold};
