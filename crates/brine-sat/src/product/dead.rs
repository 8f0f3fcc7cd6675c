//! Violations by deadlock.
//!
//! A dead marking repeats for ever: from it the automaton reads one letter for ever. So
//! a product state is a violation when its marking is dead and its control state accepts
//! that constant word; which ones do is a table over (letter, state). Dead states are
//! found by walking down the diagram with the set of guards not passed yet: where a guard
//! is passed to its end the marking is alive, where none is left all states below are dead.

use super::residual::Residual;
use super::{Product, ProductOp};
use crate::guards::{GuardSet, Guards, Passed};
use crate::model::{Level, LevelModel};
use brine_dd::{Key, NodeId, Stop};
use brine_net::TransitionId;

/// The guards of transitions, and the set of all of them once it was needed.
#[derive(Debug)]
pub(super) struct Guarded {
    guards: Guards,
    all: Option<Passed>,
}

impl Default for Guarded {
    fn default() -> Self {
        Guarded { guards: Guards::new(), all: None }
    }
}

impl Guarded {
    fn all(&mut self, model: &LevelModel) -> Passed {
        let Guarded { guards, all } = self;
        *all.get_or_insert_with(|| guards.of_events(model, model.events.iter().copied()))
    }
}

impl Product<'_> {
    /// The states of `node` that are dead in the net and whose automaton accepts what it
    /// then reads for ever. `node` holds states below the local states of `above` (top level
    /// first).
    pub fn dead_violations(&mut self, node: NodeId, above: &[u32]) -> Result<NodeId, Stop> {
        let dead = self.dead_states(node, above)?;
        if dead == NodeId::EMPTY {
            return Ok(dead);
        }
        let (residual, level) = self.letters.below(&self.events.model, above);
        self.accepting_for_ever(dead, residual, level)
    }

    /// The states of `node`, a set of all levels, in which none of these transitions is enabled in
    /// the net.
    pub fn disabled(&mut self, node: NodeId, transitions: &[TransitionId]) -> Result<NodeId, Stop> {
        let level = self.whole().level;
        let model = &self.events.model;
        let events = transitions.iter().map(|&t| model.event(t));
        match self.guarded.guards.of_events(model, events) {
            Passed::Enabled => Ok(NodeId::EMPTY),
            Passed::Left(set) => self.dead_below(node, set, level),
        }
    }

    /// The states of `node` whose automaton accepts the letter of their marking, repeated.
    fn accepting_for_ever(
        &mut self,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Stop> {
        if node == NodeId::EMPTY || residual == Residual::STUCK {
            return Ok(NodeId::EMPTY);
        }
        let key = Key::with_number(ProductOp::ForEver, node, residual.raw());
        if let Some(r) = self.dd.client_cache.get(key) {
            return Ok(r);
        }
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let below = if level == Level(0) {
                let accepting = self.letters.accepts_for_ever(&self.control, residual);
                let accepts = accepting[n.value as usize];
                if accepts { NodeId::UNIT } else { NodeId::EMPTY }
            } else {
                let next = self.letters.step(&self.events.model, residual, level, n.value);
                self.accepting_for_ever(n.down, next, level.below())?
            };
            self.frames.add(&mut self.dd, base, n.value, below)?;
        }
        let result = self.frames.close(&mut self.dd, base)?;
        self.dd.client_cache.put(key, result);
        Ok(result)
    }

    /// The states of `node` that are dead in the net.
    fn dead_states(&mut self, node: NodeId, above: &[u32]) -> Result<NodeId, Stop> {
        let top = self.whole().level;
        let mut left = self.guarded.all(&self.events.model);
        for (level, &value) in (1..=top.0).rev().zip(above) {
            let Passed::Left(set) = left else { break };
            self.dd.tick()?;
            if self.guarded.guards.top(set) == Level(level) {
                left = self.guarded.guards.step(&self.events.model, set, value);
            }
        }
        match left {
            Passed::Enabled => Ok(NodeId::EMPTY),
            Passed::Left(set) => self.dead_below(node, set, Level(top.0 - above.len() as u32)),
        }
    }

    fn dead_below(&mut self, node: NodeId, set: GuardSet, level: Level) -> Result<NodeId, Stop> {
        if set == GuardSet::NONE || node == NodeId::EMPTY {
            return Ok(node);
        }
        let key = Key::with_number(ProductOp::Dead, node, set.raw());
        if let Some(r) = self.dd.client_cache.get(key) {
            return Ok(r);
        }
        self.dd.tick()?;
        let base = self.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let mut left = Passed::Left(set);
            if self.guarded.guards.top(set) == level {
                left = self.guarded.guards.step(&self.events.model, set, n.value);
            }
            let Passed::Left(left) = left else { continue };
            let dead = self.dead_below(n.down, left, level.below())?;
            self.frames.add(&mut self.dd, base, n.value, dead)?;
        }
        let dead = self.frames.close(&mut self.dd, base)?;
        self.dd.client_cache.put(key, dead);
        Ok(dead)
    }
}
