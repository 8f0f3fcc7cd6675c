//! A sample of markings that the net can reach, from short random walks.
//!
//! A conjunction that holds in some such marking cannot be excluded by arguments about the net, so there is no need
//! to ask a linear program about it. A few hundred markings answer most such questions. Which
//! atoms hold where is kept as one row of bits per atom. Cost: one walk per net, with work per
//! step only at the places that change; one evaluation per atom and marking.

use super::view::NetView;
use brine_ltl::Atom;
use brine_net::{Incidence, Net, Rng, TransitionId};
use brine_run::{Control, Stop};
use fixedbitset::FixedBitSet;

/// Markings kept.
const MARKINGS: usize = 256;
/// Steps of one walk, and steps between markings that are kept.
const WALK: usize = 256;
const STRIDE: usize = 8;
/// Numbers kept, over all markings: large nets have smaller samples.
const CELLS: usize = 1 << 20;

/// Reachable markings.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    markings: Vec<Vec<u32>>,
}

/// In which markings of the sample something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SampleRow(FixedBitSet);

impl Sample {
    /// Walks from the initial marking, always the same way for the same net.
    pub(super) fn new(net: &Net, incidence: &Incidence, control: &Control) -> Result<Self, Stop> {
        let mut pace = control.pace();
        let count = MARKINGS.min(CELLS / net.places().len().max(1)).max(STRIDE);
        let mut rng = Rng::new(1);
        let mut markings = vec![net.initial_marking()];
        let (mut walk, mut steps) = (SampleWalk::new(net, incidence), 0);
        while markings.len() < count && steps < count * STRIDE {
            steps += 1;
            // A marking may be copied.
            pace.steps(1 + net.places().len() / STRIDE)?;
            if !walk.step(&mut rng) || steps % WALK == 0 {
                markings.push(walk.marking);
                pace.steps(net.transitions().len())?;
                walk = SampleWalk::new(net, incidence);
            } else if steps % STRIDE == 0 || steps < STRIDE {
                markings.push(walk.marking.clone());
            }
        }
        markings.sort_unstable();
        markings.dedup();
        Ok(Sample { markings })
    }

    /// Where the atom is known to have the value.
    pub(super) fn row(&self, view: &NetView<'_>, atom: &Atom, value: bool) -> SampleRow {
        let mut row = FixedBitSet::with_capacity(self.markings.len());
        for (i, marking) in self.markings.iter().enumerate() {
            row.set(i, view.value(atom, marking) == Some(value));
        }
        SampleRow(row)
    }
}

impl SampleRow {
    /// Do all of the rows meet somewhere?
    pub(super) fn meet(rows: &[&SampleRow]) -> bool {
        let Some((first, others)) = rows.split_first() else { return false };
        let mut all = first.0.clone();
        others.iter().for_each(|row| all.intersect_with(&row.0));
        !all.is_clear()
    }
}

/// A marking with its enabled transitions, kept up to date.
struct SampleWalk<'a> {
    incidence: &'a Incidence,
    marking: Vec<u32>,
    /// For each transition, how many of its input places hold too little.
    missing: Vec<u32>,
    enabled: Vec<TransitionId>,
    /// Where each transition is in `enabled`.
    position: Vec<Option<usize>>,
}

impl<'a> SampleWalk<'a> {
    fn new(net: &Net, incidence: &'a Incidence) -> Self {
        let marking = net.initial_marking();
        let count = net.transitions().len();
        let mut walk = SampleWalk {
            incidence,
            missing: vec![0; count],
            enabled: Vec::new(),
            position: vec![None; count],
            marking,
        };
        for t in net.transition_ids() {
            let short = net.transition(t).pre.iter().filter(|(p, w)| walk.marking[p.index()] < *w);
            walk.missing[t.index()] = short.count() as u32;
            walk.update(t);
        }
        walk
    }

    /// Fires some transition; false if none is enabled or the tokens pass `u32`.
    fn step(&mut self, rng: &mut Rng) -> bool {
        let Some(&t) = self.enabled.get(rng.below(self.enabled.len() as u32) as usize) else {
            return false;
        };
        for &(p, change) in self.incidence.effect(t) {
            let before = self.marking[p.index()];
            debug_assert!(i64::from(before) + change >= 0, "only enabled transitions are fired");
            let Ok(after) = u32::try_from(i64::from(before) + change) else { return false };
            self.marking[p.index()] = after;
            for &(u, weight) in self.incidence.consumers(p) {
                match (before >= weight, after >= weight) {
                    (false, true) => self.missing[u.index()] -= 1,
                    (true, false) => self.missing[u.index()] += 1,
                    _ => continue,
                }
                self.update(u);
            }
        }
        true
    }

    fn update(&mut self, t: TransitionId) {
        match (self.missing[t.index()] == 0, self.position[t.index()]) {
            (true, None) => {
                self.position[t.index()] = Some(self.enabled.len());
                self.enabled.push(t);
            }
            (false, Some(i)) => {
                self.position[t.index()] = None;
                self.enabled.swap_remove(i);
                if let Some(moved) = self.enabled.get(i) {
                    self.position[moved.index()] = Some(i);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_models::philosophers;
    use brine_oracle::reachable_markings;

    #[test]
    fn a_sample_holds_reachable_markings_only() {
        let net = philosophers(4);
        let sample = Sample::new(&net, &Incidence::new(&net), &Control::default()).unwrap();
        let reachable = reachable_markings(&net, 1_000).expect("few");
        assert!(sample.markings.len() > 20);
        assert!(sample.markings.iter().all(|m| reachable.contains(m)));
    }
}
