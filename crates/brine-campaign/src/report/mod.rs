//! The results of a campaign as one page, as plots for papers, as Markdown.
//!
//! Rows become a [`Digest`]; tables are made from it once, and written as HTML ([`page`]) or
//! Markdown ([`markdown`]). The page draws its plots itself, from data inside it, so that they
//! fit any screen and any two configurations can be compared; [`plots`] and [`latex`] are the same
//! pictures as files. [`diagram_plot`] draws the diagram of one search.

mod box_plot;
mod diagram;
mod digest;
mod latex;
mod markdown;
mod page;
mod plots;
mod tables;

pub use box_plot::{box_plot, quantile};
pub use diagram::{DiagramShape, diagram_plot};
pub use digest::Digest;
pub use latex::latex;
pub use markdown::markdown;
pub use page::page;
pub use plots::all as plots;
