//! Random symmetric nets whose skeletons have something to say.
//!
//! Most transitions move tokens and change their colours, so that sums over all colours are
//! invariant; some only take, so that they run out; some need more tokens than there are;
//! guards and colours that do not fit make dead markings that the skeleton does not have; `all`,
//! differences and multiples make arcs heavier than one. Few tokens, few values: small enough to
//! enumerate.

use crate::symmetric::{
    Condition, SymmetricComparison, SymmetricNet, SymmetricPlace, SymmetricSort, SymmetricTerm,
    SymmetricTransition,
};
use brine_net::Rng;

/// The sorts, by number.
const DOT: usize = 0;
const COLOUR: usize = 1;
const KIND: usize = 2;
const PAIR: usize = 3;
const SORTS: [usize; 4] = [DOT, COLOUR, KIND, PAIR];

/// A net for a seed.
pub fn net(rng: &mut Rng) -> SymmetricNet {
    let names = |prefix: &str, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect();
    let sorts = [
        ("Dot", SymmetricSort::Dot),
        ("Colour", SymmetricSort::Cyclic(names("c", 2 + rng.below(2)))),
        ("Kind", SymmetricSort::Finite(names("k", 1 + rng.below(2)))),
        ("Pair", SymmetricSort::Product(vec![COLOUR, KIND])),
    ];
    let mut net = SymmetricNet {
        name: "moves".to_owned(),
        sorts: sorts.map(|(name, sort)| (name.to_owned(), sort)).to_vec(),
        variables: [("x", COLOUR), ("y", COLOUR), ("z", KIND)]
            .map(|(name, sort)| (name.to_owned(), sort))
            .to_vec(),
        ..SymmetricNet::default()
    };
    for i in 0..2 + rng.below(3) {
        let sort = SORTS[rng.below(4) as usize];
        let constants = SymmetricNet { variables: Vec::new(), ..net.clone() };
        let initial = rng.chance(60).then(|| match rng.below(3) {
            0 => SymmetricTerm::All(sort),
            _ => tokens(&constants, sort, 1 + rng.below(2), rng),
        });
        net.places.push(SymmetricPlace { id: format!("p{i}"), sort, initial });
    }
    for i in 0..1 + rng.below(4) {
        let transition = transition(&net, format!("t{i}"), rng);
        net.transitions.push(transition);
    }
    net
}

fn transition(net: &SymmetricNet, id: String, rng: &mut Rng) -> SymmetricTransition {
    let place = |rng: &mut Rng| rng.below(net.places.len() as u32) as usize;
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for _ in 0..1 + rng.below(2) {
        let (from, to) = (place(rng), place(rng));
        let count = 1 + u32::from(rng.chance(15));
        match rng.below(10) {
            0 => {
                inputs.push((from, heavy(net, net.places[from].sort, rng)));
                outputs.push((to, heavy(net, net.places[to].sort, rng)));
            }
            1 => inputs.push((from, heavy(net, net.places[from].sort, rng))),
            2 => inputs.push((from, tokens(net, net.places[from].sort, count, rng))),
            3 if rng.chance(30) => {
                outputs.push((to, tokens(net, net.places[to].sort, count, rng)));
            }
            _ => {
                inputs.push((from, tokens(net, net.places[from].sort, count, rng)));
                outputs.push((to, tokens(net, net.places[to].sort, count, rng)));
            }
        }
    }
    let guard = rng.chance(35).then(|| condition(net, rng));
    SymmetricTransition { id, guard, inputs, outputs }
}

/// So many single colours.
fn tokens(net: &SymmetricNet, sort: usize, count: u32, rng: &mut Rng) -> SymmetricTerm {
    let mut all: Vec<SymmetricTerm> = (0..count).map(|_| colour(net, sort, rng)).collect();
    if all.len() == 1 { all.remove(0) } else { SymmetricTerm::Add(all) }
}

/// A multiset that is more than a sum of single colours.
fn heavy(net: &SymmetricNet, sort: usize, rng: &mut Rng) -> SymmetricTerm {
    let all = || Box::new(SymmetricTerm::All(sort));
    match rng.below(7) {
        0 | 1 => SymmetricTerm::All(sort),
        2 => SymmetricTerm::Subtract(all(), Box::new(colour(net, sort, rng))),
        3 => SymmetricTerm::Subtract(all(), Box::new(tokens(net, sort, 2, rng))),
        4 if sort == PAIR => {
            let less = SymmetricTerm::Subtract(
                Box::new(SymmetricTerm::All(COLOUR)),
                Box::new(colour(net, COLOUR, rng)),
            );
            SymmetricTerm::Tuple(vec![less, SymmetricTerm::All(KIND)])
        }
        4 | 5 => SymmetricTerm::NumberOf(2, Box::new(colour(net, sort, rng))),
        _ => SymmetricTerm::Subtract(
            Box::new(SymmetricTerm::NumberOf(2, all())),
            Box::new(tokens(net, sort, 2, rng)),
        ),
    }
}

/// A term for one colour.
fn colour(net: &SymmetricNet, sort: usize, rng: &mut Rng) -> SymmetricTerm {
    if sort == PAIR {
        return SymmetricTerm::Tuple(vec![colour(net, COLOUR, rng), colour(net, KIND, rng)]);
    }
    let fitting: Vec<usize> =
        (0..net.variables.len()).filter(|&x| net.variables[x].1 == sort).collect();
    if !fitting.is_empty() && rng.chance(75) {
        let variable = SymmetricTerm::Variable(fitting[rng.below(fitting.len() as u32) as usize]);
        return match rng.below(6) {
            0 if sort == COLOUR => SymmetricTerm::Successor(Box::new(variable)),
            _ => variable,
        };
    }
    let values = match &net.sorts[sort].1 {
        SymmetricSort::Finite(names) | SymmetricSort::Cyclic(names) => names.len() as u32,
        _ => 1,
    };
    SymmetricTerm::Constant(sort, rng.below(values))
}

fn condition(net: &SymmetricNet, rng: &mut Rng) -> Condition {
    let comparison = match rng.below(4) {
        0 => SymmetricComparison::Equal,
        1 => SymmetricComparison::Less,
        _ => SymmetricComparison::Different,
    };
    Condition::Compare(comparison, colour(net, COLOUR, rng), colour(net, COLOUR, rng))
}
