//! Coloured nets: the symmetric nets of ISO/IEC 15909-2, and their unfolding.
//!
//! A token has a colour from the finite sort of its place; arcs take and put multisets of
//! colours that depend on the transition's variables; a guard says which bindings of the
//! variables are allowed. Every engine works on place/transition nets, so a coloured net
//! is unfolded when it is read: [`unfold`] gives a place per colour that can occur and a
//! transition per binding that can occur.
//!
//! The way of a file: `tree` (elements as written) -> `declarations`, `check` (looked up,
//! sorts checked, flat: `sorts`, `terms`, `parts`, `guards`, `net`) -> `plan`, `join`, `fixpoint`
//! (what can occur) -> `unfold`, `names`. `docs/coloured.md` tells the story.

mod check;
mod declarations;
mod fixpoint;
mod guards;
mod join;
mod names;
mod net;
mod parts;
mod plan;
mod raw;
mod relation;
mod sorts;
mod terms;
mod tree;
mod unfold;

pub(crate) use raw::{RawArc, RawNet, RawPlace, RawTransition};
pub(crate) use tree::{Tree, read_label};
pub use unfold::UnfoldLimits;
pub(crate) use unfold::{UnfoldError, unfold};
