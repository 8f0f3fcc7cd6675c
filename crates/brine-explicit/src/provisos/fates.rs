//! What became of each state: reduced or expanded; and rules that decide at first sight.
//!
//! The provisos of the papers belong to a depth-first search of the marking graph; a fate is
//! certain only when the state leaves the stack. A search of the *product* needs the fate at
//! once, and (see `reduction`) for the marking, whatever the automaton's state. So:
//!
//! **Acyclic** (liveness). Invariant: the states that are reduced, with the edges of their
//! reduced sets, form a graph without cycles. Then every cycle has an expanded state. A state
//! s without fate has no edges yet, so s may be reduced unless one of its reduced successors
//! is s or leads to s through reduced states. That is looked up: a walk from the successors,
//! through reduced states only. Every decision earns `CREDIT` steps that walks may take; if a
//! walk needs more than was saved up, s is expanded, to be on the safe side. If it ends without having met an undecided
//! state, everything in it is *safe*: whatever is decided later, no cycle of reduced states
//! can pass there; later walks stop at safe states.
//!
//! **Delegate** (safety). Each reduced state has a delegate, one of its reduced successors, and
//! the chain of delegates never comes back. So from each reduced state a path leads to an
//! expanded one, which is all that properties with finite violations need (EP10's C2S; the
//! position in the chain is the witness function of EP10 definition 5). A state s may be
//! reduced if the chain from one of its successors ends elsewhere than in s. Chains are
//! shortened as they are followed (path compression), so this costs next to nothing.
//!
//! A search may end before all states have a fate. The rest can be imagined to be
//! decided by the same rule afterwards; the search has seen all that matters. In an infinite
//! net the invariants say nothing about infinite paths without cycles, but a search that ended
//! has met finitely many markings, and on these the proof goes through.

use super::lts::Lts;
use crate::graph::{GraphStateId, Notes};
use crate::meter::Meter;
use brine_run::Stop;
use rustc_hash::FxHashSet;

/// The edges that walks may follow, per decision on average.
const CREDIT: u64 = 100;

/// How the fate of a state is decided when it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FateRule {
    /// Always reduced: no proviso at all.
    Never,
    /// Always expanded.
    Always,
    /// Reduced unless that closes a cycle of reduced states.
    Acyclic,
    /// Reduced if another state can be relied on.
    Delegate,
}

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Fate {
    #[default]
    Undecided,
    Reduced,
    /// Reduced, and no cycle without expanded state can ever pass through here.
    Safe,
    Expanded,
}

/// The fates of states.
#[derive(Debug)]
pub struct Fates {
    rule: FateRule,
    fate: Notes<Fate>,
    expanded: u64,
    /// Steps that walks may still take.
    credit: u64,
    /// The delegate of a reduced state, plus one.
    delegate: Notes<u32>,
    walk: Vec<GraphStateId>,
    seen: FxHashSet<GraphStateId>,
}

/// What a walk through reduced states found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FateWalk {
    /// The way back, or no end.
    MayReturn,
    /// No way back, but states without fate.
    Open,
    /// Nothing but expanded and safe states at the end.
    Closed,
}

impl Fates {
    /// Nothing is decided yet.
    pub fn new(rule: FateRule) -> Self {
        Fates {
            rule,
            fate: Notes::new(),
            expanded: 0,
            credit: 0,
            delegate: Notes::new(),
            walk: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// How many states were expanded so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A search has decided.
    pub(super) fn decide(
        &mut self,
        s: GraphStateId,
        expanded: bool,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        self.set(s, if expanded { Fate::Expanded } else { Fate::Reduced }, meter)
    }

    fn set(&mut self, s: GraphStateId, fate: Fate, meter: &mut Meter) -> Result<(), Stop> {
        let before = self.fate.get(s);
        debug_assert!(
            before == Fate::Undecided || (before == Fate::Reduced && fate == Fate::Safe),
            "a fate never changes"
        );
        self.expanded += u64::from(fate == Fate::Expanded);
        self.fate.set(s, fate, meter)
    }

    /// Whether a state is expanded; the rule decides if nobody has yet.
    #[inline]
    pub fn is_expanded<L: Lts>(&mut self, lts: &mut L, s: GraphStateId) -> Result<bool, Stop> {
        if self.fate.get(s) == Fate::Undecided {
            let fate = self.judge(lts, s)?;
            self.set(s, fate, lts.meter())?;
        }
        Ok(self.fate.get(s) == Fate::Expanded)
    }

    fn judge<L: Lts>(&mut self, lts: &mut L, s: GraphStateId) -> Result<Fate, Stop> {
        let (reduced, all) = lts.degrees(s)?;
        match self.rule {
            _ if reduced == all => Ok(Fate::Expanded),
            FateRule::Always => Ok(Fate::Expanded),
            FateRule::Never => Ok(Fate::Reduced),
            FateRule::Acyclic => self.judge_acyclic(lts, s),
            FateRule::Delegate => self.judge_delegate(lts, s, reduced),
        }
    }

    fn judge_acyclic<L: Lts>(&mut self, lts: &mut L, s: GraphStateId) -> Result<Fate, Stop> {
        match self.walk_back(lts, s)? {
            FateWalk::MayReturn => Ok(Fate::Expanded),
            FateWalk::Open => Ok(Fate::Reduced),
            FateWalk::Closed => {
                for i in 0..self.walk.len() {
                    self.fate.set(self.walk[i], Fate::Safe, lts.meter())?;
                }
                Ok(Fate::Safe)
            }
        }
    }

    /// Walks from the reduced successors of `s` through reduced states, looking for `s`.
    fn walk_back<L: Lts>(&mut self, lts: &mut L, s: GraphStateId) -> Result<FateWalk, Stop> {
        self.walk.clear();
        self.seen.clear();
        self.credit += CREDIT;
        let (mut open, mut next, mut from) = (false, 0, s);
        loop {
            for i in 0..lts.degrees(from)?.0 {
                let target = lts.target(from, i)?;
                if target == s || self.credit == 0 {
                    return Ok(FateWalk::MayReturn);
                }
                self.credit -= 1;
                match self.fate.get(target) {
                    Fate::Undecided => open = true,
                    Fate::Reduced if self.seen.insert(target) => self.walk.push(target),
                    _ => (),
                }
            }
            match self.walk.get(next) {
                Some(&x) => from = x,
                None => return Ok(if open { FateWalk::Open } else { FateWalk::Closed }),
            }
            next += 1;
        }
    }

    fn judge_delegate<L: Lts>(
        &mut self,
        lts: &mut L,
        s: GraphStateId,
        reduced: u32,
    ) -> Result<Fate, Stop> {
        for i in 0..reduced {
            let target = lts.target(s, i)?;
            if self.end_of_chain(target, lts.meter())? != s {
                self.delegate.set(s, target.0 + 1, lts.meter())?;
                return Ok(Fate::Reduced);
            }
        }
        Ok(Fate::Expanded)
    }

    /// Where the chain of delegates from a state ends; the chain becomes shorter.
    fn end_of_chain(&mut self, s: GraphStateId, meter: &mut Meter) -> Result<GraphStateId, Stop> {
        let mut end = s;
        while self.delegate.get(end) != 0 {
            end = GraphStateId(self.delegate.get(end) - 1);
        }
        let mut x = s;
        while x != end {
            let next = GraphStateId(self.delegate.get(x) - 1);
            self.delegate.set(x, end.0 + 1, meter)?;
            x = next;
        }
        Ok(end)
    }
}
