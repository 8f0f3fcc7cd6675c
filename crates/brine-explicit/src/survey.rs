//! Random walks that learn about all places and transitions at once.
//!
//! A survey answers the existential half of many questions together: which transitions can be
//! enabled, how many tokens sums of places can reach, which sums change, whether a marking is
//! dead. Everything it says was seen in a reachable marking; what it has not seen may still be.
//!
//! ```text
//! repeat until the work is done:
//!     from the initial marking, walks of growing length:
//!         draw a few enabled transitions; fire the one that raises the sum that is looked at
//!         most, or else the one that was fired least
//!         note what the new marking shows
//! ```
//!
//! *Invariant.* `missing[t]` is the number of input places of `t` that hold too little, and
//! `enabled` lists exactly the transitions with none. Both are kept by looking at the consumers of
//! places whose tokens changed, so a step costs their number, not that of all transitions.

use brine_net::{Incidence, Net, PlaceId, Rng, Run, TransitionId};
use brine_run::{Control, Stop};

/// A sum of places with coefficients, and what was seen of it.
#[derive(Clone, Debug)]
pub struct SurveyedSum {
    /// The most that was seen.
    pub most: i64,
    /// The least that was seen.
    pub least: i64,
    /// Nothing more is wanted of it.
    pub settled: bool,
}

/// What was seen in reachable markings of one net.
#[derive(Debug)]
pub struct Survey<'n> {
    net: &'n Net,
    incidence: &'n Incidence,
    /// Of every place, the sums that it is in.
    sums_of: Vec<Vec<(u32, i64)>>,
    /// What was seen of each sum.
    pub sums: Vec<SurveyedSum>,
    /// Whether a transition was enabled in some marking.
    pub enabled_once: Vec<bool>,
    /// Whether a dead marking was reached.
    pub deadlock: bool,
    /// Whether a number of tokens passed 32 bits: what comes after is not followed.
    pub overflowed: bool,
    fired: Vec<u32>,
    rng: Rng,
    length: usize,
    walks: usize,
    initial: Position,
    at: Position,
}

/// Where a walk is.
#[derive(Clone, Debug, Default)]
struct Position {
    marking: Vec<u32>,
    values: Vec<i64>,
    missing: Vec<u32>,
    enabled: Vec<TransitionId>,
    /// Where each transition stands in `enabled`.
    place_in_list: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;
/// Length of the first walks.
const FIRST_LENGTH: usize = 64;
/// Length of the longest.
const LONGEST: usize = 1 << 16;
/// Enabled transitions that are drawn for a step.
const DRAWN: usize = 3;

impl<'n> Survey<'n> {
    /// Nothing but the initial marking was seen.
    pub fn new(net: &'n Net, incidence: &'n Incidence, sums: &[Vec<(PlaceId, i64)>]) -> Self {
        let mut sums_of = vec![Vec::new(); net.places().len()];
        for (i, terms) in sums.iter().enumerate() {
            for &(p, factor) in terms {
                sums_of[p.index()].push((i as u32, factor));
            }
        }
        let at = Position::initial(net, sums);
        let seen = |&v: &i64| SurveyedSum { most: v, least: v, settled: false };
        let mut survey = Survey {
            net,
            incidence,
            sums_of,
            sums: at.values.iter().map(seen).collect(),
            enabled_once: vec![false; net.transitions().len()],
            deadlock: false,
            overflowed: false,
            fired: vec![0; net.transitions().len()],
            rng: Rng::new(1),
            length: FIRST_LENGTH,
            walks: 0,
            initial: at.clone(),
            at,
        };
        survey.note_enabled();
        survey
    }

    fn note_enabled(&mut self) {
        for t in &self.at.enabled {
            self.enabled_once[t.index()] = true;
        }
        self.deadlock |= self.at.enabled.is_empty();
    }

    /// Walks for so many steps, or until the control ends it.
    pub fn walk(&mut self, steps: u64, control: &Control) -> Result<(), Stop> {
        let mut pace = control.pace();
        let mut left = steps;
        while left > 0 {
            self.at.clone_from(&self.initial);
            let open: Vec<usize> =
                (0..self.sums.len()).filter(|&i| !self.sums[i].settled).collect();
            let target = (!open.is_empty()).then(|| open[self.walks % open.len()]);
            pace.steps(1 + self.net.places().len() / 8)?;
            for _ in 0..self.length.min(left as usize) {
                left -= 1;
                let Some(t) = self.choose(target) else { break };
                let cost = self.fire(t);
                pace.steps(1 + cost)?;
                if self.overflowed {
                    return Ok(());
                }
            }
            self.walks += 1;
            if self.walks.is_multiple_of(8) {
                self.length = (2 * self.length).min(LONGEST);
            }
        }
        Ok(())
    }

    /// Goes along a run from the initial marking, and walks on from its end for so many steps.
    /// A run that cannot be fired is followed as far as it goes.
    pub fn follow(&mut self, run: &Run, steps: u64, control: &Control) -> Result<(), Stop> {
        if self.overflowed {
            return Ok(());
        }
        let mut pace = control.pace();
        self.at.clone_from(&self.initial);
        pace.steps(1 + self.net.places().len() / 8)?;
        for t in run.steps() {
            if self.at.missing[t.index()] != 0 || self.overflowed {
                return Ok(());
            }
            let cost = self.fire(t);
            pace.steps(1 + cost)?;
        }
        for _ in 0..steps {
            let Some(t) = self.choose(None).filter(|_| !self.overflowed) else { break };
            let cost = self.fire(t);
            pace.steps(1 + cost)?;
        }
        Ok(())
    }

    /// Where the last walk has come to.
    pub fn here(&self) -> &[u32] {
        &self.at.marking
    }

    /// The next transition; none in a dead marking.
    fn choose(&mut self, target: Option<usize>) -> Option<TransitionId> {
        let enabled = self.at.enabled.len();
        if enabled == 0 {
            return None;
        }
        let mut best: Option<(i64, u32, TransitionId)> = None;
        for _ in 0..DRAWN.min(enabled) {
            let t = self.at.enabled[self.rng.index(enabled)];
            let gain = target.map_or(0, |target| self.gain(t, target));
            let fired = self.fired[t.index()];
            if best.is_none_or(|(g, f, _)| gain > g || gain == g && fired < f) {
                best = Some((gain, fired, t));
            }
        }
        best.map(|(_, _, t)| t)
    }

    /// What a transition adds to a sum.
    fn gain(&self, t: TransitionId, target: usize) -> i64 {
        let effect = self.incidence.effect(t).iter();
        let of_place = |&(p, change): &(PlaceId, i64)| {
            let sums = self.sums_of[p.index()].iter();
            sums.filter(|s| s.0 as usize == target).map(|s| s.1.saturating_mul(change)).sum::<i64>()
        };
        effect.map(of_place).sum()
    }

    /// Fires an enabled transition; how much there was to look at.
    fn fire(&mut self, t: TransitionId) -> usize {
        let fired = &mut self.fired[t.index()];
        *fired = fired.saturating_add(1);
        let mut cost = 0;
        for &(p, change) in self.incidence.effect(t) {
            let before = self.at.marking[p.index()];
            let Ok(after) = u32::try_from(i64::from(before) + change) else {
                self.overflowed = true;
                return cost;
            };
            self.at.marking[p.index()] = after;
            for &(sum, factor) in &self.sums_of[p.index()] {
                let value = &mut self.at.values[sum as usize];
                *value = value.saturating_add(factor.saturating_mul(change));
            }
            cost += 1;
            for &(u, weight) in self.incidence.consumers(p) {
                cost += 1;
                self.at.changed(u, before >= weight, after >= weight);
            }
        }
        for &(p, _) in self.incidence.effect(t) {
            for &(sum, _) in &self.sums_of[p.index()] {
                let (seen, value) = (&mut self.sums[sum as usize], self.at.values[sum as usize]);
                seen.most = seen.most.max(value);
                seen.least = seen.least.min(value);
            }
            for &(u, _) in self.incidence.consumers(p) {
                if self.at.missing[u.index()] == 0 {
                    self.enabled_once[u.index()] = true;
                }
            }
        }
        debug_assert!(self.at.enabled.iter().all(|u| self.at.missing[u.index()] == 0));
        self.deadlock |= self.at.enabled.is_empty();
        cost
    }
}

impl Position {
    fn initial(net: &Net, sums: &[Vec<(PlaceId, i64)>]) -> Self {
        let marking = net.initial_marking();
        let value = |terms: &Vec<(PlaceId, i64)>| -> i64 {
            let tokens = |p: PlaceId| i64::from(marking[p.index()]);
            terms.iter().fold(0, |v: i64, &(p, c)| v.saturating_add(c.saturating_mul(tokens(p))))
        };
        let values = sums.iter().map(value).collect();
        let lacks = |t: TransitionId| {
            let short = net.transition(t).pre.iter().filter(|&&(p, w)| marking[p.index()] < w);
            short.count() as u32
        };
        let missing: Vec<u32> = net.transition_ids().map(lacks).collect();
        let place_in_list = vec![ABSENT; missing.len()];
        let mut at = Position { marking, values, missing, enabled: Vec::new(), place_in_list };
        for t in net.transition_ids() {
            if at.missing[t.index()] == 0 {
                at.enter(t);
            }
        }
        at
    }

    fn enter(&mut self, t: TransitionId) {
        self.place_in_list[t.index()] = self.enabled.len() as u32;
        self.enabled.push(t);
    }

    fn leave(&mut self, t: TransitionId) {
        let at = std::mem::replace(&mut self.place_in_list[t.index()], ABSENT) as usize;
        self.enabled.swap_remove(at);
        if let Some(&moved) = self.enabled.get(at) {
            self.place_in_list[moved.index()] = at as u32;
        }
    }

    /// An input of a transition was or was not enough, and is or is not now.
    fn changed(&mut self, t: TransitionId, before: bool, after: bool) {
        let missing = &mut self.missing[t.index()];
        match (before, after) {
            (true, false) => {
                *missing += 1;
                if *missing == 1 {
                    self.leave(t);
                }
            }
            (false, true) => {
                *missing -= 1;
                if *missing == 0 {
                    self.enter(t);
                }
            }
            _ => (),
        }
    }
}
