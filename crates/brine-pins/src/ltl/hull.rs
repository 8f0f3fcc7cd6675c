//! The hull of accepting cycles on the complete product (Emerson and Lei, forward).
//!
//! The largest part of the reachable states in which every state can be reached, by at least
//! one step, from each fair set inside it. It contains all accepting cycles and what is
//! reachable from them, and is empty if there is none.
//!
//! ```text
//! H := reached
//! repeat for each fair set F:  H := H ∩ closure(image(H ∩ F))  until H stays
//! ```
//!
//! *Invariant.* H is closed under steps: it starts so, and closures are. So a path that
//! starts in H stays in H, which is what makes runs easy to find ([`super::lasso`]).

use brine_dd::NodeId;

use super::product::Product;
use crate::explorer::Explorer;
use crate::interface::Failure;
use crate::reach::Strategy;

/// The hull inside `reached`, a set of product states closed under steps.
pub(super) fn hull(
    explorer: &mut Explorer<'_>,
    product: &Product<'_>,
    strategy: Strategy,
    reached: NodeId,
) -> Result<NodeId, Failure> {
    let at = explorer.dd.protected_len();
    explorer.dd.protect(reached);
    explorer.dd.protect(reached);
    let mut hull = reached;
    loop {
        // Kept alive, or its id might come to mean another set before it is compared.
        let before = hull;
        explorer.dd.set_protected(at + 1, before);
        for set in 0..product.fair_sets() {
            let fair = fair_part(explorer, product, hull, set)?;
            let next = explorer.image(fair)?;
            let closure = explorer.closure(next, strategy)?;
            hull = explorer.dd.intersect(hull, closure)?;
            explorer.dd.set_protected(at, hull);
        }
        if hull == before || hull == NodeId::EMPTY {
            explorer.dd.unprotect_to(at);
            return Ok(hull);
        }
    }
}

/// The states of `set` in one of the fair sets.
pub(super) fn fair_part(
    explorer: &mut Explorer<'_>,
    product: &Product<'_>,
    set: NodeId,
    fair: u32,
) -> Result<NodeId, Failure> {
    let slots = [product.control_slot(), product.phase_slot()];
    explorer.filter(set, &slots, |v| Ok(product.is_fair(v[0], v[1], fair)))
}
