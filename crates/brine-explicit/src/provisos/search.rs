//! The depth-first search that all provisos of DKPR16, and EP10's, are choices in.
//!
//! ```text
//! visit(s): colour s orange; if reduced(s) is everything, or the proviso says so: expand(s)
//!   [Known: look at the successors in reduced(s) that were seen]
//!   for t in reduced(s):
//!     if t is new: visit(t); if t came back red, s is purple
//!     else look at the edge s -> t [Unknown: at the end]
//!   if s is marked (and purple, where there are colours): expand(s)
//!   s leaves the stack: green if it is orange or expanded, red if purple
//! expand(s): s green; the rest of post(s) is visited as well
//!   [Scan: orange states above s that wait for nothing else become green]
//! ```
//!
//! What "look at the edge" does is in `danger`: expand the source now, or mark a state of the
//! stack (the destination) to be expanded when it is left.
//!
//! Each edge is taken once; `Known` looks at reduced sets twice. The depths of the expanded
//! states on the stack are kept in a stack of their own, so whether one lies below a given
//! state is one comparison (these are the weights of EP10 and DKPR16).

use super::components::ProvisoComponents;
use super::fates::Fates;
use super::highlink::Highlinks;
use super::lts::Lts;
use super::states::{ProvisoColour, ProvisoState, StackPlace};
use super::{Counts, Danger, End, Live, Proviso, Safe, Sccs};
use crate::graph::{GraphStateId, Notes};
use brine_run::Stop;

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) state: GraphStateId,
    /// The next successor to visit, and the end of those to be visited.
    next: u32,
    end: u32,
    all: u32,
    /// Where this state's part of `deferred` starts.
    deferred: usize,
    /// The deepest state that must be marked if this one becomes red (`Deepest`).
    pub(super) deepest: Option<GraphStateId>,
    /// The deepest stack state that the successors lead to (`Highlink`).
    pub(super) link: Option<GraphStateId>,
}

/// A search in progress.
pub(super) struct ProvisoSearch<'a, L> {
    pub(super) lts: &'a mut L,
    proviso: Proviso,
    fates: &'a mut Fates,
    pub(super) states: Notes<ProvisoState>,
    pub(super) stack: Vec<Frame>,
    /// Depths of the expanded states on the stack.
    expanded: Vec<u32>,
    /// Known successors of states on the stack that wait to be looked at (`Unknown`).
    deferred: Vec<GraphStateId>,
    components: Option<ProvisoComponents>,
    pub(super) links: Option<Highlinks>,
    counts: &'a mut Counts,
}

/// Explores the reduced graph of a proviso.
pub(super) fn explore<L: Lts>(
    lts: &mut L,
    proviso: Proviso,
    fates: &mut Fates,
    counts: &mut Counts,
    watch: &mut dyn FnMut(&Counts),
) -> Result<(), Stop> {
    let sccs = if let Proviso::Live(live) = proviso { live.sccs } else { Sccs::Unused };
    let initial = lts.initial()?;
    let mut search = ProvisoSearch {
        lts,
        proviso,
        fates,
        states: Notes::new(),
        stack: Vec::new(),
        expanded: Vec::new(),
        deferred: Vec::new(),
        components: (sccs != Sccs::Unused).then(ProvisoComponents::new),
        links: (sccs == Sccs::Highlink).then(Highlinks::new),
        counts,
    };
    search.enter(initial)?;
    while let Some(&Frame { state, next, end, .. }) = search.stack.last() {
        if next == end {
            if !search.finish()? {
                search.leave()?;
            }
            continue;
        }
        search.top().next += 1;
        search.counts.transitions += 1;
        let target = search.lts.target(state, next)?;
        if search.states.get(target).is_seen() {
            search.reach(target)?;
        } else {
            search.enter(target)?;
            if search.counts.states.is_multiple_of(1 << 15) {
                watch(search.counts);
            }
        }
    }
    Ok(())
}

impl<L: Lts> ProvisoSearch<'_, L> {
    /// The frame of the current state. The stack is never empty when this is called.
    pub(super) fn top(&mut self) -> &mut Frame {
        let top = self.stack.len() - 1;
        &mut self.stack[top]
    }

    pub(super) fn set(&mut self, s: GraphStateId, state: ProvisoState) -> Result<(), Stop> {
        self.states.set(s, state, self.lts.meter())
    }

    /// Whether no state from this depth of the stack downwards is expanded.
    pub(super) fn none_expanded_below(&self, depth: u32) -> bool {
        self.expanded.last().is_none_or(|&e| e < depth)
    }

    fn enter(&mut self, s: GraphStateId) -> Result<(), Stop> {
        let (reduced, all) = self.lts.degrees(s)?;
        let frame = Frame {
            state: s,
            next: 0,
            end: reduced,
            all,
            deferred: self.deferred.len(),
            deepest: None,
            link: None,
        };
        self.lts.meter().push(&mut self.stack, frame)?;
        let depth = self.stack.len() as u32;
        self.counts.states += 1;
        self.counts.deadlocks += u64::from(all == 0);
        self.counts.depth = self.counts.depth.max(u64::from(depth));
        self.set(
            s,
            ProvisoState { depth, colour: ProvisoColour::Orange, ..ProvisoState::default() },
        )?;
        if let Some(components) = &mut self.components {
            components.open(s, self.lts.meter())?;
        }
        if reduced == all || self.expands_at_once(s, reduced)? {
            self.expand()?;
        } else if let Proviso::Live(Live { end: End::Source, sorted: true, .. }) = self.proviso {
            self.look_ahead(s, reduced)?;
        }
        Ok(())
    }

    /// Provisos that decide when a state is entered.
    fn expands_at_once(&mut self, s: GraphStateId, reduced: u32) -> Result<bool, Stop> {
        match self.proviso {
            Proviso::Full => Ok(true),
            Proviso::None => Ok(false),
            Proviso::OnTheFly { .. } => self.fates.is_expanded(self.lts, s),
            Proviso::Safe(safe) => {
                for i in 0..reduced {
                    let t = self.lts.target(s, i)?;
                    let state = self.states.get(t);
                    let relies = safe == Safe::Expanded && !self.none_expanded_below(state.depth);
                    if !state.is_on_stack() || relies {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Proviso::Live(_) | Proviso::Queue { .. } => Ok(false),
        }
    }

    /// `Known`: looks at the successors that were seen before any other is visited.
    fn look_ahead(&mut self, s: GraphStateId, reduced: u32) -> Result<(), Stop> {
        for i in 0..reduced {
            let target = self.lts.target(s, i)?;
            if self.states.get(target).is_seen() {
                self.reach(target)?;
            }
        }
        Ok(())
    }

    /// An edge from the current state to a state that was seen.
    fn reach(&mut self, target: GraphStateId) -> Result<(), Stop> {
        let Proviso::Live(live) = self.proviso else { return Ok(()) };
        if let Some(components) = &mut self.components
            && self.states.get(target).place != StackPlace::Dead
        {
            components.join(target);
        }
        let s = self.top().state;
        if self.states.get(s).expanded {
            return Ok(());
        }
        if live.end == End::Dest && live.sorted && target != s {
            return self.lts.meter().push(&mut self.deferred, target);
        }
        self.look(live, target)
    }

    /// The current state gets all its successors.
    pub(super) fn expand(&mut self) -> Result<(), Stop> {
        let frame = self.top();
        frame.end = frame.all;
        let s = frame.state;
        let state = self.states.get(s);
        self.lts.meter().push(&mut self.expanded, state.depth)?;
        self.set(s, ProvisoState { colour: ProvisoColour::Green, expanded: true, ..state })?;
        if let Proviso::Live(Live { scan: true, .. }) = self.proviso {
            self.scan()?;
        }
        Ok(())
    }

    /// `Scan`: the states above the current one that will become green, because they wait for
    /// nothing but the green state below them, become green at once.
    fn scan(&mut self) -> Result<(), Stop> {
        for i in (0..self.stack.len() - 1).rev() {
            let state = self.states.get(self.stack[i].state);
            if state.colour != ProvisoColour::Orange || !self.waits_only_for_child(i)? {
                break;
            }
            self.set(self.stack[i].state, ProvisoState { colour: ProvisoColour::Green, ..state })?;
        }
        Ok(())
    }

    /// Whether a state of the stack has no successor left to look at, or (`Known`) only some
    /// that were looked at already.
    fn waits_only_for_child(&mut self, i: usize) -> Result<bool, Stop> {
        let frame = self.stack[i];
        let deferred_end = self.stack.get(i + 1).map_or(self.deferred.len(), |f| f.deferred);
        if frame.deferred < deferred_end {
            return Ok(false);
        }
        for k in frame.next..frame.end {
            let target = self.lts.target(frame.state, k)?;
            let known_first =
                matches!(self.proviso, Proviso::Live(l) if l.end == End::Source && l.sorted);
            if !known_first || self.states.get(target).colour != ProvisoColour::Green {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The current state has no successor left; `true` if it is expanded and has more now.
    fn finish(&mut self) -> Result<bool, Stop> {
        let Proviso::Live(live) = self.proviso else { return Ok(false) };
        let Frame { state: s, deferred, .. } = *self.top();
        if !self.states.get(s).expanded {
            self.look_at_deferred(live, s, deferred)?;
        }
        self.deferred.truncate(deferred);
        let state = self.states.get(s);
        let coloured = !matches!(live.danger, Danger::Stack | Danger::Cond);
        let dangerous = state.mark && (!coloured || state.colour == ProvisoColour::Purple);
        if !state.expanded && dangerous {
            self.expand()?;
        }
        let frame = self.top();
        Ok(frame.next < frame.end)
    }

    /// `Unknown`: now is the time to look at known successors. If the state is going to be
    /// expanded itself, there is no need to mark them.
    fn look_at_deferred(&mut self, live: Live, s: GraphStateId, first: usize) -> Result<(), Stop> {
        for i in first..self.deferred.len() {
            let target = self.deferred[i];
            if !self.states.get(s).mark {
                self.look(live, target)?;
            } else if self.is_dangerous(target)? {
                let state = self.states.get(s);
                self.set(s, ProvisoState { colour: ProvisoColour::Purple, ..state })?;
            }
            if self.states.get(s).expanded {
                break;
            }
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Stop> {
        let Some(Frame { state: s, deepest, link, .. }) = self.stack.pop() else { return Ok(()) };
        let mut state = self.states.get(s);
        if state.expanded {
            self.expanded.pop();
            self.counts.expanded += 1;
        }
        state.place = StackPlace::Left;
        state.colour = match state.colour {
            ProvisoColour::Purple => ProvisoColour::Red,
            _ => ProvisoColour::Green,
        };
        self.set(s, state)?;
        if state.colour == ProvisoColour::Red {
            self.left_red(s, deepest, link)?;
        }
        if let Some(components) = &mut self.components {
            components.close(s, &mut self.states, self.lts.meter())?;
        }
        if self.proviso.rule().is_none() {
            self.fates.decide(s, state.expanded, self.lts.meter())?;
        }
        if let Proviso::Live(_) = self.proviso
            && !self.stack.is_empty()
        {
            self.come_back(s)?;
        }
        Ok(())
    }
}
