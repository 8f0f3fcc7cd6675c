//! Recurring states (MVDBM16 section 6.1): states that a firing finds again.
//!
//! When the events of a level are fired, the states they lead to *directly* (before the
//! image is saturated) and that were there already are *recurring*. If an accepting cycle
//! uses events of this level, at least one of them leads to a recurring state, so a node without
//! recurring states needs no search.
//!
//! *Why none is missed.* Saturation fires an arc as a whole, again whenever it has grown. Look at
//! the last firing of the arc from which each such step of the cycle starts. If its
//! target was not there yet, the target's arc grew at that moment and was fired later
//! still; so the arc of the next such step has a later last firing. That cannot go
//! on around the cycle. (Firing only what is new would break this argument.)
//!
//! The set is collected in one descent that follows the event and what was there at the
//! same time ([`Product::targets_within`], a constrained image); nothing is built that is then
//! thrown away. Only states inside accepting components of the automaton matter.

use brine_dd::{NodeId, Stop};
use brine_sat::Level;
use brine_sat::product::{ControlState, Filter, Firing, Product};

/// The recurring states of a firing: those below the local state that it led to.
pub(crate) fn recurring(product: &mut Product<'_>, firing: Firing) -> Result<NodeId, Stop> {
    let Firing { level, to, source, task, old, .. } = firing;
    if level == Level(0) {
        let recurs = old != NodeId::EMPTY && product.control.is_in(ControlState(to), Filter::INNER);
        return Ok(if recurs { NodeId::UNIT } else { NodeId::EMPTY });
    }
    product.targets_within(level.below(), source, task, old)
}
