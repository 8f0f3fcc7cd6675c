//! Explicit-state search over Petri nets: packed markings, an exact store, incremental
//! successors, and the emptiness checks of SE05 over one graph interface.

pub mod emptiness;
pub mod explore;
pub mod fire;
pub mod graph;
pub mod layout;
pub mod markings;
pub mod meter;
pub mod setup;
pub mod space;
pub mod store;
