//! An interpreter of symmetric nets without any idea: every colour becomes a place, every
//! binding in the full product of the variables' sorts becomes a transition. It shares
//! nothing with the reader, the checker and the unfolding; it works on what the generator
//! wrote, with recursion, sets and maps.

use crate::symmetric::{
    Condition, SymmetricComparison, SymmetricNet, SymmetricSort, SymmetricTerm,
};
use brine_net::{Net, NetBuilder, PlaceId};
use std::collections::{BTreeMap, BTreeSet};

/// A colour: the values of its simple components.
type Colour = Vec<u32>;
type Multiset = BTreeMap<Colour, u64>;

/// The simple sorts that a sort is made of.
fn simple(net: &SymmetricNet, sort: usize) -> Vec<usize> {
    match &net.sorts[sort].1 {
        SymmetricSort::Product(sorts) => sorts.iter().flat_map(|&s| simple(net, s)).collect(),
        SymmetricSort::Part(partition, _) => match net.sorts[*partition].1 {
            SymmetricSort::Partition(of, _) => vec![of],
            _ => unreachable!("a part of a partition"),
        },
        _ => vec![sort],
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

fn label(net: &SymmetricNet, sort: usize, value: u32) -> String {
    match &net.sorts[sort].1 {
        SymmetricSort::Dot => "dot".to_owned(),
        SymmetricSort::Bool => (value == 1).to_string(),
        SymmetricSort::Finite(names) | SymmetricSort::Cyclic(names) => {
            names[value as usize].clone()
        }
        SymmetricSort::Range(a, _) => (a + i64::from(value)).to_string(),
        SymmetricSort::Partition(_, parts) => parts[value as usize].0.clone(),
        SymmetricSort::Product(_) | SymmetricSort::Part(..) => unreachable!("not simple"),
    }
}

/// The values in a part of a partition.
fn members(net: &SymmetricNet, partition: usize, part: usize) -> Multiset {
    let SymmetricSort::Partition(_, parts) = &net.sorts[partition].1 else { unreachable!() };
    parts[part].1.iter().map(|&v| (vec![v], 1)).collect()
}

/// Every colour of a sort.
fn colours(net: &SymmetricNet, sort: usize) -> Vec<Colour> {
    if let SymmetricSort::Part(partition, part) = net.sorts[sort].1 {
        return members(net, partition, part).into_keys().collect();
    }
    product(net, &simple(net, sort))
}

/// Every tuple of simple sorts.
fn product(net: &SymmetricNet, sorts: &[usize]) -> Vec<Colour> {
    let mut all = vec![Vec::new()];
    for &s in sorts {
        let longer = |c: &Colour| {
            let c = c.clone();
            (0..size(net, s)).map(move |v| [c.as_slice(), &[v]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The simple sort that a sort is a partition of.
fn class(net: &SymmetricNet, sort: usize) -> Option<usize> {
    match net.sorts[sort].1 {
        SymmetricSort::Partition(of, _) => Some(of),
        _ => None,
    }
}

/// The simple sorts of a term, as it is written.
fn sort_of(net: &SymmetricNet, term: &SymmetricTerm) -> Vec<usize> {
    match term {
        SymmetricTerm::Variable(x) => simple(net, net.variables[*x].1),
        SymmetricTerm::Constant(sort, _) | SymmetricTerm::PartOf(sort, _) => vec![*sort],
        SymmetricTerm::All(sort) | SymmetricTerm::Empty(sort) => simple(net, *sort),
        SymmetricTerm::Tuple(terms) => terms.iter().flat_map(|t| sort_of(net, t)).collect(),
        SymmetricTerm::Add(terms) => sort_of(net, &terms[0]),
        SymmetricTerm::Successor(t)
        | SymmetricTerm::Predecessor(t)
        | SymmetricTerm::NumberOf(_, t) => sort_of(net, t),
        SymmetricTerm::Subtract(a, _) => sort_of(net, a),
    }
}

/// The multiset of a term where these simple sorts are expected.
fn evaluate(
    net: &SymmetricNet,
    term: &SymmetricTerm,
    wanted: &[usize],
    binding: &[Colour],
) -> Multiset {
    let go = |t: &SymmetricTerm| evaluate(net, t, wanted, binding);
    match term {
        SymmetricTerm::Variable(x) => Multiset::from([(binding[*x].clone(), 1)]),
        SymmetricTerm::Constant(sort, v) if class(net, *sort) == Some(wanted[0]) => {
            members(net, *sort, *v as usize)
        }
        SymmetricTerm::Constant(_, v) => Multiset::from([(vec![*v], 1)]),
        SymmetricTerm::Tuple(terms) => {
            let (mut product, mut wanted) = (Multiset::from([(Vec::new(), 1)]), wanted);
            for term in terms {
                let (here, rest) = wanted.split_at(sort_of(net, term).len());
                let factor = evaluate(net, term, here, binding);
                let mut next = Multiset::new();
                for (a, n) in &product {
                    for (b, m) in &factor {
                        next.insert([a.as_slice(), b].concat(), n * m);
                    }
                }
                (product, wanted) = (next, rest);
            }
            product
        }
        SymmetricTerm::Successor(t) => map(go(t), |v| (v + 1) % size(net, wanted[0])),
        SymmetricTerm::Predecessor(t) => {
            map(go(t), |v| (v + size(net, wanted[0]) - 1) % size(net, wanted[0]))
        }
        SymmetricTerm::PartOf(partition, t) => {
            let SymmetricSort::Partition(of, parts) = &net.sorts[*partition].1 else {
                unreachable!()
            };
            let part = |v| parts.iter().position(|(_, values)| values.contains(&v));
            map(evaluate(net, t, &[*of], binding), |v| part(v).expect("a partition") as u32)
        }
        // All parts are all of the class, too.
        SymmetricTerm::All(sort) => {
            let sorts = simple(net, *sort);
            let fits = sorts.iter().zip(wanted).all(|(s, w)| s == w);
            let part = matches!(net.sorts[*sort].1, SymmetricSort::Part(..));
            let all = if fits || part { colours(net, *sort) } else { product(net, wanted) };
            all.into_iter().map(|c| (c, 1)).collect()
        }
        SymmetricTerm::Empty(_) => Multiset::new(),
        SymmetricTerm::NumberOf(n, t) => {
            let mut result = go(t);
            result.values_mut().for_each(|m| *m *= u64::from(*n));
            result.retain(|_, m| *m > 0);
            result
        }
        SymmetricTerm::Add(terms) => {
            let mut sum = Multiset::new();
            for term in terms {
                go(term).into_iter().for_each(|(c, n)| *sum.entry(c).or_default() += n);
            }
            sum
        }
        SymmetricTerm::Subtract(a, b) => {
            let mut rest = go(a);
            for (c, n) in go(b) {
                rest.entry(c).and_modify(|m| *m = m.saturating_sub(n));
            }
            rest.retain(|_, m| *m > 0);
            rest
        }
    }
}

/// A function of simple values, for every colour of a multiset.
fn map(colours: Multiset, f: impl Fn(u32) -> u32) -> Multiset {
    colours.into_iter().map(|(c, m)| (vec![f(c[0])], m)).collect()
}

fn holds(net: &SymmetricNet, condition: &Condition, binding: &[Colour]) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::Compare(comparison, a, b) => {
            let colour = |t| {
                let colours = evaluate(net, t, &sort_of(net, t), binding);
                colours.into_keys().next().expect("one colour")
            };
            let (a, b) = (colour(a), colour(b));
            match comparison {
                SymmetricComparison::Equal => a == b,
                SymmetricComparison::Different => a != b,
                SymmetricComparison::Less => a < b,
                SymmetricComparison::LessOrEqual => a <= b,
                SymmetricComparison::Greater => a > b,
                SymmetricComparison::GreaterOrEqual => a >= b,
            }
        }
        Condition::And(all) => all.iter().all(|c| holds(net, c, binding)),
        Condition::Or(any) => any.iter().any(|c| holds(net, c, binding)),
        Condition::Not(c) => !holds(net, c, binding),
        Condition::Imply(a, b) => !holds(net, a, binding) || holds(net, b, binding),
    }
}

fn variables_of_term(term: &SymmetricTerm, found: &mut BTreeSet<usize>) {
    match term {
        SymmetricTerm::Variable(x) => {
            found.insert(*x);
        }
        SymmetricTerm::Tuple(terms) | SymmetricTerm::Add(terms) => {
            terms.iter().for_each(|t| variables_of_term(t, found));
        }
        SymmetricTerm::Successor(t)
        | SymmetricTerm::Predecessor(t)
        | SymmetricTerm::PartOf(_, t)
        | SymmetricTerm::NumberOf(_, t) => {
            variables_of_term(t, found);
        }
        SymmetricTerm::Subtract(a, b) => {
            variables_of_term(a, found);
            variables_of_term(b, found);
        }
        SymmetricTerm::Constant(..) | SymmetricTerm::All(_) | SymmetricTerm::Empty(_) => {}
    }
}

fn variables_of_condition(condition: &Condition, found: &mut BTreeSet<usize>) {
    match condition {
        Condition::Constant(_) => {}
        Condition::Compare(_, a, b) => {
            variables_of_term(a, found);
            variables_of_term(b, found);
        }
        Condition::And(cs) | Condition::Or(cs) => {
            cs.iter().for_each(|c| variables_of_condition(c, found));
        }
        Condition::Not(c) => variables_of_condition(c, found),
        Condition::Imply(a, b) => {
            variables_of_condition(a, found);
            variables_of_condition(b, found);
        }
    }
}

/// The name of an unfolded place.
fn place_name(net: &SymmetricNet, place: usize, colour: &Colour) -> String {
    let place = &net.places[place];
    if net.sorts[place.sort].1 == SymmetricSort::Dot {
        return place.id.clone();
    }
    let labels = simple(net, place.sort).into_iter().zip(colour).map(|(s, &v)| label(net, s, v));
    format!("{}[{}]", place.id, labels.collect::<Vec<_>>().join(","))
}

/// The name of an unfolded transition, with the variables in alphabetical order.
fn transition_name(
    net: &SymmetricNet,
    id: &str,
    used: &BTreeSet<usize>,
    binding: &[Colour],
) -> String {
    let mut parts = Vec::new();
    for &x in used {
        let (name, sort) = &net.variables[x];
        let sorts = simple(net, *sort);
        for (i, (&s, &v)) in sorts.iter().zip(&binding[x]).enumerate() {
            let component = if sorts.len() == 1 { String::new() } else { format!(".{}", i + 1) };
            parts.push(format!("{name}{component}={}", label(net, s, v)));
        }
    }
    parts.sort();
    if parts.is_empty() { id.to_owned() } else { format!("{id}[{}]", parts.join(",")) }
}

/// Unfolds by enumerating everything.
pub fn unfold(net: &SymmetricNet) -> Net {
    let mut b = NetBuilder::new(&net.name);
    let mut places: Vec<BTreeMap<Colour, PlaceId>> = Vec::new();
    for (i, place) in net.places.iter().enumerate() {
        let sort = simple(net, place.sort);
        let initial = place.initial.as_ref().map(|t| evaluate(net, t, &sort, &[]));
        let initial = initial.unwrap_or_default();
        let add = |colour: Colour| {
            let tokens = initial.get(&colour).copied().unwrap_or(0);
            let tokens = u32::try_from(tokens).expect("the numbers are chosen to fit");
            let p = b.place(&place_name(net, i, &colour), tokens);
            (colour, p)
        };
        places.push(colours(net, place.sort).into_iter().map(add).collect());
    }
    for transition in &net.transitions {
        let mut used = BTreeSet::new();
        let arcs = transition.inputs.iter().chain(&transition.outputs);
        arcs.for_each(|(_, term)| variables_of_term(term, &mut used));
        transition.guard.iter().for_each(|g| variables_of_condition(g, &mut used));
        let mut bindings: Vec<Vec<Colour>> = vec![vec![Vec::new(); net.variables.len()]];
        for &x in &used {
            let values = colours(net, net.variables[x].1);
            let with = |b: &Vec<Colour>| {
                let b = b.clone();
                values.iter().map(move |v| {
                    let mut b = b.clone();
                    b[x].clone_from(v);
                    b
                })
            };
            bindings = bindings.iter().flat_map(with).collect();
        }
        for binding in &bindings {
            if !transition.guard.iter().all(|g| holds(net, g, binding)) {
                continue;
            }
            let side = |arcs: &[(usize, SymmetricTerm)]| -> Vec<(PlaceId, u32)> {
                let arc = |(p, term): &(usize, SymmetricTerm)| {
                    let sort = simple(net, net.places[*p].sort);
                    let tokens = evaluate(net, term, &sort, binding);
                    let weight = |n| u32::try_from(n).expect("the numbers are chosen to fit");
                    let of = &places[*p];
                    tokens.into_iter().map(|(c, n)| (of[&c], weight(n))).collect::<Vec<_>>()
                };
                arcs.iter().flat_map(arc).collect()
            };
            let name = transition_name(net, &transition.id, &used, binding);
            b.transition(&name, &side(&transition.inputs), &side(&transition.outputs));
        }
    }
    b.build().expect("names differ")
}
