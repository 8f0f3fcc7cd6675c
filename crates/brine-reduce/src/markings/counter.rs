//! The passes over the equations that count solutions; the idea is in [`super::expansion`].
//!
//! *Invariant*: kernels are computed in the order in which equations settle nodes, so all that
//! is below a node is known when it is looked at.

use super::equations::{Equation, Equations, Node};
use super::expansion::ExpandedGuard;
use super::guards::Guards;
use super::kernel::{Kernel, Table, length};
use super::shortage::{self, Tokens};
use brine_net::PlaceId;
use brine_run::{Pace, Stop};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Terms that a sum of sums may have before it is given up.
const MOST_OPEN: usize = 1 << 12;

/// What is above a node.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Above {
    /// It is a place of the reduced net.
    Root(PlaceId),
    /// It has so many tokens.
    Fixed(u32),
    /// It is `factor * of + offset`.
    Copy { of: Node, factor: u32, offset: i64 },
    /// It is a sum of several terms.
    Sum,
    /// It is a part of this.
    Part(Node),
}

/// A copy of a node that has weight of its own.
#[derive(Clone, Copy, Debug)]
struct WeightedCopy {
    node: Node,
    factor: u32,
    offset: i64,
}

/// Numbers of solutions below each node.
pub(super) struct Counter<'e> {
    equations: &'e Equations,
    roots: &'e [Node],
    above: Vec<Above>,
    /// The equation that says what is above a node; `usize::MAX` for roots.
    pub(super) settled: Vec<usize>,
    /// The most tokens of a node.
    most: Vec<u64>,
    parts: Vec<&'e [Node]>,
    copies: Vec<Vec<WeightedCopy>>,
    kernels: Vec<Kernel>,
    /// The solutions of all that is fixed.
    pub(super) factor: BigUint,
}

/// What a condition changes about nodes above it: a shift, or the whole kernel.
#[derive(Clone, Debug)]
enum Changed {
    Shift(u64),
    Kernel(Kernel),
}

impl<'e> Counter<'e> {
    pub(super) fn new(
        equations: &'e Equations,
        roots: &'e [Node],
        maxima: &[u32],
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        let nodes = equations.nodes;
        let mut counter = Counter {
            equations,
            roots,
            above: vec![Above::Sum; nodes],
            settled: vec![usize::MAX; nodes],
            most: vec![0; nodes],
            parts: vec![&[]; nodes],
            copies: vec![Vec::new(); nodes],
            kernels: vec![Kernel::PLACE; nodes],
            factor: BigUint::from(1_u32),
        };
        for (i, (&root, &most)) in roots.iter().zip(maxima).enumerate() {
            counter.above[root.index()] = Above::Root(PlaceId(i as u32));
            counter.most[root.index()] = u64::from(most);
        }
        counter.look_down(pace)?;
        counter.count_up(pace)?;
        Ok(counter)
    }

    /// What is above nodes, and the most tokens they have: from the roots down.
    fn look_down(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop> {
        for (at, equation) in self.equations.list.iter().enumerate().rev() {
            pace.step()?;
            match equation {
                Equation::Fixed { node, tokens } => {
                    self.place_below(*node, at, Above::Fixed(*tokens), u64::from(*tokens));
                }
                Equation::Sum { node, terms, offset } => match terms.as_slice() {
                    [] => {
                        let tokens = u32::try_from(*offset).map_err(|_| Stop::Overflow)?;
                        self.place_below(*node, at, Above::Fixed(tokens), u64::from(tokens));
                    }
                    &[(of, factor)] => {
                        let most = i128::from(self.most[of.index()]) * i128::from(factor);
                        let most = (most + i128::from(*offset)).max(0);
                        let most = u64::try_from(most).map_err(|_| Stop::Overflow)?;
                        let above = Above::Copy { of, factor, offset: *offset };
                        self.place_below(*node, at, above, most);
                    }
                    _ => self.place_below(*node, at, Above::Sum, 0),
                },
                Equation::Parts { whole, parts } => {
                    self.parts[whole.index()] = parts;
                    let most = self.most[whole.index()];
                    parts.iter().for_each(|&p| self.place_below(p, at, Above::Part(*whole), most));
                }
            }
        }
        Ok(())
    }

    fn place_below(&mut self, node: Node, at: usize, above: Above, most: u64) {
        let i = node.index();
        (self.above[i], self.settled[i], self.most[i]) = (above, at, most);
    }

    /// The kernels of all nodes, in the order of the equations.
    fn count_up(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop> {
        for equation in &self.equations.list {
            pace.step()?;
            match equation {
                Equation::Fixed { node, .. } => self.count_settled(*node, pace)?,
                Equation::Sum { node, .. } => self.count_settled(*node, pace)?,
                Equation::Parts { parts, .. } => {
                    for &part in parts {
                        self.count_settled(part, pace)?;
                    }
                }
            }
        }
        for &root in self.roots {
            self.kernels[root.index()] = self.kernel(root, &FxHashMap::default(), pace)?;
        }
        Ok(())
    }

    /// The kernel of a node, and what it is worth for the node above.
    fn count_settled(&mut self, node: Node, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let kernel = self.kernel(node, &FxHashMap::default(), pace)?;
        match self.above[node.index()] {
            Above::Fixed(tokens) => self.factor *= value_at(&kernel, tokens, pace)?,
            Above::Copy { of, factor, offset } if !kernel.is_place() => {
                self.copies[of.index()].push(WeightedCopy { node, factor, offset });
            }
            Above::Sum => debug_assert!(kernel.is_place(), "what a sum is worth cannot be counted"),
            _ => {}
        }
        self.kernels[node.index()] = kernel;
        Ok(())
    }

    /// The kernel of a node from those below, of which some are `changed`.
    fn kernel(
        &self,
        node: Node,
        changed: &FxHashMap<Node, Changed>,
        pace: &mut Pace<'_>,
    ) -> Result<Kernel, Stop> {
        let (i, most) = (node.index(), self.most[node.index()]);
        let below = |n: Node| match changed.get(&n) {
            None => self.kernels[n.index()].clone(),
            Some(Changed::Kernel(kernel)) => kernel.clone(),
            Some(Changed::Shift(shift)) => {
                let kernel = self.kernels[n.index()].clone();
                Kernel { shift: kernel.shift + shift, ..kernel }
            }
        };
        let mut kernel = Kernel::PLACE;
        if !self.parts[i].is_empty() {
            kernel = Kernel::NOTHING;
            for &part in self.parts[i] {
                kernel = kernel.beside(&below(part), most, pace)?;
            }
        }
        if self.copies[i].is_empty() {
            return Ok(kernel);
        }
        let mut values = kernel.values(most, pace)?;
        for &WeightedCopy { node, factor, offset } in &self.copies[i] {
            let copy = below(node).values(self.most[node.index()], pace)?;
            pace.steps(4 * values.len())?;
            for (n, value) in values.iter_mut().enumerate() {
                let at = i128::from(factor) * n as i128 + i128::from(offset);
                match usize::try_from(at).ok().and_then(|at| copy.get(at)) {
                    Some(solutions) => *value *= solutions,
                    None => *value = BigUint::ZERO,
                }
            }
        }
        Ok(Kernel::of(values))
    }

    /// What the places of the reduced net are worth.
    pub(super) fn weights(&self, pace: &mut Pace<'_>) -> Result<Vec<Option<Table>>, Stop> {
        let weight = |root: &Node| {
            let kernel = &self.kernels[root.index()];
            let mut values = || kernel.values(self.most[root.index()], pace);
            if kernel.is_place() { Ok(None) } else { Ok(Some(Table::from(values()?))) }
        };
        self.roots.iter().map(weight).collect()
    }

    /// When original transitions are enabled; `None` if that cannot be told. Transitions that
    /// never are have no guard.
    pub(super) fn guards(
        &self,
        guards: &Guards,
        weights: &[Option<Table>],
        pace: &mut Pace<'_>,
    ) -> Result<Option<Vec<ExpandedGuard>>, Stop> {
        let mut shifted: FxHashMap<(PlaceId, u64), Table> = FxHashMap::default();
        let mut fixed: FxHashMap<(Node, u64), BigUint> = FxHashMap::default();
        let mut all = Vec::new();
        for conditions in guards.of.iter().flatten() {
            pace.steps(1 + conditions.len())?;
            let (met, sums) = match self.raise(conditions) {
                Raised::Never => continue,
                Raised::To { met, sums } => (met, sums),
            };
            let mut guard =
                ExpandedGuard { is_excess: false, times: self.factor.clone(), tables: Vec::new() };
            for (root, changed) in self.conditioned(&met, pace)? {
                let i = root.index();
                match (self.above[i], changed) {
                    (Above::Fixed(tokens), changed) => {
                        let plain = self.fixed(root, tokens, 0, &mut fixed, pace)?;
                        let now = match changed {
                            Changed::Shift(shift) => {
                                self.fixed(root, tokens, shift, &mut fixed, pace)?
                            }
                            Changed::Kernel(kernel) => value_at(&kernel, tokens, pace)?,
                        };
                        guard.times = guard.times / plain * now;
                    }
                    (Above::Root(p), Changed::Shift(shift)) => {
                        let table = match shifted.get(&(p, shift)) {
                            Some(table) => table.clone(),
                            None => self.shifted(p, shift, &weights[p.index()])?,
                        };
                        shifted.insert((p, shift), table.clone());
                        guard.tables.push((p, table));
                    }
                    (Above::Root(p), Changed::Kernel(kernel)) => {
                        guard.tables.push((p, kernel.values(self.most[i], pace)?.into()));
                    }
                    _ => debug_assert!(false, "conditions end at roots"),
                }
            }
            if guard.times == BigUint::ZERO {
                continue;
            }
            guard.tables.sort_by_key(|t| t.0);
            if sums.is_empty() {
                all.push(guard);
                continue;
            }
            let Some(short) = self.short_of(&sums, pace)? else { return Ok(None) };
            let Some(parts) = shortage::without(guard, &short, |p| self.weight(p, weights))? else {
                return Ok(None);
            };
            all.extend(parts);
        }
        Ok(Some(all))
    }

    /// A root's weights shifted up.
    fn shifted(&self, p: PlaceId, shift: u64, weight: &Option<Table>) -> Result<Table, Stop> {
        let length = length(self.most[self.roots[p.index()].index()])?;
        let value = |n: usize| match (n as u64).checked_sub(shift) {
            None => BigUint::ZERO,
            Some(n) => weight.as_ref().map_or(BigUint::from(1_u32), |w| w[n as usize].clone()),
        };
        Ok((0..length).map(value).collect())
    }

    /// What a fixed node is worth when it is shifted up; remembered.
    fn fixed(
        &self,
        node: Node,
        tokens: u32,
        shift: u64,
        known: &mut FxHashMap<(Node, u64), BigUint>,
        pace: &mut Pace<'_>,
    ) -> Result<BigUint, Stop> {
        if let Some(value) = known.get(&(node, shift)) {
            return Ok(value.clone());
        }
        let kernel = self.kernels[node.index()].clone();
        let value = value_at(&Kernel { shift: kernel.shift + shift, ..kernel }, tokens, pace)?;
        known.insert((node, shift), value.clone());
        Ok(value)
    }

    /// Conditions on original places as conditions on nodes that are no plain copies.
    fn raise(&self, conditions: &[(PlaceId, u32)]) -> Raised {
        let mut met: BTreeMap<Node, u64> = BTreeMap::new();
        let mut sums = Vec::new();
        for &(p, w) in conditions {
            let (mut node, mut least) = (Node(p.0), i128::from(w));
            loop {
                let is_plain = self.kernels[node.index()].is_place();
                match self.above[node.index()] {
                    _ if least <= 0 => break,
                    Above::Sum => {
                        sums.push((node, least));
                        break;
                    }
                    Above::Fixed(tokens) if is_plain => {
                        if i128::from(tokens) < least {
                            return Raised::Never;
                        }
                        break;
                    }
                    Above::Copy { of, factor, offset } if is_plain => {
                        let factor = i128::from(factor);
                        least = (least - i128::from(offset) + factor - 1).div_euclid(factor);
                        node = of;
                    }
                    _ => {
                        // What does not fit is more than any marking has.
                        let least = u64::try_from(least).unwrap_or(u64::MAX);
                        let entry = met.entry(node).or_default();
                        *entry = (*entry).max(least);
                        break;
                    }
                }
            }
        }
        Raised::To { met, sums }
    }

    /// A node as a sum of places of the reduced net, and a number; `None` if it depends on how
    /// tokens are distributed.
    fn linear(&self, node: Node) -> Option<(BTreeMap<PlaceId, i128>, i128)> {
        let (mut places, mut constant) = (BTreeMap::new(), 0_i128);
        let mut open = vec![(node, 1_i128)];
        while let Some((node, times)) = open.pop() {
            match self.above[node.index()] {
                Above::Root(p) => {
                    let factor: &mut i128 = places.entry(p).or_default();
                    *factor = factor.checked_add(times)?;
                }
                Above::Fixed(tokens) => {
                    constant = constant.checked_add(times.checked_mul(i128::from(tokens))?)?;
                }
                Above::Copy { of, factor, offset } => {
                    constant = constant.checked_add(times.checked_mul(i128::from(offset))?)?;
                    open.push((of, times.checked_mul(i128::from(factor))?));
                }
                Above::Sum => {
                    let Equation::Sum { terms, offset, .. } =
                        &self.equations.list[self.settled[node.index()]]
                    else {
                        return None;
                    };
                    constant = constant.checked_add(times.checked_mul(i128::from(*offset))?)?;
                    for &(q, k) in terms {
                        open.push((q, times.checked_mul(i128::from(k))?));
                    }
                }
                Above::Part(_) => return None,
            }
            if open.len() > MOST_OPEN {
                return None;
            }
        }
        Some((places, constant))
    }

    /// For each condition on a sum the tokens of places with which it fails; `None` if there
    /// are too many, or if they cannot be told.
    fn short_of(
        &self,
        sums: &[(Node, i128)],
        pace: &mut Pace<'_>,
    ) -> Result<Option<Vec<Vec<Tokens>>>, Stop> {
        let mut all = Vec::new();
        for &(node, least) in sums {
            pace.step()?;
            let Some((places, constant)) = self.linear(node) else { return Ok(None) };
            let most = |p: PlaceId| self.most[self.roots[p.index()].index()];
            let terms: Vec<_> = places.into_iter().map(|(p, k)| (p, k, most(p))).collect();
            let Some(short) = shortage::kinds(&terms, least - constant) else { return Ok(None) };
            all.push(short);
        }
        Ok(Some(all))
    }

    /// What a place of the reduced net is worth by its tokens.
    fn weight(&self, p: PlaceId, weights: &[Option<Table>]) -> Result<Table, Stop> {
        self.shifted(p, 0, &weights[p.index()])
    }

    /// What conditions change about the roots above them, nodes below first.
    fn conditioned(
        &self,
        met: &BTreeMap<Node, u64>,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<(Node, Changed)>, Stop> {
        let mut changed: FxHashMap<Node, Changed> = FxHashMap::default();
        let mut ends = Vec::new();
        // Nodes to look at, in the order in which they are settled.
        let mut open: BTreeSet<(usize, Node)> =
            met.keys().map(|&n| (self.settled[n.index()], n)).collect();
        while let Some((_, node)) = open.pop_first() {
            pace.step()?;
            let now = self.conditioned_node(node, met.get(&node).copied(), &changed, pace)?;
            let above = match self.above[node.index()] {
                Above::Part(whole) => Some(whole),
                Above::Copy { of, .. } => Some(of),
                _ => None,
            };
            match above {
                Some(above) => {
                    open.insert((self.settled[above.index()], above));
                }
                None => ends.push((node, now.clone())),
            }
            changed.insert(node, now);
        }
        Ok(ends)
    }

    /// What changes about a node, given its own condition and what changed below.
    fn conditioned_node(
        &self,
        node: Node,
        least: Option<u64>,
        changed: &FxHashMap<Node, Changed>,
        pace: &mut Pace<'_>,
    ) -> Result<Changed, Stop> {
        let i = node.index();
        let most = self.most[i];
        let is_leaf = self.parts[i].is_empty() && self.copies[i].is_empty();
        let shift_of = |n: &Node| match changed.get(n) {
            None => Some(0),
            Some(Changed::Shift(shift)) => Some(*shift),
            Some(Changed::Kernel(_)) => None,
        };
        match least {
            Some(least) if is_leaf => return Ok(Changed::Shift(least.min(most + 1))),
            None if self.copies[i].is_empty() => {
                let shifts: Option<Vec<u64>> = self.parts[i].iter().map(shift_of).collect();
                if let Some(shifts) = shifts {
                    let shift = shifts.into_iter().fold(0, u64::saturating_add);
                    return Ok(Changed::Shift(shift.min(most + 1)));
                }
            }
            _ => {}
        }
        let kernel = self.kernel(node, changed, pace)?;
        let Some(least) = least else { return Ok(Changed::Kernel(kernel)) };
        let mut values = kernel.values(most, pace)?;
        let below = usize::try_from(least).unwrap_or(usize::MAX).min(values.len());
        values[..below].fill(BigUint::ZERO);
        Ok(Changed::Kernel(Kernel::of(values)))
    }
}

/// Conditions on nodes that are no plain copies.
enum Raised {
    To {
        met: BTreeMap<Node, u64>,
        /// Nodes that are sums of several terms, and the least tokens that they must have.
        sums: Vec<(Node, i128)>,
    },
    /// They are never met.
    Never,
}

fn value_at(kernel: &Kernel, tokens: u32, pace: &mut Pace<'_>) -> Result<BigUint, Stop> {
    Ok(kernel.values(u64::from(tokens), pace)?.pop().unwrap_or_default())
}
