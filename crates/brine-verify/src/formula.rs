//! The formula in negation normal form, and the certificate's list of its parts.
//!
//! A certificate lists atoms and nodes; each node has a number, from 2 (0 is false, 1 is true),
//! and its operands come before it. The checker translates the negation of the formula that it was
//! asked about into the same store, and demands that nothing new comes up and that the result is
//! the node that the certificate calls the root. So whatever order formulas are kept in, the
//! certificate is about this formula.
//!
//! *Why the translation is right.* Negations go inwards: `!(a U b) = !a R !b`, `!X a = X !a`
//! (every run is infinite), De Morgan. `F a = true U a`, `G a = false R a`,
//! `a W b = b R (a | b)`, `a M b = b U (a & b)`. Constants are folded by the same laws; atoms that
//! are proved to have one value in all reachable markings become constants.

use crate::system::{System, tokens};
use brine_ltl::{Atom, Formula, Formulas, Node};
use rustc_hash::FxHashMap;
use std::fmt;

/// An atom about a marking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// `sum of coefficient * tokens <= bound`
    AtMost(Vec<(u32, i64)>, i64),
    /// One of these transitions is enabled.
    Fireable(Vec<u32>),
    /// Nothing is enabled.
    Deadlock,
}

/// A formula in negation normal form. Operands are numbers of nodes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// `false`
    False,
    /// `true`
    True,
    /// An atom, or its negation.
    Literal(u32, bool),
    /// All of them.
    And(Vec<u32>),
    /// One of them.
    Or(Vec<u32>),
    /// From the next position on.
    Next(u32),
    /// The first until the second, which comes.
    Until(u32, u32),
    /// The second, until and including a position with the first, if one comes.
    Release(u32, u32),
}

/// Node 0.
pub const FALSE: u32 = 0;
/// Node 1.
pub const TRUE: u32 = 1;

/// Why a formula cannot be in a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Foreign(pub &'static str);

/// Atoms and nodes.
#[derive(Clone, Debug)]
pub struct Parts {
    atoms: Vec<Claim>,
    atom_numbers: FxHashMap<Claim, u32>,
    /// The value of an atom in all reachable markings, where it has one.
    known: Vec<Option<bool>>,
    parts: Vec<Part>,
    numbers: FxHashMap<Part, u32>,
}

impl Default for Parts {
    fn default() -> Self {
        let mut parts = Parts {
            atoms: Vec::new(),
            atom_numbers: FxHashMap::default(),
            known: Vec::new(),
            parts: Vec::new(),
            numbers: FxHashMap::default(),
        };
        parts.add(Part::False);
        parts.add(Part::True);
        parts
    }
}

impl Parts {
    /// Adds a node; equal nodes share a number. What it refers to is there.
    pub fn add(&mut self, part: Part) -> u32 {
        if let Some(&number) = self.numbers.get(&part) {
            return number;
        }
        let number = self.parts.len() as u32;
        self.parts.push(part.clone());
        self.numbers.insert(part, number);
        number
    }

    /// Adds an atom; equal atoms share a number.
    pub fn add_atom(&mut self, atom: Claim) -> u32 {
        if let Some(&number) = self.atom_numbers.get(&atom) {
            return number;
        }
        let number = self.atoms.len() as u32;
        self.atoms.push(atom.clone());
        self.known.push(None);
        self.atom_numbers.insert(atom, number);
        number
    }

    /// All atoms.
    pub fn atoms(&self) -> &[Claim] {
        &self.atoms
    }

    /// All nodes.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// One node.
    pub fn part(&self, number: u32) -> &Part {
        &self.parts[number as usize]
    }

    /// Notes that an atom has one value in all reachable markings.
    pub fn set_known(&mut self, atom: u32, value: bool) {
        self.known[atom as usize] = Some(value);
    }

    /// Enters the atoms of a formula.
    pub fn add_atoms_of(&mut self, formulas: &Formulas, formula: Formula) -> Result<(), Foreign> {
        formulas.atoms_of(formula).into_iter().try_for_each(|a| {
            self.add_atom(claim(formulas.atom(a))?);
            Ok(())
        })
    }

    /// Enters the negation of a formula; its number.
    pub fn add_negation(&mut self, formulas: &Formulas, formula: Formula) -> Result<u32, Foreign> {
        // For each subformula, in an order in which operands come first: itself and its negation,
        // where they are needed.
        let all = formulas.subformulas(formula);
        let mut done: FxHashMap<(Formula, bool), u32> = FxHashMap::default();
        for (f, sign) in needed(formulas, formula, &all) {
            let number = self.translate(formulas, f, sign, &done)?;
            done.insert((f, sign), number);
        }
        Ok(done[&(formula, false)])
    }

    /// One formula, or its negation, whose operands are done.
    fn translate(
        &mut self,
        formulas: &Formulas,
        f: Formula,
        sign: bool,
        done: &FxHashMap<(Formula, bool), u32>,
    ) -> Result<u32, Foreign> {
        let at = |g: Formula, value: bool| done[&(g, value == sign)];
        Ok(match formulas.node(f) {
            Node::True => u32::from(sign),
            Node::False => u32::from(!sign),
            Node::Atom(a) => {
                let atom = self.add_atom(claim(formulas.atom(a))?);
                match self.known[atom as usize] {
                    Some(value) => u32::from(value == sign),
                    None => self.add(Part::Literal(atom, sign)),
                }
            }
            Node::Not(a) => at(a, false),
            Node::And(l) | Node::Or(l) => {
                let operands = formulas.list(l).iter().map(|&g| at(g, true)).collect();
                match matches!(formulas.node(f), Node::And(_)) == sign {
                    true => self.and(operands),
                    false => self.or(operands),
                }
            }
            // Negated: a and not b.
            Node::Implies(a, b) if sign => self.or(vec![at(a, false), at(b, true)]),
            Node::Implies(a, b) => self.and(vec![done[&(a, true)], done[&(b, false)]]),
            Node::Iff(a, b) => self.equal(done, a, b, sign),
            Node::Xor(a, b) => self.equal(done, a, b, !sign),
            Node::X(a) => self.next(at(a, true)),
            Node::F(a) if sign => self.until(TRUE, at(a, true)),
            Node::F(a) => self.release(FALSE, at(a, true)),
            Node::G(a) if sign => self.release(FALSE, at(a, true)),
            Node::G(a) => self.until(TRUE, at(a, true)),
            Node::U(a, b) if sign => self.until(at(a, true), at(b, true)),
            Node::U(a, b) => self.release(at(a, true), at(b, true)),
            Node::R(a, b) if sign => self.release(at(a, true), at(b, true)),
            Node::R(a, b) => self.until(at(a, true), at(b, true)),
            // a W b = b R (a | b); negated: !b U (!a & !b).
            Node::W(a, b) if sign => {
                let either = self.or(vec![at(a, true), at(b, true)]);
                self.release(at(b, true), either)
            }
            Node::W(a, b) => {
                let neither = self.and(vec![at(a, true), at(b, true)]);
                self.until(at(b, true), neither)
            }
            // a M b = b U (a & b); negated: !b R (!a | !b).
            Node::M(a, b) if sign => {
                let both = self.and(vec![at(a, true), at(b, true)]);
                self.until(at(b, true), both)
            }
            Node::M(a, b) => {
                let not_both = self.or(vec![at(a, true), at(b, true)]);
                self.release(at(b, true), not_both)
            }
        })
    }

    /// Both true or both false, if `same`; else one of them.
    fn equal(
        &mut self,
        done: &FxHashMap<(Formula, bool), u32>,
        a: Formula,
        b: Formula,
        same: bool,
    ) -> u32 {
        let with_true = self.and(vec![done[&(a, true)], done[&(b, same)]]);
        let with_false = self.and(vec![done[&(a, false)], done[&(b, !same)]]);
        self.or(vec![with_true, with_false])
    }

    fn and(&mut self, operands: Vec<u32>) -> u32 {
        match fold(operands, TRUE, FALSE) {
            Ok(one) => one,
            Err(many) => self.add(Part::And(many)),
        }
    }

    fn or(&mut self, operands: Vec<u32>) -> u32 {
        match fold(operands, FALSE, TRUE) {
            Ok(one) => one,
            Err(many) => self.add(Part::Or(many)),
        }
    }

    fn next(&mut self, a: u32) -> u32 {
        if a <= TRUE { a } else { self.add(Part::Next(a)) }
    }

    fn until(&mut self, a: u32, b: u32) -> u32 {
        if b <= TRUE || a == FALSE { b } else { self.add(Part::Until(a, b)) }
    }

    fn release(&mut self, a: u32, b: u32) -> u32 {
        if b <= TRUE || a == TRUE { b } else { self.add(Part::Release(a, b)) }
    }

    /// The values of all atoms in a marking in which these transitions are enabled (ascending).
    pub fn values(&self, marking: &[(u32, u32)], enabled: &[u32]) -> Vec<bool> {
        self.atoms.iter().map(|atom| atom.value(marking, enabled)).collect()
    }
}

/// Sorted, without the unit; `Ok` if that is one node.
fn fold(mut operands: Vec<u32>, unit: u32, zero: u32) -> Result<u32, Vec<u32>> {
    operands.sort_unstable();
    operands.dedup();
    if operands.contains(&zero) {
        return Ok(zero);
    }
    operands.retain(|&f| f != unit);
    match operands[..] {
        [] => Ok(unit),
        [one] => Ok(one),
        _ => Err(operands),
    }
}

/// Which subformulas are needed, which negated, operands first.
fn needed(formulas: &Formulas, root: Formula, all: &[Formula]) -> Vec<(Formula, bool)> {
    let mut wanted: FxHashMap<Formula, [bool; 2]> = FxHashMap::default();
    wanted.insert(root, [true, false]);
    for &f in all.iter().rev() {
        let Some(&signs) = wanted.get(&f) else { continue };
        for sign in [false, true].into_iter().filter(|&s| signs[usize::from(s)]) {
            let mut want = |g: Formula, s: bool| {
                wanted.entry(g).or_default()[usize::from(s)] = true;
            };
            match formulas.node(f) {
                Node::Iff(a, b) | Node::Xor(a, b) => {
                    [a, b].into_iter().for_each(|g| (want(g, true), want(g, false)).1);
                }
                Node::Implies(a, b) => (want(a, !sign), want(b, sign)).1,
                Node::Not(a) => want(a, !sign),
                _ => formulas.for_each_operand(f, |g| want(g, sign)),
            }
        }
    }
    let both = [false, true];
    let signed = all.iter().flat_map(|&f| both.map(|sign| (f, sign)));
    signed.filter(|(f, sign)| wanted.get(f).is_some_and(|w| w[usize::from(*sign)])).collect()
}

/// The atom of a formula. Every kind of atom is named here: a new one does not pass unseen.
fn claim(atom: &Atom) -> Result<Claim, Foreign> {
    match atom {
        Atom::Linear(linear) => {
            let terms = linear.terms.iter().map(|&(p, c)| (p.0, c)).collect();
            Ok(Claim::AtMost(terms, linear.bound))
        }
        Atom::Fireable(transitions) => {
            Ok(Claim::Fireable(transitions.iter().map(|t| t.0).collect()))
        }
        Atom::Deadlock => Ok(Claim::Deadlock),
        Atom::Prop(_) => Err(Foreign("a proposition without a net has no certificate")),
    }
}

impl Claim {
    /// Whether it is true in a marking in which these transitions are enabled (ascending).
    pub fn value(&self, marking: &[(u32, u32)], enabled: &[u32]) -> bool {
        match self {
            Claim::AtMost(terms, bound) => {
                let value = |&(p, c): &(u32, i64)| i128::from(c) * i128::from(tokens(marking, p));
                terms.iter().map(value).sum::<i128>() <= i128::from(*bound)
            }
            Claim::Fireable(ts) => ts.iter().any(|t| enabled.binary_search(t).is_ok()),
            Claim::Deadlock => enabled.is_empty(),
        }
    }

    /// Whether its places and transitions are in the net.
    pub(crate) fn is_within(&self, system: &System) -> bool {
        match self {
            Claim::AtMost(terms, _) => {
                terms.is_sorted_by(|a, b| a.0 < b.0)
                    && terms.iter().all(|&(p, _)| (p as usize) < system.initial.len())
            }
            Claim::Fireable(ts) => ts.iter().all(|&t| (t as usize) < system.steps.len()),
            Claim::Deadlock => true,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::AtMost(terms, bound) => {
                write!(f, "atmost {bound}")?;
                terms.iter().try_for_each(|(p, c)| write!(f, " {p}:{c}"))
            }
            Claim::Fireable(ts) => {
                write!(f, "fireable")?;
                ts.iter().try_for_each(|t| write!(f, " {t}"))
            }
            Claim::Deadlock => write!(f, "deadlock"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, word: &str, all: &[u32]| {
            write!(f, "{word}")?;
            all.iter().try_for_each(|n| write!(f, " {n}"))
        };
        match self {
            Part::False => write!(f, "false"),
            Part::True => write!(f, "true"),
            Part::Literal(atom, true) => write!(f, "is {atom}"),
            Part::Literal(atom, false) => write!(f, "not {atom}"),
            Part::And(all) => list(f, "and", all),
            Part::Or(all) => list(f, "or", all),
            Part::Next(a) => write!(f, "next {a}"),
            Part::Until(a, b) => write!(f, "until {a} {b}"),
            Part::Release(a, b) => write!(f, "release {a} {b}"),
        }
    }
}
