//! Our own nets: parametric families with known answers, and random nets for tests.
//!
//! These are generators, not models from elsewhere: each family's file says what it
//! models and where its structure comes from. Tests and benches of all crates use them;
//! `cargo xtask gen-models` writes them as PNML.

mod random;

pub use random::{RandomNets, Rng};
