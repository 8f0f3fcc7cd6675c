//! Runs that never come back: cycles that leave more tokens behind.
//!
//! In an unbounded net a violating run need not meet any marking twice. But when a walk passes
//! marking M and later M' >= M, what was fired in between can be fired again from M', and so
//! on for ever (Karp and Miller): the run is periodic though its markings are not. What
//! the automaton reads is periodic too if every atom keeps its truth at each position, however often
//! the growth G = M' - M is added:
//! - `sum <= b` that holds: the sum over G is at most 0; one that does not: at least 0;
//! - fireable: enabled transitions stay so; a disabled one must lack tokens in a place that
//!   does not grow;
//! - deadlock: something is fired at each position, and stays enabled.
//!
//! Which earlier marking to compare with: one that moves on after 1, 2, 4, ... steps, as in
//! Brent's algorithm. Once the walk goes round in some way, the first comparison
//! after the stretch has become as long as the round succeeds. Cost: one comparison a step, which mostly
//! ends at the first few places; walks do it only in nets that look unbounded.

use crate::layout::Layout;
use crate::store::MarkingId;
use brine_ltl::Atom;
use brine_net::{Net, TransitionId};

/// The earlier moment of a walk with which later ones are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Anchor {
    pub(super) marking: MarkingId,
    pub(super) focus: u32,
    pub(super) at: u32,
    /// How long it stays.
    stretch: u32,
}

impl Anchor {
    /// An anchor for a walk, or an era, that begins here.
    pub(super) fn new(marking: MarkingId, focus: u32, at: u32) -> Self {
        Anchor { marking, focus, at, stretch: 1 }
    }

    /// Moves on to the present moment when the time has come.
    pub(super) fn advance(&mut self, marking: MarkingId, focus: u32, now: u32) {
        if now - self.at >= self.stretch {
            *self = Anchor { marking, focus, at: now, stretch: self.stretch.saturating_mul(2) };
        }
    }
}

/// Whether some transition takes nothing and gives something, self-loops aside.
pub(crate) fn has_sources(net: &Net) -> bool {
    net.transition_ids().any(|t| {
        let effect = crate::fire::effect(net.transition(t));
        !effect.is_empty() && effect.iter().all(|&(_, change)| change > 0)
    })
}

/// Whether a packed marking has at least as many tokens as another one in each place.
pub(crate) fn covers(layout: &Layout, large: &[u64], small: &[u64]) -> bool {
    layout.fields().iter().all(|f| f.get(large) >= f.get(small))
}

/// Whether the truth of the atoms repeats when `cycle`, which leads from `start` to a marking
/// that covers it, is fired again and again.
pub(crate) fn repeats(net: &Net, atoms: &[Atom], start: &[u32], cycle: &[TransitionId]) -> bool {
    let mut marking: Vec<i64> = start.iter().map(|&n| i64::from(n)).collect();
    let mut growth = vec![0i64; marking.len()];
    let effects = || cycle.iter().map(|&t| crate::fire::effect(net.transition(t)));
    effects().flatten().for_each(|(p, change)| growth[p.index()] += change);
    for effect in effects() {
        if !atoms.iter().all(|atom| keeps(net, atom, &marking, &growth)) {
            return false;
        }
        effect.iter().for_each(|&(p, change)| marking[p.index()] += change);
    }
    true
}

/// Whether an atom has the same truth in a marking at which something is fired, and in it plus
/// any multiple of the growth.
fn keeps(net: &Net, atom: &Atom, marking: &[i64], growth: &[i64]) -> bool {
    match atom {
        Atom::Linear(linear) => {
            let sum = |of: &[i64]| -> i128 {
                linear.terms.iter().map(|&(p, c)| i128::from(c) * i128::from(of[p.index()])).sum()
            };
            let change = sum(growth);
            if sum(marking) <= i128::from(linear.bound) { change <= 0 } else { change >= 0 }
        }
        Atom::Fireable(ts) => {
            let lacks = |p: usize, w: u32| marking[p] < i64::from(w);
            let inputs = |t: TransitionId| net.transition(t).pre.iter();
            let enabled = |t| !inputs(t).any(|&(p, w)| lacks(p.index(), w));
            let starves =
                |t| inputs(t).any(|&(p, w)| lacks(p.index(), w) && growth[p.index()] == 0);
            ts.iter().any(|&t| enabled(t)) || ts.iter().all(|&t| starves(t))
        }
        Atom::Deadlock | Atom::Prop(_) => true,
        Atom::Fires(_) => Atom::refuse_event(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::Linear;
    use brine_net::NetBuilder;

    #[test]
    fn atoms_must_keep_their_truth() {
        let mut b = NetBuilder::new("well");
        let (p, q) = (b.place("p", 1), b.place("q", 0));
        let grow = b.transition("grow", &[], &[(q, 1)]);
        let need_q = b.transition("need_q", &[(q, 2)], &[]);
        let need_p = b.transition("need_p", &[(p, 2), (q, 9)], &[]);
        let net = b.build().unwrap();
        assert!(has_sources(&net));
        let at_most = |terms: &[_], bound| Atom::Linear(Linear { terms: terms.to_vec(), bound });
        let keeps = |atom: Atom, start: &[u32]| repeats(&net, &[atom], start, &[grow]);
        assert!(keeps(at_most(&[(p, 1)], 1), &[1, 0]), "p does not grow");
        assert!(!keeps(at_most(&[(q, 1)], 5), &[1, 0]), "q passes 5 some day");
        assert!(keeps(at_most(&[(q, 1)], 5), &[1, 6]), "and stays above");
        assert!(keeps(at_most(&[(p, 1), (q, -1)], 3), &[1, 0]), "the sum falls");
        assert!(!keeps(Atom::Fireable(vec![need_q]), &[1, 0]), "is enabled some day");
        assert!(keeps(Atom::Fireable(vec![need_q]), &[1, 2]));
        assert!(keeps(Atom::Fireable(vec![need_p]), &[1, 0]), "p never has two");
        assert!(!keeps(Atom::Fireable(vec![need_p, need_q]), &[1, 0]));
    }

    #[test]
    fn anchors_move_on_after_stretches_that_double() {
        let mut anchor = Anchor::new(MarkingId::INITIAL, 0, 0);
        let mut moments = Vec::new();
        for now in 1..40 {
            anchor.advance(MarkingId::INITIAL, 0, now);
            if anchor.at == now {
                moments.push(now);
            }
        }
        assert_eq!(moments, [1, 3, 7, 15, 31]);
    }
}
