//! Formulas: a hash-consed store of LTL over atoms.
//!
//! A [`Formula`] is a small integer that names a node of a [`Formulas`] store; equal
//! formulas have equal numbers, and every operand has a smaller number than the
//! formula it belongs to. All walks over a formula are therefore loops over
//! increasing numbers: nothing here (not even dropping the store) recurses, so a
//! formula may be nested as deep as memory allows.
//!
//! The constructors keep a light normal form: conjunctions and disjunctions are flat,
//! sorted and free of repetitions, constants are folded, double negations vanish.
//! Everything that needs thought is in [`crate::simplify()`].

use crate::atom::Atom;
use brine_net::Interner;

/// A formula: the number of a node in its [`Formulas`] store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(pub(crate) u32);

/// An atom: its number in its [`Formulas`] store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub(crate) u32);

/// A hash-consed list of operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListId(u32);

impl Formula {
    /// The constant `true`.
    pub const TRUE: Formula = Formula(0);
    /// The constant `false`.
    pub const FALSE: Formula = Formula(1);

    /// The number as `usize`: dense, operands first.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl AtomId {
    /// The number as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outermost operator of a formula with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// `true`
    True,
    /// `false`
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// `!f`
    Not(Formula),
    /// `f & g & ...`, at least two operands
    And(ListId),
    /// `f | g | ...`, at least two operands
    Or(ListId),
    /// `f -> g`
    Implies(Formula, Formula),
    /// `f <-> g`
    Iff(Formula, Formula),
    /// `f xor g`
    Xor(Formula, Formula),
    /// `X f`: f holds from the next position on
    X(Formula),
    /// `F f`: f holds from some position on
    F(Formula),
    /// `G f`: f holds at every position
    G(Formula),
    /// `f U g`: g some time, and f until then
    U(Formula, Formula),
    /// `f R g`: g until and including the moment f holds, or for ever
    R(Formula, Formula),
    /// `f W g`: f until g, or f for ever
    W(Formula, Formula),
    /// `f M g`: g until and including a moment f holds, which must come
    M(Formula, Formula),
}

/// The operators with two operands, for code that treats them alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `xor`
    Xor,
    /// `U`
    U,
    /// `R`
    R,
    /// `W`
    W,
    /// `M`
    M,
}

/// A store of formulas and atoms.
///
/// ```
/// use brine_ltl::Formulas;
/// let mut fs = Formulas::new();
/// let (a, b) = (fs.prop("a"), fs.prop("b"));
/// let ab = fs.and([a, b]);
/// assert_eq!(ab, fs.and([b, a]));
/// let not = fs.not(ab);
/// assert_eq!(fs.not(not), ab);
/// ```
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Interner<Node>,
    lists: Interner<Box<[Formula]>>,
    atoms: Interner<Atom>,
}

impl Default for Formulas {
    fn default() -> Self {
        Self::new()
    }
}

impl Formulas {
    /// The nodes and the lists of operands, by number: all there is but for the atoms.
    pub(crate) fn contents(&self) -> (&Interner<Node>, &Interner<Box<[Formula]>>) {
        (&self.nodes, &self.lists)
    }

    /// An empty store (the constants are always there).
    pub fn new() -> Self {
        let mut fs =
            Formulas { nodes: Interner::new(), lists: Interner::new(), atoms: Interner::new() };
        fs.intern(Node::True);
        fs.intern(Node::False);
        fs
    }

    /// The outermost operator of `f`.
    pub fn node(&self, f: Formula) -> Node {
        self.nodes[f.index()]
    }

    /// The operands behind a list.
    pub fn list(&self, l: ListId) -> &[Formula] {
        &self.lists[l.0 as usize]
    }

    /// An atom of the store.
    pub fn atom(&self, a: AtomId) -> &Atom {
        &self.atoms[a.index()]
    }

    /// The number of atoms in the store.
    pub fn num_atoms(&self) -> usize {
        self.atoms.len()
    }

    /// The number of formulas in the store.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Calls `visit` with each operand of `f`.
    pub fn for_each_operand(&self, f: Formula, mut visit: impl FnMut(Formula)) {
        match self.node(f) {
            Node::True | Node::False | Node::Atom(_) => {}
            Node::Not(a) | Node::X(a) | Node::F(a) | Node::G(a) => visit(a),
            Node::And(l) | Node::Or(l) => self.list(l).iter().copied().for_each(visit),
            Node::Implies(a, b)
            | Node::Iff(a, b)
            | Node::Xor(a, b)
            | Node::U(a, b)
            | Node::R(a, b)
            | Node::W(a, b)
            | Node::M(a, b) => {
                visit(a);
                visit(b);
            }
        }
    }

    /// `f` and everything below it, operands before the formulas they belong to.
    pub fn subformulas(&self, f: Formula) -> Vec<Formula> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![f];
        seen.insert(f);
        while let Some(g) = stack.pop() {
            self.for_each_operand(g, |h| {
                if seen.insert(h) {
                    stack.push(h);
                }
            });
        }
        let mut all: Vec<Formula> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The atoms that occur in `f`, in the order in which they entered the store.
    pub fn atoms_of(&self, f: Formula) -> Vec<AtomId> {
        let mut atoms: Vec<AtomId> = self
            .subformulas(f)
            .into_iter()
            .filter_map(|g| match self.node(g) {
                Node::Atom(a) => Some(a),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// True when `f` speaks of events: of what the next step fires.
    pub fn has_events(&self, f: Formula) -> bool {
        self.atoms_of(f).into_iter().any(|a| self.atom(a).is_event())
    }

    /// True when `f` contains no temporal operator.
    pub fn is_boolean(&self, f: Formula) -> bool {
        self.subformulas(f).into_iter().all(|g| {
            !matches!(
                self.node(g),
                Node::X(_)
                    | Node::F(_)
                    | Node::G(_)
                    | Node::U(..)
                    | Node::R(..)
                    | Node::W(..)
                    | Node::M(..)
            )
        })
    }

    /// True when `f` is about one marking: it contains no temporal operator and no event.
    pub fn is_about_marking(&self, f: Formula) -> bool {
        self.is_boolean(f) && !self.has_events(f)
    }

    fn intern(&mut self, node: Node) -> Formula {
        let f = Formula(self.nodes.intern(node));
        if cfg!(debug_assertions) {
            self.for_each_operand(f, |g| debug_assert!(g < f, "operands come first"));
        }
        f
    }

    fn intern_list(&mut self, list: Vec<Formula>) -> ListId {
        debug_assert!(list.is_sorted_by(|f, g| f < g), "sorted, without repetitions");
        debug_assert!(list.len() > 1 && list[0] > Formula::FALSE, "constants are folded");
        ListId(self.lists.intern_slice(&list))
    }

    /// Enters an atom; equal atoms share one number.
    pub fn intern_atom(&mut self, atom: Atom) -> AtomId {
        AtomId(self.atoms.intern(atom))
    }

    /// The formula that consists of one atom.
    pub fn atom_formula(&mut self, a: AtomId) -> Formula {
        self.intern(Node::Atom(a))
    }

    /// A named proposition.
    pub fn prop(&mut self, name: &str) -> Formula {
        let a = self.intern_atom(Atom::Prop(name.to_owned()));
        self.atom_formula(a)
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }

    /// `!f`
    pub fn not(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Not(g) => g,
            _ => self.intern(Node::Not(f)),
        }
    }

    /// The conjunction of all of `operands` (`true` when there are none).
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.nary(operands, true)
    }

    /// The disjunction of all of `operands` (`false` when there are none).
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.nary(operands, false)
    }

    fn nary(&mut self, operands: impl IntoIterator<Item = Formula>, is_and: bool) -> Formula {
        let (unit, zero) =
            if is_and { (Formula::TRUE, Formula::FALSE) } else { (Formula::FALSE, Formula::TRUE) };
        let mut list = Vec::new();
        for f in operands {
            match self.node(f) {
                _ if f == zero => return zero,
                _ if f == unit => {}
                Node::And(l) if is_and => list.extend_from_slice(self.list(l)),
                Node::Or(l) if !is_and => list.extend_from_slice(self.list(l)),
                _ => list.push(f),
            }
        }
        list.sort_unstable();
        list.dedup();
        if self.has_complements(&list) {
            return zero;
        }
        match list.as_slice() {
            [] => unit,
            [f] => *f,
            _ => {
                let l = self.intern_list(list);
                self.intern(if is_and { Node::And(l) } else { Node::Or(l) })
            }
        }
    }

    /// Does the sorted list hold some `f` and `!f`?
    fn has_complements(&self, list: &[Formula]) -> bool {
        list.iter().any(|&f| match self.node(f) {
            Node::Not(g) => list.binary_search(&g).is_ok(),
            _ => false,
        })
    }

    /// `f -> g`
    pub fn implies(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::FALSE || g == Formula::TRUE || f == g {
            Formula::TRUE
        } else if f == Formula::TRUE {
            g
        } else if g == Formula::FALSE {
            self.not(f)
        } else {
            self.intern(Node::Implies(f, g))
        }
    }

    /// `f <-> g`
    pub fn iff(&mut self, f: Formula, g: Formula) -> Formula {
        let (f, g) = (f.min(g), f.max(g));
        match (f, g) {
            _ if f == g => Formula::TRUE,
            (Formula::TRUE, _) => g,
            (Formula::FALSE, _) => self.not(g),
            _ => self.intern(Node::Iff(f, g)),
        }
    }

    /// `f xor g`
    pub fn xor(&mut self, f: Formula, g: Formula) -> Formula {
        let (f, g) = (f.min(g), f.max(g));
        match (f, g) {
            _ if f == g => Formula::FALSE,
            (Formula::TRUE, _) => self.not(g),
            (Formula::FALSE, _) => g,
            _ => self.intern(Node::Xor(f, g)),
        }
    }

    /// `X f`
    pub fn x(&mut self, f: Formula) -> Formula {
        if self.is_constant(f) { f } else { self.intern(Node::X(f)) }
    }

    /// `F f`
    pub fn f(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True | Node::False | Node::F(_) => f,
            _ => self.intern(Node::F(f)),
        }
    }

    /// `G f`
    pub fn g(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True | Node::False | Node::G(_) => f,
            _ => self.intern(Node::G(f)),
        }
    }

    /// `f U g`
    pub fn u(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_constant(g) || f == Formula::FALSE || f == g {
            g
        } else if f == Formula::TRUE {
            self.f(g)
        } else {
            self.intern(Node::U(f, g))
        }
    }

    /// `f R g`
    pub fn r(&mut self, f: Formula, g: Formula) -> Formula {
        if self.is_constant(g) || f == Formula::TRUE || f == g {
            g
        } else if f == Formula::FALSE {
            self.g(g)
        } else {
            self.intern(Node::R(f, g))
        }
    }

    /// `f W g`
    pub fn w(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::TRUE || g == Formula::TRUE {
            Formula::TRUE
        } else if f == Formula::FALSE || f == g {
            g
        } else if g == Formula::FALSE {
            self.g(f)
        } else {
            self.intern(Node::W(f, g))
        }
    }

    /// `f M g`
    pub fn m(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::FALSE || g == Formula::FALSE {
            Formula::FALSE
        } else if f == Formula::TRUE || f == g {
            g
        } else if g == Formula::TRUE {
            self.f(f)
        } else {
            self.intern(Node::M(f, g))
        }
    }

    /// `f op g`
    pub fn binary(&mut self, op: Binary, f: Formula, g: Formula) -> Formula {
        match op {
            Binary::Implies => self.implies(f, g),
            Binary::Iff => self.iff(f, g),
            Binary::Xor => self.xor(f, g),
            Binary::U => self.u(f, g),
            Binary::R => self.r(f, g),
            Binary::W => self.w(f, g),
            Binary::M => self.m(f, g),
        }
    }

    fn is_constant(&self, f: Formula) -> bool {
        f == Formula::TRUE || f == Formula::FALSE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_normalise() {
        let mut fs = Formulas::new();
        let (a, b, c) = (fs.prop("a"), fs.prop("b"), fs.prop("c"));
        let bc = fs.and([b, c]);
        assert_eq!(fs.and([a, bc]), fs.and([c, b, a, Formula::TRUE]));
        let na = fs.not(a);
        assert_eq!(fs.and([a, b, na]), Formula::FALSE);
        assert_eq!(fs.or([a, b, na]), Formula::TRUE);
        assert_eq!(fs.u(Formula::TRUE, a), fs.f(a));
        assert_eq!(fs.w(a, Formula::FALSE), fs.g(a));
        assert_eq!(fs.m(a, Formula::TRUE), fs.f(a));
        assert_eq!(fs.r(Formula::FALSE, a), fs.g(a));
        assert_eq!(fs.xor(a, Formula::TRUE), na);
    }

    #[test]
    fn operands_come_first_even_when_deep() {
        let mut fs = Formulas::new();
        let mut f = fs.prop("a");
        for _ in 0..200_000 {
            f = fs.x(f);
        }
        let all = fs.subformulas(f);
        assert_eq!(all.len(), 200_001);
        assert!(all.windows(2).all(|w| w[0] < w[1]));
        let _copy = fs.clone();
    }
}
