//! From a violation to a run: a prefix and a cycle of groups of the model.
//!
//! Breadth-first layers lead from some states to a goal; the run is traced back through them
//! by [`predecessor`](crate::explorer::Explorer::predecessor), state by state.
//!
//! *The cycle.* Each state of the hull can be reached, inside the hull, from each fair set.
//! So from a state t walk back to a state of the first fair set, from there to one of the
//! second, and so on; this ends in a state u. If t leads to u, too, the two ways form a cycle
//! that meets all fair sets. If not, u lies strictly upstream of t's component; go on from u.
//! One cannot go upstream for ever.

use brine_dd::NodeId;

use super::hull::fair_part;
use super::product::Product;
use crate::explorer::Explorer;
use crate::interface::{Failure, GroupId, ModelError, Pins};
use crate::reach::Strategy;

/// A violating run. An empty cycle means that the last state is dead.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lasso {
    /// Groups before the cycle.
    pub prefix: Vec<GroupId>,
    /// Groups of the cycle.
    pub cycle: Vec<GroupId>,
}

/// A product state as a vector of the diagrams.
type Vector = Vec<u32>;

/// What is needed to find runs.
pub(super) struct Tracer<'e, 'm, 'p> {
    pub(super) explorer: &'e mut Explorer<'m>,
    pub(super) product: &'p Product<'p>,
    pub(super) strategy: Strategy,
}

impl Tracer<'_, '_, '_> {
    /// A run into one of the dead states `dead`.
    pub(super) fn run_to_dead(&mut self, dead: NodeId) -> Result<Lasso, Failure> {
        let path = self.path_from_initial(dead)?;
        Ok(Lasso { prefix: self.groups(&path)?, cycle: Vec::new() })
    }

    /// A run into an accepting cycle of a nonempty hull.
    pub(super) fn run_to_cycle(&mut self, hull: NodeId) -> Result<Lasso, Failure> {
        self.explorer.dd.protect(hull);
        let cycle = self.cycle(hull)?;
        let start = self.explorer.dd.singleton(&cycle[0])?;
        let path = self.path_from_initial(start)?;
        Ok(Lasso { prefix: self.groups(&path)?, cycle: self.groups(&cycle)? })
    }

    /// A cycle through all fair sets; its first state is also its last.
    fn cycle(&mut self, hull: NodeId) -> Result<Vec<Vector>, Failure> {
        let fair = fair_part(self.explorer, self.product, hull, 0)?;
        let first = self.explorer.dd.vectors(fair).next();
        let mut state = first.unwrap_or_else(|| unreachable!("the hull is not empty"));
        loop {
            let back = self.upstream(hull, &state)?;
            let start = self.explorer.dd.singleton(&state)?;
            let protected = self.explorer.dd.protected_len();
            self.explorer.dd.protect(start);
            let after = self.explorer.closure(start, self.strategy)?;
            self.explorer.dd.unprotect_to(protected);
            if self.explorer.dd.contains(after, &back[0]) {
                let goal = self.explorer.dd.singleton(&back[0])?;
                let mut cycle = self.path(start, goal)?;
                cycle.extend(back.into_iter().skip(1));
                return Ok(cycle);
            }
            state = back[0].clone();
        }
    }

    /// A path of at least one step to `state` through all fair sets, inside the hull.
    fn upstream(&mut self, hull: NodeId, state: &Vector) -> Result<Vec<Vector>, Failure> {
        let mut path = vec![state.clone()];
        let slots = [self.product.control_slot(), self.product.phase_slot()];
        let [control, phase] = slots.map(|s| self.explorer.depths[s.index()] as usize);
        for set in 0..self.product.fair_sets() {
            // The state that is only the end does not count yet.
            let met = |v: &Vector| self.product.is_fair(v[control], v[phase], set);
            if path[..path.len() - 1].iter().any(met) {
                continue;
            }
            let fair = fair_part(self.explorer, self.product, hull, set)?;
            let goal = self.explorer.dd.singleton(&path[0])?;
            let mut more = self.path_of_steps(fair, goal)?;
            more.pop();
            more.append(&mut path);
            path = more;
        }
        Ok(path)
    }

    /// A shortest path from the initial state to a state of `goal`.
    fn path_from_initial(&mut self, goal: NodeId) -> Result<Vec<Vector>, Failure> {
        let initial = self.explorer.state(&self.product.initial())?;
        self.path(initial, goal)
    }

    /// A shortest path from a state of `from` to one of `goal`.
    fn path(&mut self, from: NodeId, goal: NodeId) -> Result<Vec<Vector>, Failure> {
        let hit = self.explorer.dd.intersect(from, goal)?;
        if let Some(state) = self.explorer.dd.vectors(hit).next() {
            return Ok(vec![state]);
        }
        self.path_of_steps(from, goal)
    }

    /// The same by at least one step.
    fn path_of_steps(&mut self, from: NodeId, goal: NodeId) -> Result<Vec<Vector>, Failure> {
        let protected = self.explorer.dd.protected_len();
        self.explorer.dd.protect(goal);
        self.explorer.dd.protect(from);
        let (mut layers, mut seen) = (vec![from], NodeId::EMPTY);
        let mut last = loop {
            let image = self.explorer.image(layers[layers.len() - 1])?;
            let hit = self.explorer.dd.intersect(image, goal)?;
            if let Some(state) = self.explorer.dd.vectors(hit).next() {
                break state;
            }
            let layer = self.explorer.dd.minus(image, seen)?;
            assert!(layer != NodeId::EMPTY, "the goal of a path is reachable");
            seen = self.explorer.dd.union(seen, layer)?;
            self.explorer.dd.protect(layer);
            self.explorer.dd.protect(seen);
            layers.push(layer);
        };
        let mut backwards = vec![last.clone()];
        while let Some(layer) = layers.pop() {
            self.explorer.dd.tick()?;
            let before = self.explorer.predecessor(layer, &last);
            last = before.unwrap_or_else(|| unreachable!("a layer comes from the one before"));
            backwards.push(last.clone());
        }
        backwards.reverse();
        self.explorer.dd.unprotect_to(protected);
        Ok(backwards)
    }

    /// The groups of the model that lead along the states of the product among these; where
    /// several do, the first. Paths begin and end with states of the product.
    fn groups(&mut self, path: &[Vector]) -> Result<Vec<GroupId>, Failure> {
        let phase = self.explorer.depths[self.product.phase_slot().index()] as usize;
        let whole: Vec<&Vector> = path.iter().filter(|v| Product::is_whole(v[phase])).collect();
        let mut groups = Vec::with_capacity(whole.len());
        for pair in whole.windows(2) {
            self.explorer.dd.tick()?;
            groups.push(self.group_between(pair[0], pair[1])?);
        }
        Ok(groups)
    }

    fn group_between(&self, before: &Vector, after: &Vector) -> Result<GroupId, ModelError> {
        let model = self.product.model;
        let state = |v: &Vector| self.explorer.to_state(v)[..model.slots()].to_vec();
        let (before, after) = (state(before), state(after));
        for group in (0..model.groups() as u32).map(GroupId) {
            if model.step(group, &before)?.contains(&after) {
                return Ok(group);
            }
        }
        Err(ModelError("no group leads along a path of the product".to_owned()))
    }
}
