//! Judges certificates of "holds".
//!
//! A certificate is a text that proves that all runs of a net satisfy a formula. This crate reads
//! the net and the formula as everybody else does, and shares nothing else with Brine: no engine,
//! no decision diagrams, no translation of formulas, no reduction. It searches for nothing; it
//! checks the conditions that the certificate claims, one by one. What they are and why they
//! suffice stands at the head of each file: `formula` (negation normal form), `tableau` (the
//! automaton), `linear` (facts and conflicts), `product` (closure and layers), `falls` (runs that
//! run out of tokens). The format: `docs/certificates.md`.
//!
//! **What is trusted:** the reader of nets (`brine-pnml`, `brine-coloured` for unfolding), the
//! reader of formulas, [`brine_ltl::Formulas`] as the meaning of a formula, and this crate.
//!
//! **Semantics.** A run is a maximal one: it ends only in a dead marking, which then repeats for
//! ever. The formula is about the markings of a run, from the initial one on.
//!
//! No input makes the checker panic or recurse: numbers are checked, lists are as long as the text
//! that lists them, and all walks are loops.

mod diagram;
mod falls;
mod formula;
mod linear;
mod product;
mod system;
mod tableau;
mod text;

pub use falls::{firing, no_dead_end};
pub use formula::{Claim, FALSE, Foreign, Part, Parts, TRUE};
pub use linear::{Facts, Goals, Inequality, cut};
pub use system::{Marking, Step, System};
pub use tableau::{Cover, Literal, TooLarge};

use brine_ltl::{Formula, Formulas};
use brine_net::Net;
use product::{Claims, Product};
use std::fmt;
use std::io::Read;
use text::{Lines, Words, unreadable};

/// The version of the format.
pub const VERSION: u32 = 1;

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// It is no certificate.
    #[error("line {line}: {message}")]
    Unreadable {
        /// The line, from 1; 0 if nothing could be read.
        line: u64,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// It is one, and does not prove this property of this net.
    #[error("line {line}: {message}")]
    NoProof {
        /// The line; 0 if it is about the whole.
        line: u64,
        /// What is wrong.
        message: String,
    },
}

impl Refusal {
    pub(crate) fn no_proof(message: impl Into<String>) -> Self {
        Refusal::NoProof { line: 0, message: message.into() }
    }

    /// Whether the file is no certificate at all.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Refusal::Unreadable { .. })
    }

    fn at(self, number: u64) -> Self {
        match self {
            Refusal::NoProof { line: 0, message } => Refusal::NoProof { line: number, message },
            other => other,
        }
    }
}

pub(crate) fn refuse<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::no_proof(message))
}

/// What a proof consists of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    /// Lines of the certificate.
    pub lines: u64,
    /// Automaton states.
    pub states: u64,
    /// Markings that are listed.
    pub markings: u64,
    /// Product states that are listed.
    pub product_states: u64,
    /// Facts about all reachable markings.
    pub facts: u64,
    /// Sets of literals that no reachable marking has.
    pub conflicts: u64,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { lines, states, markings, product_states, facts, conflicts } = self;
        write!(
            f,
            "{lines} lines: {facts} facts, {conflicts} conflicts, {states} automaton states, \
             {markings} markings, {product_states} product states"
        )
    }
}

/// Checks that the certificate proves that all runs of the net satisfy the formula.
///
/// ```
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::NetBuilder;
/// use brine_verify::{System, verify};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// // The negation is G off <= 0: once a lamp is off there is no way on.
/// let certificate = format!(
///     "brine-certificate 1\nnet 2 1 {:016x}\natom atmost 0 1:1\natom atmost 1 1:1\n\
///      node is 0\nnode not 0\nnode not 1\nnode or 2 4\nnode release 0 5\nroot 6\n\
///      state 6\nlayer transient\nend 11\n",
///     System::new(&net).fingerprint(),
/// );
/// assert!(verify(&net, &formulas, formula, certificate.as_bytes()).is_err());
/// ```
pub fn verify(
    net: &Net,
    formulas: &Formulas,
    formula: Formula,
    certificate: impl Read,
) -> Result<Verified, Refusal> {
    let system = System::new(net);
    let mut lines = Lines::new(certificate)?;
    let mut reading = Reading::new(&system, formulas, formula);
    loop {
        if !lines.advance()? {
            return Err(unreadable(lines.number(), &"the certificate has no end"));
        }
        let mut words = lines.words()?;
        let number = lines.number();
        let ended = reading.line(number, &mut words).map_err(|refusal| refusal.at(number))?;
        if ended {
            break;
        }
    }
    let number = lines.number();
    if lines.advance()? {
        return Err(unreadable(lines.number(), &"there is more after the end"));
    }
    reading.conclude(number)
}

/// The sections of a certificate, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Section {
    Version,
    Net,
    Atoms,
    Facts,
    Nodes,
    Claims,
}

/// What was read.
struct Reading<'s> {
    system: &'s System,
    formulas: &'s Formulas,
    formula: Formula,
    section: Section,
    parts: Parts,
    facts: Facts<'s>,
    /// The conflict whose proof is read.
    goals: Option<Goals>,
    conflicts: Vec<Vec<Literal>>,
    root: u32,
    claims: Claims,
}

impl<'s> Reading<'s> {
    fn new(system: &'s System, formulas: &'s Formulas, formula: Formula) -> Self {
        Reading {
            system,
            formulas,
            formula,
            section: Section::Version,
            parts: Parts::default(),
            facts: Facts::new(system),
            goals: None,
            conflicts: Vec::new(),
            root: FALSE,
            claims: Claims::default(),
        }
    }

    /// One line; whether it is the last one.
    fn line(&mut self, number: u64, words: &mut Words<'_>) -> Result<bool, Refusal> {
        let word = words.word("a word")?;
        if let Some(goals) = &mut self.goals {
            goals.read(word, words, self.parts.atoms(), &self.facts)?;
            self.close_conflict();
            return Ok(false);
        }
        match (word, self.section) {
            ("brine-certificate", Section::Version) => self.version(words)?,
            ("net", Section::Net) => self.net(words)?,
            ("atom", Section::Atoms) => self.atom(words)?,
            ("fact", Section::Atoms | Section::Facts) => {
                self.section = Section::Facts;
                self.facts.read(words)?;
            }
            ("conflict", Section::Atoms | Section::Facts) => {
                self.section = Section::Facts;
                let literals = literals(words)?;
                self.goals = Some(Goals::new(literals, self.parts.atoms())?);
            }
            ("node", Section::Atoms | Section::Facts | Section::Nodes) => {
                self.section = Section::Nodes;
                self.node(words)?;
            }
            ("root", Section::Atoms | Section::Facts | Section::Nodes) => self.root(words)?,
            ("end", Section::Claims) => {
                let lines: u64 = words.number("the number of lines")?;
                words.end()?;
                if lines + 1 != number {
                    return Err(unreadable(number, &format!("after {lines} lines, expected this")));
                }
                return Ok(true);
            }
            (_, Section::Claims) => {
                if !self.claims.read(word, words, &self.parts, self.system)? {
                    return Err(words.missing("state, layer, any, marking, levels, dd, set or end"));
                }
            }
            (word, section) => {
                let message = format!("\"{word}\" has no place in this section, {section:?}");
                return Err(unreadable(number, &message));
            }
        }
        Ok(false)
    }

    fn version(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let version: u32 = words.number("a version")?;
        words.end()?;
        if version != VERSION {
            return Err(words.missing(&format!("version {VERSION}, which is what is read here")));
        }
        self.section = Section::Net;
        Ok(())
    }

    fn net(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let places: usize = words.number("the number of places")?;
        let transitions: usize = words.number("the number of transitions")?;
        let word = words.word("a fingerprint")?;
        words.end()?;
        let system = self.system;
        if places != system.initial.len()
            || transitions != system.steps.len()
            || word != format!("{:016x}", system.fingerprint())
        {
            return refuse("the certificate is about another net");
        }
        self.section = Section::Atoms;
        Ok(())
    }

    fn atom(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let atom = match words.word("a kind of atom")? {
            "atmost" => {
                let bound = words.number("a bound")?;
                Claim::AtMost(words.pairs("PLACE:COEFFICIENT")?, bound)
            }
            "fireable" => Claim::Fireable(words.numbers("a transition")?),
            "deadlock" => Claim::Deadlock,
            _ => return Err(words.missing("atmost, fireable or deadlock")),
        };
        words.end()?;
        if !atom.is_within(self.system) {
            return refuse("the atom speaks of places or transitions that are not there");
        }
        let expected = self.parts.atoms().len();
        if self.parts.add_atom(atom) as usize != expected {
            return refuse("the same atom is listed twice");
        }
        Ok(())
    }

    /// Keeps a conflict that is proved.
    fn close_conflict(&mut self) {
        if let Some(goals) = self.goals.take_if(|goals| goals.are_closed()) {
            if let [(atom, value)] = goals.literals[..] {
                self.parts.set_known(atom, !value);
            }
            self.conflicts.push(goals.literals);
        }
    }

    fn node(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let count = self.parts.parts().len() as u32;
        let kind = words.word("a kind of node")?;
        let operands: Vec<u32> = words.numbers("a number")?;
        let atoms = self.parts.atoms().len() as u32;
        let limit = if matches!(kind, "is" | "not") { atoms } else { count };
        if operands.iter().any(|&f| f >= limit) {
            return refuse("the node speaks of what was not there before");
        }
        let part = match (kind, &operands[..]) {
            ("is", &[a]) => Part::Literal(a, true),
            ("not", &[a]) => Part::Literal(a, false),
            ("and", _) => Part::And(operands),
            ("or", _) => Part::Or(operands),
            ("next", &[a]) => Part::Next(a),
            ("until", &[a, b]) => Part::Until(a, b),
            ("release", &[a, b]) => Part::Release(a, b),
            _ => return Err(words.missing("is, not, and, or, next, until or release")),
        };
        if self.parts.add(part) != count {
            return refuse("the same node is listed twice");
        }
        Ok(())
    }

    /// The root is the negation of the formula, and all its nodes were listed.
    fn root(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let root: u32 = words.number("a node")?;
        words.end()?;
        let (atoms, nodes) = (self.parts.atoms().len(), self.parts.parts().len());
        let negation = self.parts.add_negation(self.formulas, self.formula);
        let negation = negation.map_err(|e| Refusal::no_proof(e.to_string()))?;
        if self.parts.atoms().len() > atoms || self.parts.parts().len() > nodes || negation != root
        {
            return refuse("the certificate is about another formula");
        }
        self.root = root;
        self.section = Section::Claims;
        Ok(())
    }

    /// Everything was read: checks the claim.
    fn conclude(self, lines: u64) -> Result<Verified, Refusal> {
        let product = Product {
            system: self.system,
            parts: &self.parts,
            facts: &self.facts,
            conflicts: &self.conflicts,
            claims: &self.claims,
        };
        product.check(self.root)?;
        let (states, markings, product_states) = self.claims.sizes();
        let (facts, conflicts) = (self.facts.len() as u64, self.conflicts.len() as u64);
        Ok(Verified { lines, states, markings, product_states, facts, conflicts })
    }
}

/// Literals as `+ATOM` and `-ATOM`.
fn literals(words: &mut Words<'_>) -> Result<Vec<Literal>, Refusal> {
    let mut all = Vec::new();
    while let Some(word) = words.next() {
        let (value, atom) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
            (Some(atom), _) => (true, atom),
            (_, Some(atom)) => (false, atom),
            _ => return Err(words.missing("+ATOM or -ATOM")),
        };
        all.push((words.parse(atom, "an atom")?, value));
    }
    Ok(all)
}
