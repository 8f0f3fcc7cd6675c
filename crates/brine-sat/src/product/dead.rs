//! Violations by deadlock.
//!
//! A dead marking repeats for ever: from it the automaton reads one letter for ever. So
//! a product state is a violation when its marking is dead and its control state accepts
//! that constant word; which ones do is a table over (letter, state). Dead states are
//! found by walking down the diagram with the set of guards not passed yet: where a guard
//! is passed to its end the marking is alive, where none is left all states below are dead.

use super::residual::Residual;
use super::{Product, op};
use crate::guards::{GuardSet, Passed};
use crate::model::Level;
use brine_dd::{Abort, NodeId};

impl Product<'_> {
    /// The states of `node` that are dead in the net and whose automaton accepts what it
    /// then reads for ever. `node` holds states below the local states of `above` (top level
    /// first).
    pub fn dead_violations(&mut self, node: NodeId, above: &[u32]) -> Result<NodeId, Abort> {
        let dead = self.dead_states(node, above)?;
        if dead == NodeId::EMPTY {
            return Ok(dead);
        }
        let mut residual = self.root();
        let mut level = self.top();
        for &value in above {
            residual = self.step(residual, level, value);
            level = level.below();
        }
        self.accepting_for_ever(dead, residual, level)
    }

    /// The states of `node` whose automaton accepts the letter of their marking, repeated.
    fn accepting_for_ever(
        &mut self,
        node: NodeId,
        residual: Residual,
        level: Level,
    ) -> Result<NodeId, Abort> {
        if node == NodeId::EMPTY || residual == Residual::STUCK {
            return Ok(NodeId::EMPTY);
        }
        if let Some(r) = self.dd.client_cache.get(op::FOR_EVER, node.raw(), residual.raw()) {
            return Ok(r);
        }
        let base = self.open_frame();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let below = if level == Level(0) {
                let accepts = self.accepts_for_ever(residual)[n.value as usize];
                if accepts { NodeId::UNIT } else { NodeId::EMPTY }
            } else {
                let next = self.step(residual, level, n.value);
                self.accepting_for_ever(n.down, next, level.below())?
            };
            self.add(base, n.value, below, NodeId::EMPTY)?;
        }
        let (result, _) = self.close_frame(base)?;
        self.dd.client_cache.put(op::FOR_EVER, node.raw(), residual.raw(), result);
        Ok(result)
    }

    /// For each control state: does it accept a letter of this class, repeated for ever?
    fn accepts_for_ever(&mut self, class: Residual) -> &[bool] {
        let (control, residuals) = (&self.control, &self.residuals);
        self.for_ever.entry(class).or_insert_with(|| {
            let (labels, _) = residuals.letter_class(class);
            control.accepts_for_ever(|l| labels.binary_search(&l.0).is_ok())
        })
    }

    /// The states of `node` that are dead in the net.
    pub fn dead_states(&mut self, node: NodeId, above: &[u32]) -> Result<NodeId, Abort> {
        let top = self.top();
        let mut left = self.all_guards();
        for (level, &value) in (1..=top.0).rev().zip(above) {
            let Passed::Left(set) = left else { break };
            self.dd.tick()?;
            if self.guards.top(set) == Level(level) {
                left = self.guards.step(&self.model, set, value);
            }
        }
        match left {
            Passed::Enabled => Ok(NodeId::EMPTY),
            Passed::Left(set) => self.dead_below(node, set, Level(top.0 - above.len() as u32)),
        }
    }

    /// The guards of all transitions.
    fn all_guards(&mut self) -> Passed {
        if let Some(all) = self.all_guards {
            return all;
        }
        let all = self.guards.of_events(&self.model, self.model.events.iter().copied());
        self.all_guards = Some(all);
        all
    }

    fn dead_below(&mut self, node: NodeId, set: GuardSet, level: Level) -> Result<NodeId, Abort> {
        if set == GuardSet::NONE || node == NodeId::EMPTY {
            return Ok(node);
        }
        if let Some(r) = self.dd.client_cache.get(op::DEAD, node.raw(), set.raw()) {
            return Ok(r);
        }
        self.dd.tick()?;
        let base = self.open_frame();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.dd.node(at);
            at = n.right;
            let mut left = Passed::Left(set);
            if self.guards.top(set) == level {
                left = self.guards.step(&self.model, set, n.value);
            }
            let Passed::Left(left) = left else { continue };
            let dead = self.dead_below(n.down, left, level.below())?;
            self.add(base, n.value, dead, NodeId::EMPTY)?;
        }
        let (dead, _) = self.close_frame(base)?;
        self.dd.client_cache.put(op::DEAD, node.raw(), set.raw(), dead);
        Ok(dead)
    }
}
