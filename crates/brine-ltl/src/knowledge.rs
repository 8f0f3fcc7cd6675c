//! Which letters can occur at all: what atoms say about each other.
//!
//! `p >= 2` implies `p >= 1`; a fireable transition has its input places marked; what
//! fires is fireable, and one step fires one transition; nothing is fireable or fires in a
//! deadlock. Each such fact is a clause over two atoms. The letters that satisfy all of them are
//! the only ones a net can produce; translation ignores the others, which makes labels simpler
//! and automata smaller.
//!
//! For comparisons: token counts are not negative, so `s <= b` implies `t <= c` when t is
//! at most s coefficient by coefficient and b <= c. Cost: quadratic in the atoms.

use crate::atom::{Atom, Linear};
use crate::letters::{Lab, Letters};
use crate::options::Conjunction;
use brine_net::{Net, PlaceId};

/// The letters over `atoms` that no known fact excludes.
pub(crate) fn possible_letters(atoms: &[&Atom], net: Option<&Net>, letters: &mut Letters) -> Lab {
    let mut possible = Lab::TRUE;
    for (i, a) in atoms.iter().enumerate() {
        for (j, b) in atoms.iter().enumerate().filter(|&(j, _)| j != i) {
            let (x, y) = (letters.atom(i), letters.atom(j));
            if implies(a, b) {
                let clash = letters.minus(x, y);
                possible = letters.minus(possible, clash);
            }
            if i < j && (excludes(a, b, net) || excludes(b, a, net)) {
                let clash = letters.and(x, y);
                possible = letters.minus(possible, clash);
            }
        }
    }
    possible
}

/// The letters of `possible` in which none of the conjunctions holds. Conjunctions that
/// speak of other atoms say nothing.
pub(crate) fn without(
    possible: Lab,
    excluded: &[Conjunction],
    atoms: &[Atom],
    letters: &mut Letters,
) -> Lab {
    excluded.iter().fold(possible, |possible, conjunction| {
        let number = |atom: &Atom| atoms.iter().position(|a| a == atom);
        let Some(literals) = conjunction
            .iter()
            .map(|(atom, value)| number(atom).map(|i| (i, *value)))
            .collect::<Option<Vec<_>>>()
        else {
            return possible;
        };
        let clash = literals.into_iter().fold(possible, |clash, (i, value)| {
            let atom = letters.atom(i);
            if value { letters.and(clash, atom) } else { letters.minus(clash, atom) }
        });
        letters.minus(possible, clash)
    })
}

/// Does `a` imply `b` at every position of every run?
fn implies(a: &Atom, b: &Atom) -> bool {
    match (a, b) {
        // What is fired is enabled.
        (Atom::Fires(few), Atom::Fires(many) | Atom::Fireable(many)) => {
            few.iter().all(|t| many.binary_search(t).is_ok())
        }
        (Atom::Linear(s), Atom::Linear(t)) => s.bound <= t.bound && at_most(&t.terms, &s.terms),
        (Atom::Fireable(few), Atom::Fireable(many)) => {
            few.iter().all(|t| many.binary_search(t).is_ok())
        }
        _ => false,
    }
}

/// Can `a` and `b` never hold together?
fn excludes(a: &Atom, b: &Atom, net: Option<&Net>) -> bool {
    match (a, b) {
        (Atom::Deadlock, Atom::Fireable(_) | Atom::Fires(_)) => true,
        // One step fires one transition.
        (Atom::Fires(some), Atom::Fires(others)) => {
            some.iter().all(|t| others.binary_search(t).is_err())
        }
        // Each transition needs more of some place than the comparison leaves it.
        (Atom::Linear(s), Atom::Fireable(transitions) | Atom::Fires(transitions)) => net
            .is_some_and(|net| {
                transitions.iter().all(|&t| {
                    let pre = &net.transition(t).pre;
                    least(&s.terms, pre).is_some_and(|least| least > i128::from(s.bound))
                })
            }),
        _ => false,
    }
}

/// The least value of the sum when each place holds at least the given tokens, unless a
/// negative coefficient makes it unbounded.
fn least(terms: &[(PlaceId, i64)], tokens: &[(PlaceId, u32)]) -> Option<i128> {
    let mut sum = 0;
    for &(p, c) in terms {
        if c < 0 {
            return None;
        }
        if let Ok(i) = tokens.binary_search_by_key(&p, |x| x.0) {
            sum += i128::from(c) * i128::from(tokens[i].1);
        }
    }
    Some(sum)
}

/// Is the sum `t` at most the sum `s` in every marking, coefficient by coefficient?
fn at_most(t: &[(PlaceId, i64)], s: &[(PlaceId, i64)]) -> bool {
    let coefficient = |terms: &[(PlaceId, i64)], p: PlaceId| {
        terms.binary_search_by_key(&p, |x| x.0).map_or(0, |i| terms[i].1)
    };
    t.iter().all(|&(p, c)| c <= coefficient(s, p)) && s.iter().all(|&(p, c)| coefficient(t, p) <= c)
}

/// The comparison that says the same as "one of these transitions is enabled", if there
/// is one: every transition has the same single input place.
pub(crate) fn fireable_as_comparison(atom: &Atom, net: &Net) -> Option<Linear> {
    let Atom::Fireable(transitions) = atom else { return None };
    let mut found: Option<(PlaceId, u32)> = None;
    for &t in transitions {
        let [(p, w)] = net.transition(t).pre[..] else { return None };
        found = match found {
            None => Some((p, w)),
            Some((q, v)) if q == p => Some((p, v.min(w))),
            Some(_) => return None,
        };
    }
    // p >= w is the negation of p <= w - 1.
    found.map(|(p, w)| Linear { terms: vec![(p, 1)], bound: i64::from(w) - 1 })
}
