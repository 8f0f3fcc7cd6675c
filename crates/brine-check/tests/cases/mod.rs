//! Random nets and formulas.

#![allow(dead_code, reason = "each test uses some of it")]

use brine_ltl::{Binary, Comparison, Expression, Formula, Formulas};
use brine_net::generate::{RandomNets, Rng};
use brine_net::{Net, NetBuilder, PlaceId, TransitionId};

/// Nets with more markings are left out.
pub(crate) const MARKINGS_MAX: usize = 40;
pub(crate) const FORMULAS_PER_NET: u64 = 4;

/// A number from the environment.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// Nets of up to 6 places; the flavours make deadlocks, weights, and nets that look
/// unbounded (transitions that produce more than they take) but are not. Every fourth net
/// is heavy: its places outgrow the first guess of their width.
pub(crate) fn random_net(rng: &mut Rng) -> Net {
    let heavy = rng.chance(25);
    let (weight, tokens) = if heavy { (12, 24) } else { (3, 4) };
    let flavour = RandomNets {
        max_weight: 1 + rng.below(weight),
        max_tokens: 1 + rng.below(tokens),
        balanced: [20, 50, 80, 100][rng.below(4) as usize],
        ..RandomNets::default()
    };
    flavour.net(rng)
}

/// What the atoms of a random formula may speak of: the first so many places and transitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    pub(crate) places: u32,
    pub(crate) transitions: u32,
    pub(crate) deadlock: bool,
}

fn random_atom(rng: &mut Rng, scope: Scope, fs: &mut Formulas) -> Formula {
    let Scope { places, transitions, deadlock } = scope;
    let sum = |rng: &mut Rng| {
        let count = 1 + rng.below(2);
        let ids: Vec<PlaceId> = (0..count).map(|_| PlaceId(rng.below(places))).collect();
        Expression::places(&ids)
    };
    match rng.below(8) {
        0 if deadlock => fs.deadlock(),
        1 | 2 => {
            let count = 1 + rng.below(2);
            let ids = (0..count).map(|_| TransitionId(rng.below(transitions))).collect();
            fs.fireable(ids)
        }
        3 => {
            let (left, right) = (sum(rng), sum(rng));
            fs.compare(left, Comparison::Le, right).unwrap()
        }
        _ => {
            let all = [Comparison::Le, Comparison::Ge, Comparison::Eq, Comparison::Lt];
            let cmp = all[rng.below(4) as usize];
            let (left, right) = (sum(rng), Expression::constant(i64::from(rng.below(4))));
            fs.compare(left, cmp, right).unwrap()
        }
    }
}

/// A formula over the whole net.
pub(crate) fn random_formula(rng: &mut Rng, net: &Net, fs: &mut Formulas, depth: u32) -> Formula {
    let (places, transitions) = (net.places().len() as u32, net.transitions().len() as u32);
    random_formula_over(rng, Scope { places, transitions, deadlock: true }, fs, depth)
}

pub(crate) fn random_formula_over(
    rng: &mut Rng,
    scope: Scope,
    fs: &mut Formulas,
    depth: u32,
) -> Formula {
    if depth == 0 || rng.chance(15) {
        return random_atom(rng, scope, fs);
    }
    let f = random_formula_over(rng, scope, fs, depth - 1);
    let kind = rng.below(12);
    match kind {
        0 => return fs.not(f),
        1 => return fs.x(f),
        2 | 3 => return fs.f(f),
        4 | 5 => return fs.g(f),
        _ => (),
    }
    let g = random_formula_over(rng, scope, fs, depth - 1);
    match kind {
        6 => fs.and([f, g]),
        7 => fs.or([f, g]),
        8 => fs.implies(f, g),
        9 => fs.u(f, g),
        10 => fs.r(f, g),
        _ => {
            let op = [Binary::W, Binary::M, Binary::Iff, Binary::Xor][rng.below(4) as usize];
            fs.binary(op, f, g)
        }
    }
}

/// Two or three small nets side by side, with now and then a transition that joins places of
/// two of them: nets with something to reduce. The scope is the first of the small nets.
pub(crate) fn random_concurrent_net(rng: &mut Rng) -> (Net, Scope) {
    let mut b = NetBuilder::new("side by side");
    let mut places: Vec<PlaceId> = Vec::new();
    let mut scope = Scope { places: 0, transitions: 0, deadlock: false };
    for part in 0..2 + rng.below(2) {
        let flavour = RandomNets {
            max_places: 3,
            max_transitions: 3,
            max_weight: 1 + rng.below(2),
            balanced: [60, 100][rng.below(2) as usize],
            ..RandomNets::default()
        };
        let net = flavour.net(rng);
        let here: Vec<PlaceId> =
            net.places().iter().map(|p| b.place(&format!("{}_{part}", p.id), p.initial)).collect();
        let arcs = |side: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
            side.iter().map(|&(p, w)| (here[p.index()], w)).collect()
        };
        for t in net.transitions() {
            b.transition(&format!("{}_{part}", t.id), &arcs(&t.pre), &arcs(&t.post));
        }
        if part == 0 {
            scope.places = here.len() as u32;
            scope.transitions = net.transitions().len() as u32;
        }
        places.extend(here);
    }
    for i in 0..rng.below(3) {
        let mut pick = || places[rng.below(places.len() as u32) as usize];
        let (from, also, to, back) = (pick(), pick(), pick(), pick());
        if from != also && to != back {
            b.transition(&format!("join{i}"), &[(from, 1), (also, 1)], &[(to, 1), (back, 1)]);
        }
    }
    (b.build().unwrap(), scope)
}
