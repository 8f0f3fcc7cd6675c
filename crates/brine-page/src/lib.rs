//! Nets and runs as pages for a browser and as pictures.
//!
//! The input is plain data ([`DrawnNet`], [`ShownRun`], [`WebPage`]); no other crate of Brine is
//! needed, so whoever has a net and a run can draw them. What comes out is text: [`html`] gives
//! one file that loads nothing from anywhere, [`svg`] a picture. Both are the same for the same
//! input, on every machine: layouts use additions, multiplications and square roots only.
//!
//! ```
//! use brine_page::{DrawnNet, DrawnPlace, DrawnTransition, WebPage, svg};
//! let place = |id: &str, tokens| DrawnPlace { id: id.into(), label: id.into(), tokens, at: None };
//! let mut net = DrawnNet { name: "lamp".into(), ..DrawnNet::default() };
//! net.places = vec![place("off", 1), place("on", 0)];
//! net.transitions = vec![DrawnTransition {
//!     id: "press".into(),
//!     label: "press".into(),
//!     takes: vec![(0, 1)],
//!     puts: vec![(1, 1)],
//!     at: None,
//! }];
//! assert!(svg(&net).contains("press"));
//! let page = brine_page::html(&WebPage::of_net(net));
//! assert!(page.starts_with("<!doctype html>") && !page.contains("src="));
//! ```

mod data;
mod drawing;
mod escape;
mod html;
mod labels;
mod layout;
mod part;
mod spread;
mod svg;

pub use data::{
    DrawnNet, DrawnPlace, DrawnSubject, DrawnTransition, Point, RunEnd, ShownAnswer, ShownRun,
    ShownStep, ShownValue, ShownVariable, TruthRow, WebPage,
};
pub use html::html;
pub use part::DRAWN;
pub use svg::svg;
