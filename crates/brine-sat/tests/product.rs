//! Steps and closures of products against slower ways to compute them, on random nets,
//! formulas and levels.
//!
//! `BRINE_CASES` scales the number of nets, `BRINE_SEED` replays one.

use brine_dd::{Dd, NodeId};
use brine_ltl::{Automaton, Formulas, Options, translate};
use brine_net::order::Layout;
use brine_net::{Net, PlaceId, Rng, Structure};
use brine_oracle::formulas::random_formula;
use brine_oracle::{RandomNets, reachable_markings};
use brine_sat::LevelModel;
use brine_sat::product::{ControlStates, Filter, Product, Region};

fn seeds(default: u64) -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    match number("BRINE_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("BRINE_CASES").unwrap_or(default)).collect(),
    }
}

/// A net with few markings, and an automaton over it.
fn random_question(rng: &mut Rng) -> Option<(Net, Automaton)> {
    let shape = RandomNets {
        max_places: 5,
        max_transitions: 6,
        max_arcs: 1 + rng.below(3),
        max_weight: 1 + rng.below(2),
        max_tokens: 1 + rng.below(3),
        balanced: 90,
    };
    let net = shape.net(rng);
    reachable_markings(&net, 200)?;
    let mut fs = Formulas::new();
    let formula = random_formula(rng, &net, &mut fs, 3);
    let automaton = translate(&fs, formula, &Options::default()).ok()?;
    (automaton.states().count() <= 30).then_some((net, automaton))
}

/// The places in any order, cut into levels at random.
fn random_layout(net: &Net, rng: &mut Rng, most: usize) -> Layout {
    let mut levels: Vec<Vec<PlaceId>> = vec![Vec::new()];
    for p in net.place_ids() {
        let at = rng.below(levels.len() as u32 + 1) as usize;
        if levels.len() < most && rng.chance(60) && !levels[0].is_empty() {
            levels.insert(at, vec![p]);
        } else {
            let last = levels.len() - 1;
            levels[at.min(last)].push(p);
        }
    }
    Layout { levels }
}

/// Every state of `set` with a chance of `percent`.
fn pick(product: &mut Product<'_>, set: NodeId, rng: &mut Rng, percent: u32) -> NodeId {
    let states: Vec<Vec<u32>> = product.dd.vectors(set).filter(|_| rng.chance(percent)).collect();
    let mut picked = NodeId::EMPTY;
    for state in states {
        let one = product.dd.singleton(&state).expect("no limits");
        picked = product.dd.union(picked, one).expect("no limits");
    }
    picked
}

/// What `closure_before` is to compute, one step at a time.
fn before_by_steps(
    product: &mut Product<'_>,
    region: Region,
    node: NodeId,
    within: NodeId,
) -> NodeId {
    let (mut reached, mut newest) = (node, node);
    while newest != NodeId::EMPTY {
        let before = product.preimage(region, newest).expect("no limits");
        let before = product.dd.intersect(before, within).expect("no limits");
        newest = product.dd.minus(before, reached).expect("no limits");
        reached = product.dd.union(reached, newest).expect("no limits");
    }
    reached
}

#[test]
fn constrained_saturation_backward_is_what_single_steps_reach() {
    let (mut proper, mut collections, seeds) = (0, 0, seeds(1500));
    for &seed in &seeds {
        let mut rng = Rng::new(seed);
        let Some((net, automaton)) = random_question(&mut rng) else { continue };
        let bounds = Structure::new(&net).bounds;
        let model = LevelModel::new(&net, &random_layout(&net, &mut rng, 5));
        let control = ControlStates::new(&automaton);
        let mut product = Product::new(&net, model, &bounds, control, Dd::default());
        let (whole, initial) = (product.whole(), product.initial().unwrap());
        let reached = product.closure(whole, initial).unwrap();
        product.dd.protect(reached);
        for region in [whole, product.inner(whole)] {
            for percent in [30, 70, 100] {
                let within = pick(&mut product, reached, &mut rng, percent);
                let node = pick(&mut product, reached, &mut rng, 10);
                let collected = product.dd.stats().collections;
                product.dd.set_gc_interval(if rng.chance(50) { 1 } else { 1 << 20 });
                let found = product.closure_before(region, node, within).unwrap();
                let expected = before_by_steps(&mut product, region, node, within);
                assert_eq!(found, expected, "seed {seed}, {percent} percent");
                proper += usize::from(found != node && found != reached);
                collections += product.dd.stats().collections - collected;
                product.dd.set_gc_interval(1 << 20);
            }
        }
    }
    let enough = proper > 100 && collections > 30;
    assert!(enough || seeds.len() < 1000, "{proper} proper, {collections} collections");
}

/// True when every transition touches a place of the highest level.
fn all_touch_top(net: &Net, layout: &Layout) -> bool {
    let top = layout.levels.last().expect("a level");
    net.transitions().all(|t| t.pre.iter().chain(t.post).any(|(p, _)| top.contains(p)))
}

#[test]
fn targets_within_a_set_are_those_of_the_image_inside_accepting_components() {
    let (mut proper, seeds) = (0, seeds(6000));
    for &seed in &seeds {
        let mut rng = Rng::new(seed);
        let Some((net, automaton)) = random_question(&mut rng) else { continue };
        let layout = random_layout(&net, &mut rng, 3);
        if !all_touch_top(&net, &layout) {
            continue;
        }
        let bounds = Structure::new(&net).bounds;
        let control = ControlStates::new(&automaton);
        let model = LevelModel::new(&net, &layout);
        let mut product = Product::new(&net, model, &bounds, control, Dd::default());
        let (whole, initial) = (product.whole(), product.initial().unwrap());
        let reached = product.closure(whole, initial).unwrap();
        for region in [whole, product.inner(whole)] {
            let from = pick(&mut product, reached, &mut rng, 50);
            let within = pick(&mut product, reached, &mut rng, 70);
            let found = product.targets_of_level(region, from, within, |_, _| true).unwrap();
            let image = product.image(region, from).unwrap();
            let image = product.dd.intersect(image, within).unwrap();
            let expected = product.select(image, Filter::INNER, region.level).unwrap();
            assert_eq!(found, expected, "seed {seed}");
            proper += usize::from(expected != NodeId::EMPTY && expected != image);
        }
    }
    assert!(proper > 20 || seeds.len() < 1000, "{proper} proper");
}
