//! Saturation: the state space of a net as a decision diagram.
//!
//! [`Model`] turns a net and a [`Layout`] (which places form which level) into events,
//! [`Saturation`] computes the reachable markings, [`measure()`] reads numbers off them.

mod constrained;
mod local;
mod measure;
mod model;
mod reference;
mod saturate;
mod search;
mod tailset;

pub use measure::{StateSpace, measure};
pub use model::{Level, Model, StepId, TailId};
pub use saturate::Saturation;
pub use search::{Found, Trial, reach_with, reach_with_best};
