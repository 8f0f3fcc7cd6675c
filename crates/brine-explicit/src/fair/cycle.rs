//! The run through a fair component.
//!
//! A shortest way (among those near the start; else that of the search) leads to the component;
//! there, the nearest state or edge that gives something that is missing, again and again, then
//! home. On the way home strongly fair transitions may be enabled that the cycle does not fire yet:
//! then it goes round once more. What was fired stays fired, so this ends.

use super::pool::Pool;
use super::product::{FairEdge, FairProduct};
use super::{FairComponent, FairSearch};
use crate::fire::Step;
use crate::graph::{Cursor, GraphStateId};
use brine_net::{Run, TransitionId};
use brine_run::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// States looked at for a shorter way to the component.
const NEAR: usize = 100_000;
/// Bytes for an entry of the table of a breadth-first search.
const BYTES: u64 = 32;

/// How a state was reached.
type Parents = FxHashMap<GraphStateId, Option<(GraphStateId, FairEdge)>>;

/// The edges that lead from the start to a state.
fn way(parents: &Parents, mut s: GraphStateId) -> Vec<FairEdge> {
    let mut edges = Vec::new();
    while let Some(&(before, edge)) = parents.get(&s).and_then(Option::as_ref) {
        edges.push(edge);
        s = before;
    }
    edges.reverse();
    edges
}

impl FairSearch<'_> {
    /// The steps to the component and round in it.
    pub(super) fn run_through(&mut self, component: &FairComponent) -> Result<Run, Stop> {
        let inside: FxHashSet<GraphStateId> = component.states.iter().copied().collect();
        let (prefix, home) = self.way_to(&inside)?;
        let cycle = self.round(home, &inside)?;
        // A dead marking repeats without a step.
        let firing = self.product.markings().firing();
        let transitions = |steps: Vec<Option<Step>>| -> Vec<TransitionId> {
            steps.into_iter().flatten().map(|step| firing.transition(step)).collect()
        };
        Ok(Run { prefix: transitions(prefix), cycle: transitions(cycle) })
    }

    /// The steps to a state inside, and that state.
    fn way_to(
        &mut self,
        inside: &FxHashSet<GraphStateId>,
    ) -> Result<(Vec<Option<Step>>, GraphStateId), Stop> {
        let initial = self.product.initial()?;
        let arrived = |s, _: Option<FairEdge>, _: &[Step]| inside.contains(&s);
        if let Some((edges, home)) = nearest(&mut self.product, initial, |_| true, NEAR, arrived)? {
            return Ok((edges.into_iter().map(|e| e.step).collect(), home));
        }
        let first = self.stack.iter().position(|f| inside.contains(&f.state));
        let last = first.unwrap_or(self.stack.len() - 1);
        let steps = self.stack[1..=last].iter().map(|f| f.step).collect();
        Ok((steps, self.stack[last].state))
    }

    /// The steps of a fair cycle from `home` that stays inside.
    fn round(
        &mut self,
        home: GraphStateId,
        inside: &FxHashSet<GraphStateId>,
    ) -> Result<Vec<Option<Step>>, Stop> {
        let mut pool = self.sets.nothing();
        let (mut at, mut steps) = (home, Vec::new());
        let mut visited = FxHashSet::default();
        self.visit(home, &mut pool, &mut visited)?;
        loop {
            while !self.sets.is_fair(&pool) {
                let seen = pool.clone();
                let Some((leg, to)) = self.helping_leg(at, inside, &seen)? else {
                    unreachable!("a fair component has what a fair cycle needs")
                };
                at = self.walk(leg, to, &mut pool, &mut visited, &mut steps)?;
            }
            if at == home && !steps.is_empty() {
                return Ok(steps);
            }
            let stays = |s: GraphStateId| inside.contains(&s);
            let arrived = |s, edge: Option<FairEdge>, _: &[Step]| edge.is_some() && s == home;
            let leg = nearest(&mut self.product, at, stays, usize::MAX, arrived)?;
            let Some((leg, to)) = leg else {
                unreachable!("the states of a component reach each other")
            };
            at = self.walk(leg, to, &mut pool, &mut visited, &mut steps)?;
        }
    }

    /// The way to the nearest state, or along the nearest edge, that gives what the pool lacks.
    fn helping_leg(
        &mut self,
        from: GraphStateId,
        inside: &FxHashSet<GraphStateId>,
        pool: &Pool,
    ) -> Result<Option<(Vec<FairEdge>, GraphStateId)>, Stop> {
        let stays = |s: GraphStateId| inside.contains(&s);
        let sets = &self.sets;
        let helps = |_, edge: Option<FairEdge>, enabled: &[Step]| {
            edge.is_some_and(|e| sets.helps(pool, e) || sets.state_helps(pool, enabled))
        };
        nearest(&mut self.product, from, stays, usize::MAX, helps)
    }

    /// Appends a leg to the cycle; the state where it ends.
    fn walk(
        &mut self,
        leg: Vec<FairEdge>,
        to: GraphStateId,
        pool: &mut Pool,
        visited: &mut FxHashSet<GraphStateId>,
        steps: &mut Vec<Option<Step>>,
    ) -> Result<GraphStateId, Stop> {
        for edge in leg {
            self.sets.add_edge(pool, edge);
            self.visit(edge.target, pool, visited)?;
            steps.push(edge.step);
        }
        Ok(to)
    }

    fn visit(
        &mut self,
        s: GraphStateId,
        pool: &mut Pool,
        visited: &mut FxHashSet<GraphStateId>,
    ) -> Result<(), Stop> {
        if visited.insert(s) {
            self.product.enabled(s, &mut self.enabled)?;
            self.sets.add_state(pool, &self.enabled);
        }
        Ok(())
    }
}

/// Breadth first, among at most `limit` states that `stays` admits: the edges to the nearest
/// state that is `wanted`, told with the edge that led to it (none at the start) and the steps
/// that it enables. Every edge is asked about, those to known states as well.
fn nearest(
    product: &mut FairProduct<'_>,
    from: GraphStateId,
    stays: impl Fn(GraphStateId) -> bool,
    limit: usize,
    wanted: impl Fn(GraphStateId, Option<FairEdge>, &[Step]) -> bool,
) -> Result<Option<(Vec<FairEdge>, GraphStateId)>, Stop> {
    let mut enabled = Vec::new();
    product.enabled(from, &mut enabled)?;
    if wanted(from, None, &enabled) {
        return Ok(Some((Vec::new(), from)));
    }
    let mut parents: Parents = FxHashMap::default();
    parents.insert(from, None);
    let mut queue = vec![from];
    let mut next = 0;
    let mut found = None;
    'search: while next < queue.len() && queue.len() < limit {
        let s = queue[next];
        next += 1;
        let mut cursor = Cursor::default();
        while let Some(edge) = product.next(s, &mut cursor)? {
            if !stays(edge.target) {
                continue;
            }
            product.enabled(edge.target, &mut enabled)?;
            if wanted(edge.target, Some(edge), &enabled) {
                found = Some((s, edge));
                break 'search;
            }
            if let Entry::Vacant(entry) = parents.entry(edge.target) {
                product.meter().charge(BYTES)?;
                entry.insert(Some((s, edge)));
                queue.push(edge.target);
            }
        }
    }
    product.meter().refund(BYTES * (parents.len() as u64 - 1));
    Ok(found.map(|(s, edge)| {
        let mut edges = way(&parents, s);
        edges.push(edge);
        (edges, edge.target)
    }))
}
