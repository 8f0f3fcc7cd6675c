//! Replays a run: the last word on "violated".
//!
//! Nothing here is shared with the engines but the types of nets, runs and formulas: the
//! firing rule, the truth of atoms and the walk along a run are written down once more, on
//! plain vectors. The formula is then evaluated straight from the definition of LTL
//! ([`holds_on_lasso`]), which no engine uses. A run that fails here is a bug of the engine
//! that found it.
//!
//! *Invariant.* [`replay()`] accepts a run only if
//!
//! 1. each of its transitions is enabled when its turn comes,
//! 2. it can go on for ever: its cycle ends where it began, or above that (`growing`), or the
//!    cycle is empty and nothing is enabled,
//! 3. and the formula is false on its word.
//!
//! So an accepted run is a counterexample, whoever found it and however. The beginning of a run is
//! one as well if the formula is false whatever follows ([`replay_beginning`]). Cost: the arcs of the
//! transitions that are fired, and for each step all atoms; the formula times the length.

mod accepting;
mod coloured;
mod growing;
mod net;

use brine_ltl::{Atom, AtomId, Automaton, Formula, Formulas, Linear};
use brine_ltl::{holds_on_lasso, violated_after};
use brine_net::{Net, Run, TransitionId};

pub use coloured::{
    coloured_beginning_word, coloured_word, replay_coloured, replay_coloured_beginning,
};

/// What is wrong with a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// A transition is not enabled when its turn comes.
    #[error("step {step}: transition \"{transition}\" is not enabled")]
    NotEnabled {
        /// The position in prefix and cycle, from 1.
        step: usize,
        /// The transition's id.
        transition: String,
    },
    /// The cycle does not lead back to where it began.
    #[error("the cycle ends in another marking than it began in")]
    NotClosed,
    /// The cycle leads to a larger marking, and an atom will change some day.
    #[error("the cycle adds tokens that change the truth of an atom")]
    NotSettled,
    /// The cycle is empty but the marking is not dead.
    #[error("the run ends in a marking that is not dead")]
    NotDead,
    /// More tokens than a 32-bit counter holds.
    #[error("step {0}: too many tokens")]
    TooManyTokens(usize),
    /// Whether a coloured step, atom or dead end is right takes too much work to know.
    #[error("step {0}: too many colours to tell whether the run is right")]
    CannotTell(usize),
    /// An atom has no meaning in a net.
    #[error("the formula has a proposition that the net does not define")]
    OpenAtom,
    /// A group of a model has several successors, so its name does not tell a step.
    #[error("step {0} of a run: the group has several successors; cut it into several groups")]
    Ambiguous(usize),
    /// A model goes wrong on the run.
    #[error("{0}")]
    Model(String),
    /// The run is a run of the net, but satisfies the formula.
    #[error("the run satisfies the formula")]
    Satisfies,
    /// An atom of the formula or the automaton goes wrong in a state of the run.
    #[error("{0}")]
    Atom(String),
    /// The run is a run of the net, but the automaton of the violations does not accept it.
    #[error("the automaton does not accept the run")]
    NotAccepted,
}

/// Why a transition does not fire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is not enabled.
    NotEnabled,
    /// A number would pass 32 bits.
    TooManyTokens,
    /// It has several successors.
    Ambiguous,
    /// The model goes wrong.
    Model(String),
}

/// Something that runs are runs of: a net, or a model whose transitions have numbers.
pub trait Replayable {
    /// The first state.
    fn initial(&self) -> Vec<u32>;

    /// How many transitions there are.
    fn transitions(&self) -> usize;

    /// What a transition is called.
    fn name(&self, t: TransitionId) -> String;

    /// Whether a transition is enabled; why not known otherwise.
    fn enables(&self, t: TransitionId, state: &[u32]) -> Result<bool, ReplayError>;

    /// Fires a transition. After a refusal the state does not count any more.
    fn step(&self, t: TransitionId, state: &mut Vec<u32>) -> Result<(), Refusal>;

    /// Whether a named proposition is true in a state, if the model knows the name.
    fn proposition(&self, _name: &str, _state: &[u32]) -> Result<Option<bool>, ReplayError> {
        Ok(None)
    }

    /// The net, if this is one: more tokens disable nothing then.
    fn as_net(&self) -> Option<&Net> {
        None
    }
}

/// Checks that the run is a run of the net and violates the formula.
///
/// ```
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Run, TransitionId};
/// use brine_replay::{ReplayError, replay};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// let down = b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("G on = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let dark = Run { prefix: vec![down], cycle: vec![] };
/// assert_eq!(replay(&net, &formulas, formula, &dark), Ok(()));
/// assert_eq!(replay(&net, &formulas, formula, &Run::default()), Err(ReplayError::NotDead));
/// ```
pub fn replay(
    net: &Net,
    formulas: &Formulas,
    formula: Formula,
    run: &Run,
) -> Result<(), ReplayError> {
    replay_on(net, formulas, formula, run)
}

/// The same for whatever runs are runs of; places are its slots, by number.
pub fn replay_on(
    model: &dyn Replayable,
    formulas: &Formulas,
    formula: Formula,
    run: &Run,
) -> Result<(), ReplayError> {
    let ids = formulas.atoms_of(formula);
    let atoms: Vec<&Atom> = ids.iter().map(|&a| formulas.atom(a)).collect();
    let letters = word(model, &atoms, run)?;
    violates(formulas, formula, &ids, &letters, run.prefix.len())
}

/// Whether the formula is false on the word of a lasso: for each position, the truth of each of
/// its atoms, the cycle from position `prefix` on.
fn violates(
    formulas: &Formulas,
    formula: Formula,
    atoms: &[AtomId],
    letters: &[Vec<bool>],
    prefix: usize,
) -> Result<(), ReplayError> {
    let index = |atom: AtomId| atoms.iter().position(|&a| a == atom).unwrap_or(0);
    let holds = |atom: AtomId, position: usize| letters[position][index(atom)];
    match holds_on_lasso(formulas, formula, prefix, letters.len() - prefix, holds) {
        true => Err(ReplayError::Satisfies),
        false => Ok(()),
    }
}

/// Checks that the run is one, and that the automaton, which accepts the violations, accepts its
/// word (`accepting`).
pub fn replay_automaton(
    model: &dyn Replayable,
    violations: &Automaton,
    run: &Run,
) -> Result<(), ReplayError> {
    let atoms: Vec<&Atom> = violations.atoms().iter().collect();
    let letters = word(model, &atoms, run)?;
    match accepting::accepts(violations, &letters, run.prefix.len()) {
        true => Ok(()),
        false => Err(ReplayError::NotAccepted),
    }
}

/// The word of a run: for each position of the lasso, the truth of each atom. The cycle begins at
/// position `prefix`; a dead marking is a cycle of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunWord {
    /// The atoms of the formula.
    pub atoms: Vec<AtomId>,
    /// By position: their truth, in the same order.
    pub letters: Vec<Vec<bool>>,
    /// Positions before the cycle.
    pub prefix: usize,
}

impl RunWord {
    /// Whether an atom is true at a position.
    pub fn holds(&self, atom: AtomId, position: usize) -> bool {
        let index = self.atoms.iter().position(|&a| a == atom);
        index.is_some_and(|i| self.letters[position][i])
    }

    /// The fewest steps after which the formula is violated whatever follows, as far as
    /// [`violated_after`] tells.
    pub fn violated_after(&self, formulas: &Formulas, formula: Formula) -> Option<usize> {
        let holds = |atom, position| self.holds(atom, position);
        violated_after(formulas, formula, self.letters.len(), holds)
    }
}

/// The word of a run, which must be one that can go on for ever.
pub fn word_of(
    model: &dyn Replayable,
    formulas: &Formulas,
    formula: Formula,
    run: &Run,
) -> Result<RunWord, ReplayError> {
    let ids = formulas.atoms_of(formula);
    let atoms: Vec<&Atom> = ids.iter().map(|&a| formulas.atom(a)).collect();
    let letters = word(model, &atoms, run)?;
    Ok(RunWord { atoms: ids, letters, prefix: run.prefix.len() })
}

/// Checks that these steps can be fired one after the other, and that whatever follows violates
/// the formula; gives the number of steps that do.
///
/// Every marking has a continuation, if only that a dead one repeats for ever. So this, too, is a
/// counterexample.
pub fn replay_beginning(
    model: &dyn Replayable,
    formulas: &Formulas,
    formula: Formula,
    steps: &[TransitionId],
) -> Result<usize, ReplayError> {
    let word = beginning_word(model, formulas, formula, steps)?;
    word.violated_after(formulas, formula).ok_or(ReplayError::Satisfies)
}

/// The word of the beginning of a run, one letter more than there are steps: nothing in it
/// repeats.
pub fn beginning_word(
    model: &dyn Replayable,
    formulas: &Formulas,
    formula: Formula,
    steps: &[TransitionId],
) -> Result<RunWord, ReplayError> {
    let atoms = formulas.atoms_of(formula);
    let mut state = model.initial();
    let mut letters = Vec::new();
    for i in 0..=steps.len() {
        let letter = atoms.iter().map(|&a| truth(model, formulas.atom(a), &state));
        letters.push(letter.collect::<Result<Vec<bool>, ReplayError>>()?);
        if let Some(&t) = steps.get(i) {
            fire(model, t, &mut state, i + 1)?;
        }
    }
    Ok(RunWord { atoms, letters, prefix: 0 })
}

/// Which of these atoms are true in a state.
pub fn letter_of(
    model: &dyn Replayable,
    atoms: &[Atom],
    state: &[u32],
) -> Result<Vec<bool>, ReplayError> {
    atoms.iter().map(|atom| truth(model, atom, state)).collect()
}

/// Walks along a run, which must be one that can go on for ever: for each position of the
/// lasso, the truth of each atom.
fn word(model: &dyn Replayable, atoms: &[&Atom], run: &Run) -> Result<Vec<Vec<bool>>, ReplayError> {
    let letter = |state: &[u32]| -> Result<Vec<bool>, ReplayError> {
        atoms.iter().map(|atom| truth(model, atom, state)).collect()
    };
    let mut state = model.initial();
    let mut cycle_start = state.clone();
    let mut letters = Vec::new();
    for (i, t) in run.steps().enumerate() {
        if i == run.prefix.len() {
            cycle_start.clone_from(&state);
        }
        letters.push(letter(&state)?);
        fire(model, t, &mut state, i + 1)?;
    }
    if run.cycle.is_empty() {
        if !is_dead(model, &state)? {
            return Err(ReplayError::NotDead);
        }
        letters.push(letter(&state)?);
    } else if state != cycle_start {
        let net = model.as_net().ok_or(ReplayError::NotClosed)?;
        growing::check(net, atoms, run, cycle_start, &state)?;
    }
    Ok(letters)
}

/// Fires step number `step`.
fn fire(
    model: &dyn Replayable,
    t: TransitionId,
    state: &mut Vec<u32>,
    step: usize,
) -> Result<(), ReplayError> {
    model.step(t, state).map_err(|refusal| match refusal {
        Refusal::NotEnabled => ReplayError::NotEnabled { step, transition: model.name(t) },
        Refusal::TooManyTokens => ReplayError::TooManyTokens(step),
        Refusal::Ambiguous => ReplayError::Ambiguous(step),
        Refusal::Model(error) => ReplayError::Model(error),
    })
}

/// Whether an atom is true in a state.
fn truth(model: &dyn Replayable, atom: &Atom, state: &[u32]) -> Result<bool, ReplayError> {
    match atom {
        Atom::Linear(linear) => Ok(is_below(linear, state)),
        Atom::Fireable(transitions) => {
            let mut enabled = transitions.iter().map(|&t| model.enables(t, state));
            enabled.try_fold(false, |any, enabled| Ok(any || enabled?))
        }
        Atom::Deadlock => is_dead(model, state),
        Atom::Prop(name) => model.proposition(name, state)?.ok_or(ReplayError::OpenAtom),
    }
}

/// Whether the sum is not above its bound.
fn is_below(linear: &Linear, state: &[u32]) -> bool {
    let mut left = i128::from(linear.bound);
    for &(p, factor) in &linear.terms {
        left -= i128::from(factor) * i128::from(state[p.index()]);
    }
    left >= 0
}

/// Whether nothing is enabled.
fn is_dead(model: &dyn Replayable, state: &[u32]) -> Result<bool, ReplayError> {
    for t in (0..model.transitions() as u32).map(TransitionId) {
        if model.enables(t, state)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
