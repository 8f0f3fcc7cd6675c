//! A field of force over the places: which transitions bring a wish closer to coming true.
//!
//! To make an atom true (or false), some places must gain tokens and some must lose them. A
//! place that must gain gets weight 1; the inputs of a transition that puts tokens there share
//! half of that weight, the inputs of those that feed them half again, and so on, breadth
//! first through the whole net. A place that must lose tokens gets weight -1, and the other
//! inputs of the transitions that would take them attract tokens in the same way. The *pull*
//! of a transition is the change of the weighted sum of tokens when it fires:
//!
//! pull(t) = sum over places p of effect(t, p) * weight(p).
//!
//! Since the sum is linear, the pull does not depend on the marking: one vector a wish, made
//! once in linear time, and ordering the enabled transitions of a marking fires none of them.
//! The inputs of a transition weigh less than its output, so a chain of firings towards the
//! goal pulls at each of its steps, and tokens that are near pull more than those far away.
//! (Counting the tokens that are missing, as is usual, is the same field cut off after the
//! first step: it says nothing as long as the transition that puts the token is disabled.)
//! It is a heuristic: wrong pulls cost time, nothing else.

use crate::successors::Successors;
use brine_ltl::Atom;
use brine_net::{Incidence, Interner, Net, PlaceId, TransitionId};
use brine_run::{Pace, Stop};

/// How much of a place's weight its feeders share.
const DECAY: f64 = 0.5;

/// Something to be made true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wish {
    /// The atom of this number holds (or does not).
    Atom(usize, bool),
    /// This transition is enabled.
    Enabled(TransitionId),
}

/// The fields of one net and one set of atoms, each made when it is first needed.
#[derive(Debug)]
pub(crate) struct Fields {
    incidence: Incidence,
    /// The transition of each class of steps.
    classes: Vec<TransitionId>,
    atoms: Vec<Atom>,
    wishes: Interner<Wish>,
    /// By number of the wish.
    pulls: Vec<Vec<f64>>,
    /// Towards a marking to which a walk wants to return.
    home: Vec<f64>,
}

/// The weights of places while they spread.
struct Weights<'f> {
    net: &'f Net,
    incidence: &'f Incidence,
    weight: Vec<f64>,
    queue: Vec<PlaceId>,
}

impl Fields {
    pub(crate) fn new(net: &Net, classes: Vec<TransitionId>, atoms: &[Atom]) -> Self {
        Fields {
            incidence: Incidence::new(net),
            classes,
            atoms: atoms.to_vec(),
            wishes: Interner::new(),
            pulls: Vec::new(),
            home: Vec::new(),
        }
    }

    /// The number of a wish's field.
    pub(crate) fn number(&mut self, wish: Wish, net: &Net) -> usize {
        let number = self.wishes.intern(wish) as usize;
        if number == self.pulls.len() {
            let pulls = self.pulls_of(&self.weights(wish, net));
            self.pulls.push(pulls);
        }
        number
    }

    /// Makes the field of a marking to return to: its marked places attract.
    pub(crate) fn set_home(&mut self, net: &Net, is_marked: impl Fn(PlaceId) -> bool) {
        let mut weights = Weights::new(net, &self.incidence);
        net.place_ids().filter(|&p| is_marked(p)).for_each(|p| weights.seed(p, 1.0));
        weights.spread();
        self.home = self.pulls_of(&weights.weight);
    }

    /// How much a transition pulls home.
    #[inline]
    pub(crate) fn home_pull(&self, class: usize) -> f64 {
        self.home[class]
    }

    fn pulls_of(&self, weight: &[f64]) -> Vec<f64> {
        let pull = |&t: &TransitionId| -> f64 {
            let effect = self.incidence.effect(t);
            effect.iter().map(|&(p, change)| change as f64 * weight[p.index()]).sum()
        };
        self.classes.iter().map(pull).collect()
    }

    /// How much a transition pulls towards the wish of a field.
    #[inline]
    pub(crate) fn pull(&self, field: usize, class: usize) -> f64 {
        self.pulls[field][class]
    }

    /// The atoms whose truth may change when a transition fires, one bit each.
    pub(crate) fn touched<M: Successors>(
        &self,
        ms: &M,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<u64>, Stop> {
        let net = ms.shape();
        let changed: Vec<Vec<PlaceId>> =
            (0..self.classes.len()).map(|class| ms.changed_places(class)).collect();
        let mut touched = vec![0u64; self.classes.len()];
        for (i, atom) in self.atoms.iter().enumerate() {
            pace.steps(net.places().len())?;
            let mut seen = vec![false; net.places().len()];
            match atom {
                Atom::Linear(linear) => linear.terms.iter().for_each(|t| seen[t.0.index()] = true),
                Atom::Fireable(ts) => {
                    let inputs = ts.iter().flat_map(|&t| net.transition(t).pre);
                    inputs.for_each(|(p, _)| seen[p.index()] = true);
                }
                Atom::Deadlock => seen.fill(true),
                Atom::Prop(_) => (),
                Atom::Fires(_) => Atom::refuse_event(),
            }
            for (changed, touched) in changed.iter().zip(&mut touched) {
                pace.steps(1 + changed.len())?;
                *touched |= u64::from(changed.iter().any(|p| seen[p.index()])) << i;
            }
        }
        Ok(touched)
    }

    fn weights(&self, wish: Wish, net: &Net) -> Vec<f64> {
        let mut weights = Weights::new(net, &self.incidence);
        match wish {
            Wish::Enabled(t) => {
                let inputs = &net.transition(t).pre;
                inputs.iter().for_each(|&(p, _)| weights.seed(p, 1.0 / inputs.len() as f64));
            }
            Wish::Atom(i, truth) => weights.seed_atom(&self.atoms[i], truth),
        }
        weights.spread();
        weights.weight
    }
}

impl<'f> Weights<'f> {
    fn new(net: &'f Net, incidence: &'f Incidence) -> Self {
        Weights { net, incidence, weight: vec![0.0; net.places().len()], queue: Vec::new() }
    }

    fn seed_atom(&mut self, atom: &Atom, truth: bool) {
        match atom {
            Atom::Linear(linear) => {
                let largest = linear.terms.iter().map(|(_, c)| c.unsigned_abs()).max().unwrap_or(1);
                for &(p, c) in &linear.terms {
                    let sign = if truth { -1.0 } else { 1.0 };
                    self.seed(p, sign * c as f64 / largest as f64);
                }
            }
            Atom::Fireable(ts) => {
                let sign = if truth { 1.0 } else { -1.0 };
                for &t in ts {
                    let inputs = self.net.transition(t).pre;
                    inputs.iter().for_each(|&(p, _)| self.seed(p, sign));
                }
            }
            Atom::Deadlock | Atom::Prop(_) => (),
            Atom::Fires(_) => Atom::refuse_event(),
        }
    }

    fn seed(&mut self, p: PlaceId, weight: f64) {
        if self.weight[p.index()] == 0.0 {
            self.queue.push(p);
        }
        self.weight[p.index()] = weight;
    }

    /// Breadth first from the seeds to all that can feed them.
    fn spread(&mut self) {
        let incidence = self.incidence;
        let mut next = 0;
        while next < self.queue.len() {
            let p = self.queue[next];
            next += 1;
            let weight = self.weight[p.index()];
            let helps = |change: i64| (change > 0) == (weight > 0.0);
            for &(t, _) in incidence.changers(p).iter().filter(|&&(_, c)| helps(c)) {
                let inputs = self.net.transition(t).pre;
                let share = weight.abs() * DECAY / inputs.len() as f64;
                for &(x, _) in inputs {
                    if x != p && self.weight[x.index()] == 0.0 {
                        self.seed(x, share);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Bound;
    use crate::markings::Markings;
    use brine_ltl::Linear;
    use brine_net::NetBuilder;
    use brine_run::Control;

    /// Three transitions in a row, and one that leads away.
    #[test]
    fn every_step_towards_the_goal_pulls() {
        let mut b = NetBuilder::new("chain");
        let p: Vec<PlaceId> = (0..4).map(|i| b.place(&format!("p{i}"), 0)).collect();
        let key = b.place("key", 1);
        b.transition("a", &[(p[0], 1)], &[(p[1], 1)]);
        b.transition("b", &[(p[1], 1)], &[(p[2], 1)]);
        b.transition("c", &[(p[2], 1), (key, 1)], &[(p[3], 1)]);
        b.transition("away", &[(p[1], 1)], &[(p[0], 1)]);
        b.transition("lose", &[(key, 1)], &[]);
        let net = b.build().unwrap();
        let atom = Atom::Linear(Linear { terms: vec![(p[3], 1)], bound: 0 });
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let control = Control::default();
        let ms = Markings::new(&net, &[Bound::Guess(1); 5], &order, control.clone()).unwrap();
        let mut fields = Fields::new(&net, ms.classes(), &[atom]);
        let more = fields.number(Wish::Atom(0, false), &net);
        let pulls: Vec<f64> = (0..5).map(|t| fields.pull(more, t)).collect();
        assert!(pulls[..3].iter().all(|&x| x > 0.0) && pulls[3..].iter().all(|&x| x < 0.0));
        assert!(pulls[2] > pulls[1] && pulls[1] > pulls[0], "{pulls:?}");
        let fewer = fields.number(Wish::Atom(0, true), &net);
        assert!(fields.pull(fewer, 2) < 0.0);
        assert_eq!(fields.touched(&ms, &mut control.pace()).unwrap(), [0, 0, 1, 0, 0]);
    }
}
