//! Translations that were made are kept.
//!
//! One question is translated again and again: for a first hunt, for simplification, for the
//! engines, and once more after the net was reduced. Most of the time nothing has changed but
//! the numbers of the places. What a translation makes depends on very little: the formula
//! with its atoms numbered, the letters that can occur, and the limits. That is the [`TranslationKey`];
//! what the atoms mean is put back into the automaton that is handed out.
//!
//! *Invariant.* What is handed out is what the translation would make: equal keys have equal
//! stores of formulas, number by number, so every step of it would go the same way. Whether it
//! was kept or made makes no difference but for the time. (Translations that were stopped are
//! not kept; those that are too large are, as errors.)
//!
//! Pass a [`Translations`] on as [`Options::kept`](crate::Options::kept). Cost: the key is as
//! large as the formula. When [`MOST`] states and edges are kept, all are forgotten.

use crate::atom::Atom;
use crate::automaton::{Automaton, Label};
use crate::error::Error;
use crate::formula::{Formula, Formulas, Node};
use crate::options::Options;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// States and edges that are kept at most.
const MOST: usize = 1 << 18;

/// Everything that a translation depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TranslationKey {
    /// The store of the formula; its atoms are numbers.
    nodes: Vec<Node>,
    lists: Vec<Box<[Formula]>>,
    formula: Formula,
    /// The letters that can occur.
    possible: Label,
    /// Most states and alternatives.
    limits: [usize; 2],
}

impl TranslationKey {
    /// Of a formula in a store whose atoms are the numbers from 0.
    pub(crate) fn new(
        fs: &Formulas,
        formula: Formula,
        possible: Label,
        options: &Options<'_>,
    ) -> Self {
        let (nodes, lists) = fs.contents();
        let limits = [options.max_states, options.max_terms];
        let (nodes, lists) = (nodes.iter().copied().collect(), lists.iter().cloned().collect());
        TranslationKey { nodes, lists, formula, possible, limits }
    }
}

/// What was found out about one key.
#[derive(Clone, Default, Debug)]
struct KeptResults {
    automaton: Option<Result<Automaton, Error>>,
    stutter_invariant: Option<Result<bool, Error>>,
}

/// How often something was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TranslationCounts {
    /// Automata that were made.
    pub made: u64,
    /// Automata that were there already.
    pub reused: u64,
}

/// The translations made so far; see the module for what is kept.
///
/// ```
/// use brine_ltl::{Formulas, Options, Symbols, Translations, parse, translate};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let kept = Translations::default();
/// let options = Options { kept: Some(&kept), ..Options::default() };
/// for text in ["G F a", "G F b"] {
///     let f = parse(text, &mut fs, &mut symbols).unwrap();
///     let automaton = translate(&fs, f, &options).unwrap();
///     assert_eq!(automaton, translate(&fs, f, &Options::default()).unwrap());
/// }
/// assert_eq!((kept.counts().made, kept.counts().reused), (1, 1));
/// ```
#[derive(Default, Debug)]
pub struct Translations {
    table: Mutex<KeptTable>,
}

#[derive(Default, Debug)]
struct KeptTable {
    known: FxHashMap<TranslationKey, KeptResults>,
    /// States and edges of all automata in `known`.
    size: usize,
    counts: TranslationCounts,
}

impl Translations {
    /// How often automata were made, and how often they were there already.
    pub fn counts(&self) -> TranslationCounts {
        self.table().counts
    }

    /// Nothing that can panic is done while the table is locked, so a poisoned one is whole.
    fn table(&self) -> MutexGuard<'_, KeptTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The automaton, about these atoms, if it was made before.
    pub(crate) fn automaton(
        &self,
        key: &TranslationKey,
        atoms: &[Atom],
    ) -> Option<Result<Automaton, Error>> {
        let mut table = self.table();
        let known = table.known.get(key)?.automaton.clone()?;
        table.counts.reused += 1;
        Some(known.map(|a| a.with_atoms(atoms.to_vec())))
    }

    /// Keeps what came of a translation.
    pub(crate) fn keep_automaton(&self, key: &TranslationKey, made: &Result<Automaton, Error>) {
        let mut table = self.table();
        table.counts.made += 1;
        if matches!(made, Err(Error::Cancelled)) {
            return;
        }
        let size = made.as_ref().map_or(1, |a| a.num_states() + a.edges().len());
        if table.size + size > MOST {
            table.known.clear();
            table.size = 0;
        }
        table.size += size;
        table.known.entry(key.clone()).or_default().automaton = Some(made.clone());
    }

    /// Whether the language is stutter-invariant, if that was asked before.
    pub(crate) fn stutter_invariant(&self, key: &TranslationKey) -> Option<Result<bool, Error>> {
        self.table().known.get(key)?.stutter_invariant.clone()
    }

    /// Keeps the answer, if its automaton is kept.
    pub(crate) fn keep_stutter_invariant(
        &self,
        key: &TranslationKey,
        answer: &Result<bool, Error>,
    ) {
        if !matches!(answer, Err(Error::Cancelled))
            && let Some(known) = self.table().known.get_mut(key)
        {
            known.stutter_invariant = Some(answer.clone());
        }
    }
}
