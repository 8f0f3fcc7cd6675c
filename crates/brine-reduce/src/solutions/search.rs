//! Solutions of invariants from which no step back can be taken.
//!
//! ```text
//! box: lowest and highest tokens of each place
//! narrow the box by the invariants (what the other places can have at most and at least)
//! some step back has all that it needs in the whole box:    nothing here
//! some step back is possible in a part of the box:           branch on what it may lack
//! no step back is possible anywhere:                         halve the box down to a marking
//! ```
//!
//! *Invariant.* Each marking that is looked for and was in the box is in one of the boxes it is
//! branched into: where a step back is not possible, one of its needs is not met. The branches
//! do not overlap, since each later one has the needs of those before.
//!
//! *Cost.* Exponential in the worst case, and limited by the caller's work. Depth: an explicit
//! stack.

use super::back::{Firings, Tokens};
use super::invariants::Invariants;
use brine_net::PlaceId;
use brine_run::{Pace, Stop};

/// A part of a box: these tokens at least, and at most.
type Part = (PlaceId, i64, i64);

/// A part of a box to look at.
struct Alternative {
    /// Holds in it and in all that follow: what the one before left out.
    first: Option<Part>,
    part: Part,
}

/// A place where the search branches.
struct Branch {
    /// What is still to be tried, last first.
    open: Vec<Alternative>,
    /// How far the trail goes before the branch.
    trail: usize,
}

/// The search.
pub(super) struct StuckSearch<'a> {
    invariants: &'a Invariants,
    steps: &'a [Firings],
    low: Vec<i64>,
    high: Vec<i64>,
    /// Bounds before they were narrowed.
    trail: Vec<Part>,
}

impl<'a> StuckSearch<'a> {
    pub(super) fn new(invariants: &'a Invariants, steps: &'a [Firings]) -> Self {
        let places = invariants.of_place.len();
        let high = (0..places).map(|p| invariants.bound(PlaceId(p as u32))).collect();
        StuckSearch { invariants, steps, low: vec![0; places], high, trail: Vec::new() }
    }

    /// The first `most` such solutions.
    pub(super) fn find(&mut self, most: usize, pace: &mut Pace<'_>) -> Result<Vec<Tokens>, Stop> {
        let mut found = Vec::new();
        let mut branches: Vec<Branch> = Vec::new();
        let mut holds = self.narrow((0..self.invariants.rows.len()).collect(), pace)?;
        loop {
            if holds {
                match self.look(pace)? {
                    Look::Nothing => {}
                    Look::Marking => {
                        debug_assert!(self.is_solution(), "narrowing is exact on markings");
                        found.push(self.low.clone());
                        if found.len() == most {
                            return Ok(found);
                        }
                    }
                    Look::Parts(open) => branches.push(Branch { open, trail: self.trail.len() }),
                }
            }
            let Some(part) = self.next_part(&mut branches, pace)? else { return Ok(found) };
            holds = self.assume(part, pace)?;
        }
    }

    /// Goes back to the last branch with a part to try.
    fn next_part(
        &mut self,
        branches: &mut Vec<Branch>,
        pace: &mut Pace<'_>,
    ) -> Result<Option<Part>, Stop> {
        while let Some(branch) = branches.last_mut() {
            let (trail, next) = (branch.trail, branch.open.pop());
            self.undo(trail);
            let Some(Alternative { first, part }) = next else {
                branches.pop();
                continue;
            };
            let holds = first.map_or(Ok(true), |first| self.assume(first, pace))?;
            if holds {
                if let Some(branch) = branches.last_mut() {
                    branch.trail = self.trail.len();
                }
                return Ok(Some(part));
            }
            branches.pop();
        }
        Ok(None)
    }

    /// What the box holds.
    fn look(&mut self, pace: &mut Pace<'_>) -> Result<Look, Stop> {
        let mut fewest: Option<Vec<(PlaceId, i64)>> = None;
        for step in self.steps {
            pace.steps(1 + step.needs.len())?;
            if step.needs.iter().any(|&(p, n)| self.high[p.index()] < n) {
                continue;
            }
            let open = step.needs.iter().filter(|&&(p, n)| self.low[p.index()] < n);
            let count = open.clone().count();
            if count == 0 {
                return Ok(Look::Nothing);
            }
            if fewest.as_ref().is_none_or(|fewest| count < fewest.len()) {
                fewest = Some(open.copied().collect());
                if count == 1 {
                    break;
                }
            }
        }
        if let Some(open) = fewest {
            let met = |&(p, n): &(PlaceId, i64)| Some((p, n, i64::MAX));
            let firsts = std::iter::once(None).chain(open.iter().map(met));
            let all = open.iter().zip(firsts);
            let all = all.map(|(&(p, n), first)| Alternative { first, part: (p, 0, n - 1) });
            return Ok(Look::Parts(all.collect::<Vec<_>>().into_iter().rev().collect()));
        }
        pace.steps(self.low.len())?;
        let spread = |p: &usize| self.high[*p] - self.low[*p];
        let widest = (0..self.low.len()).filter(|p| spread(p) > 0).min_by_key(spread);
        let Some(p) = widest else { return Ok(Look::Marking) };
        let (low, high) = (self.low[p], self.high[p]);
        let (place, middle) = (PlaceId(p as u32), low + (high - low) / 2);
        let halves = [(place, middle + 1, high), (place, low, middle)];
        Ok(Look::Parts(halves.map(|part| Alternative { first: None, part }).into()))
    }

    fn is_solution(&self) -> bool {
        let sum = |terms: &[(PlaceId, i64)]| -> i64 {
            terms.iter().map(|&(p, w)| w * self.low[p.index()]).sum()
        };
        self.invariants.rows.iter().all(|row| sum(&row.terms) == row.value)
    }

    /// Narrows the box to a part; false if nothing is left.
    fn assume(&mut self, (p, low, high): Part, pace: &mut Pace<'_>) -> Result<bool, Stop> {
        let mut rows = Vec::new();
        if !self.bound(p, low, high, &mut rows) {
            return Ok(false);
        }
        self.narrow(rows, pace)
    }

    fn bound(&mut self, p: PlaceId, low: i64, high: i64, rows: &mut Vec<usize>) -> bool {
        let i = p.index();
        if low > self.low[i] || high < self.high[i] {
            self.trail.push((p, self.low[i], self.high[i]));
            self.low[i] = self.low[i].max(low);
            self.high[i] = self.high[i].min(high);
            rows.extend(&self.invariants.of_place[i]);
        }
        self.low[i] <= self.high[i]
    }

    /// Narrows the box by these rows, and by those that follow; false if nothing is left.
    fn narrow(&mut self, mut rows: Vec<usize>, pace: &mut Pace<'_>) -> Result<bool, Stop> {
        let invariants = self.invariants;
        while let Some(at) = rows.pop() {
            let row = &invariants.rows[at];
            pace.steps(1 + row.terms.len())?;
            let (mut least, mut most) = (0, 0);
            for &(p, w) in &row.terms {
                least += w * self.low[p.index()];
                most += w * self.high[p.index()];
            }
            if least > row.value || most < row.value {
                return Ok(false);
            }
            for &(p, w) in &row.terms {
                let i = p.index();
                let high = (row.value - least) / w + self.low[i];
                let low = self.high[i] - (most - row.value) / w;
                if !self.bound(p, low, high, &mut rows) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn undo(&mut self, trail: usize) {
        while self.trail.len() > trail {
            if let Some((p, low, high)) = self.trail.pop() {
                (self.low[p.index()], self.high[p.index()]) = (low, high);
            }
        }
    }
}

/// What a box holds.
enum Look {
    /// No marking without a step back.
    Nothing,
    /// One marking, without a step back.
    Marking,
    /// It has to be looked at in parts, last first.
    Parts(Vec<Alternative>),
}
