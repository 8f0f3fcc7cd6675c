//! The place/transition net, as every engine sees it.
//!
//! A [`Net`] is immutable once built. Places and transitions are numbered in the
//! order of the input (authors often write nets in a sensible order, and the
//! variable order "as given" depends on it). Arcs are stored with the transition,
//! sorted by place, merged (parallel arcs add up), and never have weight zero.

use brine_run::{Control, Stop};
use std::fmt;

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

/// A place with its initial number of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The PNML id, unique in the net.
    pub id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub name: String,
    /// Tokens in the initial marking.
    pub initial: u32,
}

/// A transition with its input and output arcs, each sorted by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The PNML id, unique in the net.
    pub id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub name: String,
    /// Tokens needed and taken, per place.
    pub pre: Vec<(PlaceId, u32)>,
    /// Tokens put, per place.
    pub post: Vec<(PlaceId, u32)>,
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
    fn is_within(&self, places: usize) -> bool {
        let units = self.units.len();
        let sound = |unit: &Unit| {
            unit.places.iter().all(|p| p.index() < places)
                && unit.subunits.iter().all(|&u| u < units)
        };
        self.root < units && self.units.iter().all(sound)
    }
}

/// A place/transition net with its initial marking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    name: String,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    nupn: Option<Nupn>,
}

impl Net {
    /// The net's id in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All places, indexed by [`PlaceId`].
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// All transitions, indexed by [`TransitionId`].
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// One place.
    pub fn place(&self, p: PlaceId) -> &Place {
        &self.places[p.index()]
    }

    /// One transition.
    pub fn transition(&self, t: TransitionId) -> &Transition {
        &self.transitions[t.index()]
    }

    /// The NUPN structure claimed by the file, if any.
    pub fn nupn(&self) -> Option<&Nupn> {
        self.nupn.as_ref()
    }

    /// The ids of all places, in order.
    pub fn place_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = PlaceId> + ExactSizeIterator + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// The ids of all transitions, in order.
    pub fn transition_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TransitionId> + ExactSizeIterator + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// The initial marking as a vector.
    pub fn initial_marking(&self) -> Vec<u32> {
        self.places.iter().map(|p| p.initial).collect()
    }
}

/// What can be wrong with a net that is built by hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetError {
    /// Two places or transitions have the same id.
    DuplicateId(String),
    /// The sum of parallel arcs passes `u32`.
    WeightOverflow(String),
    /// An arc of this transition names a place that is not in the net.
    UnknownPlace(String),
    /// The NUPN structure names a place or a unit that does not exist.
    BadUnits,
    /// A budget ended before the net was complete.
    Stopped(Stop),
}

impl From<Stop> for NetError {
    fn from(stop: Stop) -> Self {
        NetError::Stopped(stop)
    }
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::DuplicateId(id) => write!(f, "id \"{id}\" is used twice"),
            NetError::WeightOverflow(id) => {
                write!(f, "the arc weights of \"{id}\" add up to more than 4294967295")
            }
            NetError::UnknownPlace(id) => write!(f, "an arc of \"{id}\" has no place"),
            NetError::Stopped(stop) => stop.fmt(f),
            NetError::BadUnits => f.write_str("the units name a place or unit that is not there"),
        }
    }
}

impl std::error::Error for NetError {}

/// Builds a [`Net`] step by step.
///
/// ```
/// use brine_net::NetBuilder;
/// let mut b = NetBuilder::new("two-state");
/// let on = b.place("on", 1);
/// let off = b.place("off", 0);
/// b.transition("switch_off", &[(on, 1)], &[(off, 1)]);
/// b.transition("switch_on", &[(off, 1)], &[(on, 1)]);
/// let net = b.build().unwrap();
/// assert_eq!(net.places().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NetBuilder {
    net: Net,
}

impl NetBuilder {
    /// An empty net.
    pub fn new(name: &str) -> Self {
        NetBuilder { net: Net { name: name.to_owned(), ..Net::default() } }
    }

    /// Adds a place whose name is its id.
    pub fn place(&mut self, id: &str, initial: u32) -> PlaceId {
        self.named_place(id, id, initial)
    }

    /// Adds a place.
    pub fn named_place(&mut self, id: &str, name: &str, initial: u32) -> PlaceId {
        let p = PlaceId(self.net.places.len() as u32);
        self.net.places.push(Place { id: id.to_owned(), name: name.to_owned(), initial });
        p
    }

    /// Adds a transition whose name is its id. Parallel arcs add up when the net is built.
    pub fn transition(
        &mut self,
        id: &str,
        pre: &[(PlaceId, u32)],
        post: &[(PlaceId, u32)],
    ) -> TransitionId {
        self.named_transition(id, id, pre.to_vec(), post.to_vec())
    }

    /// Adds a transition.
    pub fn named_transition(
        &mut self,
        id: &str,
        name: &str,
        pre: Vec<(PlaceId, u32)>,
        post: Vec<(PlaceId, u32)>,
    ) -> TransitionId {
        let t = TransitionId(self.net.transitions.len() as u32);
        self.net.transitions.push(Transition {
            id: id.to_owned(),
            name: name.to_owned(),
            pre,
            post,
        });
        t
    }

    /// Adds an input arc to a transition that is already there. Parallel arcs add up.
    ///
    /// ```
    /// use brine_net::NetBuilder;
    /// let mut b = NetBuilder::new("n");
    /// let p = b.place("p", 1);
    /// let t = b.transition("t", &[], &[]);
    /// b.add_input(t, p, 2);
    /// assert_eq!(b.build().unwrap().transition(t).pre, [(p, 2)]);
    /// ```
    pub fn add_input(&mut self, t: TransitionId, p: PlaceId, weight: u32) {
        self.net.transitions[t.index()].pre.push((p, weight));
    }

    /// Adds an output arc to a transition that is already there. Parallel arcs add up.
    pub fn add_output(&mut self, t: TransitionId, p: PlaceId, weight: u32) {
        self.net.transitions[t.index()].post.push((p, weight));
    }

    /// States the NUPN structure.
    pub fn nupn(&mut self, nupn: Nupn) {
        self.net.nupn = Some(nupn);
    }

    /// Sorts and merges arcs, checks ids, and returns the net.
    pub fn build(self) -> Result<Net, NetError> {
        self.build_within(&Control::default())
    }

    /// The same under a control.
    pub fn build_within(mut self, control: &Control) -> Result<Net, NetError> {
        let mut pace = control.pace();
        let nodes = self.net.places.len() + self.net.transitions.len();
        let mut seen =
            rustc_hash::FxHashSet::with_capacity_and_hasher(nodes, rustc_hash::FxBuildHasher);
        for id in
            self.net.places.iter().map(|p| &p.id).chain(self.net.transitions.iter().map(|t| &t.id))
        {
            pace.step()?;
            if !seen.insert(id.as_str()) {
                return Err(NetError::DuplicateId(id.clone()));
            }
        }
        let places = self.net.places.len();
        if self.net.nupn.as_ref().is_some_and(|nupn| !nupn.is_within(places)) {
            return Err(NetError::BadUnits);
        }
        for t in &mut self.net.transitions {
            pace.steps(1 + t.pre.len() + t.post.len())?;
            if t.pre.iter().chain(&t.post).any(|(p, _)| p.index() >= places) {
                return Err(NetError::UnknownPlace(t.id.clone()));
            }
            t.pre = merge_arcs(std::mem::take(&mut t.pre))
                .ok_or_else(|| NetError::WeightOverflow(t.id.clone()))?;
            t.post = merge_arcs(std::mem::take(&mut t.post))
                .ok_or_else(|| NetError::WeightOverflow(t.id.clone()))?;
        }
        Ok(self.net)
    }
}

/// Sorts arcs by place, adds up parallel ones and drops those of weight zero.
fn merge_arcs(mut arcs: Vec<(PlaceId, u32)>) -> Option<Vec<(PlaceId, u32)>> {
    arcs.sort_unstable();
    let mut merged: Vec<(PlaceId, u32)> = Vec::with_capacity(arcs.len());
    for (p, w) in arcs {
        match merged.last_mut() {
            Some((last, sum)) if *last == p => *sum = sum.checked_add(w)?,
            _ => merged.push((p, w)),
        }
    }
    merged.retain(|&(_, w)| w > 0);
    debug_assert!(merged.is_sorted_by(|a, b| a.0 < b.0), "sorted, each place once");
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_built_by_hand_are_checked() {
        let build = |change: fn(&mut NetBuilder)| {
            let mut b = NetBuilder::new("n");
            let p = b.place("p", 1);
            b.transition("t", &[(p, 1), (p, 2)], &[]);
            change(&mut b);
            b.build()
        };
        let net = build(|_| {}).expect("valid");
        assert_eq!(net.transitions()[0].pre, [(PlaceId(0), 3)]);
        let twice = build(|b| {
            b.place("t", 0);
        });
        assert_eq!(twice, Err(NetError::DuplicateId("t".to_owned())));
        let heavy = build(|b| b.add_input(TransitionId(0), PlaceId(0), u32::MAX));
        assert_eq!(heavy, Err(NetError::WeightOverflow("t".to_owned())));
        let lost = build(|b| b.add_output(TransitionId(0), PlaceId(1), 1));
        assert_eq!(lost, Err(NetError::UnknownPlace("t".to_owned())));
        assert_eq!(build(|b| b.nupn(Nupn::default())), Err(NetError::BadUnits));
    }
}
