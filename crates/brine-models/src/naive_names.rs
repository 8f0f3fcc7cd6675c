//! Which coloured node a node of the naive unfolding belongs to, told by its name.
//!
//! For nets whose ids, variables and values contain no punctuation of names, as random ones do.

use brine_coloured::sorts::SimpleId;
use brine_coloured::{ColouredNet, ColouredStep};
use brine_net::{Net, TransitionId};
use std::collections::HashMap;

/// For each unfolded place, the number of its coloured place.
pub fn coloured_places(unfolded: &Net, net: &ColouredNet) -> Vec<usize> {
    coloured_tokens(unfolded, net).into_iter().map(|(place, _)| place).collect()
}

/// For each unfolded place, the number of its coloured place and the values of its colour.
pub fn coloured_tokens(unfolded: &Net, net: &ColouredNet) -> Vec<(usize, Vec<u32>)> {
    unfolded.places().map(|p| coloured_token(&p.id(), net)).collect()
}

fn coloured_token(id: &str, net: &ColouredNet) -> (usize, Vec<u32>) {
    let (id, values) = split(id);
    let p = net.places.iter().position(|p| p.id == id).expect("a place's name");
    let value = |(&sort, label): (&SimpleId, &str)| {
        let sort = net.sorts.get(sort);
        (0..sort.size()).find(|&v| sort.label(v) == label).expect("a value's name")
    };
    let values = if values.is_empty() { "dot" } else { values };
    (p, net.places[p].sort.iter().zip(values.split(',')).map(value).collect())
}

/// For each unfolded transition, its coloured transition and binding.
pub fn coloured_steps(unfolded: &Net, net: &ColouredNet) -> Vec<ColouredStep> {
    unfolded.transitions().map(|t| coloured_step(&t.id(), net)).collect()
}

fn coloured_step(id: &str, net: &ColouredNet) -> ColouredStep {
    let (id, values) = split(id);
    let t = net.transitions.iter().position(|t| t.id == id).expect("a transition's name");
    let values: HashMap<&str, &str> =
        values.split(',').filter_map(|value| value.split_once('=')).collect();
    let value = |x: &brine_coloured::net::Variable| {
        let label = values[x.name.as_str()];
        let sort = net.sorts.get(x.sort);
        (0..x.size).find(|&v| sort.label(v) == label).expect("a value's name")
    };
    let binding = net.transitions[t].variables.iter().map(value).collect();
    ColouredStep { transition: TransitionId(t as u32), binding }
}

/// `id[rest]`, or `id` alone.
fn split(name: &str) -> (&str, &str) {
    let (id, rest) = name.split_once('[').unwrap_or((name, "]"));
    (id, rest.strip_suffix(']').unwrap_or(rest))
}
