//! Explicit-state search over Petri nets: packed markings, an exact store, incremental
//! successors, and the emptiness checks of SE05 over one graph interface.
//!
//! From the bottom up: [`layout`] packs markings, [`fire`] fires on packed markings,
//! [`store`] keeps them, [`markings`] ties the three together. [`coloured`] does the same for
//! coloured nets, and [`successors`] is what both have in common. [`explore`] generates them
//! all; [`space`] generates what is looked at. [`product`] joins that with a property
//! automaton into a [`graph::Graph`], which every check in [`emptiness`] searches.
//! [`check`] is the front door.
//!
//! Fair runs, and automata that read events, have a product and a search of their own: `fair`.
//!
//! Violations are hunted before the product is searched as a whole: [`hunt`].
//!
//! Partial-order reduction: [`stubborn`] chooses which transitions to fire, [`provisos`] see to
//! it that none is ignored for ever, [`reduction`] is the marking graph that is left, and
//! [`por`] says when that may be used.

pub mod branching;
pub mod check;
pub mod coloured;
pub mod emptiness;
pub mod explore;
mod fair;
pub mod fire;
pub mod graph;
pub mod hunt;
mod lasso_search;
pub mod layout;
mod letters;
pub mod lists;
pub mod local;
pub mod markings;
pub mod meter;
pub mod pairs;
pub mod por;
pub mod probe;
pub mod product;
pub mod provisos;
mod recurrence;
pub mod reduction;
pub mod setup;
pub mod space;
pub mod store;
pub mod stubborn;
pub mod successors;
pub mod survey;
pub mod trap;

pub use brine_run::{Control, Stop};
pub use check::{Answer, Checker, Misfit, SearchOptions};
pub use emptiness::Emptiness;
