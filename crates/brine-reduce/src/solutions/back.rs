//! Steps back: sequences of transitions fired backwards, down a ranking.
//!
//! A *ranking* gives each place a number of tokens' worth; the rank of a marking is the sum over
//! its tokens. Here it is the cost of making a token: nothing where the initial marking has some,
//! and otherwise one more than what the cheapest transition that makes it takes. Firing that
//! transition backwards lowers the rank.
//!
//! A *step back* is a sequence of transitions fired backwards, with what a marking must have for
//! it, such that the rank falls. Most are single transitions; where those are not enough,
//! [`lower`] looks for a longer one from one marking, which then serves all markings that have
//! what it needs.

use brine_net::{Net, PlaceId, TransitionId};
use brine_run::{Pace, Stop};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The largest worth of a token: ranks stay within 128 bits.
const MOST_WORTH: i64 = 1 << 50;
/// Markings that a search for a lower rank looks at.
const MOST_MARKINGS: usize = 4_000;
/// Rounds of looking for cheaper ways to make a token.
const MOST_ROUNDS: usize = 200;

/// Tokens by place.
pub(super) type Tokens = Vec<i64>;

/// In which direction transitions are fired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
}

impl Direction {
    /// What a transition takes and puts.
    fn arcs<'n>(
        self,
        net: &'n Net,
        t: TransitionId,
    ) -> (&'n [(PlaceId, u32)], &'n [(PlaceId, u32)]) {
        let transition = net.transition(t);
        match self {
            Direction::Forward => (transition.pre, transition.post),
            Direction::Backward => (transition.post, transition.pre),
        }
    }
}

/// What a token is worth, by place.
#[derive(Clone, Debug)]
pub(super) struct Ranking(Vec<i64>);

impl Ranking {
    /// The cost of making tokens; `None` if some place never gets any, or if it is too large.
    pub(super) fn of_net(net: &Net, pace: &mut Pace<'_>) -> Result<Option<Self>, Stop> {
        let mut worth: Vec<Option<i64>> =
            net.places().map(|p| (p.initial > 0).then_some(0)).collect();
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for t in net.transitions() {
                pace.steps(1 + t.pre.len() + t.post.len())?;
                let cost = t.pre.iter().try_fold(1_i64, |sum, &(p, w)| {
                    sum.checked_add(worth[p.index()]?.checked_mul(i64::from(w))?)
                });
                let Some(cost) = cost.filter(|&cost| cost < MOST_WORTH) else { continue };
                for &(p, w) in t.post {
                    let each = (cost + i64::from(w) - 1) / i64::from(w);
                    if worth[p.index()].is_none_or(|known| each < known) {
                        worth[p.index()] = Some(each);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(worth.into_iter().collect::<Option<Vec<i64>>>().map(Ranking));
            }
        }
        Ok(None)
    }

    /// The same with places that were worth nothing told apart: the first stays so, and each
    /// other one is worth a little more than the one before.
    pub(super) fn refined(&self) -> Ranking {
        let ties = self.0.iter().filter(|&&worth| worth == 0).count() as i64;
        let mut next = 0;
        let refine = |&worth: &i64| match worth {
            0 => {
                next += 1;
                next - 1
            }
            worth => worth.saturating_mul(2 * ties + 2).min(MOST_WORTH),
        };
        Ranking(self.0.iter().map(refine).collect())
    }

    /// The rank of a marking, or what a change of tokens changes about it.
    pub(super) fn of(&self, tokens: impl IntoIterator<Item = (PlaceId, i64)>) -> i128 {
        let worth = |(p, n): (PlaceId, i64)| i128::from(self.0[p.index()]) * i128::from(n);
        tokens.into_iter().map(worth).sum()
    }

    pub(super) fn of_marking(&self, marking: &[i64]) -> i128 {
        self.of(marking.iter().enumerate().map(|(p, &n)| (PlaceId(p as u32), n)))
    }
}

/// A sequence of firings as one: what it needs, and what it changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Firings {
    /// The least tokens with which all of it can be fired.
    pub(super) needs: Vec<(PlaceId, i64)>,
    /// Tokens more or less afterwards.
    pub(super) change: Vec<(PlaceId, i64)>,
}

impl Firings {
    pub(super) fn new(net: &Net, direction: Direction, sequence: &[TransitionId]) -> Firings {
        let (mut needs, mut change) = (FxHashMap::default(), FxHashMap::default());
        for &t in sequence {
            let (takes, puts) = direction.arcs(net, t);
            for &(p, w) in takes {
                let now: &mut i64 = change.entry(p).or_default();
                *now -= i64::from(w);
                let need: &mut i64 = needs.entry(p).or_default();
                *need = (*need).max(-*now);
            }
            for &(p, w) in puts {
                *change.entry(p).or_default() += i64::from(w);
            }
        }
        Firings { needs: listed(needs), change: listed(change) }
    }

    /// Fires it as often as a marking allows; once if that has no end.
    pub(super) fn fire_often(&self, marking: &mut [i64]) {
        debug_assert!(self.needs.iter().all(|&(p, n)| marking[p.index()] >= n), "it can be fired");
        let falls = self.change.iter().filter(|c| c.1 < 0);
        let times = falls.map(|&(p, change)| {
            let need = self.needs.iter().find(|need| need.0 == p).map_or(0, |need| need.1);
            (marking[p.index()] - need) / -change + 1
        });
        let times = times.min().unwrap_or(1);
        self.change.iter().for_each(|&(p, change)| marking[p.index()] += times * change);
        debug_assert!(marking.iter().all(|&n| n >= 0), "nothing is taken that is not there");
    }
}

fn listed(map: FxHashMap<PlaceId, i64>) -> Vec<(PlaceId, i64)> {
    let mut list: Vec<(PlaceId, i64)> = map.into_iter().filter(|entry| entry.1 != 0).collect();
    list.sort_unstable();
    list
}

/// The single transitions that lower the rank backwards.
pub(super) fn single_steps(
    net: &Net,
    ranking: &Ranking,
    pace: &mut Pace<'_>,
) -> Result<Vec<Firings>, Stop> {
    let mut steps = Vec::new();
    for t in net.transition_ids() {
        let step = Firings::new(net, Direction::Backward, &[t]);
        pace.steps(10 * (1 + step.needs.len() + step.change.len()))?;
        if ranking.of(step.change.iter().copied()) < 0 {
            steps.push(step);
        }
    }
    Ok(steps)
}

/// A sequence from a marking to one of lower rank, best ranks first; `None` if none is close.
pub(super) fn lower(
    net: &Net,
    ranking: &Ranking,
    direction: Direction,
    marking: &[i64],
    pace: &mut Pace<'_>,
) -> Result<Option<Vec<TransitionId>>, Stop> {
    let mut seen: FxHashMap<Tokens, usize> = FxHashMap::default();
    // How each marking was reached: from which one, and by which transition.
    let mut ways: Vec<Option<(usize, TransitionId)>> = vec![None];
    let mut all: Vec<(Tokens, i128)> = vec![(marking.to_vec(), 0)];
    seen.insert(marking.to_vec(), 0);
    let mut open = BinaryHeap::from([Reverse((0_i128, 0_usize))]);
    while let Some(Reverse((rank, at))) = open.pop() {
        for t in net.transition_ids() {
            let (takes, puts) = direction.arcs(net, t);
            pace.steps(1 + takes.len())?;
            let here = &all[at].0;
            if takes.iter().any(|&(p, w)| here[p.index()] < i64::from(w)) {
                continue;
            }
            let mut next = here.clone();
            takes.iter().for_each(|&(p, w)| next[p.index()] -= i64::from(w));
            puts.iter().for_each(|&(p, w)| next[p.index()] += i64::from(w));
            pace.steps(next.len())?;
            if seen.contains_key(&next) {
                continue;
            }
            let change = |&(p, w): &(PlaceId, u32)| (p, i64::from(w));
            let rank =
                rank + ranking.of(puts.iter().map(change)) - ranking.of(takes.iter().map(change));
            ways.push(Some((at, t)));
            if rank < 0 {
                return Ok(Some(way_to(&ways)));
            }
            if all.len() == MOST_MARKINGS {
                return Ok(None);
            }
            seen.insert(next.clone(), all.len());
            open.push(Reverse((rank, all.len())));
            all.push((next, rank));
        }
    }
    Ok(None)
}

/// The transitions to what was reached last.
fn way_to(ways: &[Option<(usize, TransitionId)>]) -> Vec<TransitionId> {
    let mut at = ways.len() - 1;
    let mut sequence = Vec::new();
    while let Some((before, t)) = ways[at] {
        sequence.push(t);
        at = before;
    }
    sequence.reverse();
    sequence
}
