//! The state space of a net that falls into parts.
//!
//! A place that no transition changes enables or disables its transitions once and for all, so it
//! connects nothing; and a transition that changes no place moves nothing. If what is left falls
//! into parts without a transition in common, a marking is reachable if and only if what it is on
//! each part is reachable there: the runs of the parts can be put one after the other. So markings
//! multiply. An edge is a step of one part while the others stand still, in any of their markings.
//!
//! A transition that looks at several parts and changes nothing is enabled in the product of what
//! enables it in each part. How many markings of a part these are is the number of edges that the
//! part gains with a transition of its own that looks at it alone.
//!
//! Parts that are equal but for names are searched once.

use brine_net::{Incidence, Net, NetBuilder, NetError, PlaceId, TransitionId};
use brine_run::Stop;
use brine_sat::StateSpace;
use num_bigint::BigUint;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// Each look at several parts costs a search of them, so only a few are worth it; if there are
/// more, they connect what they look at.
const MOST_LOOKS: usize = 4;

/// A net, as parts that have nothing to do with each other.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Those that differ.
    pub(crate) kinds: Vec<Kind>,
    /// Tokens of the places that no transition changes: the most in one of them, and all.
    still: (u64, u64),
    /// Transitions that are always enabled and change nothing.
    idle: usize,
    /// Transitions that look at several parts.
    looks: usize,
}

/// Parts that are equal but for names.
#[derive(Debug)]
pub(crate) struct Kind {
    /// One of them.
    pub(crate) net: Net,
    /// It with a look at it alone in place of one at several parts, by the number of that look.
    pub(crate) looking: Vec<(usize, Net)>,
    /// How many there are.
    times: u32,
}

/// The numbers of a kind.
#[derive(Debug)]
pub(crate) struct KindSpace {
    /// Those of its net.
    pub(crate) space: StateSpace,
    /// Those of the nets that look, in the same order.
    pub(crate) looking: Vec<StateSpace>,
}

/// Input or output arcs.
type Arcs = Vec<(PlaceId, u32)>;

/// A part without names; places have numbers of its own.
#[derive(PartialEq, Eq, Hash, Default, Debug)]
struct Part {
    initial: Vec<u32>,
    transitions: Vec<[Arcs; 2]>,
    /// What looks at several parts need here, by the number of the look.
    looks: Vec<(usize, Arcs)>,
}

impl Parts {
    /// The parts of a net; `None` if it is in one piece.
    pub(crate) fn of(net: &Net, incidence: &Incidence) -> Result<Option<Parts>, Stop> {
        let initial = net.initial_marking();
        let changes: Vec<bool> =
            net.place_ids().map(|p| !incidence.changers(p).is_empty()).collect();
        let mut union = UnionFind::new(initial.len());
        let mut connect = |arcs: &[(PlaceId, u32)]| {
            for pair in arcs.windows(2) {
                union.union(pair[0].0.index(), pair[1].0.index());
            }
        };
        let (mut steps, mut looks, mut idle) = (Vec::new(), Vec::new(), 0);
        for t in net.transition_ids() {
            let Some(arcs) = moving_arcs(net, t, &initial, &changes) else { continue };
            if !incidence.effect(t).is_empty() {
                connect(&arcs.concat());
                steps.push(arcs);
            } else if arcs[0].is_empty() {
                idle += 1;
            } else {
                looks.push(arcs);
            }
        }
        let is_wide = |union: &UnionFind<usize>, [pre, _]: &[Arcs; 2]| {
            pre.windows(2).any(|pair| !union.equiv(pair[0].0.index(), pair[1].0.index()))
        };
        if looks.iter().filter(|look| is_wide(&union, look)).count() > MOST_LOOKS {
            looks.iter().for_each(|[pre, _]| {
                for pair in pre.windows(2) {
                    union.union(pair[0].0.index(), pair[1].0.index());
                }
            });
        }
        let (wide, narrow): (Vec<_>, Vec<_>) =
            looks.into_iter().partition(|look| is_wide(&union, look));
        steps.extend(narrow);
        let number_of = union.into_labeling();
        let mut found = Found::new(&initial, &changes, &number_of);
        if found.parts.len() < 2 {
            return Ok(None);
        }
        steps.iter().for_each(|arcs| found.add_step(arcs));
        wide.iter().enumerate().for_each(|(number, [pre, _])| found.add_look(number, pre));
        let still = || initial.iter().zip(&changes).filter(|p| !p.1).map(|p| u64::from(*p.0));
        let parts = Parts {
            kinds: kinds(found.parts)?,
            still: (still().max().unwrap_or(0), still().sum()),
            idle,
            looks: wide.len(),
        };
        debug_assert!(parts.count() >= 2, "a net in one piece");
        Ok(Some(parts))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.kinds.iter().map(|kind| kind.times as usize).sum()
    }

    /// The numbers of the net from those of each kind of part.
    pub(crate) fn together(&self, spaces: &[KindSpace]) -> StateSpace {
        debug_assert_eq!(spaces.len(), self.kinds.len(), "a part was forgotten");
        let kinds = || self.kinds.iter().zip(spaces);
        let power = |n: &BigUint, kind: &Kind| n.pow(kind.times);
        let states: BigUint = kinds().map(|(kind, s)| power(&s.space.states, kind)).product();
        let tokens = kinds().map(|(kind, s)| s.space.max_in_marking * u64::from(kind.times));
        StateSpace {
            edges: self.edges(spaces, &states),
            max_in_place: spaces.iter().map(|s| s.space.max_in_place).fold(self.still.0, u64::max),
            max_in_marking: tokens.sum::<u64>() + self.still.1,
            states,
        }
    }

    fn edges(&self, spaces: &[KindSpace], states: &BigUint) -> Option<BigUint> {
        let mut edges = states * self.idle;
        for (kind, KindSpace { space, .. }) in self.kinds.iter().zip(spaces) {
            edges += space.edges.as_ref()? * (states / &space.states) * kind.times;
        }
        for look in 0..self.looks {
            let mut enabled = BigUint::from(1u32);
            for (kind, KindSpace { space, looking }) in self.kinds.iter().zip(spaces) {
                let found = kind.looking.iter().zip(looking).find(|(l, _)| l.0 == look);
                let markings = match found {
                    Some((_, with)) => with.edges.as_ref()? - space.edges.as_ref()?,
                    None => space.states.clone(),
                };
                enabled *= markings.pow(kind.times);
            }
            edges += enabled;
        }
        Some(edges)
    }
}

/// The arcs of a transition at places that change; `None` if another place disables it for ever.
fn moving_arcs(net: &Net, t: TransitionId, initial: &[u32], changes: &[bool]) -> Option<[Arcs; 2]> {
    let t = net.transition(t);
    let is_dead = |&(p, n): &(PlaceId, u32)| !changes[p.index()] && initial[p.index()] < n;
    let moving =
        |arcs: &[(PlaceId, u32)]| arcs.iter().copied().filter(|a| changes[a.0.index()]).collect();
    (!t.pre.iter().any(is_dead)).then(|| [moving(t.pre), moving(t.post)])
}

/// Parts while they are put together.
struct Found {
    parts: Vec<Part>,
    /// Of each place of the net, its part and its number there.
    local: Vec<(usize, PlaceId)>,
}

impl Found {
    /// Parts without transitions, in the order of their first places.
    fn new(initial: &[u32], changes: &[bool], label: &[usize]) -> Self {
        let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
        let mut parts: Vec<Part> = Vec::new();
        let mut local = vec![(usize::MAX, PlaceId(0)); initial.len()];
        for (p, &tokens) in initial.iter().enumerate().filter(|&(p, _)| changes[p]) {
            let part = *part_of.entry(label[p]).or_insert(parts.len());
            if part == parts.len() {
                parts.push(Part::default());
            }
            local[p] = (part, PlaceId(parts[part].initial.len() as u32));
            parts[part].initial.push(tokens);
        }
        Found { parts, local }
    }

    fn add_step(&mut self, arcs: &[Arcs; 2]) {
        let here = |arcs: &Arcs| -> Arcs {
            arcs.iter().map(|&(p, n)| (self.local[p.index()].1, n)).collect()
        };
        let first = arcs.iter().flatten().next().map(|a| self.local[a.0.index()].0);
        if let Some(part) = first {
            let transition = [here(&arcs[0]), here(&arcs[1])];
            self.parts[part].transitions.push(transition);
        }
    }

    fn add_look(&mut self, number: usize, pre: &Arcs) {
        for &(p, n) in pre {
            let (part, place) = self.local[p.index()];
            let looks = &mut self.parts[part].looks;
            match looks.last_mut() {
                Some((last, arcs)) if *last == number => arcs.push((place, n)),
                _ => looks.push((number, vec![(place, n)])),
            }
        }
    }
}

/// Parts that differ, each with a net.
fn kinds(parts: Vec<Part>) -> Result<Vec<Kind>, Stop> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut kind_of: FxHashMap<Part, usize> = FxHashMap::default();
    for part in parts {
        if let Some(&kind) = kind_of.get(&part) {
            kinds[kind].times += 1;
            continue;
        }
        let looking = part.looks.iter().map(|(number, look)| Ok((*number, part.net(Some(look))?)));
        let looking = looking.collect::<Result<_, Stop>>()?;
        kinds.push(Kind { net: part.net(None)?, looking, times: 1 });
        kind_of.insert(part, kinds.len() - 1);
    }
    Ok(kinds)
}

impl Part {
    fn net(&self, look: Option<&Arcs>) -> Result<Net, Stop> {
        let mut builder = NetBuilder::new("part");
        for (i, &tokens) in self.initial.iter().enumerate() {
            builder.place(&format!("p{i}"), tokens);
        }
        for (i, [pre, post]) in self.transitions.iter().enumerate() {
            builder.transition(&format!("t{i}"), pre, post);
        }
        if let Some(look) = look {
            builder.transition("look", look, look);
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
        let two = [(PlaceId(1), 1), (rest, 2)];
        b.transition("look_at_two", &two, &two);
        b.transition("never", &[(key, 5)], &[(key, 5), (done, 1)]);
        b.build().unwrap()
    }

    #[test]
    fn a_net_falls_into_parts_and_is_put_together() {
        let net = net();
        let parts = Parts::of(&net, &Structure::new(&net).incidence).unwrap().unwrap();
        let times: Vec<u32> = parts.kinds.iter().map(|kind| kind.times).collect();
        let places: Vec<usize> = parts.kinds.iter().map(|kind| kind.net.places().len()).collect();
        // One of the switches is looked at, and the locked one has no way down.
        assert_eq!((times, places, parts.count()), (vec![1, 1, 1, 1], vec![2, 2, 2, 2], 4));
        assert_eq!((parts.still, parts.idle, parts.looks), ((2, 2), 1, 1));
        let space = |states: u32, edges: u32, tokens: u64| StateSpace {
            states: states.into(),
            edges: Some(edges.into()),
            max_in_place: tokens,
            max_in_marking: tokens,
        };
        let spaces = [
            KindSpace { space: space(2, 2, 1), looking: vec![space(2, 3, 1)] },
            KindSpace { space: space(2, 2, 1), looking: vec![] },
            KindSpace { space: space(1, 0, 1), looking: vec![] },
            KindSpace { space: space(4, 3, 3), looking: vec![space(4, 5, 3)] },
        ];
        let whole = parts.together(&spaces);
        // 16 markings; each switch moves in all of them, the counter in 12. All allow one look,
        // and 2 of 8 pairs of switch and counter, with either state of the other switch, both.
        assert_eq!(whole.states, 16u32.into());
        assert_eq!(whole.edges, Some((16u32 + 16 + 12 + 16 + 2 * 2).into()));
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
