//! How many tokens a multiset expression has, by arithmetic alone.
//!
//! An expression is kept as a difference of two sums of colour terms, `plus - minus`. A term is
//! a *box*: so many of every colour whose components are those of the term. Sums are joined,
//! products multiplied out, and the number of tokens is the sum over the boxes, each the
//! product of the sizes of its sets: `all` of a pair of sorts of 100,000 is one box with 10^10
//! colours, none of which is looked at.
//!
//! *Invariant.* Under every binding that the guard allows, no colour is more often in `minus`
//! than in `plus`. So the difference never stops at zero, counts what it says, and goes on
//! obeying the laws of sums and products.
//!
//! *Subtraction.* `(p - m) - (q - n)` keeps the invariant if `q + m <= p` for every colour. That is
//! proved box by box: each box of the left side is given to a box of `p` that covers it; where
//! several are given to one box, those that may share a colour count together. At any colour,
//! the boxes that hold it all may share it, so together they are within the count of the
//! box they were given to. If that fails, the number of tokens may depend on the binding, and
//! there is no answer.
//!
//! Cost: linear in the expression, quadratic in the terms of a difference, and linear in
//! the values of sets that are not whole sorts.

use crate::guards::{ColourComparison, Conjunct, GuardOp};
use crate::net::{ColouredTransition, Variable};
use crate::sorts::Sorts;
use crate::terms::{Bag, BagOp, Component, Map};

/// Most terms of a product, and most pairs of terms that are compared.
const TERMS: usize = 10_000;
const PAIRS: usize = 4_000_000;
/// Most values of a variable that are looked at.
const VALUES: u32 = 4_096;

/// Where an expression stands: what its variables may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) sorts: &'a Sorts,
    variables: &'a [Variable],
    guard: &'a [Conjunct],
}

impl<'a> Scope<'a> {
    /// In an initial marking: no variables.
    pub(crate) fn start(sorts: &'a Sorts) -> Self {
        Scope { sorts, variables: &[], guard: &[] }
    }

    /// At an arc of a transition.
    pub(crate) fn of(sorts: &'a Sorts, transition: &'a ColouredTransition) -> Self {
        Scope { sorts, variables: &transition.variables, guard: &transition.guard }
    }

    /// The number of tokens, if it is the same under every binding and fits.
    pub(crate) fn cardinality(&self, bag: &Bag) -> Option<u64> {
        let mut stack: Vec<Difference<'_>> = Vec::new();
        for op in &bag.ops {
            let value = match op {
                BagOp::Push { count: 0, .. } | BagOp::Empty => Difference::default(),
                BagOp::Push { count, offset, colour } => {
                    let colour = colour.iter().collect();
                    let plus = vec![ColourBox { count: *count, offset: *offset, colour }];
                    Difference { plus, minus: Vec::new() }
                }
                BagOp::Add(n) => {
                    let parts = stack.split_off(stack.len().saturating_sub(*n));
                    parts.into_iter().fold(Difference::default(), Difference::plus)
                }
                BagOp::Subtract => {
                    let (less, from) = (stack.pop()?, stack.pop()?);
                    self.subtract(from, less, bag)?
                }
                BagOp::Times(factor) => stack.pop()?.times(*factor)?,
                BagOp::Cross(n) => {
                    let factors = stack.split_off(stack.len().saturating_sub(*n));
                    factors.into_iter().try_fold(Difference::one(), Difference::cross)?
                }
            };
            value.size()?;
            stack.push(value);
        }
        stack.pop()?.size()
    }

    fn subtract<'b>(
        &self,
        mut from: Difference<'b>,
        less: Difference<'b>,
        bag: &Bag,
    ) -> Option<Difference<'b>> {
        let mut minus = from.minus;
        minus.extend(less.plus);
        let within = self.dominates(&from.plus, &minus, bag);
        from.plus.extend(less.minus);
        within.then_some(Difference { plus: from.plus, minus })
    }

    /// Is no colour more often in `small` than in `large`, whatever the binding?
    fn dominates(&self, large: &[ColourBox<'_>], small: &[ColourBox<'_>], bag: &Bag) -> bool {
        if small.len().saturating_mul(small.len() + large.len()) > PAIRS {
            return false;
        }
        // Per box of `large`: the boxes given to it, each with the count of all that may
        // share a colour with it.
        let mut given: Vec<Vec<(usize, u64)>> = vec![Vec::new(); large.len()];
        (0..small.len()).all(|i| {
            let one = &small[i];
            large.iter().zip(&mut given).any(|(cover, given)| {
                let shares = |&(j, _): &(usize, u64)| !self.apart(one, &small[j], bag);
                if !self.covers(cover, one, bag) {
                    return false;
                }
                let sharing: Vec<usize> = (0..given.len()).filter(|&k| shares(&given[k])).collect();
                let others = sharing.iter().map(|&k| small[given[k].0].count);
                let own = others.fold(one.count, u64::saturating_add);
                let room = |k: &usize| given[*k].1.saturating_add(one.count) <= cover.count;
                let fits = own <= cover.count && sharing.iter().all(room);
                if fits {
                    sharing.iter().for_each(|&k| given[k].1 += one.count);
                    given.push((i, own));
                }
                fits
            })
        })
    }

    /// Is every colour of `inner` one of `outer`?
    fn covers(&self, outer: &ColourBox<'_>, inner: &ColourBox<'_>, bag: &Bag) -> bool {
        outer.offset == inner.offset
            && outer.colour.len() == inner.colour.len()
            && outer.colour.iter().zip(&inner.colour).enumerate().all(|(i, (o, n))| {
                let size = self.sorts.get(bag.sort[outer.offset + i]).size();
                self.covers_component(o, n, size)
            })
    }

    fn covers_component(&self, outer: &Component, inner: &Component, size: u32) -> bool {
        match (outer, inner) {
            _ if size == 1 || outer == inner => true,
            (Component::Each(values), _) if values.len() == size as usize => true,
            (Component::Each(values), Component::Value(v)) => values.binary_search(v).is_ok(),
            (Component::Each(values), Component::Each(some)) => {
                some.iter().all(|v| values.binary_search(v).is_ok())
            }
            (Component::Each(values), Component::Variable { variable, map }) => {
                let variable = &self.variables[*variable];
                variable.choices() <= VALUES
                    && (0..variable.choices())
                        .all(|i| values.binary_search(&map.apply(variable.choice(i))).is_ok())
            }
            (Component::Value(v), Component::Each(values)) => values[..] == [*v],
            _ => false,
        }
    }

    /// Do the two boxes share no colour, whatever the binding?
    fn apart(&self, a: &ColourBox<'_>, b: &ColourBox<'_>, bag: &Bag) -> bool {
        let comparable = a.offset == b.offset && a.colour.len() == b.colour.len();
        debug_assert!(comparable && a.offset + a.colour.len() <= bag.sort.len(), "of one sort");
        comparable && a.colour.iter().zip(&b.colour).any(|(x, y)| self.differ(x, y))
    }

    fn differ(&self, a: &Component, b: &Component) -> bool {
        match (a, b) {
            (Component::Value(v), Component::Value(w)) => v != w,
            (Component::Value(v), Component::Each(values))
            | (Component::Each(values), Component::Value(v)) => values.binary_search(v).is_err(),
            (Component::Each(some), Component::Each(values)) => {
                some.iter().all(|v| values.binary_search(v).is_err())
            }
            (
                Component::Variable { variable: x, map: Map::Shift { by: i, .. } },
                Component::Variable { variable: y, map: Map::Shift { by: j, .. } },
            ) if x == y => i != j,
            _ => self.guard.iter().any(|conjunct| tells_apart(conjunct, a, b)),
        }
    }
}

/// Does the conjunct say that the two values are different?
fn tells_apart(conjunct: &Conjunct, a: &Component, b: &Component) -> bool {
    use ColourComparison::{Different, Greater, Less};
    match &conjunct[..] {
        [GuardOp::Compare(Different | Less | Greater, x, y)] => {
            (x, y) == (a, b) || (x, y) == (b, a)
        }
        _ => false,
    }
}

/// So many of every colour whose components are these.
#[derive(Clone, Debug)]
struct ColourBox<'a> {
    count: u64,
    /// Where the components belong in the whole colour.
    offset: usize,
    colour: Vec<&'a Component>,
}

impl<'a> ColourBox<'a> {
    fn size(&self) -> Option<u64> {
        self.colour.iter().try_fold(self.count, |size, component| match component {
            Component::Each(values) => size.checked_mul(values.len() as u64),
            _ => Some(size),
        })
    }

    /// The box of the combinations with those of the components that follow.
    fn cross(&self, next: &ColourBox<'a>) -> Option<ColourBox<'a>> {
        let offset = if self.colour.is_empty() { next.offset } else { self.offset };
        let colour = [&self.colour[..], &next.colour[..]].concat();
        Some(ColourBox { count: self.count.checked_mul(next.count)?, offset, colour })
    }
}

/// A multiset: the sum of the first boxes less that of the second, which is not larger.
#[derive(Clone, Default, Debug)]
struct Difference<'a> {
    plus: Vec<ColourBox<'a>>,
    minus: Vec<ColourBox<'a>>,
}

impl<'a> Difference<'a> {
    /// The empty tuple, once.
    fn one() -> Self {
        let tuple = ColourBox { count: 1, offset: 0, colour: Vec::new() };
        Difference { plus: vec![tuple], minus: Vec::new() }
    }

    /// The number of tokens. `None` if a sum on the way does not fit: counts would stop at
    /// the largest number.
    fn size(&self) -> Option<u64> {
        let sum = |boxes: &[ColourBox<'_>]| {
            boxes.iter().try_fold(0_u64, |sum, b| sum.checked_add(b.size()?))
        };
        let (plus, minus) = (sum(&self.plus)?, sum(&self.minus)?);
        debug_assert!(minus <= plus, "what is subtracted is there");
        plus.checked_sub(minus)
    }

    fn plus(mut self, other: Self) -> Self {
        self.plus.extend(other.plus);
        self.minus.extend(other.minus);
        self
    }

    fn times(mut self, factor: u64) -> Option<Self> {
        for b in self.plus.iter_mut().chain(&mut self.minus) {
            b.count = b.count.checked_mul(factor)?;
        }
        Some(self)
    }

    fn cross(self, next: Self) -> Option<Self> {
        let terms = (self.plus.len() + self.minus.len()) * (next.plus.len() + next.minus.len());
        if terms > TERMS {
            return None;
        }
        let multiply = |a: &[ColourBox<'a>], b: &[ColourBox<'a>]| -> Option<Vec<ColourBox<'a>>> {
            a.iter().flat_map(|x| b.iter().map(|y| x.cross(y))).collect()
        };
        let mut plus = multiply(&self.plus, &next.plus)?;
        plus.extend(multiply(&self.minus, &next.minus)?);
        let mut minus = multiply(&self.plus, &next.minus)?;
        minus.extend(multiply(&self.minus, &next.plus)?);
        Some(Difference { plus, minus })
    }
}
