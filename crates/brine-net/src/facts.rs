//! Simple structural facts, each read off the arcs.

use crate::{Dead, Incidence, Net, PlaceId, TransitionId};

/// Simple facts about a net. Lists are in the net's order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Transitions without input: always enabled. If one has an effect, the net is unbounded.
    pub source_transitions: Vec<TransitionId>,
    /// Transitions without output: they only take.
    pub sink_transitions: Vec<TransitionId>,
    /// Transitions whose firing changes nothing.
    pub neutral_transitions: Vec<TransitionId>,
    /// Transitions that are proved never to fire.
    pub dead_transitions: Vec<TransitionId>,
    /// Places with no arc at all.
    pub isolated_places: Vec<PlaceId>,
    /// Places whose marking never changes: no transition that can fire changes them.
    pub constant_places: Vec<PlaceId>,
}

impl Facts {
    /// Collects the facts.
    ///
    /// ```
    /// use brine_net::{Bounds, Dead, Facts, Incidence, NetBuilder};
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 1), b.place("q", 0));
    /// let t = b.transition("t", &[], &[(p, 1)]);
    /// let u = b.transition("u", &[(q, 1)], &[(q, 1)]);
    /// let net = b.build().unwrap();
    /// let incidence = Incidence::new(&net);
    /// let bounds = Bounds::new(&net, &incidence, &[]);
    /// let dead = Dead::new(&net, &incidence, &bounds, &[]);
    /// let facts = Facts::new(&net, &incidence, &dead);
    /// assert_eq!(facts.source_transitions, [t]);
    /// assert_eq!(facts.neutral_transitions, [u]);
    /// assert_eq!(facts.dead_transitions, [u]);
    /// assert_eq!(facts.constant_places, [q]);
    /// ```
    pub fn new(net: &Net, incidence: &Incidence, dead: &Dead) -> Self {
        let transitions = |test: &dyn Fn(TransitionId) -> bool| -> Vec<TransitionId> {
            net.transition_ids().filter(|&t| test(t)).collect()
        };
        let places = |test: &dyn Fn(PlaceId) -> bool| -> Vec<PlaceId> {
            net.place_ids().filter(|&p| test(p)).collect()
        };
        Facts {
            source_transitions: transitions(&|t| net.transition(t).pre.is_empty()),
            sink_transitions: transitions(&|t| net.transition(t).post.is_empty()),
            neutral_transitions: transitions(&|t| incidence.effect(t).is_empty()),
            dead_transitions: transitions(&|t| dead.is_dead(t)),
            isolated_places: places(&|p| {
                incidence.consumers(p).is_empty() && incidence.producers(p).is_empty()
            }),
            constant_places: places(&|p| {
                incidence.changers(p).iter().all(|&(t, _)| dead.is_dead(t))
            }),
        }
    }

    /// A source transition with an effect: it can fire for ever and fill its places.
    pub fn unbounded_by_source(&self, incidence: &Incidence) -> Option<TransitionId> {
        self.source_transitions.iter().copied().find(|&t| !incidence.effect(t).is_empty())
    }
}
