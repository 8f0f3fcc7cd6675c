//! Which transitions a property can see.
//!
//! A transition is invisible when firing it, in whatever marking it is enabled, leaves the
//! truth of every atom as it is:
//! - `sum of c * p <= b`: the transition does not change the sum;
//! - `fireable(t, ...)`: it changes no input place of the transitions named;
//! - `fires(t, ...)`: it is not one of them;
//! - `deadlock`: see below.
//!
//! This is about effects and not about reachable markings, so an invisible transition also
//! keeps the labels apart from which it commutes with others: the labels met on the way are
//! the same whether it is fired first or last.
//!
//! A transition that leads into a dead marking changes the truth of `deadlock`, and which one
//! does so depends on the order of firing; to keep that order all would have to be visible,
//! and nothing would be reduced. But if `deadlock` is the only atom, a run says nothing but
//! whether it ends. Stubborn sets preserve every deadlock and the existence of infinite runs
//! without any visible transition and without a cycle proviso.

use crate::fire::{Step, effect};
use brine_ltl::Atom;
use brine_net::{Net, PlaceId, TransitionId};

/// What a property can see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sight {
    /// These transitions, by their place in the firing order, ascending.
    Some(Vec<Step>),
    /// Only whether a run ends in a deadlock.
    Deadlocks,
    /// Deadlocks among other things: every transition counts.
    All,
}

impl Sight {
    /// What a property over these atoms can see.
    pub fn of(atoms: &[Atom], net: &Net, order: &[TransitionId]) -> Sight {
        if atoms.contains(&Atom::Deadlock) {
            let only = atoms.iter().all(|a| *a == Atom::Deadlock);
            return if only { Sight::Deadlocks } else { Sight::All };
        }
        let watched = watched_places(atoms, net);
        let mut seen: Vec<bool> = Vec::with_capacity(order.len());
        let effects: Vec<Vec<(PlaceId, i64)>> =
            order.iter().map(|&t| effect(net.transition(t))).collect();
        seen.extend(effects.iter().map(|e| e.iter().any(|(p, _)| watched[p.index()])));
        // One table for all atoms: a sum over every place must not be gone through for each
        // transition.
        let mut coefficients = vec![0; net.places().len()];
        for atom in atoms {
            if let Atom::Fires(named) = atom {
                for (seen, t) in seen.iter_mut().zip(order) {
                    *seen |= named.contains(t);
                }
            }
            let Atom::Linear(linear) = atom else { continue };
            linear.terms.iter().for_each(|&(p, c)| coefficients[p.index()] = c);
            for (seen, effect) in seen.iter_mut().zip(&effects) {
                *seen |= changes(&coefficients, effect);
            }
            linear.terms.iter().for_each(|&(p, _)| coefficients[p.index()] = 0);
        }
        let steps = (0..order.len() as u32).map(Step).filter(|step| seen[step.index()]);
        Sight::Some(steps.collect())
    }
}

/// The input places of the transitions that `fireable` names.
fn watched_places(atoms: &[Atom], net: &Net) -> Vec<bool> {
    let mut watched = vec![false; net.places().len()];
    for atom in atoms {
        if let Atom::Fireable(named) = atom {
            let inputs = named.iter().flat_map(|&t| net.transition(t).pre);
            inputs.for_each(|(p, _)| watched[p.index()] = true);
        }
    }
    watched
}

/// Whether an effect changes the sum with these coefficients.
fn changes(coefficients: &[i64], effect: &[(PlaceId, i64)]) -> bool {
    let change = |&(p, by): &(PlaceId, i64)| i128::from(coefficients[p.index()]) * i128::from(by);
    effect.iter().map(change).sum::<i128>() != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::Linear;
    use brine_net::NetBuilder;

    #[test]
    fn effects_decide_what_is_seen() {
        let mut b = NetBuilder::new("n");
        let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 1));
        b.transition("move", &[(p, 1)], &[(q, 1)]);
        b.transition("read", &[(q, 1), (r, 1)], &[(q, 1)]);
        b.transition("back", &[(q, 1)], &[(p, 1)]);
        let net = b.build().unwrap();
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let sum =
            |terms: &[(PlaceId, i64)]| Atom::Linear(Linear { terms: terms.to_vec(), bound: 0 });
        let sight = |atoms: &[Atom]| Sight::of(atoms, &net, &order);
        assert_eq!(sight(&[sum(&[(q, 1)])]), Sight::Some(vec![Step(0), Step(2)]));
        assert_eq!(sight(&[sum(&[(p, 1), (q, 1)])]), Sight::Some(vec![]), "p + q is constant");
        assert_eq!(
            sight(&[Atom::Fireable(vec![order[1]])]),
            Sight::Some(vec![Step(0), Step(1), Step(2)])
        );
        assert_eq!(sight(&[Atom::Fireable(vec![order[0]])]), Sight::Some(vec![Step(0), Step(2)]));
        assert_eq!(sight(&[Atom::Deadlock]), Sight::Deadlocks);
        assert_eq!(sight(&[Atom::Deadlock, sum(&[(q, 1)])]), Sight::All);
    }
}
