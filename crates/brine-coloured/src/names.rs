//! Names of unfolded places and transitions.
//!
//! A place is called `id[colour,..]` with the names of the colour's components; a place of
//! black tokens keeps its id. A transition is called `id[x=value,..]` with its variables;
//! without variables it keeps its id. Ids stay unique: where colours or ids contain the
//! punctuation used here, two names could be the same, and then `#2`, `#3`, ... follows.
//!
//! An unfolded net has [`UnfoldedNames`], which makes a name when it is asked for: from the
//! colour of the place, or the binding of the transition. Only where two could be the same all
//! are made once, and the numbers of the second and later ones kept.

use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use crate::bindings::Bindings;
use crate::groups::Groups;
use crate::net::{ColouredNet, ColouredPlace, ColouredTransition};
use crate::sorts::{DOT, SimpleId};
use brine_net::{NodeNames, PlaceId, TransitionId};
use brine_run::{Control, Stop};

/// Units of work that a name takes.
const NAME: usize = 8;

/// What follows the id, or the name, of the coloured place.
pub(crate) fn place_suffix(net: &ColouredNet, place: &ColouredPlace, colour: u64) -> String {
    let mut suffix = String::new();
    if place.sort != [DOT] {
        for (i, &sort) in place.sort.iter().enumerate() {
            suffix.push(if i == 0 { '[' } else { ',' });
            suffix.push_str(&net.sorts.get(sort).label(place.layout.component(colour, i)));
        }
        suffix.push(']');
    }
    suffix
}

/// What follows the id, or the name, of the coloured transition.
pub(crate) fn transition_suffix(
    net: &ColouredNet,
    transition: &ColouredTransition,
    binding: &[u32],
) -> String {
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
    suffix
}

/// Whether this is so for something that ids are made of: ids, variables, values.
fn some_part(net: &ColouredNet, test: impl Fn(&str) -> bool) -> bool {
    let of_sort = |&sort: &SimpleId| {
        let simple = net.sorts.get(sort);
        (0..simple.size()).any(|v| test(&simple.label(v)))
    };
    let mut nodes = net.places.iter().map(|p| &p.id).chain(net.transitions.iter().map(|t| &t.id));
    let mut variables = net.transitions.iter().flat_map(|t| &t.variables);
    let mut sorts: Vec<SimpleId> = net.places.iter().flat_map(|p| p.sort.clone()).collect();
    sorts.extend(variables.clone().map(|v| v.sort));
    sorts.sort_unstable_by_key(|s| s.0);
    sorts.dedup();
    nodes.any(|id| test(id)) || variables.any(|v| test(&v.name)) || sorts.iter().any(of_sort)
}

/// Keeps ids apart.
pub(crate) struct UniqueIds {
    /// The ids given so far, if two could be the same.
    used: Option<FxHashSet<String>>,
}

impl UniqueIds {
    pub(crate) fn new(net: &ColouredNet) -> Self {
        let clash = some_part(net, |part| part.contains(['[', ']', ',', '=']));
        UniqueIds { used: clash.then(FxHashSet::default) }
    }

    /// Whether two ids could be the same.
    fn are_risky(&self) -> bool {
        self.used.is_some()
    }

    /// The number that has to follow the id: 1 stands for none.
    fn number(&mut self, id: &str) -> u32 {
        let Some(used) = &mut self.used else { return 1 };
        let mut number = 1;
        while !used.insert(numbered(id.to_owned(), number)) {
            number += 1;
        }
        number
    }

    /// The id, made unique.
    pub(crate) fn unique(&mut self, id: &str, suffix: &str) -> String {
        let id = format!("{id}{suffix}");
        let number = self.number(&id);
        numbered(id, number)
    }
}

fn numbered(id: String, number: u32) -> String {
    if number == 1 { id } else { format!("{id}#{number}") }
}

/// The names of an unfolded net.
#[derive(Debug)]
pub(crate) struct UnfoldedNames {
    net: ColouredNet,
    groups: Groups,
    /// The colour of each unfolded place.
    colours: Vec<u64>,
    bindings: Arc<[Bindings]>,
    /// The numbers that follow ids that others have already.
    numbers: FxHashMap<UnfoldedNode, u32>,
}

/// A node of the unfolded net.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum UnfoldedNode {
    Place(PlaceId),
    Transition(TransitionId),
}

impl UnfoldedNames {
    pub(crate) fn new(
        net: &ColouredNet,
        groups: &Groups,
        colours: Vec<u64>,
        bindings: Arc<[Bindings]>,
        control: &Control,
    ) -> Result<Self, Stop> {
        let (net, groups) = (net.clone(), groups.clone());
        let mut names =
            UnfoldedNames { net, groups, colours, bindings, numbers: FxHashMap::default() };
        let mut ids = UniqueIds::new(&names.net);
        if ids.are_risky() {
            let mut pace = control.pace();
            let places = (0..names.colours.len() as u32).map(|p| UnfoldedNode::Place(PlaceId(p)));
            let transitions: usize = names.bindings.iter().map(Bindings::len).sum();
            let transitions =
                (0..transitions as u32).map(|t| UnfoldedNode::Transition(TransitionId(t)));
            for node in places.chain(transitions) {
                pace.steps(NAME)?;
                let number = ids.number(&names.plain_id(node));
                if number > 1 {
                    names.numbers.insert(node, number);
                }
            }
        }
        Ok(names)
    }

    /// The coloured place of a place, and what follows its id.
    fn place(&self, p: PlaceId) -> (&ColouredPlace, String) {
        let place = &self.net.places[self.groups.place_of(p)];
        (place, place_suffix(&self.net, place, self.colours[p.index()]))
    }

    /// The coloured transition of a transition, and what follows its id.
    fn transition(&self, t: TransitionId) -> (&ColouredTransition, String) {
        let (group, at) = self.groups.transition_of(t);
        let transition = &self.net.transitions[group];
        let binding = self.bindings[group].get(at);
        (transition, transition_suffix(&self.net, transition, binding))
    }

    fn plain_id(&self, node: UnfoldedNode) -> String {
        match node {
            UnfoldedNode::Place(p) => {
                let (place, suffix) = self.place(p);
                format!("{}{suffix}", place.id)
            }
            UnfoldedNode::Transition(t) => {
                let (transition, suffix) = self.transition(t);
                format!("{}{suffix}", transition.id)
            }
        }
    }

    fn id(&self, node: UnfoldedNode) -> Cow<'_, str> {
        let number = self.numbers.get(&node).copied().unwrap_or(1);
        Cow::Owned(numbered(self.plain_id(node), number))
    }
}

impl NodeNames for UnfoldedNames {
    fn place_id(&self, p: PlaceId) -> Cow<'_, str> {
        self.id(UnfoldedNode::Place(p))
    }

    fn place_name(&self, p: PlaceId) -> Cow<'_, str> {
        let (place, suffix) = self.place(p);
        Cow::Owned(format!("{}{suffix}", place.name))
    }

    fn transition_id(&self, t: TransitionId) -> Cow<'_, str> {
        self.id(UnfoldedNode::Transition(t))
    }

    fn transition_name(&self, t: TransitionId) -> Cow<'_, str> {
        let (transition, suffix) = self.transition(t);
        Cow::Owned(format!("{}{suffix}", transition.name))
    }

    fn may_contain(&self, character: char) -> bool {
        "[=,]#0123456789".contains(character) || some_part(&self.net, |p| p.contains(character))
    }
}
