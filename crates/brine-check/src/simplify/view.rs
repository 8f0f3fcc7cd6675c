//! The net as simplification sees it: all that it may assume.
//!
//! The runs asked about may be those of the net itself, or those of something that the net only
//! *over-approximates*: a coloured net, of which it is the skeleton
//! ([`brine_coloured::Skeleton`]). Then every run still goes along a firing sequence of the net,
//! so what is true of all its markings and all its firing sequences is true of the runs. But
//!
//! - an enabled transition need not have an enabled binding, unless it is *exact*; so a run
//!   may stay in a marking for ever although the net goes on from there;
//! - the tokens of some places are not counted.
//!
//! So the truth of an atom in a marking is three-valued: true or false in everything that looks
//! like this marking, or not known. Nothing else in this folder evaluates atoms, reads letters or
//! takes a transition for enabled; it asks here. For the net itself, nothing is unknown but
//! named propositions.

use brine_coloured::Skeleton;
use brine_ltl::{Atom, Automaton, Cube, Linear};
use brine_net::{Net, PlaceId, TransitionId};

/// Whose runs are asked about.
#[derive(Debug)]
enum Runs<'a> {
    /// Those of the net.
    OfNet,
    /// Those of a coloured net. The net is its skeleton.
    OfColoured {
        skeleton: &'a Skeleton,
        /// Which transitions have an enabled binding at the start, where that is known.
        initially: Vec<Option<bool>>,
    },
}

/// A net, and what it tells about the runs that are asked about.
#[derive(Debug)]
pub(crate) struct NetView<'a> {
    net: &'a Net,
    initial: Vec<u32>,
    runs: Runs<'a>,
}

impl<'a> NetView<'a> {
    /// The runs are those of the net.
    pub(crate) fn of_net(net: &'a Net) -> Self {
        NetView { net, initial: net.initial_marking(), runs: Runs::OfNet }
    }

    /// The runs are those of the coloured net behind a skeleton. `initially` says of a transition
    /// whether some binding of it is enabled at the start, where that is known.
    pub(crate) fn of_coloured(
        skeleton: &'a Skeleton,
        initially: impl Fn(TransitionId) -> Option<bool>,
    ) -> Self {
        let net = skeleton.net();
        let initially: Vec<Option<bool>> = net.transition_ids().map(initially).collect();
        let runs = Runs::OfColoured { skeleton, initially };
        let view = NetView { net, initial: net.initial_marking(), runs };
        debug_assert!(
            net.transition_ids().all(|t| match view.fireable(t, &view.initial) {
                Some(value) => view.fireable_at_start(t) == Some(value),
                None => true,
            }),
            "what is enabled at the start contradicts the skeleton"
        );
        view
    }

    /// The net: its arcs, and all that is proved about its firing sequences.
    pub(super) fn net(&self) -> &'a Net {
        self.net
    }

    /// The net, if it is the one whose runs are asked about: for those who
    /// read the truth of atoms off its markings.
    pub(super) fn exact_net(&self) -> Option<&'a Net> {
        matches!(self.runs, Runs::OfNet).then_some(self.net)
    }

    /// The initial marking.
    pub(super) fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Does the net count the tokens of this place?
    pub(super) fn knows(&self, p: PlaceId) -> bool {
        match &self.runs {
            Runs::OfNet => true,
            Runs::OfColoured { skeleton, .. } => skeleton.knows(p),
        }
    }

    /// Does the net count the tokens of all places of a comparison?
    pub(super) fn knows_all(&self, linear: &Linear) -> bool {
        linear.terms.iter().all(|&(p, _)| self.knows(p))
    }

    /// Is the transition enabled wherever the net enables it? (The converse is always true.)
    pub(super) fn is_exact(&self, t: TransitionId) -> bool {
        match &self.runs {
            Runs::OfNet => true,
            Runs::OfColoured { skeleton, .. } => skeleton.is_exact(t),
        }
    }

    /// The truth of an atom wherever the net has this marking, if it is known.
    pub(super) fn value(&self, atom: &Atom, marking: &[u32]) -> Option<bool> {
        match &self.runs {
            Runs::OfNet => atom.eval(self.net, marking),
            Runs::OfColoured { .. } => {
                self.skeleton_value(atom, marking, |t| self.fireable(t, marking))
            }
        }
    }

    /// The truth of an atom at the start, if it is known.
    pub(super) fn value_at_start(&self, atom: &Atom) -> Option<bool> {
        match &self.runs {
            Runs::OfNet => atom.eval(self.net, &self.initial),
            Runs::OfColoured { .. } => {
                self.skeleton_value(atom, &self.initial, |t| self.fireable_at_start(t))
            }
        }
    }

    /// The letters that a marking may have.
    pub(super) fn letters(&self, automaton: &Automaton, marking: &[u32]) -> Cube {
        letters(automaton, |atom| self.value(atom, marking))
    }

    /// The letters that the start may have.
    pub(super) fn letters_at_start(&self, automaton: &Automaton) -> Cube {
        letters(automaton, |atom| self.value_at_start(atom))
    }

    fn skeleton_value(
        &self,
        atom: &Atom,
        marking: &[u32],
        fireable: impl Fn(TransitionId) -> Option<bool>,
    ) -> Option<bool> {
        match atom {
            Atom::Linear(linear) => self.knows_all(linear).then(|| linear.eval(marking)),
            Atom::Fireable(transitions) => some_is_true(transitions.iter().copied(), fireable),
            Atom::Deadlock => some_is_true(self.net.transition_ids(), fireable).map(|some| !some),
            Atom::Prop(_) | Atom::Fires(_) => None,
        }
    }

    /// Whether the transition is enabled wherever the net has this marking, if it is known.
    fn fireable(&self, t: TransitionId, marking: &[u32]) -> Option<bool> {
        match self.net.is_enabled(t, marking) {
            false => Some(false),
            true => self.is_exact(t).then_some(true),
        }
    }

    fn fireable_at_start(&self, t: TransitionId) -> Option<bool> {
        let known = match &self.runs {
            Runs::OfNet => None,
            Runs::OfColoured { initially, .. } => initially[t.index()],
        };
        known.or_else(|| self.fireable(t, &self.initial))
    }
}

/// Is it true of one of them? `None` if that depends on some of which it is not known.
fn some_is_true(
    mut transitions: impl Iterator<Item = TransitionId>,
    is_true: impl Fn(TransitionId) -> Option<bool>,
) -> Option<bool> {
    let unknown_or_false = transitions.try_fold(Some(false), |known, t| match is_true(t) {
        Some(true) => None,
        Some(false) => Some(known),
        None => Some(None),
    });
    unknown_or_false.unwrap_or(Some(true))
}

/// The letters in which all atoms have their values. Named propositions, about which a net says
/// nothing, are asked about by no automaton here; they may have any value.
fn letters(automaton: &Automaton, value: impl Fn(&Atom) -> Option<bool>) -> Cube {
    let mut cube = Cube { pos: 0, neg: 0 };
    for (i, atom) in automaton.atoms().iter().enumerate() {
        match value(atom) {
            Some(true) => cube.pos |= 1 << i,
            Some(false) => cube.neg |= 1 << i,
            None => {}
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_is_true_in_three_values() {
        let values = [Some(false), None, Some(true)];
        let ask =
            |ids: &[u32]| some_is_true(ids.iter().map(|&t| TransitionId(t)), |t| values[t.index()]);
        assert_eq!(ask(&[]), Some(false));
        assert_eq!(ask(&[0, 0]), Some(false));
        assert_eq!(ask(&[1, 0]), None);
        assert_eq!(ask(&[0, 1, 2]), Some(true));
    }
}
