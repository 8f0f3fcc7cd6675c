//! From formula to automaton: the whole way.
//!
//! ```text
//! formula -> negation normal form -> simplify (two styles) -> tableau -> trim, clean up marks,
//! simulate both ways until nothing changes -> [obligation: minimal weak automaton, if it
//! is not larger] -> [degeneralise, simulate again] -> plain Automaton
//! ```
//!
//! Questions about the language (stutter-invariance, safety, ...) need the automaton of
//! the negation or the minimal weak automaton as well; a [`Translator`] makes each of
//! these at most once.

use crate::acceptance::{clean_acceptance, fill_transient, set_transient_states};
use crate::atom::Atom;
use crate::automaton::{Automaton, Edge, LabelId, MAX_ATOMS, StateId};
use crate::degeneralise::degeneralise;
use crate::error::Error;
use crate::formula::{AtomId, Formula, Formulas};
use crate::knowledge::{fireable_as_comparison, possible_letters, without};
use crate::letters::{Lab, Letters};
use crate::nnf::negation_normal_form;
use crate::options::Options;
use crate::powerset::powerset;
use crate::simplify::{RewriteStyle, simplify};
use crate::simulation::{reduce_backward, reduce_forward};
use crate::stutter::stutter_invariant;
use crate::syntactic::Shapes;
use crate::tableau::tableau;
use crate::tgba::Tgba;
use crate::translations::TranslationKey;
use crate::wdba::{Wdba, obligation};
use brine_net::Interner;
use rustc_hash::FxHashMap;

/// The automaton of `f`: transition-based generalised Büchi, trimmed.
///
/// ```
/// use brine_ltl::{Formulas, Options, Symbols, parse, translate};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let f = parse("a U b", &mut fs, &mut symbols).unwrap();
/// let automaton = translate(&fs, f, &Options::default()).unwrap();
/// assert_eq!(automaton.num_states(), 2);
/// ```
pub fn translate(fs: &Formulas, f: Formula, options: &Options<'_>) -> Result<Automaton, Error> {
    Translator::new(fs, f, options)?.tgba()
}

/// Is the language of `f` insensitive to the repetition of letters? Exact.
///
/// ```
/// use brine_ltl::{Formulas, Options, Symbols, is_stutter_invariant, parse};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let f = parse("F(a & X a)", &mut fs, &mut symbols).unwrap();
/// assert!(!is_stutter_invariant(&fs, f, &Options::default()).unwrap());
/// let g = parse("F(a & X !a)", &mut fs, &mut symbols).unwrap();
/// assert!(is_stutter_invariant(&fs, g, &Options::default()).unwrap());
/// ```
pub fn is_stutter_invariant(
    fs: &Formulas,
    f: Formula,
    options: &Options<'_>,
) -> Result<bool, Error> {
    Translator::new(fs, f, options)?.is_stutter_invariant()
}

/// Where the language of a formula stands in the hierarchy of temporal properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Every violation shows in a finite prefix.
    pub safety: bool,
    /// Every fulfilment shows in a finite prefix.
    pub guarantee: bool,
    /// A boolean combination of the two.
    pub obligation: bool,
}

/// Everything about one formula, each part computed when first asked for.
///
/// ```
/// use brine_ltl::{Formulas, Options, Symbols, Translator, parse};
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let f = parse("G(a -> F b)", &mut fs, &mut symbols).unwrap();
/// let options = Options::default();
/// let mut translator = Translator::new(&fs, f, &options).unwrap();
/// assert_eq!(translator.tgba().unwrap().num_states(), 2);
/// assert!(translator.ba().unwrap().is_state_based());
/// assert!(!translator.language().unwrap().obligation);
/// ```
pub struct Translator<'a> {
    options: Options<'a>,
    fs: Formulas,
    formula: Formula,
    atoms: Vec<Atom>,
    letters: Letters,
    possible: Lab,
    /// The reduced automata of the formula, the smallest first.
    candidates: Vec<Tgba>,
    /// A reduced automaton of the negation.
    negation: Option<Tgba>,
    minimal: Minimal,
    /// What translations are kept by, if they are.
    key: Option<TranslationKey>,
}

/// What is known about the minimal weak deterministic automaton.
enum Minimal {
    Unknown,
    /// The subset construction has more states than this.
    Larger(usize),
    /// There is none (the formula is no obligation), or this one.
    Known(Option<Wdba>),
}

impl<'a> Translator<'a> {
    /// Prepares the translation of `f`.
    pub fn new(source: &Formulas, f: Formula, options: &Options<'a>) -> Result<Self, Error> {
        let (fs, formula, atoms) = skeleton(source, f, options)?;
        let mut letters = Letters::new();
        let known: Vec<&Atom> = atoms.iter().collect();
        let possible = possible_letters(&known, options.net, &mut letters);
        let possible = without(possible, options.excluded, &atoms, &mut letters);
        let key = options.kept.map(|_| {
            let cubes = letters.cubes_between(possible, possible);
            TranslationKey::new(&fs, formula, cubes, options)
        });
        let options = *options;
        Ok(Translator {
            options,
            fs,
            formula,
            atoms,
            letters,
            possible,
            candidates: Vec::new(),
            negation: None,
            minimal: Minimal::Unknown,
            key,
        })
    }

    /// The formula after rewriting, in a store of its own: the same on all words in which
    /// only possible letters occur.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Options, Symbols, Translator, parse};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("G F G (a & a)", &mut fs, &mut symbols).unwrap();
    /// let mut translator = Translator::new(&fs, f, &Options::default()).unwrap();
    /// let (fs, f) = translator.rewritten().unwrap();
    /// assert_eq!(fs.print(f, &symbols), "F G a");
    /// ```
    pub fn rewritten(&mut self) -> Result<(Formulas, Formula), Error> {
        let f = self.simplified(false, RewriteStyle::Keep);
        self.sound()?;
        let mut named = Formulas::new();
        let new = self.fs.substitute(f, &mut named, |named, a| {
            let Atom::Prop(number) = self.fs.atom(a) else { unreachable!("numbered atoms") };
            let number: usize = number.parse().expect("numbered atoms");
            let atom = named.intern_atom(self.atoms[number].clone());
            named.atom_formula(atom)
        });
        Ok((named, new))
    }

    /// The smallest transition-based generalised automaton found.
    pub fn tgba(&mut self) -> Result<Automaton, Error> {
        let kept = self.options.kept.zip(self.key.as_ref());
        if let Some(known) = kept.and_then(|(kept, key)| kept.automaton(key, &self.atoms)) {
            return known;
        }
        let made = self.smallest().and_then(|a| self.finish(&a));
        if let Some((kept, key)) = self.options.kept.zip(self.key.as_ref()) {
            kept.keep_automaton(key, &made);
        }
        made
    }

    /// A Büchi automaton with state-based acceptance: one mark, on all arcs out of a state
    /// or on none.
    pub fn ba(&mut self) -> Result<Automaton, Error> {
        let a = self.reduced()?;
        let minimal = self.cheap_minimal(&a)?;
        let mut best = self.state_based(a)?;
        for other in self.candidates.iter().skip(1).cloned().collect::<Vec<_>>() {
            let b = self.state_based(other)?;
            if (b.len(), b.num_arcs()) < (best.len(), best.num_arcs()) {
                best = b;
            }
        }
        if let Some(w) = minimal {
            let d = degeneralise(&w.to_tgba());
            if d.len() <= best.len() {
                best = d;
            }
        }
        self.finish(&best)
    }

    /// Safety, guarantee, obligation: exact.
    pub fn language(&mut self) -> Result<Language, Error> {
        let minimal = self.minimal()?;
        self.sound()?;
        Ok(Language {
            safety: minimal.as_ref().is_some_and(Wdba::is_safety),
            guarantee: minimal.as_ref().is_some_and(Wdba::is_guarantee),
            obligation: minimal.is_some(),
        })
    }

    /// Stutter-invariance: by syntax if that suffices, else exactly.
    pub fn is_stutter_invariant(&mut self) -> Result<bool, Error> {
        let kept = self.options.kept.zip(self.key.as_ref());
        if let Some(known) = kept.and_then(|(kept, key)| kept.stutter_invariant(key)) {
            return known;
        }
        let answer = self.judge_stuttering();
        if let Some((kept, key)) = self.options.kept.zip(self.key.as_ref()) {
            kept.keep_stutter_invariant(key, &answer);
        }
        answer
    }

    fn judge_stuttering(&mut self) -> Result<bool, Error> {
        // On words of possible letters the rewritten formula says the same as the original,
        // and stretching a word does not change its letters.
        let f = self.simplified(false, RewriteStyle::Split);
        if Shapes::default().of(&self.fs, f).stutter_invariant {
            self.sound()?;
            return Ok(true);
        }
        let (yes, no) = match self.minimal()? {
            Some(w) => (w.to_tgba(), w.complement().to_tgba()),
            None => (self.reduced()?, self.negated()?),
        };
        let result = stutter_invariant(&yes, &no, &mut self.letters, &self.options)?;
        self.sound()?;
        Ok(result)
    }

    /// An error when the label store ran out of memory.
    fn sound(&self) -> Result<(), Error> {
        if self.letters.exhausted() {
            return Err(Error::Unsupported(
                "labels that need more than a million BDD nodes".into(),
            ));
        }
        Ok(())
    }

    fn simplified(&mut self, negate: bool, style: RewriteStyle) -> Formula {
        let nnf = negation_normal_form(&mut self.fs, self.formula, negate);
        simplify(&mut self.fs, &mut self.letters, self.possible, style, nnf)
    }

    fn build(&mut self, f: Formula) -> Result<Tgba, Error> {
        let mut a = tableau(&self.fs, f, self.possible, &mut self.letters, &self.options)?;
        reduce(&mut a, &mut self.letters, &self.options)?;
        self.sound()?;
        Ok(a)
    }

    /// The smallest reduced automaton of the formula.
    fn reduced(&mut self) -> Result<Tgba, Error> {
        if self.candidates.is_empty() {
            let f = self.simplified(false, RewriteStyle::Split);
            let first = self.build(f)?;
            let g = self.simplified(false, RewriteStyle::Keep);
            if g != f && first.len() > 1 {
                let second = self.build(g)?;
                self.candidates.push(second);
            }
            self.candidates.insert(0, first);
            self.candidates.sort_by_key(|a| (a.len(), a.num_arcs()));
        }
        Ok(self.candidates[0].clone())
    }

    /// A reduced automaton of the negation.
    fn negated(&mut self) -> Result<Tgba, Error> {
        if let Some(a) = &self.negation {
            return Ok(a.clone());
        }
        let f = self.simplified(true, RewriteStyle::Split);
        let a = self.build(f)?;
        self.negation = Some(a.clone());
        Ok(a)
    }

    /// The minimal weak deterministic automaton, if the formula is an obligation and the
    /// subset construction stays below the given size.
    fn minimal_within(&mut self, max_states: usize) -> Result<Option<Wdba>, Error> {
        match &self.minimal {
            Minimal::Known(known) => return Ok(known.clone()),
            Minimal::Larger(tried) if *tried >= max_states => return Ok(None),
            _ => {}
        }
        let a = self.reduced()?;
        let Some(p) = powerset(&a, self.possible, max_states, &mut self.letters, &self.options)?
        else {
            self.minimal = Minimal::Larger(max_states);
            return Ok(None);
        };
        let verdict = obligation(&a, &p, &mut self.letters);
        let found = match verdict {
            Some(candidate) if candidate.is_sure() => {
                Some(candidate.minimise(&p, &mut self.letters))
            }
            Some(candidate) => {
                let negation = self.negated()?;
                candidate
                    .excludes(&negation, &p, &mut self.letters)
                    .then(|| candidate.minimise(&p, &mut self.letters))
            }
            None => None,
        };
        self.sound()?;
        self.minimal = Minimal::Known(found.clone());
        Ok(found)
    }

    /// The minimal weak deterministic automaton, if the formula is an obligation.
    fn minimal(&mut self) -> Result<Option<Wdba>, Error> {
        let found = self.minimal_within(self.options.max_states)?;
        if let Minimal::Larger(most) = self.minimal {
            let message = format!("a deterministic automaton with more than {most} states");
            return Err(Error::Unsupported(message));
        }
        Ok(found)
    }

    /// The minimal weak automaton, if it can be had without much more work than the
    /// automaton itself.
    fn cheap_minimal(&mut self, a: &Tgba) -> Result<Option<Wdba>, Error> {
        self.minimal_within((64 + 8 * a.len()).min(self.options.max_states))
    }

    /// The smaller of the reduced and the minimal weak automaton.
    fn smallest(&mut self) -> Result<Tgba, Error> {
        let a = self.reduced()?;
        if let Some(w) = self.cheap_minimal(&a)? {
            let mut d = w.to_tgba();
            if d.len() <= a.len() {
                clean_acceptance(&mut d);
                return Ok(d);
            }
        }
        Ok(a)
    }

    fn state_based(&mut self, a: Tgba) -> Result<Tgba, Error> {
        let mut b = degeneralise(&a);
        reduce_state_based(&mut b, &mut self.letters, &self.options)?;
        Ok(b)
    }

    /// The automaton as a plain value. Letters that cannot occur may be in any label.
    fn finish(&mut self, a: &Tgba) -> Result<Automaton, Error> {
        let free = self.letters.not(self.possible);
        let mut sets: Interner<Lab> = Interner::new();
        let mut labels = Vec::new();
        let mut edges = Vec::new();
        for (q, arcs) in a.out.iter().enumerate() {
            for e in arcs {
                let label = LabelId(sets.intern(e.label));
                if label.index() == labels.len() {
                    let upper = self.letters.or(e.label, free);
                    labels.push(self.letters.cubes_between(e.label, upper));
                }
                let (src, dst) = (StateId(q as u32), StateId(e.dst));
                edges.push(Edge { src, dst, label, marks: e.marks });
            }
        }
        self.sound()?;
        let (states, initial) = (a.len() as u32, StateId(a.initial));
        Ok(Automaton::new(self.atoms.clone(), labels, states, initial, a.marks, edges))
    }
}

/// Automata with more states are not reduced by simulation, whose cost is quadratic.
const SIMULATED: usize = 1_000;

/// Reduces by simulation until nothing changes. Marks on arcs between components are free:
/// they are tried as absent and, when nothing else helps, as present.
pub(crate) fn reduce(
    a: &mut Tgba,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<(), Error> {
    a.trim();
    clean_acceptance(a);
    while a.len() <= SIMULATED {
        options.check(a.len())?;
        let before = (a.len(), a.num_arcs(), a.marks);
        reduce_forward(a, letters, options)?;
        a.trim();
        clean_acceptance(a);
        reduce_backward(a, false, letters, options)?;
        a.trim();
        clean_acceptance(a);
        if (a.len(), a.num_arcs(), a.marks) != before {
            continue;
        }
        fill_transient(a);
        reduce_forward(a, letters, options)?;
        reduce_backward(a, false, letters, options)?;
        a.trim();
        clean_acceptance(a);
        if (a.len(), a.num_arcs(), a.marks) == before {
            break;
        }
    }
    Ok(())
}

/// The same for automata with state-based acceptance, which stays state-based.
fn reduce_state_based(
    a: &mut Tgba,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<(), Error> {
    while a.len() <= SIMULATED {
        options.check(a.len())?;
        let before = (a.len(), a.num_arcs());
        for accepting in [false, true] {
            set_transient_states(a, accepting);
            reduce_forward(a, letters, options)?;
            a.trim();
            reduce_backward(a, true, letters, options)?;
            a.trim();
        }
        if (a.len(), a.num_arcs()) == before {
            break;
        }
    }
    set_transient_states(a, false);
    Ok(())
}

/// Copies `f` into a store of its own whose atoms are just numbered, as propositions "0",
/// "1", ...; returns what the numbers mean.
fn skeleton(
    source: &Formulas,
    f: Formula,
    options: &Options<'_>,
) -> Result<(Formulas, Formula, Vec<Atom>), Error> {
    let (found, most) = (source.subformulas(f).len(), options.max_subformulas);
    if found > most {
        let message = format!("a formula with {found} different subformulas (at most {most})");
        return Err(Error::Unsupported(message));
    }
    let mut fs = Formulas::new();
    let mut atoms: Vec<Atom> = Vec::new();
    let mut numbered: FxHashMap<AtomId, Formula> = FxHashMap::default();
    for id in source.atoms_of(f) {
        let atom = source.atom(id);
        let comparison = options.net.and_then(|net| fireable_as_comparison(atom, net));
        let negated = comparison.is_some();
        let atom = comparison.map_or_else(|| atom.clone(), Atom::Linear);
        let number = atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
            atoms.push(atom);
            atoms.len() - 1
        });
        let literal = fs.prop(&number.to_string());
        numbered.insert(id, if negated { fs.not(literal) } else { literal });
        if atoms.len() > MAX_ATOMS {
            let message = format!("more than {MAX_ATOMS} different atoms in one formula");
            return Err(Error::Unsupported(message));
        }
    }
    let formula = source.substitute(f, &mut fs, |_, a| numbered[&a]);
    Ok((fs, formula, atoms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small;

    /// The minimal weak automata of small obligations, alone and begun a step later beside
    /// another one: no two states accept the same words.
    #[test]
    fn minimal_automata_are_minimal() {
        let small::Small { mut fs, two, .. } = small::formulas();
        let later = |(f, g): (&Formula, &Formula)| {
            let next = fs.x(*f);
            [fs.or([next, *g]), fs.and([next, *g])]
        };
        let pairs: Vec<_> = two.iter().step_by(5).zip(two.iter().rev()).flat_map(later).collect();
        let options = Options::default();
        let mut sizes = [0; 8];
        for f in two.into_iter().step_by(3).chain(pairs) {
            let mut translator = Translator::new(&fs, f, &options).expect("small");
            let Some(minimal) = translator.minimal().expect("small") else { continue };
            let text = fs.print(f, &crate::Symbols::open());
            assert!(minimal.is_minimal(&mut translator.letters), "{text}: {minimal:?}");
            sizes[minimal.len().min(7)] += 1;
        }
        assert!(sizes[1..].iter().all(|&n| n > 0), "automata of every size: {sizes:?}");
    }
}
