//! From a symbolic violation to a run: a prefix and a cycle of transitions.
//!
//! Breadth-first layers lead from the initial states to the violation; then a run is traced
//! back through them, state by state, each time a preimage of one state that meets the
//! layer before. The cycle is found in the same way inside one strongly connected
//! component: from a state of it to the nearest state of each fair set and back again.
//!
//! *Which component.* The fixpoint of [`crate::detect`] may hold states that are merely
//! reachable from an accepting cycle. So take any of its states t: its component is what t
//! reaches and is reached from. If that is not accepting, go on from a state of the
//! fixpoint strictly upstream; there is one, since each has a fair past inside the
//! fixpoint, and one cannot go upstream for ever.
//!
//! All this may take longer than the verdict, so it has limits of its own: those of the
//! product's diagrams when it is called.

use brine_dd::{NodeId, Stop};
use brine_net::{Run, TransitionId};
use brine_sat::product::{ControlState, Filter, Product, Region};
use rustc_hash::FxHashMap;

use crate::incremental::FoundViolation;

/// A state from the region's level down, with the control state last.
pub(crate) type ProductVector = Vec<u32>;

/// Finds a run for a violation.
pub(crate) fn lasso(product: &mut Product<'_>, found: &FoundViolation) -> Result<Run, Stop> {
    let whole = product.whole();
    match found {
        FoundViolation::Dead { above, states } => {
            let goal = below_path(product, above, *states)?;
            let states = path_from_initial(product, whole, goal)?;
            Ok(Run { prefix: transitions(product, &[], &states)?, cycle: Vec::new() })
        }
        FoundViolation::Universal => {
            let states = path_to_universal(product, whole)?;
            let prefix = transitions(product, &[], &states)?;
            let last = states.last().cloned().unwrap_or_default();
            let marking = product.marking(&last[..last.len().saturating_sub(1)]);
            run_on(product, prefix, marking)
        }
        FoundViolation::Cycle { above, region, targets } => {
            let component = accepting_component(product, *region, *targets)?;
            product.dd.protect(component);
            let goal = below_path(product, above, component)?;
            let states = path_from_initial(product, whole, goal)?;
            let prefix = transitions(product, &[], &states)?;
            let last = states.last().cloned().unwrap_or_default();
            let start = last[above.len()..].to_vec();
            let around = cycle_through(product, *region, component, start)?;
            Ok(Run { prefix, cycle: transitions(product, above, &around)? })
        }
    }
}

/// The set of states with the local states of `above` on top of those of `node`.
fn below_path(product: &mut Product<'_>, above: &[u32], mut node: NodeId) -> Result<NodeId, Stop> {
    for &value in above.iter().rev() {
        node = product.dd.make_node(value, node, NodeId::EMPTY)?;
    }
    product.dd.protect(node);
    Ok(node)
}

/// An accepting strongly connected component near the states of `targets`.
fn accepting_component(
    product: &mut Product<'_>,
    region: Region,
    targets: NodeId,
) -> Result<NodeId, Stop> {
    let depth = product.dd.protected_len();
    product.dd.protect(targets);
    let all = product.closure(region, targets)?;
    product.dd.protect(all);
    let mut candidates = targets;
    loop {
        product.dd.protect(candidates);
        let Some(state) = product.dd.vectors(candidates).next() else {
            unreachable!("a nonempty fixpoint has an accepting component upstream")
        };
        let state = product.dd.singleton(&state)?;
        product.dd.protect(state);
        let after = product.closure(region, state)?;
        product.dd.protect(after);
        let before = product.closure_before(region, state, all)?;
        let component = product.dd.intersect(after, before)?;
        if is_accepting(product, region, component)? {
            product.dd.unprotect_to(depth);
            return Ok(component);
        }
        let upstream = product.dd.minus(before, after)?;
        candidates = product.dd.intersect(targets, upstream)?;
    }
}

/// True when the strongly connected set has a step inside, inside an accepting component of
/// the automaton, and meets every fair set.
fn is_accepting(
    product: &mut Product<'_>,
    region: Region,
    component: NodeId,
) -> Result<bool, Stop> {
    let image = product.image(region, component)?;
    let inside = product.dd.intersect(image, component)?;
    let sets = product.control.fair_sets();
    let fair = product.has(component, Filter::INNER, region.level)
        && (0..sets).all(|j| product.has(component, Filter::fair(j), region.level));
    Ok(fair && inside != NodeId::EMPTY)
}

/// A shortest path from an initial state to a state of `goal`.
pub(crate) fn path_from_initial(
    product: &mut Product<'_>,
    whole: Region,
    goal: NodeId,
) -> Result<Vec<ProductVector>, Stop> {
    let initial = product.initial()?;
    path(product, whole, initial, None, |product, layer| product.dd.intersect(layer, goal))
}

fn path_to_universal(product: &mut Product<'_>, whole: Region) -> Result<Vec<ProductVector>, Stop> {
    let initial = product.initial()?;
    path(product, whole, initial, None, |product, layer| {
        product.select(layer, Filter::UNIVERSAL, whole.level)
    })
}

/// A cycle from `start` through every fair set, inside the component.
fn cycle_through(
    product: &mut Product<'_>,
    region: Region,
    component: NodeId,
    start: ProductVector,
) -> Result<Vec<ProductVector>, Stop> {
    let mut around = vec![start.clone()];
    for j in 0..product.control.fair_sets() {
        let filter = Filter::fair(j);
        let met = |s: &ProductVector| {
            s.last().is_some_and(|&q| product.control.is_in(ControlState(q), filter))
        };
        if around.iter().any(met) {
            continue;
        }
        let from = product.dd.singleton(&around[around.len() - 1])?;
        let more = path(product, region, from, Some(component), |product, layer| {
            product.select(layer, filter, region.level)
        })?;
        around.extend(more.into_iter().skip(1));
    }
    // Home again, by at least one step.
    let last = product.dd.singleton(&around[around.len() - 1])?;
    let home = product.dd.singleton(&start)?;
    let next = product.image(region, last)?;
    let next = product.dd.intersect(next, component)?;
    let more = path(product, region, next, Some(component), |product, layer| {
        product.dd.intersect(layer, home)
    })?;
    around.extend(more);
    Ok(around)
}

/// A shortest path from a state of `from` to one that `hits` selects, inside `within`.
pub(crate) fn path(
    product: &mut Product<'_>,
    region: Region,
    from: NodeId,
    within: Option<NodeId>,
    mut hits: impl FnMut(&mut Product<'_>, NodeId) -> Result<NodeId, Stop>,
) -> Result<Vec<ProductVector>, Stop> {
    let (mut layers, mut seen) = (vec![from], from);
    let mut last = loop {
        let newest = layers[layers.len() - 1];
        let hit = hits(product, newest)?;
        if let Some(state) = product.dd.vectors(hit).next() {
            break state;
        }
        let image = product.image(region, newest)?;
        let image = match within {
            Some(set) => product.dd.intersect(image, set)?,
            None => image,
        };
        let next = product.dd.minus(image, seen)?;
        assert!(next != NodeId::EMPTY, "the goal of a path is reachable");
        seen = product.dd.union(seen, next)?;
        layers.push(next);
    };
    layers.pop();
    let mut backwards = vec![last.clone()];
    while let Some(layer) = layers.pop() {
        let state = product.dd.singleton(&last)?;
        last = predecessor(product, region, state, layer)?;
        backwards.push(last.clone());
    }
    backwards.reverse();
    Ok(backwards)
}

/// A state of `layer` with a step to the one state of `state`.
fn predecessor(
    product: &mut Product<'_>,
    region: Region,
    state: NodeId,
    layer: NodeId,
) -> Result<ProductVector, Stop> {
    let before = product.preimage(region, state)?;
    let before = product.dd.intersect(before, layer)?;
    let first = product.dd.vectors(before).next();
    Ok(first.unwrap_or_else(|| unreachable!("each state of a layer comes from the one before")))
}

/// The transitions that lead along the states, which lie below the local states of `above`.
/// Where several do, the first one.
pub(crate) fn transitions(
    product: &mut Product<'_>,
    above: &[u32],
    states: &[ProductVector],
) -> Result<Vec<TransitionId>, Stop> {
    let marking = |s: &ProductVector| {
        let vector: Vec<u32> = above.iter().chain(&s[..s.len() - 1]).copied().collect();
        product.marking(&vector)
    };
    let markings: Vec<Vec<u32>> = states.iter().map(marking).collect();
    let mut run = Vec::with_capacity(markings.len());
    for pair in markings.windows(2) {
        let step = first_step(product, &pair[0], |after| after == pair[1])?;
        let (t, _) =
            step.unwrap_or_else(|| unreachable!("a step of the product is one of the net"));
        run.push(t);
    }
    Ok(run)
}

/// The first transition that leads from a marking to one that is wanted, and that one.
fn first_step(
    product: &mut Product<'_>,
    marking: &[u32],
    wanted: impl Fn(&[u32]) -> bool,
) -> Result<Option<(TransitionId, Vec<u32>)>, Stop> {
    let net = product.net();
    for t in net.transition_ids() {
        // Nets of thousands of transitions and places: limits are looked at for each of them.
        product.dd.tick()?;
        if let Some(after) = net.fire(t, marking).filter(|after| wanted(after)) {
            return Ok(Some((t, after)));
        }
    }
    Ok(None)
}

/// Any run from a marking, until it is dead or repeats.
fn run_on(
    product: &mut Product<'_>,
    mut prefix: Vec<TransitionId>,
    marking: Vec<u32>,
) -> Result<Run, Stop> {
    let net = product.net();
    let mut seen: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut marking = marking;
    loop {
        if let Some(&start) = seen.get(&marking) {
            let cycle = prefix.split_off(start);
            return Ok(Run { prefix, cycle });
        }
        seen.insert(marking.clone(), prefix.len());
        let Some((t, after)) = first_step(product, &marking, |_| true)? else {
            // What is enabled and cannot be fired puts more tokens than can be counted.
            let dead = !net.transition_ids().any(|t| net.is_enabled(t, &marking));
            return if dead { Ok(Run { prefix, cycle: Vec::new() }) } else { Err(Stop::Overflow) };
        };
        prefix.push(t);
        marking = after;
    }
}
