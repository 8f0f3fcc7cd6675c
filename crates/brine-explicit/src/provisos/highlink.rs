//! Highlinks: where the cycles through a red state come back to the stack (DKPR16 section 5).
//!
//! A red state x has left the stack. Some paths from x, through red states only, lead back to
//! states of the stack. `find(x)` is the deepest of these. An edge from the top s of the stack
//! to x closes a cycle with each of the paths, and every such cycle runs down the stack from
//! `find(x)` to s. So if one of these stack states is expanded, all the cycles are fine, and
//! expanding any one of them makes them fine. Without a highlink x is no danger at all.
//!
//! The paper leaves open how the links are kept. Here every state has at most one link, to a
//! state that was above it on the stack. When a state becomes red its link is the deepest
//! stack state that its own successors lead to. If they lead to several, p deeper than q, the
//! link is p, and p *inherits* q: should p leave the stack, x leads to q at least. The links of
//! a state on the stack, its inheritance, count for those that point at it, and for itself only
//! once it is red. A state that left the stack is skipped over and paths are compressed, as in
//! union-find.
//!
//! Inherited links may be too deep for some of those who use them (p's other heirs need not
//! lead to q). Deeper means more expansions than needed, never fewer.

use super::states::ProvisoState;
use crate::graph::{GraphStateId, Notes};
use crate::meter::Meter;
use brine_run::Stop;

/// The links of all states.
#[derive(Debug)]
pub(super) struct Highlinks {
    /// The state linked to, plus one.
    link: Notes<u32>,
}

impl Highlinks {
    pub(super) fn new() -> Self {
        Highlinks { link: Notes::new() }
    }

    fn get(&self, s: GraphStateId) -> Option<GraphStateId> {
        self.link.get(s).checked_sub(1).map(GraphStateId)
    }

    /// The deepest stack state that the paths from a red state lead to.
    pub(super) fn find(
        &mut self,
        x: GraphStateId,
        states: &Notes<ProvisoState>,
        meter: &mut Meter,
    ) -> Result<Option<GraphStateId>, Stop> {
        let mut end = self.get(x);
        while let Some(y) = end.filter(|&y| !states.get(y).is_on_stack()) {
            end = self.get(y);
        }
        let mut at = x;
        while let Some(y) = self.get(at).filter(|&y| !states.get(y).is_on_stack()) {
            self.link.set(at, end.map_or(0, |e| e.0 + 1), meter)?;
            at = y;
        }
        Ok(end)
    }

    /// Those who link to `heir` lead to `to` as well; both are on the stack (or `heir` has just
    /// become red), `to` is higher up.
    pub(super) fn inherit(
        &mut self,
        mut heir: GraphStateId,
        mut to: GraphStateId,
        states: &Notes<ProvisoState>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        loop {
            let Some(old) = self.get(heir).filter(|&old| old != to) else {
                return self.link.set(heir, to.0 + 1, meter);
            };
            let (deep, high) =
                if states.get(old).depth > states.get(to).depth { (old, to) } else { (to, old) };
            self.link.set(heir, deep.0 + 1, meter)?;
            (heir, to) = (deep, high);
        }
    }
}
