//! The subset construction, acceptance aside.
//!
//! A deterministic state is the set of states a word may lead to; the empty set is the
//! sink. Instead of trying letters one by one, the letters are split along the labels of
//! the arcs that leave the set, which yields one piece per different target set.

use crate::error::Error;
use crate::letters::{Lab, Letters};
use crate::options::Options;
use crate::tgba::Tgba;
use brine_net::Interner;

/// A set of states, sorted.
type StateSet = Box<[u32]>;

/// A complete deterministic transition structure over sets of states.
pub(crate) struct Powerset {
    /// For each state, disjoint labels that cover the universe, with targets.
    pub(crate) out: Vec<Vec<(Lab, u32)>>,
    /// The set each state stands for; state 0 is the initial one.
    pub(crate) sets: Interner<StateSet>,
}

/// The sets of states that words over letters of `universe` lead to; `None` when there are
/// more than `max_states`.
pub(crate) fn powerset(
    a: &Tgba,
    universe: Lab,
    max_states: usize,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<Option<Powerset>, Error> {
    let mut p = Powerset { out: Vec::new(), sets: Interner::new() };
    p.sets.intern_slice(&[a.initial]);
    while p.out.len() < p.sets.len() {
        options.check(0)?;
        if p.sets.len() > max_states {
            return Ok(None);
        }
        let pieces = successors(a, &p.sets[p.out.len()], universe, letters, options)?;
        let out = pieces.into_iter().map(|(set, label)| (label, p.sets.intern(set))).collect();
        p.out.push(out);
    }
    Ok(Some(p))
}

/// Splits the universe by target set.
fn successors(
    a: &Tgba,
    set: &[u32],
    universe: Lab,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<Vec<(StateSet, Lab)>, Error> {
    let mut pieces: Vec<(Vec<u32>, Lab)> = vec![(Vec::new(), universe)];
    for arc in set.iter().flat_map(|&q| &a.out[q as usize]) {
        for i in 0..pieces.len() {
            let label = pieces[i].1;
            let hit = letters.and(label, arc.label);
            if hit == Lab::FALSE || pieces[i].0.contains(&arc.dst) {
                continue;
            }
            let mut targets = pieces[i].0.clone();
            targets.push(arc.dst);
            if hit == label {
                pieces[i].0 = targets;
            } else {
                pieces[i].1 = letters.minus(label, arc.label);
                pieces.push((targets, hit));
            }
        }
        options.check_terms(pieces.len())?;
    }
    let mut pieces: Vec<(StateSet, Lab)> = pieces
        .into_iter()
        .map(|(mut targets, label)| {
            targets.sort_unstable();
            (targets.into(), label)
        })
        .collect();
    pieces.sort_unstable();
    let mut merged: Vec<(StateSet, Lab)> = Vec::with_capacity(pieces.len());
    for (targets, label) in pieces {
        match merged.last_mut() {
            Some(last) if last.0 == targets => last.1 = letters.or(last.1, label),
            _ => merged.push((targets, label)),
        }
    }
    Ok(merged)
}
