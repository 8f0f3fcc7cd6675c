//! Classes of formulas that can be read off their syntax.
//!
//! For a formula in negation normal form, operands first: is it boolean, a pure
//! eventuality (`f` equals `F f`: prefixes do not matter), purely universal (`f` equals
//! `G f`: it stays true), in one of the classes of Manna and Pnueli's hierarchy, free of
//! `X`. All of these are sufficient conditions only.

use crate::formula::{Formula, Formulas, Node};

/// What the syntax of a formula shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SyntacticShape {
    /// No temporal operator.
    pub(crate) boolean: bool,
    /// Equals `F f`.
    pub(crate) eventual: bool,
    /// Equals `G f`.
    pub(crate) universal: bool,
    /// No `X`: insensitive to stuttering.
    pub(crate) stutter_invariant: bool,
}

impl SyntacticShape {
    /// Both eventual and universal: true now exactly when true at any later moment.
    pub(crate) fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// Shapes of all formulas of a store, computed as the store grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    known: Vec<SyntacticShape>,
}

impl Shapes {
    /// The shape of `f`.
    pub(crate) fn of(&mut self, fs: &Formulas, f: Formula) -> SyntacticShape {
        while self.known.len() <= f.index() {
            let next = Formula(self.known.len() as u32);
            let shape = self.compute(fs, next);
            self.known.push(shape);
        }
        self.known[f.index()]
    }

    fn compute(&self, fs: &Formulas, f: Formula) -> SyntacticShape {
        let at = |g: Formula| self.known[g.index()];
        let mut stutter_invariant = !matches!(fs.node(f), Node::X(_));
        let mut boolean = true;
        let (mut all_eventual, mut all_universal) = (true, true);
        fs.for_each_operand(f, |g| {
            stutter_invariant &= at(g).stutter_invariant;
            boolean &= at(g).boolean;
            all_eventual &= at(g).eventual;
            all_universal &= at(g).universal;
        });
        let (eventual, universal, is_boolean) = match fs.node(f) {
            Node::True | Node::False => (true, true, true),
            Node::Atom(_) | Node::Not(_) => (false, false, boolean),
            Node::And(_) | Node::Or(_) => (all_eventual, all_universal, boolean),
            Node::Implies(..) | Node::Iff(..) | Node::Xor(..) => (false, false, boolean),
            Node::X(_) => (all_eventual, all_universal, false),
            Node::F(_) => (true, all_universal, false),
            Node::G(_) => (all_eventual, true, false),
            Node::U(_, b) => (at(b).eventual, all_universal, false),
            Node::R(_, b) => (all_eventual, at(b).universal, false),
            Node::W(..) | Node::M(..) => (all_eventual, all_universal, false),
        };
        SyntacticShape { boolean: is_boolean, eventual, universal, stutter_invariant }
    }
}

/// Pure eventuality and pure universality of a formula, read off its syntax after
/// negations have been moved inwards: `(eventual, universal)`.
///
/// ```
/// use brine_ltl::{Formulas, pure_classes};
/// let mut fs = Formulas::new();
/// let a = fs.prop("a");
/// let fa = fs.f(a);
/// let gfa = fs.g(fa);
/// assert_eq!(pure_classes(&fs, fa), (true, false));
/// assert_eq!(pure_classes(&fs, gfa), (true, true));
/// ```
pub fn pure_classes(fs: &Formulas, f: Formula) -> (bool, bool) {
    let mut copy = fs.clone();
    let nnf = crate::nnf::negation_normal_form(&mut copy, f, false);
    let shape = Shapes::default().of(&copy, nnf);
    (shape.eventual, shape.universal)
}
