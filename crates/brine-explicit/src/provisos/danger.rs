//! Which edges are dangerous, and what is done about them.
//!
//! The current state s is on top of the stack and not expanded; it has an edge to a state t
//! that was seen. If t is on the stack, the edge closes a cycle with the stack from t down to
//! s. If t has left the stack, it may still lead back to the stack.
//!
//! - `Stack`: t on the stack. One end of each back-edge is expanded, and each cycle has one.
//! - `Cond`: the same, unless t is expanded (or, for `Dest`, an end is marked already).
//! - `Colored`: t is not green. Marks t; a marked state is expanded when it is left only if it
//!   is purple by then: otherwise its cycles all have an expanded state. (DKPR16 Algorithm 8)
//! - `Weighted`: t on the stack, not green, and no state from t down to s is expanded; or t is
//!   red. (EP10 figure 3; DKPR16 Algorithms 4 and 9)
//! - `Deepest`: the same, but of all the stack states that s would mark only the deepest is
//!   marked, when s is left and red: all the cycles pass through it.
//!
//! A red t: without components s is expanded. A dead t is no danger. With highlinks, t stands
//! for the stack state it leads to.

use super::lts::Lts;
use super::search::ProvisoSearch;
use super::states::{ProvisoColour, ProvisoState, StackPlace};
use super::{Danger, End, Live};
use crate::graph::GraphStateId;
use brine_run::Stop;

impl<L: Lts> ProvisoSearch<'_, L> {
    /// Looks at an edge from the current state, which is not expanded, to a state that was seen.
    pub(super) fn look(&mut self, live: Live, target: GraphStateId) -> Result<(), Stop> {
        let s = self.top().state;
        let (source, dest) = (self.states.get(s), self.states.get(target));
        match (live.danger, live.end) {
            (Danger::Stack, _) if !dest.is_on_stack() => Ok(()),
            (Danger::Cond, _) if !dest.is_on_stack() || dest.expanded => Ok(()),
            (Danger::Stack | Danger::Cond, End::Source) => self.expand(),
            (Danger::Cond, End::Dest) if source.mark => Ok(()),
            (Danger::Stack | Danger::Cond, End::Dest) => self.mark(target),
            (Danger::Colored, _) => {
                if dest.colour == ProvisoColour::Green || dest.place == StackPlace::Dead {
                    return Ok(());
                }
                self.turn_purple(s)?;
                self.mark(target)
            }
            (Danger::Weighted | Danger::Deepest, _) => self.look_weighted(live, target),
        }
    }

    fn look_weighted(&mut self, live: Live, target: GraphStateId) -> Result<(), Stop> {
        let dest = self.states.get(target);
        if dest.colour == ProvisoColour::Green || dest.place == StackPlace::Dead {
            return Ok(());
        }
        let stack_state = if dest.is_on_stack() {
            target
        } else if self.links.is_none() {
            return self.expand();
        } else {
            match self.highlink(target)? {
                Some(state) => state,
                None => return Ok(()),
            }
        };
        let uncovered = self.none_expanded_below(self.states.get(stack_state).depth);
        if uncovered && live.end == End::Source {
            return self.expand();
        }
        let s = self.top().state;
        self.turn_purple(s)?;
        self.add_link(stack_state)?;
        match live.danger {
            _ if !uncovered => Ok(()),
            Danger::Deepest if stack_state != s => {
                let depth_of = |t: GraphStateId| self.states.get(t).depth;
                let old = self.stack[self.stack.len() - 1].deepest;
                let deepest = old.filter(|&t| depth_of(t) > depth_of(stack_state));
                self.top().deepest = Some(deepest.unwrap_or(stack_state));
                Ok(())
            }
            _ => self.mark(stack_state),
        }
    }

    /// Whether an edge to a state that was seen may be on a cycle without expanded state.
    pub(super) fn is_dangerous(&mut self, target: GraphStateId) -> Result<bool, Stop> {
        let state = self.states.get(target);
        if state.colour == ProvisoColour::Green || state.place == StackPlace::Dead {
            return Ok(false);
        }
        if state.colour == ProvisoColour::Red && self.links.is_some() {
            return Ok(self.highlink(target)?.is_some());
        }
        Ok(true)
    }

    /// The search has come back from a successor of the current state.
    pub(super) fn come_back(&mut self, child: GraphStateId) -> Result<(), Stop> {
        let s = self.top().state;
        if self.states.get(s).expanded
            || self.states.get(child).colour != ProvisoColour::Red
            || !self.is_dangerous(child)?
        {
            return Ok(());
        }
        self.turn_purple(s)?;
        match self.highlink(child)? {
            Some(link) => self.add_link(link),
            None => Ok(()),
        }
    }

    /// A state was left and is red.
    pub(super) fn left_red(
        &mut self,
        s: GraphStateId,
        deepest: Option<GraphStateId>,
        link: Option<GraphStateId>,
    ) -> Result<(), Stop> {
        if let Some(target) = deepest {
            self.mark(target)?;
        }
        match (&mut self.links, link) {
            (Some(links), Some(link)) => links.inherit(s, link, &self.states, self.lts.meter()),
            _ => Ok(()),
        }
    }

    fn turn_purple(&mut self, s: GraphStateId) -> Result<(), Stop> {
        let state = self.states.get(s);
        self.set(s, ProvisoState { colour: ProvisoColour::Purple, ..state })
    }

    fn mark(&mut self, s: GraphStateId) -> Result<(), Stop> {
        let state = self.states.get(s);
        self.set(s, ProvisoState { mark: true, ..state })
    }

    /// The stack state that a red state leads back to, if links are kept.
    fn highlink(&mut self, target: GraphStateId) -> Result<Option<GraphStateId>, Stop> {
        match &mut self.links {
            Some(links) => links.find(target, &self.states, self.lts.meter()),
            None => Ok(None),
        }
    }

    /// The current state leads to a state of the stack.
    fn add_link(&mut self, to: GraphStateId) -> Result<(), Stop> {
        let frame = self.stack[self.stack.len() - 1];
        let Some(links) = &mut self.links else { return Ok(()) };
        if to == frame.state {
            return Ok(());
        }
        let old = frame.link.unwrap_or(to);
        let (deep, high) = if self.states.get(old).depth > self.states.get(to).depth {
            (old, to)
        } else {
            (to, old)
        };
        if deep != high {
            links.inherit(deep, high, &self.states, self.lts.meter())?;
        }
        self.top().link = Some(deep);
        Ok(())
    }
}
