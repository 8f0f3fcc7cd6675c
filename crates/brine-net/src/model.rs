//! A model as read: the net that the engines see, and what it was in the file.

use std::ops::Range;

use crate::{Net, PlaceId, TransitionId};

/// A net, with its coloured side if it was unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The place/transition net.
    pub net: Net,
    /// For a coloured net: what its places and transitions became.
    pub coloured: Option<Coloured>,
    /// What the user should know about the file, one line each, with file and position.
    pub warnings: Vec<String>,
}

/// What a coloured net looked like, and what it was unfolded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coloured {
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

impl Model {
    /// A net that was not coloured.
    pub fn new(net: Net) -> Self {
        Model { net, coloured: None, warnings: Vec::new() }
    }

    /// Tokens that are in every marking but not in the net; 0 unless it was coloured.
    pub fn idle_tokens(&self) -> u64 {
        let groups = self.coloured.iter().flat_map(|c| &c.places);
        groups.map(PlaceGroup::idle_tokens).sum()
    }

    /// The most of them that have the same place and colour.
    pub fn most_idle_tokens(&self) -> u64 {
        let groups = self.coloured.iter().flat_map(|c| &c.places);
        groups.flat_map(|g| &g.idle).max().map_or(0, |&n| u64::from(n))
    }
}
