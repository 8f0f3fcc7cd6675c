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

use std::ops::{AddAssign, Mul};

use brine_dd::{Dd, NodeId, Stop, with_deep_stack};
use brine_net::Interner;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::model::{Level, LevelModel, StepId};

/// What `brine states` reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSpace {
    /// Reachable markings.
    pub states: BigUint,
    /// Edges of the reachability graph, one per marking and enabled transition.
    pub edges: BigUint,
    /// The most tokens that a place ever holds.
    pub max_in_place: u64,
    /// The most tokens that a marking ever holds.
    pub max_in_marking: u64,
}

/// Measures the set `reached` of markings of `model`, under the limits of `dd`.
pub fn measure(dd: &Dd, model: &LevelModel, reached: NodeId) -> Result<StateSpace, Stop> {
    let levels = dd.levels(reached);
    let states = dd.count(reached);
    let limit = &states * BigUint::from(model.events.len().max(1));
    let count_edges = || -> Result<BigUint, Stop> {
        if limit.bits() <= 127 {
            Ok(BigUint::from(Edges::<u128>::new(dd, model, &levels)?.total()?))
        } else {
            Edges::<BigUint>::new(dd, model, &levels)?.total()
        }
    };
    // A thread that the system refuses is a lack of memory.
    let edges = with_deep_stack(levels.len(), count_edges).unwrap_or(Err(Stop::Memory))?;
    Ok(StateSpace {
        states,
        edges,
        max_in_place: max_in_place(dd, model, &levels),
        max_in_marking: max_in_marking(dd, model, &levels),
    })
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
trait EdgeCount: Clone + From<u32> + for<'a> AddAssign<&'a Self>
where
    for<'a> &'a Self: Mul<&'a Self, Output = Self>,
{
}
impl EdgeCount for u128 {}
impl EdgeCount for BigUint {}

/// Input conditions of a transition from some level down; equal ones are shared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct GuardId(u32);

const NO_GUARD: GuardId = GuardId(0);

/// A multiset of guards, as (guard, times) in ascending order; equal ones are shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct GuardBag(u32);

struct Edges<'a, N> {
    dd: &'a Dd,
    model: &'a LevelModel,
    levels: &'a [Vec<NodeId>],
    /// Vectors below each node; `UNIT` has one.
    counts: FxHashMap<NodeId, N>,
    /// Level, step and rest; number 0 is a placeholder for [`NO_GUARD`].
    guards: Interner<(Level, StepId, GuardId)>,
    sets: Interner<Box<[(GuardId, u32)]>>,
    /// What remains of a set after a value at its top level: the set of unfinished
    /// guards, and how many are satisfied for good.
    stepped: FxHashMap<(GuardBag, u32), (GuardBag, u32)>,
    memo: FxHashMap<(NodeId, GuardBag), N>,
    /// Nodes looked at since the limits were.
    steps: u32,
}

impl<'a, N: EdgeCount> Edges<'a, N>
where
    for<'b> &'b N: Mul<&'b N, Output = N>,
{
    fn new(dd: &'a Dd, model: &'a LevelModel, levels: &'a [Vec<NodeId>]) -> Result<Self, Stop> {
        let mut counts = FxHashMap::default();
        counts.insert(NodeId::UNIT, N::from(1));
        for &n in levels.iter().rev().flatten() {
            let mut sum = N::from(0);
            dd.arcs(n).for_each(|(_, down)| sum += &counts[&down]);
            counts.insert(n, sum);
        }
        let edges = Edges {
            dd,
            model,
            levels,
            counts,
            guards: Interner::from_iter([(Level(0), StepId::NONE, NO_GUARD)]),
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
        let by_top = self.guards_by_top();
        let mut total = N::from(0);
        if let Some((_, free)) = by_top[0].first() {
            total += &(&self.counts[&root] * &N::from(*free));
        }
        let mut above: FxHashMap<NodeId, N> = FxHashMap::default();
        above.insert(root, N::from(1));
        for (depth, nodes) in self.levels.iter().enumerate() {
            let level = Level((self.levels.len() - depth) as u32);
            let guards = self.bag(&by_top[level.index()]);
            for &n in nodes {
                total += &(&above[&n] * &self.enabled(n, guards, level)?);
            }
            self.memo.clear();
            let mut next: FxHashMap<NodeId, N> = FxHashMap::default();
            for n in nodes {
                for (_, down) in self.dd.arcs(*n) {
                    *next.entry(down).or_insert_with(|| N::from(0)) += &above[n];
                }
            }
            above = next;
        }
        Ok(total)
    }

    /// Which guards the transitions have, and how often, by the guard's top level.
    fn guards_by_top(&mut self) -> Vec<Vec<(GuardId, u32)>> {
        let mut by_top = vec![Vec::new(); self.levels.len() + 1];
        for t in 0..self.model.events.len() {
            let guard = self.guard(t);
            by_top[self.guards[guard.0 as usize].0.index()].push((guard, 1));
        }
        by_top.into_iter().map(merge).collect()
    }

    /// The input conditions of a transition; levels that it only writes are left out.
    fn guard(&mut self, t: usize) -> GuardId {
        let mut steps = Vec::new();
        let mut tail = self.model.events[t];
        while let Some((level, step, next)) = self.model.split(tail) {
            if self.model.takes(step) {
                steps.push((level, step));
            }
            tail = next;
        }
        let mut guard = NO_GUARD;
        for (level, step) in steps.into_iter().rev() {
            guard = GuardId(self.guards.intern((level, step, guard)));
        }
        guard
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
    fn step(&mut self, set: GuardBag, top: Level, value: u32) -> (GuardBag, u32) {
        if let Some(&known) = self.stepped.get(&(set, value)) {
            return known;
        }
        let mut rest = Vec::new();
        let mut satisfied = 0;
        for &(guard, times) in &self.sets[set.0 as usize] {
            let (level, step, next) = self.guards[guard.0 as usize];
            if level < top {
                rest.push((guard, times));
            } else if self.model.enabled(step, value) {
                if next == NO_GUARD {
                    satisfied += times;
                } else {
                    rest.push((next, times));
                }
            }
        }
        let result = (self.bag(&merge(rest)), satisfied);
        self.stepped.insert((set, value), result);
        result
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
                sum += &self.enabled(down, set, below)?;
                continue;
            }
            let (rest, satisfied) = self.step(set, top, value);
            if satisfied > 0 {
                sum += &(&self.counts[&down] * &N::from(satisfied));
            }
            sum += &self.enabled(down, rest, below)?;
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
