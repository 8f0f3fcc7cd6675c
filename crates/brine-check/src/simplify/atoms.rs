//! One atom against the net: a constant, or a smaller atom that says the same.
//!
//! - In a comparison, places whose marking never changes become numbers.
//! - In `fireable(...)`, a transition that can never be enabled goes, and so does one that
//!   needs at least what another one of the list needs. In a skeleton, what is left becomes a
//!   comparison where the transitions are exact and share their one input place.
//! - An atom that no reachable marking satisfies is false, one that none violates is true.

use super::knowledge::{Impossibility, Knowledge};
use super::{Finding, SimplifiedFormula};
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas, Linear, Node};
use brine_net::TransitionId;
use brine_run::Control;

/// Most transitions of one atom that are asked about one by one.
const ONE_BY_ONE: usize = 64;

impl Knowledge<'_> {
    /// Replaces every atom by what it is worth in this net.
    pub(super) fn decide_atoms(&mut self, simplified: &mut SimplifiedFormula, clock: &Control) {
        let SimplifiedFormula { formulas: source, formula, findings, .. } = simplified;
        let mut target = Formulas::new();
        *formula = source.substitute(*formula, &mut target, |target, a| {
            self.worth(source.atom(a), target, clock, findings)
        });
        *source = target;
    }

    /// What an atom is worth in this net: a constant, a smaller literal, or itself.
    pub(super) fn worth(
        &mut self,
        atom: &Atom,
        target: &mut Formulas,
        clock: &Control,
        findings: &mut Vec<Finding>,
    ) -> Formula {
        let literal = self.smaller(atom, target, clock, findings);
        let (atom, positive) = match target.node(literal) {
            Node::Atom(a) => (a, true),
            Node::Not(inner) => match target.node(inner) {
                Node::Atom(a) => (a, false),
                _ => return literal,
            },
            _ => return literal,
        };
        let atom = target.atom(atom).clone();
        let Some((value, reason)) = self.constant(&atom, clock) else { return literal };
        findings.push(Finding::Constant { atom, value, reason });
        target.constant(value == positive)
    }

    /// The value that the atom has in all reachable markings, if it has one.
    fn constant(&mut self, atom: &Atom, clock: &Control) -> Option<(bool, Impossibility)> {
        // It cannot be what it is not at the start.
        let values = match self.view.value_at_start(atom) {
            Some(value) => vec![value],
            None => vec![false, true],
        };
        values
            .into_iter()
            .find_map(|value| self.excludes(&[(atom, !value)], clock).map(|reason| (value, reason)))
    }

    /// An equivalent literal or constant.
    fn smaller(
        &mut self,
        atom: &Atom,
        target: &mut Formulas,
        clock: &Control,
        findings: &mut Vec<Finding>,
    ) -> Formula {
        let same = |target: &mut Formulas| {
            let a = target.intern_atom(atom.clone());
            target.atom_formula(a)
        };
        let small = match atom {
            Atom::Linear(linear) => self.without_constants(linear, target),
            Atom::Fireable(transitions) => {
                let needed = self.needed(transitions, clock);
                self.as_comparison(&needed, target)
                    .or_else(|| (needed.len() < transitions.len()).then(|| target.fireable(needed)))
            }
            Atom::Deadlock | Atom::Prop(_) | Atom::Fires(_) => None,
        };
        match small {
            Some(small) => {
                findings.push(Finding::Smaller(atom.clone()));
                small
            }
            None => same(target),
        }
    }

    /// The comparison without places that never change, if there are any.
    fn without_constants(&self, linear: &Linear, target: &mut Formulas) -> Option<Formula> {
        let places = &self.structure.facts.constant_places;
        let (constant, terms): (Vec<_>, Vec<_>) = linear
            .terms
            .iter()
            .partition(|(p, _)| self.view.knows(*p) && places.binary_search(p).is_ok());
        if constant.is_empty() {
            return None;
        }
        let mut sum = 0_i64;
        for (p, c) in constant {
            sum = sum.checked_add(c.checked_mul(i64::from(self.view.net().place(p).initial))?)?;
        }
        let left = Expression { terms, constant: sum };
        target.compare(left, Comparison::Le, Expression::constant(linear.bound)).ok()
    }

    /// "One of these is enabled" as a comparison, for a skeleton: exact transitions with the same
    /// single input place. (For a net itself, the translation does this.)
    fn as_comparison(&self, needed: &[TransitionId], target: &mut Formulas) -> Option<Formula> {
        if self.view.exact_net().is_some() {
            return None;
        }
        let mut inputs = needed.iter().map(|&t| {
            let pre = &self.view.net().transition(t).pre;
            pre.first().filter(|_| pre.len() == 1 && self.view.is_exact(t)).copied()
        });
        let (place, least) = inputs.next()??;
        let least = inputs.try_fold(least, |least, input| {
            input.filter(|&(p, _)| p == place).map(|(_, weight)| least.min(weight))
        })?;
        let least = Expression::constant(i64::from(least));
        target.compare(Expression::places(&[place]), Comparison::Ge, least).ok()
    }

    /// The transitions that matter for "one of these is enabled".
    fn needed(&mut self, transitions: &[TransitionId], clock: &Control) -> Vec<TransitionId> {
        let dead = &self.structure.facts.dead_transitions;
        let mut live: Vec<TransitionId> =
            transitions.iter().copied().filter(|t| dead.binary_search(t).is_err()).collect();
        // The least demanding first, so that those which stay are compared with a few only.
        live.sort_by_key(|&t| (self.view.net().transition(t).pre.len(), t));
        let mut needed: Vec<TransitionId> = Vec::new();
        let mut pace = clock.pace();
        for t in live {
            // Too many stay where it takes too long to compare each with all others.
            let late = pace.steps(1 + needed.len()).is_err();
            if late || !needed.iter().any(|&u| self.asks_less(u, t)) {
                needed.push(t);
            }
        }
        if needed.len() > 1 && needed.len() <= ONE_BY_ONE {
            needed.retain(|&t| self.excludes(&[(&Atom::Fireable(vec![t]), true)], clock).is_none());
        }
        needed
    }
}
