//! Replacing atoms by formulas.
//!
//! Operands have smaller numbers than the formulas they belong to, so one loop over the
//! subformulas in ascending order rebuilds everything above the atoms; the constructors fold
//! what became constant. Cost: linear in the formula.

use crate::formula::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

impl Formulas {
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
        let mut new: FxHashMap<Formula, Formula> = FxHashMap::default();
        for f in self.subformulas(formula) {
            let rebuilt = match self.node(f) {
                Node::True | Node::False => f,
                Node::Atom(a) => replace(self, a)?,
                Node::Not(g) => self.not(new[&g]),
                Node::And(l) => {
                    let operands: Vec<Formula> = self.list(l).iter().map(|g| new[g]).collect();
                    self.and(operands)
                }
                Node::Or(l) => {
                    let operands: Vec<Formula> = self.list(l).iter().map(|g| new[g]).collect();
                    self.or(operands)
                }
                Node::Implies(g, h) => self.implies(new[&g], new[&h]),
                Node::Iff(g, h) => self.iff(new[&g], new[&h]),
                Node::Xor(g, h) => self.xor(new[&g], new[&h]),
                Node::X(g) => self.x(new[&g]),
                Node::F(g) => self.f(new[&g]),
                Node::G(g) => self.g(new[&g]),
                Node::U(g, h) => self.u(new[&g], new[&h]),
                Node::R(g, h) => self.r(new[&g], new[&h]),
                Node::W(g, h) => self.w(new[&g], new[&h]),
                Node::M(g, h) => self.m(new[&g], new[&h]),
            };
            new.insert(f, rebuilt);
        }
        Ok(new[&formula])
    }
}
