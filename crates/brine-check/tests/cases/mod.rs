//! Random nets and formulas.

use brine_ltl::{Binary, Comparison, Expression, Formula, Formulas};
use brine_net::generate::{RandomNets, Rng};
use brine_net::{Net, PlaceId, TransitionId};

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

fn random_atom(rng: &mut Rng, net: &Net, fs: &mut Formulas) -> Formula {
    let (places, transitions) = (net.places().len() as u32, net.transitions().len() as u32);
    let sum = |rng: &mut Rng| {
        let count = 1 + rng.below(2);
        let ids: Vec<PlaceId> = (0..count).map(|_| PlaceId(rng.below(places))).collect();
        Expression::places(&ids)
    };
    match rng.below(8) {
        0 => fs.deadlock(),
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

pub(crate) fn random_formula(rng: &mut Rng, net: &Net, fs: &mut Formulas, depth: u32) -> Formula {
    if depth == 0 || rng.chance(15) {
        return random_atom(rng, net, fs);
    }
    let f = random_formula(rng, net, fs, depth - 1);
    let kind = rng.below(12);
    match kind {
        0 => return fs.not(f),
        1 => return fs.x(f),
        2 | 3 => return fs.f(f),
        4 | 5 => return fs.g(f),
        _ => (),
    }
    let g = random_formula(rng, net, fs, depth - 1);
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
