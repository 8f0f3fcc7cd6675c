//! What the initial marking decides.
//!
//! Every run starts in the initial marking, so at position 0, and only there, every atom has
//! a known value (but for what `view` does not know). A formula is therefore replaced by one that agrees with it at position 0:
//! an atom by its value, `F a` by true if a is true now, `a U b` by b if a is false
//! now, and so on. An operand that is not decided now leaves its operator as it stands;
//! nothing below an `X` is touched. Cost: linear in the formula.

use brine_ltl::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

/// A formula that agrees with `f` on every run that starts in a marking where the atoms have
/// the given values. An atom without a value stays.
pub(super) fn at_start(
    fs: &mut Formulas,
    f: Formula,
    value: impl Fn(&Formulas, AtomId) -> Option<bool>,
) -> Formula {
    let mut now: FxHashMap<Formula, Formula> = FxHashMap::default();
    for g in fs.subformulas(f) {
        let at = |h: Formula| now[&h];
        let new = match fs.node(g) {
            Node::True | Node::False | Node::X(_) => g,
            Node::Atom(a) => value(fs, a).map_or(g, |value| fs.constant(value)),
            Node::Not(a) => fs.not(at(a)),
            Node::And(l) => {
                let all: Vec<Formula> = fs.list(l).iter().map(|&h| at(h)).collect();
                fs.and(all)
            }
            Node::Or(l) => {
                let all: Vec<Formula> = fs.list(l).iter().map(|&h| at(h)).collect();
                fs.or(all)
            }
            Node::Implies(a, b) => fs.implies(at(a), at(b)),
            Node::Iff(a, b) => fs.iff(at(a), at(b)),
            Node::Xor(a, b) => fs.xor(at(a), at(b)),
            Node::F(a) if at(a) == Formula::TRUE => Formula::TRUE,
            Node::G(a) if at(a) == Formula::FALSE => Formula::FALSE,
            // b, or a and later again: without a now, only b is left.
            Node::U(a, b) | Node::W(a, b) => match (at(a), at(b)) {
                (_, Formula::TRUE) => Formula::TRUE,
                (Formula::FALSE, b) => b,
                _ => g,
            },
            // b, and a or later again: with a now, only b is asked.
            Node::R(a, b) | Node::M(a, b) => match (at(a), at(b)) {
                (_, Formula::FALSE) => Formula::FALSE,
                (Formula::TRUE, b) => b,
                _ => g,
            },
            Node::F(_) | Node::G(_) => g,
        };
        now.insert(g, new);
    }
    now[&f]
}
