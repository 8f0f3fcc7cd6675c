//! Coloured nets: the symmetric nets of ISO/IEC 15909-2, what they mean, and their unfolding.
//!
//! A token has a colour from the finite sort of its place; arcs take and put multisets of
//! colours that depend on the transition's variables; a guard says which bindings of the
//! variables are allowed. A [`net::ColouredNet`] is checked and flat ([`sorts`], [`terms`],
//! [`guards`]); `brine-pnml` reads it. [`unfold()`] gives the place/transition net that means the
//! same: a place per colour that can occur and a transition per binding that can occur.
//!
//! What can occur is found by `plan` and `join` (bindings), `relation` and `fixpoint`.
//! `docs/coloured.md` tells the story.

mod fixpoint;
mod groups;
pub mod guards;
mod join;
mod merge;
mod names;
pub mod net;
mod plan;
mod position;
mod relation;
mod run;
pub mod sorts;
pub mod terms;
mod unfold;

pub use groups::{Groups, PlaceGroup, TransitionGroup, Unfolded};
pub use merge::{Merged, merge};
pub use net::ColouredNet;
pub use position::Position;
pub use run::{ColouredRun, ColouredStep};
pub use unfold::{UnfoldError, UnfoldLimits, unfold};
