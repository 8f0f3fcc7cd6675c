//! What can be told of the language of an automaton that was given, not made from a formula.
//!
//! Of a formula everything can be told, since its negation can be translated. Here there is
//! none, and complementing Büchi automata is expensive. But the language of an automaton whose
//! subset construction is a weak automaton for it is known with its complement
//! ([`crate::wdba`]), and then stutter-invariance and the kind of language are exact. In all
//! other cases the answer is "not known", which is never wrong.
//!
//! Cost: the subset construction, exponential in the worst case and given up at
//! [`Options::max_states`].

use crate::automaton::{Automaton, Edge};
use crate::error::Error;
use crate::letters::{Lab, Letters};
use crate::options::Options;
use crate::powerset::powerset;
use crate::stutter::stutter_invariant;
use crate::tgba::{Arc, Tgba};
use crate::translate::{Language, reduce};
use crate::wdba::{Wdba, obligation};

/// What is known about the language of an automaton; `None` is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownLanguage {
    /// Whether repeating letters, or dropping repetitions, never leads in or out of it.
    pub stutter_invariant: Option<bool>,
    /// Safety, guarantee, obligation.
    pub language: Option<Language>,
}

impl Automaton {
    /// What can be told about the language.
    ///
    /// ```
    /// use brine_ltl::{Options, Symbols, read_hoa};
    /// let text = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n\
    ///             --BODY-- State: 0 [0] 1 State: 1 {0} [t] 1 --END--";
    /// let automaton = read_hoa(text, &mut Symbols::open()).unwrap();
    /// let known = automaton.known_language(&Options::default()).unwrap();
    /// assert_eq!(known.stutter_invariant, Some(true));
    /// assert!(known.language.unwrap().safety);
    /// ```
    pub fn known_language(&self, options: &Options<'_>) -> Result<KnownLanguage, Error> {
        let mut letters = Letters::new();
        let mut reduced = self.to_tgba(&mut letters);
        reduce(&mut reduced, &mut letters, options)?;
        let (stutter_invariant, language) = match judge(&reduced, &mut letters, options)? {
            Judged::Weak(w) => {
                let (yes, no) = (w.to_tgba(), w.complement().to_tgba());
                let invariant = stutter_invariant(&yes, &no, &mut letters, options)?;
                let (safety, guarantee) = (w.is_safety(), w.is_guarantee());
                (Some(invariant), Some(Language { safety, guarantee, obligation: true }))
            }
            Judged::NoObligation => {
                (None, Some(Language { safety: false, guarantee: false, obligation: false }))
            }
            Judged::Unknown => (None, None),
        };
        sound(&letters)?;
        Ok(KnownLanguage { stutter_invariant, language })
    }

    fn to_tgba(&self, letters: &mut Letters) -> Tgba {
        let labels: Vec<Lab> = self.labels().iter().map(|l| letters.union_of(l)).collect();
        let arc = |e: &Edge| Arc { dst: e.dst.0, label: labels[e.label.index()], marks: e.marks };
        let out = self.states().map(|q| self.edges_of(q).iter().map(arc).collect()).collect();
        Tgba { out, initial: self.initial().0, marks: self.num_marks() }
    }
}

/// What the subset construction tells.
enum Judged {
    /// The minimal weak deterministic automaton of the language.
    Weak(Wdba),
    /// There is none.
    NoObligation,
    /// There may be one.
    Unknown,
}

fn judge(a: &Tgba, letters: &mut Letters, options: &Options<'_>) -> Result<Judged, Error> {
    let Some(p) = powerset(a, Lab::TRUE, options.max_states, letters, options)? else {
        return Ok(Judged::Unknown);
    };
    Ok(match obligation(a, &p, letters) {
        None => Judged::NoObligation,
        Some(candidate) if candidate.is_sure() => Judged::Weak(candidate.minimise(&p, letters)),
        Some(_) => Judged::Unknown,
    })
}

/// An error when the label store ran out of memory.
fn sound(letters: &Letters) -> Result<(), Error> {
    if letters.exhausted() {
        return Err(Error::Unsupported("labels that need too many nodes or cubes".into()));
    }
    Ok(())
}
