//! Rewriting a formula before it is translated.
//!
//! Works on negation normal form, operands first, and rewrites each result again until no
//! rule applies. Every rule is an equivalence of LTL and makes the formula smaller, less
//! nested, or moves it towards the forms that translate well (see the files of the
//! rules): `X` and suspendable parts (equal to `F f` and `G f`) move outwards, parts that
//! another part implies disappear, boolean parts get one form per BDD.
//!
//! The driver keeps its own stack and a memo per formula. A rule that would lead back to
//! a formula whose rewriting is still under way is not applied, and the number of steps
//! is bounded, so it terminates whatever the rules are. Cost: linear in the number of
//! distinct formulas met, times the rules.

use crate::formula::{Formula, Formulas, Node};
use crate::implication::Implications;
use crate::letters::{Lab, Letters};
use crate::nnf::negation_normal_form;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where the better form depends on what comes after: translations try both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RewriteStyle {
    /// Replace an operator by a combination of simpler ones: `e R b = G b | (e & b)`.
    Split,
    /// Keep such operators whole.
    Keep,
}

/// Rewriting state: the store, what is known about its formulas, what is done.
pub(crate) struct Rewriter<'a> {
    pub(crate) fs: &'a mut Formulas,
    pub(crate) facts: Implications<'a>,
    done: FxHashMap<Formula, Formula>,
    active: FxHashSet<Formula>,
    negations: FxHashMap<Formula, Formula>,
    canonical: FxHashMap<Lab, Formula>,
    steps: usize,
    style: RewriteStyle,
}

/// Most rewriting steps for one formula.
const STEPS: usize = 20_000;
/// Boolean parts with more cubes than this stay as written.
const CUBES: usize = 24;

enum RewriteTask {
    Visit(Formula),
    Build(Formula),
    /// The first formula becomes what the second becomes.
    Follow(Formula, Formula),
}

/// An equivalent formula that is easier to translate; `f` must be in negation normal form.
/// Only letters of `possible` matter.
pub(crate) fn simplify(
    fs: &mut Formulas,
    letters: &mut Letters,
    possible: Lab,
    style: RewriteStyle,
    f: Formula,
) -> Formula {
    Rewriter::new(fs, letters, possible, style).run(f)
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(
        fs: &'a mut Formulas,
        letters: &'a mut Letters,
        possible: Lab,
        style: RewriteStyle,
    ) -> Self {
        Rewriter {
            fs,
            facts: Implications::new(letters, possible),
            done: FxHashMap::default(),
            active: FxHashSet::default(),
            negations: FxHashMap::default(),
            canonical: FxHashMap::default(),
            steps: 0,
            style,
        }
    }

    pub(crate) fn run(&mut self, f: Formula) -> Formula {
        let mut tasks = vec![RewriteTask::Visit(f)];
        while let Some(task) = tasks.pop() {
            match task {
                RewriteTask::Visit(g) => {
                    if !self.done.contains_key(&g) && self.active.insert(g) {
                        tasks.push(RewriteTask::Build(g));
                        self.fs.for_each_operand(g, |h| tasks.push(RewriteTask::Visit(h)));
                    }
                }
                RewriteTask::Build(g) => self.build(g, &mut tasks),
                RewriteTask::Follow(g, h) => {
                    let result = self.done.get(&h).copied().unwrap_or(h);
                    self.finish(g, result);
                }
            }
        }
        self.done.get(&f).copied().unwrap_or(f)
    }

    fn finish(&mut self, f: Formula, result: Formula) {
        self.active.remove(&f);
        self.done.insert(f, result);
        self.done.entry(result).or_insert(result);
    }

    /// All operands of `f` are done: rebuild it and apply the rules once.
    fn build(&mut self, f: Formula, tasks: &mut Vec<RewriteTask>) {
        let rebuilt = self.rebuild(f);
        if let Some(&known) = self.done.get(&rebuilt) {
            return self.finish(f, known);
        }
        self.steps += 1;
        let next = if self.steps < STEPS { self.rewrite(rebuilt) } else { rebuilt };
        if next == rebuilt || (next != f && self.active.contains(&next)) {
            return self.finish(f, rebuilt);
        }
        if next == f {
            // The operands changed and a rule undid it: keep what was written.
            return self.finish(f, f);
        }
        tasks.push(RewriteTask::Follow(f, next));
        tasks.push(RewriteTask::Visit(next));
    }

    fn rebuild(&mut self, f: Formula) -> Formula {
        let done = &self.done;
        let at = |g: Formula| done.get(&g).copied().unwrap_or(g);
        match self.fs.node(f) {
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) => f,
            Node::And(l) => {
                let list: Vec<_> = self.fs.list(l).iter().map(|&g| at(g)).collect();
                self.fs.and(list)
            }
            Node::Or(l) => {
                let list: Vec<_> = self.fs.list(l).iter().map(|&g| at(g)).collect();
                self.fs.or(list)
            }
            Node::X(a) => self.fs.x(at(a)),
            Node::F(a) => self.fs.f(at(a)),
            Node::G(a) => self.fs.g(at(a)),
            Node::U(a, b) => self.fs.u(at(a), at(b)),
            Node::R(a, b) => self.fs.r(at(a), at(b)),
            Node::W(a, b) => self.fs.w(at(a), at(b)),
            Node::M(a, b) => self.fs.m(at(a), at(b)),
            Node::Implies(..) | Node::Iff(..) | Node::Xor(..) => {
                unreachable!("the formula is in negation normal form")
            }
        }
    }

    /// One rule, the first that applies; the formula itself when none does.
    fn rewrite(&mut self, f: Formula) -> Formula {
        if self.facts.shapes.of(self.fs, f).boolean {
            return self.boolean(f);
        }
        match self.fs.node(f) {
            Node::X(a) => self.rewrite_x(f, a),
            Node::F(a) => self.rewrite_f(f, a),
            Node::G(a) => self.rewrite_g(f, a),
            Node::U(a, b) => self.rewrite_u(f, a, b),
            Node::R(a, b) => self.rewrite_r(f, a, b),
            Node::W(a, b) => self.rewrite_w(f, a, b),
            Node::M(a, b) => self.rewrite_m(f, a, b),
            Node::And(l) => self.rewrite_and(f, self.fs.list(l).to_vec()),
            Node::Or(l) => self.rewrite_or(f, self.fs.list(l).to_vec()),
            _ => f,
        }
    }

    /// The one way to write this boolean function.
    pub(crate) fn boolean(&mut self, f: Formula) -> Formula {
        let label = self.facts.label(self.fs, f);
        if let Some(&known) = self.canonical.get(&label) {
            return known;
        }
        let letters = &mut *self.facts.letters;
        let complement = letters.minus(self.facts.possible, label);
        let (upper, lower) = (letters.not(complement), letters.not(label));
        let yes = letters.cubes_between(label, upper);
        let no = letters.cubes_between(complement, lower);
        let positive = yes.cubes.len() <= no.cubes.len();
        let cubes = if positive { yes.cubes } else { no.cubes };
        let result = if cubes.len() > CUBES {
            f
        } else {
            let terms: Vec<Formula> =
                cubes.iter().map(|c| self.literals(c.pos, c.neg, positive)).collect();
            if positive { self.fs.or(terms) } else { self.fs.and(terms) }
        };
        self.canonical.insert(label, result);
        result
    }

    /// The conjunction of a cube's literals, or the disjunction of their negations.
    fn literals(&mut self, pos: u64, neg: u64, conjunction: bool) -> Formula {
        let mut list = Vec::new();
        for i in (0..64).filter(|i| (pos | neg) >> i & 1 == 1) {
            let atom = self.fs.prop(&i.to_string());
            let positive = (pos >> i & 1 == 1) == conjunction;
            list.push(if positive { atom } else { self.fs.not(atom) });
        }
        if conjunction { self.fs.and(list) } else { self.fs.or(list) }
    }

    pub(crate) fn negation(&mut self, f: Formula) -> Formula {
        if let Some(&n) = self.negations.get(&f) {
            return n;
        }
        let n = negation_normal_form(self.fs, f, true);
        self.negations.insert(f, n);
        n
    }

    pub(crate) fn implies(&mut self, f: Formula, g: Formula) -> bool {
        self.facts.implies(self.fs, f, g)
    }

    /// Can `f` and `g` never hold together?
    pub(crate) fn excludes(&mut self, f: Formula, g: Formula) -> bool {
        let not_g = self.negation(g);
        self.implies(f, not_g)
    }

    /// Does always one of `f` and `g` hold?
    pub(crate) fn covers(&mut self, f: Formula, g: Formula) -> bool {
        let not_f = self.negation(f);
        self.implies(not_f, g)
    }

    /// Is the style to split operators into parts?
    pub(crate) fn splits(&self) -> bool {
        self.style == RewriteStyle::Split
    }

    pub(crate) fn eventual(&mut self, f: Formula) -> bool {
        self.facts.shapes.of(self.fs, f).eventual
    }

    pub(crate) fn universal(&mut self, f: Formula) -> bool {
        self.facts.shapes.of(self.fs, f).universal
    }

    pub(crate) fn suspendable(&mut self, f: Formula) -> bool {
        self.facts.shapes.of(self.fs, f).suspendable()
    }

    /// The operands of a conjunction (or the formula alone).
    pub(crate) fn conjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.fs.node(f) {
            Node::And(l) => self.fs.list(l).to_vec(),
            _ => vec![f],
        }
    }

    /// The operands of a disjunction (or the formula alone).
    pub(crate) fn disjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.fs.node(f) {
            Node::Or(l) => self.fs.list(l).to_vec(),
            _ => vec![f],
        }
    }

    /// Splits operands into those with a property and the others.
    pub(crate) fn split(
        &mut self,
        list: Vec<Formula>,
        mut property: impl FnMut(&mut Self, Formula) -> bool,
    ) -> (Vec<Formula>, Vec<Formula>) {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for f in list {
            if property(self, f) { with.push(f) } else { without.push(f) }
        }
        (with, without)
    }
}
