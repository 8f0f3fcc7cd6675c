//! The proof that all solutions of the invariants are reachable.
//!
//! ```text
//! ranking := the cost of making tokens;  steps := single transitions that lower it backwards
//! repeat:
//!     look for two solutions from which no step back can be taken
//!     one, h:   if there is a run from the initial marking to h: proved
//!     two:      look for a longer step back from one of them, and add it; none: give up
//! ```
//!
//! *Why it is right.* Let S be the solutions. A step back leads from a solution to a solution,
//! since invariants are kept backwards as well, and to one of lower rank. Ranks are natural
//! numbers, so from each solution some sequence of steps back ends in one that has none: in h, if
//! no other solution is without. Read forwards, it is a run from h to that solution. So all of
//! S is reachable from h, and h from the initial marking. All that is used of the two searches
//! is checked exactly: that the steps back lower the rank, that the search through S leaves
//! nothing out, and that the run ends in h.
//!
//! *Where it fails*: where S has markings that cannot be reached (traps that must stay marked,
//! siphons that are empty, sums that are always even); and where steps back are long. Then
//! nothing is claimed. If tokens can be distributed over several places that have some in the
//! beginning, all these distributions have rank zero, and a second ranking tells them apart.

use super::back::{Direction, Firings, Ranking, Tokens, lower, single_steps};
use super::invariants::Invariants;
use super::search::StuckSearch;
use brine_net::Net;
use brine_run::{Pace, Stop};

/// Steps back of several transitions that may be added.
const MOST_LONG_STEPS: usize = 100;
/// Sequences of the run from the initial marking.
const MOST_LEGS: usize = 1_000;

/// True if it is proved that all solutions are reachable.
pub(super) fn all_are_reachable(
    net: &Net,
    invariants: &Invariants,
    pace: &mut Pace<'_>,
) -> Result<bool, Stop> {
    let Some(ranking) = Ranking::of_net(net, pace)? else { return Ok(false) };
    let refined = ranking.refined();
    Ok(proved_by(net, invariants, &ranking, pace)? || proved_by(net, invariants, &refined, pace)?)
}

fn proved_by(
    net: &Net,
    invariants: &Invariants,
    ranking: &Ranking,
    pace: &mut Pace<'_>,
) -> Result<bool, Stop> {
    let mut steps = single_steps(net, ranking, pace)?;
    for _ in 0..MOST_LONG_STEPS {
        let mut stuck = StuckSearch::new(invariants, &steps).find(2, pace)?;
        debug_assert!(!stuck.is_empty(), "a solution of lowest rank has no step back");
        stuck.sort_by_key(|marking| std::cmp::Reverse(ranking.of_marking(marking)));
        if let [home] = stuck.as_slice() {
            return is_reached(net, ranking, home, pace);
        }
        let Some(step) = longer_step(net, ranking, &stuck, pace)? else { return Ok(false) };
        steps.push(step);
    }
    Ok(false)
}

/// A step back from one of these markings.
fn longer_step(
    net: &Net,
    ranking: &Ranking,
    stuck: &[Tokens],
    pace: &mut Pace<'_>,
) -> Result<Option<Firings>, Stop> {
    for marking in stuck {
        if let Some(sequence) = lower(net, ranking, Direction::Backward, marking, pace)? {
            let step = Firings::new(net, Direction::Backward, &sequence);
            debug_assert!(step.needs.iter().all(|&(p, n)| marking[p.index()] >= n));
            debug_assert!(ranking.of(step.change.iter().copied()) < 0, "it lowers the rank");
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// Looks for a run from the initial marking to `home`, down the ranking.
fn is_reached(
    net: &Net,
    ranking: &Ranking,
    home: &Tokens,
    pace: &mut Pace<'_>,
) -> Result<bool, Stop> {
    let mut marking: Tokens = net.places().map(|p| i64::from(p.initial)).collect();
    for _ in 0..MOST_LEGS {
        if marking == *home {
            return Ok(true);
        }
        let Some(leg) = lower(net, ranking, Direction::Forward, &marking, pace)? else {
            return Ok(false);
        };
        Firings::new(net, Direction::Forward, &leg).fire_often(&mut marking);
    }
    Ok(false)
}
