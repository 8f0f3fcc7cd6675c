//! Numbers read off the diagram of reachable markings.
//!
//! *Edges.* The state space has an edge per marking and transition enabled there. The
//! sets of markings that enable a transition are counted, never built: for all
//! transitions whose highest input lies on level `top`, the number is the sum over the
//! nodes `n` of that level of `above(n) * enabled(n)`, where `above(n)` counts the
//! paths from the root to `n` and `enabled(n)` the pairs of a vector below `n` and a
//! transition whose inputs it satisfies. The inputs go down as a hash-consed multiset
//! of conditions not met yet (one transition at a time took 28 s instead of 1.8 s on
//! BridgeAndVehicles-PT-V20P10N20). Both are exact: `u128` where `states * transitions` fits (no intermediate
//! number is larger), big integers otherwise.
//!
//! *Weights.* The markings of a reduced net stand for many of another net ([`Weighting`]): a
//! vector counts as often as the product of the weights of its local states says, and a
//! condition is no longer true or false, but a number that replaces the weight. Members of a
//! multiset that have different numbers at a local state go on in different multisets.

use std::ops::{AddAssign, Mul};
use std::rc::Rc;

use brine_dd::{Dd, NodeId, Stop, with_deep_stack};
use brine_net::Interner;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::model::{Level, LevelModel};
use crate::weighted::{ConditionId, WeightedGuard, Weighting, Worth};

/// What `brine states` reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSpace {
    /// Reachable markings.
    pub states: BigUint,
    /// Edges of the reachability graph, one per marking and enabled transition; `None` if they
    /// cannot be told.
    pub edges: Option<BigUint>,
    /// The most tokens that a place ever holds.
    pub max_in_place: u64,
    /// The most tokens that a marking ever holds.
    pub max_in_marking: u64,
}

/// Measures the set `reached` of markings of `model`, under the limits of `dd`.
pub fn measure(dd: &Dd, model: &LevelModel, reached: NodeId) -> Result<StateSpace, Stop> {
    let levels = dd.levels(reached);
    let states = dd.count(reached);
    let edges = edges(dd, model, &levels, &states, None)?;
    Ok(StateSpace {
        states,
        edges: Some(edges),
        max_in_place: max_in_place(dd, model, &levels),
        max_in_marking: max_in_marking(dd, model, &levels),
    })
}

/// The edges of a set of so many (weighted) states.
pub(crate) fn edges(
    dd: &Dd,
    model: &LevelModel,
    levels: &[Vec<NodeId>],
    states: &BigUint,
    weighted: Option<(&Weighting, &[WeightedGuard])>,
) -> Result<BigUint, Stop> {
    let guards = weighted.map_or(model.events.len(), |w| w.1.len());
    let limit = states * BigUint::from(guards.max(1));
    let count = || -> Result<BigUint, Stop> {
        if limit.bits() <= 127 {
            Ok(BigUint::from(Edges::<u128>::new(dd, model, levels, weighted)?.total()?))
        } else {
            Edges::<BigUint>::new(dd, model, levels, weighted)?.total()
        }
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(levels.len(), count).unwrap_or(Err(Stop::Memory))
}

fn max_in_place(dd: &Dd, model: &LevelModel, levels: &[Vec<NodeId>]) -> u64 {
    let mut max = 0;
    for (depth, nodes) in levels.iter().enumerate() {
        let space = &model.levels[levels.len() - depth];
        for (value, _) in nodes.iter().flat_map(|&n| dd.arcs(n)) {
            for i in 0..space.places.len() {
                max = max.max(u64::from(space.tokens_in(value, i)));
            }
        }
    }
    max
}

fn max_in_marking(dd: &Dd, model: &LevelModel, levels: &[Vec<NodeId>]) -> u64 {
    let mut below: FxHashMap<NodeId, u64> = FxHashMap::default();
    below.insert(NodeId::UNIT, 0);
    for (depth, nodes) in levels.iter().enumerate().rev() {
        let space = &model.levels[levels.len() - depth];
        let best = |n: &NodeId| {
            let sums = dd.arcs(*n).map(|(value, down)| space.tokens(value) + below[&down]);
            (*n, sums.max().unwrap_or(0))
        };
        below = nodes.iter().map(best).collect();
    }
    below.into_values().max().unwrap_or(0)
}

/// The arithmetic that counting needs.
pub(crate) trait EdgeCount:
    Clone + PartialEq + From<u32> + for<'a> AddAssign<&'a Self>
where
    for<'a> &'a Self: Mul<&'a Self, Output = Self>,
{
    /// A number that is known to fit.
    fn of(number: &BigUint) -> Result<Self, Stop>;
}

impl EdgeCount for u128 {
    fn of(number: &BigUint) -> Result<Self, Stop> {
        u128::try_from(number).map_err(|_| Stop::Overflow)
    }
}

impl EdgeCount for BigUint {
    fn of(number: &BigUint) -> Result<Self, Stop> {
        Ok(number.clone())
    }
}

/// Input conditions of a transition from some level down; equal ones are shared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct GuardId(u32);

const NO_GUARD: GuardId = GuardId(0);

/// A multiset of guards, as (guard, times) in ascending order; equal ones are shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct GuardBag(u32);

/// What remains of a multiset after a local state: for each group of members that count alike
/// how often a vector counts, and the rests; and what is satisfied for good.
#[derive(Clone)]
struct Remainder<N> {
    rests: Vec<(N, GuardBag)>,
    satisfied: N,
}

struct Edges<'a, N> {
    dd: &'a Dd,
    levels: &'a [Vec<NodeId>],
    worth: Worth<'a, N>,
    /// Vectors below each node; `UNIT` has one.
    counts: FxHashMap<NodeId, N>,
    /// Level, condition and rest; number 0 is a placeholder for [`NO_GUARD`].
    guards: Interner<(Level, ConditionId, GuardId)>,
    sets: Interner<Box<[(GuardId, u32)]>>,
    /// What remains of a set after a value at its top level.
    stepped: FxHashMap<(GuardBag, u32), Rc<Remainder<N>>>,
    memo: FxHashMap<(NodeId, GuardBag), N>,
    /// Nodes looked at since the limits were.
    steps: u32,
}

impl<'a, N: EdgeCount> Edges<'a, N>
where
    for<'b> &'b N: Mul<&'b N, Output = N>,
{
    fn new(
        dd: &'a Dd,
        model: &'a LevelModel,
        levels: &'a [Vec<NodeId>],
        weighted: Option<(&'a Weighting, &'a [WeightedGuard])>,
    ) -> Result<Self, Stop> {
        let mut worth = Worth::new(model, weighted);
        let mut counts = FxHashMap::default();
        counts.insert(NodeId::UNIT, N::from(1));
        for (depth, nodes) in levels.iter().enumerate().rev() {
            let level = Level((levels.len() - depth) as u32);
            for &n in nodes {
                let mut sum = N::from(0);
                for (value, down) in dd.arcs(n) {
                    match worth.of_value(level, value)? {
                        Some(weight) => sum += &(&weight * &counts[&down]),
                        None => sum += &counts[&down],
                    }
                }
                counts.insert(n, sum);
            }
        }
        let edges = Edges {
            dd,
            levels,
            worth,
            counts,
            guards: Interner::from_iter([(Level(0), ConditionId::NONE, NO_GUARD)]),
            sets: Interner::new(),
            stepped: FxHashMap::default(),
            memo: FxHashMap::default(),
            steps: 0,
        };
        edges.poll()?;
        Ok(edges)
    }

    fn poll(&self) -> Result<(), Stop> {
        // Ticks are for searches that may be repeated; this happens once.
        self.dd.look()
    }

    fn total(mut self) -> Result<N, Stop> {
        let root = self.levels.first().map_or(NodeId::UNIT, |l| l[0]);
        let by_top = self.guards_by_top()?;
        let mut total = N::from(0);
        for (times, guards) in &by_top[0] {
            let free: u32 = guards.iter().map(|g| g.1).sum();
            total += &(times * &(&self.counts[&root] * &N::from(free)));
        }
        let mut above: FxHashMap<NodeId, N> = FxHashMap::default();
        above.insert(root, N::from(1));
        for (depth, nodes) in self.levels.iter().enumerate() {
            let level = Level((self.levels.len() - depth) as u32);
            for (times, guards) in &by_top[level.index()] {
                let guards = self.bag(guards);
                for &n in nodes {
                    let enabled = self.enabled(n, guards, level)?;
                    total += &(times * &(&above[&n] * &enabled));
                }
            }
            // Clearing takes time for all that the largest level needed.
            if self.memo.capacity() > 16 * self.memo.len() {
                self.memo = FxHashMap::default();
            }
            self.memo.clear();
            let mut next: FxHashMap<NodeId, N> = FxHashMap::default();
            for n in nodes {
                for (value, down) in self.dd.arcs(*n) {
                    let sum = next.entry(down).or_insert_with(|| N::from(0));
                    match self.worth.of_value(level, value)? {
                        Some(weight) => *sum += &(&weight * &above[n]),
                        None => *sum += &above[n],
                    }
                }
            }
            above = next;
        }
        Ok(total)
    }

    /// Which guards the transitions have, and how often, by the guard's top level and by their
    /// constant factors.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn guards_by_top(&mut self) -> Result<Vec<Vec<(N, Vec<(GuardId, u32)>)>>, Stop> {
        let mut by_top: Vec<Vec<(N, Vec<(GuardId, u32)>)>> =
            vec![Vec::new(); self.levels.len() + 1];
        for t in 0..self.worth.guards() {
            let (times, conditions) = self.worth.conditions(t)?;
            let mut guard = NO_GUARD;
            for (level, condition) in conditions {
                guard = GuardId(self.guards.intern((level, condition, guard)));
            }
            let groups = &mut by_top[self.guards[guard.0 as usize].0.index()];
            match groups.iter_mut().find(|g| g.0 == times) {
                Some((_, group)) => group.push((guard, 1)),
                None => groups.push((times, vec![(guard, 1)])),
            }
        }
        let groups = by_top.iter_mut().flatten();
        groups.for_each(|(_, group)| *group = merge(std::mem::take(group)));
        Ok(by_top)
    }

    fn bag(&mut self, guards: &[(GuardId, u32)]) -> GuardBag {
        GuardBag(self.sets.intern_slice(guards))
    }

    /// The level of the highest condition in a set.
    fn top(&self, set: GuardBag) -> Level {
        let level = |g: &(GuardId, u32)| self.guards[g.0.0 as usize].0;
        self.sets[set.0 as usize].iter().map(level).max().unwrap_or(Level(0))
    }

    /// Partial evaluation of a set at its top level.
    fn step(&mut self, set: GuardBag, top: Level, value: u32) -> Result<Rc<Remainder<N>>, Stop> {
        if let Some(known) = self.stepped.get(&(set, value)) {
            return Ok(known.clone());
        }
        let mut rests: Vec<(N, Vec<(GuardId, u32)>)> = Vec::new();
        let mut satisfied = N::from(0);
        let weight = self.worth.of_value(top, value)?.unwrap_or_else(|| N::from(1));
        for &(guard, times) in &self.sets[set.0 as usize] {
            let (level, condition, next) = self.guards[guard.0 as usize];
            let (number, next) = if level < top {
                (Some(weight.clone()), guard)
            } else {
                (self.worth.of_condition(condition, top, value)?, next)
            };
            let Some(number) = number else { continue };
            if next == NO_GUARD {
                satisfied += &(&number * &N::from(times));
                continue;
            }
            match rests.iter_mut().find(|r| r.0 == number) {
                Some((_, rest)) => rest.push((next, times)),
                None => rests.push((number, vec![(next, times)])),
            }
        }
        let rests = rests.into_iter().map(|(number, rest)| (number, self.bag(&merge(rest))));
        let result = Rc::new(Remainder { rests: rests.collect(), satisfied });
        self.stepped.insert((set, value), result.clone());
        Ok(result)
    }

    /// The sum over the guards of `set` of the vectors of `node` that satisfy them.
    ///
    /// Recurses over the levels of the inputs of transitions with the same top.
    fn enabled(&mut self, node: NodeId, set: GuardBag, level: Level) -> Result<N, Stop> {
        if self.sets[set.0 as usize].is_empty() {
            return Ok(N::from(0));
        }
        if let Some(n) = self.memo.get(&(node, set)) {
            return Ok(n.clone());
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(1 << 12) {
            self.poll()?;
        }
        let below = Level(level.0 - 1);
        let top = self.top(set);
        let mut sum = N::from(0);
        for (value, down) in self.dd.arcs(node) {
            if top < level {
                let enabled = self.enabled(down, set, below)?;
                match self.worth.of_value(level, value)? {
                    Some(weight) => sum += &(&weight * &enabled),
                    None => sum += &enabled,
                }
                continue;
            }
            let remainder = self.step(set, top, value)?;
            if remainder.satisfied != N::from(0) {
                sum += &(&self.counts[&down] * &remainder.satisfied);
            }
            for (number, rest) in &remainder.rests {
                sum += &(number * &self.enabled(down, *rest, below)?);
            }
        }
        self.memo.insert((node, set), sum.clone());
        Ok(sum)
    }
}

/// Sorts guards and adds up equal ones.
fn merge(mut guards: Vec<(GuardId, u32)>) -> Vec<(GuardId, u32)> {
    guards.sort_unstable();
    guards.dedup_by(|b, a| {
        let same = a.0 == b.0;
        if same {
            a.1 += b.1;
        }
        same
    });
    guards
}
