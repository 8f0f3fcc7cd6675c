//! What can always happen again, read off the reachable markings.
//!
//! ```text
//! s = a marking; loop:                         a bottom component: where runs end up for good
//!     F = all markings that s leads to
//!     B = those of them that lead to s
//!     B = F: F is a bottom component; else s = some marking of F that is not in B
//! ```
//!
//! A group of transitions is live if and only if each bottom component enables a member: from
//! every marking some bottom component can be reached, which is never left, and within it every
//! marking leads to every other. A home marking exists if and only if there is one bottom component,
//! and then all of its markings are. So two or three closures serve all transitions.
//!
//! *Shortcuts.* If the initial marking can be reached from everywhere, all markings are one bottom
//! component. A dead marking is one by itself, and enables nothing. Before each F, a random walk
//! leads away from s, so that chains of components are not gone through one by one.
//!
//! *Invariant.* Markings that are left to look at lead to no bottom component that was found. Sets
//! that are needed after a closure are protected.

use crate::branching::Branching;
use crate::guards::{GuardSet, Passed};
use crate::model::{Level, TailId};
use crate::saturate::{LevelEvents, Saturation};
use brine_dd::{NodeId, Stop, VectorCursor};
use brine_net::{Net, Recurrence, Rng, TransitionId};
use rustc_hash::FxHashSet;

/// Steps of a walk, and looks at a transition on the way.
const WALK_STEPS: usize = 20_000;
const WALK_LOOKS: usize = 4_000_000;

/// Nodes from which no guard of a set is passed.
type Barren = FxHashSet<(NodeId, GuardSet)>;

impl Branching {
    /// Of each group of transitions, whether a member is enabled in some reachable marking.
    pub fn can_fire(&mut self, groups: &[Vec<TransitionId>]) -> Result<Vec<bool>, Stop> {
        self.guarded(|b| b.enabled_in(b.reached, groups))
    }

    /// What comes back. With `all_or_nothing`, a group that is not live ends the search, and the
    /// rest of the answer is not to be relied on.
    pub fn recurrence(
        &mut self,
        net: &Net,
        groups: &[Vec<TransitionId>],
        all_or_nothing: bool,
    ) -> Result<Recurrence, Stop> {
        self.guarded(|b| b.find_recurrence(net, groups, all_or_nothing))
    }

    fn find_recurrence(
        &mut self,
        net: &Net,
        groups: &[Vec<TransitionId>],
        all_or_nothing: bool,
    ) -> Result<Recurrence, Stop> {
        let can_fire = self.enabled_in(self.reached, groups)?;
        let mut found = Recurrence { live: can_fire.clone(), can_fire, ..Recurrence::default() };
        if all_or_nothing && !found.is_live() {
            return Ok(found);
        }
        if self.is_reversible()? {
            found.reversible = true;
            found.home = Some(net.initial_marking());
            return Ok(found);
        }
        let dead = self.dead()?;
        let mut left = self.reached;
        let mut components = 0;
        while left != NodeId::EMPTY {
            self.engine.dd.protect(left);
            let (from, is_dead) = match self.engine.dd.intersect(left, dead)? {
                NodeId::EMPTY => (self.marking_of(left), false),
                dead => (self.marking_of(dead), true),
            };
            let Some(from) = from else { break };
            let (component, marking) = self.bottom_component(net, from)?;
            self.engine.dd.protect(component);
            debug_assert!(!is_dead || self.engine.dd.count(component) == 1_u32.into());
            let live = self.enabled_in(component, groups)?;
            found.live.iter_mut().zip(live).for_each(|(all, here)| *all &= here);
            components += 1;
            found.home = (components == 1).then_some(marking);
            if all_or_nothing && !found.is_live() {
                return Ok(found);
            }
            let leads_there = self.until(left, component)?;
            left = self.engine.dd.minus(left, leads_there)?;
            // The rest would change nothing.
            if components > 1 && found.live.iter().all(|live| !live) {
                break;
            }
        }
        if components > 1 {
            found.home = None;
        }
        Ok(found)
    }

    /// A bottom component that a marking leads to, and one of its markings.
    fn bottom_component(&mut self, net: &Net, from: Vec<u32>) -> Result<(NodeId, Vec<u32>), Stop> {
        let mut from = from;
        let mut rng = Rng::new(1);
        loop {
            walk(net, &mut from, &mut rng);
            let start = self.singleton(&from)?;
            self.engine.dd.protect(start);
            let forward = self.closure_forward(start)?;
            self.engine.dd.protect(forward);
            let back = self.until(forward, start)?;
            let ahead = self.engine.dd.minus(forward, back)?;
            match self.marking_of(ahead) {
                None => return Ok((forward, from)),
                Some(next) => from = next,
            }
        }
    }

    /// All markings that those of a set lead to.
    fn closure_forward(&mut self, set: NodeId) -> Result<NodeId, Stop> {
        let Saturation { model, sets, .. } = &mut self.engine;
        let forward = LevelEvents::new(model, sets, &model.events);
        let backward = self.engine.replace_events(forward);
        let result = self.engine.saturate_all(set);
        self.engine.replace_events(backward);
        result
    }

    /// Some marking of a set.
    fn marking_of(&self, set: NodeId) -> Option<Vec<u32>> {
        let vector = VectorCursor::new(&self.engine.dd, set).next(&self.engine.dd)?;
        Some(self.engine.model.marking(&vector))
    }

    /// The set of one marking.
    fn singleton(&mut self, marking: &[u32]) -> Result<NodeId, Stop> {
        let number = |space: &mut crate::local::LocalSpace| {
            let tokens: Vec<u32> = space.places.iter().map(|p| marking[p.index()]).collect();
            space.number(&tokens)
        };
        let vector: Vec<u32> = self.engine.model.levels[1..].iter_mut().rev().map(number).collect();
        self.engine.dd.singleton(&vector)
    }

    /// Of each group, whether some marking of a set enables a member.
    fn enabled_in(&mut self, set: NodeId, groups: &[Vec<TransitionId>]) -> Result<Vec<bool>, Stop> {
        let mut barren = Barren::default();
        let top = self.engine.top_level();
        let mut enabled = Vec::with_capacity(groups.len());
        for group in groups {
            let model = &self.engine.model;
            let events: Vec<TailId> = group.iter().map(|t| model.events[t.index()]).collect();
            enabled.push(match self.guards.of_events(&self.engine.model, events.into_iter()) {
                Passed::Enabled => set != NodeId::EMPTY,
                Passed::Left(guards) => self.is_enabled_below(set, guards, top, &mut barren)?,
            });
        }
        Ok(enabled)
    }

    /// Whether a vector below a node passes a guard of a set.
    fn is_enabled_below(
        &mut self,
        node: NodeId,
        set: GuardSet,
        level: Level,
        barren: &mut Barren,
    ) -> Result<bool, Stop> {
        if set == GuardSet::NONE || node.is_terminal() || barren.contains(&(node, set)) {
            return Ok(false);
        }
        self.engine.dd.tick()?;
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.engine.dd.node(at);
            at = n.right;
            let left = match self.guards.top(set) == level {
                true => self.guards.step(&self.engine.model, set, n.value),
                false => Passed::Left(set),
            };
            let enabled = match left {
                Passed::Enabled => true,
                Passed::Left(left) => self.is_enabled_below(n.down, left, level.below(), barren)?,
            };
            if enabled {
                return Ok(true);
            }
        }
        barren.insert((node, set));
        Ok(false)
    }
}

/// Walks away from a marking.
fn walk(net: &Net, marking: &mut [u32], rng: &mut Rng) {
    let count = net.transitions().len();
    if count == 0 {
        return;
    }
    let mut looks = 0;
    for _ in 0..WALK_STEPS {
        let first = rng.index(count);
        let mut order = (first..count).chain(0..first).map(|i| TransitionId(i as u32));
        let fired = order.find(|&t| {
            looks += 1;
            net.fire_in_place(t, marking)
        });
        if fired.is_none() || looks > WALK_LOOKS {
            return;
        }
    }
}
