//! The arcs of one side of a net, input or output, in one array: 8 bytes an arc, 4 a transition.

use crate::{PlaceId, TransitionId};
use brine_run::{Pace, Stop};

/// The arcs of all transitions, transition after transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arcs {
    /// Where the arcs of each transition start; one more, the end of the last one.
    starts: Vec<u32>,
    pub(crate) arcs: Vec<(PlaceId, u32)>,
}

impl Default for Arcs {
    fn default() -> Self {
        Arcs { starts: vec![0], arcs: Vec::new() }
    }
}

impl Arcs {
    /// How many transitions there are.
    #[inline]
    pub(crate) fn transitions(&self) -> usize {
        self.starts.len() - 1
    }

    /// The arcs of one transition.
    #[inline]
    pub(crate) fn of(&self, t: TransitionId) -> &[(PlaceId, u32)] {
        &self.arcs[self.starts[t.index()] as usize..self.starts[t.index() + 1] as usize]
    }

    /// Adds a transition with its arcs.
    pub(crate) fn push(&mut self, arcs: &[(PlaceId, u32)]) {
        self.arcs.extend_from_slice(arcs);
        self.starts.push(self.arcs.len() as u32);
    }

    /// The starts are numbers of 32 bits: more arcs than they reach make them wrong.
    pub(crate) fn fits(&self) -> bool {
        u32::try_from(self.arcs.len()).is_ok()
    }

    /// The first transition with an arc to a place that is not among the first `places`.
    pub(crate) fn reaches_beyond(&self, places: usize) -> Option<TransitionId> {
        let arc = self.arcs.iter().position(|(p, _)| p.index() >= places)?;
        let t = self.starts.partition_point(|&start| start as usize <= arc) - 1;
        Some(TransitionId(t as u32))
    }

    /// The same with more arcs for transitions that are already there, in any order.
    pub(crate) fn with(self, late: &[(TransitionId, PlaceId, u32)]) -> Arcs {
        let mut starts = vec![0; self.starts.len()];
        late.iter().for_each(|(t, ..)| starts[t.index() + 1] += 1);
        for t in 0..self.transitions() {
            starts[t + 1] += starts[t] + self.starts[t + 1] - self.starts[t];
        }
        let mut next: Vec<u32> = starts[..self.transitions()].to_vec();
        let mut arcs = vec![(PlaceId(0), 0); self.arcs.len() + late.len()];
        let mut place = |t: TransitionId, arc| {
            arcs[next[t.index()] as usize] = arc;
            next[t.index()] += 1;
        };
        for t in (0..self.transitions() as u32).map(TransitionId) {
            self.of(t).iter().for_each(|&arc| place(t, arc));
        }
        late.iter().for_each(|&(t, p, weight)| place(t, (p, weight)));
        debug_assert!(next == starts[1..], "every transition has its arcs");
        Arcs { starts, arcs }
    }

    /// Sorts the arcs of each transition by place, adds up parallel ones and drops those of
    /// weight zero. Arcs only move towards the front of the array.
    pub(crate) fn merge(&mut self, pace: &mut Pace<'_>) -> Result<(), MergeError> {
        let (mut start, mut kept) = (0, 0);
        for t in 0..self.transitions() {
            let end = self.starts[t + 1] as usize;
            pace.steps(1 + end - start)?;
            let merged = merge(&mut self.arcs[start..end]);
            let merged = merged.ok_or(MergeError::Overflow(TransitionId(t as u32)))?;
            if kept < start {
                self.arcs.copy_within(start..start + merged, kept);
            }
            kept += merged;
            start = end;
            self.starts[t + 1] = kept as u32;
        }
        self.arcs.truncate(kept);
        self.arcs.shrink_to_fit();
        self.starts.shrink_to_fit();
        Ok(())
    }
}

/// Why arcs cannot be merged.
pub(crate) enum MergeError {
    /// The weights of parallel arcs of this transition add up to more than `u32`.
    Overflow(TransitionId),
    /// A budget ended.
    Stopped(Stop),
}

impl From<Stop> for MergeError {
    fn from(stop: Stop) -> Self {
        MergeError::Stopped(stop)
    }
}

/// Sorts and merges in place; how many are left, at the front.
fn merge(arcs: &mut [(PlaceId, u32)]) -> Option<usize> {
    arcs.sort_unstable();
    let mut kept = 0;
    let mut i = 0;
    while i < arcs.len() {
        let (p, mut weight) = arcs[i];
        i += 1;
        while i < arcs.len() && arcs[i].0 == p {
            weight = weight.checked_add(arcs[i].1)?;
            i += 1;
        }
        if weight > 0 {
            arcs[kept] = (p, weight);
            kept += 1;
        }
    }
    debug_assert!(arcs[..kept].is_sorted_by(|a, b| a.0 < b.0), "sorted, each place once");
    Some(kept)
}
