//! Random nets, of several shapes.
//!
//! A shape is a function in [`SHAPES`]; a new one is one line there.

use crate::formulas::AtomScope;
use crate::{RandomNets, grown_net};
use brine_net::{Net, NetBuilder, Nupn, PlaceId, Rng, Unit};

/// Nets with more markings are left out by tests that need all of them.
pub const MARKINGS_MAX: usize = 40;
/// How many formulas tests ask about each net.
pub const FORMULAS_PER_NET: u64 = 4;

/// A way to draw nets.
#[derive(Clone, Copy, Debug)]
pub struct NetShape {
    /// What the nets are like.
    pub name: &'static str,
    /// Draws one.
    pub draw: fn(&mut Rng) -> Net,
}

/// All shapes of nets.
pub const SHAPES: [NetShape; 10] = [
    NetShape { name: "mixed", draw: random_net },
    NetShape { name: "safe", draw: safe },
    NetShape { name: "bounded", draw: bounded },
    NetShape { name: "unbounded", draw: unbounded },
    NetShape { name: "dead parts", draw: with_dead_parts },
    NetShape { name: "big weights", draw: with_big_weights },
    NetShape { name: "deadlocks", draw: with_deadlocks },
    NetShape { name: "lying units", draw: with_lying_units },
    NetShape { name: "side by side", draw: |rng| random_concurrent_net(rng).0 },
    NetShape { name: "reducible", draw: |rng| grown_net(rng, 4) },
];

/// Random nets have numbered ids and weights far from overflow, so they are valid.
fn built(builder: NetBuilder) -> Net {
    builder.build().unwrap_or_default()
}

/// Nets of up to 6 places; the flavours make deadlocks, weights, and nets that look
/// unbounded (transitions that produce more than they take) but are not. Every fourth net
/// is heavy: its places outgrow the first guess of their width.
pub fn random_net(rng: &mut Rng) -> Net {
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

/// A copy of a net to which more can be added.
fn copy(net: &Net) -> NetBuilder {
    let mut b = NetBuilder::new(net.name());
    for p in net.places() {
        b.named_place(&p.id(), &p.name(), p.initial);
    }
    for t in net.transitions() {
        b.named_transition(&t.id(), &t.name(), t.pre, t.post);
    }
    b
}

/// A few state machines of two or three places, one token each, that move alone or in pairs.
/// Every other net says so by units.
fn safe(rng: &mut Rng) -> Net {
    let mut b = NetBuilder::new("safe");
    let mut machines: Vec<Vec<PlaceId>> = Vec::new();
    for m in 0..1 + rng.below(3) {
        let size = 2 + rng.below(2);
        let start = rng.below(size);
        let place = |i| (format!("m{m}_{i}"), u32::from(i == start));
        machines.push((0..size).map(place).map(|(id, n)| b.place(&id, n)).collect());
    }
    for t in 0..2 + rng.below(6) {
        let (mut pre, mut post) = (Vec::new(), Vec::new());
        let first = rng.below(machines.len() as u32) as usize;
        let second = rng.below(machines.len() as u32) as usize;
        let movers =
            if rng.chance(40) && second != first { vec![first, second] } else { vec![first] };
        for m in movers {
            let mut pick = || machines[m][rng.below(machines[m].len() as u32) as usize];
            let (from, to) = (pick(), pick());
            pre.push((from, 1));
            post.push((to, 1));
        }
        b.transition(&format!("t{t}"), &pre, &post);
    }
    if rng.chance(50) {
        b.nupn(units_of(&machines));
    }
    built(b)
}

/// One unit for each group of places, below a root.
fn units_of(groups: &[Vec<PlaceId>]) -> Nupn {
    let unit = |(i, places): (usize, &Vec<PlaceId>)| Unit {
        id: format!("u{i}"),
        places: places.clone(),
        subunits: Vec::new(),
    };
    let mut units: Vec<Unit> = groups.iter().enumerate().map(unit).collect();
    let root = units.len();
    units.push(Unit { id: "root".to_owned(), places: Vec::new(), subunits: (0..root).collect() });
    Nupn { units, root, safe: true }
}

/// Every transition keeps the number of tokens.
fn bounded(rng: &mut Rng) -> Net {
    let flavour = RandomNets { balanced: 100, max_tokens: 2, ..RandomNets::default() };
    flavour.net(rng)
}

/// A transition that puts tokens for nothing, or as long as a place is marked.
fn unbounded(rng: &mut Rng) -> Net {
    let flavour = RandomNets { balanced: 80, max_weight: 2, ..RandomNets::default() };
    let mut b = copy(&flavour.net(rng));
    let to = PlaceId(0);
    let gate: &[(PlaceId, u32)] = if rng.chance(30) { &[] } else { &[(to, 1)] };
    b.transition("grow", gate, &[(to, 2)]);
    built(b)
}

/// Places that are never marked, and transitions that need them, or too much of others.
fn with_dead_parts(rng: &mut Rng) -> Net {
    let net = random_net(rng);
    let live = PlaceId(rng.below(net.places().len() as u32));
    let mut b = copy(&net);
    let (left, right) = (b.place("never", 0), b.place("nor", 0));
    b.transition("swap", &[(left, 1)], &[(right, 1)]);
    b.transition("back", &[(right, 1), (live, 1)], &[(left, 1)]);
    b.transition("out", &[(left, 1 + rng.below(2))], &[(live, 1)]);
    if rng.chance(50) {
        b.transition("greedy", &[(live, 1_000)], &[(right, 1)]);
    }
    built(b)
}

/// Tokens and weights up to the largest that there are.
fn with_big_weights(rng: &mut Rng) -> Net {
    let factor = [7, 1_000, 65_537, 100_000_000, 800_000_000][rng.below(5) as usize];
    let net = RandomNets { balanced: 90, ..RandomNets::default() }.net(rng);
    let mut b = NetBuilder::new("big");
    for p in net.places() {
        b.place(&p.id(), p.initial * factor);
    }
    for t in net.transitions() {
        let scaled = |side: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
            side.iter().map(|&(p, w)| (p, w * factor)).collect()
        };
        b.transition(&t.id(), &scaled(t.pre), &scaled(t.post));
    }
    built(b)
}

/// Transitions that only take.
fn with_deadlocks(rng: &mut Rng) -> Net {
    let net = RandomNets { balanced: 90, ..RandomNets::default() }.net(rng);
    let mut b = copy(&net);
    for i in 0..1 + rng.below(3) {
        let p = PlaceId(rng.below(net.places().len() as u32));
        b.transition(&format!("eat{i}"), &[(p, 1 + rng.below(2))], &[]);
    }
    built(b)
}

/// Units that are not what they say: at random, nested at random, safe or not.
fn with_lying_units(rng: &mut Rng) -> Net {
    let net = if rng.chance(50) { random_net(rng) } else { safe(rng) };
    let mut groups = vec![Vec::new(); 1 + rng.below(4) as usize];
    for p in net.place_ids() {
        let at = rng.below(groups.len() as u32) as usize;
        groups[at].push(p);
    }
    let mut nupn = units_of(&groups);
    if groups.len() > 1 && rng.chance(50) {
        // The last unit goes below the first.
        nupn.units[nupn.root].subunits.pop();
        nupn.units[0].subunits.push(groups.len() - 1);
    }
    nupn.safe = rng.chance(90);
    let mut b = copy(&net);
    b.nupn(nupn);
    built(b)
}

/// Two or three small nets side by side, with now and then a transition that joins places of
/// two of them: nets with something to reduce. The scope is the first of the small nets.
pub fn random_concurrent_net(rng: &mut Rng) -> (Net, AtomScope) {
    let mut b = NetBuilder::new("side by side");
    let mut places: Vec<PlaceId> = Vec::new();
    let mut scope =
        AtomScope { places: 0, transitions: 0, deadlock: false, events: false, tokens: 2 };
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
            net.places().map(|p| b.place(&format!("{}_{part}", p.id()), p.initial)).collect();
        let arcs = |side: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
            side.iter().map(|&(p, w)| (here[p.index()], w)).collect()
        };
        for t in net.transitions() {
            b.transition(&format!("{}_{part}", t.id()), &arcs(t.pre), &arcs(t.post));
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
    (built(b), scope)
}
