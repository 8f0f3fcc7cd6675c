//! `DetectSCC` (MVDBM16 Algorithm 6) with fair sets: a fixpoint that is empty unless there
//! is an accepting cycle through a *new* step.
//!
//! New steps are those by events with top k, along arcs that the abstraction left over; old
//! ones are those by events below. `targets` starts as the set of states that new steps
//! lead to and is filtered: a target stays if a new step leads to it from a state that is
//! reachable from some target by way of every fair set, one after the other.
//!
//! *Sound.* In a nonempty fixpoint each target has such a predecessor target; going back
//! for ever in a finite set closes a cycle, with a new step and a visit to every fair set in each
//! round. *Complete.* The targets of an accepting cycle that were there at the start stay:
//! all of the cycle is reachable from any one of them, by way of every fair set.
//!
//! The paper keeps the sources as a second set and computes them as a preimage. Here they
//! are only ever used to compute targets, so the reachable states stand for them, and no
//! preimage is needed. All steps are taken inside accepting components of the automaton.

use brine_dd::{Abort, NodeId};
use brine_sat::Level;
use brine_sat::product::{Filter, Halt, Product, Residual, Silent};

use crate::recurring::{arcs, child, targets_within};

/// Where cycles are searched: states from `level` down, under a residual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub(crate) level: Level,
    /// Restricted to edges inside accepting components.
    pub(crate) residual: Residual,
}

/// Runs the fixpoint. `new_targets(product, sources, targets)` returns the targets that a
/// new step from the sources leads to.
pub(crate) fn detect(
    product: &mut Product<'_>,
    region: Region,
    mut targets: NodeId,
    mut new_targets: impl FnMut(&mut Product<'_>, NodeId, NodeId) -> Result<NodeId, Abort>,
) -> Result<Option<NodeId>, Abort> {
    let depth = product.dd.protected_len();
    let result = loop {
        if targets == NodeId::EMPTY {
            break None;
        }
        product.dd.unprotect_to(depth);
        product.dd.protect(targets);
        let sources = reach_fairly(product, region, targets)?;
        let left = new_targets(product, sources, targets)?;
        if left == targets {
            break Some(targets);
        }
        targets = left;
    };
    product.dd.unprotect_to(depth);
    Ok(result)
}

/// The states reachable from `from` by way of every fair set.
fn reach_fairly(product: &mut Product<'_>, region: Region, from: NodeId) -> Result<NodeId, Abort> {
    let mut reached = closure(product, region, from)?;
    for j in 0..product.control.fair_sets() {
        let fair = product.select(reached, Filter::fair(j), region.level)?;
        reached = closure(product, region, fair)?;
    }
    Ok(reached)
}

/// The states reachable from `from` by any steps of the region.
pub(crate) fn closure(
    product: &mut Product<'_>,
    region: Region,
    from: NodeId,
) -> Result<NodeId, Abort> {
    match product.saturate(&mut Silent, from, region.residual, region.level) {
        Ok(node) => Ok(node),
        Err(Halt::Abort(abort)) => Err(abort),
        Err(Halt::Enough) => unreachable!("nobody watches"),
    }
}

/// The states of `within` that events with top at the region's level lead to from `sources`,
/// along the arcs that `allowed` admits.
pub(crate) fn targets_of_level(
    product: &mut Product<'_>,
    region: Region,
    sources: NodeId,
    within: NodeId,
    allowed: impl Fn(u32, u32) -> bool,
) -> Result<NodeId, Abort> {
    let Region { level, residual } = region;
    let Some(events) = product.events_at(level, residual)? else {
        return Ok(NodeId::EMPTY);
    };
    if level == Level(0) {
        return targets_within(product, sources, events, within, level);
    }
    let base = product.open_frame();
    let targets = arcs(product, within);
    for (value, down) in arcs(product, sources) {
        product.prepare(events, value)?;
        let mut i = 0;
        while let Some((to, task)) = product.get_move(events, value, i) {
            i += 1;
            let Some(below) = child(&targets, to).filter(|_| allowed(value, to)) else {
                continue;
            };
            let found = targets_within(product, down, task, below, level.below())?;
            product.add(base, to, found, NodeId::EMPTY)?;
        }
    }
    Ok(product.close_frame(base)?.0)
}
