//! Runs: what engines find, lifting changes, replay judges and people are shown.
//!
//! An infinite run is told by finitely many transitions: a prefix, then a cycle that is fired
//! again and again. There are three kinds:
//!
//! - the cycle ends in the marking it began in;
//! - the cycle is empty: the marking after the prefix is dead, and repeats for ever;
//! - the cycle ends in a larger marking than it began in, so it can be fired for ever as well
//!   (a *growing* run).
//!
//! A run is a claim. Nothing here says that its transitions are enabled; replay does.

use crate::net::{Net, TransitionId};

/// A run of a net: `prefix`, then `cycle` for ever. An empty cycle means that the marking after
/// the prefix is dead. In a model that is no net, transition *n* is the *n*-th group of steps.
///
/// ```
/// use brine_net::{Run, TransitionId};
/// let run = Run { prefix: vec![TransitionId(4)], cycle: vec![TransitionId(1), TransitionId(2)] };
/// assert_eq!(run.steps().collect::<Vec<_>>(), [4, 1, 2].map(TransitionId));
/// assert_eq!(run.len(), 3);
/// assert_eq!(run.step(1), TransitionId(1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Transitions before the cycle.
    pub prefix: Vec<TransitionId>,
    /// Transitions of the cycle.
    pub cycle: Vec<TransitionId>,
}

impl Run {
    /// The transitions in the order of firing, the cycle once.
    pub fn steps(&self) -> impl Iterator<Item = TransitionId> + '_ {
        self.prefix.iter().chain(&self.cycle).copied()
    }

    /// How many steps these are.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Whether there are none: the initial marking is dead.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Step `i`, counted from 0 through the prefix and the cycle.
    ///
    /// # Panics
    ///
    /// When there are fewer steps.
    pub fn step(&self, i: usize) -> TransitionId {
        let prefix = self.prefix.len();
        if i < prefix { self.prefix[i] } else { self.cycle[i - prefix] }
    }

    /// Whether the run can be fired in the net and its cycle ends in a larger marking than it
    /// began in: then the net is unbounded.
    pub fn grows(&self, net: &Net) -> bool {
        let mut marking = net.initial_marking();
        let mut fire = |steps: &[TransitionId]| {
            steps.iter().all(|&t| net.fire_in_place(t, &mut marking)).then(|| marking.clone())
        };
        let Some(before) = fire(&self.prefix) else { return false };
        fire(&self.cycle).is_some_and(|after| dominates(&after, &before))
    }
}

/// At least as many tokens everywhere, and more somewhere.
pub(crate) fn dominates(new: &[u32], old: &[u32]) -> bool {
    new != old && new.iter().zip(old).all(|(n, o)| n >= o)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetBuilder;

    #[test]
    fn only_runs_that_fire_and_end_in_a_larger_marking_grow() {
        let mut b = NetBuilder::new("pump");
        let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
        let start = b.transition("start", &[(p, 1)], &[(q, 1)]);
        let pump = b.transition("pump", &[(q, 1)], &[(q, 1), (r, 2)]);
        let swap = b.transition("swap", &[(r, 2)], &[(p, 9)]);
        let net = b.build().unwrap();
        let grows = |prefix: &[TransitionId], cycle: &[TransitionId]| {
            Run { prefix: prefix.to_vec(), cycle: cycle.to_vec() }.grows(&net)
        };
        assert!(grows(&[start], &[pump]));
        assert!(grows(&[start, pump], &[pump, pump]));
        assert!(!grows(&[], &[pump]), "not enabled");
        assert!(!grows(&[start], &[]), "nothing changes");
        assert!(!grows(&[start, pump], &[swap]), "fewer in one place");
        assert!(!grows(&[pump], &[start]), "in another order");
    }
}
