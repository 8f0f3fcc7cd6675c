//! Provisos: what keeps partial-order reduction from postponing a transition for ever.
//!
//! A reduced graph may go round a cycle on which the same transitions are ignored at every
//! state (the ignoring problem). A *liveness* proviso sees to it that every cycle has an
//! expanded state, where all transitions are fired; a *safety* proviso that from each state
//! a path leads to an expanded one. The 46 liveness provisos of DKPR16 are made of a few
//! independent choices, and so is the code: [`Live`] names the choices, `search` is the one
//! depth-first search, and each choice is a few lines in it or a file of its own.
//!
//! | choice | in names | file |
//! |---|---|---|
//! | which end of a dangerous edge is expanded | `Source`, `Dest` | `search` |
//! | which edges are dangerous | nothing, `Cond`, `Colored`, `Weighted`, `Deepest` | `danger` |
//! | when the known successors are looked at | `Known` (before the others), `Unknown` (after) | `search` |
//! | green is passed on as early as possible | `Scan` | `search` |
//! | what is known of components | `Dead`, `Highlink` | `components`, `highlink` |
//!
//! Beside them: EP10's safety provisos, the in-queue provisos of breadth-first search
//! (`queue`), no proviso and full expansion as bounds, and two rules of our own for searches
//! that cannot wait ([`fates`]).

mod components;
mod danger;
pub mod fates;
mod highlink;
pub mod lts;
mod names;
mod queue;
mod search;
mod states;

pub use names::UnknownProviso;

use brine_run::Stop;
use fates::{FateRule, Fates};
use lts::Lts;

/// Which end of a dangerous edge is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Where it starts, at once.
    Source,
    /// Where it leads, when that state is left.
    Dest,
}

/// Which edges back to known states are dangerous.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Danger {
    /// Those to the stack.
    Stack,
    /// Those to the stack, unless one end is expanded already.
    Cond,
    /// Those to states that are not green (green: every cycle has an expanded state).
    Colored,
    /// Those to states that are not green, without an expanded state in between on the stack.
    Weighted,
    /// The same, but of several such edges only the one that leads to the deepest state.
    Deepest,
}

/// What is known of strongly connected components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sccs {
    /// Nothing.
    Unused,
    /// States of finished components are no danger.
    Dead,
    /// The same, and for other states that were left, which part of the stack is common to all
    /// cycles through them.
    Highlink,
}

/// A liveness proviso for depth-first search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Which end is expanded.
    pub end: End,
    /// Which edges are dangerous.
    pub danger: Danger,
    /// Known successors first (source) or last (destination).
    pub sorted: bool,
    /// Green is passed up the stack as soon as possible.
    pub scan: bool,
    /// What is known of components.
    pub sccs: Sccs,
}

/// A safety proviso for depth-first search (EP10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safe {
    /// C2S_s: some successor is not on the stack.
    Stack,
    /// C2S_e: or one on the stack has an expanded state below it.
    Expanded,
}

/// A proviso.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// No proviso: a lower bound.
    None,
    /// Every state is expanded: an upper bound.
    Full,
    /// A liveness proviso for depth-first search.
    Live(Live),
    /// A safety proviso for depth-first search.
    Safe(Safe),
    /// The in-queue proviso of breadth-first search; `live` or for safety.
    Queue {
        /// Whether all successors (or just one) must be in the queue.
        live: bool,
    },
    /// Decided when a marking is first looked at.
    OnTheFly {
        /// Acyclic, or the weaker Delegate.
        live: bool,
    },
}

/// What a proviso promises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// Only deadlocks, and whether runs end.
    Deadlocks,
    /// Finite runs up to stuttering; sets must be strong.
    Safety,
    /// All runs up to stuttering.
    Liveness,
}

/// What a reduced search counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// States.
    pub states: u64,
    /// Edges, each once.
    pub transitions: u64,
    /// States with all their successors.
    pub expanded: u64,
    /// States without successors.
    pub deadlocks: u64,
    /// The longest stack, or the breadth-first depth.
    pub depth: u64,
}

impl Proviso {
    /// What the proviso promises.
    pub fn promise(self) -> Promise {
        match self {
            Proviso::None => Promise::Deadlocks,
            Proviso::Safe(_)
            | Proviso::Queue { live: false }
            | Proviso::OnTheFly { live: false } => Promise::Safety,
            _ => Promise::Liveness,
        }
    }

    /// The rule, for provisos that need no search of their own.
    pub fn rule(self) -> Option<FateRule> {
        match self {
            Proviso::None => Some(FateRule::Never),
            Proviso::Full => Some(FateRule::Always),
            Proviso::OnTheFly { live: true } => Some(FateRule::Acyclic),
            Proviso::OnTheFly { live: false } => Some(FateRule::Delegate),
            _ => None,
        }
    }

    /// Explores the reduced graph and writes down the fates of its states. `watch` is called with
    /// the counts so far now and then, and at the end, whatever that is.
    pub fn explore<L: Lts>(
        self,
        lts: &mut L,
        fates: &mut Fates,
        watch: &mut dyn FnMut(&Counts),
    ) -> Result<Counts, Stop> {
        let mut counts = Counts::default();
        let result = lts.meter().look().and_then(|()| match self {
            Proviso::Queue { live } => queue::explore(lts, live, fates, &mut counts, watch),
            _ => search::explore(lts, self, fates, &mut counts, watch),
        });
        watch(&counts);
        result.map(|()| counts)
    }
}
