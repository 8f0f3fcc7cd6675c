//! Runs for people: an annotated run ([`Trace`]), and how it is written: as text, as lanes side by
//! side, as a DOT graph, as a picture, as a page.
//!
//! The text and the picture call places and transitions by their names, as people do; JSON and
//! DOT, which scripts read, have ids.

mod annotate;
mod dot;
mod labels;
mod lanes;
mod page;
mod svg;
mod text;
mod trace;

pub use annotate::{
    coloured_trace, model_trace, net_trace, replayed_coloured_trace, run_of, vacuity_note,
};
pub use dot::dot;
pub use lanes::{Lane, lanes};
pub use page::{Spots, add_run, drawn_net};
pub use svg::svg;
pub use text::{Look, headline, text};
pub use trace::{FairRow, Row, Subject, Trace, TraceStep, Truth};
