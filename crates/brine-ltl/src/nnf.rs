//! Negation normal form.
//!
//! Negations move down to the atoms, `->`, `<->` and `xor` are written out. Both the
//! formula and its negation are built for every subformula, operands first, so shared
//! subformulas stay shared and nested equivalences cost linear, not exponential, space.

use crate::formula::{Formula, Formulas, Node};
use rustc_hash::FxHashMap;

/// `f`, or its negation, with negations at atoms only and without `->`, `<->`, `xor`.
pub(crate) fn negation_normal_form(fs: &mut Formulas, f: Formula, negate: bool) -> Formula {
    let mut forms: FxHashMap<Formula, (Formula, Formula)> = FxHashMap::default();
    for g in fs.subformulas(f) {
        let at = |h: Formula| forms[&h];
        let pair = match fs.node(g) {
            Node::True => (Formula::TRUE, Formula::FALSE),
            Node::False => (Formula::FALSE, Formula::TRUE),
            Node::Atom(_) => (g, fs.not(g)),
            Node::Not(a) => (at(a).1, at(a).0),
            Node::And(l) => {
                let pairs: Vec<_> = fs.list(l).iter().map(|&h| at(h)).collect();
                (fs.and(pairs.iter().map(|p| p.0)), fs.or(pairs.iter().map(|p| p.1)))
            }
            Node::Or(l) => {
                let pairs: Vec<_> = fs.list(l).iter().map(|&h| at(h)).collect();
                (fs.or(pairs.iter().map(|p| p.0)), fs.and(pairs.iter().map(|p| p.1)))
            }
            Node::Implies(a, b) => {
                let ((a, na), (b, nb)) = (at(a), at(b));
                (fs.or([na, b]), fs.and([a, nb]))
            }
            Node::Iff(a, b) => equivalence(fs, at(a), at(b)),
            Node::Xor(a, b) => {
                let (same, different) = equivalence(fs, at(a), at(b));
                (different, same)
            }
            Node::X(a) => (fs.x(at(a).0), fs.x(at(a).1)),
            Node::F(a) => (fs.f(at(a).0), fs.g(at(a).1)),
            Node::G(a) => (fs.g(at(a).0), fs.f(at(a).1)),
            Node::U(a, b) => (fs.u(at(a).0, at(b).0), fs.r(at(a).1, at(b).1)),
            Node::R(a, b) => (fs.r(at(a).0, at(b).0), fs.u(at(a).1, at(b).1)),
            Node::W(a, b) => (fs.w(at(a).0, at(b).0), fs.m(at(a).1, at(b).1)),
            Node::M(a, b) => (fs.m(at(a).0, at(b).0), fs.w(at(a).1, at(b).1)),
        };
        forms.insert(g, pair);
    }
    if negate { forms[&f].1 } else { forms[&f].0 }
}

/// `a <-> b` and its negation, from both operands with their negations.
fn equivalence(
    fs: &mut Formulas,
    (a, na): (Formula, Formula),
    (b, nb): (Formula, Formula),
) -> (Formula, Formula) {
    let mut either = |p: Formula, q: Formula, r: Formula, s: Formula| {
        let (left, right) = (fs.and([p, q]), fs.and([r, s]));
        fs.or([left, right])
    };
    (either(a, b, na, nb), either(a, nb, na, b))
}
