//! Replays a witness: the last word on "violated".
//!
//! Nothing here is shared with the engines but the types of nets and formulas. The firing
//! rule works on a plain vector, atoms are evaluated on it, and the formula is evaluated on
//! the lasso directly from the definition of LTL. A witness that fails here is a bug of the
//! engine that found it.
//!
//! A cycle that ends in a larger marking than it began in can be repeated for ever as well:
//! more tokens disable nothing. Its word is that of the first round if no atom ever changes
//! at any position, which is checked for each atom ([`is_settled`]).

use crate::verdict::Witness;
use brine_ltl::{Atom, AtomId, Formula, Formulas, holds_on_lasso};
use brine_net::{Net, TransitionId};

/// What is wrong with a witness.
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
}

/// Checks that the witness is a run of the net and violates the formula.
pub fn replay(
    net: &Net,
    formulas: &Formulas,
    formula: Formula,
    witness: &Witness,
) -> Result<(), ReplayError> {
    let atoms = formulas.atoms_of(formula);
    if atoms.iter().any(|&a| matches!(formulas.atom(a), Atom::Prop(_))) {
        return Err(ReplayError::OpenAtom);
    }
    let mut marking = net.initial_marking();
    let mut cycle_start = marking.clone();
    // For each position of the lasso, the truth of each atom.
    let mut letters: Vec<Vec<bool>> = Vec::new();
    let steps = witness.prefix.iter().chain(&witness.cycle);
    for (i, &t) in steps.enumerate() {
        if i == witness.prefix.len() {
            cycle_start.clone_from(&marking);
        }
        letters.push(letter(net, formulas, &atoms, &marking)?);
        fire(net, t, &mut marking, i + 1)?;
    }
    if witness.cycle.is_empty() {
        if net.transition_ids().any(|t| enabled(net, t, &marking)) {
            return Err(ReplayError::NotDead);
        }
        letters.push(letter(net, formulas, &atoms, &marking)?);
    } else if marking != cycle_start {
        let growth = growth(&cycle_start, &marking).ok_or(ReplayError::NotClosed)?;
        let mut marking = cycle_start;
        for (i, &t) in witness.cycle.iter().enumerate() {
            let settled = |&a: &AtomId| is_settled(net, formulas.atom(a), &marking, &growth);
            if !atoms.iter().all(settled) {
                return Err(ReplayError::NotSettled);
            }
            fire(net, t, &mut marking, witness.prefix.len() + i + 1)?;
        }
    }
    refute(formulas, formula, &atoms, witness.prefix.len(), &letters)
}

/// What a run is worth that stands for one found in a restated net: it is shown if it violates
/// the formula, and left out if it is no run of this net, since lifting may give up halfway.
/// That it is a run and satisfies the formula cannot be if the restating was right, and is not
/// kept quiet.
pub(crate) fn replay_lifted(
    net: &Net,
    formulas: &Formulas,
    formula: Formula,
    witness: Witness,
) -> Result<Option<Witness>, ReplayError> {
    match replay(net, formulas, formula, &witness) {
        Ok(()) => Ok(Some(witness)),
        Err(ReplayError::Satisfies) => Err(ReplayError::Satisfies),
        Err(_) => Ok(None),
    }
}

/// Checks that a lasso violates the formula: for each position, the truth of each of `atoms`.
pub(crate) fn refute(
    formulas: &Formulas,
    formula: Formula,
    atoms: &[AtomId],
    prefix: usize,
    letters: &[Vec<bool>],
) -> Result<(), ReplayError> {
    let index = |atom: AtomId| atoms.iter().position(|&a| a == atom).unwrap_or(0);
    let holds = |atom: AtomId, position: usize| letters[position][index(atom)];
    if holds_on_lasso(formulas, formula, prefix, letters.len() - prefix, holds) {
        return Err(ReplayError::Satisfies);
    }
    Ok(())
}

fn letter(
    net: &Net,
    formulas: &Formulas,
    atoms: &[AtomId],
    marking: &[u32],
) -> Result<Vec<bool>, ReplayError> {
    let eval = |&a: &AtomId| formulas.atom(a).eval(net, marking).ok_or(ReplayError::OpenAtom);
    atoms.iter().map(eval).collect()
}

/// What was added to each place, if nothing was taken from any.
fn growth(before: &[u32], after: &[u32]) -> Option<Vec<u32>> {
    before.iter().zip(after).map(|(&b, &a)| a.checked_sub(b)).collect()
}

/// Whether the atom has the same truth in `marking + n * growth` for all n >= 0, given that some
/// transition is enabled there.
fn is_settled(net: &Net, atom: &Atom, marking: &[u32], growth: &[u32]) -> bool {
    match atom {
        Atom::Linear(linear) => {
            let grows: i128 = linear
                .terms
                .iter()
                .map(|&(p, c)| i128::from(c) * i128::from(growth[p.index()]))
                .sum();
            grows == 0 || (grows < 0) == linear.eval(marking)
        }
        Atom::Fireable(ts) => {
            let never = |&t: &TransitionId| {
                let mut inputs = net.transition(t).pre.iter();
                inputs.any(|&(p, w)| growth[p.index()] == 0 && marking[p.index()] < w)
            };
            ts.iter().any(|&t| enabled(net, t, marking)) || ts.iter().all(never)
        }
        Atom::Deadlock => true,
        Atom::Prop(_) => false,
    }
}

fn enabled(net: &Net, t: TransitionId, marking: &[u32]) -> bool {
    net.transition(t).pre.iter().all(|&(p, w)| marking[p.index()] >= w)
}

fn fire(net: &Net, t: TransitionId, marking: &mut [u32], step: usize) -> Result<(), ReplayError> {
    if !enabled(net, t, marking) {
        let transition = net.transition(t).id.clone();
        return Err(ReplayError::NotEnabled { step, transition });
    }
    for &(p, w) in &net.transition(t).pre {
        marking[p.index()] -= w;
    }
    for &(p, w) in &net.transition(t).post {
        let tokens = &mut marking[p.index()];
        *tokens = tokens.checked_add(w).ok_or(ReplayError::TooManyTokens(step))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Symbols, parse};
    use brine_net::NetBuilder;

    /// A switch that can break: on <-> off, on -> broken.
    fn switch() -> Net {
        let mut b = NetBuilder::new("switch");
        let (on, off, broken) = (b.place("on", 1), b.place("off", 0), b.place("broken", 0));
        b.transition("down", &[(on, 1)], &[(off, 1)]);
        b.transition("up", &[(off, 1)], &[(on, 1)]);
        b.transition("break", &[(on, 1)], &[(broken, 1)]);
        b.build().unwrap()
    }

    fn check(formula: &str, prefix: &[u32], cycle: &[u32]) -> Result<(), ReplayError> {
        let net = switch();
        let mut formulas = Formulas::new();
        let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
        replay(&net, &formulas, f, &Witness { prefix: ids(prefix), cycle: ids(cycle) })
    }

    /// Lifting may give up; a run that contradicts the verdict is an error.
    #[test]
    fn lifted_runs_are_shown_left_out_or_errors() {
        let net = switch();
        let mut formulas = Formulas::new();
        let f = parse("F broken >= 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        let lifted = |prefix: &[u32], cycle: &[u32]| {
            let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
            let witness = Witness { prefix: ids(prefix), cycle: ids(cycle) };
            replay_lifted(&net, &formulas, f, witness).map(|shown| shown.is_some())
        };
        assert_eq!(lifted(&[], &[0, 1]), Ok(true));
        assert_eq!(lifted(&[0], &[]), Ok(false));
        assert_eq!(lifted(&[2], &[]), Err(ReplayError::Satisfies));
    }

    #[test]
    fn true_witnesses_pass() {
        assert_eq!(check("G on >= 1", &[], &[0, 1]), Ok(()));
        assert_eq!(check("F broken >= 1", &[0, 1], &[0, 1]), Ok(()));
        assert_eq!(check("G F on >= 1", &[2], &[]), Ok(()));
        assert_eq!(check("!deadlock U off >= 1", &[2], &[]), Ok(()));
        assert_eq!(check("G fireable(up, down)", &[0, 1, 2], &[]), Ok(()));
    }

    /// `grow` adds a token to q for ever.
    fn check_growing(formula: &str, prefix: &[u32]) -> Result<(), ReplayError> {
        let mut b = NetBuilder::new("well");
        let (p, q) = (b.place("p", 1), b.place("q", 0));
        b.transition("grow", &[(p, 1)], &[(p, 1), (q, 1)]);
        b.transition("take", &[(q, 2)], &[(q, 2)]);
        b.transition("both", &[(p, 2), (q, 2)], &[]);
        let net = b.build().unwrap();
        let mut formulas = Formulas::new();
        let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        let prefix = prefix.iter().copied().map(TransitionId).collect();
        replay(&net, &formulas, f, &Witness { prefix, cycle: vec![TransitionId(0)] })
    }

    #[test]
    fn growing_cycles_pass_if_no_atom_ever_changes() {
        assert_eq!(check_growing("F p = 0", &[]), Ok(()));
        assert_eq!(check_growing("G F deadlock", &[]), Ok(()));
        assert_eq!(check_growing("F fireable(both)", &[]), Ok(()));
        assert_eq!(check_growing("F q <= p", &[]), Err(ReplayError::NotSettled));
        assert_eq!(check_growing("F q >= 6", &[]), Err(ReplayError::NotSettled), "some day");
        assert_eq!(check_growing("G q <= p", &[0, 0]), Ok(()), "above for ever");
        assert_eq!(check_growing("F fireable(take)", &[]), Err(ReplayError::NotSettled));
        assert_eq!(check_growing("G !fireable(take)", &[0, 0]), Ok(()), "enabled for ever");
        assert_eq!(check_growing("G p >= 1", &[]), Err(ReplayError::Satisfies));
    }

    #[test]
    fn every_kind_of_false_witness_is_told_apart() {
        let not_enabled = ReplayError::NotEnabled { step: 2, transition: "down".to_owned() };
        assert_eq!(check("false", &[0, 0], &[0]), Err(not_enabled));
        assert_eq!(check("false", &[], &[0]), Err(ReplayError::NotClosed));
        assert_eq!(check("false", &[0], &[]), Err(ReplayError::NotDead));
        assert_eq!(check("F off >= 1", &[], &[0, 1]), Err(ReplayError::Satisfies));
        // The violation must be on this run, not just on some run.
        assert_eq!(check("G on >= 1", &[], &[]), Err(ReplayError::NotDead));
    }
}
