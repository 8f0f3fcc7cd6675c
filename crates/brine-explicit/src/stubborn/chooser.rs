//! Which closed set is taken: the smallest of a few, by rules V and I of the parent module.

use super::closure::Closure;
use super::components::StubbornComponents;
use super::graph::{NeedGraph, NeedNode};
use super::{Choice, Strength};
use crate::fire::Step;

/// Chooses stubborn sets on a graph of dependencies.
#[derive(Debug)]
pub struct SetChooser {
    choice: Choice,
    components: StubbornComponents,
    closure: Closure,
    keys: Vec<Step>,
    set: Vec<Step>,
}

impl SetChooser {
    /// For graphs of so many nodes.
    pub fn new(nodes: usize, choice: Choice) -> Self {
        SetChooser {
            choice,
            components: StubbornComponents::new(nodes),
            closure: Closure::new(nodes),
            keys: Vec::new(),
            set: Vec::new(),
        }
    }

    /// The enabled members of a stubborn set, ascending; `enabled` are all enabled transitions.
    pub fn choose(&mut self, graph: impl NeedGraph, enabled: &[Step]) -> &[Step] {
        self.set.clear();
        if enabled.len() < 2 {
            self.set.extend(enabled);
            return &self.set;
        }
        let first_invisible = enabled.iter().copied().find(|&t| !graph.here().sees(t));
        let can_be_key = |t: Step| first_invisible.is_none() || !graph.here().sees(t);
        let fits = |set: &[Step]| set.iter().any(|&t| can_be_key(t));
        let bottom = self.components.smallest(graph, enabled, self.choice.tries, fits);
        self.set.extend(bottom);
        if self.set.is_empty() {
            // Every bottom is visible, yet something invisible is enabled.
            let key = first_invisible.unwrap_or(enabled[0]);
            let all = self.closure.of(key, false, enabled.len(), graph).unwrap_or(enabled);
            self.set.extend(all);
        }
        let weaker = |set: &[Step]| set.iter().any(|&t| graph.has_weaker_needs(t));
        if self.choice.strength == Strength::Weak && self.set.len() > 1 && weaker(&self.set) {
            self.keys.clear();
            let keys = self.set.iter().copied().filter(|&t| can_be_key(t));
            self.keys.extend(keys.take(self.choice.tries));
            for &key in &self.keys {
                if let Some(smaller) = self.closure.of(key, true, self.set.len(), graph) {
                    self.set.clear();
                    self.set.extend(smaller);
                }
            }
        }
        self.set.sort_unstable();
        debug_assert!(self.keeps_visible_rules(graph, enabled), "V and I of the head comment");
        &self.set
    }

    /// The enabled members, ascending, of the closure of some nodes, where all need only
    /// commute.
    pub(super) fn closure(
        &mut self,
        roots: &[NeedNode],
        graph: impl NeedGraph,
        enabled: &[Step],
    ) -> &[Step] {
        let closed = self.closure.of_all(roots, enabled.len(), graph);
        self.set.clear();
        self.set.extend(closed.unwrap_or(enabled));
        self.set.sort_unstable();
        &self.set
    }

    /// V and I of the head comment, as far as enabled transitions show it.
    fn keeps_visible_rules(&self, graph: impl NeedGraph, enabled: &[Step]) -> bool {
        let sees = |t: &Step| graph.here().sees(*t);
        let all_visible = enabled.iter().filter(|t| sees(t)).all(|t| self.set.contains(t));
        let some_invisible = self.set.iter().any(|t| !sees(t));
        (all_visible || !self.set.iter().any(sees)) && (some_invisible || enabled.iter().all(sees))
    }
}
