//! What became of each coloured place and transition in an unfolded net.

use std::ops::Range;

use brine_net::{Net, PlaceId, TransitionId};

/// The unfolded net, and what its places and transitions were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The place/transition net.
    pub net: Net,
    /// What its places and transitions were.
    pub groups: Groups,
}

/// What a coloured net looked like, and what it was unfolded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    /// The coloured places.
    pub places: Vec<PlaceGroup>,
    /// The coloured transitions.
    pub transitions: Vec<TransitionGroup>,
    /// How many arcs the coloured net has.
    pub arcs: usize,
}

/// A coloured place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceGroup {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The numbers of its unfolded places.
    pub places: Range<u32>,
    /// Tokens of colours that no transition ever takes or puts: one entry per colour.
    /// They are in every marking, but not in the net.
    pub idle: Vec<u32>,
}

impl PlaceGroup {
    /// Its unfolded places.
    pub fn members(&self) -> impl Iterator<Item = PlaceId> + use<> {
        self.places.clone().map(PlaceId)
    }

    /// How many of its tokens are not in the net.
    pub fn idle_tokens(&self) -> u64 {
        self.idle.iter().map(|&n| u64::from(n)).sum()
    }
}

/// A coloured transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionGroup {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The numbers of its unfolded transitions, one for each binding that can occur.
    pub transitions: Range<u32>,
}

impl TransitionGroup {
    /// Its unfolded transitions.
    pub fn members(&self) -> impl Iterator<Item = TransitionId> + use<> {
        self.transitions.clone().map(TransitionId)
    }
}
