//! Who depends on whom, worked out once for a net.
//!
//! The rules of stubborn sets (see the parent module) say which transitions a member of the
//! set draws in. They speak of a few sets of transitions around each place, so the tables are
//! linear in the arcs of the net: a member points at *nodes*, and a node stands for one such
//! set. Node numbers: the transitions themselves, then for each place its consumers, its
//! takers and its producers, and last the one node for all visible transitions.

use super::graph::NeedNode;
use crate::fire::Step;
use crate::lists::Lists;
use brine_net::{Net, PlaceId, TransitionId};

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NeedKind {
    /// A transition.
    Step(Step),
    /// A set of transitions around a place, without conditions.
    Around,
    /// The transitions that can add tokens to a place, as far as its tokens let them.
    Producers(PlaceId),
    /// The visible transitions.
    Visible,
}

/// A transition that adds tokens to a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Producer {
    pub(crate) step: Step,
    /// Tokens that it needs in the same place first.
    pub(crate) needs: u32,
}

/// The static part of the dependencies.
#[derive(Debug)]
pub(crate) struct Tables {
    steps: u32,
    places: u32,
    /// The input arcs of each transition; places with few producers first.
    inputs: Lists<(PlaceId, u32)>,
    /// The nodes that an enabled transition draws in so that it stays enabled and commutes.
    strong: Lists<NeedNode>,
    /// The nodes that an enabled transition draws in so that it commutes.
    weak: Lists<NeedNode>,
    /// For each place the consumers, then for each place the takers.
    around: Lists<Step>,
    producers: Lists<Producer>,
}

/// The arcs between a transition and a place.
#[derive(Clone, Copy, Debug)]
struct Arcs {
    step: Step,
    taken: u32,
    put: u32,
}

impl Tables {
    /// The tables of a net whose transitions are numbered by `order`.
    pub(crate) fn new(net: &Net, order: &[TransitionId]) -> Self {
        let beside = arcs_of_places(net, order);
        let mut tables = Tables {
            steps: order.len() as u32,
            places: beside.len() as u32,
            inputs: Lists::new(),
            strong: Lists::new(),
            weak: Lists::new(),
            around: Lists::new(),
            producers: Lists::new(),
        };
        let sets: [fn(&&Arcs) -> bool; 2] = [|a| a.taken > 0, |a| a.taken > a.put];
        for set in sets {
            for arcs in &beside {
                tables.around.add(arcs.iter().filter(set).map(|a| a.step));
            }
        }
        for arcs in &beside {
            let adding = arcs.iter().filter(|a| a.put > a.taken);
            tables.producers.add(adding.map(|a| Producer { step: a.step, needs: a.taken }));
        }
        for &t in order {
            tables.add_transition(net, t);
        }
        tables
    }

    fn add_transition(&mut self, net: &Net, t: TransitionId) {
        let t = net.transition(t);
        let mut inputs = t.pre.to_vec();
        inputs.sort_by_key(|&(p, _)| (self.producers.of(p.index()).len(), p));
        self.inputs.add(inputs);
        for &(p, taken) in t.pre {
            if put_into(t.post, p) < taken {
                self.strong.items.push(self.consumers(p));
                self.weak.items.push(self.consumers(p));
            } else if !self.around.of(self.places as usize + p.index()).is_empty() {
                self.strong.items.push(self.takers(p));
            }
        }
        self.strong.close();
        self.weak.close();
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        (self.steps + 3 * self.places + 1) as usize
    }

    /// The number of transitions.
    pub(crate) fn steps(&self) -> usize {
        self.steps as usize
    }

    /// All that take tokens from the place or test it.
    fn consumers(&self, p: PlaceId) -> NeedNode {
        NeedNode(self.steps + p.0)
    }

    /// All that leave the place with fewer tokens.
    pub(crate) fn takers(&self, p: PlaceId) -> NeedNode {
        NeedNode(self.steps + self.places + p.0)
    }

    /// The node of the place's producers.
    pub(crate) fn producers_node(&self, p: PlaceId) -> NeedNode {
        NeedNode(self.steps + 2 * self.places + p.0)
    }

    /// The node of all visible transitions.
    pub(crate) fn visible_node(&self) -> NeedNode {
        NeedNode(self.steps + 3 * self.places)
    }

    /// The transition that a node stands for, if it is one.
    #[inline]
    pub(crate) fn step(&self, node: NeedNode) -> Option<Step> {
        (node.0 < self.steps).then_some(Step(node.0))
    }

    /// What a node stands for.
    #[inline]
    pub(crate) fn kind(&self, node: NeedNode) -> NeedKind {
        if let Some(t) = self.step(node) {
            NeedKind::Step(t)
        } else if node.0 < self.steps + 2 * self.places {
            NeedKind::Around
        } else if node.0 < self.steps + 3 * self.places {
            NeedKind::Producers(PlaceId(node.0 - self.steps - 2 * self.places))
        } else {
            NeedKind::Visible
        }
    }

    /// The transitions that a node of kind `Around` stands for.
    #[inline]
    pub(crate) fn around(&self, node: NeedNode) -> &[Step] {
        self.around.of((node.0 - self.steps) as usize)
    }

    /// The transitions that add tokens to a place.
    #[inline]
    pub(crate) fn producers(&self, p: PlaceId) -> &[Producer] {
        self.producers.of(p.index())
    }

    /// The input arcs of a transition.
    #[inline]
    pub(crate) fn inputs(&self, t: Step) -> &[(PlaceId, u32)] {
        self.inputs.of(t.index())
    }

    /// Whether an enabled transition draws in less when it need not stay enabled.
    #[inline]
    pub(crate) fn has_weaker_needs(&self, t: Step) -> bool {
        self.weak.of(t.index()).len() < self.strong.of(t.index()).len()
    }

    /// What an enabled transition draws in.
    #[inline]
    pub(crate) fn needs(&self, t: Step, strong: bool) -> &[NeedNode] {
        if strong { self.strong.of(t.index()) } else { self.weak.of(t.index()) }
    }
}

/// For each place, the transitions connected with it, ascending.
fn arcs_of_places(net: &Net, order: &[TransitionId]) -> Vec<Vec<Arcs>> {
    let mut beside: Vec<Vec<Arcs>> = vec![Vec::new(); net.places().len()];
    for (step, &t) in order.iter().enumerate() {
        let (step, t) = (Step(step as u32), net.transition(t));
        for &(p, taken) in t.pre {
            beside[p.index()].push(Arcs { step, taken, put: put_into(t.post, p) });
        }
        for &(p, put) in t.post {
            if put_into(t.pre, p) == 0 {
                beside[p.index()].push(Arcs { step, taken: 0, put });
            }
        }
    }
    beside
}

/// The weight of a place in a sorted list of arcs.
fn put_into(arcs: &[(PlaceId, u32)], p: PlaceId) -> u32 {
    arcs.binary_search_by_key(&p, |a| a.0).map_or(0, |i| arcs[i].1)
}
