//! What terms and guards mean under a binding, written down once more for replay alone.
//!
//! A colour is the list of its components' values, a multiset a sorted map from colours to
//! counts. Programs are run with a stack, so nothing recurses.

use super::Fault;
use brine_coloured::guards::{ColourComparison, Conjunct, GuardOp};
use brine_coloured::terms::{Bag, BagOp, Component, Map};
use std::collections::BTreeMap;

/// A colour, component by component.
pub(super) type Colour = Vec<u32>;

/// A multiset; counts are above zero.
pub(super) type Multiset = BTreeMap<Colour, u64>;

/// What a function gives for a value.
pub(super) fn image(map: &Map, value: u32) -> u32 {
    match map {
        Map::Shift { by, size } => match value.checked_sub(size - by) {
            Some(round) => round,
            None => value + by,
        },
        Map::Table(values) => values[value as usize],
    }
}

/// The one value that a shift takes to this one.
pub(super) fn preimage(map: &Map, value: u32) -> Option<u32> {
    match map {
        Map::Shift { by, size } => Some(value.checked_sub(*by).unwrap_or(value + (size - by))),
        Map::Table(_) => None,
    }
}

/// The value of a component that has one, if its variable is bound.
pub(super) fn known(component: &Component, bound: &[Option<u32>]) -> Option<u32> {
    match component {
        Component::Value(v) => Some(*v),
        Component::Variable { variable, map } => Some(image(map, bound[*variable]?)),
        Component::Each(_) => None,
    }
}

/// Whether the condition holds; `None` while one of its variables is open.
pub(super) fn satisfied(conjunct: &Conjunct, bound: &[Option<u32>]) -> Option<bool> {
    let mut stack: Vec<bool> = Vec::new();
    for op in conjunct {
        match op {
            GuardOp::Constant(value) => stack.push(*value),
            GuardOp::Compare(comparison, a, b) => {
                stack.push(compare(*comparison, known(a, bound)?, known(b, bound)?));
            }
            GuardOp::And(n) => {
                let operands = stack.split_off(stack.len().saturating_sub(*n));
                stack.push(!operands.contains(&false));
            }
            GuardOp::Or(n) => {
                let operands = stack.split_off(stack.len().saturating_sub(*n));
                stack.push(operands.contains(&true));
            }
            GuardOp::Not => {
                let last = stack.pop()?;
                stack.push(!last);
            }
        }
    }
    Some(stack.pop().unwrap_or(true))
}

fn compare(comparison: ColourComparison, a: u32, b: u32) -> bool {
    match comparison {
        ColourComparison::Equal => a == b,
        ColourComparison::Different => a != b,
        ColourComparison::Less => a < b,
        ColourComparison::LessOrEqual => a <= b,
        ColourComparison::Greater => a > b,
        ColourComparison::GreaterOrEqual => a >= b,
    }
}

/// The multiset of an expression; `work` pays for each colour on the way.
pub(super) fn multiset(
    bag: &Bag,
    bound: &[Option<u32>],
    work: &mut u64,
) -> Result<Multiset, Fault> {
    let mut stack: Vec<Multiset> = Vec::new();
    for op in &bag.ops {
        let next = match op {
            BagOp::Empty => Multiset::new(),
            BagOp::Push { count, colour, .. } => instances(*count, colour, bound, work)?,
            BagOp::Add(n) => sum(stack.split_off(stack.len().saturating_sub(*n)))?,
            BagOp::Subtract => {
                let (less, from) = (pop(&mut stack)?, pop(&mut stack)?);
                difference(from, &less)
            }
            BagOp::Times(factor) => times(pop(&mut stack)?, *factor)?,
            BagOp::Cross(n) => {
                let one = Multiset::from([(Vec::new(), 1)]);
                let factors = stack.split_off(stack.len().saturating_sub(*n));
                factors.iter().try_fold(one, |product, f| cross(&product, f, work))?
            }
        };
        stack.push(next);
    }
    let counts = pop(&mut stack)?;
    debug_assert!(counts.keys().all(|c| c.len() == bag.sort.len()), "colours of the sort");
    // Unfolded arcs have weights of 32 bits.
    match counts.values().all(|&n| u32::try_from(n).is_ok()) {
        true => Ok(counts),
        false => Err(Fault::TooMany),
    }
}

fn pop(stack: &mut Vec<Multiset>) -> Result<Multiset, Fault> {
    stack.pop().ok_or(Fault::CannotTell)
}

/// `count` of each colour that a term stands for.
fn instances(
    count: u64,
    colour: &[Component],
    bound: &[Option<u32>],
    work: &mut u64,
) -> Result<Multiset, Fault> {
    if count == 0 {
        return Ok(Multiset::new());
    }
    let mut colours: Vec<Colour> = vec![Vec::with_capacity(colour.len())];
    for component in colour {
        if let Component::Each(values) = component {
            pay(work, colours.len() as u64 * values.len() as u64)?;
            let longer = |c: &Colour| {
                let c = c.clone();
                values.iter().map(move |&v| [c.as_slice(), &[v]].concat())
            };
            colours = colours.iter().flat_map(longer).collect();
        } else {
            let value = known(component, bound).ok_or(Fault::CannotTell)?;
            colours.iter_mut().for_each(|c| c.push(value));
        }
    }
    pay(work, colours.len() as u64)?;
    Ok(colours.into_iter().map(|c| (c, count)).collect())
}

fn sum(parts: Vec<Multiset>) -> Result<Multiset, Fault> {
    let mut parts = parts.into_iter();
    let mut sum = parts.next().unwrap_or_default();
    for (colour, n) in parts.flatten() {
        let count = sum.entry(colour).or_default();
        *count = count.checked_add(n).ok_or(Fault::TooMany)?;
    }
    Ok(sum)
}

fn difference(mut from: Multiset, less: &Multiset) -> Multiset {
    from.retain(|colour, n| {
        *n -= less.get(colour).map_or(0, |&m| m.min(*n));
        *n > 0
    });
    from
}

fn times(mut counts: Multiset, factor: u64) -> Result<Multiset, Fault> {
    if factor == 0 {
        return Ok(Multiset::new());
    }
    for n in counts.values_mut() {
        *n = n.checked_mul(factor).ok_or(Fault::TooMany)?;
    }
    Ok(counts)
}

/// Every combination, counts multiplied.
fn cross(left: &Multiset, right: &Multiset, work: &mut u64) -> Result<Multiset, Fault> {
    pay(work, left.len() as u64 * right.len() as u64)?;
    let mut product = Multiset::new();
    for (a, n) in left {
        for (b, m) in right {
            let count = n.checked_mul(*m).ok_or(Fault::TooMany)?;
            product.insert([a.as_slice(), b].concat(), count);
        }
    }
    Ok(product)
}

/// Counts work down; an error when there is none left.
pub(super) fn pay(work: &mut u64, steps: u64) -> Result<(), Fault> {
    *work = work.checked_sub(steps).ok_or(Fault::CannotTell)?;
    Ok(())
}
