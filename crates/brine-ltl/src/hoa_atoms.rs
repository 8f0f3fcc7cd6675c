//! Atomic propositions of HOA files: what they mean in terms of Brine's atoms.

use crate::atom::Atom;
use crate::automaton::MAX_ATOMS;
use crate::formula::{Formula, Formulas, Node};
use crate::letters::{Lab, Letters};
use crate::parse::parse;
use crate::symbols::Symbols;
use rustc_hash::FxHashMap;

/// The propositions of a file.
#[derive(Default)]
pub(crate) struct Propositions {
    /// The atoms in them; letters are about these.
    pub(crate) atoms: Vec<Atom>,
    /// By number: the letters in which the proposition holds.
    pub(crate) meaning: Vec<Lab>,
}

impl Propositions {
    /// The letters in which the atom holds; a new one gets the next number, if there is one.
    fn atom(&mut self, atom: Atom, letters: &mut Letters) -> Result<Lab, String> {
        let known = self.atoms.iter().position(|a| *a == atom);
        let number = known.unwrap_or(self.atoms.len());
        if number >= MAX_ATOMS {
            return Err(format!("more than {MAX_ATOMS} different atoms"));
        }
        if known.is_none() {
            self.atoms.push(atom);
        }
        Ok(letters.atom(number))
    }

    /// A proposition where any name is welcome: a single atom, or just a name.
    pub(crate) fn named(
        &mut self,
        name: String,
        symbols: &mut Symbols,
        letters: &mut Letters,
    ) -> Result<Lab, String> {
        let mut fs = Formulas::new();
        let (atom, holds) = match parse(&name, &mut fs, symbols).map(|f| fs.node(f)) {
            Ok(Node::Atom(a)) => (fs.atom(a).clone(), true),
            Ok(Node::Not(g)) => match fs.node(g) {
                Node::Atom(a) if matches!(fs.atom(a), Atom::Linear(_)) => {
                    (fs.atom(a).clone(), false)
                }
                _ => (Atom::Prop(name), true),
            },
            _ => (Atom::Prop(name), true),
        };
        let label = self.atom(atom, letters)?;
        Ok(if holds { label } else { letters.not(label) })
    }

    /// A proposition where names are known: any formula without temporal operators.
    pub(crate) fn formula(
        &mut self,
        name: &str,
        symbols: &mut Symbols,
        letters: &mut Letters,
    ) -> Result<Lab, String> {
        let mut fs = Formulas::new();
        let f = parse(name, &mut fs, symbols).map_err(|e| {
            format!("{} (expected an atom such as p <= 1 or fireable(t))", e.message)
        })?;
        let mut meaning: FxHashMap<Formula, Lab> = FxHashMap::default();
        for g in fs.subformulas(f) {
            let of = |h: Formula| meaning[&h];
            let label = match fs.node(g) {
                Node::True => Lab::TRUE,
                Node::False => Lab::FALSE,
                Node::Atom(a) => self.atom(fs.atom(a).clone(), letters)?,
                Node::Not(h) => letters.not(of(h)),
                Node::And(list) => {
                    let all = fs.list(list).iter().map(|&h| of(h));
                    all.fold(Lab::TRUE, |all, h| letters.and(all, h))
                }
                Node::Or(list) => {
                    let all = fs.list(list).iter().map(|&h| of(h));
                    all.fold(Lab::FALSE, |any, h| letters.or(any, h))
                }
                Node::Implies(h, i) => {
                    let not = letters.not(of(h));
                    letters.or(not, of(i))
                }
                Node::Iff(h, i) => {
                    let differ = differ(letters, of(h), of(i));
                    letters.not(differ)
                }
                Node::Xor(h, i) => differ(letters, of(h), of(i)),
                _ => return Err("a temporal operator; expected a formula about one moment".into()),
            };
            meaning.insert(g, label);
        }
        Ok(meaning[&f])
    }
}

/// The letters in exactly one of the two sets.
fn differ(letters: &mut Letters, a: Lab, b: Lab) -> Lab {
    let (left, right) = (letters.minus(a, b), letters.minus(b, a));
    letters.or(left, right)
}
