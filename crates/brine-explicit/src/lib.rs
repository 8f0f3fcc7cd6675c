//! Explicit-state search over Petri nets.

pub mod explore;
pub mod fire;
pub mod layout;
pub mod markings;
pub mod meter;
pub mod store;
