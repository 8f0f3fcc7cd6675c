//! What became of each coloured place and transition in an unfolded net.

use std::ops::Range;
use std::sync::Arc;

use crate::bindings::Bindings;
use crate::run::{ColouredRun, ColouredStep};
use brine_net::{Net, PlaceId, Run, TransitionId};

/// The unfolded net, and what its places and transitions were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The place/transition net.
    pub net: Net,
    /// What its places and transitions were.
    pub groups: Groups,
    /// Of every coloured transition, the bindings of its unfolded transitions.
    pub(crate) bindings: Arc<[Bindings]>,
}

impl Unfolded {
    /// The coloured transition and the binding that a transition stands for.
    pub fn step(&self, t: TransitionId) -> ColouredStep {
        let (group, at) = self.groups.transition_of(t);
        let binding = self.bindings[group].get(at).into();
        ColouredStep { transition: TransitionId(group as u32), binding }
    }

    /// The coloured run that a run of the unfolded net stands for.
    pub fn run(&self, run: &Run) -> ColouredRun {
        let steps = |side: &[TransitionId]| side.iter().map(|&t| self.step(t)).collect();
        ColouredRun { prefix: steps(&run.prefix), cycle: steps(&run.cycle) }
    }
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

impl Groups {
    /// The number of the coloured place that a place was.
    pub fn place_of(&self, p: PlaceId) -> usize {
        self.places.partition_point(|g| g.places.end <= p.0)
    }

    /// The number of the coloured transition that a transition was, and of its binding there.
    pub fn transition_of(&self, t: TransitionId) -> (usize, usize) {
        let group = self.transitions.partition_point(|g| g.transitions.end <= t.0);
        (group, (t.0 - self.transitions[group].transitions.start) as usize)
    }
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
