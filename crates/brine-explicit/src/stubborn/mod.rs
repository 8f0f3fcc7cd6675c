//! Stubborn sets: which of the enabled transitions need not be postponed.
//!
//! Concurrent transitions can be fired in any order with the same result. At each marking a
//! *stubborn set* T (Valmari; the persistent sets of EP10 and the `reduced` of DKPR16 are its
//! enabled members) is chosen, its enabled transitions are fired, and the others are left for
//! later. T is closed under these rules, where a transition takes `a` and puts `b` tokens at a
//! place, and another takes `c` and puts `d`:
//!
//! - *disabled* t in T: some place lacks tokens for t. All transitions that add tokens to this
//!   place, and do not themselves need more tokens there than it has, are in T. So t cannot
//!   become enabled before a member of T fires.
//! - *enabled* t in T, strong: all u that are not in accord with t are in T, where t and u are
//!   in accord if `min(b, d) >= min(a, c)` at each place. What is in accord with t can neither
//!   disable t nor be disabled by t. (For `b < a` the tables take in all u with `c > 0`, for
//!   `b >= a` all with `d < c`; that may be more than needed, never less.)
//! - *enabled* t in T, weak: as above, but only the places with `b < a` count: t may be
//!   disabled by others, but what others can do they can also do after t.
//!
//! With a key transition (enabled, strong) in T and the others strong or weak this gives:
//!
//! - **D1** if u1 .. un are not in T, t is in T and u1 .. un t can be fired, then t u1 .. un can
//!   be fired as well, and leads to the same marking.
//! - **D2** no sequence of transitions outside T disables the key. In a *strong* set every
//!   enabled member is a key.
//!
//! **Visible transitions** ([`visible`]): if T has an enabled visible member, all visible
//! transitions are in T (V); if an invisible transition is enabled, T has an invisible key (I).
//!
//! *Why that is enough.* Let K be the marking graph, K' the graph in which each marking m has
//! only the edges of T(m), or all of them (m is then *expanded*). Let w be a run of K from m.
//! (1) If T(m) and w share a transition, the first shared one, t, can be moved to the front by
//! D1. If t is visible, what it passes is invisible by V. (2) If they share none, then w is not
//! finite with a dead end: the key would still be enabled there. So w goes on for ever, and a
//! key can be put in front of it by D1 and D2: an invisible one, for if T has enabled visible
//! members, w is invisible throughout, and I applies. In both cases K' has an edge from m that
//! starts a run with the same labels up to stuttering; the rest of it is treated alike from the
//! next marking on. Deadlocks are reached by (1) alone, with the same number of steps. But (2)
//! could go on for ever and ignore w. It cannot if *every cycle of K' has an expanded marking*:
//! K' is finite, so (2) repeated leads to an expanded marking, where (1) applies. That
//! is the business of the provisos. Hence K and K' have the same runs up to stuttering. For
//! properties whose violations show in a finite prefix, it is enough that from each
//! marking *some* path of K' leads to an expanded one (with strong sets, since the path
//! may use any enabled member).
//!
//! The set is a function of the marking: the same marking always gets the same set.
//!
//! Where all that matters is whether some marking can be reached, less is enough: [`goal`].

mod chooser;
mod closure;
mod components;
pub mod goal;
pub mod graph;
mod needs;
mod tables;
#[cfg(test)]
mod tests;
pub mod visible;

use crate::fire::Step;
use crate::markings::Markings;
use crate::store::MarkingId;
use brine_net::{Net, TransitionId};
use goal::Goal;
use graph::{Here, NeedNode};
use needs::Needs;
use std::sync::Arc;
use tables::Tables;

pub use chooser::SetChooser;

/// The dependencies of a net's transitions, shared by all properties.
#[derive(Clone, Debug)]
pub struct Dependencies(Arc<Tables>);

impl Dependencies {
    /// The dependencies of a net whose transitions are numbered by `order`.
    pub fn new(net: &Net, order: &[TransitionId]) -> Self {
        Dependencies(Arc::new(Tables::new(net, order)))
    }
}

/// What the enabled members of a stubborn set must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// All stay enabled whatever happens outside the set.
    Strong,
    /// One does, the others only commute.
    Weak,
}

/// How stubborn sets are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Strong or weak sets.
    pub strength: Strength,
    /// How many candidates are compared (at least one), and how many keys of weak sets.
    pub tries: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { strength: Strength::Weak, tries: 4 }
    }
}

/// Computes stubborn sets of a net.
#[derive(Debug)]
pub struct Stubborn {
    tables: Arc<Tables>,
    goal: Option<Goal>,
    here: Here,
    chooser: SetChooser,
    roots: Vec<NeedNode>,
}

impl Stubborn {
    /// For a property that sees these transitions.
    pub fn new(dependencies: &Dependencies, visible: Vec<Step>, choice: Choice) -> Self {
        let tables = dependencies.0.clone();
        Stubborn {
            goal: None,
            here: Here::new(visible, tables.steps()),
            chooser: SetChooser::new(tables.nodes(), choice),
            roots: Vec::new(),
            tables,
        }
    }

    /// Towards a goal, for the question whether it can be reached.
    pub fn towards(dependencies: &Dependencies, goal: Goal) -> Self {
        let stubborn = Stubborn::new(dependencies, Vec::new(), Choice::default());
        Stubborn { goal: Some(goal), ..stubborn }
    }

    /// Whether its sets only promise that a goal is reached.
    pub fn has_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// The enabled members of a stubborn set at a marking with these enabled transitions
    /// (ascending). All of them if nothing can be left out; none if there is a goal that cannot
    /// be reached from here.
    pub fn set<'s>(
        &'s mut self,
        ms: &Markings<'_>,
        at: MarkingId,
        enabled: &'s [Step],
    ) -> &'s [Step] {
        self.here.arrive(enabled);
        self.roots.clear();
        let reached = self.goal.as_mut().is_some_and(|goal| {
            !goal.roots(&self.tables, (&self.here, enabled), (ms, at), &mut self.roots)
        });
        let needs = Needs { tables: &self.tables, here: &self.here, ms, at };
        match self.goal {
            None => self.chooser.choose(needs, enabled),
            Some(_) if reached => enabled,
            Some(_) => self.chooser.closure(&self.roots, needs, enabled),
        }
    }
}
