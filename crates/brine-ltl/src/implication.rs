//! Syntactic implication between formulas in negation normal form.
//!
//! `implies(f, g)` answers yes only when every word that satisfies `f` satisfies `g`; it
//! says no when its rules do not suffice (Somenzi and Bloem, CAV 2000, extended with pure
//! eventualities and universalities). Boolean formulas are compared as BDDs. The rules
//! look at smaller formulas only; the depth of the search is bounded by a constant, past
//! which the answer is no.

use crate::formula::{Formula, Formulas, Node};
use crate::letters::{Lab, Letters};
use crate::syntactic::Shapes;
use rustc_hash::FxHashMap;

/// How deep the rules are applied.
const DEPTH: u32 = 24;

/// Knowledge about the formulas of one store.
pub(crate) struct Implications<'a> {
    pub(crate) letters: &'a mut Letters,
    /// The letters that can occur at all.
    pub(crate) possible: Lab,
    pub(crate) shapes: Shapes,
    labels: FxHashMap<Formula, Lab>,
    implied: FxHashMap<(Formula, Formula), bool>,
}

impl<'a> Implications<'a> {
    pub(crate) fn new(letters: &'a mut Letters, possible: Lab) -> Self {
        Implications {
            letters,
            possible,
            shapes: Shapes::default(),
            labels: FxHashMap::default(),
            implied: FxHashMap::default(),
        }
    }

    /// The possible letters that satisfy a boolean formula.
    pub(crate) fn label(&mut self, fs: &Formulas, f: Formula) -> Lab {
        if let Some(&l) = self.labels.get(&f) {
            return l;
        }
        for g in fs.subformulas(f) {
            if self.labels.contains_key(&g) {
                continue;
            }
            let label = match fs.node(g) {
                Node::True => self.possible,
                Node::False => Lab::FALSE,
                Node::Atom(a) => {
                    let atom = self.letters.atom(a.index());
                    self.letters.and(self.possible, atom)
                }
                Node::Not(a) => self.letters.minus(self.possible, self.labels[&a]),
                Node::And(l) => fs
                    .list(l)
                    .iter()
                    .fold(self.possible, |all, h| self.letters.and(all, self.labels[h])),
                Node::Or(l) => fs
                    .list(l)
                    .iter()
                    .fold(Lab::FALSE, |all, h| self.letters.or(all, self.labels[h])),
                _ => unreachable!("boolean, in negation normal form"),
            };
            self.labels.insert(g, label);
        }
        self.labels[&f]
    }

    /// Does `f` imply `g`, as far as the rules see?
    pub(crate) fn implies(&mut self, fs: &Formulas, f: Formula, g: Formula) -> bool {
        self.search(fs, f, g, DEPTH)
    }

    fn search(&mut self, fs: &Formulas, f: Formula, g: Formula, depth: u32) -> bool {
        if f == g || f == Formula::FALSE || g == Formula::TRUE {
            return true;
        }
        if depth == 0 || f == Formula::TRUE && g == Formula::FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(f, g)) {
            return known;
        }
        let result = self.rules(fs, f, g, depth - 1);
        // A "no" that came from the depth bound may be remembered too: it is never wrong.
        self.implied.insert((f, g), result);
        result
    }

    fn rules(&mut self, fs: &Formulas, f: Formula, g: Formula, d: u32) -> bool {
        let (shape_f, shape_g) = (self.shapes.of(fs, f), self.shapes.of(fs, g));
        if shape_f.boolean && shape_g.boolean {
            let (l, m) = (self.label(fs, f), self.label(fs, g));
            return self.letters.within(l, m);
        }
        // All operands must, or one may: these rules lose nothing.
        match (fs.node(f), fs.node(g)) {
            (Node::Or(l), _) => return fs.list(l).iter().all(|&h| self.search(fs, h, g, d)),
            (_, Node::And(l)) => return fs.list(l).iter().all(|&h| self.search(fs, f, h, d)),
            _ => {}
        }
        self.left_rules(fs, f, g, d) || self.right_rules(fs, f, g, d) || self.both(fs, f, g, d)
    }

    /// Rules that take `f` apart.
    fn left_rules(&mut self, fs: &Formulas, f: Formula, g: Formula, d: u32) -> bool {
        let eventual = self.shapes.of(fs, g).eventual;
        match fs.node(f) {
            Node::And(l) => fs.list(l).iter().any(|&h| self.search(fs, h, g, d)),
            Node::X(a) | Node::F(a) => eventual && self.search(fs, a, g, d),
            Node::G(a) => self.search(fs, a, g, d),
            Node::U(a, b) => self.search(fs, b, g, d) && (eventual || self.search(fs, a, g, d)),
            Node::W(a, b) => self.search(fs, b, g, d) && self.search(fs, a, g, d),
            Node::R(_, b) => self.search(fs, b, g, d),
            Node::M(a, b) => self.search(fs, b, g, d) || eventual && self.search(fs, a, g, d),
            _ => false,
        }
    }

    /// Rules that take `g` apart.
    fn right_rules(&mut self, fs: &Formulas, f: Formula, g: Formula, d: u32) -> bool {
        let universal = self.shapes.of(fs, f).universal;
        match fs.node(g) {
            Node::Or(l) => fs.list(l).iter().any(|&h| self.search(fs, f, h, d)),
            Node::X(a) | Node::G(a) => universal && self.search(fs, f, a, d),
            Node::F(a) => self.search(fs, f, a, d),
            Node::U(_, b) => self.search(fs, f, b, d),
            Node::W(a, b) => self.search(fs, f, b, d) || universal && self.search(fs, f, a, d),
            Node::R(a, b) => self.search(fs, f, b, d) && (universal || self.search(fs, f, a, d)),
            Node::M(a, b) => self.search(fs, f, b, d) && self.search(fs, f, a, d),
            _ => false,
        }
    }

    /// Rules that compare the outermost operators.
    fn both(&mut self, fs: &Formulas, f: Formula, g: Formula, d: u32) -> bool {
        // Seen as "keep until end": the formula that holds meanwhile, the one that ends it.
        let mut go = |x: Formula, y: Formula| self.search(fs, x, y, d);
        match (fs.node(f), fs.node(g)) {
            (Node::X(a), Node::X(b)) => go(a, b),
            (Node::U(a, b), Node::U(c, e) | Node::W(c, e)) => go(a, c) && (go(b, e) || go(b, g)),
            (Node::W(a, b), Node::W(c, e)) => go(a, c) && (go(b, e) || go(b, g)),
            (Node::U(a, b), Node::R(_, e) | Node::M(_, e)) => go(a, e) && go(b, g),
            (Node::W(a, b), Node::R(_, e)) => go(a, e) && go(b, g),
            (Node::W(a, b), Node::G(c)) => go(a, c) && go(b, g),
            (Node::R(a, b), Node::R(c, e)) => go(b, e) && (go(a, c) || go(a, g)),
            (Node::M(a, b), Node::R(c, e) | Node::M(c, e)) => go(b, e) && (go(a, c) || go(a, g)),
            (Node::R(a, b), Node::W(c, e)) => go(b, c) && (go(a, e) || go(a, g)),
            (Node::M(a, b), Node::U(c, e) | Node::W(c, e)) => go(b, c) && (go(a, e) || go(a, g)),
            (Node::G(a), Node::G(b)) | (Node::F(a), Node::F(b)) => go(a, b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::holds_on_lasso;
    use crate::small;
    use fixedbitset::FixedBitSet;

    /// All lassos of at most three letters over two atoms: prefix length and letters.
    fn lassos() -> Vec<(usize, Vec<u32>)> {
        let words = (1..=3).flat_map(|n| {
            (0..4u32.pow(n)).map(move |code| (0..n).map(|i| code >> (2 * i) & 3).collect())
        });
        words.flat_map(|w: Vec<u32>| (0..w.len()).map(move |prefix| (prefix, w.clone()))).collect()
    }

    /// Every yes between small formulas against all short lassos.
    #[test]
    fn what_is_implied_holds() {
        let small::Small { fs, one, two } = small::formulas();
        let lassos = lassos();
        let truth = |f: Formula| -> FixedBitSet {
            let holds = |(prefix, word): &(usize, Vec<u32>)| {
                let letter = |a: crate::AtomId, i: usize| word[i] >> a.index() & 1 == 1;
                holds_on_lasso(&fs, f, *prefix, word.len() - prefix, letter)
            };
            let held = lassos.iter().enumerate().filter(|(_, lasso)| holds(lasso));
            let mut bits = FixedBitSet::with_capacity(lassos.len());
            held.for_each(|(i, _)| bits.insert(i));
            bits
        };
        let truths: FxHashMap<Formula, FixedBitSet> = two.iter().map(|&f| (f, truth(f))).collect();
        let mut letters = Letters::new();
        let mut facts = Implications::new(&mut letters, Lab::TRUE);
        let (mut yes, mut missed) = (0, 0);
        let some: Vec<Formula> = two.iter().copied().step_by(7).chain(one).collect();
        for (&f, &g) in some.iter().flat_map(|f| two.iter().map(move |g| (f, g))) {
            for (f, g) in [(f, g), (g, f)] {
                let implied = truths[&f].is_subset(&truths[&g]);
                let claimed = facts.implies(&fs, f, g);
                let text = |f| fs.print(f, &crate::Symbols::open());
                assert!(implied || !claimed, "{} does not imply {}", text(f), text(g));
                yes += u32::from(claimed);
                missed += u32::from(implied && !claimed);
            }
        }
        println!("{yes} implications seen, {missed} not");
        assert!(yes > missed, "{yes} implications seen, {missed} not");
    }
}
