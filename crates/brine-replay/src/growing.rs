//! Growing runs: a cycle that ends in a larger marking than it began in.
//!
//! It can be repeated for ever: more tokens disable nothing. Its word is that of the first
//! round if at no position any atom ever changes, which is checked for each atom and each
//! position of the cycle ([`is_settled`]).

use super::net::enabled;
use super::{ReplayError, fire, is_below};
use brine_ltl::Atom;
use brine_net::{Net, Run, TransitionId};

/// Checks the cycle of a run that leads from marking `before` to another one, `after`.
pub(crate) fn check(
    net: &Net,
    atoms: &[&Atom],
    run: &Run,
    before: Vec<u32>,
    after: &[u32],
) -> Result<(), ReplayError> {
    let growth = growth(&before, after).ok_or(ReplayError::NotClosed)?;
    let mut marking = before;
    for (i, &t) in run.cycle.iter().enumerate() {
        if !atoms.iter().all(|atom| is_settled(net, atom, &marking, &growth)) {
            return Err(ReplayError::NotSettled);
        }
        fire(net, t, &mut marking, run.prefix.len() + i + 1)?;
    }
    debug_assert_eq!(marking, after, "the same steps from the same marking");
    Ok(())
}

/// What was added to each place, if nothing was taken from any.
pub(crate) fn growth(before: &[u32], after: &[u32]) -> Option<Vec<u32>> {
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
            grows == 0 || (grows < 0) == is_below(linear, marking)
        }
        Atom::Fireable(ts) => {
            let never = |&t: &TransitionId| {
                let mut inputs = net.transition(t).pre.iter();
                inputs.any(|&(p, w)| growth[p.index()] == 0 && marking[p.index()] < w)
            };
            ts.iter().any(|&t| enabled(net, t, marking)) || ts.iter().all(never)
        }
        // Each round fires the same steps.
        Atom::Deadlock | Atom::Fires(_) => true,
        Atom::Prop(_) => false,
    }
}
