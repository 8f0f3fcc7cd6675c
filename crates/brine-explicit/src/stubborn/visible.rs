//! Which transitions a property can see.
//!
//! A transition is invisible when firing it, in whatever marking it is enabled, leaves the
//! truth of every atom as it is:
//! - `sum of c * p <= b`: the transition does not change the sum;
//! - `fireable(t, ...)`: it changes no input place of the transitions named;
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
        let sees = |&t: &TransitionId| {
            let effect = effect(net.transition(t));
            effect.iter().any(|(p, _)| watched[p.index()])
                || atoms.iter().any(|atom| changes(atom, &effect))
        };
        let seen = order.iter().enumerate().filter(|(_, t)| sees(t));
        Sight::Some(seen.map(|(step, _)| step as Step).collect())
    }
}

/// The input places of the transitions that `fireable` names.
fn watched_places(atoms: &[Atom], net: &Net) -> Vec<bool> {
    let mut watched = vec![false; net.places().len()];
    for atom in atoms {
        if let Atom::Fireable(named) = atom {
            let inputs = named.iter().flat_map(|&t| &net.transition(t).pre);
            inputs.for_each(|(p, _)| watched[p.index()] = true);
        }
    }
    watched
}

/// Whether an effect changes the sum of a linear atom.
fn changes(atom: &Atom, effect: &[(PlaceId, i64)]) -> bool {
    let Atom::Linear(linear) = atom else { return false };
    let change = |&(p, c): &(PlaceId, i64)| {
        let by = effect.binary_search_by_key(&p, |e| e.0).map_or(0, |i| effect[i].1);
        i128::from(c) * i128::from(by)
    };
    linear.terms.iter().map(change).sum::<i128>() != 0
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
        assert_eq!(sight(&[sum(&[(q, 1)])]), Sight::Some(vec![0, 2]));
        assert_eq!(sight(&[sum(&[(p, 1), (q, 1)])]), Sight::Some(vec![]), "p + q is constant");
        assert_eq!(sight(&[Atom::Fireable(vec![order[1]])]), Sight::Some(vec![0, 1, 2]));
        assert_eq!(sight(&[Atom::Fireable(vec![order[0]])]), Sight::Some(vec![0, 2]));
        assert_eq!(sight(&[Atom::Deadlock]), Sight::Deadlocks);
        assert_eq!(sight(&[Atom::Deadlock, sum(&[(q, 1)])]), Sight::All);
    }
}
