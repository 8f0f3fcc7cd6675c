//! Acceptance of constant words: what a deadlock needs.
//!
//! A run that ends in a dead marking reads the letter of that marking for ever. Whether
//! a state accepts this constant word depends on the letter only through the set of
//! labels that contain it (its *class*): an accepting cycle must be reachable through
//! arcs that the letter may take. The table is filled class by class on demand. Cost:
//! linear in the automaton per class.

use crate::automaton::{Automaton, LabelId};
use crate::components::Components;
use rustc_hash::FxHashMap;

impl Automaton {
    /// For each state: does it accept the word that repeats one letter for ever, where
    /// `takes` says which labels contain the letter?
    pub fn accepts_constant(&self, takes: impl Fn(LabelId) -> bool) -> Vec<bool> {
        let succ: Vec<Vec<(u32, u64)>> = self
            .states()
            .map(|q| {
                let edges = self.edges_of(q).iter().filter(|e| takes(e.label));
                edges.map(|e| (e.dst.0, e.marks)).collect()
            })
            .collect();
        let (c, marks) = Components::with_marks(&succ);
        let accepting = marks.iter().map(|&m| m == Some(self.all_marks())).collect();
        let accepts = c.leading_to(accepting, |q, i| succ[q].get(i).map(|s| s.0));
        (0..succ.len()).map(|q| accepts[c.of(q).index()]).collect()
    }
}

/// The table of constant words, by letter class.
///
/// ```
/// use brine_ltl::{ConstantWords, Formulas, Options, Symbols, parse, translate};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let f = parse("G a", &mut fs, &mut symbols).unwrap();
/// let automaton = translate(&fs, f, &Options::default()).unwrap();
/// let mut words = ConstantWords::new(&automaton);
/// assert!(words.accepted(1)[automaton.initial().index()]);
/// assert!(!words.accepted(0)[automaton.initial().index()]);
/// ```
#[derive(Debug)]
pub struct ConstantWords<'a> {
    automaton: &'a Automaton,
    /// By the labels that contain the letter, as bits.
    table: FxHashMap<Vec<u64>, Vec<bool>>,
}

impl<'a> ConstantWords<'a> {
    /// An empty table.
    pub fn new(automaton: &'a Automaton) -> Self {
        ConstantWords { automaton, table: FxHashMap::default() }
    }

    /// For each state: does it accept the word that repeats `letter` for ever?
    pub fn accepted(&mut self, letter: u64) -> &[bool] {
        let labels = self.automaton.labels();
        let mut class = vec![0u64; labels.len().div_ceil(64)];
        for (i, _) in labels.iter().enumerate().filter(|(_, l)| l.accepts(letter)) {
            class[i / 64] |= 1 << (i % 64);
        }
        let automaton = self.automaton;
        self.table.entry(class).or_insert_with_key(|class| {
            let takes = |l: LabelId| class[l.index() / 64] >> (l.index() % 64) & 1 == 1;
            automaton.accepts_constant(takes)
        })
    }

    /// The number of different classes met so far.
    pub fn classes(&self) -> usize {
        self.table.len()
    }
}
