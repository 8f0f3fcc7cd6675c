//! The state space of a net that falls into parts.
//!
//! A place that no transition changes enables or disables its transitions once and for all, so it
//! connects nothing. If what is left falls into parts without a transition in common, a marking is
//! reachable if and only if what it is on each part is reachable there: the runs of the parts can
//! be put one after the other. So markings multiply. An edge is a step of one part while the
//! others stand still, in any of their markings. Parts that are equal but for names are searched
//! once.

use brine_net::{Incidence, Net, NetBuilder, NetError, PlaceId, TransitionId};
use brine_run::Stop;
use brine_sat::StateSpace;
use num_bigint::BigUint;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// A net, as parts that have nothing to do with each other.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Those that differ, and how often there is one of the kind.
    pub(crate) kinds: Vec<(Net, u32)>,
    /// Tokens of the places that no transition changes: the most in one of them, and all.
    still: (u64, u64),
    /// Transitions that are always enabled and change nothing.
    idle: u64,
}

/// The arcs of a transition between places that change, with numbers of the part's own.
type LocalArcs = [Vec<(PlaceId, u32)>; 2];

/// A part without names.
#[derive(PartialEq, Eq, Hash, Default, Debug)]
struct Part {
    initial: Vec<u32>,
    transitions: Vec<LocalArcs>,
}

impl Parts {
    /// The parts of a net; `None` if it is in one piece.
    pub(crate) fn of(net: &Net, incidence: &Incidence) -> Result<Option<Parts>, Stop> {
        let changes: Vec<bool> =
            net.place_ids().map(|p| !incidence.changers(p).is_empty()).collect();
        let initial = net.initial_marking();
        let mut union = UnionFind::<usize>::new(initial.len());
        let mut parts = Parts { kinds: Vec::new(), still: (0, 0), idle: 0 };
        let mut moving: Vec<(TransitionId, usize)> = Vec::new();
        for id in net.transition_ids() {
            let t = net.transition(id);
            let is_dead = |&(p, n): &(PlaceId, u32)| !changes[p.index()] && initial[p.index()] < n;
            if t.pre.iter().any(is_dead) {
                continue;
            }
            let arcs = t.pre.iter().chain(t.post);
            let mut places = arcs.map(|a| a.0.index()).filter(|&p| changes[p]);
            match places.next() {
                None => parts.idle += 1,
                Some(first) => {
                    for p in places {
                        union.union(first, p);
                    }
                    moving.push((id, first));
                }
            }
        }
        // Parts in the order of their first places.
        let mut number_of: FxHashMap<usize, usize> = FxHashMap::default();
        let mut local = vec![(0, PlaceId(0)); initial.len()];
        let mut found: Vec<Part> = Vec::new();
        for (p, &tokens) in initial.iter().enumerate() {
            if !changes[p] {
                let tokens = u64::from(tokens);
                parts.still = (parts.still.0.max(tokens), parts.still.1 + tokens);
                continue;
            }
            let part = *number_of.entry(union.find(p)).or_insert(found.len());
            if part == found.len() {
                found.push(Part::default());
            }
            local[p] = (part, PlaceId(found[part].initial.len() as u32));
            found[part].initial.push(tokens);
        }
        if found.len() < 2 {
            return Ok(None);
        }
        for (t, first) in moving {
            let t = net.transition(t);
            let arcs = [t.pre, t.post].map(|arcs| {
                let arcs = arcs.iter().filter(|a| changes[a.0.index()]);
                arcs.map(|&(p, n)| (local[p.index()].1, n)).collect()
            });
            found[local[first].0].transitions.push(arcs);
        }
        let mut kinds: FxHashMap<Part, usize> = FxHashMap::default();
        for part in found {
            if let Some(&kind) = kinds.get(&part) {
                parts.kinds[kind].1 += 1;
                continue;
            }
            parts.kinds.push((part.net(net.name())?, 1));
            kinds.insert(part, parts.kinds.len() - 1);
        }
        debug_assert!(parts.count() >= 2, "a net in one piece");
        Ok(Some(parts))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.kinds.iter().map(|kind| kind.1 as usize).sum()
    }

    /// The numbers of the net from those of each kind of part.
    pub(crate) fn together(&self, spaces: &[StateSpace]) -> StateSpace {
        debug_assert_eq!(spaces.len(), self.kinds.len(), "a part was forgotten");
        let kinds = || spaces.iter().zip(self.kinds.iter().map(|kind| kind.1));
        let states: BigUint = kinds().map(|(space, times)| space.states.pow(times)).product();
        let edges = kinds().map(|(space, times)| {
            let others = &states / &space.states;
            space.edges.as_ref().map(|edges| edges * others * times)
        });
        let edges: Option<BigUint> = edges.sum();
        let tokens = kinds().map(|(space, times)| space.max_in_marking * u64::from(times));
        let max_in_place = kinds().map(|(space, _)| space.max_in_place).max().unwrap_or(0);
        StateSpace {
            edges: edges.map(|edges| edges + &states * self.idle),
            states,
            max_in_place: max_in_place.max(self.still.0),
            max_in_marking: tokens.sum::<u64>() + self.still.1,
        }
    }
}

impl Part {
    fn net(&self, name: &str) -> Result<Net, Stop> {
        let mut builder = NetBuilder::new(name);
        for (i, &tokens) in self.initial.iter().enumerate() {
            builder.place(&format!("p{i}"), tokens);
        }
        for (i, [pre, post]) in self.transitions.iter().enumerate() {
            builder.transition(&format!("t{i}"), pre, post);
        }
        builder.build().map_err(|error| match error {
            NetError::Stopped(stop) => stop,
            // It is smaller than the net that it is a part of.
            _ => Stop::Memory,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::Structure;

    /// Two switches that need a key that nobody takes, a third one that is locked for ever, and a
    /// counter up to three.
    fn net() -> Net {
        let mut b = NetBuilder::new("parts");
        let key = b.place("key", 2);
        for i in 0..3 {
            let on = b.place(&format!("on{i}"), 1);
            let off = b.place(&format!("off{i}"), 0);
            let keys = if i == 2 { 3 } else { 1 + i };
            b.transition(&format!("down{i}"), &[(on, 1), (key, keys)], &[(off, 1), (key, keys)]);
            b.transition(&format!("up{i}"), &[(off, 1)], &[(on, 1)]);
        }
        let (rest, done) = (b.place("rest", 3), b.place("done", 0));
        b.transition("count", &[(rest, 1)], &[(done, 1)]);
        b.transition("look", &[(key, 1)], &[(key, 1)]);
        b.transition("never", &[(key, 5)], &[(key, 5), (done, 1)]);
        b.build().unwrap()
    }

    #[test]
    fn a_net_falls_into_parts_and_is_put_together() {
        let net = net();
        let parts = Parts::of(&net, &Structure::new(&net).incidence).unwrap().unwrap();
        let times: Vec<u32> = parts.kinds.iter().map(|kind| kind.1).collect();
        let places: Vec<usize> = parts.kinds.iter().map(|kind| kind.0.places().len()).collect();
        // The locked switch has no way down; it is a kind of its own.
        assert_eq!((times, places, parts.count()), (vec![2, 1, 1], vec![2, 2, 2], 4));
        assert_eq!((parts.still, parts.idle), ((2, 2), 1));
        let space = |states: u32, edges: u32, tokens: u64| StateSpace {
            states: states.into(),
            edges: Some(edges.into()),
            max_in_place: tokens,
            max_in_marking: tokens,
        };
        let whole = parts.together(&[space(2, 2, 1), space(1, 0, 1), space(4, 3, 3)]);
        // 16 markings; each switch moves in all of them, the counter in 12, and one may look.
        assert_eq!(whole.states, 16u32.into());
        assert_eq!(whole.edges, Some((16u32 + 16 + 12 + 16).into()));
        assert_eq!((whole.max_in_place, whole.max_in_marking), (3, 3 + 3 + 2));
    }

    #[test]
    fn a_net_in_one_piece_has_no_parts() {
        let mut b = NetBuilder::new("one");
        let (p, q) = (b.place("p", 1), b.place("q", 0));
        b.transition("t", &[(p, 1)], &[(q, 1)]);
        let net = b.build().unwrap();
        assert!(Parts::of(&net, &Structure::new(&net).incidence).unwrap().is_none());
    }
}
