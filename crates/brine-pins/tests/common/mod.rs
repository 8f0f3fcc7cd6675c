//! One model, explored in every way, against its states by brute force.

use brine_dd::{Control, Upkeep};
use brine_net::Rng;
use brine_pins::{
    Explorer, GroupId, MatrixOperation, MatrixOptions, Pins, Plan, Regroup, SlotId, Strategy,
};

/// A control under which rare things are common: a collection at every opportunity, or caches
/// that remember next to nothing.
pub(crate) fn random_control(rng: &mut Rng) -> Control {
    let gc_interval = if rng.chance(50) { Some(1 + rng.below(50) as usize) } else { None };
    let cache_entries = if rng.chance(30) { Some(1 << rng.below(8)) } else { None };
    Control { upkeep: Upkeep { gc_interval, cache_entries }, ..Control::default() }
}

/// A random order, grouping and coarsening.
fn random_plan(model: &dyn Pins, rng: &mut Rng) -> Plan {
    let mut order: Vec<SlotId> = Vec::new();
    for slot in (0..model.slots() as u32).map(SlotId) {
        let at = if rng.chance(50) { rng.below(order.len() as u32 + 1) as usize } else { 0 };
        order.insert(at, slot);
    }
    let operations =
        (0..rng.below(4)).map(|_| MatrixOperation::ALL[rng.below(4) as usize]).collect();
    let options = MatrixOptions {
        must_to_may: rng.chance(30),
        may_to_read_write: rng.chance(30),
        regroup: Regroup(operations),
    };
    options.plan(model, order)
}

/// The edges of the state graph, counted one by one.
fn count_edges(model: &dyn Pins, states: &[Vec<u32>]) -> usize {
    let groups = || (0..model.groups() as u32).map(GroupId);
    let of = |s: &Vec<u32>| groups().filter(|&g| !model.step(g, s).unwrap().is_empty()).count();
    states.iter().map(of).sum()
}

/// Explores a model with every strategy and random plans; returns how often garbage was
/// collected.
pub(crate) fn check_model(
    model: &dyn Pins,
    mut states: Vec<Vec<u32>>,
    rng: &mut Rng,
    seed: u64,
) -> u64 {
    let edges = count_edges(model, &states).to_string();
    let dead = |s: &&Vec<u32>| {
        (0..model.groups() as u32).all(|g| model.step(GroupId(g), s).unwrap().is_empty())
    };
    let mut dead: Vec<Vec<u32>> = states.iter().filter(dead).cloned().collect();
    states.sort_unstable();
    dead.sort_unstable();
    let mut collections = 0;
    for strategy in Strategy::ALL {
        let (plan, control) = (random_plan(model, rng), random_control(rng));
        let context = || format!("BRINE_SEED={seed} {strategy:?} {plan:#?} {control:?}");
        let mut explorer = Explorer::new(model, &plan, control.clone());
        let reached = explorer.reach(strategy).unwrap_or_else(|e| panic!("{e}: {}", context()));
        explorer.dd.validate(reached);
        let list = |explorer: &Explorer<'_>, set| {
            let all = explorer.dd.vectors(set).map(|v| explorer.to_state(&v));
            let mut all: Vec<Vec<u32>> = all.collect();
            all.sort_unstable();
            all
        };
        assert_eq!(list(&explorer, reached), states, "{}", context());
        let found = explorer.edges(reached).unwrap().to_string();
        assert_eq!(found, edges, "edges: {}", context());
        let stuck = explorer.dead(reached).unwrap();
        assert_eq!(list(&explorer, stuck), dead, "dead states: {}", context());
        collections += explorer.dd.stats().collections;
    }
    collections
}
