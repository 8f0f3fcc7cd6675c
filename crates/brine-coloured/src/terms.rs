//! Terms: what arcs and initial markings say, checked and flat.
//!
//! A colour term is a list of [`Component`]s, one per simple sort of its product. Every
//! component is a constant, a variable seen through a [`Map`] (successors, predecessors,
//! parts of a partition), or every value of a set at once (`all`). A [`Bag`] is a multiset
//! expression: a program for a stack of multisets, in postfix order, so that nothing here
//! recurses however deep the file nests.
//!
//! Subtraction stops at zero: `(a - b)(c) = max(a(c) - b(c), 0)`. The standard leaves a
//! negative difference undefined.

use crate::sorts::{ColourLayout, SimpleId};
use std::sync::Arc;

/// A function from the values of one simple sort to those of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Map {
    /// `v -> (v + by) mod size`: successors and predecessors go round.
    Shift {
        /// How far, below `size`.
        by: u32,
        /// The size of the sort.
        size: u32,
    },
    /// Any function, by its values.
    Table(Arc<[u32]>),
}

impl Map {
    /// The value of `v`.
    pub fn apply(&self, v: u32) -> u32 {
        match self {
            Map::Shift { by, size } => ((u64::from(v) + u64::from(*by)) % u64::from(*size)) as u32,
            Map::Table(values) => values[v as usize],
        }
    }

    /// The one argument with value `v`, if the function is a shift.
    pub fn invert(&self, v: u32) -> Option<u32> {
        match self {
            Map::Shift { by, size } => {
                Some(((u64::from(v) + u64::from(size - by)) % u64::from(*size)) as u32)
            }
            Map::Table(_) => None,
        }
    }

    /// `self`, then `next`; `size` is that of the argument's sort.
    pub fn then(&self, next: &Map, size: u32) -> Map {
        match (self, next) {
            (Map::Shift { by: a, size }, Map::Shift { by: b, .. }) => Map::Shift {
                by: ((u64::from(*a) + u64::from(*b)) % u64::from(*size)) as u32,
                size: *size,
            },
            _ => Map::Table((0..size).map(|v| next.apply(self.apply(v))).collect()),
        }
    }
}

/// One component of a colour term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Component {
    /// A constant.
    Value(u32),
    /// A variable of the transition, seen through a function.
    Variable {
        /// Index in [`crate::net::ColouredTransition::variables`].
        variable: usize,
        /// What is done to its value.
        map: Map,
    },
    /// Each of these values once; not empty.
    Each(Arc<[u32]>),
}

impl Component {
    /// Its value under a binding; `None` for [`Component::Each`].
    pub fn value(&self, binding: &[u32]) -> Option<u32> {
        match self {
            Component::Value(v) => Some(*v),
            Component::Variable { variable, map } => Some(map.apply(binding[*variable])),
            Component::Each(_) => None,
        }
    }

    /// The variable in it, if there is one.
    pub fn variable(&self) -> Option<usize> {
        match self {
            Component::Variable { variable, .. } => Some(*variable),
            _ => None,
        }
    }
}

/// One step of a [`Bag`]'s program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BagOp {
    /// Push `count` of this colour (of each colour, where components are [`Component::Each`]).
    Push {
        /// How many.
        count: u64,
        /// Where the components belong in the whole colour: 0, except below a `Cross`.
        offset: usize,
        /// The colour.
        colour: Vec<Component>,
    },
    /// Push the empty multiset.
    Empty,
    /// Pop that many and push their sum.
    Add(usize),
    /// Pop `b`, then `a`; push `a - b`, never below zero.
    Subtract,
    /// Multiply every count of the topmost.
    Times(u64),
    /// Pop that many and push their product: every combination, counts multiplied.
    Cross(usize),
}

/// A multiset expression over colours of one product sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bag {
    /// The sort of its colours.
    pub sort: Vec<SimpleId>,
    /// The program.
    pub ops: Vec<BagOp>,
}

/// A multiset of colours: their numbers ascending, each with its count above zero. Below a
/// `Cross`, numbers are the shares of some components, so the product of two is their sum.
type ColourCounts = Vec<(u64, u64)>;

/// More colours than the caller allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

impl Bag {
    /// The one colour term, if the expression is nothing else.
    pub fn single(&self) -> Option<&[Component]> {
        match self.ops.as_slice() {
            [BagOp::Push { count: 1, colour, .. }]
                if !colour.iter().any(|c| matches!(c, Component::Each(_))) =>
            {
                Some(colour)
            }
            _ => None,
        }
    }

    /// The colour terms that are in the multiset whatever the binding, if that is all
    /// there is: sums of them. `None` for expressions that subtract, cross or multiply.
    pub fn certain(&self) -> Option<Vec<&[Component]>> {
        let mut terms = Vec::new();
        for op in &self.ops {
            match op {
                BagOp::Push { count: 0, .. } | BagOp::Empty | BagOp::Add(_) => {}
                BagOp::Push { colour, .. } => terms.push(colour.as_slice()),
                BagOp::Subtract | BagOp::Times(_) | BagOp::Cross(_) => return None,
            }
        }
        Some(terms)
    }

    /// The colour terms that every colour of the multiset is an instance of. `None` for
    /// expressions that cross.
    pub fn possible(&self) -> Option<Vec<&[Component]>> {
        let mut stack: Vec<Vec<&[Component]>> = Vec::new();
        for op in &self.ops {
            match op {
                BagOp::Push { count: 0, .. } | BagOp::Empty => stack.push(Vec::new()),
                BagOp::Push { colour, .. } => stack.push(vec![colour]),
                BagOp::Add(n) => {
                    let parts = stack.split_off(stack.len().saturating_sub(*n));
                    stack.push(parts.concat());
                }
                BagOp::Subtract => {
                    stack.pop();
                }
                BagOp::Times(_) => {}
                BagOp::Cross(_) => return None,
            }
        }
        stack.pop()
    }

    /// The components of all its colour terms.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.ops.iter().flat_map(|op| match op {
            BagOp::Push { colour, .. } => colour.as_slice(),
            _ => &[],
        })
    }

    /// The multiset under a binding: colours (numbered by `layout`) ascending, counts
    /// above zero, at most `limit` colours on the way. Counts stop at the largest `u64`.
    pub fn evaluate(
        &self,
        layout: &ColourLayout,
        binding: &[u32],
        limit: u64,
    ) -> Result<Vec<(u64, u64)>, TooMany> {
        let mut stack: Vec<ColourCounts> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            match op {
                BagOp::Push { count: 0, .. } | BagOp::Empty => stack.push(Vec::new()),
                BagOp::Push { count, offset, colour } => {
                    stack.push(push(*count, *offset, colour, layout, binding, limit)?);
                }
                BagOp::Add(n) => {
                    let parts = stack.split_off(stack.len().saturating_sub(*n));
                    stack.push(add(parts, limit)?);
                }
                BagOp::Subtract => {
                    let less = stack.pop().unwrap_or_default();
                    let from = stack.pop().unwrap_or_default();
                    stack.push(subtract(from, &less));
                }
                BagOp::Times(factor) => {
                    let counts = stack.last_mut().into_iter().flatten();
                    counts.for_each(|(_, n)| *n = n.saturating_mul(*factor));
                    stack.last_mut().into_iter().for_each(|c| c.retain(|&(_, n)| n > 0));
                }
                BagOp::Cross(n) => {
                    let factors = stack.split_off(stack.len().saturating_sub(*n));
                    let one = vec![(0, 1)];
                    let product = factors.iter().try_fold(one, |p, f| cross(&p, f, limit))?;
                    stack.push(product);
                }
            }
        }
        debug_assert!(stack.len() == 1, "the program of a multiset leaves one");
        let counts = stack.pop().unwrap_or_default();
        debug_assert!(counts.is_sorted_by(|a, b| a.0 < b.0), "colours ascend");
        debug_assert!(counts.iter().all(|c| c.1 > 0), "counts are above zero");
        Ok(counts)
    }
}

fn push(
    count: u64,
    offset: usize,
    colour: &[Component],
    layout: &ColourLayout,
    binding: &[u32],
    limit: u64,
) -> Result<ColourCounts, TooMany> {
    let mut counts = vec![(0, count)];
    for (i, c) in colour.iter().enumerate() {
        let share = |v| layout.weight(offset + i, v);
        if let Component::Each(values) = c {
            let factor: ColourCounts = values.iter().map(|&v| (share(v), 1)).collect();
            counts = cross(&counts, &factor, limit)?;
        } else if let Some(v) = c.value(binding) {
            counts.iter_mut().for_each(|(number, _)| *number += share(v));
        }
    }
    Ok(counts)
}

fn add(mut parts: Vec<ColourCounts>, limit: u64) -> Result<ColourCounts, TooMany> {
    if parts.len() == 1 {
        return Ok(parts.pop().unwrap_or_default());
    }
    let mut counts: ColourCounts = parts.into_iter().flatten().collect();
    if counts.len() as u64 > limit {
        return Err(TooMany);
    }
    counts.sort_unstable();
    counts.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(later.1);
        }
        same
    });
    Ok(counts)
}

fn subtract(mut from: ColourCounts, less: &ColourCounts) -> ColourCounts {
    for (colour, n) in &mut from {
        if let Ok(i) = less.binary_search_by_key(colour, |&(c, _)| c) {
            *n = n.saturating_sub(less[i].1);
        }
    }
    from.retain(|&(_, n)| n > 0);
    from
}

/// Every combination. Both are ascending and the left one has the higher components, so
/// the result is ascending too.
fn cross(left: &ColourCounts, right: &ColourCounts, limit: u64) -> Result<ColourCounts, TooMany> {
    if left.len() as u64 * right.len() as u64 > limit {
        return Err(TooMany);
    }
    let pair = |&(a, n): &(u64, u64)| right.iter().map(move |&(b, m)| (a + b, n.saturating_mul(m)));
    Ok(left.iter().flat_map(pair).collect())
}
