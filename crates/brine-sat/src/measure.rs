//! Numbers read off the diagram of reachable markings.
//!
//! *Edges.* The state space has an edge per marking and transition enabled there. Per
//! transition we count the markings that enable it without building that set: if the
//! transition's inputs lie on levels `bottom..=top`, the number is the sum over the
//! nodes `n` of level `top` of `above(n) * enabled(n)`, where `above(n)` counts the
//! paths from the root to `n` and `enabled(n)` the vectors below `n` that satisfy the
//! inputs. Both are exact: `u128` where `states * transitions` fits (no intermediate
//! number is larger), big integers otherwise.

use std::ops::{AddAssign, Mul};

use brine_dd::{Dd, NodeId};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::model::{Level, Model, StepId};

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

/// Measures the set `reached` of markings of `model`.
pub fn measure(dd: &Dd, model: &Model, reached: NodeId) -> StateSpace {
    let levels = dd.levels(reached);
    let states = dd.count(reached);
    let limit = &states * BigUint::from(model.events.len().max(1));
    let edges = if limit.bits() <= 127 {
        BigUint::from(Edges::<u128>::new(dd, model, &levels).total())
    } else {
        Edges::<BigUint>::new(dd, model, &levels).total()
    };
    StateSpace {
        states,
        edges,
        max_in_place: max_in_place(dd, model, &levels),
        max_in_marking: max_in_marking(dd, model, &levels),
    }
}

fn max_in_place(dd: &Dd, model: &Model, levels: &[Vec<NodeId>]) -> u64 {
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

fn max_in_marking(dd: &Dd, model: &Model, levels: &[Vec<NodeId>]) -> u64 {
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
trait Number: Clone + From<u32> + for<'a> AddAssign<&'a Self>
where
    for<'a> &'a Self: Mul<&'a Self, Output = Self>,
{
}
impl Number for u128 {}
impl Number for BigUint {}

/// Input conditions of a transition from some level down; equal ones are shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct GuardId(u32);

const NO_GUARD: GuardId = GuardId(0);

struct Edges<'a, N> {
    dd: &'a Dd,
    model: &'a Model,
    levels: &'a [Vec<NodeId>],
    /// Vectors below each node; `UNIT` has one.
    counts: FxHashMap<NodeId, N>,
    guards: Vec<(Level, StepId, GuardId)>,
    memo: FxHashMap<(NodeId, GuardId), N>,
}

impl<'a, N: Number> Edges<'a, N>
where
    for<'b> &'b N: Mul<&'b N, Output = N>,
{
    fn new(dd: &'a Dd, model: &'a Model, levels: &'a [Vec<NodeId>]) -> Self {
        let mut counts = FxHashMap::default();
        counts.insert(NodeId::UNIT, N::from(1));
        for &n in levels.iter().rev().flatten() {
            let mut sum = N::from(0);
            dd.arcs(n).for_each(|(_, down)| sum += &counts[&down]);
            counts.insert(n, sum);
        }
        let none = (Level(0), StepId::NONE, NO_GUARD);
        Edges { dd, model, levels, counts, guards: vec![none], memo: FxHashMap::default() }
    }

    fn total(mut self) -> N {
        let root = self.levels.first().map_or(NodeId::UNIT, |l| l[0]);
        let mut total = N::from(0);
        // How many transitions have each guard, by the guard's top level.
        let mut by_top: Vec<FxHashMap<GuardId, u32>> =
            vec![FxHashMap::default(); self.levels.len() + 1];
        let mut ids = FxHashMap::default();
        for t in 0..self.model.events.len() {
            let guard = self.guard(t, &mut ids);
            let top = self.guards[guard.0 as usize].0;
            *by_top[top.index()].entry(guard).or_default() += 1;
        }
        if let Some(free) = by_top[0].get(&NO_GUARD) {
            total += &(&self.counts[&root] * &N::from(*free));
        }
        let mut above: FxHashMap<NodeId, N> = FxHashMap::default();
        above.insert(root, N::from(1));
        for (depth, nodes) in self.levels.iter().enumerate() {
            let level = Level((self.levels.len() - depth) as u32);
            let mut guards: Vec<(GuardId, u32)> =
                std::mem::take(&mut by_top[level.index()]).into_iter().collect();
            guards.sort_unstable_by_key(|g| g.0.0);
            for (guard, times) in guards {
                let mut enabled = N::from(0);
                for &n in nodes {
                    enabled += &(&above[&n] * &self.enabled(n, guard, level));
                }
                total += &(&enabled * &N::from(times));
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
        total
    }

    /// The input conditions of a transition; levels that it only writes are left out.
    fn guard(
        &mut self,
        t: usize,
        ids: &mut FxHashMap<(Level, StepId, GuardId), GuardId>,
    ) -> GuardId {
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
            let key = (level, step, guard);
            guard = *ids.entry(key).or_insert_with(|| {
                self.guards.push(key);
                GuardId(self.guards.len() as u32 - 1)
            });
        }
        guard
    }

    /// How many vectors of `node` satisfy `guard`.
    ///
    /// Recurses over the levels of one transition's inputs.
    fn enabled(&mut self, node: NodeId, guard: GuardId, level: Level) -> N {
        if guard == NO_GUARD {
            return self.counts[&node].clone();
        }
        if let Some(n) = self.memo.get(&(node, guard)) {
            return n.clone();
        }
        let (guard_level, step, next) = self.guards[guard.0 as usize];
        let below = Level(level.0 - 1);
        let mut sum = N::from(0);
        for (value, down) in self.dd.arcs(node).collect::<Vec<_>>() {
            if guard_level < level {
                sum += &self.enabled(down, guard, below);
            } else if self.model.enabled(step, value) {
                sum += &self.enabled(down, next, below);
            }
        }
        self.memo.insert((node, guard), sum.clone());
        sum
    }
}
