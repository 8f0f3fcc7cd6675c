//! Saturation: the state space of a net as a decision diagram.
//!
//! [`LevelModel`] turns a net and a [`Layout`](brine_net::order::Layout) (which places form which level) into events,
//! [`Saturation`] computes the reachable markings, [`measure()`] reads numbers off them.
//! [`product`] does the same for the product of a net and an automaton.

mod branching;
mod constrained;
pub mod driver;
mod guards;
mod level_sets;
mod local;
mod measure;
mod memo;
mod model;
pub mod product;
mod recurrence;
mod reference;
mod saturate;
mod search;
mod tailset;
mod trials;
mod weighted;

pub use branching::{Branching, MarkingSets};
pub use measure::{StateSpace, measure};
pub use model::{Level, LevelModel, StepId, TailId};
pub use saturate::Saturation;
pub use search::{ReachedSpace, reach_with, reach_with_best};
pub use trials::{Done, FIRST_TICKS, Trials, first_to_finish};
pub use weighted::{
    WeightedGuard, Weighting, Weights, measure_weighted, place_maxima, weighted_count,
};
