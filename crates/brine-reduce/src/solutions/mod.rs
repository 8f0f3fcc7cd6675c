//! Nets whose reachable markings are all solutions of their invariants.
//!
//! A P-semiflow says that a weighted sum of tokens never changes, so each reachable marking
//! solves the equations that the semiflows and the initial marking make. The converse is false in
//! general, but true for many nets whose tokens come in thousands (manufacturing lines,
//! biochemical networks, work-flows with resources). Where it can be proved, the state space is
//! known without any search: it is the set of solutions, and solutions are counted by eliminating
//! one variable after the other, at a cost that hardly depends on the number of tokens.
//!
//! ```text
//! S = { m >= 0 | y m = y m0 for all semiflows y }
//! 1. prove that every m in S is reachable       proof.rs (search.rs, back.rs)
//! 2. count S; of the edges, for each transition
//!    t, the m in S with m >= pre(t)              elimination.rs, number.rs
//! 3. the most tokens: maximise over S            elimination.rs, most.rs
//! ```
//!
//! *Edges.* m >= pre(t) solves y m = y m0 iff m - pre(t) >= 0 solves y m' = y m0 - y pre(t): the
//! same equations with other numbers on their right side.
//!
//! *Cost.* The proof is limited by counted work ([`MOST_PROOF_WORK`]), so that nets for which it
//! fails lose milliseconds. Counting is linear in the numbers on the right sides if the equations
//! hang together like a tree, and tables are piecewise polynomial, as they mostly are.

mod back;
mod elimination;
mod invariants;
mod most;
mod number;
mod plan;
mod proof;
mod search;
#[cfg(test)]
mod tests;

use brine_net::{Net, PlaceId, Structure, TransitionId};
use brine_run::{Control, Stop};
use elimination::{Elimination, Valuation};
use invariants::Invariants;
use most::Most;
use num_bigint::BigUint;
use number::Number;
use rustc_hash::FxHashMap;

/// Elementary steps that a proof may take: some 30 milliseconds.
pub const MOST_PROOF_WORK: u64 = 6_000_000;

/// The reachable markings of a net, as the solutions of its invariants.
#[derive(Debug)]
pub struct SolutionSpace<'n> {
    net: &'n Net,
    invariants: Invariants,
    elimination: Elimination,
}

/// What is known about the reachable markings of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionNumbers {
    /// How many there are.
    pub states: BigUint,
    /// How many pairs of a marking and a transition enabled in it.
    pub edges: BigUint,
    /// The most tokens of a place.
    pub max_in_place: u64,
    /// The most tokens of a marking.
    pub max_in_marking: u64,
}

impl<'n> SolutionSpace<'n> {
    /// Proves that all solutions of the invariants are reachable; `None` if that fails within
    /// `work` elementary steps, or if it is false.
    pub fn prove(
        net: &'n Net,
        structure: &Structure,
        work: u64,
        control: &Control,
    ) -> Result<Option<Self>, Stop> {
        let limited = Control { work: Some(work), ..control.without_work() };
        let mut pace = limited.pace();
        let proved = Invariants::new(net, structure, &mut pace).and_then(|invariants| {
            let Some(invariants) = invariants else { return Ok(None) };
            let proved = proof::all_are_reachable(net, &invariants, &mut pace)?;
            Ok(proved.then_some(invariants))
        });
        let invariants = match proved {
            Ok(Some(invariants)) => invariants,
            Ok(None) | Err(Stop::Work) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let Some(elimination) = Elimination::new(net, &invariants) else { return Ok(None) };
        Ok(Some(SolutionSpace { net, invariants, elimination }))
    }

    /// How many markings have at least these tokens.
    pub fn count(&self, least: &[(PlaceId, u32)], control: &Control) -> Result<BigUint, Stop> {
        match self.invariants.without(least) {
            None => Ok(BigUint::ZERO),
            Some(values) => self.value(&Number, &values, control),
        }
    }

    /// The largest value of a sum of tokens with factors, over all markings.
    pub fn most(&self, factors: &[(PlaceId, u64)], control: &Control) -> Result<u64, Stop> {
        let most = Most::new(self.net, factors)?;
        let value = self.value(&most, &self.invariants.values(), control)?;
        debug_assert!(value.is_some(), "the initial marking is a solution");
        u64::try_from(value.unwrap_or(0)).map_err(|_| Stop::Overflow)
    }

    fn value<V: Valuation>(
        &self,
        valuation: &V,
        values: &[i64],
        control: &Control,
    ) -> Result<V::Value, Stop> {
        self.elimination.evaluate(valuation, values, &mut control.pace())
    }

    /// How many equations there are.
    pub fn invariants(&self) -> usize {
        self.invariants.independent.len()
    }

    /// All numbers; `states` is the number of all markings.
    pub fn numbers(&self, states: BigUint, control: &Control) -> Result<SolutionNumbers, Stop> {
        let all: Vec<(PlaceId, u64)> = self.net.place_ids().map(|p| (p, 1)).collect();
        Ok(SolutionNumbers {
            states,
            edges: self.edges(control)?,
            max_in_place: self.max_in_place(control)?,
            max_in_marking: self.most(&all, control)?,
        })
    }

    /// Transitions that take the same from the invariants are enabled equally often.
    fn edges(&self, control: &Control) -> Result<BigUint, Stop> {
        let mut times: FxHashMap<Vec<i64>, u32> = FxHashMap::default();
        let mut kinds: Vec<Vec<i64>> = Vec::new();
        for t in self.net.transition_ids() {
            let Some(values) = self.invariants.without(self.inputs(t)) else { continue };
            let count = times.entry(values.clone()).or_default();
            if *count == 0 {
                kinds.push(values);
            }
            *count += 1;
        }
        let mut edges = BigUint::ZERO;
        for values in kinds {
            edges += self.value(&Number, &values, control)? * times[&values];
        }
        Ok(edges)
    }

    fn inputs(&self, t: TransitionId) -> &[(PlaceId, u32)] {
        self.net.transition(t).pre
    }

    /// Places are looked at in the order of what their invariants allow.
    fn max_in_place(&self, control: &Control) -> Result<u64, Stop> {
        let mut all: Vec<(i64, PlaceId)> =
            self.net.place_ids().map(|p| (self.invariants.bound(p), p)).collect();
        all.sort_by_key(|&(bound, p)| (-bound, p));
        let mut best = 0;
        for (bound, p) in all {
            if u64::try_from(bound).is_ok_and(|bound| bound <= best) {
                break;
            }
            best = best.max(self.most(&[(p, 1)], control)?);
        }
        Ok(best)
    }
}
