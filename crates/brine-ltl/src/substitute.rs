//! Replacing atoms by formulas, in the same store or on the way to another one.
//!
//! Operands have smaller numbers than the formulas they belong to, so one loop over the
//! subformulas in ascending order rebuilds everything above the atoms; the constructors fold
//! what became constant. Cost: linear in the formula.

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

    /// The formula with each atom replaced by what `replace` makes of it; the first error
    /// ends it.
    ///
    /// ```
    /// use brine_ltl::{Formula, Formulas};
    /// let mut fs = Formulas::new();
    /// let (a, b) = (fs.prop("a"), fs.prop("b"));
    /// let until = fs.u(a, b);
    /// let later = fs.f(b);
    /// let replaced = fs.replace_atoms(until, |fs, atom| {
    ///     let f = fs.atom_formula(atom);
    ///     Ok::<_, ()>(if f == a { Formula::TRUE } else { f })
    /// });
    /// assert_eq!(replaced, Ok(later));
    /// ```
    pub fn replace_atoms<E>(
        &mut self,
        formula: Formula,
        mut replace: impl FnMut(&mut Formulas, AtomId) -> Result<Formula, E>,
    ) -> Result<Formula, E> {
        let source = self.clone();
        let mut new: FxHashMap<AtomId, Formula> = FxHashMap::default();
        for a in source.atoms_of(formula) {
            new.insert(a, replace(self, a)?);
        }
        Ok(source.substitute(formula, self, |_, a| new[&a]))
    }
}
