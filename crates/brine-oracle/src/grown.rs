//! Random nets in which reduction rules find something to do.
//!
//! A small random net is grown by steps that are rules read backwards (a transition becomes a
//! series, a place gets a parallel one, ...), often bent a little so that the rule must *not*
//! apply.

use crate::RandomNets;
use brine_net::{Net, NetBuilder, PlaceId, Rng};

type ArcList = Vec<(usize, u32)>;

/// A net that grows.
struct Growing {
    initial: Vec<u32>,
    transitions: Vec<(ArcList, ArcList)>,
}

/// A random net with up to `steps` additions to a small one, whose places and transitions come
/// first.
///
/// ```
/// use brine_net::Rng;
/// use brine_oracle::grown_net;
/// assert!(grown_net(&mut Rng::new(1), 5).places().len() > 0);
/// ```
pub fn grown_net(rng: &mut Rng, steps: u32) -> Net {
    let flavour = RandomNets {
        max_places: 3,
        max_transitions: 3,
        max_weight: 1 + rng.below(2),
        max_tokens: 1 + rng.below(2),
        balanced: [60, 90, 100][rng.below(3) as usize],
        ..RandomNets::default()
    };
    let seed = flavour.net(rng);
    let arcs = |side: &[(PlaceId, u32)]| side.iter().map(|&(p, w)| (p.index(), w)).collect();
    let mut net = Growing {
        initial: seed.initial_marking(),
        transitions: seed.transitions().map(|t| (arcs(t.pre), arcs(t.post))).collect(),
    };
    for _ in 0..rng.below(steps + 1) {
        net.grow(rng);
    }
    net.build()
}

impl Growing {
    fn grow(&mut self, rng: &mut Rng) {
        match rng.below(15) {
            0 | 1 => self.split_transition(rng),
            2 => self.split_place(rng, true),
            3 => self.split_place(rng, false),
            4 => self.copy_transition(rng),
            5 => self.copy_place(rng),
            6 => self.add_loop(rng),
            7 => self.add_sink(rng),
            8 => self.scale(rng),
            9 => self.add_guard(rng),
            10 => self.add_component(rng),
            11 => self.add_branch(rng),
            12 | 13 => self.sum_places(rng),
            _ => self.add_moves(rng),
        }
    }

    fn some_place(&self, rng: &mut Rng) -> usize {
        rng.below(self.initial.len() as u32) as usize
    }

    fn some_transition(&self, rng: &mut Rng) -> usize {
        rng.below(self.transitions.len() as u32) as usize
    }

    fn new_place(&mut self, tokens: u32) -> usize {
        self.initial.push(tokens);
        self.initial.len() - 1
    }

    /// pre -> t -> post becomes pre -> t -> p -> new -> post, or the new one comes first.
    fn split_transition(&mut self, rng: &mut Rng) {
        let t = self.some_transition(rng);
        let tokens = if rng.chance(15) { 1 } else { 0 };
        let p = self.new_place(tokens);
        let w = 1 + u32::from(rng.chance(15));
        let taken = if rng.chance(10) { 2 } else { w };
        if rng.chance(50) {
            let post = std::mem::replace(&mut self.transitions[t].1, vec![(p, w)]);
            self.transitions.push((vec![(p, taken)], post));
        } else {
            let pre = std::mem::replace(&mut self.transitions[t].0, vec![(p, taken)]);
            self.transitions.push((pre, vec![(p, w)]));
        }
        if rng.chance(10) {
            let extra = (self.some_place(rng), 1);
            let last = self.transitions.len() - 1;
            if rng.chance(50) {
                self.transitions[last].0.push(extra);
            } else {
                self.transitions[last].1.push(extra);
            }
        }
    }

    /// A new place before or after an old one, with a transition that moves tokens over.
    fn split_place(&mut self, rng: &mut Rng, before: bool) {
        let p = self.some_place(rng);
        let q = self.new_place(0);
        for (pre, post) in &mut self.transitions {
            let side = if before { post } else { pre };
            side.iter_mut().filter(|(r, _)| *r == p).for_each(|(r, _)| *r = q);
        }
        let (from, to) = if before { (q, p) } else { (p, q) };
        self.transitions.push((vec![(from, 1)], vec![(to, 1)]));
    }

    /// A copy of a transition, perhaps with a further condition or another effect.
    fn copy_transition(&mut self, rng: &mut Rng) {
        let (mut pre, mut post) = self.transitions[self.some_transition(rng)].clone();
        let p = self.some_place(rng);
        if rng.chance(40) {
            pre.push((p, 1));
            post.push((p, 1));
        } else if rng.chance(20) {
            pre.push((p, 1));
        }
        self.transitions.push((pre, post));
    }

    /// A place parallel to an old one, with more or fewer tokens, perhaps bent.
    fn copy_place(&mut self, rng: &mut Rng) {
        let p = self.some_place(rng);
        let q = self.new_place((self.initial[p] + rng.below(3)).saturating_sub(rng.below(2)));
        let factor = 1 + u32::from(rng.chance(15));
        self.initial[q] *= factor;
        for (pre, post) in &mut self.transitions {
            for side in [pre, post] {
                let weight: u32 = side.iter().filter(|(r, _)| *r == p).map(|(_, w)| w).sum();
                if weight > 0 && !rng.chance(5) {
                    side.push((q, weight * factor));
                }
            }
        }
    }

    /// A place that holds the tokens of two others together, or a few more, perhaps bent.
    fn sum_places(&mut self, rng: &mut Rng) {
        let (p, q) = (self.some_place(rng), self.some_place(rng));
        let sum = self.new_place(self.initial[p] + self.initial[q] + u32::from(rng.chance(20)));
        for (pre, post) in &mut self.transitions {
            let weight = |side: &ArcList| -> u32 {
                side.iter().filter(|(r, _)| *r == p || *r == q).map(|(_, w)| w).sum()
            };
            let (taken, put) = (weight(pre), weight(post));
            let kept = if rng.chance(50) { taken.min(put) } else { 0 };
            if taken > kept {
                pre.push((sum, taken - kept));
            }
            if put > kept && !rng.chance(5) {
                post.push((sum, put - kept));
            }
        }
    }

    /// A transition without effect.
    fn add_loop(&mut self, rng: &mut Rng) {
        let arcs: ArcList =
            (0..rng.below(3)).map(|_| (self.some_place(rng), 1 + rng.below(2))).collect();
        self.transitions.push((arcs.clone(), arcs));
    }

    /// A place that is only filled, or emptied by a transition that does nothing else.
    fn add_sink(&mut self, rng: &mut Rng) {
        let t = self.some_transition(rng);
        let p = self.new_place(rng.below(2));
        self.transitions[t].1.push((p, 1));
        let mut pre = vec![(p, 1)];
        if rng.chance(40) {
            let q = if rng.chance(50) { self.some_place(rng) } else { self.new_place(2) };
            pre.push((q, 1));
        }
        if !rng.chance(20) {
            self.transitions.push((pre, Vec::new()));
        }
    }

    /// All tokens of a place come in bundles.
    fn scale(&mut self, rng: &mut Rng) {
        let p = self.some_place(rng);
        let bundle = 2 + rng.below(2);
        self.initial[p] = self.initial[p] * bundle + rng.below(bundle);
        for (pre, post) in &mut self.transitions {
            let arcs = pre.iter_mut().chain(post.iter_mut());
            arcs.filter(|(q, _)| *q == p).for_each(|(_, w)| *w *= bundle);
        }
        let t = self.some_transition(rng);
        if rng.chance(30) {
            let w = 1 + rng.below(2);
            self.transitions[t].0.push((p, w));
            self.transitions[t].1.push((p, w));
        }
    }

    /// A new place that a transition tests; perhaps it never has enough.
    fn add_guard(&mut self, rng: &mut Rng) {
        let t = self.some_transition(rng);
        let p = self.new_place(rng.below(3));
        let w = 1 + u32::from(rng.chance(20));
        self.transitions[t].0.push((p, w));
        if !rng.chance(15) {
            self.transitions[t].1.push((p, w));
        }
    }

    /// A separate part: a ring or a chain, marked or not.
    fn add_component(&mut self, rng: &mut Rng) {
        let length = 1 + rng.below(3) as usize;
        let first = self.initial.len();
        (0..length).for_each(|i| self.initial.push(u32::from(i == 0 && rng.chance(70))));
        let ring = rng.chance(50);
        for i in 0..length {
            if i + 1 < length || ring {
                let to = first + (i + 1) % length;
                self.transitions.push((vec![(first + i, 1)], vec![(to, 1)]));
            }
        }
    }

    /// One more way out of a place.
    fn add_branch(&mut self, rng: &mut Rng) {
        let (p, q) = (self.some_place(rng), self.some_place(rng));
        self.transitions.push((vec![(p, 1)], vec![(q, 1)]));
    }

    /// A round trip between two places.
    fn add_moves(&mut self, rng: &mut Rng) {
        let p = self.some_place(rng);
        let q = if rng.chance(50) { self.new_place(0) } else { self.some_place(rng) };
        self.transitions.push((vec![(p, 1)], vec![(q, 1)]));
        self.transitions.push((vec![(q, 1)], vec![(p, 1)]));
    }

    fn build(&self) -> Net {
        let mut b = NetBuilder::new("grown");
        for (i, &tokens) in self.initial.iter().enumerate() {
            b.place(&format!("p{i}"), tokens);
        }
        let arcs = |side: &ArcList| -> Vec<(PlaceId, u32)> {
            side.iter().map(|&(p, w)| (PlaceId(p as u32), w)).collect()
        };
        for (i, (pre, post)) in self.transitions.iter().enumerate() {
            b.transition(&format!("t{i}"), &arcs(pre), &arcs(post));
        }
        // Ids are numbered, so they differ, and weights are far from overflow.
        b.build().unwrap_or_default()
    }
}
