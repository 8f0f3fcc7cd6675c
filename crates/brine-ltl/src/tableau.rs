//! From a formula to a transition-based generalised Büchi automaton.
//!
//! The tableau of Couvreur (FM 1999), in the style of Duret-Lutz's later work: a state is
//! a set of formulas that must hold together; reading a letter, each formula demands
//! something of the next state, and an eventuality that is put off *promises* to be
//! fulfilled later. Every promise is one acceptance mark: an edge carries the mark unless
//! it makes the promise. A run that is free of each promise infinitely often has put off
//! nothing for ever.
//!
//! ```text
//! d(literal) = literal                     d(X f)   = next f
//! d(f & g)   = d(f) & d(g)                 d(f | g) = d(f) | d(g)
//! d(F g)     = d(g) | promise g & next F g
//! d(f U g)   = d(g) | d(f) & promise g & next (f U g)
//! d(f M g)   = d(g) & (d(f) | promise f & next (f M g))
//! d(G f)     = d(f) & next G f             d(GF g)  = next GF g & (d(g) | promise g)
//! d(f W g)   = d(g) | d(f) & next (f W g)  d(f R g) = d(g) & (d(f) | next (f R g))
//! ```
//!
//! d(f) is positive in `next` and `promise`, so for each letter only its minimal sets of
//! (next, promise) matter. It is kept in exactly that canonical form, as [`TableauTerm`]s whose
//! labels are BDDs: for each (next, promise) the letters for which it is minimal. States
//! with the same terms are the same state.
//!
//! Invariant: the runs from a state accept exactly the words that satisfy all formulas of
//! its set. Cost: exponential in the formula at worst; the cancel hook is asked per state, and
//! now and then inside long lists of terms.

use crate::automaton::MAX_MARKS;
use crate::error::Error;
use crate::formula::{Formula, Formulas, Node};
use crate::letters::{Lab, Letters};
use crate::options::Options;
use crate::tgba::{Arc, Tgba, full};
use brine_net::Interner;
use rustc_hash::FxHashMap;

/// A set of formulas that must hold together, numbered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct FormulaSetId(u32);

/// With a letter of `label`: make these promises and satisfy `next` afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct TableauTerm {
    next: FormulaSetId,
    promises: u64,
    label: Lab,
}

struct Tableau<'a> {
    fs: &'a Formulas,
    letters: &'a mut Letters,
    sets: Interner<Box<[Formula]>>,
    unions: FxHashMap<(FormulaSetId, FormulaSetId), FormulaSetId>,
    terms: FxHashMap<Formula, Vec<TableauTerm>>,
    /// The eventualities, each with a mark.
    promises: Interner<Formula>,
}

/// The automaton of `f`, which must be in negation normal form. Only letters of `care`
/// are read.
pub(crate) fn tableau(
    fs: &Formulas,
    f: Formula,
    care: Lab,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<Tgba, Error> {
    let mut t = Tableau {
        fs,
        letters,
        sets: Interner::new(),
        unions: FxHashMap::default(),
        terms: FxHashMap::default(),
        promises: Interner::new(),
    };
    t.set(Vec::new());
    for g in fs.subformulas(f) {
        options.check(0)?;
        let terms = t.expand(g, options)?;
        t.terms.insert(g, terms);
    }
    t.explore(f, care, options)
}

impl Tableau<'_> {
    const EMPTY: FormulaSetId = FormulaSetId(0);

    fn set(&mut self, mut formulas: Vec<Formula>) -> FormulaSetId {
        formulas.sort_unstable();
        formulas.dedup();
        FormulaSetId(self.sets.intern_slice(&formulas))
    }

    fn formulas(&self, s: FormulaSetId) -> &[Formula] {
        &self.sets[s.0 as usize]
    }

    /// The set that stands for `f` holding next: its conjuncts, if it is a conjunction.
    fn set_of(&mut self, f: Formula) -> FormulaSetId {
        match self.fs.node(f) {
            Node::True => Self::EMPTY,
            Node::And(l) => self.set(self.fs.list(l).to_vec()),
            _ => self.set(vec![f]),
        }
    }

    fn union(&mut self, a: FormulaSetId, b: FormulaSetId) -> FormulaSetId {
        if a == b || b == Self::EMPTY {
            return a;
        }
        if a == Self::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let all = self.formulas(a).iter().chain(self.formulas(b)).copied().collect();
        let id = self.set(all);
        self.unions.insert(key, id);
        id
    }

    fn promise(&mut self, g: Formula) -> Result<u64, Error> {
        let index = self.promises.intern(g);
        // Stutter checks add one mark of their own.
        if index as usize >= MAX_MARKS - 1 {
            let message = format!("more than {} different eventualities", MAX_MARKS - 1);
            return Err(Error::Unsupported(message));
        }
        Ok(1 << index)
    }

    /// The terms of `g`, whose operands have been expanded before.
    fn expand(&mut self, g: Formula, options: &Options<'_>) -> Result<Vec<TableauTerm>, Error> {
        let always = |next: FormulaSetId, promises: u64| {
            vec![TableauTerm { next, promises, label: Lab::TRUE }]
        };
        Ok(match self.fs.node(g) {
            Node::True => always(Self::EMPTY, 0),
            Node::False => Vec::new(),
            Node::Atom(a) => {
                let label = self.letters.atom(a.index());
                vec![TableauTerm { next: Self::EMPTY, promises: 0, label }]
            }
            Node::Not(a) => {
                let positive = self.terms[&a].first().map_or(Lab::FALSE, |t| t.label);
                let label = self.letters.not(positive);
                vec![TableauTerm { next: Self::EMPTY, promises: 0, label }]
            }
            Node::And(l) => {
                let mut all = always(Self::EMPTY, 0);
                for h in self.fs.list(l) {
                    all = self.product(&all, &self.terms[h].clone(), options)?;
                }
                all
            }
            Node::Or(l) => {
                let all = self.fs.list(l).iter().flat_map(|h| self.terms[h].clone()).collect();
                self.minimal(all, options)?
            }
            Node::X(a) => {
                // A disjunction is demanded disjunct by disjunct; a false one not at all.
                if a == Formula::FALSE { Vec::new() } else { always(self.set_of(a), 0) }
            }
            Node::F(a) => {
                let wait = always(self.set(vec![g]), self.promise(a)?);
                self.either(&self.terms[&a].clone(), &wait, options)?
            }
            Node::G(a) => {
                let again = self.set(vec![g]);
                match self.fs.node(a) {
                    Node::F(b) => {
                        let wait = always(Self::EMPTY, self.promise(b)?);
                        let now = self.either(&self.terms[&b].clone(), &wait, options)?;
                        self.product(&now, &always(again, 0), options)?
                    }
                    _ => self.product(&self.terms[&a].clone(), &always(again, 0), options)?,
                }
            }
            Node::U(a, b) => {
                let again = always(self.set(vec![g]), self.promise(b)?);
                let wait = self.product(&self.terms[&a].clone(), &again, options)?;
                self.either(&self.terms[&b].clone(), &wait, options)?
            }
            Node::W(a, b) => {
                let again = always(self.set(vec![g]), 0);
                let wait = self.product(&self.terms[&a].clone(), &again, options)?;
                self.either(&self.terms[&b].clone(), &wait, options)?
            }
            Node::M(a, b) => {
                let again = always(self.set(vec![g]), self.promise(a)?);
                let end = self.either(&self.terms[&a].clone(), &again, options)?;
                self.product(&self.terms[&b].clone(), &end, options)?
            }
            Node::R(a, b) => {
                let again = always(self.set(vec![g]), 0);
                let end = self.either(&self.terms[&a].clone(), &again, options)?;
                self.product(&self.terms[&b].clone(), &end, options)?
            }
            Node::Implies(..) | Node::Iff(..) | Node::Xor(..) => {
                unreachable!("the formula is in negation normal form")
            }
        })
    }

    fn either(
        &mut self,
        a: &[TableauTerm],
        b: &[TableauTerm],
        options: &Options<'_>,
    ) -> Result<Vec<TableauTerm>, Error> {
        self.minimal(a.iter().chain(b).copied().collect(), options)
    }

    fn product(
        &mut self,
        a: &[TableauTerm],
        b: &[TableauTerm],
        options: &Options<'_>,
    ) -> Result<Vec<TableauTerm>, Error> {
        let mut all = Vec::new();
        for (i, &s) in a.iter().enumerate() {
            options.check_now_and_then(i)?;
            for &t in b {
                let label = self.letters.and(s.label, t.label);
                if label != Lab::FALSE {
                    let next = self.union(s.next, t.next);
                    all.push(TableauTerm { next, promises: s.promises | t.promises, label });
                }
            }
            if all.len() > options.max_terms {
                all = self.minimal(all, options)?;
                options.check_terms(all.len())?;
            }
        }
        self.minimal(all, options)
    }

    /// The canonical form: one term per (next, promises), with the letters for which no
    /// smaller pair does. Quadratic in the number of terms, so the cancel hook is asked.
    fn minimal(
        &mut self,
        mut all: Vec<TableauTerm>,
        options: &Options<'_>,
    ) -> Result<Vec<TableauTerm>, Error> {
        all.sort_unstable();
        let mut merged: Vec<TableauTerm> = Vec::with_capacity(all.len());
        for t in all {
            match merged.last_mut() {
                Some(last) if last.next == t.next && last.promises == t.promises => {
                    last.label = self.letters.or(last.label, t.label);
                }
                _ => merged.push(t),
            }
        }
        let mut minimal = Vec::with_capacity(merged.len());
        for (i, t) in merged.iter().enumerate() {
            options.check_now_and_then(i)?;
            let mut label = t.label;
            for (j, s) in merged.iter().enumerate() {
                if i != j && s.promises & !t.promises == 0 && self.subset(s.next, t.next) {
                    label = self.letters.minus(label, s.label);
                    if label == Lab::FALSE {
                        break;
                    }
                }
            }
            if label != Lab::FALSE {
                minimal.push(TableauTerm { label, ..*t });
            }
        }
        Ok(minimal)
    }

    fn subset(&self, a: FormulaSetId, b: FormulaSetId) -> bool {
        if a == b || a == Self::EMPTY {
            return true;
        }
        let (a, b) = (self.formulas(a), self.formulas(b));
        a.len() <= b.len() && a.iter().all(|f| b.binary_search(f).is_ok())
    }

    /// Builds the automaton from the initial set on.
    fn explore(mut self, f: Formula, care: Lab, options: &Options<'_>) -> Result<Tgba, Error> {
        if f == Formula::FALSE {
            return Ok(Tgba::empty());
        }
        let marks = self.promises.len() as u32;
        let mut states: FxHashMap<FormulaSetId, u32> = FxHashMap::default();
        let mut out: Interner<Vec<TableauTerm>> = Interner::new();
        let initial = self.set_of(f);
        let mut todo = vec![initial];
        while let Some(set) = todo.pop() {
            if states.contains_key(&set) {
                continue;
            }
            options.check(out.len())?;
            let mut terms = vec![TableauTerm { next: Self::EMPTY, promises: 0, label: care }];
            for i in 0..self.formulas(set).len() {
                let g = self.formulas(set)[i];
                let of_g = std::mem::take(self.terms.get_mut(&g).expect("a subformula"));
                let product = self.product(&terms, &of_g, options);
                self.terms.insert(g, of_g);
                terms = product?;
            }
            todo.extend(terms.iter().map(|t| t.next));
            states.insert(set, out.intern(terms));
        }
        let arc = |t: &TableauTerm| Arc {
            dst: states[&t.next],
            marks: full(marks) & !t.promises,
            label: t.label,
        };
        let out: Vec<Vec<Arc>> = out.iter().map(|terms| terms.iter().map(arc).collect()).collect();
        let mut automaton = Tgba { out, initial: states[&initial], marks };
        automaton.merge_arcs(self.letters);
        Ok(automaton)
    }
}
