//! Reachability: four strategies on learned relations.
//!
//! All compute the closure of a set under all groups, learning as they go:
//! - *breadth-first*: the images of everything known, until nothing is new;
//! - *breadth-first with the previous level* (MKBP14 Algorithm 3): images of what was new in
//!   the last round only;
//! - *chaining*: group after group, each on all that the ones before found;
//! - *saturation*: [`crate::saturate`].

use brine_dd::NodeId;

use crate::explorer::Explorer;
use crate::interface::Failure;

/// In which order groups are applied.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// Breadth-first, images of all that is known.
    Bfs,
    /// Breadth-first, images of the newest level (Algorithm 3).
    BfsPrev,
    /// Each group on what the ones before it found.
    Chaining,
    /// Level by level from below.
    #[default]
    Saturation,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 4] =
        [Strategy::Bfs, Strategy::BfsPrev, Strategy::Chaining, Strategy::Saturation];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Bfs => "bfs",
            Strategy::BfsPrev => "bfs-prev",
            Strategy::Chaining => "chain",
            Strategy::Saturation => "sat",
        }
    }
}

impl Explorer<'_> {
    /// All states reachable from the initial one. Run it under
    /// [`brine_dd::with_deep_stack`] when there are more than a few hundred slots.
    pub fn reach(&mut self, strategy: Strategy) -> Result<NodeId, Failure> {
        let initial = self.state(&self.model.initial())?;
        let reached = self.closure(initial, strategy)?;
        self.dd.protect(reached);
        Ok(reached)
    }

    /// All states reachable from those of `set`.
    pub fn closure(&mut self, set: NodeId, strategy: Strategy) -> Result<NodeId, Failure> {
        match strategy {
            Strategy::Bfs => self.breadth_first(set),
            Strategy::BfsPrev => self.breadth_first_prev(set),
            Strategy::Chaining => self.chaining(set),
            Strategy::Saturation => self.saturate(set),
        }
    }

    /// The states one step away from `set`, by any group. Collects garbage: what the caller
    /// still needs besides `set` must be protected.
    pub(crate) fn image(&mut self, set: NodeId) -> Result<NodeId, Failure> {
        let mut image = NodeId::EMPTY;
        for group in 0..self.groups.len() {
            self.collect_if_due(&[set, image]);
            self.learn(set, group)?;
            let next = self.next(set, group)?;
            image = self.dd.union(image, next)?;
        }
        Ok(image)
    }

    fn breadth_first(&mut self, set: NodeId) -> Result<NodeId, Failure> {
        let mut reached = set;
        loop {
            let image = self.image(reached)?;
            let more = self.dd.union(reached, image)?;
            if more == reached {
                return Ok(reached);
            }
            reached = more;
        }
    }

    fn breadth_first_prev(&mut self, set: NodeId) -> Result<NodeId, Failure> {
        let (mut reached, mut level) = (set, set);
        let protected = self.dd.protected_len();
        self.dd.protect(reached);
        while level != NodeId::EMPTY {
            let image = self.image(level)?;
            level = self.dd.minus(image, reached)?;
            reached = self.dd.union(reached, level)?;
            self.dd.set_protected(protected, reached);
        }
        self.dd.unprotect_to(protected);
        Ok(reached)
    }

    fn chaining(&mut self, set: NodeId) -> Result<NodeId, Failure> {
        let mut reached = set;
        loop {
            let before = reached;
            for group in 0..self.groups.len() {
                self.collect_if_due(&[reached, before]);
                self.learn(reached, group)?;
                let image = self.next(reached, group)?;
                reached = self.dd.union(reached, image)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }
}
