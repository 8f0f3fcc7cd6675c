//! Büchi automata of formulas.

use crate::Error;
use brine_ltl::{Formulas, Language, Options, Symbols, Translator, parse, read_hoa};
use std::borrow::Cow;

/// Where an automaton says what it accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Acceptance {
    /// On edges, by several sets of them (TGBA).
    #[default]
    Generalised,
    /// By one set of states (BA).
    States,
}

/// An automaton that accepts the words of a formula.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Automaton {
    /// How many states it has, numbered from 0.
    pub states: usize,
    /// Where it begins.
    pub initial: usize,
    /// Its edges.
    pub edges: Vec<AutomatonEdge>,
    /// How many acceptance sets there are; a run must meet each of them for ever.
    pub acceptance_sets: usize,
    /// What it reads.
    pub atoms: Vec<String>,
    /// `terminal`, `weak` or `general`.
    pub class: &'static str,
    /// Whether repeating letters leads neither in nor out of the language; `None` is not known.
    pub stutter_invariant: Option<bool>,
    /// Whether it is a safety property; `None` is not known.
    pub safety: Option<bool>,
    /// Whether it is a guarantee property; `None` is not known.
    pub guarantee: Option<bool>,
    /// Whether it is an obligation; `None` is not known.
    pub obligation: Option<bool>,
    /// The automaton in HOA format.
    pub hoa: String,
    /// The automaton as a graph in DOT.
    pub dot: String,
}

/// An edge of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AutomatonEdge {
    /// Where it starts.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What is true where it is taken.
    pub label: String,
    /// The acceptance sets that it is in.
    pub sets: Vec<usize>,
}

/// The automaton of a formula of LTL, as it is given: not negated. Every name is welcome.
pub fn automaton(formula: &str, acceptance: Acceptance) -> Result<Automaton, Error> {
    let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
    let parsed = parse(formula, &mut formulas, &mut symbols)?;
    let options = Options::default();
    let mut translator = Translator::new(&formulas, parsed, &options)?;
    let automaton = match acceptance {
        Acceptance::Generalised => translator.tgba()?,
        Acceptance::States => translator.ba()?,
    };
    let language = translator.language()?;
    let stutter_invariant = translator.is_stutter_invariant()?;
    let facts = (Some(stutter_invariant), Some(language));
    Ok(Automaton::new(formula.trim(), &automaton, &symbols, facts))
}

/// Reads an automaton in HOA format: (generalised) Büchi acceptance, explicit labels.
///
/// ```
/// use brine::{Acceptance, automaton, read_automaton};
/// let automaton = automaton("a U b", Acceptance::Generalised)?;
/// let again = read_automaton(&automaton.hoa, Acceptance::States)?;
/// assert_eq!(again.states, automaton.states);
/// # Ok::<(), brine::Error>(())
/// ```
pub fn read_automaton(hoa: &str, acceptance: Acceptance) -> Result<Automaton, Error> {
    let mut symbols = Symbols::open();
    let read = read_hoa(hoa, &mut symbols)?;
    let automaton = match acceptance {
        Acceptance::Generalised => Cow::Borrowed(&read),
        Acceptance::States => read.degeneralised(),
    };
    let known = automaton.known_language(&Options::default())?;
    let facts = (known.stutter_invariant, known.language);
    Ok(Automaton::new("automaton", &automaton, &symbols, facts))
}

impl Automaton {
    fn new(
        name: &str,
        automaton: &brine_ltl::Automaton,
        symbols: &Symbols,
        (stutter_invariant, language): (Option<bool>, Option<Language>),
    ) -> Self {
        let atoms: Vec<String> = automaton.atoms().iter().map(|a| a.print(symbols)).collect();
        let edge = |e: &brine_ltl::Edge| AutomatonEdge {
            from: e.src.index(),
            to: e.dst.index(),
            label: automaton.label_text(e.label, &atoms),
            sets: (0..automaton.num_marks() as usize).filter(|m| e.marks >> m & 1 == 1).collect(),
        };
        Automaton {
            states: automaton.num_states(),
            initial: automaton.initial().index(),
            edges: automaton.edges().iter().map(edge).collect(),
            acceptance_sets: automaton.num_marks() as usize,
            class: automaton.class().name(),
            stutter_invariant,
            safety: language.map(|l| l.safety),
            guarantee: language.map(|l| l.guarantee),
            obligation: language.map(|l| l.obligation),
            hoa: automaton.to_hoa(name, symbols),
            dot: automaton.to_dot(name, symbols),
            atoms,
        }
    }
}
