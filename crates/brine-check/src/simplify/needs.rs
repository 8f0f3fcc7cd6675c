//! What a conjunction of literals asks of single places, and which transitions can fire
//! before or after a marking that satisfies it.
//!
//! Only part of the conjunction is used: least and most tokens per place, and transitions that
//! must not be enabled. So "no" is certain and "yes" is not.

use super::knowledge::Knowledge;
use brine_ltl::{Atom, Linear};
use brine_net::{PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// The part of a conjunction that speaks of single places.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceNeeds {
    /// Places that hold at least so many tokens.
    least: FxHashMap<PlaceId, u64>,
    /// Places that hold at most so many tokens.
    most: FxHashMap<PlaceId, u64>,
    /// Transitions that are not enabled.
    disabled: Vec<TransitionId>,
}

impl PlaceNeeds {
    /// `None` if no marking from which something fires satisfies the literals.
    pub(super) fn new(knowledge: &Knowledge<'_>, literals: &[(&Atom, bool)]) -> Option<PlaceNeeds> {
        let mut needs = PlaceNeeds::default();
        for &(atom, value) in literals {
            match atom {
                Atom::Deadlock if value => return None,
                Atom::Linear(linear) if knowledge.view.knows_all(linear) => {
                    needs.compare(linear, value)?;
                }
                Atom::Fireable(transitions) if value => {
                    needs.common_inputs(knowledge, transitions);
                }
                Atom::Fireable(transitions) => needs.disabled.extend_from_slice(transitions),
                Atom::Linear(_) | Atom::Deadlock | Atom::Prop(_) | Atom::Fires(_) => {}
            }
        }
        Some(needs)
    }

    /// Takes in a comparison of one place with a number; `None` if it is never true.
    fn compare(&mut self, linear: &Linear, value: bool) -> Option<()> {
        // A normalised comparison of one place has the coefficient 1.
        let [(p, 1)] = linear.terms[..] else { return Some(()) };
        if value {
            let bound = u64::try_from(linear.bound).ok()?;
            let most = self.most.entry(p).or_insert(bound);
            *most = bound.min(*most);
        } else if let Ok(bound) = u64::try_from(linear.bound) {
            self.at_least(p, bound.saturating_add(1));
        }
        Some(())
    }

    fn at_least(&mut self, p: PlaceId, tokens: u64) {
        let least = self.least.entry(p).or_insert(0);
        *least = tokens.max(*least);
    }

    /// One of the transitions is enabled: what they all need is there.
    fn common_inputs(&mut self, knowledge: &Knowledge<'_>, transitions: &[TransitionId]) {
        let Some((&first, rest)) = transitions.split_first() else { return };
        for &(p, w) in knowledge.view.net().transition(first).pre {
            let needed = rest.iter().try_fold(w, |least, &t| {
                let pre = &knowledge.view.net().transition(t).pre;
                let i = pre.binary_search_by_key(&p, |a| a.0).ok()?;
                Some(least.min(pre[i].1))
            });
            if let Some(needed) = needed {
                self.at_least(p, u64::from(needed));
            }
        }
    }

    /// Can a marking like this enable `t`?
    pub(super) fn allow_before(&self, knowledge: &Knowledge<'_>, t: TransitionId) -> bool {
        let pre = &knowledge.view.net().transition(t).pre;
        !self.disabled.iter().any(|&u| knowledge.asks_less(u, t)) && self.has_room(knowledge, pre)
    }

    /// Can a marking like this be the one after `t` fired?
    pub(super) fn allow_after(&self, knowledge: &Knowledge<'_>, t: TransitionId) -> bool {
        let reached = |&(p, change): &(PlaceId, i64)| {
            let bound = knowledge.structure.bounds.of(p);
            let least = self.least.get(&p).copied().unwrap_or(0);
            bound.is_none_or(|bound| i128::from(least) <= i128::from(bound) + i128::from(change))
        };
        let post = &knowledge.view.net().transition(t).post;
        knowledge.structure.incidence.effect(t).iter().all(reached)
            && !self.disabled.iter().any(|&u| knowledge.puts_enough(u, t))
            && self.has_room(knowledge, post)
    }

    /// Can a marking like this hold these tokens as well?
    fn has_room(&self, knowledge: &Knowledge<'_>, tokens: &[(PlaceId, u32)]) -> bool {
        let fits =
            |&(p, w): &(PlaceId, u32)| self.most.get(&p).is_none_or(|&most| u64::from(w) <= most);
        if !tokens.iter().all(fits) {
            return false;
        }
        let mut held = self.least.clone();
        for &(p, w) in tokens {
            let least = held.entry(p).or_insert(0);
            *least = u64::from(w).max(*least);
        }
        knowledge.within_semiflows(&held)
    }
}
