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
//! same time; nothing is built that is then thrown away. Only states inside accepting
//! components of the automaton matter. The same descent computes "targets of these
//! steps within that set" for [`DetectSCC`](crate::detect).

use brine_dd::{Abort, NodeId};
use brine_sat::Level;
use brine_sat::product::{Filter, Product, Task};

/// Tag in the client cache; the task fills the bits above. Both operands are nodes.
const TARGETS_WITHIN: u32 = 0;

/// The states of `within` that `task` leads to directly from `node`, as far as they lie
/// inside accepting components. Both are sets of states from `level` down.
pub(crate) fn targets_within(
    product: &mut Product<'_>,
    node: NodeId,
    task: Task,
    within: NodeId,
    level: Level,
) -> Result<NodeId, Abort> {
    if node == NodeId::EMPTY || !product.has(within, Filter::INNER, level) {
        return Ok(NodeId::EMPTY);
    }
    let key = task.raw() << 4 | TARGETS_WITHIN;
    if let Some(r) = product.dd.client_cache.get(key, node.raw(), within.raw()) {
        return Ok(r);
    }
    product.dd.tick()?;
    let base = product.open_frame();
    let (sources, targets) = (arcs(product, node), arcs(product, within));
    if level == Level(0) {
        let (class, _) = product.letter_class(task);
        for &(q, _) in &sources {
            for to in product.successors(class, false)[q as usize].clone() {
                if child(&targets, to).is_some() && product.control.is_in(to, Filter::INNER) {
                    product.add(base, to, NodeId::UNIT, NodeId::EMPTY)?;
                }
            }
        }
    } else if product.next_level(task) < level {
        for &(value, down) in &sources {
            if let Some(below) = child(&targets, value) {
                let found = targets_within(product, down, task, below, level.below())?;
                product.add(base, value, found, NodeId::EMPTY)?;
            }
        }
    } else {
        for &(value, down) in &sources {
            product.prepare(task, value)?;
            let mut i = 0;
            while let Some((to, next)) = product.get_move(task, value, i) {
                i += 1;
                if let Some(below) = child(&targets, to) {
                    let found = targets_within(product, down, next, below, level.below())?;
                    product.add(base, to, found, NodeId::EMPTY)?;
                }
            }
        }
    }
    let (result, _) = product.close_frame(base)?;
    product.dd.client_cache.put(key, node.raw(), within.raw(), result);
    Ok(result)
}

pub(crate) fn arcs(product: &Product<'_>, node: NodeId) -> Vec<(u32, NodeId)> {
    product.dd.arcs(node).collect()
}

pub(crate) fn child(arcs: &[(u32, NodeId)], value: u32) -> Option<NodeId> {
    arcs.binary_search_by_key(&value, |a| a.0).ok().map(|i| arcs[i].1)
}
