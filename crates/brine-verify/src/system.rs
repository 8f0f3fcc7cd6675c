//! The net as the checker sees it, with a firing rule of its own.
//!
//! A run is a sequence of markings, each one step after the one before it; a dead marking repeats
//! for ever. Markings are kept sparse: the marked places with their tokens, in order.

use brine_net::{Net, TransitionId};

/// A marking: the places that hold tokens, ascending, with how many.
pub type Marking = Box<[(u32, u32)]>;

/// Tokens by place: ascending, no zeros.
pub(crate) type Arcs = Vec<(u32, u32)>;

/// A transition: what it takes, what it puts, and the difference.
#[derive(Clone, Debug)]
pub struct Step {
    /// Tokens taken.
    pub take: Arcs,
    /// Tokens put.
    pub put: Arcs,
    /// Tokens after minus tokens before, where that is not zero.
    pub effect: Vec<(u32, i64)>,
}

/// A net: its tokens and its steps.
#[derive(Clone, Debug)]
pub struct System {
    /// Tokens at the start, by place.
    pub initial: Vec<u32>,
    /// The transitions.
    pub steps: Vec<Step>,
    /// For each place, the transitions that change it, and by how much.
    pub changers: Vec<Vec<(u32, i64)>>,
}

impl System {
    /// Reads a net.
    pub fn new(net: &Net) -> Self {
        let initial = net.initial_marking();
        let plain = |arcs: &[(brine_net::PlaceId, u32)]| -> Arcs {
            arcs.iter().map(|&(p, w)| (p.0, w)).collect()
        };
        let mut steps = Vec::new();
        let mut changers = vec![Vec::new(); initial.len()];
        for t in (0..net.transitions().len() as u32).map(TransitionId) {
            let transition = net.transition(t);
            let (take, put) = (plain(transition.pre), plain(transition.post));
            let effect = difference(&take, &put);
            effect.iter().for_each(|&(p, e)| changers[p as usize].push((t.0, e)));
            steps.push(Step { take, put, effect });
        }
        System { initial, steps, changers }
    }

    /// The initial marking.
    pub fn start(&self) -> Marking {
        let tokens = self.initial.iter().enumerate().filter(|(_, n)| **n > 0);
        tokens.map(|(p, &n)| (p as u32, n)).collect()
    }

    /// The transitions that are enabled.
    pub fn enabled(&self, marking: &[(u32, u32)]) -> Vec<u32> {
        let mut tokens = vec![0; self.initial.len()];
        marking.iter().for_each(|&(p, n)| tokens[p as usize] = n);
        let enabled = |step: &Step| step.take.iter().all(|&(p, w)| tokens[p as usize] >= w);
        (0..self.steps.len() as u32).filter(|&t| enabled(&self.steps[t as usize])).collect()
    }

    /// The marking after an enabled transition; `None` if a place holds more than `u32` can say.
    pub fn fire(&self, t: u32, marking: &[(u32, u32)]) -> Option<Marking> {
        let mut after = Vec::with_capacity(marking.len() + 2);
        let mut rest = marking.iter().copied().peekable();
        for &(p, change) in &self.steps[t as usize].effect {
            while let Some(before) = rest.next_if(|&(q, _)| q < p) {
                after.push(before);
            }
            let old = rest.next_if(|&(q, _)| q == p).map_or(0, |(_, n)| n);
            match u32::try_from(i64::from(old) + change).ok()? {
                0 => (),
                n => after.push((p, n)),
            }
        }
        after.extend(rest);
        Some(after.into())
    }

    /// A fingerprint of places, tokens and arcs, by which a certificate names its net.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut add = |n: u64| {
            for byte in n.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        };
        add(self.initial.len() as u64);
        self.initial.iter().for_each(|&n| add(n.into()));
        for step in &self.steps {
            for arcs in [&step.take, &step.put] {
                add(arcs.len() as u64);
                arcs.iter().for_each(|&(p, w)| (add(p.into()), add(w.into())).1);
            }
        }
        hash
    }
}

/// What is put less what is taken, place by place.
fn difference(take: &Arcs, put: &Arcs) -> Vec<(u32, i64)> {
    let mut all: Vec<(u32, i64)> = take.iter().map(|&(p, w)| (p, -i64::from(w))).collect();
    all.extend(put.iter().map(|&(p, w)| (p, i64::from(w))));
    all.sort_unstable();
    let mut effect: Vec<(u32, i64)> = Vec::with_capacity(all.len());
    for (p, change) in all {
        match effect.last_mut() {
            Some((q, sum)) if *q == p => *sum += change,
            _ => effect.push((p, change)),
        }
    }
    effect.retain(|&(_, e)| e != 0);
    effect
}

/// The tokens of a place in a sparse list.
pub(crate) fn tokens(list: &[(u32, u32)], p: u32) -> u32 {
    list.binary_search_by_key(&p, |a| a.0).map_or(0, |i| list[i].1)
}
