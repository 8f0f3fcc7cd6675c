//! Layers that runs leave because they run out of tokens: `falls M p:w ..`.
//!
//! The layer holds all reachable markings with some automaton states. A run that stays in it for
//! ever, and is accepted, either fires for ever or is dead from some point on. Checked:
//!
//! 1. Each transition that can fire in the layer lowers the sum of w(p) m(p), w >= 0. A transition
//!    *cannot* if it is dead, or if no cover inside the layer allows it before it fires, or none
//!    after. (From some point on the run's markings all satisfy the literals of a cover inside the
//!    layer.) Then a run that fires for ever lowers a sum for ever that is never negative.
//! 2. For the until M (`-`: for all covers), the literals of each cover inside the layer that does
//!    not put M off, together with "nothing is enabled", contain a conflict. A run that is dead
//!    repeats one marking, and if it is accepted, takes a cover that does not put M off.
//!
//! What a cover *allows* is over-approximated: of its literals, only least and most tokens of
//! single places and transitions that are not enabled are used, and single facts.

use crate::formula::{Claim, Part, Parts};
use crate::linear::Facts;
use crate::system::{System, tokens};
use crate::tableau::{Cover, Literal, within};
use crate::text::Words;
use crate::{Refusal, refuse};

/// The claim of one layer.
#[derive(Debug)]
pub(crate) struct Falls {
    until: Option<u32>,
    /// Ascending places with weights that are not negative.
    weights: Vec<(u32, u64)>,
}

/// The covers inside one layer.
#[derive(Default, Debug)]
pub(crate) struct Inside {
    covers: Vec<(Vec<Literal>, Vec<u32>)>,
}

impl Inside {
    pub(crate) fn add(&mut self, cover: &Cover) {
        self.covers.push((cover.literals.clone(), cover.put_off.clone()));
    }
}

impl Falls {
    pub(crate) fn read(
        words: &mut Words<'_>,
        parts: &Parts,
        system: &System,
    ) -> Result<Self, Refusal> {
        let until = match words.word("a node or -")? {
            "-" => None,
            word => Some(words.parse::<u32>(word, "a node")?),
        };
        let is_until = |u: u32| matches!(parts.parts().get(u as usize), Some(Part::Until(..)));
        let weights: Vec<(u32, u64)> = words.pairs("PLACE:WEIGHT")?;
        let places = system.initial.len();
        if !weights.is_sorted_by(|a, b| a.0 < b.0)
            || weights.iter().any(|w| w.0 as usize >= places)
            || until.is_some_and(|u| !is_until(u))
        {
            return refuse("falls needs an until, and places that ascend");
        }
        Ok(Falls { until, weights })
    }

    pub(crate) fn check(
        &self,
        inside: &Inside,
        parts: &Parts,
        system: &System,
        facts: &Facts<'_>,
        conflicts: &[Vec<Literal>],
    ) -> Result<(), Refusal> {
        let literals = inside.covers.iter().map(|c| &c.0[..]);
        for t in firing(literals, parts.atoms(), system, facts) {
            if self.change(system, t).is_none_or(|change| change >= 0) {
                return refuse(format!("transition {t} can fire in the layer and lowers nothing"));
            }
        }
        let deadlock = parts.atoms().iter().position(|a| *a == Claim::Deadlock);
        for (literals, put_off) in &inside.covers {
            if self.until.is_some_and(|u| put_off.binary_search(&u).is_ok()) {
                continue;
            }
            if !no_dead_end(literals, deadlock.map(|a| a as u32), conflicts) {
                return refuse("a dead marking may stay in the layer");
            }
        }
        Ok(())
    }

    /// By how much a transition changes the sum; `None` if it does not fit.
    fn change(&self, system: &System, t: u32) -> Option<i128> {
        let mut sum = 0_i128;
        for &(p, e) in &system.steps[t as usize].effect {
            if let Ok(i) = self.weights.binary_search_by_key(&p, |w| w.0) {
                let part = i128::from(self.weights[i].1).checked_mul(i128::from(e))?;
                sum = sum.checked_add(part)?;
            }
        }
        Some(sum)
    }
}

/// Whether the literals with "nothing is enabled" contain a conflict.
pub fn no_dead_end(
    literals: &[Literal],
    deadlock: Option<u32>,
    conflicts: &[Vec<Literal>],
) -> bool {
    let Some(deadlock) = deadlock else { return false };
    let mut dead = literals.to_vec();
    if let Err(at) = dead.binary_search(&(deadlock, true)) {
        dead.insert(at, (deadlock, true));
    }
    dead.contains(&(deadlock, false)) || conflicts.iter().any(|c| within(c, &dead))
}

/// The transitions that may fire between markings that satisfy some of these sets of literals.
pub fn firing<'l>(
    covers: impl Iterator<Item = &'l [Literal]>,
    atoms: &[Claim],
    system: &System,
    facts: &Facts<'_>,
) -> Vec<u32> {
    let mut needs: Vec<Needs> = Vec::new();
    for literals in covers {
        let of_cover = Needs::new(literals, atoms, system);
        if let Some(of_cover) = of_cover
            && !needs.contains(&of_cover)
        {
            needs.push(of_cover);
        }
    }
    let before = |t: u32| needs.iter().any(|n| n.allow_before(t, system, facts));
    let after = |t: u32| needs.iter().any(|n| n.allow_after(t, system, facts));
    (0..system.steps.len() as u32)
        .filter(|&t| facts.is_live(t))
        .filter(|&t| before(t) && after(t))
        .collect()
}

/// What literals ask of single places and transitions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Needs {
    least: Vec<(u32, u32)>,
    most: Vec<(u32, u32)>,
    disabled: Vec<u32>,
}

impl Needs {
    /// `None` if nothing is enabled where the literals hold.
    fn new(literals: &[Literal], atoms: &[Claim], system: &System) -> Option<Needs> {
        let mut needs = Needs::default();
        for &(atom, value) in literals {
            match &atoms[atom as usize] {
                Claim::Deadlock if value => return None,
                Claim::Deadlock => (),
                Claim::AtMost(terms, bound) => match (&terms[..], value) {
                    (&[(p, 1)], true) => {
                        if let Ok(bound) = u32::try_from((*bound).max(0)) {
                            set(&mut needs.most, p, bound, u32::min);
                        }
                    }
                    (&[(p, 1)], false) => {
                        if let Ok(least) = u32::try_from(bound.saturating_add(1).max(0)) {
                            set(&mut needs.least, p, least, u32::max);
                        }
                    }
                    _ => (),
                },
                Claim::Fireable(ts) if value => {
                    let takes = |t: &u32| &system.steps[*t as usize].take;
                    let Some((first, rest)) = ts.split_first() else { continue };
                    for &(p, w) in takes(first) {
                        let least = rest.iter().map(|t| tokens(takes(t), p)).fold(w, u32::min);
                        set(&mut needs.least, p, least, u32::max);
                    }
                }
                Claim::Fireable(ts) => needs.disabled.extend_from_slice(ts),
            }
        }
        Some(needs)
    }

    fn allow_before(&self, t: u32, system: &System, facts: &Facts<'_>) -> bool {
        let take = &system.steps[t as usize].take;
        self.has_room(take, system, facts)
    }

    fn allow_after(&self, t: u32, system: &System, facts: &Facts<'_>) -> bool {
        let step = &system.steps[t as usize];
        // Before the step a place held at most its bound.
        let reached = step.effect.iter().all(|&(p, change)| match facts.bound(p) {
            Some((most, _)) => {
                i128::from(tokens(&self.least, p)) <= i128::from(most) + i128::from(change)
            }
            None => true,
        });
        reached && self.has_room(&step.put, system, facts)
    }

    /// Whether a reachable marking like this may hold these tokens as well.
    fn has_room(&self, held: &[(u32, u32)], system: &System, facts: &Facts<'_>) -> bool {
        let most = |p: u32| self.most.binary_search_by_key(&p, |m| m.0).map(|i| self.most[i].1);
        if held.iter().any(|&(p, w)| most(p).is_ok_and(|most| w > most)) {
            return false;
        }
        let enables = |t: &u32| {
            let take = &system.steps[*t as usize].take;
            take.iter().all(|&(p, w)| tokens(held, p) >= w)
        };
        if self.disabled.iter().any(enables) {
            return false;
        }
        let mut least = self.least.clone();
        held.iter().for_each(|&(p, w)| set(&mut least, p, w, u32::max));
        !facts.exclude(&least)
    }
}

/// Puts a number into an ascending list, joined with the one that is there.
fn set(list: &mut Vec<(u32, u32)>, p: u32, number: u32, join: fn(u32, u32) -> u32) {
    match list.binary_search_by_key(&p, |l| l.0) {
        Ok(i) => list[i].1 = join(list[i].1, number),
        Err(at) => list.insert(at, (p, number)),
    }
}
