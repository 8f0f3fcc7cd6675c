//! Names of unfolded places and transitions.
//!
//! A place is called `id[colour,..]` with the names of the colour's components; a place of
//! black tokens keeps its id. A transition is called `id[x=value,..]` with its variables;
//! without variables it keeps its id. Ids stay unique: where colours or ids contain the
//! punctuation used here, two names could be the same, and then `#2`, `#3`, ... follows.

use rustc_hash::FxHashSet;
use std::fmt::Write;

use crate::net::{ColouredNet, ColouredPlace, ColouredTransition};
use crate::sorts::{DOT, SimpleId};

/// Gives names.
pub(crate) struct UnfoldedNames {
    /// The ids given so far, if two could be the same.
    used: Option<FxHashSet<String>>,
}

impl UnfoldedNames {
    pub(crate) fn new(net: &ColouredNet) -> Self {
        let risky = |text: &str| text.contains(['[', ']', ',', '=']);
        let of_sort = |&sort: &SimpleId| {
            let simple = net.sorts.get(sort);
            (0..simple.size()).any(|v| risky(&simple.label(v)))
        };
        let nodes = net.places.iter().map(|p| &p.id).chain(net.transitions.iter().map(|t| &t.id));
        let variables = net.transitions.iter().flat_map(|t| &t.variables);
        let mut sorts: Vec<SimpleId> = net.places.iter().flat_map(|p| p.sort.clone()).collect();
        sorts.extend(variables.clone().map(|v| v.sort));
        sorts.sort_unstable_by_key(|s| s.0);
        sorts.dedup();
        let clash = nodes.into_iter().any(|id| risky(id))
            || variables.into_iter().any(|v| risky(&v.name))
            || sorts.iter().any(of_sort);
        UnfoldedNames { used: clash.then(FxHashSet::default) }
    }

    /// The id and the name of a colour's place.
    pub(crate) fn place(
        &mut self,
        net: &ColouredNet,
        place: &ColouredPlace,
        colour: u64,
    ) -> (String, String) {
        let mut suffix = String::new();
        if place.sort != [DOT] {
            for (i, &sort) in place.sort.iter().enumerate() {
                suffix.push(if i == 0 { '[' } else { ',' });
                suffix.push_str(&net.sorts.get(sort).label(place.layout.component(colour, i)));
            }
            suffix.push(']');
        }
        (self.unique(&place.id, &suffix), format!("{}{suffix}", place.name))
    }

    /// The id and the name of a binding's transition.
    pub(crate) fn transition(
        &mut self,
        net: &ColouredNet,
        transition: &ColouredTransition,
        binding: &[u32],
    ) -> (String, String) {
        let mut suffix = String::new();
        for (i, (variable, &value)) in transition.variables.iter().zip(binding).enumerate() {
            let open = if i == 0 { '[' } else { ',' };
            let label = net.sorts.get(variable.sort).label(value);
            // Writing to a string cannot fail.
            let _ = write!(suffix, "{open}{}={label}", variable.name);
        }
        if !suffix.is_empty() {
            suffix.push(']');
        }
        (self.unique(&transition.id, &suffix), format!("{}{suffix}", transition.name))
    }

    fn unique(&mut self, id: &str, suffix: &str) -> String {
        let name = format!("{id}{suffix}");
        let Some(used) = &mut self.used else { return name };
        let mut unique = name.clone();
        let mut number = 2;
        while !used.insert(unique.clone()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        unique
    }
}
