//! The net over classes: every sort, term and guard restated.
//!
//! A function of a variable becomes a table over its classes, unless nothing is merged at both
//! ends. `all` becomes each class as often as it has values; classes of equal size stay
//! together, so that terms stay few.

use super::partition::Partition;
use super::refine::{Partitions, only_variable};
use crate::guards::{self, ColourComparison, Conjunct, GuardOp};
use crate::net::{ColouredArc, ColouredNet, ColouredPlace, ColouredTransition, Variable};
use crate::sorts::{ColourLayout, DOT, Simple, SimpleId, Sorts, Values};
use crate::terms::{Bag, BagOp, Component, Map};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The net over the classes of these partitions; `None` if its colours cannot be numbered.
pub(super) fn rewrite(net: &ColouredNet, partitions: &Partitions) -> Option<ColouredNet> {
    let mut sorts = ClassSorts { sorts: net.sorts.clone(), known: FxHashMap::default() };
    let mut places = Vec::with_capacity(net.places.len());
    for (place, classes) in net.places.iter().zip(&partitions.components) {
        places.push(sorts.place(place, classes)?);
    }
    let mut transitions = Vec::with_capacity(net.transitions.len());
    for (transition, variables) in net.transitions.iter().zip(&partitions.variables) {
        let arcs = |arcs: &[ColouredArc]| -> Vec<ColouredArc> {
            let arc = |arc: &ColouredArc| ColouredArc {
                place: arc.place,
                bag: Bag {
                    sort: places[arc.place].sort.clone(),
                    ops: bag(&arc.bag, &partitions.components[arc.place], variables),
                },
                at: arc.at,
            };
            arcs.iter().map(arc).collect()
        };
        transitions.push(ColouredTransition {
            id: transition.id.clone(),
            name: transition.name.clone(),
            guard: transition.guard.iter().map(|c| conjunct(c, variables)).collect(),
            inputs: arcs(&transition.inputs),
            outputs: arcs(&transition.outputs),
            variables: transition
                .variables
                .iter()
                .zip(variables)
                .map(|(x, classes)| sorts.variable(x, classes))
                .collect(),
        });
    }
    let name = net.name.clone();
    Some(ColouredNet { name, sorts: sorts.sorts, places, transitions, arcs: net.arcs })
}

/// The sorts of classes that were made so far.
struct ClassSorts {
    sorts: Sorts,
    known: FxHashMap<(u32, Partition), SimpleId>,
}

impl ClassSorts {
    /// The sort whose values are the classes.
    fn sort(&mut self, of: SimpleId, classes: &Partition) -> SimpleId {
        if classes.is_discrete() {
            return of;
        }
        if classes.classes() == 1 {
            return DOT;
        }
        if let Some(&known) = self.known.get(&(of.0, classes.clone())) {
            return known;
        }
        let simple = self.sorts.get(of);
        let label = |(&value, size): (&u32, u32)| match size {
            1 => simple.label(value).into_owned(),
            _ => format!("{}+{}", simple.label(value), size - 1),
        };
        let names = classes.least().iter().zip(classes.sizes()).map(label).collect();
        let name = simple.name.clone();
        let sort = self.sorts.add(Simple { name, values: Values::Named(names) });
        self.known.insert((of.0, classes.clone()), sort);
        sort
    }

    fn place(&mut self, place: &ColouredPlace, classes: &[Partition]) -> Option<ColouredPlace> {
        let sort: Vec<SimpleId> =
            place.sort.iter().zip(classes).map(|(&s, c)| self.sort(s, c)).collect();
        let layout = ColourLayout::new(&self.sorts, &sort)?;
        let initial = place.initial.as_ref();
        let initial = initial.map(|b| Bag { sort: sort.clone(), ops: bag(b, classes, &[]) });
        let (id, name, at) = (place.id.clone(), place.name.clone(), place.at);
        Some(ColouredPlace { id, name, sort, layout, initial, at })
    }

    fn variable(&mut self, variable: &Variable, classes: &Partition) -> Variable {
        let of_part = |part: &[u32]| {
            let mut part: Vec<u32> = part.iter().map(|&v| classes.class(v)).collect();
            part.sort_unstable();
            part.dedup();
            part
        };
        let part = variable.part.as_ref().map(|part| of_part(part).into());
        let (name, sort) = (variable.name.clone(), self.sort(variable.sort, classes));
        Variable { name, sort, size: classes.classes(), part }
    }
}

/// The program over classes.
fn bag(bag: &Bag, components: &[Partition], variables: &[Partition]) -> Vec<BagOp> {
    let mut ops = Vec::with_capacity(bag.ops.len());
    for op in &bag.ops {
        match op {
            BagOp::Push { count: 0, .. } => ops.push(BagOp::Empty),
            BagOp::Push { count, offset, colour } => {
                push(*count, *offset, colour, &components[*offset..], variables, &mut ops);
            }
            other => ops.push(other.clone()),
        }
    }
    ops
}

/// One term: a sum of terms, one for each combination of equal sizes of classes.
fn push(
    count: u64,
    offset: usize,
    colour: &[Component],
    components: &[Partition],
    variables: &[Partition],
    ops: &mut Vec<BagOp>,
) {
    let mut terms: Vec<(u64, Vec<Component>)> = vec![(count, Vec::with_capacity(colour.len()))];
    for (component, classes) in colour.iter().zip(components) {
        let choices: Vec<(u64, Component)> = match component {
            Component::Value(v) => vec![(1, Component::Value(classes.class(*v)))],
            Component::Variable { variable, map } => {
                vec![(1, through(*variable, map, &variables[*variable], |v| classes.class(v)))]
            }
            Component::Each(values) => each(values, classes),
        };
        let longer = |(n, term): &(u64, Vec<Component>)| {
            let (n, term) = (*n, term.clone());
            let with = move |(m, c): &(u64, Component)| {
                let mut term = term.clone();
                term.push(c.clone());
                (n.saturating_mul(*m), term)
            };
            choices.iter().map(with).collect::<Vec<_>>()
        };
        terms = terms.iter().flat_map(longer).collect();
    }
    let sum = terms.len();
    ops.extend(terms.into_iter().map(|(count, colour)| BagOp::Push { count, offset, colour }));
    if sum != 1 {
        ops.push(BagOp::Add(sum));
    }
}

/// The classes of these values, by how many of the values they have.
fn each(values: &[u32], classes: &Partition) -> Vec<(u64, Component)> {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    values.iter().for_each(|&v| *counts.entry(classes.class(v)).or_default() += 1);
    let mut by_count: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    counts.into_iter().for_each(|(class, n)| by_count.entry(n).or_default().push(class));
    let component = |(n, classes): (u64, Vec<u32>)| match classes.as_slice() {
        [one] => (n, Component::Value(*one)),
        _ => (n, Component::Each(classes.into())),
    };
    by_count.into_iter().map(component).collect()
}

/// A variable's class seen through a function, whose values go through `then`.
fn through(
    variable: usize,
    map: &Map,
    classes: &Partition,
    then: impl Fn(u32) -> u32,
) -> Component {
    let least = classes.least();
    let table: Vec<u32> = least.iter().map(|&v| then(map.apply(v))).collect();
    let unchanged =
        || classes.is_discrete() && least.iter().zip(&table).all(|(&v, &c)| c == map.apply(v));
    let map = if unchanged() {
        map.clone()
    } else if table.iter().zip(0..).all(|(&class, i)| class == i) {
        Map::Shift { by: 0, size: classes.classes() }
    } else {
        Map::Table(table.into())
    };
    Component::Variable { variable, map }
}

/// The condition over classes.
fn conjunct(conjunct: &Conjunct, variables: &[Partition]) -> Conjunct {
    if let Some(x) = only_variable(conjunct) {
        return decided(conjunct, x, variables);
    }
    let mut ops = Vec::with_capacity(conjunct.len());
    for op in conjunct {
        match op {
            GuardOp::Compare(comparison, a, b) => {
                let comparison_alone = std::slice::from_ref(op);
                if let Some(x) = only_variable(comparison_alone) {
                    ops.extend(decided(comparison_alone, x, variables));
                } else {
                    let side = |c: &Component| match c {
                        Component::Variable { variable, map } => {
                            through(*variable, map, &variables[*variable], |v| v)
                        }
                        other => other.clone(),
                    };
                    ops.push(GuardOp::Compare(*comparison, side(a), side(b)));
                }
            }
            other => ops.push(other.clone()),
        }
    }
    ops
}

/// A condition on one variable: as it was if nothing is merged, else by a table of its truth.
fn decided(conjunct: &[GuardOp], x: usize, variables: &[Partition]) -> Conjunct {
    let classes = &variables[x];
    if classes.is_discrete() {
        return conjunct.to_vec();
    }
    let mut binding = vec![0; variables.len()];
    let truth = |v: u32| {
        binding[x] = v;
        u32::from(guards::holds(conjunct, &binding))
    };
    let table: Vec<u32> = classes.least().into_iter().map(truth).collect();
    let map = Map::Table(table.into());
    let truth = Component::Variable { variable: x, map };
    vec![GuardOp::Compare(ColourComparison::Equal, truth, Component::Value(1))]
}
