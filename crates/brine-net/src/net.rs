//! The place/transition net, as every engine sees it.
//!
//! A [`Net`] is immutable once built. Places and transitions are numbered in the
//! order of the input (authors often write nets in a sensible order, and the
//! variable order "as given" depends on it). Arcs lie transition after transition in one array
//! for each side, sorted by place, merged (parallel arcs add up), and never have weight zero.
//! A [`Transition`] or [`Place`] is a view. Cost: 8 bytes an arc, 8 a transition, 4 a place, and
//! what the names take ([`crate::NodeNames`]).

use crate::arcs::Arcs;
use crate::names::{NodeNames, SharedNames, TextNames};
use std::borrow::Cow;
use std::sync::Arc;

/// Index of a place in its net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// Index of a transition in its net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place with its initial number of tokens, as [`Net::place`] shows it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'n> {
    /// Tokens in the initial marking.
    pub initial: u32,
    number: PlaceId,
    names: &'n SharedNames,
}

impl<'n> Place<'n> {
    /// The PNML id, unique in the net.
    pub fn id(&self) -> Cow<'n, str> {
        self.names.place_id(self.number)
    }

    /// The PNML name; equal to the id when the file gives none.
    pub fn name(&self) -> Cow<'n, str> {
        self.names.place_name(self.number)
    }
}

/// A transition with its input and output arcs, each sorted by place, as
/// [`Net::transition`] shows it.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'n> {
    /// Tokens needed and taken, per place.
    pub pre: &'n [(PlaceId, u32)],
    /// Tokens put, per place.
    pub post: &'n [(PlaceId, u32)],
    number: TransitionId,
    names: &'n SharedNames,
}

impl<'n> Transition<'n> {
    /// The PNML id, unique in the net.
    pub fn id(&self) -> Cow<'n, str> {
        self.names.transition_id(self.number)
    }

    /// The PNML name; equal to the id when the file gives none.
    pub fn name(&self) -> Cow<'n, str> {
        self.names.transition_name(self.number)
    }

    /// The transition that puts what this one takes and takes what it puts.
    pub fn reversed(self) -> Transition<'n> {
        Transition { pre: self.post, post: self.pre, ..self }
    }
}

/// A unit of a nested-unit Petri net (the `nupn` tool-specific part of PNML).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    /// The unit's id in the file.
    pub id: String,
    /// Places that belong to this unit itself, not to its subunits.
    pub places: Vec<PlaceId>,
    /// Indices of the subunits in [`Nupn::units`].
    pub subunits: Vec<usize>,
}

/// The NUPN structure as the file states it. It is a claim: check it before use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nupn {
    /// All units.
    pub units: Vec<Unit>,
    /// Index of the root unit.
    pub root: usize,
    /// The file claims that the net is unit-safe.
    pub safe: bool,
}

impl Nupn {
    /// Every place and unit it names exists.
    pub(crate) fn is_within(&self, places: usize) -> bool {
        let units = self.units.len();
        let sound = |unit: &Unit| {
            unit.places.iter().all(|p| p.index() < places)
                && unit.subunits.iter().all(|&u| u < units)
        };
        self.root < units && self.units.iter().all(sound)
    }
}

/// A place/transition net with its initial marking.
#[derive(Clone, Debug)]
pub struct Net {
    pub(crate) name: String,
    pub(crate) initial: Vec<u32>,
    pub(crate) pre: Arcs,
    pub(crate) post: Arcs,
    pub(crate) names: SharedNames,
    pub(crate) nupn: Option<Nupn>,
}

impl Default for Net {
    fn default() -> Self {
        Net {
            name: String::new(),
            initial: Vec::new(),
            pre: Arcs::default(),
            post: Arcs::default(),
            names: Arc::new(TextNames::default()),
            nupn: None,
        }
    }
}

/// Nets are equal if their nodes, arcs, tokens, units and names are, however the names are kept.
impl PartialEq for Net {
    fn eq(&self, other: &Self) -> bool {
        let same_names = || {
            let mut places = self.places().zip(other.places());
            let mut transitions = self.transitions().zip(other.transitions());
            places.all(|(p, q)| p.id() == q.id() && p.name() == q.name())
                && transitions.all(|(t, u)| t.id() == u.id() && t.name() == u.name())
        };
        self.name == other.name
            && self.initial == other.initial
            && self.pre == other.pre
            && self.post == other.post
            && self.nupn == other.nupn
            && (Arc::ptr_eq(&self.names, &other.names) || same_names())
    }
}

impl Eq for Net {}

impl Net {
    /// The net's id in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All places, in the order of their numbers.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Place<'_>> + ExactSizeIterator + Clone {
        self.place_ids().map(|p| self.place(p))
    }

    /// All transitions, in the order of their numbers.
    pub fn transitions(
        &self,
    ) -> impl DoubleEndedIterator<Item = Transition<'_>> + ExactSizeIterator + Clone {
        self.transition_ids().map(|t| self.transition(t))
    }

    /// One place.
    #[inline]
    pub fn place(&self, p: PlaceId) -> Place<'_> {
        Place { initial: self.initial[p.index()], number: p, names: &self.names }
    }

    /// One transition.
    #[inline]
    pub fn transition(&self, t: TransitionId) -> Transition<'_> {
        let (pre, post) = (self.pre.of(t), self.post.of(t));
        Transition { pre, post, number: t, names: &self.names }
    }

    /// What its nodes are called, to be shared with nets that are made from it.
    pub fn names(&self) -> Arc<dyn NodeNames> {
        self.names.clone()
    }

    /// How many arcs there are.
    pub fn arcs(&self) -> usize {
        self.pre.arcs.len() + self.post.arcs.len()
    }

    /// The NUPN structure claimed by the file, if any.
    pub fn nupn(&self) -> Option<&Nupn> {
        self.nupn.as_ref()
    }

    /// The ids of all places, in order.
    pub fn place_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = PlaceId> + ExactSizeIterator + Clone + use<> {
        (0..self.initial.len() as u32).map(PlaceId)
    }

    /// The ids of all transitions, in order.
    pub fn transition_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TransitionId> + ExactSizeIterator + Clone + use<> {
        (0..self.pre.transitions() as u32).map(TransitionId)
    }

    /// The same net with another initial marking, which has a number for each place.
    ///
    /// # Panics
    /// If it has not.
    pub fn starting_from(&self, marking: Vec<u32>) -> Net {
        assert_eq!(marking.len(), self.initial.len(), "one number for each place");
        Net { initial: marking, ..self.clone() }
    }

    /// The initial marking as a vector.
    pub fn initial_marking(&self) -> Vec<u32> {
        self.initial.clone()
    }
}
