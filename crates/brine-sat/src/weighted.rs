//! Numbers of a net whose markings stand for those of another one.
//!
//! A reduction that keeps markings recoverable leaves a smaller net, and says how many markings
//! of the original net each place's tokens are worth ([`Weighting`]). The numbers of the
//! original net are then read off the diagram of the smaller one: paths are counted with
//! weights, and sums are maximised along paths. *Cost*: as without weights, times the arithmetic
//! on large numbers; a number for each local state of a level.

use crate::measure::{EdgeCount, StateSpace, edges};
use crate::model::{Level, LevelModel, StepId};
use brine_dd::{Dd, NodeId, Stop};
use brine_net::{Interner, PlaceId};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::ops::Mul;
use std::sync::Arc;

/// Numbers by tokens.
pub type Weights = Arc<[BigUint]>;

/// What markings are worth.
#[derive(Clone, Debug)]
pub struct Weighting {
    /// Every marking counts so often, times the weights of its places.
    pub factor: BigUint,
    /// Per place; `None` if all are 1.
    pub weights: Vec<Option<Weights>>,
    /// For each original transition that may be enabled.
    pub guards: Vec<WeightedGuard>,
    /// What `guards` count too much.
    pub excess: Vec<WeightedGuard>,
    /// Whether `guards` tell the edges.
    pub tells_edges: bool,
    /// The most tokens of an original marking, as a constant and factors of places.
    pub all_tokens: (i128, Vec<(PlaceId, u64)>),
    /// The same for each original place.
    pub tokens_of_places: Vec<(i128, Vec<(PlaceId, u64)>)>,
}

/// In how many original markings something is true: a constant factor, and the places whose
/// numbers replace the weights.
pub type WeightedGuard = (BigUint, Vec<(PlaceId, Weights)>);

/// The most tokens that each place of the net holds in a marking of `reached`.
pub fn place_maxima(dd: &Dd, model: &LevelModel, reached: NodeId) -> Vec<u32> {
    let places = model.levels.iter().map(|l| l.places.len()).sum();
    let mut maxima = vec![0; places];
    let levels = dd.levels(reached);
    for (depth, nodes) in levels.iter().enumerate() {
        let space = &model.levels[levels.len() - depth];
        for (value, _) in nodes.iter().flat_map(|&n| dd.arcs(n)) {
            for (i, p) in space.places.iter().enumerate() {
                let most: &mut u32 = &mut maxima[p.index()];
                *most = (*most).max(space.tokens_in(value, i));
            }
        }
    }
    maxima
}

/// The number of original markings.
pub fn weighted_count(
    dd: &Dd,
    model: &LevelModel,
    reached: NodeId,
    weighting: &Weighting,
) -> Result<BigUint, Stop> {
    let mut worth: Worth<'_, BigUint> = Worth::new(model, Some((weighting, &[])));
    let levels = dd.levels(reached);
    let mut below: FxHashMap<NodeId, BigUint> = FxHashMap::default();
    below.insert(NodeId::UNIT, BigUint::from(1_u32));
    for (depth, nodes) in levels.iter().enumerate().rev() {
        dd.look()?;
        let level = Level((levels.len() - depth) as u32);
        let mut counts = FxHashMap::default();
        for &n in nodes {
            let mut sum = BigUint::ZERO;
            for (value, down) in dd.arcs(n) {
                match worth.of_value(level, value)? {
                    Some(weight) => sum += weight * &below[&down],
                    None => sum += &below[&down],
                }
            }
            counts.insert(n, sum);
        }
        below = counts;
    }
    Ok(below.remove(&reached).unwrap_or_default() * &weighting.factor)
}

/// Measures the original net, of which `states` were counted by [`weighted_count`]. `maxima` are
/// those of [`place_maxima`].
pub fn measure_weighted(
    dd: &Dd,
    model: &LevelModel,
    reached: NodeId,
    weighting: &Weighting,
    states: BigUint,
    maxima: &[u32],
) -> Result<StateSpace, Stop> {
    let levels = dd.levels(reached);
    let (offset, terms) = &weighting.all_tokens;
    let max_in_marking = tokens(offset + most(dd, model, &levels, terms)?)?;
    let max_in_place = max_in_places(dd, model, &levels, weighting, maxima)?;
    let count = |guards| edges(dd, model, &levels, &states, Some((weighting, guards)));
    let edges = match weighting.tells_edges {
        false => None,
        true if weighting.excess.is_empty() => Some(count(&weighting.guards)?),
        true => Some(count(&weighting.guards)? - count(&weighting.excess)?),
    };
    Ok(StateSpace { states, edges, max_in_place, max_in_marking })
}

fn tokens(number: i128) -> Result<u64, Stop> {
    u64::try_from(number).map_err(|_| Stop::Overflow)
}

/// The most tokens of any original place. A sum of several places is maximised over the
/// diagram only if the sum of their maxima is more than what was found already.
fn max_in_places(
    dd: &Dd,
    model: &LevelModel,
    levels: &[Vec<NodeId>],
    weighting: &Weighting,
    maxima: &[u32],
) -> Result<u64, Stop> {
    let bound = |(offset, terms): &(i128, Vec<(PlaceId, u64)>)| {
        let of = |&(p, factor): &(PlaceId, u64)| i128::from(factor) * i128::from(maxima[p.index()]);
        offset + terms.iter().map(of).sum::<i128>()
    };
    let mut all: Vec<(i128, usize)> =
        weighting.tokens_of_places.iter().map(bound).enumerate().map(|(i, b)| (b, i)).collect();
    all.sort_by_key(|&(bound, i)| (-bound, i));
    let mut best = 0;
    for (bound, i) in all {
        if bound <= best {
            break;
        }
        dd.look()?;
        let (offset, terms) = &weighting.tokens_of_places[i];
        let exact = if terms.len() <= 1 { bound } else { offset + most(dd, model, levels, terms)? };
        debug_assert!(exact <= bound, "a bound");
        best = best.max(exact);
    }
    tokens(best)
}

/// The largest value of a linear function of the places: a longest path.
fn most(
    dd: &Dd,
    model: &LevelModel,
    levels: &[Vec<NodeId>],
    terms: &[(PlaceId, u64)],
) -> Result<i128, Stop> {
    let mut factors: Vec<u64> = vec![0; model.levels.iter().map(|l| l.places.len()).sum()];
    terms.iter().for_each(|&(p, factor)| factors[p.index()] = factor);
    let mut below: FxHashMap<NodeId, i128> = FxHashMap::default();
    below.insert(NodeId::UNIT, 0);
    for (depth, nodes) in levels.iter().enumerate().rev() {
        dd.look()?;
        let space = &model.levels[levels.len() - depth];
        let used: Vec<(usize, u64)> =
            space.places.iter().map(|p| factors[p.index()]).enumerate().collect();
        let used: Vec<(usize, u64)> = used.into_iter().filter(|u| u.1 > 0).collect();
        let local = |value: u32| -> i128 {
            let of = |&(i, factor): &(usize, u64)| {
                i128::from(factor) * i128::from(space.tokens_in(value, i))
            };
            used.iter().map(of).sum()
        };
        let mut here = FxHashMap::default();
        for &n in nodes {
            let sums = dd.arcs(n).map(|(value, down)| local(value) + below[&down]);
            here.insert(n, sums.max().unwrap_or(0));
        }
        below = here;
    }
    Ok(below.into_values().max().unwrap_or(0))
}

/// A condition of a transition on one level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ConditionId(u32);

impl ConditionId {
    pub(crate) const NONE: ConditionId = ConditionId(u32::MAX);
}

/// The numbers that replace the weights of a level's places: by position in the level, with the
/// address of the numbers, so that shared ones are equal.
type Replaced = Box<[(usize, usize)]>;

/// What local states are worth, with and without conditions.
pub(crate) struct Worth<'a, N> {
    model: &'a LevelModel,
    weighting: Option<&'a Weighting>,
    guards: &'a [WeightedGuard],
    /// The level and position of each place.
    position: Vec<(Level, usize)>,
    /// Per level, whether a place has weights.
    weighted: Vec<bool>,
    values: FxHashMap<(Level, u32), N>,
    steps: Interner<StepId>,
    replaced: Interner<Replaced>,
    numbers: FxHashMap<usize, &'a [BigUint]>,
    conditioned: FxHashMap<(ConditionId, u32), Option<N>>,
}

impl<'a, N: EdgeCount> Worth<'a, N>
where
    for<'b> &'b N: Mul<&'b N, Output = N>,
{
    /// Without weights, or with those of some guards.
    pub(crate) fn new(
        model: &'a LevelModel,
        weighted: Option<(&'a Weighting, &'a [WeightedGuard])>,
    ) -> Self {
        let (weighting, guards) = weighted.map_or((None, &[][..]), |w| (Some(w.0), w.1));
        let places = model.levels.iter().map(|l| l.places.len()).sum();
        let mut position = vec![(Level(0), 0); places];
        let mut weighted = vec![false; model.levels.len()];
        for (level, space) in model.levels.iter().enumerate() {
            for (i, p) in space.places.iter().enumerate() {
                position[p.index()] = (Level(level as u32), i);
                weighted[level] |= weighting.is_some_and(|w| w.weights[p.index()].is_some());
            }
        }
        Worth {
            model,
            weighting,
            guards,
            position,
            weighted,
            values: FxHashMap::default(),
            steps: Interner::new(),
            replaced: Interner::new(),
            numbers: FxHashMap::default(),
            conditioned: FxHashMap::default(),
        }
    }

    /// How many transitions there are.
    pub(crate) fn guards(&self) -> usize {
        self.weighting.map_or(self.model.events.len(), |_| self.guards.len())
    }

    /// The weight of a local state; `None` if it is 1.
    pub(crate) fn of_value(&mut self, level: Level, value: u32) -> Result<Option<N>, Stop> {
        let Some(weighting) = self.weighting.filter(|_| self.weighted[level.index()]) else {
            return Ok(None);
        };
        if let Some(known) = self.values.get(&(level, value)) {
            return Ok(Some(known.clone()));
        }
        let space = &self.model.levels[level.index()];
        let mut product = N::from(1);
        for (i, p) in space.places.iter().enumerate() {
            if let Some(weights) = &weighting.weights[p.index()] {
                product = &product * &N::of(&weights[space.tokens_in(value, i) as usize])?;
            }
        }
        self.values.insert((level, value), product.clone());
        Ok(Some(product))
    }

    /// The constant factor of a transition and its conditions, lowest level first. Without
    /// weights, levels that it only writes are left out.
    pub(crate) fn conditions(&mut self, t: usize) -> Result<(N, Vec<(Level, ConditionId)>), Stop> {
        if self.weighting.is_none() {
            let mut steps = Vec::new();
            let mut tail = self.model.events[t];
            while let Some((level, step, next)) = self.model.split(tail) {
                if self.model.takes(step) {
                    steps.push((level, ConditionId(self.steps.intern(step))));
                }
                tail = next;
            }
            steps.reverse();
            return Ok((N::from(1), steps));
        }
        let (times, tables) = &self.guards[t];
        let mut tables: Vec<(Level, usize, &'a Weights)> = tables
            .iter()
            .map(|(p, numbers)| (self.position[p.index()].0, self.position[p.index()].1, numbers))
            .collect();
        tables.sort_by_key(|t| (t.0, t.1));
        let mut conditions = Vec::new();
        for group in tables.chunk_by(|a, b| a.0 == b.0) {
            let key = |&(_, i, numbers): &(Level, usize, &'a Weights)| {
                let address = numbers.as_ptr() as usize;
                self.numbers.insert(address, numbers);
                (i, address)
            };
            let key: Replaced = group.iter().map(key).collect();
            conditions.push((group[0].0, ConditionId(self.replaced.intern(key))));
        }
        Ok((N::of(times)?, conditions))
    }

    /// How often a local state counts under a condition; `None` if not at all.
    pub(crate) fn of_condition(
        &mut self,
        condition: ConditionId,
        level: Level,
        value: u32,
    ) -> Result<Option<N>, Stop> {
        let Some(weighting) = self.weighting else {
            let enabled = self.model.enabled(self.steps[condition.0 as usize], value);
            return Ok(enabled.then(|| N::from(1)));
        };
        if let Some(known) = self.conditioned.get(&(condition, value)) {
            return Ok(known.clone());
        }
        let space = &self.model.levels[level.index()];
        let replaced = &self.replaced[condition.0 as usize];
        let mut product = N::from(1);
        for (i, p) in space.places.iter().enumerate() {
            let tokens = space.tokens_in(value, i) as usize;
            let other = replaced.iter().find(|r| r.0 == i).map(|r| self.numbers[&r.1]);
            let numbers = other.or(weighting.weights[p.index()].as_deref());
            if let Some(numbers) = numbers {
                product = &product * &N::of(&numbers[tokens])?;
            }
        }
        let known = (product != N::from(0)).then_some(product);
        self.conditioned.insert((condition, value), known.clone());
        Ok(known)
    }
}
