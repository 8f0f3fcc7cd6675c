//! Replays runs of coloured nets, on the coloured net itself.
//!
//! As for plain nets, nothing is shared with those who find runs but data types: what terms and
//! guards mean ([`terms`]), firing on maps of tokens ([`tokens`]), whether some binding is enabled
//! ([`bindings`]) and the truth of atoms are written down here once more. Atoms speak of coloured
//! nodes: a place stands for its tokens of all colours, a transition for all its bindings.
//!
//! *Invariant.* [`replay_coloured`] accepts a run only if the guard of each step holds and its
//! tokens are there; the run can go on for ever (the cycle ends where it began, or above that
//! without ever changing an atom, or there is no cycle and no binding of any transition is
//! enabled); and the formula is false on its word. What takes too much work to know is an error,
//! [`ReplayError::CannotTell`], and never accepted.
//!
//! *Growing cycles.* The cycle adds `g` to the marking, and more tokens disable nothing, so it can
//! be repeated. At each of its positions an enabled transition stays enabled; one that is not
//! enabled never will be if it is not even with as many tokens as one likes of each colour that
//! `g` adds, because then each binding lacks a token of another colour. Sums that `g` changes
//! must move away from their bound.
//!
//! Enabledness is remembered: a binding that was enabled is tried first, and a transition that
//! was not enabled is not asked again until one of its input places gains a token.

mod bindings;
mod terms;
mod tokens;

use crate::{ReplayError, RunWord, violates};
use bindings::{allowed, enabled, find};
use brine_coloured::net::ColouredTransition;
use brine_coloured::{ColouredNet, ColouredRun, ColouredStep};
use brine_ltl::{Atom, Formula, Formulas, Linear};
use terms::{Multiset, multiset};
use tokens::{PLENTY, Tokens};

/// Colours looked at by one replay at most: about a second.
const WORK: u64 = 10_000_000;

/// Why nothing is known.
#[derive(Debug)]
enum Fault {
    /// It would take too much work.
    CannotTell,
    /// A number would pass 32 bits.
    TooMany,
}

impl Fault {
    fn at(self, step: usize) -> ReplayError {
        match self {
            Fault::CannotTell => ReplayError::CannotTell(step),
            Fault::TooMany => ReplayError::TooManyTokens(step),
        }
    }
}

/// Checks that the run is a run of the coloured net and violates the formula, whose atoms speak
/// of coloured places and transitions by number.
pub fn replay_coloured(
    net: &ColouredNet,
    formulas: &Formulas,
    formula: Formula,
    run: &ColouredRun,
) -> Result<(), ReplayError> {
    replay_within(net, formulas, formula, run, WORK)
}

/// The word of a run of a coloured net, which must be one that can go on for ever.
pub fn coloured_word(
    net: &ColouredNet,
    formulas: &Formulas,
    formula: Formula,
    run: &ColouredRun,
) -> Result<RunWord, ReplayError> {
    let ids = formulas.atoms_of(formula);
    let atoms: Vec<&Atom> = ids.iter().map(|&a| formulas.atom(a)).collect();
    let letters = word(net, &atoms, run, WORK)?;
    let (prefix, steps) = (run.prefix.len(), run.prefix.len() + run.cycle.len());
    Ok(RunWord { atoms: ids, letters, prefix, steps })
}

/// Checks that these steps can be fired one after the other, and that whatever follows violates
/// the formula; gives the number of steps that do. See [`crate::replay_beginning`].
pub fn replay_coloured_beginning(
    net: &ColouredNet,
    formulas: &Formulas,
    formula: Formula,
    steps: &[ColouredStep],
) -> Result<usize, ReplayError> {
    let word = coloured_beginning_word(net, formulas, formula, steps)?;
    word.violated_after(formulas, formula).ok_or(ReplayError::Satisfies)
}

/// The word of the beginning of a run. See [`crate::beginning_word`].
pub fn coloured_beginning_word(
    net: &ColouredNet,
    formulas: &Formulas,
    formula: Formula,
    steps: &[ColouredStep],
) -> Result<RunWord, ReplayError> {
    let ids = formulas.atoms_of(formula);
    let atoms: Vec<&Atom> = ids.iter().map(|&a| formulas.atom(a)).collect();
    if atoms.iter().any(|atom| matches!(atom, Atom::Prop(_))) {
        return Err(ReplayError::OpenAtom);
    }
    let mut walk = Walk::new(net, WORK).map_err(|fault| fault.at(0))?;
    let mut letters = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        letters.push(walk.letter(&atoms, Some(step)).map_err(|fault| fault.at(i))?);
        walk.fire(step, i + 1)?;
    }
    // Of a formula about events the last letter is not known: it depends on the next step.
    if !formulas.has_events(formula) {
        letters.push(walk.letter(&atoms, None).map_err(|fault| fault.at(steps.len()))?);
    }
    Ok(RunWord { atoms: ids, letters, prefix: 0, steps: steps.len() })
}

fn replay_within(
    net: &ColouredNet,
    formulas: &Formulas,
    formula: Formula,
    run: &ColouredRun,
    work: u64,
) -> Result<(), ReplayError> {
    let ids = formulas.atoms_of(formula);
    let atoms: Vec<&Atom> = ids.iter().map(|&a| formulas.atom(a)).collect();
    let letters = word(net, &atoms, run, work)?;
    violates(formulas, formula, &ids, &letters, run.prefix.len())
}

/// Walks along a run, which must be one that can go on for ever: for each position of the
/// lasso, the truth of each atom.
fn word(
    net: &ColouredNet,
    atoms: &[&Atom],
    run: &ColouredRun,
    work: u64,
) -> Result<Vec<Vec<bool>>, ReplayError> {
    if atoms.iter().any(|atom| matches!(atom, Atom::Prop(_))) {
        return Err(ReplayError::OpenAtom);
    }
    let mut walk = Walk::new(net, work).map_err(|fault| fault.at(0))?;
    let mut cycle_start = walk.marking.clone();
    let mut letters = Vec::new();
    for (i, step) in run.steps().enumerate() {
        if i == run.prefix.len() {
            cycle_start.clone_from(&walk.marking);
        }
        letters.push(walk.letter(atoms, Some(step)).map_err(|fault| fault.at(i))?);
        walk.fire(step, i + 1)?;
    }
    let last = run.prefix.len() + run.cycle.len();
    if run.cycle.is_empty() {
        if !walk.is_dead().map_err(|fault| fault.at(last))? {
            return Err(ReplayError::NotDead);
        }
        letters.push(walk.letter(atoms, None).map_err(|fault| fault.at(last))?);
    } else if walk.marking != cycle_start {
        walk.grows(atoms, run, cycle_start, &letters[run.prefix.len()..])?;
    }
    Ok(letters)
}

/// Where a run is.
struct Walk<'n> {
    net: &'n ColouredNet,
    marking: Vec<Tokens>,
    work: u64,
    /// Steps so far, from 1.
    now: usize,
    /// Per place: when it last gained a token.
    gained: Vec<usize>,
    /// Per transition: the last binding that was found enabled.
    found: Vec<Option<Vec<Option<u32>>>>,
    /// Per transition: when it was last found not to be enabled.
    refused: Vec<usize>,
}

impl<'n> Walk<'n> {
    /// At the initial marking.
    fn new(net: &'n ColouredNet, mut work: u64) -> Result<Walk<'n>, Fault> {
        let mut marking = vec![Tokens::default(); net.places.len()];
        for (tokens, place) in marking.iter_mut().zip(&net.places) {
            if let Some(bag) = &place.initial {
                tokens.put(&multiset(bag, &[], &mut work)?)?;
            }
        }
        let (places, transitions) = (net.places.len(), net.transitions.len());
        let (found, refused) = (vec![None; transitions], vec![0; transitions]);
        Ok(Walk { net, marking, work, now: 1, gained: vec![1; places], found, refused })
    }

    /// The truth of each atom where `next` is fired; at a dead end nothing is.
    fn letter(&mut self, atoms: &[&Atom], next: Option<&ColouredStep>) -> Result<Vec<bool>, Fault> {
        atoms.iter().map(|atom| self.truth(atom, next)).collect()
    }

    fn truth(&mut self, atom: &Atom, next: Option<&ColouredStep>) -> Result<bool, Fault> {
        match atom {
            Atom::Fires(transitions) => {
                Ok(next.is_some_and(|step| transitions.contains(&step.transition)))
            }
            Atom::Linear(linear) => Ok(is_below(linear, &self.marking)),
            Atom::Fireable(transitions) => {
                let mut any = transitions.iter().map(|&t| self.enables(t.index()));
                any.try_fold(false, |any, enabled| Ok(any || enabled?))
            }
            Atom::Deadlock => self.is_dead(),
            Atom::Prop(_) => Err(Fault::CannotTell),
        }
    }

    /// Whether nothing is enabled.
    fn is_dead(&mut self) -> Result<bool, Fault> {
        for t in 0..self.net.transitions.len() {
            if self.enables(t)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether some binding of a transition is enabled.
    fn enables(&mut self, t: usize) -> Result<bool, Fault> {
        let transition = &self.net.transitions[t];
        if let Some(binding) = &self.found[t]
            && enabled(transition, binding, &self.marking, &mut self.work)?
        {
            return Ok(true);
        }
        if transition.inputs.iter().all(|arc| self.gained[arc.place] <= self.refused[t])
            && self.refused[t] > 0
        {
            return Ok(false);
        }
        self.found[t] = find(transition, &mut self.marking, &mut self.work)?;
        if self.found[t].is_none() {
            self.refused[t] = self.now;
        }
        Ok(self.found[t].is_some())
    }

    /// Fires step number `number`.
    fn fire(&mut self, step: &ColouredStep, number: usize) -> Result<(), ReplayError> {
        let disabled = || {
            let transition = self.net.transitions.get(step.transition.index());
            let transition = transition.map_or_else(String::new, |t| t.id.clone());
            ReplayError::NotEnabled { step: number, transition }
        };
        let transition = self.net.transitions.get(step.transition.index()).ok_or_else(disabled)?;
        let bound = binding(transition, step).ok_or_else(disabled)?;
        let may = enabled(transition, &bound, &self.marking, &mut self.work);
        if !may.map_err(|fault| fault.at(number))? {
            return Err(ReplayError::NotEnabled {
                step: number,
                transition: transition.id.clone(),
            });
        }
        self.move_tokens(transition, &bound).map_err(|fault| fault.at(number))
    }

    /// Takes and puts what the arcs say; the binding is enabled.
    fn move_tokens(
        &mut self,
        transition: &ColouredTransition,
        bound: &[Option<u32>],
    ) -> Result<(), Fault> {
        self.now += 1;
        for arc in &transition.inputs {
            let taken = multiset(&arc.bag, bound, &mut self.work)?;
            let there = self.marking[arc.place].take(&taken);
            debug_assert!(there, "the binding is enabled");
        }
        for arc in &transition.outputs {
            let put = multiset(&arc.bag, bound, &mut self.work)?;
            self.marking[arc.place].put(&put)?;
            self.gained[arc.place] = self.now;
        }
        Ok(())
    }

    /// Checks that the cycle, which led from `before` to here, adds tokens and nothing else, and
    /// that its letters stay the same for ever.
    fn grows(
        mut self,
        atoms: &[&Atom],
        run: &ColouredRun,
        before: Vec<Tokens>,
        letters: &[Vec<bool>],
    ) -> Result<(), ReplayError> {
        let added = before.iter().zip(&self.marking).map(|(b, a)| growth(b.counts(), a.counts()));
        let added: Vec<Multiset> = added.collect::<Option<_>>().ok_or(ReplayError::NotClosed)?;
        self.marking = before;
        self.now += 1;
        self.gained.fill(self.now);
        for (tokens, added) in self.marking.iter_mut().zip(&added) {
            let plenty = added.keys().map(|colour| (colour.clone(), PLENTY)).collect();
            tokens.put(&plenty).map_err(|fault| fault.at(run.prefix.len()))?;
        }
        for (i, (step, letter)) in run.cycle.iter().zip(letters).enumerate() {
            let number = run.prefix.len() + i + 1;
            for (atom, &truth) in atoms.iter().zip(letter) {
                let settled = match atom {
                    Atom::Linear(linear) => stays(linear, &added, truth),
                    _ => self.truth(atom, Some(step)).map_err(|fault| fault.at(number))? == truth,
                };
                if !settled {
                    return Err(ReplayError::NotSettled);
                }
            }
            self.fire(step, number)?;
        }
        Ok(())
    }
}

/// The values of a step's variables, if each may have its value.
fn binding(transition: &ColouredTransition, step: &ColouredStep) -> Option<Vec<Option<u32>>> {
    let fits = step.binding.len() == transition.variables.len()
        && transition.variables.iter().zip(&step.binding).all(|(x, &value)| allowed(x, value));
    fits.then(|| step.binding.iter().copied().map(Some).collect())
}

/// Whether the sum is not above its bound.
fn is_below(linear: &Linear, marking: &[Tokens]) -> bool {
    let mut left = i128::from(linear.bound);
    for &(p, factor) in &linear.terms {
        left -= i128::from(factor) * marking[p.index()].total() as i128;
    }
    left >= 0
}

/// Whether the truth of the comparison stays as it is when these tokens are added for ever.
fn stays(linear: &Linear, added: &[Multiset], truth: bool) -> bool {
    let sum = |p: usize| added[p].values().map(|&n| i128::from(n)).sum::<i128>();
    let grows: i128 = linear.terms.iter().map(|&(p, c)| i128::from(c) * sum(p.index())).sum();
    grows == 0 || (grows < 0) == truth
}

/// What was added, if nothing was taken.
fn growth(before: &Multiset, after: &Multiset) -> Option<Multiset> {
    let mut added = after.clone();
    for (colour, n) in before {
        let rest = added.get_mut(colour)?;
        *rest = rest.checked_sub(*n)?;
    }
    added.retain(|_, n| *n > 0);
    Some(added)
}

#[cfg(test)]
mod tests;
