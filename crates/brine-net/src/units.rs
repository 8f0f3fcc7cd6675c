//! Groups of places that hold at most one token together: the multi-place levels.
//!
//! Two sources. The units of a NUPN part that was proved (see [`crate::check_nupn`]), each
//! with its own places. And semiflows: where every weight is more than half of the value,
//! there is room for one token only, so the places of such a semiflow form a group, and so
//! does any part of them. Groups must not overlap, so semiflows are taken greedily: the
//! one that adds most places next, ties to the first places, each reduced to the places
//! that are still free. All of it is deterministic.
//!
//! Invariant: every group that is returned is proved to hold at most one token in every
//! reachable marking, and no place is in two groups.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::invariants::Semiflow;
use crate::{Net, NupnCheck, PlaceId};

/// Where groups come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitSource {
    /// The NUPN part of the file, after its proof.
    Nupn,
    /// Semiflows.
    Semiflows,
}

/// Disjoint groups of places, each proved to hold at most one token in total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Units {
    /// The groups, places sorted, groups by their first place; each has at least two places.
    pub groups: Vec<Vec<PlaceId>>,
    /// Where they come from.
    pub source: UnitSource,
}

impl Units {
    /// The groups, plus every other place alone: a partition of all places, by first place.
    ///
    /// ```
    /// use brine_net::{PlaceId, UnitSource, Units};
    /// let units = Units {
    ///     groups: vec![vec![PlaceId(0), PlaceId(2)]],
    ///     source: UnitSource::Semiflows,
    /// };
    /// assert_eq!(units.partition(3), [vec![PlaceId(0), PlaceId(2)], vec![PlaceId(1)]]);
    /// ```
    pub fn partition(&self, places: usize) -> Vec<Vec<PlaceId>> {
        let mut grouped = vec![false; places];
        for &p in self.groups.iter().flatten() {
            grouped[p.index()] = true;
        }
        let alone = (0..places as u32).map(PlaceId).filter(|p| !grouped[p.index()]);
        let mut all = self.groups.clone();
        all.extend(alone.map(|p| vec![p]));
        all.sort();
        all
    }
}

/// The units of a proved NUPN part; `None` if there is none or it was not proved.
pub fn nupn_units(net: &Net, check: Option<&NupnCheck>) -> Option<Units> {
    let nupn = net.nupn().filter(|_| check.is_some_and(NupnCheck::is_proved))?;
    let mut groups: Vec<Vec<PlaceId>> =
        nupn.units.iter().map(|u| u.places.clone()).filter(|g| g.len() > 1).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort();
    debug_assert!(are_units(net, &groups));
    Some(Units { groups, source: UnitSource::Nupn })
}

/// Groups recovered from semiflows with room for one token.
///
/// ```
/// use brine_net::{Incidence, NetBuilder, invariants::semiflows, semiflow_units};
/// let mut b = NetBuilder::new("n");
/// let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 3));
/// b.transition("t", &[(p, 1)], &[(q, 1)]);
/// b.transition("u", &[(q, 1), (r, 1)], &[(p, 1), (r, 1)]);
/// let net = b.build().unwrap();
/// let found = semiflows(&net, &Incidence::new(&net), 1000);
/// assert_eq!(semiflow_units(&net, &found.flows).groups, [vec![p, q]]);
/// ```
pub fn semiflow_units(net: &Net, flows: &[Semiflow]) -> Units {
    let candidates: Vec<Vec<PlaceId>> =
        flows.iter().map(|flow| flow.room_for_one().collect()).collect();
    let mut free = vec![true; net.places().len()];
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> =
        candidates.iter().enumerate().map(|(i, c)| (c.len(), Reverse(i))).collect();
    let mut groups = Vec::new();
    // A gain only ever shrinks, so a stale entry is put back with its true gain.
    while let Some((gain, Reverse(i))) = queue.pop() {
        if gain < 2 {
            break;
        }
        let group: Vec<PlaceId> =
            candidates[i].iter().copied().filter(|p| free[p.index()]).collect();
        if group.len() < gain {
            queue.push((group.len(), Reverse(i)));
            continue;
        }
        group.iter().for_each(|p| free[p.index()] = false);
        groups.push(group);
    }
    groups.sort();
    debug_assert!(are_units(net, &groups));
    Units { groups, source: UnitSource::Semiflows }
}

/// No place is in two groups, and each group holds at most one token at the start.
fn are_units(net: &Net, groups: &[Vec<PlaceId>]) -> bool {
    let mut seen = vec![false; net.places().len()];
    let fresh = |p: &PlaceId| !std::mem::replace(&mut seen[p.index()], true);
    let tokens = |g: &Vec<PlaceId>| g.iter().map(|&p| u64::from(net.place(p).initial)).sum::<u64>();
    groups.iter().flatten().all(fresh) && groups.iter().all(|g| tokens(g) <= 1)
}
