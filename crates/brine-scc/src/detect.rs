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

use brine_dd::{NodeId, Stop};
use brine_sat::product::{Filter, Product, Region};

/// Runs the fixpoint in a region with edges inside accepting components only. `new_targets(product, sources, targets)` returns the targets that a
/// new step from the sources leads to.
pub(crate) fn detect(
    product: &mut Product<'_>,
    region: Region,
    mut targets: NodeId,
    mut new_targets: impl FnMut(&mut Product<'_>, NodeId, NodeId) -> Result<NodeId, Stop>,
) -> Result<Option<NodeId>, Stop> {
    let depth = product.dd.protected_len();
    let result = loop {
        if targets == NodeId::EMPTY {
            break None;
        }
        product.dd.unprotect_to(depth);
        product.dd.protect(targets);
        let sources = reach_fairly(product, region, targets)?;
        let left = new_targets(product, sources, targets)?;
        debug_assert!(product.dd.is_subset(left, targets), "targets are only filtered");
        if left == targets {
            break Some(targets);
        }
        targets = left;
    };
    product.dd.unprotect_to(depth);
    Ok(result)
}

/// The states reachable from `from` by way of every fair set.
fn reach_fairly(product: &mut Product<'_>, region: Region, from: NodeId) -> Result<NodeId, Stop> {
    let mut reached = product.closure(region, from)?;
    for j in 0..product.control.fair_sets() {
        let fair = product.select(reached, Filter::fair(j), region.level)?;
        reached = product.closure(region, fair)?;
    }
    Ok(reached)
}
