//! From a conjunction of literals to linear constraints.
//!
//! A comparison is one constraint, its negation another (token counts are integers). "t is
//! enabled" is one constraint per input place; "t is not enabled" is a choice between its
//! input places. A conjunction becomes a list of alternatives, each a list of constraints; a
//! marking that satisfies the conjunction satisfies one alternative. Choices that would make
//! more than [`ALTERNATIVES`] alternatives are left out: then the alternatives
//! allow more markings than the conjunction, which is safe where only their impossibility
//! counts. Where the net only over-approximates the runs (`view`), "t is enabled" implies its
//! constraints for every t, "t is not enabled" for exact ones; comparisons of places that are not
//! counted imply nothing.
//!
//! What a choice between input places leaves out, a *cut* says in part: if p holds at most
//! u(p) tokens and t needs w(p), then (u(p) - m(p)) / (u(p) - w(p) + 1) is never negative and
//! at least 1 where p holds too little, so over all input places the sum is at least 1.

use super::view::NetView;
use brine_ltl::{Atom, Linear};
use brine_net::{Bounds, Net, PlaceId, TransitionId};
use brine_reduce::state_equation::Constraint;

/// Most alternatives of one conjunction.
const ALTERNATIVES: usize = 64;
/// Cuts with larger numbers are left out.
const LARGEST: i64 = 1 << 32;

/// Constraints that hold together.
pub(super) type Alternative = Vec<Constraint>;

/// The alternatives of a conjunction.
pub(super) fn alternatives(
    view: &NetView<'_>,
    bounds: &Bounds,
    literals: &[(&Atom, bool)],
) -> Vec<Alternative> {
    // A dead marking enables nothing.
    let dead = literals.iter().any(|&(atom, value)| value && *atom == Atom::Deadlock);
    let fires = |&(atom, value): &(&Atom, bool)| value && matches!(atom, Atom::Fireable(_));
    if dead && literals.iter().any(fires) {
        return Vec::new();
    }
    let mut certain: Alternative = Vec::new();
    let mut choices: Vec<Vec<Alternative>> = Vec::new();
    for &(atom, value) in literals {
        let (always, choice) = parts(view, bounds, atom, value);
        debug_assert!(
            view.value_at_start(atom) != Some(value)
                || hold_at_start(view.net(), &always)
                    && choice.iter().all(|c| c.iter().any(|a| hold_at_start(view.net(), a))),
            "a marking that satisfies a literal satisfies its constraints"
        );
        certain.extend(always);
        choices.extend(choice);
    }
    multiply(certain, choices)
}

/// What a literal asks: constraints that hold together, and choices between alternatives.
fn parts(
    view: &NetView<'_>,
    bounds: &Bounds,
    atom: &Atom,
    value: bool,
) -> (Alternative, Vec<Vec<Alternative>>) {
    let net = view.net();
    // That a transition is not enabled says something about exact ones only.
    let exact = |t: &TransitionId| view.is_exact(*t);
    let all_enabled = |ts: &mut dyn Iterator<Item = TransitionId>| {
        vec![ts.map(|t| enabled(net, t)).collect::<Vec<Alternative>>()]
    };
    match atom {
        Atom::Linear(linear) => {
            let known = view.knows_all(linear).then(|| comparison(linear, value)).flatten();
            (known.into_iter().collect(), Vec::new())
        }
        Atom::Fireable(ts) if value => (Vec::new(), all_enabled(&mut ts.iter().copied())),
        Atom::Fireable(ts) => (
            ts.iter().copied().filter(exact).filter_map(|t| cut(net, bounds, t)).collect(),
            ts.iter().copied().filter(exact).map(|t| disabled(net, t)).collect(),
        ),
        Atom::Deadlock if value => {
            let simple = |t: &TransitionId| net.transition(*t).pre.len() <= 1;
            (
                net.transition_ids().filter(exact).filter_map(|t| cut(net, bounds, t)).collect(),
                net.transition_ids()
                    .filter(exact)
                    .filter(simple)
                    .map(|t| disabled(net, t))
                    .collect(),
            )
        }
        Atom::Deadlock => (Vec::new(), all_enabled(&mut net.transition_ids())),
        // A marking says nothing about it.
        Atom::Prop(_) | Atom::Fires(_) => (Vec::new(), Vec::new()),
    }
}

/// Whether the initial marking satisfies all constraints.
fn hold_at_start(net: &Net, constraints: &Alternative) -> bool {
    let tokens = |p: PlaceId| i128::from(net.place(p).initial);
    constraints.iter().all(|c| {
        let sum: i128 = c.terms.iter().map(|&(p, factor)| i128::from(factor) * tokens(p)).sum();
        sum <= i128::from(c.bound)
    })
}

/// All ways to choose, together with what is certain.
fn multiply(mut certain: Alternative, mut choices: Vec<Vec<Alternative>>) -> Vec<Alternative> {
    if choices.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    choices.sort_by_key(Vec::len);
    let single = choices.partition_point(|choice| choice.len() == 1);
    certain.extend(choices.drain(..single).flatten().flatten());
    let mut all = vec![tightest(certain)];
    all.retain(|alternative| !clashes(alternative));
    for choice in choices {
        if all.len() * choice.len() > ALTERNATIVES {
            break;
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

/// What all markings have in common that do not enable the transition; `None` if that is
/// nothing (an input place without bound) or exact as a choice (one input place).
fn cut(net: &Net, bounds: &Bounds, t: TransitionId) -> Option<Constraint> {
    let pre = &net.transition(t).pre;
    if pre.len() < 2 {
        return None;
    }
    // Room for more than w - 1 tokens, in units that all places share.
    let rooms: Vec<(PlaceId, i64, i64)> = pre
        .iter()
        .map(|&(p, w)| {
            let most = i64::try_from(bounds.of(p)?).ok()?;
            Some((p, most, most.checked_sub(i64::from(w) - 1)?))
        })
        .collect::<Option<_>>()?;
    let mut unit = 1_i64;
    for &(_, _, room) in &rooms {
        // Without room, the transition is dead: disabled everywhere.
        unit = if room >= 1 { (unit / gcd(unit, room)).checked_mul(room)? } else { return None };
        if unit > LARGEST {
            return None;
        }
    }
    // sum (u - m) unit / room >= unit
    let mut bound = unit.checked_neg()?;
    let mut terms = Vec::with_capacity(rooms.len());
    for (p, most, room) in rooms {
        bound = bound.checked_add(most.checked_mul(unit / room)?)?;
        terms.push((p, unit / room));
    }
    Some(Constraint { terms, bound })
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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
