//! The coarsest partitions that the conditions in the head of [`super`] allow, by refinement.
//!
//! Everything starts in one class. What constants, guards, multiplicities and differences tell
//! apart is parted first, once; then the links between variables and components carry the
//! splits along until nothing changes. Each split is forced by a condition, so the result is the
//! coarsest, except that what still changes after [`ROUNDS`] rounds becomes discrete (a shift
//! round a long cycle can part one value a round): finer than needed, and a partition into
//! single values meets every condition on itself. Cost: rounds times the sizes of the sorts.

use super::partition::Partition;
use crate::guards::{self, Conjunct, GuardOp};
use crate::net::{ColouredNet, ColouredTransition};
use crate::terms::{Bag, BagOp, Component, Map};
use brine_run::{Control, Stop};

/// Rounds of propagation before what changes becomes discrete.
const ROUNDS: usize = 24;

/// The partitions: per place and component, and per transition and variable.
#[derive(Clone, Debug)]
pub(super) struct Partitions {
    pub(super) components: Vec<Vec<Partition>>,
    pub(super) variables: Vec<Vec<Partition>>,
}

/// A variable in a component of an arc.
struct Link<'n> {
    place: usize,
    component: usize,
    transition: usize,
    variable: usize,
    map: &'n Map,
    input: bool,
}

/// The coarsest partitions.
pub(super) fn refine(net: &ColouredNet, control: &Control) -> Result<Partitions, Stop> {
    let whole = |sort| Partition::whole(net.sorts.get(sort).size());
    let components = net.places.iter().map(|p| p.sort.iter().map(|&s| whole(s)).collect());
    let of_transition = |t: &ColouredTransition| {
        t.variables.iter().map(|x| Partition::whole(x.size)).collect::<Vec<_>>()
    };
    let mut partitions = Partitions {
        components: components.collect(),
        variables: net.transitions.iter().map(of_transition).collect(),
    };
    let mut pace = control.pace();
    for (place, partition) in net.places.iter().zip(&mut partitions.components) {
        place.initial.iter().for_each(|bag| differences(bag, partition));
    }
    for (t, transition) in net.transitions.iter().enumerate() {
        pace.step()?;
        let Partitions { components, variables } = &mut partitions;
        let variables = &mut variables[t];
        parts(transition, variables);
        transition.guard.iter().for_each(|conjunct| guard(conjunct, variables));
        for arc in transition.inputs.iter().chain(&transition.outputs) {
            differences(&arc.bag, &mut components[arc.place]);
        }
        exact_tokens(transition, components, variables);
    }
    propagate(&links(net), net, &mut partitions, control)?;
    Ok(partitions)
}

/// A variable's part is told from the rest.
fn parts(transition: &ColouredTransition, partitions: &mut [Partition]) {
    for (variable, partition) in transition.variables.iter().zip(partitions) {
        if variable.part.is_some() {
            partition.split(|v| u32::from(variable.admits(v)));
        }
    }
}

/// The truth of a conjunct must depend on classes only.
fn guard(conjunct: &Conjunct, partitions: &mut [Partition]) {
    if let Some(x) = only_variable(conjunct) {
        let mut binding = vec![0; partitions.len()];
        let size = partitions[x].size();
        let truths: Vec<bool> = (0..size)
            .map(|v| {
                binding[x] = v;
                guards::holds(conjunct, &binding)
            })
            .collect();
        partitions[x].split(|v| u32::from(truths[v as usize]));
        return;
    }
    for op in conjunct {
        let GuardOp::Compare(_, a, b) = op else { continue };
        let comparison = std::slice::from_ref(op);
        if only_variable(comparison).is_some() {
            guard(&comparison.to_vec(), partitions);
            continue;
        }
        for side in [a, b] {
            if let Component::Variable { variable, map } = side {
                partitions[*variable].split(|v| map.apply(v));
            }
        }
    }
}

/// The variable of a conjunct that has one alone.
pub(super) fn only_variable(conjunct: &[GuardOp]) -> Option<usize> {
    let mut variables = guards::variables(conjunct);
    let first = variables.next()?;
    variables.all(|x| x == first).then_some(first)
}

/// Where a multiset is a difference, a component must be discrete unless all terms have the same
/// there.
fn differences(bag: &Bag, partitions: &mut [Partition]) {
    if !bag.ops.contains(&BagOp::Subtract) {
        return;
    }
    let mut seen: Vec<Option<&Component>> = vec![None; partitions.len()];
    for op in &bag.ops {
        let BagOp::Push { offset, colour, .. } = op else { continue };
        for (i, component) in (*offset..).zip(colour) {
            if *seen[i].get_or_insert(component) != component {
                partitions[i].separate();
            }
        }
    }
}

/// What an input takes must be known exactly, except that a variable that all inputs name once
/// may take any token of a class.
fn exact_tokens(
    transition: &ColouredTransition,
    components: &mut [Vec<Partition>],
    variables: &mut [Partition],
) {
    let mut occurs = vec![0_u32; variables.len()];
    for arc in &transition.inputs {
        let sums = !arc
            .bag
            .ops
            .iter()
            .any(|op| matches!(op, BagOp::Subtract | BagOp::Times(_) | BagOp::Cross(_)));
        for op in &arc.bag.ops {
            let BagOp::Push { count, offset, colour } = op else { continue };
            if *count == 0 {
                continue;
            }
            let several = |c: &Component| matches!(c, Component::Each(values) if values.len() > 1);
            let one = sums && *count == 1 && !colour.iter().any(several);
            for (i, component) in (*offset..).zip(colour) {
                let partition = &mut components[arc.place][i];
                match component {
                    Component::Value(v) => partition.isolate(&[*v]),
                    Component::Each(values) => partition.isolate(values),
                    Component::Variable { variable, map } => {
                        occurs[*variable] += if one { 1 } else { 2 };
                        if let Map::Table(values) = map {
                            partition.isolate(values);
                        }
                    }
                }
            }
        }
    }
    for (occurs, partition) in occurs.iter().zip(variables) {
        if *occurs > 1 {
            partition.separate();
        }
    }
}

fn links(net: &ColouredNet) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (t, transition) in net.transitions.iter().enumerate() {
        let inputs = transition.inputs.iter().map(|arc| (true, arc));
        for (input, arc) in inputs.chain(transition.outputs.iter().map(|arc| (false, arc))) {
            for op in &arc.bag.ops {
                let BagOp::Push { count, offset, colour } = op else { continue };
                for (i, component) in (*offset..).zip(colour) {
                    if let Component::Variable { variable, map } = component
                        && *count > 0
                    {
                        let (place, component) = (arc.place, i);
                        let (transition, variable) = (t, *variable);
                        links.push(Link { place, component, transition, variable, map, input });
                    }
                }
            }
        }
    }
    links
}

/// Carries splits along the links until all agree.
fn propagate(
    links: &[Link<'_>],
    net: &ColouredNet,
    partitions: &mut Partitions,
    control: &Control,
) -> Result<(), Stop> {
    let mut pace = control.pace();
    let mut round = 0;
    loop {
        let mut changed = false;
        for link in links {
            let component = &mut partitions.components[link.place][link.component];
            let variable = &mut partitions.variables[link.transition][link.variable];
            pace.steps(1 + (component.size() + variable.size()) as usize)?;
            if variable.split(|v| component.class(link.map.apply(v))) {
                changed = true;
                if round >= ROUNDS {
                    variable.separate();
                }
            }
            let admits = |v| net.transitions[link.transition].variables[link.variable].admits(v);
            let of = |v| if admits(v) { 1 + variable.class(v) } else { 0 };
            let taken_by = |w| link.map.invert(w).map_or(0, of);
            if link.input && component.split(taken_by) {
                changed = true;
                if round >= ROUNDS {
                    component.separate();
                }
            }
        }
        if !changed {
            return Ok(());
        }
        round += 1;
    }
}
