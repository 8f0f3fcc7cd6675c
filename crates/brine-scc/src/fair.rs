//! Fair accepting cycles: a hull of the complete product, and a run through it.
//!
//! *The hull.* Sets of product states Z that only shrink, until nothing changes any more:
//!
//! ```text
//! for each mark            Z := states of Z that reach, in Z, a state with the mark
//! for each weakly fair t   Z := states of Z that reach, in Z, one that disables t, or from which
//!                               t leads to a state of Z
//! for each strongly fair t Z := states of Z that disable t, or reach, in Z, one from which t
//!                               leads to a state of Z
//! at last                  Z := states of Z with a successor in Z, again and again
//! ```
//!
//! *Sound.* Let C be a strongly connected set of states of Z from which no step of Z leads away;
//! there is one, and each of its states has a successor in it. A state of C that reaches something
//! in Z reaches it in C. So C has each mark, fires t or disables it somewhere if t is weakly fair,
//! and fires t if it enables t and t is strongly fair: going round in all of C is accepting and
//! fair. *Complete.* The states that a fair accepting run visits infinitely often have all of
//! this among themselves, so no line takes any of them away. These are the hulls of Kesten, Pnueli
//! and Raviv (ICALP 1998) with steps instead of states as what must happen: t fires, which is no
//! property of a state.
//!
//! A transition may have several *copies* that stand for it (the net may tell events apart by
//! them); it is enabled if one is, and fires if one does. Runs that end in a dead marking are fair.
//! All steps of cycles are taken inside accepting components of the automaton.
//!
//! *The run.* From any state of the hull, what it reaches in the hull is computed, and what reaches
//! it; as long as something reached does not lead back, go on from there. So C is found. It is gone
//! round by shortest ways to what is needed, as in [`crate::lasso`].
//!
//! Cost: the complete product; per round and fair transition a backward closure, which is skipped
//! where the goal is everything.

use crate::check::{SymbolicAnswer, SymbolicStats};
use crate::incremental::FoundViolation;
use crate::lasso::{ProductVector, lasso, path, path_from_initial, transitions};
use brine_dd::{Control, Dd, NodeId, Stop, with_deep_stack};
use brine_ltl::Automaton;
use brine_net::order::Layout;
use brine_net::{Bounds, Net, Run, TransitionId};
use brine_sat::LevelModel;
use brine_sat::product::{ControlStates, Filter, Product, Region};
use std::time::Instant;

/// The copies of a transition that runs must treat fairly.
#[derive(Clone, Debug)]
pub struct FairSet {
    /// Not empty.
    pub copies: Vec<TransitionId>,
    /// Strongly, or weakly.
    pub strong: bool,
}

/// A question: has the net a fair run that the automaton, which reads markings, accepts?
#[derive(Clone, Copy, Debug)]
pub struct FairSymbolicQuestion<'a> {
    /// The net.
    pub net: &'a Net,
    /// Accepts exactly the violations.
    pub violations: &'a Automaton,
    /// Proven bounds of the places.
    pub bounds: &'a Bounds,
    /// For whom runs must be fair.
    pub fair: &'a [FairSet],
}

/// Answers the question with the levels of `layout`, as [`crate::check`] does.
pub fn check_fair(
    question: FairSymbolicQuestion<'_>,
    layout: &Layout,
    search: &Control,
    witness: impl FnOnce() -> Control + Send,
) -> Result<(SymbolicAnswer, SymbolicStats), Stop> {
    let run = || {
        let FairSymbolicQuestion { net, violations, bounds, fair } = question;
        let model = LevelModel::within(net, layout, &search.without_work())?;
        let control = ControlStates::new(violations);
        let mut product = Product::new(net, model, bounds, control, Dd::new(search.clone()));
        let mut stats = SymbolicStats::default();
        let found = find(&mut product, fair, &mut stats)?;
        let answer = match found {
            None => SymbolicAnswer::None,
            Some(found) => {
                product.dd.set_control(witness());
                SymbolicAnswer::Violation(match found {
                    Found::Dead(states) => {
                        let dead = FoundViolation::Dead { above: Vec::new(), states };
                        lasso(&mut product, &dead)
                    }
                    Found::Hull(region, hull) => fair_run(&mut product, region, hull, fair),
                })
            }
        };
        stats.peak_nodes = product.dd.stats().peak_nodes as u64;
        Ok((answer, stats))
    };
    // A thread that the system refuses is a lack of memory.
    with_deep_stack(layout.levels.len(), run).unwrap_or(Err(Stop::Memory))
}

/// Where a fair run is.
enum Found {
    /// Ends in one of these states.
    Dead(NodeId),
    /// Stays among these.
    Hull(Region, NodeId),
}

fn find(
    product: &mut Product<'_>,
    fair: &[FairSet],
    stats: &mut SymbolicStats,
) -> Result<Option<Found>, Stop> {
    let initial = product.initial()?;
    product.dd.protect(initial);
    let whole = product.whole();
    let reached = product.closure(whole, initial)?;
    product.dd.protect(reached);
    stats.product_states = Some(product.dd.count(reached));
    let dead = product.dead_violations(reached, &[])?;
    if dead != NodeId::EMPTY {
        product.dd.protect(dead);
        return Ok(Some(Found::Dead(dead)));
    }
    let start = Instant::now();
    let region = product.inner(whole);
    let inner = product.select(reached, Filter::INNER, region.level)?;
    let hull = fair_hull(product, region, inner, fair)?;
    stats.scc.calls += 1;
    stats.scc.time += start.elapsed();
    product.dd.protect(hull);
    Ok((hull != NodeId::EMPTY).then_some(Found::Hull(region, hull)))
}

/// The hull of the fair accepting cycles among the states of `set`.
fn fair_hull(
    product: &mut Product<'_>,
    region: Region,
    mut set: NodeId,
    fair: &[FairSet],
) -> Result<NodeId, Stop> {
    let depth = product.dd.protected_len();
    loop {
        let before = set;
        for j in 0..product.control.fair_sets() {
            product.dd.unprotect_to(depth);
            product.dd.protect(set);
            let goal = product.select(set, Filter::fair(j), region.level)?;
            product.dd.protect(goal);
            set = product.closure_before(region, goal, set)?;
        }
        for fair in fair {
            product.dd.unprotect_to(depth);
            product.dd.protect(set);
            set = treated_fairly(product, region, set, fair)?;
        }
        loop {
            product.dd.unprotect_to(depth);
            product.dd.protect(set);
            let alive = product.preimage(region, set)?;
            let alive = product.dd.intersect(set, alive)?;
            if alive == set {
                break;
            }
            set = alive;
        }
        if set == before {
            product.dd.unprotect_to(depth);
            return Ok(set);
        }
    }
}

/// The states of `set`, which is protected, that may go on and treat one transition fairly.
fn treated_fairly(
    product: &mut Product<'_>,
    region: Region,
    set: NodeId,
    fair: &FairSet,
) -> Result<NodeId, Stop> {
    let disabled = product.disabled(set, &fair.copies)?;
    if disabled == set {
        return Ok(set);
    }
    product.dd.protect(disabled);
    let firing = product.preimage_by(region, set, &fair.copies)?;
    let firing = product.dd.intersect(set, firing)?;
    product.dd.protect(firing);
    if fair.strong {
        let before = product.closure_before(region, firing, set)?;
        return product.dd.union(disabled, before);
    }
    let goal = product.dd.union(disabled, firing)?;
    if goal == set {
        return Ok(set);
    }
    product.dd.protect(goal);
    product.closure_before(region, goal, set)
}

/// A fair run into the hull and round in it.
fn fair_run(
    product: &mut Product<'_>,
    region: Region,
    hull: NodeId,
    fair: &[FairSet],
) -> Result<Run, Stop> {
    let component = last_component(product, region, hull)?;
    product.dd.protect(component);
    let whole = product.whole();
    let states = path_from_initial(product, whole, component)?;
    let prefix = transitions(product, &[], &states)?;
    let home = states.last().cloned().unwrap_or_default();
    let mut round = Round { product, region, component, states: vec![home], steps: Vec::new() };
    let cycle = round.go(fair)?;
    Ok(Run { prefix, cycle })
}

/// A strongly connected set of states of the hull from which no step of the hull leads away.
fn last_component(product: &mut Product<'_>, region: Region, hull: NodeId) -> Result<NodeId, Stop> {
    let depth = product.dd.protected_len();
    let mut candidates = hull;
    loop {
        product.dd.protect(candidates);
        let Some(state) = product.dd.vectors(candidates).next() else {
            unreachable!("a hull that is not empty ends in a component")
        };
        let state = product.dd.singleton(&state)?;
        product.dd.protect(state);
        let after = closure_within(product, region, state, hull)?;
        product.dd.protect(after);
        let before = product.closure_before(region, state, after)?;
        product.dd.protect(before);
        let away = product.dd.minus(after, before)?;
        if away == NodeId::EMPTY {
            product.dd.unprotect_to(depth);
            return Ok(after);
        }
        product.dd.unprotect_to(depth);
        candidates = away;
    }
}

/// The states of `within` that `node` leads to through states of `within`.
fn closure_within(
    product: &mut Product<'_>,
    region: Region,
    node: NodeId,
    within: NodeId,
) -> Result<NodeId, Stop> {
    let depth = product.dd.protected_len();
    let (mut all, mut newest) = (node, node);
    while newest != NodeId::EMPTY {
        product.dd.unprotect_to(depth);
        product.dd.protect(all);
        product.dd.protect(newest);
        let image = product.image(region, newest)?;
        let image = product.dd.intersect(image, within)?;
        newest = product.dd.minus(image, all)?;
        product.dd.protect(newest);
        all = product.dd.union(all, newest)?;
    }
    product.dd.unprotect_to(depth);
    Ok(all)
}

/// A way round in a component, as far as it has come.
struct Round<'p, 'a> {
    product: &'p mut Product<'a>,
    region: Region,
    component: NodeId,
    /// The states of the way; the first one is home.
    states: Vec<ProductVector>,
    /// What leads from each to the next.
    steps: Vec<TransitionId>,
}

impl Round<'_, '_> {
    /// Visits each mark, treats all transitions fairly, and comes home by at least one step.
    fn go(&mut self, fair: &[FairSet]) -> Result<Vec<TransitionId>, Stop> {
        let level = self.region.level;
        for j in 0..self.product.control.fair_sets() {
            self.walk_to(|product, layer| product.select(layer, Filter::fair(j), level))?;
        }
        for set in fair {
            self.treat(set)?;
        }
        // Home by at least one step.
        let home = self.product.dd.singleton(&self.states[0])?;
        self.product.dd.protect(home);
        let last = self.states[self.states.len() - 1].clone();
        let from = self.product.dd.singleton(&last)?;
        let next = self.product.image(self.region, from)?;
        let next = self.product.dd.intersect(next, self.component)?;
        let way = path(self.product, self.region, next, Some(self.component), |product, layer| {
            product.dd.intersect(layer, home)
        })?;
        let mut states = vec![last];
        states.extend(way);
        self.extend(&states)?;
        Ok(std::mem::take(&mut self.steps))
    }

    /// Fires a transition, or, if that is enough, goes where it is disabled.
    fn treat(&mut self, set: &FairSet) -> Result<(), Stop> {
        if set.copies.iter().any(|t| self.steps.contains(t)) {
            return Ok(());
        }
        let (region, component) = (self.region, self.component);
        let disabled = self.product.disabled(component, &set.copies)?;
        if disabled == component {
            return Ok(());
        }
        if !set.strong && disabled != NodeId::EMPTY {
            return self.walk_to(|product, layer| product.dd.intersect(layer, disabled));
        }
        let firing = self.product.preimage_by(region, component, &set.copies)?;
        let firing = self.product.dd.intersect(firing, component)?;
        self.product.dd.protect(firing);
        self.walk_to(|product, layer| product.dd.intersect(layer, firing))?;
        // The step itself: a copy that leads to a state of the component.
        let at = self.states[self.states.len() - 1].clone();
        let from = self.product.dd.singleton(&at)?;
        let next = self.product.image(region, from)?;
        let next = self.product.dd.intersect(next, component)?;
        self.product.dd.protect(next);
        let marking = self.product.marking(&at[..at.len() - 1]);
        let net = self.product.net();
        for &t in &set.copies {
            let Some(after) = net.fire(t, &marking) else { continue };
            let fits = |s: &ProductVector| self.product.marking(&s[..s.len() - 1]) == after;
            let found = self.product.dd.vectors(next).find(fits);
            if let Some(state) = found {
                self.states.push(state);
                self.steps.push(t);
                return Ok(());
            }
        }
        unreachable!("a state from which the transition stays in the component")
    }

    /// Goes a shortest way to what is wanted, unless it was visited already.
    fn walk_to(
        &mut self,
        wanted: impl Fn(&mut Product<'_>, NodeId) -> Result<NodeId, Stop>,
    ) -> Result<(), Stop> {
        let from = self.product.dd.singleton(&self.states[self.states.len() - 1])?;
        let way = path(self.product, self.region, from, Some(self.component), wanted)?;
        self.extend(&way)
    }

    /// Goes on along these states, the first of which is the last one so far.
    fn extend(&mut self, way: &[ProductVector]) -> Result<(), Stop> {
        let steps = transitions(self.product, &[], way)?;
        self.steps.extend(steps);
        self.states.extend(way.iter().skip(1).cloned());
        Ok(())
    }
}
