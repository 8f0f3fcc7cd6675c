//! Explicit search of any model behind the state-vector interface.
//!
//! The parts of `brine-explicit` that know nothing of nets (the store, the account of memory,
//! the emptiness checks) get states and edges from [`brine_pins::Pins`] here: [`vectors`] packs
//! and stores states and generates successors, [`explore`] generates them all, [`product`] joins
//! them with an automaton, and [`check`] is the front door to the emptiness checks.

pub mod check;
pub mod edges;
pub mod explore;
pub mod product;
pub mod stubborn;
pub mod vectors;
