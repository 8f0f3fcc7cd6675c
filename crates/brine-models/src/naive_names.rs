//! Which coloured node a node of the naive unfolding belongs to, told by its name.
//!
//! For nets whose ids, variables and values contain no punctuation of names, as random ones do.

use brine_coloured::{ColouredNet, ColouredStep};
use brine_net::{Net, TransitionId};
use std::collections::HashMap;

/// For each unfolded place, the number of its coloured place.
pub fn coloured_places(unfolded: &Net, net: &ColouredNet) -> Vec<usize> {
    let number: HashMap<&str, usize> =
        net.places.iter().enumerate().map(|(i, p)| (p.id.as_str(), i)).collect();
    unfolded.places().map(|p| number[split(&p.id()).0]).collect()
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
