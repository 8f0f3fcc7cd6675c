//! What a translation may use and what it may assume.

use crate::atom::Atom;
use crate::error::Error;
use crate::translations::Translations;
use brine_net::Net;

/// Atoms with the values they must have, all at once.
pub type Conjunction = Vec<(Atom, bool)>;

/// Limits, a way to stop, and knowledge about the atoms.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Most different subformulas.
    pub max_subformulas: usize,
    /// Most states at any moment.
    pub max_states: usize,
    /// Most alternatives in the expansion of one state.
    pub max_terms: usize,
    /// Asked now and then; `true` stops the translation.
    pub cancel: &'a dyn Fn() -> bool,
    /// The net that the atoms are about, if there is one: which of them can hold together
    /// depends on it.
    pub net: Option<&'a Net>,
    /// Conjunctions that are known to hold at no position of any word of interest. The
    /// automaton may accept or reject words in which one of them holds.
    pub excluded: &'a [Conjunction],
    /// Where translations are kept, if they are.
    pub kept: Option<&'a Translations>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            max_subformulas: 2_000,
            max_states: 20_000,
            max_terms: 20_000,
            cancel: &|| false,
            net: None,
            excluded: &[],
            kept: None,
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("max_subformulas", &self.max_subformulas)
            .field("max_states", &self.max_states)
            .field("max_terms", &self.max_terms)
            .finish_non_exhaustive()
    }
}

impl Options<'_> {
    /// Asks whether to go on, in every 64th round of a loop whose rounds are short.
    pub(crate) fn check_now_and_then(&self, round: usize) -> Result<(), Error> {
        if round % 64 == 63 { self.check(0) } else { Ok(()) }
    }

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
