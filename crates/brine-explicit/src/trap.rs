//! Markings from which a transition can never fire again, found by walking.
//!
//! ```text
//! walk from the initial marking, longer each time; where the walk ends:
//!     explore all markings that follow, if they are few
//!     if none of them enables any member of a group: the group is not live
//! ```
//!
//! *Why this is right.* The end of a walk is reachable, and the exploration was complete. Finding
//! nothing proves nothing. Cost: bounded by constants, and by the control.

use crate::survey::Survey;
use brine_net::{Incidence, Net, TransitionId};
use brine_run::{Control, Stop};
use rustc_hash::FxHashSet;

/// Steps of the walks.
const WALKS: [u64; 6] = [200, 2_000, 20_000, 20_000, 100_000, 300_000];
/// The most markings that are explored at the end of one.
const MARKINGS: usize = 4_000;
/// The most looks at a transition there.
const LOOKS: usize = 8_000_000;

/// A reachable marking, and a group of transitions that is lost there for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// The marking.
    pub marking: Vec<u32>,
    /// The number of the group.
    pub lost: usize,
}

/// Looks for a trap.
pub fn find_trap(
    net: &Net,
    incidence: &Incidence,
    groups: &[Vec<TransitionId>],
    control: &Control,
) -> Result<Option<Trap>, Stop> {
    let mut survey = Survey::new(net, incidence, &[]);
    for steps in WALKS {
        survey.walk(steps, control)?;
        if survey.overflowed {
            return Ok(None);
        }
        let marking = survey.here().to_vec();
        let Some(enabled) = enabled_after(net, &marking, control)? else { continue };
        let is_lost = |group: &Vec<TransitionId>| !group.iter().any(|t| enabled[t.index()]);
        if let Some(lost) = groups.iter().position(is_lost) {
            return Ok(Some(Trap { marking, lost }));
        }
    }
    Ok(None)
}

/// The transitions that some marking enables which follows from this one; `None` if there are too
/// many.
fn enabled_after(net: &Net, from: &[u32], control: &Control) -> Result<Option<Vec<bool>>, Stop> {
    let mut pace = control.pace();
    let transitions = net.transitions().len();
    let most = MARKINGS.min(LOOKS / transitions.max(1));
    let mut enabled = vec![false; transitions];
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    seen.insert(from.to_vec());
    let mut open = vec![from.to_vec()];
    while let Some(marking) = open.pop() {
        pace.steps(1 + transitions)?;
        for t in net.transition_ids() {
            if !net.is_enabled(t, &marking) {
                continue;
            }
            enabled[t.index()] = true;
            let Some(after) = net.fire(t, &marking) else { return Ok(None) };
            if !seen.contains(&after) {
                if seen.len() >= most {
                    return Ok(None);
                }
                seen.insert(after.clone());
                open.push(after);
            }
        }
    }
    Ok(Some(enabled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    #[test]
    fn a_choice_that_cannot_be_undone_is_a_trap_and_a_loop_is_none() {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 1), b.place("q", 0));
        let stay = b.transition("stay", &[(p, 1)], &[(p, 1)]);
        let go = b.transition("go", &[(p, 1)], &[(q, 1)]);
        let turn = b.transition("turn", &[(q, 1)], &[(q, 1)]);
        let net = b.build().unwrap();
        let find = |groups: &[Vec<TransitionId>]| {
            find_trap(&net, &Incidence::new(&net), groups, &Control::default()).unwrap()
        };
        let trap = find(&[vec![turn], vec![stay, go]]).unwrap();
        assert_eq!((trap.marking, trap.lost), (vec![0, 1], 1));
        // One of the two always comes back.
        assert_eq!(find(&[vec![turn], vec![stay, turn]]), None);
    }
}
