//! Copying a formula from one store to another, with other formulas in place of its atoms.

use crate::formula::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

impl Formulas {
    /// A copy of `f` in `target` in which `replace` says what each atom becomes. Constants
    /// that come in this way are folded.
    ///
    /// ```
    /// use brine_ltl::{Formula, Formulas, Symbols, parse};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("G(a | F b)", &mut fs, &mut symbols).unwrap();
    /// let mut target = Formulas::new();
    /// let g = fs.substitute(f, &mut target, |_, _| Formula::TRUE);
    /// assert_eq!(g, Formula::TRUE);
    /// ```
    pub fn substitute(
        &self,
        f: Formula,
        target: &mut Formulas,
        mut replace: impl FnMut(&mut Formulas, AtomId) -> Formula,
    ) -> Formula {
        let mut copies: FxHashMap<Formula, Formula> = FxHashMap::default();
        for g in self.subformulas(f) {
            let at = |h: Formula| copies[&h];
            let all = |l| self.list(l).iter().map(|&h| at(h)).collect::<Vec<_>>();
            let copy = match self.node(g) {
                Node::True => Formula::TRUE,
                Node::False => Formula::FALSE,
                Node::Atom(a) => replace(target, a),
                Node::Not(a) => target.not(at(a)),
                Node::And(l) => target.and(all(l)),
                Node::Or(l) => target.or(all(l)),
                Node::Implies(a, b) => target.implies(at(a), at(b)),
                Node::Iff(a, b) => target.iff(at(a), at(b)),
                Node::Xor(a, b) => target.xor(at(a), at(b)),
                Node::X(a) => target.x(at(a)),
                Node::F(a) => target.f(at(a)),
                Node::G(a) => target.g(at(a)),
                Node::U(a, b) => target.u(at(a), at(b)),
                Node::R(a, b) => target.r(at(a), at(b)),
                Node::W(a, b) => target.w(at(a), at(b)),
                Node::M(a, b) => target.m(at(a), at(b)),
            };
            copies.insert(g, copy);
        }
        copies[&f]
    }
}
