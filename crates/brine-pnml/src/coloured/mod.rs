//! Coloured nets as PNML writes them: the symmetric nets of ISO/IEC 15909-2.
//!
//! The way of a file: `tree` (elements as written) -> `declarations`, `check`, `parts` (looked up,
//! sorts checked, flat) -> the checked net of `brine-coloured`, which says what it means and
//! unfolds it. `docs/coloured.md` tells the story.

mod check;
mod declarations;
mod parts;
mod raw;
mod tree;

pub(crate) use raw::{RawArc, RawNet, RawPlace, RawTransition};
pub(crate) use tree::{Tree, read_label};
