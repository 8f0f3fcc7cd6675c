//! Reading and writing nets and properties: PNML, coloured nets, the contest's XML.
//!
//! [`read_pnml`] gives the net of a PNML file; a coloured net is unfolded, and [`read_model`]
//! also says what its places and transitions were ([`Model`]). [`read_mcc`] reads the property
//! files of the Model Checking Contest. Files are read as streams, with explicit stacks; an
//! error names the line, the column and what to do.

mod coloured;
mod mcc;
mod model;
mod pnml;
pub mod xml;

pub use brine_coloured::{Groups, PlaceGroup, TransitionGroup, UnfoldLimits};
pub use mcc::{ContestProperty, read_mcc};
pub use model::{AnyNet, Model, NetFile, coloured_symbols};
pub use pnml::{
    Positions, ReadError, read_model, read_model_from, read_model_from_within, read_model_within,
    read_net_file, read_pnml, read_pnml_from, read_positions, unfold_in, write_pnml,
};
