//! Random symmetric nets over all constructs, small enough to enumerate.

use crate::symmetric::{
    Condition, SymmetricComparison, SymmetricNet, SymmetricPlace, SymmetricSort, SymmetricTerm,
    SymmetricTransition,
};
use brine_net::Rng;

/// A net for a seed.
pub fn net(rng: &mut Rng) -> SymmetricNet {
    let mut net = SymmetricNet { name: "random".to_owned(), ..SymmetricNet::default() };
    sorts(&mut net, rng);
    for i in 0..2 + rng.below(3) {
        let sort = rng.below(net.sorts.len() as u32) as usize;
        net.variables.push((format!("v{i}"), sort));
    }
    for i in 0..1 + rng.below(4) {
        let sort = whole(&net, rng);
        // Initial markings have no variables.
        let constants = SymmetricNet { variables: Vec::new(), ..net.clone() };
        let initial = rng.chance(70).then(|| bag(&constants, sort, 2, rng));
        net.places.push(SymmetricPlace { id: format!("p{i}"), sort, initial });
    }
    for i in 0..1 + rng.below(3) {
        let guard = rng.chance(50).then(|| condition(&net, 2, rng));
        let (inputs, outputs) = (arcs(&net, 2, rng), arcs(&net, 2, rng));
        net.transitions.push(SymmetricTransition { id: format!("t{i}"), guard, inputs, outputs });
    }
    net
}

/// A sort that places can have: not a part of one.
fn whole(net: &SymmetricNet, rng: &mut Rng) -> usize {
    let sorts: Vec<usize> = (0..net.sorts.len())
        .filter(|&s| !matches!(net.sorts[s].1, SymmetricSort::Part(..)))
        .collect();
    sorts[rng.below(sorts.len() as u32) as usize]
}

fn sorts(net: &mut SymmetricNet, rng: &mut Rng) {
    let names = |prefix: &str, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect();
    let start = i64::from(rng.below(5)) - 2;
    let base = [
        ("Dot", SymmetricSort::Dot),
        ("Fin", SymmetricSort::Finite(names("f", 1 + rng.below(3)))),
        ("Cyc", SymmetricSort::Cyclic(names("c", 1 + rng.below(4)))),
        ("Int", SymmetricSort::Range(start, start + i64::from(rng.below(3)))),
        ("Bool", SymmetricSort::Bool),
    ];
    net.sorts = base.map(|(name, sort)| (name.to_owned(), sort)).to_vec();
    if rng.chance(60) {
        partition(net, rng);
    }
    if rng.chance(70) {
        let pair = vec![whole(net, rng), whole(net, rng)];
        let pair = if rng.chance(40) { vec![pair[0]; 2] } else { pair };
        net.sorts.push(("Pair".to_owned(), SymmetricSort::Product(pair)));
        if rng.chance(30) {
            let mut triple = vec![whole(net, rng), net.sorts.len() - 1];
            if rng.chance(50) {
                triple.reverse();
            }
            net.sorts.push(("Nest".to_owned(), SymmetricSort::Product(triple)));
        }
    }
}

/// A partition of one of the simple sorts into one, two or three parts in any order, and
/// now and then one of its parts for variables.
fn partition(net: &mut SymmetricNet, rng: &mut Rng) {
    let of = 1 + rng.below(3) as usize;
    let mut parts: Vec<(String, Vec<u32>)> =
        ["low", "mid", "high"].map(|name| (name.to_owned(), Vec::new())).to_vec();
    for value in 0..size(net, of) {
        parts[rng.below(3) as usize].1.push(value);
    }
    parts.retain(|(_, values)| !values.is_empty());
    let last = parts.len() - 1;
    net.sorts.push(("Part".to_owned(), SymmetricSort::Partition(of, parts)));
    if rng.chance(50) {
        let part = SymmetricSort::Part(net.sorts.len() - 1, rng.below(last as u32 + 1) as usize);
        net.sorts.push(("One".to_owned(), part));
    }
}

fn size(net: &SymmetricNet, sort: usize) -> u32 {
    match &net.sorts[sort].1 {
        SymmetricSort::Dot => 1,
        SymmetricSort::Bool => 2,
        SymmetricSort::Finite(names) | SymmetricSort::Cyclic(names) => names.len() as u32,
        SymmetricSort::Range(a, b) => (b - a + 1) as u32,
        SymmetricSort::Partition(_, parts) => parts.len() as u32,
        SymmetricSort::Product(_) | SymmetricSort::Part(..) => unreachable!("not simple"),
    }
}

/// The sort that a variable of this sort is used for: a part is one of its class.
fn class(net: &SymmetricNet, sort: usize) -> usize {
    match net.sorts[sort].1 {
        SymmetricSort::Part(partition, _) => match net.sorts[partition].1 {
            SymmetricSort::Partition(of, _) => of,
            _ => unreachable!("a part of a partition"),
        },
        _ => sort,
    }
}

fn arcs(net: &SymmetricNet, most: u32, rng: &mut Rng) -> Vec<(usize, SymmetricTerm)> {
    let arc = |rng: &mut Rng| {
        let place = rng.below(net.places.len() as u32) as usize;
        (place, bag(net, net.places[place].sort, 2, rng))
    };
    (0..rng.below(most + 1)).map(|_| arc(rng)).collect()
}

/// A term for one colour.
fn colour(net: &SymmetricNet, sort: usize, rng: &mut Rng) -> SymmetricTerm {
    let fitting: Vec<usize> =
        (0..net.variables.len()).filter(|&x| class(net, net.variables[x].1) == sort).collect();
    if !fitting.is_empty() && rng.chance(65) {
        return SymmetricTerm::Variable(fitting[rng.below(fitting.len() as u32) as usize]);
    }
    match &net.sorts[sort].1 {
        SymmetricSort::Product(sorts) => {
            return SymmetricTerm::Tuple(sorts.iter().map(|&s| colour(net, s, rng)).collect());
        }
        SymmetricSort::Partition(of, _) if rng.chance(50) => {
            return SymmetricTerm::PartOf(sort, Box::new(colour(net, *of, rng)));
        }
        // Parts have an order, but no successor.
        SymmetricSort::Partition(..) => {
            return SymmetricTerm::Constant(sort, rng.below(size(net, sort)));
        }
        _ => {}
    }
    match rng.below(10) {
        0 | 1 => SymmetricTerm::Successor(Box::new(colour(net, sort, rng))),
        2 | 3 => SymmetricTerm::Predecessor(Box::new(colour(net, sort, rng))),
        _ => SymmetricTerm::Constant(sort, rng.below(size(net, sort))),
    }
}

/// Parts of a sort where the sort itself is expected.
fn parts(net: &SymmetricNet, sort: usize, rng: &mut Rng) -> Option<SymmetricTerm> {
    let fits = |s: &usize| match net.sorts[*s].1 {
        SymmetricSort::Partition(of, _) => of == sort,
        SymmetricSort::Part(..) => class(net, *s) == sort,
        _ => false,
    };
    let fitting: Vec<usize> = (0..net.sorts.len()).filter(fits).collect();
    let chosen = *fitting.get(rng.below(fitting.len().max(1) as u32) as usize)?;
    Some(match net.sorts[chosen].1 {
        SymmetricSort::Partition(..) if rng.chance(70) => {
            SymmetricTerm::Constant(chosen, rng.below(size(net, chosen)))
        }
        _ => SymmetricTerm::All(chosen),
    })
}

/// A term for a multiset.
fn bag(net: &SymmetricNet, sort: usize, depth: u32, rng: &mut Rng) -> SymmetricTerm {
    if rng.chance(20)
        && let Some(term) = parts(net, sort, rng)
    {
        return term;
    }
    if depth == 0 || rng.chance(45) {
        return colour(net, sort, rng);
    }
    let below = |rng: &mut Rng| bag(net, sort, depth - 1, rng);
    match rng.below(9) {
        0 => SymmetricTerm::NumberOf(rng.below(3), Box::new(below(rng))),
        // Twice in a product and twice in parallel arcs, this still fits 32 bits.
        1 => SymmetricTerm::NumberOf(rng.below(30_000), Box::new(below(rng))),
        2 | 3 => SymmetricTerm::Add((0..1 + rng.below(3)).map(|_| below(rng)).collect()),
        4 | 5 => SymmetricTerm::Subtract(Box::new(below(rng)), Box::new(below(rng))),
        6 => SymmetricTerm::All(sort),
        7 => match &net.sorts[sort].1 {
            SymmetricSort::Product(sorts) => {
                SymmetricTerm::Tuple(sorts.iter().map(|&s| bag(net, s, depth - 1, rng)).collect())
            }
            _ => SymmetricTerm::Tuple(vec![below(rng)]),
        },
        _ => SymmetricTerm::Empty(sort),
    }
}

fn condition(net: &SymmetricNet, depth: u32, rng: &mut Rng) -> Condition {
    if depth > 0 && rng.chance(50) {
        let below = |rng: &mut Rng| condition(net, depth - 1, rng);
        return match rng.below(6) {
            0..3 => Condition::And((0..1 + rng.below(3)).map(|_| below(rng)).collect()),
            3 => Condition::Or((0..1 + rng.below(3)).map(|_| below(rng)).collect()),
            4 => Condition::Not(Box::new(below(rng))),
            _ => Condition::Imply(Box::new(below(rng)), Box::new(below(rng))),
        };
    }
    if rng.chance(5) {
        return Condition::Constant(rng.chance(50));
    }
    let sort = class(net, net.variables[rng.below(net.variables.len() as u32) as usize].1);
    let simple = !matches!(net.sorts[sort].1, SymmetricSort::Product(_));
    let comparison = match rng.below(if simple { 10 } else { 5 }) {
        0..3 => SymmetricComparison::Equal,
        3 | 4 => SymmetricComparison::Different,
        5 => SymmetricComparison::Less,
        6 => SymmetricComparison::LessOrEqual,
        7 => SymmetricComparison::Greater,
        _ => SymmetricComparison::GreaterOrEqual,
    };
    Condition::Compare(comparison, colour(net, sort, rng), colour(net, sort, rng))
}
