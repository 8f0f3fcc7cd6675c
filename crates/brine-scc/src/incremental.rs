//! On-the-fly search for accepting cycles (MVDBM16 section 6.4): the observer of a product
//! saturation.
//!
//! Each time a node becomes saturated, it is asked whether the events with its level as top
//! close an accepting cycle that its children did not have:
//! 1. Are there states inside accepting components, and in every fair set?
//! 2. Are there recurring states ([`crate::recurring`])?
//! 3. Does the node-wise abstraction have a cycle ([`crate::abstraction`]), with a
//!    recurring state and every fair set above it (Corollary 2)?
//! 4. Is one of these cycles certain ([`crate::must`])?
//! 5. If not, [`crate::detect`] decides, started from the recurring states above those cycles, along
//!    their arcs (Corollaries 1 and 3).
//!
//! By induction over the levels no accepting cycle is missed (Theorem 2); the first one
//! found ends the search. Besides, universal control states and, from time to time, dead
//! markings are looked for: a violation need not wait for the end either way.
//!
//! *A share of the work.* Where most nodes need a fixpoint and none has a cycle, the search
//! costs many times what the product costs. So it gets a head start and then at most half of
//! what the product has taken so far ([`Incremental::may_search`]). A node that it cannot
//! afford is put off, and one fixpoint over the complete product ([`crate::check`]) makes up
//! for all that were: it finds every accepting cycle, so none is missed either way. Work is
//! counted in ticks, not by the clock, so that the same question takes the same course.

use brine_dd::{NodeId, Stop};
use brine_sat::Level;
use brine_sat::product::{
    ControlState, Filter, Firing, Halt, Observer, Product, Region, Saturated,
};
use std::time::{Duration, Instant};

use crate::abstraction::{LocalComponent, candidates};
use crate::detect::detect;
use crate::must::certain_cycle;
use crate::recurring::recurring;

/// Which ideas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ideas {
    /// Recurring states.
    pub recurring: bool,
    /// Node-wise abstraction.
    pub abstraction: bool,
    /// How much of the work may go into fixpoints before the end.
    pub effort: Effort,
}

impl Default for Ideas {
    fn default() -> Self {
        Ideas { recurring: true, abstraction: true, effort: Effort::default() }
    }
}

/// What the search for cycles may take while the product grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Ticks that it may take in any case.
    pub head_start: u64,
    /// Ticks beyond that, for a hundred ticks of all else.
    pub percent: u64,
}

impl Effort {
    /// Nothing is searched before the end.
    pub const NONE: Effort = Effort { head_start: 0, percent: 0 };
}

impl Default for Effort {
    fn default() -> Self {
        Effort { head_start: 20_000, percent: 50 }
    }
}

/// The figures of MVDBM16 Table 1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SccStats {
    /// Symbolic fixpoints computed.
    pub calls: u64,
    /// Nodes that needed none for want of recurring or accepting states.
    pub prevented_recurring: u64,
    /// Nodes that needed none because of their abstraction.
    pub prevented_abstraction: u64,
    /// Cycles that needed none because they were certain.
    pub certain: u64,
    /// Nodes that were left to one fixpoint at the end.
    pub put_off: u64,
    /// Time in fixpoints.
    pub time: Duration,
}

/// A violation, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FoundViolation {
    /// Each state upstream of `targets` far enough lies on an accepting cycle; the states
    /// above the region are given.
    Cycle { above: Vec<u32>, region: Region, targets: NodeId },
    /// These dead states are violations.
    Dead { above: Vec<u32>, states: NodeId },
    /// A state from which every run is a violation.
    Universal,
}

/// The observer.
#[derive(Debug)]
pub(crate) struct Incremental {
    ideas: Ideas,
    pub(crate) stats: SccStats,
    /// What ended the search. Its nodes are protected.
    pub(crate) found: Option<FoundViolation>,
    /// Arcs of the abstractions of the nodes that are being fired.
    arcs: Vec<(u32, u32)>,
    /// Where the arcs of each begin, and where the frame of its recurring states does.
    begins: Vec<(usize, usize)>,
    /// When dead states are looked for next, in ticks.
    next_dead: u64,
    /// Ticks that the search for cycles took so far.
    taken: u64,
}

impl Incremental {
    pub(crate) fn new(ideas: Ideas) -> Self {
        Incremental {
            ideas,
            stats: SccStats::default(),
            found: None,
            arcs: Vec::new(),
            begins: Vec::new(),
            next_dead: 0,
            taken: 0,
        }
    }

    /// Whether the search for cycles is within its head start or its share of the work.
    fn may_search(&self, product: &Product<'_>) -> bool {
        let Effort { head_start, percent } = self.ideas.effort;
        let rest = product.dd.stats().ticks - self.taken;
        self.taken < head_start || self.taken < rest.saturating_mul(percent) / 100
    }

    /// Looks for dead violations, but spends no more than an eighth of the work on it.
    fn look_for_dead(&mut self, product: &mut Product<'_>, node: NodeId) -> Result<(), Halt> {
        let before = product.dd.stats().ticks;
        if before < self.next_dead {
            return Ok(());
        }
        let above = product.path().to_vec();
        let states = product.dead_violations(node, &above)?;
        let after = product.dd.stats().ticks;
        self.next_dead = after + 8 * (after - before);
        if states == NodeId::EMPTY {
            return Ok(());
        }
        product.dd.protect(states);
        self.found = Some(FoundViolation::Dead { above, states });
        Err(Halt::Enough)
    }

    /// Steps 1 to 5. `kept` are the node's recurring states, `arcs` is its abstraction.
    fn search(
        &mut self,
        product: &mut Product<'_>,
        Saturated { node, region }: Saturated,
        kept: NodeId,
        arcs: &[(u32, u32)],
    ) -> Result<Option<(Region, NodeId)>, Stop> {
        let level = region.level;
        let fair = |product: &mut Product<'_>, n: NodeId, level: Level| {
            let sets = product.control.fair_sets();
            (0..sets).all(|j| product.has(n, Filter::fair(j), level))
        };
        if !product.has(node, Filter::INNER, level)
            || !fair(product, node, level)
            || (self.ideas.recurring && kept == NodeId::EMPTY)
        {
            self.stats.prevented_recurring += 1;
            return Ok(None);
        }
        let mut allowed = None;
        if self.ideas.abstraction {
            let found = realisable(product, candidates(arcs), node, kept, level, self.ideas);
            if found.is_empty() {
                self.stats.prevented_abstraction += 1;
                return Ok(None);
            }
            allowed = Some(found);
        }
        if !self.may_search(product) {
            self.stats.put_off += 1;
            return Ok(None);
        }
        let region = product.inner(region);
        if let Some(found) = allowed.as_ref().filter(|_| level > Level(0)) {
            let cycle = certain_cycle(product, region, node, found)?;
            if cycle != NodeId::EMPTY {
                self.stats.certain += 1;
                return Ok(Some((region, cycle)));
            }
        }
        self.stats.calls += 1;
        let start = Instant::now();
        let result = run_detect(product, region, node, kept, allowed.as_deref(), self.ideas);
        self.stats.time += start.elapsed();
        Ok(result?.map(|targets| (region, targets)))
    }
}

/// The candidates above which there are recurring states and all fair sets (Corollary 2).
fn realisable(
    product: &mut Product<'_>,
    found: Vec<LocalComponent>,
    node: NodeId,
    kept: NodeId,
    level: Level,
    ideas: Ideas,
) -> Vec<LocalComponent> {
    let mut result = Vec::new();
    for candidate in found {
        let is_in = |value: u32| candidate.values.binary_search(&value).is_ok();
        let recurs = !ideas.recurring || product.dd.arcs(kept).any(|a| is_in(a.0));
        let children: Vec<(u32, NodeId)> = product.dd.arcs(node).filter(|a| is_in(a.0)).collect();
        let sets = product.control.fair_sets();
        let mut filters = std::iter::once(Filter::INNER).chain((0..sets).map(Filter::fair));
        let fair = filters.all(|filter| {
            children.iter().any(|&(value, down)| product.child_has(level, value, down, filter))
        });
        if recurs && fair {
            result.push(candidate);
        }
    }
    result
}

/// Starts the fixpoint at the recurring states above the candidates, or, without that
/// idea, at all targets of the level's events.
fn run_detect(
    product: &mut Product<'_>,
    region: Region,
    node: NodeId,
    kept: NodeId,
    candidates: Option<&[LocalComponent]>,
    ideas: Ideas,
) -> Result<Option<NodeId>, Stop> {
    let component = |value: u32| {
        candidates
            .map_or(Some(0), |all| all.iter().position(|c| c.values.binary_search(&value).is_ok()))
    };
    let allowed = |from: u32, to: u32| component(from).is_some_and(|c| component(to) == Some(c));
    let depth = product.dd.protected_len();
    product.dd.protect(node);
    let start = if ideas.recurring {
        let above: Vec<(u32, NodeId)> =
            product.dd.arcs(kept).filter(|a| component(a.0).is_some()).collect();
        product.dd.make_list(&above)?
    } else {
        product.targets_of_level(region, node, node, allowed)?
    };
    let result = detect(product, region, start, |product, sources, targets| {
        product.targets_of_level(region, sources, targets, allowed)
    });
    product.dd.unprotect_to(depth);
    result
}

impl Observer for Incremental {
    const WATCHES: bool = true;

    fn begin(&mut self, product: &mut Product<'_>) {
        let begin = (self.arcs.len(), product.kept.len());
        debug_assert!(self.begins.last() <= Some(&begin), "an inner node was not ended");
        self.begins.push(begin);
    }

    fn fired(&mut self, product: &mut Product<'_>, firing: Firing) -> Result<(), Halt> {
        let Firing { from, to, .. } = firing;
        self.arcs.push((from, to));
        if self.ideas.recurring {
            let found = recurring(product, firing)?;
            let (_, base) = self.begins.last().copied().unwrap_or_default();
            product.kept.add(&mut product.dd, base, to, found)?;
        }
        Ok(())
    }

    fn saturated(&mut self, product: &mut Product<'_>, node: Saturated) -> Result<(), Halt> {
        debug_assert!(!self.begins.is_empty(), "no node was begun");
        let (arcs, base) = self.begins.pop().unwrap_or_default();
        let arcs = self.arcs.split_off(arcs);
        let kept = product.kept.close(&mut product.dd, base)?;
        if node.region.level == Level(0) {
            self.reached(product, node.node)?;
        }
        // What is searched for may need a collection: keep the node.
        let depth = product.dd.protected_len();
        product.dd.protect(node.node);
        product.dd.protect(kept);
        debug_assert!(product.dd.is_subset(kept, node.node), "recurring states are there");
        let before = product.dd.stats().ticks;
        let found = self.search(product, node, kept, &arcs)?;
        self.taken += product.dd.stats().ticks - before;
        if let Some((region, targets)) = found {
            product.dd.protect(targets);
            self.found =
                Some(FoundViolation::Cycle { above: product.path().to_vec(), region, targets });
            return Err(Halt::Enough);
        }
        if product.on_spine() {
            self.look_for_dead(product, node.node)?;
        }
        product.dd.unprotect_to(depth);
        Ok(())
    }

    fn reached(&mut self, product: &mut Product<'_>, states: NodeId) -> Result<(), Halt> {
        let control = &product.control;
        let universal = |(q, _)| control.is_in(ControlState(q), Filter::UNIVERSAL);
        if product.dd.arcs(states).any(universal) {
            self.found = Some(FoundViolation::Universal);
            return Err(Halt::Enough);
        }
        Ok(())
    }
}
