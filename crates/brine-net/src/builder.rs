//! Building a net: places and transitions one after the other, arcs in any order.
//!
//! Arcs that come with their transition are put where they will lie; those that are added later
//! are kept apart until the net is built. So a net whose transitions come with their arcs needs
//! no memory but its own.

use crate::arcs::{Arcs, MergeError};
use crate::names::{NodeNames, SharedNames, TextNames};
use crate::net::{Net, Nupn, PlaceId, TransitionId};
use brine_run::{Control, Pace, Stop};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::fmt;
use std::sync::Arc;

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
    /// More arcs, or more text in ids and names, than numbers of 32 bits can count.
    TooLarge,
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
            NetError::TooLarge => f.write_str("the net has more than 4294967295 arcs or letters"),
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
    name: String,
    initial: Vec<u32>,
    sides: [Side; 2],
    names: TextNames,
    nupn: Option<Nupn>,
}

/// The input or the output arcs.
#[derive(Clone, Debug, Default)]
struct Side {
    arcs: Arcs,
    /// Those that came after their transition.
    late: Vec<(TransitionId, PlaceId, u32)>,
}

impl NetBuilder {
    /// An empty net.
    pub fn new(name: &str) -> Self {
        NetBuilder { name: name.to_owned(), ..NetBuilder::default() }
    }

    /// Adds a place whose name is its id.
    pub fn place(&mut self, id: &str, initial: u32) -> PlaceId {
        self.named_place(id, id, initial)
    }

    /// Adds a place.
    pub fn named_place(&mut self, id: &str, name: &str, initial: u32) -> PlaceId {
        self.names.places.push(id, name);
        self.unnamed_place(initial)
    }

    /// Adds a place of a net that [`Self::build_named`] ends.
    pub fn unnamed_place(&mut self, initial: u32) -> PlaceId {
        self.initial.push(initial);
        PlaceId(self.initial.len() as u32 - 1)
    }

    /// Adds a transition whose name is its id. Parallel arcs add up when the net is built.
    pub fn transition(
        &mut self,
        id: &str,
        pre: &[(PlaceId, u32)],
        post: &[(PlaceId, u32)],
    ) -> TransitionId {
        self.named_transition(id, id, pre, post)
    }

    /// Adds a transition.
    pub fn named_transition(
        &mut self,
        id: &str,
        name: &str,
        pre: &[(PlaceId, u32)],
        post: &[(PlaceId, u32)],
    ) -> TransitionId {
        self.names.transitions.push(id, name);
        self.unnamed_transition(pre, post)
    }

    /// Adds a transition of a net that [`Self::build_named`] ends.
    pub fn unnamed_transition(
        &mut self,
        pre: &[(PlaceId, u32)],
        post: &[(PlaceId, u32)],
    ) -> TransitionId {
        let [inputs, outputs] = &mut self.sides;
        inputs.arcs.push(pre);
        outputs.arcs.push(post);
        TransitionId(inputs.arcs.transitions() as u32 - 1)
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
        self.sides[0].late.push((t, p, weight));
    }

    /// Adds an output arc to a transition that is already there. Parallel arcs add up.
    pub fn add_output(&mut self, t: TransitionId, p: PlaceId, weight: u32) {
        self.sides[1].late.push((t, p, weight));
    }

    /// States the NUPN structure.
    pub fn nupn(&mut self, nupn: Nupn) {
        self.nupn = Some(nupn);
    }

    /// Sorts and merges arcs, checks ids, and returns the net.
    pub fn build(self) -> Result<Net, NetError> {
        self.build_within(&Control::default())
    }

    /// The same under a control.
    pub fn build_within(mut self, control: &Control) -> Result<Net, NetError> {
        let names = std::mem::take(&mut self.names);
        let mut pace = control.pace();
        let nodes = names.places.len() + names.transitions.len();
        debug_assert_eq!(nodes, self.initial.len() + self.sides[0].arcs.transitions());
        if !(names.places.fits() && names.transitions.fits()) {
            return Err(NetError::TooLarge);
        }
        let mut seen = FxHashSet::with_capacity_and_hasher(nodes, FxBuildHasher);
        for id in names.places.ids().chain(names.transitions.ids()) {
            pace.step()?;
            if !seen.insert(id) {
                return Err(NetError::DuplicateId(id.to_owned()));
            }
        }
        drop(seen);
        self.finish(Arc::new(names), &mut pace)
    }

    /// The net with names that are made on demand, for nodes that were added without any.
    pub fn build_named(
        self,
        names: Arc<dyn NodeNames>,
        control: &Control,
    ) -> Result<Net, NetError> {
        debug_assert!(self.names.places.len() + self.names.transitions.len() == 0);
        self.finish(names, &mut control.pace())
    }

    fn finish(self, names: SharedNames, pace: &mut Pace<'_>) -> Result<Net, NetError> {
        let places = self.initial.len();
        if self.nupn.as_ref().is_some_and(|nupn| !nupn.is_within(places)) {
            return Err(NetError::BadUnits);
        }
        let [inputs, outputs] = self.sides;
        Ok(Net {
            name: self.name,
            initial: self.initial,
            pre: inputs.finish(places, &names, pace)?,
            post: outputs.finish(places, &names, pace)?,
            names,
            nupn: self.nupn,
        })
    }
}

impl Side {
    fn finish(
        mut self,
        places: usize,
        names: &SharedNames,
        pace: &mut Pace<'_>,
    ) -> Result<Arcs, NetError> {
        if !self.late.is_empty() {
            pace.steps(self.late.len() + self.arcs.transitions())?;
            self.arcs = self.arcs.with(&self.late);
        }
        if !self.arcs.fits() {
            return Err(NetError::TooLarge);
        }
        if let Some(t) = self.arcs.reaches_beyond(places) {
            return Err(NetError::UnknownPlace(names.transition_id(t).into_owned()));
        }
        match self.arcs.merge(pace) {
            Ok(()) => Ok(self.arcs),
            Err(MergeError::Stopped(stop)) => Err(NetError::Stopped(stop)),
            Err(MergeError::Overflow(t)) => {
                Err(NetError::WeightOverflow(names.transition_id(t).into_owned()))
            }
        }
    }
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
        assert_eq!(net.transition(TransitionId(0)).pre, [(PlaceId(0), 3)]);
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
