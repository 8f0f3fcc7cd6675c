//! The equations that semiflows make.
//!
//! *Which.* All semiflows that were found narrow the search of a proof; an independent part of
//! them is enough to count. It is chosen by elimination modulo a prime: what is independent there
//! is independent. That it says as much as all others is certified by its size: the invariants of
//! a net with p places and effects of rank r span p - r dimensions, and r is at least the rank
//! modulo the prime. If there are fewer, nothing is claimed.

use brine_net::{Net, PlaceId, Structure};
use brine_run::{Pace, Stop};

/// The largest number on a right side: sums of products stay far within 64 bits.
const MOST_VALUE: u64 = 1 << 40;
/// Places and rows beyond which sums might not.
const MOST_PLACES: usize = 1 << 16;
const PRIME: u64 = (1 << 61) - 1;

/// A weighted sum of tokens that never changes.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) terms: Vec<(PlaceId, i64)>,
    pub(super) value: i64,
}

/// Equations that every reachable marking solves, and that bound every place.
#[derive(Debug)]
pub(super) struct Invariants {
    /// Short ones first.
    pub(super) rows: Vec<Row>,
    /// The rows of each place.
    pub(super) of_place: Vec<Vec<usize>>,
    /// Rows that say as much as all.
    pub(super) independent: Vec<usize>,
    bounds: Vec<i64>,
}

impl Invariants {
    /// `None` if they do not bound all places, or do not span the net's invariants.
    pub(super) fn new(
        net: &Net,
        structure: &Structure,
        pace: &mut Pace<'_>,
    ) -> Result<Option<Self>, Stop> {
        let places = net.places().len();
        let flows = structure.semiflows.flows.iter().filter(|flow| !flow.falls);
        let mut rows = Vec::new();
        for flow in flows {
            pace.steps(1 + flow.weights.len())?;
            let weight = |&(p, w): &(PlaceId, u64)| Some((p, i64::try_from(w).ok()?));
            let terms: Option<Vec<_>> = flow.weights.iter().map(weight).collect();
            match terms {
                Some(terms) if flow.value <= MOST_VALUE => {
                    rows.push(Row { terms, value: flow.value as i64 });
                }
                _ => return Ok(None),
            }
        }
        rows.sort_by_key(|row| row.terms.len());
        let mut bounds = vec![i64::MAX; places];
        let mut of_place = vec![Vec::new(); places];
        for (i, row) in rows.iter().enumerate() {
            for &(p, weight) in &row.terms {
                bounds[p.index()] = bounds[p.index()].min(row.value / weight);
                of_place[p.index()].push(i);
            }
        }
        if places == 0 || places > MOST_PLACES || bounds.contains(&i64::MAX) {
            return Ok(None);
        }
        let mut effects = Echelon::default();
        for t in net.transition_ids() {
            let terms = structure.incidence.effect(t).iter().map(|&(p, effect)| (p, effect));
            effects.add(terms, pace)?;
        }
        let mut chosen = Echelon::default();
        let mut independent = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            if chosen.add(row.terms.iter().copied(), pace)? {
                independent.push(i);
            }
        }
        debug_assert!(chosen.rank() + effects.rank() <= places, "invariants ignore all effects");
        let spans = chosen.rank() + effects.rank() == places;
        Ok(spans.then_some(Invariants { rows, of_place, independent, bounds }))
    }

    /// The most tokens that the equations, one by one, allow a place.
    pub(super) fn bound(&self, p: PlaceId) -> i64 {
        self.bounds[p.index()]
    }

    /// The right sides of the independent rows.
    pub(super) fn values(&self) -> Vec<i64> {
        self.independent.iter().map(|&i| self.rows[i].value).collect()
    }

    /// The same without these tokens; `None` if they are more than there are.
    pub(super) fn without(&self, tokens: &[(PlaceId, u32)]) -> Option<Vec<i64>> {
        if tokens.iter().any(|&(p, n)| i64::from(n) > self.bound(p)) {
            return None;
        }
        let rest = |&i: &usize| {
            let row = &self.rows[i];
            let taken = tokens.iter().map(|&(p, n)| {
                let at = row.terms.binary_search_by_key(&p, |term| term.0);
                at.map_or(0, |at| row.terms[at].1 * i64::from(n))
            });
            Some(row.value - taken.sum::<i64>()).filter(|&rest| rest >= 0)
        };
        self.independent.iter().map(rest).collect()
    }
}

/// Rows modulo [`PRIME`], each with a leading place that no later row has.
#[derive(Default)]
struct Echelon {
    /// By leading place, which has factor one; terms in the order of places.
    rows: std::collections::BTreeMap<PlaceId, Vec<(PlaceId, u64)>>,
}

impl Echelon {
    fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row; false if it depends on those before.
    fn add(
        &mut self,
        terms: impl Iterator<Item = (PlaceId, i64)>,
        pace: &mut Pace<'_>,
    ) -> Result<bool, Stop> {
        let residue = |n: i64| n.rem_euclid(PRIME as i64) as u64;
        let mut row: Vec<(PlaceId, u64)> = terms.map(|(p, n)| (p, residue(n))).collect();
        row.retain(|term| term.1 != 0);
        debug_assert!(row.is_sorted_by_key(|term| term.0), "places in order, each once");
        while let Some(&(lead, factor)) = row.first() {
            let Some(known) = self.rows.get(&lead) else {
                let inverse = power(factor, PRIME - 2);
                row.iter_mut().for_each(|term| term.1 = times(term.1, inverse));
                self.rows.insert(lead, row);
                return Ok(true);
            };
            pace.steps(row.len() + known.len())?;
            row = minus(&row, known, factor);
            debug_assert!(row.first().is_none_or(|term| term.0 > lead), "the lead has gone");
        }
        Ok(false)
    }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// `a - factor * b`
fn minus(a: &[(PlaceId, u64)], b: &[(PlaceId, u64)], factor: u64) -> Vec<(PlaceId, u64)> {
    let negated = PRIME - factor;
    let (mut i, mut k) = (0, 0);
    let mut result = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || k < b.len() {
        let from_a = a.get(i).filter(|x| b.get(k).is_none_or(|y| x.0 <= y.0));
        let from_b = b.get(k).filter(|y| a.get(i).is_none_or(|x| y.0 <= x.0));
        i += usize::from(from_a.is_some());
        k += usize::from(from_b.is_some());
        let added = from_b.map_or(0, |y| times(y.1, negated));
        let value = (from_a.map_or(0, |x| x.1) + added) % PRIME;
        if let Some(&(p, _)) = from_a.or(from_b)
            && value != 0
        {
            result.push((p, value));
        }
    }
    result
}
