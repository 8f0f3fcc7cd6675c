//! From a conjunction of literals to linear constraints.
//!
//! A comparison is one constraint, its negation another (token counts are integers). "t is
//! enabled" is one constraint per input place; "t is not enabled" is a choice between its
//! input places. A conjunction becomes a list of alternatives, each a list of constraints; a
//! marking that satisfies the conjunction satisfies one alternative. Choices that would make
//! more than [`ALTERNATIVES`] alternatives are left out: then the alternatives
//! allow more markings than the conjunction, which is safe where only their impossibility
//! counts.

use brine_ltl::{Atom, Linear};
use brine_net::state_equation::Constraint;
use brine_net::{Net, PlaceId, TransitionId};

/// Most alternatives of one conjunction.
pub(super) const ALTERNATIVES: usize = 64;

/// Constraints that hold together.
pub(super) type Alternative = Vec<Constraint>;

/// The alternatives of a conjunction.
pub(super) fn alternatives(net: &Net, literals: &[(&Atom, bool)]) -> Vec<Alternative> {
    let mut choices: Vec<Vec<Alternative>> = Vec::new();
    for &(atom, value) in literals {
        match atom {
            Atom::Linear(linear) => {
                choices.extend(comparison(linear, value).map(|constraint| vec![vec![constraint]]));
            }
            Atom::Fireable(transitions) if value => {
                choices.push(transitions.iter().map(|&t| enabled(net, t)).collect());
            }
            Atom::Fireable(transitions) => {
                choices.extend(transitions.iter().map(|&t| disabled(net, t)));
            }
            Atom::Deadlock if value => {
                choices.extend(net.transition_ids().map(|t| disabled(net, t)));
            }
            Atom::Deadlock => {
                choices.push(net.transition_ids().map(|t| enabled(net, t)).collect());
            }
            Atom::Prop(_) => {}
        }
    }
    // The narrow choices first: they fit in and cost nothing.
    choices.sort_by_key(Vec::len);
    let mut all: Vec<Alternative> = vec![Vec::new()];
    for choice in choices {
        if all.len() * choice.len() > ALTERNATIVES {
            continue;
        }
        all = all
            .iter()
            .flat_map(|left| choice.iter().map(|right| [&left[..], &right[..]].concat()))
            .map(tightest)
            .filter(|alternative| !clashes(alternative))
            .collect();
    }
    all
}

/// The comparison, or its negation: `-s <= -b - 1`. `None` if a number does not fit.
fn comparison(linear: &Linear, value: bool) -> Option<Constraint> {
    if value {
        return Some(Constraint { terms: linear.terms.clone(), bound: linear.bound });
    }
    let bound = linear.bound.checked_neg()?.checked_sub(1)?;
    Some(Constraint { terms: opposite(&linear.terms)?, bound })
}

fn opposite(terms: &[(PlaceId, i64)]) -> Option<Vec<(PlaceId, i64)>> {
    terms.iter().map(|&(p, c)| Some((p, c.checked_neg()?))).collect()
}

fn enabled(net: &Net, t: TransitionId) -> Alternative {
    let pre = &net.transition(t).pre;
    pre.iter().map(|&(p, w)| Constraint { terms: vec![(p, -1)], bound: -i64::from(w) }).collect()
}

fn disabled(net: &Net, t: TransitionId) -> Vec<Alternative> {
    let pre = &net.transition(t).pre;
    let short = |&(p, w): &(PlaceId, u32)| {
        vec![Constraint { terms: vec![(p, 1)], bound: i64::from(w) - 1 }]
    };
    pre.iter().map(short).collect()
}

/// Of several constraints with the same left-hand side, the one with the least bound.
fn tightest(mut alternative: Alternative) -> Alternative {
    alternative.sort_unstable();
    alternative.dedup_by(|later, first| later.terms == first.terms);
    alternative
}

/// Do two constraints contradict each other, `s <= b` and `-s <= c` with `b < -c`?
fn clashes(alternative: &Alternative) -> bool {
    alternative.iter().any(|x| {
        let Some(opposite) = opposite(&x.terms) else { return false };
        let found = alternative.binary_search_by(|y| y.terms.cmp(&opposite));
        found.is_ok_and(|i| i128::from(x.bound) < -i128::from(alternative[i].bound))
    })
}
