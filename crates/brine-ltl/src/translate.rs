//! From formula to automaton: the whole way.

use crate::acceptance::clean_acceptance;
use crate::automaton::{Automaton, Edge, LabelId, MAX_ATOMS, StateId};
use crate::error::Error;
use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::letters::{Lab, Letters};
use crate::nnf::negation_normal_form;
use crate::simulation::{reduce_backward, reduce_forward};
use crate::tableau::tableau;
use crate::tgba::Tgba;
use rustc_hash::FxHashMap;

/// What a translation may use.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Most states at any moment.
    pub max_states: usize,
    /// Most alternatives in the expansion of one state.
    pub max_terms: usize,
    /// Asked now and then; `true` stops the translation.
    pub cancel: &'a dyn Fn() -> bool,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { max_states: 50_000, max_terms: 20_000, cancel: &|| false }
    }
}

impl Limits<'_> {
    pub(crate) fn check(&self, states: usize) -> Result<(), Error> {
        if (self.cancel)() {
            return Err(Error::Cancelled);
        }
        if states > self.max_states {
            let message = format!("an automaton with more than {} states", self.max_states);
            return Err(Error::Unsupported(message));
        }
        Ok(())
    }

    pub(crate) fn check_terms(&self, terms: usize) -> Result<(), Error> {
        self.check(0)?;
        if terms > self.max_terms {
            let message = format!("a state with more than {} alternatives", self.max_terms);
            return Err(Error::Unsupported(message));
        }
        Ok(())
    }
}

/// A formula of its own store whose atoms are just numbered: what translation works on.
pub(crate) struct Skeleton {
    pub(crate) fs: Formulas,
    pub(crate) formula: Formula,
    /// The atoms of the original store, by number.
    pub(crate) atoms: Vec<AtomId>,
}

impl Skeleton {
    /// Copies `f` into a store of its own.
    pub(crate) fn of(source: &Formulas, f: Formula) -> Result<Self, Error> {
        let atoms = source.atoms_of(f);
        if atoms.len() > MAX_ATOMS {
            let message = format!("{} atoms in one formula (at most {MAX_ATOMS})", atoms.len());
            return Err(Error::Unsupported(message));
        }
        let mut fs = Formulas::new();
        let mut copy: FxHashMap<Formula, Formula> = FxHashMap::default();
        let numbered: FxHashMap<AtomId, Formula> =
            atoms.iter().enumerate().map(|(i, &a)| (a, fs.prop(&i.to_string()))).collect();
        for g in source.subformulas(f) {
            let at = |h: Formula| copy[&h];
            let new = match source.node(g) {
                Node::True => Formula::TRUE,
                Node::False => Formula::FALSE,
                Node::Atom(a) => numbered[&a],
                Node::Not(a) => fs.not(at(a)),
                Node::And(l) => fs.and(source.list(l).iter().map(|&h| at(h)).collect::<Vec<_>>()),
                Node::Or(l) => fs.or(source.list(l).iter().map(|&h| at(h)).collect::<Vec<_>>()),
                Node::Implies(a, b) => fs.implies(at(a), at(b)),
                Node::Iff(a, b) => fs.iff(at(a), at(b)),
                Node::Xor(a, b) => fs.xor(at(a), at(b)),
                Node::X(a) => fs.x(at(a)),
                Node::F(a) => fs.f(at(a)),
                Node::G(a) => fs.g(at(a)),
                Node::U(a, b) => fs.u(at(a), at(b)),
                Node::R(a, b) => fs.r(at(a), at(b)),
                Node::W(a, b) => fs.w(at(a), at(b)),
                Node::M(a, b) => fs.m(at(a), at(b)),
            };
            copy.insert(g, new);
        }
        Ok(Skeleton { formula: copy[&f], fs, atoms })
    }
}

/// The automaton of `f`.
///
/// ```
/// use brine_ltl::{Formulas, Limits, Symbols, parse, translate};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let f = parse("a U b", &mut fs, &mut symbols).unwrap();
/// let automaton = translate(&fs, f, &Limits::default()).unwrap();
/// assert_eq!(automaton.num_states(), 2);
/// ```
pub fn translate(fs: &Formulas, f: Formula, limits: &Limits<'_>) -> Result<Automaton, Error> {
    let mut skeleton = Skeleton::of(fs, f)?;
    let mut letters = Letters::new();
    let nnf = negation_normal_form(&mut skeleton.fs, skeleton.formula, false);
    let mut a = tableau(&skeleton.fs, nnf, Lab::TRUE, &mut letters, limits)?;
    reduce(&mut a, &mut letters);
    Ok(finish(fs, &skeleton.atoms, &a, &mut letters))
}

/// All reductions until nothing changes.
pub(crate) fn reduce(a: &mut Tgba, letters: &mut Letters) {
    a.trim();
    loop {
        let before = (a.len(), a.num_arcs(), a.marks);
        clean_acceptance(a);
        reduce_forward(a, letters);
        a.trim();
        clean_acceptance(a);
        reduce_backward(a, false, letters);
        a.trim();
        if (a.len(), a.num_arcs(), a.marks) == before {
            return;
        }
    }
}

/// The finished automaton as a plain value.
pub(crate) fn finish(
    fs: &Formulas,
    atoms: &[AtomId],
    a: &Tgba,
    letters: &mut Letters,
) -> Automaton {
    let mut ids: FxHashMap<Lab, LabelId> = FxHashMap::default();
    let mut labels = Vec::new();
    let mut edges = Vec::new();
    for (q, arcs) in a.out.iter().enumerate() {
        for e in arcs {
            let label = *ids.entry(e.label).or_insert_with(|| {
                labels.push(letters.cubes(e.label));
                LabelId(labels.len() as u32 - 1)
            });
            edges.push(Edge { src: StateId(q as u32), dst: StateId(e.dst), label, marks: e.marks });
        }
    }
    let atoms = atoms.iter().map(|&a| fs.atom(a).clone()).collect();
    Automaton::new(atoms, labels, a.len() as u32, StateId(a.initial), a.marks, edges)
}
