//! What is left of a formula after its first letter.
//!
//! A word `l w` satisfies `f` iff `w` satisfies `after(f, l)`: an atom becomes a constant, `X g`
//! becomes `g`, and `g U h` becomes `after(h) | after(g) & (g U h)`, by the one-step laws.
//! One loop over the subformulas, operands first. Cost: linear in the formula, but the result
//! may be twice as long.

use crate::formula::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

impl Formulas {
    /// The formula that the rest of a word must satisfy, once the first letter is read;
    /// `holds` tells which atoms are true in it.
    ///
    /// ```
    /// use brine_ltl::{Formula, Formulas};
    /// let mut fs = Formulas::new();
    /// let (a, b) = (fs.prop("a"), fs.prop("b"));
    /// let next = fs.x(b);
    /// assert_eq!(fs.after(next, |_| false), b);
    /// let until = fs.u(a, b);
    /// assert_eq!(fs.after(until, |_| true), Formula::TRUE);
    /// assert_eq!(fs.after(until, |_| false), Formula::FALSE);
    /// ```
    pub fn after(&mut self, formula: Formula, holds: impl Fn(AtomId) -> bool) -> Formula {
        let mut new: FxHashMap<Formula, Formula> = FxHashMap::default();
        for f in self.subformulas(formula) {
            let rest = match self.node(f) {
                Node::True | Node::False => f,
                Node::Atom(a) if holds(a) => Formula::TRUE,
                Node::Atom(_) => Formula::FALSE,
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
                Node::X(g) => g,
                Node::F(g) => self.or([new[&g], f]),
                Node::G(g) => self.and([new[&g], f]),
                Node::U(g, h) | Node::W(g, h) => {
                    let stays = self.and([new[&g], f]);
                    self.or([new[&h], stays])
                }
                Node::R(g, h) | Node::M(g, h) => {
                    let stays = self.or([new[&g], f]);
                    self.and([new[&h], stays])
                }
            };
            new.insert(f, rest);
        }
        new[&formula]
    }
}
