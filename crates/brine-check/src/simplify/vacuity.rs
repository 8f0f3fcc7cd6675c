//! Implications whose left side is never true.
//!
//! A property that holds may hold for an empty reason. If the left side of an implication
//! `a -> b` in it is true at no position of any run, the implication is true whatever `b` says,
//! so `b` could be replaced by anything: the property holds *vacuously*.
//!
//! Each atom of a left side is replaced by the constant that it is known to be in every
//! reachable marking, and if the left side then folds to `false`, it is never true: every
//! position of a run is a reachable marking, and an equal formula has an equal value. Only
//! what is known without solving anything is used: bounds of places, places that never change, dead
//! transitions, and answers of earlier questions. So what is found is true, but not all is
//! found. Cost: linear in the formula.

use super::{Knowledge, Simplifier};
use brine_ltl::{Formula, Formulas, Node};
use brine_run::Control;
use std::time::Instant;

impl Simplifier<'_> {
    /// The left sides of implications in `formula` that are known to be true at no position of
    /// any run.
    ///
    /// ```
    /// use brine_check::Simplifier;
    /// use brine_ltl::{Formulas, Symbols, parse};
    /// use brine_net::{NetBuilder, Structure};
    /// let mut b = NetBuilder::new("lamp");
    /// let (on, off) = (b.place("on", 1), b.place("off", 0));
    /// b.transition("down", &[(on, 1)], &[(off, 1)]);
    /// let net = b.build().unwrap();
    /// let structure = Structure::new(&net);
    /// let (mut formulas, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
    /// let f = parse("G (on = 7 -> F off = 1)", &mut formulas, &mut symbols).unwrap();
    /// let never = Simplifier::new(&net, &structure).never_true(&formulas, f);
    /// assert_eq!(formulas.print(never[0], &symbols), "on = 7");
    /// ```
    pub fn never_true(&mut self, formulas: &Formulas, formula: Formula) -> Vec<Formula> {
        self.knowledge.never_true(formulas, formula)
    }
}

impl Knowledge<'_> {
    /// The left sides of implications in `formula` that are known to be true at no position of
    /// any run.
    pub(crate) fn never_true(&mut self, formulas: &Formulas, formula: Formula) -> Vec<Formula> {
        // No time to solve anything.
        let clock = Control { deadline: Some(Instant::now()), ..Control::default() };
        let mut left = left_sides(formulas, formula);
        left.retain(|&a| {
            let mut target = Formulas::new();
            let worth = formulas.substitute(a, &mut target, |target, atom| {
                self.worth(formulas.atom(atom), target, &clock, &mut Vec::new())
            });
            worth == Formula::FALSE
        });
        left
    }
}

/// The left sides of all implications, each once.
pub(crate) fn left_sides(formulas: &Formulas, formula: Formula) -> Vec<Formula> {
    let left = |f: Formula| match formulas.node(f) {
        Node::Implies(a, _) => Some(a),
        _ => None,
    };
    let mut all: Vec<Formula> =
        formulas.subformulas(formula).into_iter().filter_map(left).collect();
    all.sort_unstable();
    all.dedup();
    all
}
