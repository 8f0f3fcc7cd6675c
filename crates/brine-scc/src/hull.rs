//! The textbook: hulls of accepting cycles on the complete product (Emerson-Lei, OWCTY).
//!
//! Both compute, forward, the largest set in which every state is reachable from each
//! fair set inside it by at least one step. It contains all accepting cycles and what is
//! reachable from them, and is empty if there is none. They differ in schedule:
//! - Emerson and Lei: for each fair set in turn, keep what is reachable from it.
//! - OWCTY ("one way catch them young"): keep what is reachable from the fair sets, then
//!   drop states without predecessors until there are none.
//!
//! They are here to compare with and to check against; [`crate::incremental`] is the real
//! thing.

use brine_dd::{NodeId, Stop};
use brine_sat::product::{Filter, Product, Region};

/// The schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hull {
    /// Emerson and Lei.
    EmersonLei,
    /// One way catch them young.
    Owcty,
}

/// The hull of the accepting cycles in `reached`, a set closed under the region's steps.
pub(crate) fn hull(
    product: &mut Product<'_>,
    kind: Hull,
    region: Region,
    reached: NodeId,
) -> Result<NodeId, Stop> {
    let depth = product.dd.protected_len();
    let mut set = reached;
    loop {
        product.dd.unprotect_to(depth);
        product.dd.protect(set);
        let next = match kind {
            Hull::EmersonLei => emerson_lei(product, region, set)?,
            Hull::Owcty => owcty(product, region, set)?,
        };
        debug_assert!(product.dd.is_subset(next, set), "a closed set only shrinks");
        if next == set {
            product.dd.unprotect_to(depth);
            return Ok(set);
        }
        set = next;
    }
}

/// The sets that an accepting cycle has to meet.
fn fair_sets(product: &Product<'_>) -> Vec<Filter> {
    match product.control.fair_sets() {
        0 => vec![Filter::INNER],
        n => (0..n).map(Filter::fair).collect(),
    }
}

/// One round: what is reachable from each fair set by at least one step.
fn emerson_lei(product: &mut Product<'_>, region: Region, mut set: NodeId) -> Result<NodeId, Stop> {
    for filter in fair_sets(product) {
        let depth = product.dd.protected_len();
        product.dd.protect(set);
        let fair = product.select(set, filter, region.level)?;
        let next = product.image(region, fair)?;
        let reached = product.closure(region, next)?;
        set = product.dd.intersect(set, reached)?;
        product.dd.unprotect_to(depth);
    }
    Ok(set)
}

/// One round: what is reachable from the fair sets, without states that lack a predecessor.
fn owcty(product: &mut Product<'_>, region: Region, mut set: NodeId) -> Result<NodeId, Stop> {
    for filter in fair_sets(product) {
        let fair = product.select(set, filter, region.level)?;
        set = product.closure(region, fair)?;
    }
    loop {
        let image = product.image(region, set)?;
        let kept = product.dd.intersect(set, image)?;
        if kept == set {
            return Ok(set);
        }
        set = kept;
    }
}
